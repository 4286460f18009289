"""Every caution: its sentence, what it means, what to do, and files with a command that make it appear.

A TOML file per section of docs/understand/cautions.md, here or in a wing, an entry per code: the one source of the
sentences of results (``caution_of``), ``bakeoff explain``, ``bakeoff demo`` and that page. The data are in ``files``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from bakeoff.checks import did_you_mean
from bakeoff.errors import Caution, Severity, UnknownNameError
from bakeoff.wing import data_folders

_FOLDER = files(__package__)
SECTIONS = ("table", "comparing", "planning")
"""Of the core; those of the wings are in their folders ``cautions``."""
CLEAN = "bakeoff compare clean.csv --better lower"
"""The same without a caution."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Of one code. ``means`` and ``do`` are Markdown, with links relative to docs/understand."""

    code: str
    section: str
    severity: Severity
    question: str
    means: str
    do: str
    text: str = ""
    """The sentence, with fields for what ``caution_of`` is given."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """By name, where the code has several."""
    reference: str = ""
    """Who warns."""
    references: Mapping[str, str] = field(default_factory=dict)
    """Of a sentence of several, where it is another one."""
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """The same of the severity."""
    run: str = ""
    """Command lines, or Python that ends with ``result``; empty where no small demonstration exists."""
    no_run: str = ""
    """Why there is none: it "takes ..."."""
    along: Mapping[str, str] | None = None
    """Codes that cannot but come with it, each with the reason."""
    seconds: bool = False
    """It takes more than a moment: it starts processes, or draws much."""

    @property
    def python(self) -> bool:
        return bool(self.run) and not self.run.startswith("bakeoff ")

    @property
    def files(self) -> dict[str, str]:
        """Those that the demonstration reads, by name."""
        return read_by(self.run)


@dataclass(frozen=True, slots=True)
class PageSection:
    """A heading of the page with what is said below it."""

    title: str
    text: str
    entries: tuple[Explanation, ...]


def caution_of(
    code: str, which: str = "", /, *, severity: Severity | None = None, reference: str | None = None, **values: object
) -> Caution:
    """The caution of this code, with ``values`` in the fields of its sentence; ``which`` of several sentences."""
    entry = _entry(code)
    text = entry["texts"][which] if which else entry["text"]
    if reference is None:
        reference = entry.get("references", {}).get(which, entry.get("reference", ""))
    severity = severity or entry.get("severities", {}).get(which, entry["severity"])
    return Caution(code=code, text=text.format(**values), reference=reference, severity=severity)


@cache
def _entry(code: str) -> dict[str, Any]:
    """Without reading the other entries, which takes a while."""
    heading = f"\n[{code}]\n"
    content = next(text for text in _contents() if heading in text)
    block = content[content.index(heading) :]
    following = re.search(r"\n\[[a-z0-9-]+\]\n", block[1:])
    entry: dict[str, Any] = tomllib.loads(block[: following.start() + 2] if following else block)[code]
    return _values(entry)


def title_of(code: str) -> str:
    """Its question, in the words of ``bakeoff explain``; empty if there is no such caution."""
    return str(_entry(code)["question"]) if any(f"\n[{code}]\n" in text for text in _contents()) else ""


@cache
def _contents() -> tuple[str, ...]:
    core, *wings = data_folders("cautions")
    paths = [core / f"{name}.toml" for name in SECTIONS]
    paths += [path for wing in wings for path in sorted(wing.glob("*.toml"))]
    return tuple(path.read_text(encoding="utf-8") for path in paths)


@cache
def sections() -> tuple[PageSection, ...]:
    """All of them, in the order of the page."""
    all_sections = []
    for written in _contents():
        content = tomllib.loads(written)
        title, text = content.pop("title"), content.pop("text", "")
        entries = tuple(Explanation(code=code, section=title, **_values(entry)) for code, entry in content.items())
        all_sections.append(PageSection(title=title, text=text.strip(), entries=entries))
    return tuple(all_sections)


def _values(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Texts without the line ends of the file; sentences on one line."""
    values: dict[str, Any] = {key: value.strip() if isinstance(value, str) else value for key, value in entry.items()}
    if "text" in values:
        values["text"] = " ".join(values["text"].split())
    if "texts" in values:
        values["texts"] = {name: " ".join(text.split()) for name, text in values["texts"].items()}
    return values


@cache
def explanations() -> dict[str, Explanation]:
    """By code, in the order of the page."""
    return {entry.code: entry for section in sections() for entry in section.entries}


def explanation(code: str) -> Explanation:
    """Of this code; an unknown one is an error that names the nearest."""
    entry = explanations().get(code)
    if entry is None:
        raise UnknownNameError(
            f": there is no caution {code!r}{did_you_mean(code, explanations())}; bakeoff explain lists all",
            parameter="CODE",
        )
    return entry


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
    """Of the words of a text those that are files here; ``module:function`` is a file, too."""
    words = re.findall(r"[\w-]+(?:\.\w+)+", text) + [f"{name}.py" for name in re.findall(r"\"(\w+):\w+\"", text)]
    return [name for name in dict.fromkeys(words) if _FOLDER.joinpath("files", name).is_file()]
