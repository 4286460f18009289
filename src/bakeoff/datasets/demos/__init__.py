"""Every caution: what it means, what to do, and files with a command that make it appear.

The one source of ``bakeoff explain``, ``bakeoff demo`` and docs/understand/cautions.md. A TOML file per section of that
page; the data are in ``files``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from bakeoff.checks import did_you_mean
from bakeoff.errors import UnknownNameError

_FOLDER = files(__package__)
SECTIONS = (
    *("table", "comparing", "ratings", "runtimes", "curves", "evaluating", "profiles", "bayes", "studying"),
    *("guarding", "planning", "running", "timing", "histories", "racing", "migrating"),
)
CLEAN = "bakeoff compare clean.csv --better lower"
"""The same without a caution."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Of one code. ``means`` and ``do`` are Markdown, with links relative to docs/understand."""

    code: str
    section: str
    severity: str
    question: str
    means: str
    do: str
    run: str = ""
    """Command lines, or Python that ends with ``result`` or warns; empty where no small demonstration exists."""
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


@cache
def sections() -> tuple[PageSection, ...]:
    """All of them, in the order of the page."""
    found = []
    for name in SECTIONS:
        content = tomllib.loads(_FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
        title, text = content.pop("title"), content.pop("text", "")
        entries = tuple(
            Explanation(code=code, section=title, **{key: _value(value) for key, value in entry.items()})
            for code, entry in content.items()
        )
        found.append(PageSection(title=title, text=text.strip(), entries=entries))
    return tuple(found)


def _value(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


@cache
def explanations() -> dict[str, Explanation]:
    """By code, in the order of the page."""
    return {entry.code: entry for section in sections() for entry in section.entries}


def explanation(code: str) -> Explanation:
    """Of this code; an unknown one is an error that names the nearest."""
    found = explanations().get(code)
    if found is None:
        raise UnknownNameError(
            f": there is no caution {code!r}{did_you_mean(code, explanations())}; bakeoff explain lists all",
            parameter="CODE",
        )
    return found


def read_by(run: str) -> dict[str, str]:
    """The files that a demonstration names, and those that they name in turn."""
    found: dict[str, str] = {}
    waiting = _named(run)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found[name] = _FOLDER.joinpath("files", name).read_text(encoding="utf-8")
            if name.endswith((".toml", ".py")):
                waiting += _named(found[name])
    return found


def _named(text: str) -> list[str]:
    """Of the words of a text those that are files here; ``module:function`` is a file, too."""
    words = re.findall(r"[\w-]+(?:\.\w+)+", text) + [f"{name}.py" for name in re.findall(r"\"(\w+):\w+\"", text)]
    return [name for name in dict.fromkeys(words) if _FOLDER.joinpath("files", name).is_file()]
