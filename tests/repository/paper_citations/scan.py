"""Places of the five papers that a text cites: "Demšar (2006), section 3.2.2", "(26) of Campelo & Takahashi".

A place belongs to the nearest author before it, or to the one behind "of". "their", "its" and "the paper's" mean the
paper named last. Authors other than those of the five papers, or another year, end the search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
YEARS = {"Demšar": "2006", "García": "2010", "Derrac": "2011", "Benavoli": "2015", "Campelo": "2019"}
FOLDERS = ("src", "docs", "README.md", "CONTRIBUTING.md")
LISTS = ("errata.md", "reproduction.md", "structure.json")  # whole pages of places, with tests of their own
PAGES = "papers"  # a folder of them: tests/contract/test_paper_pages.py holds their places against the papers
REACH = 170  # characters between an author and a place

KINDS = {
    "section": r"[Ss]ections?",
    "table": r"[Tt]ables?",
    "figure": r"[Ff]igures?|[Ff]igs?\.",
    "example": r"Examples?",
}
KINDS |= {"algorithm": r"Algorithms?", "theorem": r"Theorems?", "equation": r"[Ee]quations?|[Ee]qs?\."}
NUMBER = r"\(?(?:A\.)?\d+(?:\.\d+)*\)?(?:\([a-d]\)|[a-d]\b)?"
NEXT = r"(?:\s*(?:,|and|to|or|–|-)\s*)"
BARE = rf"\(\d{{1,2}}\)(?:{NEXT}\(\d{{1,2}}\))*"
PLACE = re.compile(
    "|".join(rf"(?P<{kind}>\b(?:{words})\s{NUMBER}(?:{NEXT}{NUMBER})*)" for kind, words in KINDS.items())
    + rf"|(?P<bare>(?<=\s){BARE})"
    + r"|(?P<plain>(?:(?<=García )|(?<=Derrac )|(?<=Demšar ))\d\.\d(?:\.\d)?(?=,))"
)
AUTHOR = re.compile(
    r"\b([A-Z][\w-]+)((?:, [A-Z][\w-]+)*(?:,? (?:&|and) [A-Z][\w-]+)?)(?: et al\.)?(?:'s|’s)?,? \(?(\d{4})\b"
    rf"|\b({'|'.join(YEARS)})((?:,? (?:&|and) [A-Z][\w-]+)?)(?: et al\.)?(?:'s|’s)?"
)
BEHIND = re.compile(rf"\)?,? (?:as )?(?:of|in) (?:({'|'.join(YEARS)})|(?:the|this) paper)")
ADJACENT = re.compile(rf"(?:{'|'.join(YEARS.values())})\)?,? $|(?:'s|[Tt]heir|from|formula|\bby) $")
POSSESSIVE = re.compile(r"(?:\b[Tt]heir(?: own)?|\b[Ii]ts(?: own)?|\b[Hh]is|paper's(?: own)?|paper’s)\s+(?:\w+\s+)?$")


class Citation(NamedTuple):
    file: str
    paper: str
    place: str


def citations() -> list[Citation]:
    """All of the sources and the hand-written pages, each once per file."""
    found: dict[Citation, None] = {}
    for path in paths():
        for part in parts(path) if PAGES not in path.relative_to(ROOT).parts else ():
            found |= dict.fromkeys(of_text(str(path.relative_to(ROOT)), part))
    return list(found)


def paths() -> list[Path]:
    there = [ROOT / name for name in FOLDERS]
    files = [path for top in there for path in ([top] if top.is_file() else sorted(top.rglob("*")))]
    built = (ROOT / "docs" / "examples", ROOT / "docs" / "reference" / "python")  # when the site is
    kinds = {".py", ".pyi", ".md", ".toml"}
    return [
        path
        for path in files
        if path.suffix in kinds and path.name not in LISTS and not any(map(path.is_relative_to, built))
    ]


def parts(path: Path) -> list[str]:
    """What is read as one: a file, but each entry of TOML for itself."""
    text = path.read_text(encoding="utf-8")
    return [
        plain(part) for part in (re.split(r"^(?=\[)", text, flags=re.MULTILINE) if path.suffix == ".toml" else [text])
    ]


def plain(text: str) -> str:
    """Lines joined, signs of comments and strings removed, constants that name a paper filled in."""
    for name, value in re.findall(r'^(\w+) = f?"([^"\n]*\(20\d\d\)[^"\n]*)"$', text, re.MULTILINE):
        text = text.replace(f"{{{name}}}", value)
    text = re.sub(r"\]\([^()\s]*\)", "]", text)  # links
    text = re.sub(r'"\s*\n\s*f?"', "", text)
    return re.sub(r"\s*\n\s*(?:#:? |> |\* |- )?", " ", text)


def of_text(file: str, text: str) -> Iterator[Citation]:
    for match in PLACE.finditer(text):
        paper = paper_of(text, match)
        if paper is None:
            continue
        kind = match.lastgroup or ""
        for number in numbers(match.group(), kind):
            name = {"bare": "equation", "plain": "section"}.get(kind, kind)
            yield Citation(file, paper, f"{name} {number}")


def numbers(text: str, kind: str) -> list[str]:
    found = re.findall(r"(?:A\.)?\d+(?:\.\d+)*", text)
    return [number.rstrip(".") for number in found]


def paper_of(text: str, match: re.Match[str]) -> str | None:
    behind = BEHIND.match(text, match.end())
    if behind:
        return behind[1] or named_anywhere(text, match.start())
    before = text[max(0, match.start() - REACH) : match.start()]
    if match.lastgroup == "bare" and not ADJACENT.search(before):
        return None
    if before.rstrip().endswith(("aper's", "aper’s")):
        return named_anywhere(text, match.start())
    if POSSESSIVE.search(before):
        return last_named(text[: match.start()])
    return last_named(before)


def named_anywhere(text: str, at: int) -> str | None:
    """Of the five papers, the one named last before, or first behind: what "the paper" is."""
    names = [(match.start(), match[0]) for match in re.finditer("|".join(YEARS), text)]
    before = [name for start, name in names if start < at]
    return before[-1] if before else next((name for _, name in names), None)


def last_named(text: str) -> str | None:
    """The paper named last, unless another one's authors were named after it."""
    paper = None
    for match in AUTHOR.finditer(text):
        name, rest, year = (match[1], match[2], match[3]) if match[1] else (match[4], match[5], None)
        if name in YEARS:
            other = year is not None and year != YEARS[name]
            other = other or (year is None and bool(rest) and "Takahashi" not in rest)
            paper = None if other else name
        elif year is not None and "(" not in rest:
            paper = next((author for author in YEARS if author in rest and YEARS[author] == year), None)
    return paper
