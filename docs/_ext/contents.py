"""Which pages there are, section by section: those named here first, then whatever else the folder holds, by title.

The list of a section is written below the text of its ``index`` while the site is built, so that a new page needs no
entry anywhere, and the sources read well where they are shown as they are.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

TOP = (
    "start/index",
    "questions",
    "start/tutorial",
    "examples/index",
    "how-to/index",
    "guides/index",
    "understand/index",
    "methods/index",
    "papers/index",
    "trust/index",
    "atlas",
    "reference/index",
    "reviewers",
)
NAMES = {
    "questions": "Which question?",
    "start/tutorial": "Tutorial",
    "examples/index": "Gallery",
    "reviewers": "For reviewers",
}
FIRST = {
    "start": ("two-commands", "first-report"),
    "how-to": (
        "input",
        "try",
        "formats",
        "evaluations",
        "folds",
        "rows-in-time",
        "check",
        "tuning",
        "time",
        "running",
        "executors",
        "slurm",
        "history",
    ),
    "guides": ("compare", "evaluate", "bayes", "planning", "race", "runtimes", "curves", "profile", "leaderboard"),
    "understand": ("verdicts", "cautions", "multiplicity", "margins", "peeking", "never-zero"),
    "trust": (
        "reproduction",
        "errata",
        "calibration",
        "units",
        "folds-and-series",
        "power",
        "performance",
        "racing",
        "other-tools",
        "checker",
    ),
    "papers": ("demsar-2006", "garcia-2010", "derrac-2011", "benavoli-2015", "campelo-2019"),
    "reference": ("cli", "python/index", "schemas"),
}
HIDDEN = {"methods"}
"""Sections whose text lists their pages."""


def title(page: Path) -> str:
    """The first heading of a page in Markdown; else its name."""
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE) if page.exists() else None
    return found[1].strip("`").lower() if found else page.stem


def pages(source: Path, section: str) -> list[str]:
    """Names of a section's pages, in order."""
    there = {page.stem: page for page in (source / section).glob("*.md") if page.stem != "index"}
    first = [name for name in FIRST.get(section, ()) if name in there or name == "python/index"]
    rest = sorted(set(there) - set(first), key=lambda name: title(there[name]))
    return [name for name in [*first, *rest] if f"{section}/{name}" not in TOP]


def toctree(entries: list[str], *, hidden: bool) -> str:
    options = ":hidden:\n" if hidden else ":titlesonly:\n:maxdepth: 1\n"
    return "\n\n```{toctree}\n" + options + "\n" + "\n".join(entries) + "\n```\n"


def without_archives(text: str) -> str:
    """A script of the gallery as a script, not also as notebook and archive, which hold the time they were made."""
    return re.sub(
        r" +\.\. container:: sphx-glr-download sphx-glr-download-(?:zip|jupyter)\n\n +:download:[^\n]*\n", "", text
    )


def add_contents(app: Sphinx, docname: str, source: list[str]) -> None:
    folder, _, name = docname.rpartition("/")
    if docname == "index":
        there = [page for page in TOP if page.startswith("examples") or (Path(app.srcdir) / f"{page}.md").exists()]
        entries = [f"{NAMES[page]} <{page}>" if page in NAMES else page for page in there]
        source[0] += toctree(entries, hidden=True)
    elif name == "index" and f"{folder}/index" in TOP and folder != "examples":
        source[0] += toctree(pages(Path(app.srcdir), folder), hidden=folder in HIDDEN)
    elif docname.startswith("examples/"):
        source[0] = without_archives(source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", add_contents)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
