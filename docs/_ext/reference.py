"""The pages on the Python interface: one for each public function, and its results with all their fields.

The names are those of the ``__init__.pyi`` stubs. A class that one function alone leads to is on that function's page;
one that several lead to, or that is public, has a page of its own. Docstrings are shown by autodoc and numpydoc, the
fields of a record by the source: name, type, and the comment beside them.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import shutil
import textwrap
import typing
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from types import ModuleType

from sphinx.application import Sphinx

import bakeoff

FOLDER = "reference/python"
MODULES = ("bakeoff", "bakeoff.bayes", "bakeoff.plan", "bakeoff.study", "bakeoff.datasets")
ABOUT = {
    "bakeoff": "``import bakeoff as bo``",
    "bakeoff.bayes": "``bo.bayes``: probabilities",
    "bakeoff.plan": "``bo.plan``: how large an experiment",
    "bakeoff.study": "``bo.study``: how well procedures work",
    "bakeoff.datasets": "``bo.datasets``: tables that come with bakeoff",
}


def public(module: ModuleType) -> dict[str, object]:
    names = {name: getattr(module, name) for name in module.__all__}
    return {name: value for name, value in names.items() if inspect.isclass(value) or inspect.isfunction(value)}


# --- classes ----------------------------------------------------------------------------------------------------------


def classes_in(hint: object) -> Iterator[type]:
    """Our classes inside a type, such as ``tuple[Pair, ...] | None``."""
    if inspect.isclass(hint) and hint.__module__.startswith("bakeoff") and not typing.get_args(hint):
        yield hint
    for part in typing.get_args(hint):
        yield from classes_in(part)


def hints(value: object) -> dict[str, object]:
    """Types of the parameters or fields; {} where they cannot be evaluated."""
    try:
        return typing.get_type_hints(value)
    except (NameError, TypeError):
        return {}


def is_record(kind: type) -> bool:
    return dataclasses.is_dataclass(kind) and not kind.__name__.startswith("_")


def reachable(kind: type, found: dict[type, None]) -> None:
    """The records among the fields of a class, and theirs."""
    if kind in found or not is_record(kind):
        return
    found[kind] = None
    for name, hint in hints(kind).items():
        if not name.startswith("_"):
            for part in classes_in(hint):
                reachable(part, found)


def returned(function: object) -> dict[type, None]:
    found: dict[type, None] = {}
    for kind in classes_in(hints(function).get("return")):
        reachable(kind, found)
    return found


def path_of(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def plain(text: str) -> str:
    """A comment as reStructuredText: code stays code, nothing else is markup."""
    parts = re.split(r"(``.+?``)", text)
    return "".join(part if part.startswith("``") else re.sub(r"([*`|_\\])", r"\\\1", part) for part in parts)


def fields_of(kind: type) -> list[tuple[str, str, str]]:
    """(name, type, comment) of each field, those of its bases first."""
    rows: dict[str, tuple[str, str, str]] = {}
    for base in reversed(kind.__mro__):
        if not base.__module__.startswith("bakeoff") or not dataclasses.is_dataclass(base):
            continue
        source = textwrap.dedent(inspect.getsource(base))
        lines = source.splitlines()
        (tree,) = ast.parse(source).body
        assert isinstance(tree, ast.ClassDef)
        for node in tree.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                name, annotation = node.target.id, ast.unparse(node.annotation)
                if name.startswith("_") or annotation.startswith("ClassVar"):
                    continue
                comment = lines[(node.end_lineno or 1) - 1][node.end_col_offset or 0 :].partition("# ")[2]
                rows[name] = (name, annotation.strip("'\""), comment)
    return list(rows.values())


def class_page(kind: type, path: str) -> str:
    """A class: its docstring, its fields, its properties and methods."""
    parts = [f".. autoclass:: {path}\n   :no-members:\n"]
    if dataclasses.is_dataclass(kind):
        rows = fields_of(kind)
        parts.append(f".. list-table:: Fields of {kind.__name__}\n   :header-rows: 1\n   :class: fields\n")
        parts.append("   * - field\n     - type\n     -")
        parts += [
            f"   * - ``{name}``\n     - ``{annotation}``\n     - {plain(note)}" for name, annotation, note in rows
        ]
        parts.append("")
    members = dict(inspect.getmembers(kind))
    for name in sorted(members, key=lambda name: (not isinstance(members[name], property), name)):
        owner = next((base for base in kind.__mro__ if name in vars(base)), object)
        if (
            name.startswith("_")
            or not owner.__module__.startswith("bakeoff")
            or not getattr(members[name], "__doc__", "")
        ):
            continue
        if isinstance(members[name], property):
            parts.append(f".. autoproperty:: {path}.{name}\n")
        elif inspect.isfunction(members[name]) or inspect.ismethod(members[name]):
            parts.append(f".. automethod:: {path}.{name}\n")
    return "\n".join(parts)


# --- pages ------------------------------------------------------------------------------------------------------------


def heading(text: str, line: str) -> str:
    return f"{text}\n{line * len(text)}\n"


def write(folder: Path) -> None:
    modules = {name: reduce(getattr, name.split(".")[1:], bakeoff) for name in MODULES}
    functions = {
        (module, name): value
        for module, namespace in modules.items()
        for name, value in public(namespace).items()
        if inspect.isfunction(value)
    }
    leads = {key: returned(value) for key, value in functions.items()}
    counts = Counter(kind for kinds in leads.values() for kind in kinds)
    exported = {
        value: f"{module}.{name}"
        for module, namespace in reversed(modules.items())
        for name, value in public(namespace).items()
        if inspect.isclass(value)
    }
    own = {**{kind: path_of(kind) for kind, n in counts.items() if n > 1}, **exported}
    files = {}
    for (module, name), kinds in leads.items():
        text = heading(f"{module.replace('bakeoff', 'bo', 1)}.{name}", "=")
        text += f"\n.. currentmodule:: {module}\n\n.. autofunction:: {module}.{name}\n\n"
        listed = [kind for kind in kinds if kind in own]
        if kinds:
            text += heading("What it returns", "-") + "\n"
        if listed:
            text += "Described elsewhere: " + ", ".join(f":class:`{k.__name__} <{own[k]}>`" for k in listed) + ".\n\n"
        text += "\n".join(class_page(kind, path_of(kind)) for kind in kinds if kind not in own)
        files[f"{module}.{name}"] = text
    for kind, path in own.items():
        files[f"class.{path}"] = heading(kind.__name__, "=") + "\n" + class_page(kind, path)
    files["index"] = heading("Python", "=") + "\n" + index(functions, own)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.rst").write_text(text, encoding="utf-8")


def index(functions: dict[tuple[str, str], object], own: dict[type, str]) -> str:
    """All names with their first sentence, by module; then the classes."""
    text = "Every public name. ``help(bo.compare)`` shows the same at a prompt.\n\n"
    for module in MODULES:
        text += heading(ABOUT[module], "-") + "\n.. list-table::\n   :class: names\n\n"
        for (where, name), value in functions.items():
            if where == module:
                first = (inspect.getdoc(value) or "").split("\n\n")[0].replace("\n", " ")
                text += f"   * - :func:`{name} <{module}.{name}>`\n     - {first}\n"
        text += "\n"
    text += heading("Classes", "-") + "\n"
    text += (
        ", ".join(f":class:`{kind.__name__} <{path}>`" for kind, path in sorted(own.items(), key=lambda o: o[1]))
        + "\n\n"
    )
    return text + ".. toctree::\n   :hidden:\n   :glob:\n\n   bakeoff*\n   class*\n"


def as_text(app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """|t| and x_ are mathematics in our docstrings, no markup of reStructuredText; code and examples stay."""
    del app, what, name, value, options
    end = next((place for place, line in enumerate(lines) if line.strip() == "Examples"), len(lines))
    for place in range(end):
        parts = re.split(r"(``.+?``|`[^`]+`_?)", lines[place])
        lines[place] = "".join(
            part if part.startswith("`") else re.sub(r"(?<=\w)_(?!\w)|[|]", r"\\\g<0>", part) for part in parts
        )


def generate(app: Sphinx) -> None:
    write(Path(app.srcdir) / FOLDER)


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", generate)
    app.connect("autodoc-process-docstring", as_text, priority=400)  # before numpydoc
    return {"parallel_read_safe": True, "parallel_write_safe": True}
