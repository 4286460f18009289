"""docs/methods/index.md and bibliography.md, from the pages of the procedures and the bibliography.

python docs/generate/methods_index.py            writes them
python docs/generate/methods_index.py --check    exit 1 unless they are current
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from page_command import run

from bakeoff.report.references import bibliography

METHODS = Path(__file__).parents[1] / "methods"
SECTIONS = (
    "Question",
    "When to use it",
    "Formula",
    "Assumptions",
    "Exactness, ties, missing scores",
    "Cost",
    "Call",
    "Example",
    "Paper",
)
FAMILIES = {
    "omnibus": "Does any algorithm differ?",
    "pairs": "Two algorithms over many problems",
    "ranks": "Ranks of all algorithms",
    "corrections": "Several comparisons",
    "means": "Several comparisons of means",
    "sizes": "How large is a difference?",
    "problem": "Runs on one problem",
    "views": "Many problems, other questions",
    "bayes": "Bayesian",
    "protocols": "Protocols of papers",
    "plan": "Planning",
    "run": "Running an experiment",
    "race": "Races",
    "study": "Studies of procedures",
}
INDEX = """# Methods

A page per procedure: question, when to use it and when not, formula, assumptions, exactness, cost, call, an example
with a number to compare with, paper and its misprints. *n* problems, *k* algorithms, *m* hypotheses throughout. All
quantities computed from scores are tied within 16 units in the last place of the largest score behind them, so that
0.3 − 0.2 ties with 0.2 − 0.1.

Which effect and which interval `bo.compare` prints is on [a page of its own](effects-of-compare.md); all works are in
the [bibliography](bibliography.md), misprints of the papers in the [errata](../trust/errata.md).
"""
BIBLIOGRAPHY = """# Bibliography

The works behind the procedures, by the keys that `bakeoff cite` writes as BibTeX, and the pages that rest on them.
"""


@dataclass(frozen=True)
class Page:
    """What a page says at its top, and its first sentence."""

    name: str
    title: str
    question: str
    fields: dict[str, str]

    @property
    def cited(self) -> list[str]:
        return [key for key in self.fields["cite"].strip("[]").split(", ") if key]

    @property
    def records(self) -> list[str]:
        return [record for record in self.fields.get("records", "[]").strip("[]").split(", ") if record]


def sections(text: str) -> dict[str, str]:
    """The text under each heading of the second level."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return {head: body.strip() for head, body in zip(parts[1::2], parts[2::2], strict=True)}


def page(path: Path) -> Page:
    text = path.read_text(encoding="utf-8")
    found = re.match(r"---\n(.*?)\n---\n\n# ([^\n]+)\n", text, re.DOTALL)
    if found is None:
        raise SystemExit(f"{path.name} has no fields at its top, or no title below them")
    fields = {key: value.strip('"') for key, value in (line.split(": ", 1) for line in found[1].splitlines())}
    question = re.split(r"(?<=[.?!])\s+(?=[A-Z*])", " ".join(sections(text)["Question"].split()), maxsplit=1)[0]
    return Page(path.stem, found[2], question, fields)


def pages() -> list[Page]:
    """All pages of procedures, by title."""
    others = {"index", "bibliography", "effects-of-compare"}
    found = [page(path) for path in METHODS.glob("*.md") if path.stem not in others]
    return sorted(found, key=lambda one: one.title.casefold())


def linked(keys: list[str]) -> str:
    works = bibliography()
    return ", ".join(f"[{works[key].label}](bibliography.md#{key})" for key in keys) or "–"


def index(found: list[Page]) -> str:
    parts = [INDEX]
    for family, heading in FAMILIES.items():
        rows = [
            f"| [{one.title}]({one.name}.md) | {one.question} | {one.fields['controls']} | {one.fields['exact']} "
            f"| {linked(one.cited)} |"
            for one in found
            if one.fields["family"] == family
        ]
        head = ["| procedure | question | controls or estimates | exact? | paper |", "|---|---|---|---|---|"]
        parts.append("\n".join([f"## {heading}", "", *head, *rows, ""]))
    for family, heading in FAMILIES.items():
        listed = "\n".join(one.name for one in found if one.fields["family"] == family)
        parts.append(f"```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{listed}\n```\n")
    parts.append("```{toctree}\n:hidden:\n:caption: For all\n\neffects-of-compare\nbibliography\n```\n")
    return "\n".join(parts)


def works(found: list[Page]) -> str:
    parts = [BIBLIOGRAPHY]
    for key, work in sorted(bibliography().items()):
        text = re.sub(r"doi:(\S+)", lambda doi: f"[doi:{doi[1]}](https://doi.org/{quote(doi[1])})", work.text())
        users = ", ".join(f"[{one.title}]({one.name}.md)" for one in found if key in one.cited)
        parts.append(f"## {key}\n\n{text}\n" + (f"\nPages: {users}.\n" if users else ""))
    return "\n".join(parts)


def files() -> dict[Path, str]:
    found = pages()
    return {METHODS / "index.md": index(found), METHODS / "bibliography.md": works(found)}


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], "docs/generate/methods_index.py", files))
