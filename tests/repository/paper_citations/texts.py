"""The places of the five papers: a committed list of what there is, and their text where the papers are at hand.

The papers are no part of the repository. The environment variable BAKEOFF_PAPERS names a folder of plain texts,
``demsar-2006.txt`` and so on; without it, the folder ``shared/papers`` beside the repository is tried.
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
FILES = {
    "Demšar": "demsar-2006.txt",
    "García": "garcia-2010.txt",
    "Derrac": "derrac-2011.txt",
    "Benavoli": "benavoli-2015.txt",
    "Campelo": "campelo-2019.txt",
}
AROUND = {"table": (2500, 5000), "figure": (1500, 1500), "equation": (1500, 1000)}  # characters before and after


def folder() -> Path | None:
    """Where the papers' texts are; None where they are not at hand."""
    there = Path(os.environ.get("BAKEOFF_PAPERS") or ROOT.parent / "shared" / "papers")
    return there if all((there / name).exists() for name in FILES.values()) else None


@cache
def structure() -> dict[str, dict[str, dict[str, str]]]:
    """{paper: {kind: {number: title}}}."""
    loaded: dict[str, dict[str, dict[str, str]]] = json.loads(
        Path(__file__).with_name("structure.json").read_text(encoding="utf-8")
    )
    return loaded


def exists(paper: str, place: str) -> bool:
    kind, number = place.split(" ")
    return number in structure()[paper].get(kind, {})


@cache
def text(paper: str) -> str:
    there = folder()
    assert there is not None
    return (there / FILES[paper]).read_text(encoding="utf-8")


@cache
def text_at(paper: str, place: str) -> str:
    """The section with its subsections; of a table, figure or equation what stands around it. Empty where it is not."""
    kind, number = place.split(" ")
    if kind in ("section", "example", "algorithm", "theorem"):
        return part(paper, kind, number)
    whole = text(paper)
    mark = caption(paper, kind, number)
    before, after = AROUND[kind]
    return "\n".join(whole[max(0, at - before) : at + after] for at in [m.start() for m in mark.finditer(whole)])


def caption(paper: str, kind: str, number: str) -> re.Pattern[str]:
    if kind == "equation":
        return re.compile(rf"(?:\({number}\)|tag\{{{number}\}})(?:[ $,.]|\s*$)", re.MULTILINE)
    word = {"table": "Table", "figure": r"Fig(?:\.|ure)"}[kind]
    return re.compile(rf"^\W*{word} {re.escape(number)}(?!\d)", re.MULTILINE)


def part(paper: str, kind: str, number: str) -> str:
    whole = text(paper)
    if kind != "section":
        found = re.search(rf"^\W*{kind.title()} {number}\b", whole, re.MULTILINE)
        return whole[found.start() : found.start() + 3500] if found else ""
    starts = {n: heading(whole, n, title) for n, title in structure()[paper]["section"].items()}
    start = starts[number]
    ends = [at for n, at in starts.items() if at > start and not n.startswith(f"{number}.")]
    return whole[start : min(ends, default=len(whole))] if start >= 0 else ""


def heading(whole: str, number: str, title: str) -> int:
    found = re.search(rf"^[#\s]*{re.escape(number)}\.? +{re.escape(title[:8])}", whole, re.MULTILINE | re.IGNORECASE)
    return found.start() if found else -1
