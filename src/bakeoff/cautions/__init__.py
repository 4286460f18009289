"""Every caution: its sentence, what it means, what to do, and files with a command that make it appear.

A code is a fact, such as ``too-few``; its object says what the fact is about: ``too-few (problems)``. Both are entries
of TOML files, one per section of docs/understand/cautions.md, here or in a wing: ``[too-few]`` and
``[too-few.problems]``, each object once. An object has the keys of its code where it has none of its own; ``like``
names another object of the code whose keys it has. A wing may add objects to a code of the core. The files are the one
source of the sentences of results (``caution_of``), ``bakeoff explain``, ``bakeoff demo`` and that page. The data of
demonstrations are in ``files``; ``former.toml`` has the codes of earlier versions.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bakeoff.checks import did_you_mean
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, Severity, UnknownNameError, caution_name, listing
from bakeoff.wing import data_folders

_FOLDER = Path(__file__).parent
SECTIONS = ("facts", "table", "comparing", "planning")
"""The sections of the core; those of the wings are in their folders ``cautions``."""
CLEAN = "bakeoff compare clean.csv --better lower"
"""The same without a caution."""
_HEADING = re.compile(r"^\[([a-z0-9-]+)(?:\.([a-z0-9-]+))?\]\n", re.MULTILINE)
_SHARED = ("severity", "reference", "text", "question", "means", "do")
"""The keys that an object shares with the object that it is like, or with its code."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A code and its object. ``means`` and ``do`` are Markdown, with links relative to docs/understand."""

    code: str
    object: str
    severity: Severity
    question: str
    means: str
    do: str
    text: str
    """The sentence, with fields for what ``caution_of`` is given."""
    reference: str = ""
    """The source that warns."""
    like: str = ""
    """The object that it shares its explanation with; its code has it if it is the code's own."""
    run: str = ""
    """Command lines, or Python that ends with ``result``; empty where no small demonstration exists."""
    no_run: str = ""
    """Why there is none: it "takes ..."."""
    along: Mapping[str, str] | None = None
    """Names of cautions that cannot but come with it, each with the reason."""
    seconds: bool = False
    """It takes more than a moment: it starts processes, or draws much."""

    @property
    def name(self) -> str:
        return caution_name(self.code, self.object)

    @property
    def python(self) -> bool:
        return bool(self.run) and not self.run.startswith("bakeoff ")

    @property
    def files(self) -> dict[str, str]:
        """Those that the demonstration reads, by name."""
        return read_by(self.run)


@dataclass(frozen=True, slots=True)
class Fact:
    """A code with its objects. ``do`` is empty if it depends on the object."""

    code: str
    question: str
    means: str
    do: str
    objects: tuple[Explanation, ...]


@dataclass(frozen=True, slots=True)
class PageSection:
    """A heading of the page with what is said below it."""

    title: str
    text: str
    facts: tuple[Fact, ...]


def caution_of(
    code: str, about: str = "", /, *, severity: Severity | None = None, reference: str | None = None, **values: object
) -> Caution:
    """The caution of this code and object, with ``values`` in the fields of its sentence."""
    entry = _explanation(code, about)
    return Caution(
        code=code,
        object=about,
        text=entry.text.format(**values),
        reference=entry.reference if reference is None else reference,
        severity=severity or entry.severity,
    )


@cache
def _explanation(code: str, about: str) -> Explanation:
    """One object. The other entries are not parsed, which takes a while."""
    whole, own = _entry(code, ""), _entry(code, about)
    model = _entry(code, own["like"]) if "like" in own else {}
    shared = {key: entry[key] for entry in (whole, model, own) for key in _SHARED if key in entry}
    own = {key: value for key, value in own.items() if key != "like" or "means" not in own}
    return Explanation(code=code, object=about, **{**own, **shared})


@cache
def _entry(code: str, about: str) -> dict[str, Any]:
    """The values of a heading, without the line ends of the file; sentences on one line."""
    entry = tomllib.loads(_blocks()[code, about])
    values = {key: value.strip() if isinstance(value, str) else value for key, value in entry.items()}
    if "text" in values:
        values["text"] = " ".join(values["text"].split())
    return values


@cache
def _blocks() -> dict[tuple[str, str], str]:
    """The text below each heading, by code and object, in the order of the page."""
    blocks = {}
    for content in _contents():
        headings = list(_HEADING.finditer(content))
        ends = [*(heading.start() for heading in headings[1:]), len(content)]
        for heading, end in zip(headings, ends, strict=True):
            blocks[heading[1], heading[2] or ""] = content[heading.end() : end]
    return blocks


@cache
def _contents() -> tuple[str, ...]:
    core, *wings = data_folders("cautions")
    paths = [core / f"{name}.toml" for name in SECTIONS]
    paths += [path for wing in wings for path in sorted(wing.glob("*.toml"))]
    return tuple(path.read_text(encoding="utf-8") for path in paths)


def title_of(name: str) -> str:
    """Its question, in the words of ``bakeoff explain``; empty if there is no such caution."""
    key = _split(name)
    return _explanation(*key).question if key in _blocks() else ""


def _split(name: str) -> tuple[str, str]:
    """Code and object: ``too-few (problems)``."""
    code, _, about = name.removesuffix(")").partition(" (")
    return code, about


@cache
def sections() -> tuple[PageSection, ...]:
    """All of them, in the order of the page: a code is in the section that has its own heading."""
    of_code: dict[str, list[Explanation]] = {}
    for code, about in _blocks():
        if about or "text" in _entry(code, about):
            of_code.setdefault(code, []).append(_explanation(code, about))
    all_sections = []
    for content in _contents():
        first = _HEADING.search(content)
        top = tomllib.loads(content[: first.start()] if first else content)
        codes = [heading[1] for heading in _HEADING.finditer(content) if not heading[2]]
        all_facts = tuple(_fact(code, of_code[code]) for code in codes)
        all_sections.append(PageSection(top["title"], top.get("text", "").strip(), all_facts))
    return tuple(all_sections)


def _fact(code: str, objects: list[Explanation]) -> Fact:
    head = _entry(code, "")
    return Fact(code, head["question"], head["means"], head.get("do", ""), tuple(objects))


@cache
def facts() -> dict[str, Fact]:
    """By code, in the order of the page."""
    return {fact.code: fact for section in sections() for fact in section.facts}


@cache
def explanations() -> dict[str, Explanation]:
    """By name, in the order of the page."""
    return {entry.name: entry for fact in facts().values() for entry in fact.objects}


def fact(code: str) -> Fact:
    """The fact of this code; an unknown one is an error that names the nearest, or what the code is called now."""
    if code in facts():
        return facts()[code]
    rule = f": there is no caution {code!r}{did_you_mean(code, facts())}; bakeoff explain lists all"
    if code in former():
        rule = f": {code!r} is now {listing(former()[code], 9, ' or ')}"
    raise UnknownNameError(rule, parameter="CODE")


def explanation(code: str, about: str) -> Explanation:
    """The explanation of this object; an unknown one is an error that names the nearest, or all."""
    objects = {entry.object: entry for entry in fact(code).objects}
    if about not in objects:
        known = ", ".join(filter(None, objects))
        rule = f": {code} has the objects {known}" if known else f": {code} has no object"
        raise UnknownNameError(f"{rule}; got {about!r}{did_you_mean(about, objects)}", parameter="OBJECT")
    return objects[about]


@cache
def former() -> dict[str, list[str]]:
    """Codes of earlier versions, and their names now."""
    return tomllib.loads(_FOLDER.joinpath("former.toml").read_text(encoding="utf-8"))


def read_by(run: str) -> dict[str, str]:
    """The files that a demonstration names, and those that they name in turn."""
    readers: dict[str, str] = {}
    waiting = _named(run)
    while waiting:
        name = waiting.pop(0)
        if name not in readers:
            readers[name] = _FOLDER.joinpath("files", name).read_text(encoding="utf-8")
            if name.endswith((".toml", ".py")):
                waiting += _named(readers[name])
    return readers


def _named(text: str) -> list[str]:
    """The words of a text that are files here; ``module:function`` is a file, too."""
    words = re.findall(r"[\w-]+(?:\.\w+)+", text) + [f"{name}.py" for name in re.findall(r"\"(\w+):\w+\"", text)]
    return [name for name in dict.fromkeys(words) if _FOLDER.joinpath("files", name).is_file()]
