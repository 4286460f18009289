"""Nouns of a report for algorithms and problems: models and questions, methods and data sets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from bakeoff.report.document import Block, Column, Document, Figure, Paragraph, Points, Section, Table

KNOWN = {
    "algorithms": ("classifier", "learner", "method", "model", "optimiser", "optimizer", "solver"),
    "problems": ("benchmark", "data set", "dataset", "instance", "question", "task"),
}
"""Heads of columns that are nouns for what stands below them."""
_AS_CODE = r"(?<![-\w'\"`=./“])(?<!--unit )(?<!bakeoff )"


def nouns_of_table(result: object) -> dict[str, str]:
    """The nouns of a result's table for its algorithms and problems, where the heads of these columns are known nouns;
    problems that are questions of tasks are no tasks."""
    scores = getattr(result, "scores", None)
    read = getattr(scores, "read_as", None)
    if getattr(scores, "predicted", None) is not None:
        return {"algorithms": "models", "problems": "items"}
    if read is None or getattr(scores, "tasks", None) is not None:
        return {}
    heads = {role: re.sub(r"[\W_]+", " ", head).strip().lower().removesuffix("s") for role, head in read.columns}
    words = {called: heads.get(called.removesuffix("s"), "") for called in KNOWN}
    return {called: f"{word}s" for called, word in words.items() if word in KNOWN[called]}


def names_kept(result: object) -> tuple[str, ...]:
    """The names of a result's algorithms and problems, in which no word is changed."""
    scores = getattr(result, "scores", None)
    return (*getattr(scores, "algorithms", ()), *getattr(scores, "problems", ()))


def renamed(document: Document, nouns: Mapping[str, str], names: Iterable[str] = ()) -> Document:
    """The document in these words. ``names`` of algorithms and problems stay as they are, and code and citations."""
    if not nouns:
        return document
    say = _speaker(nouns, names)
    sections = tuple(
        section if section.key in ("references", "provenance") else _section(section, say)
        for section in document.sections
    )
    return replace(
        document,
        title=say(document.title),
        verdict=say(document.verdict),
        read=say(document.read),
        basis=say(document.basis),
        brief_basis=say(document.brief_basis),
        sections=sections,
        doubts=None if document.doubts is None else _section(document.doubts, say),
        brief=lambda: tuple(_section(section, say) for section in document.brief()),
    )


def _speaker(nouns: Mapping[str, str], names: Iterable[str]) -> Callable[[str], str]:
    words: dict[str, str] = {}
    for plural, called in nouns.items():
        words |= {plural: called, plural[:-1]: called[:-1]}
    pattern = re.compile(rf"{_AS_CODE}(?:\b(an?) )?\b({'|'.join(words)})\b(?![-=(\w])", re.IGNORECASE)
    kept = [name for name in names if pattern.search(name)]
    apart = re.compile(f"({'|'.join(map(re.escape, sorted(kept, key=len, reverse=True)))})") if kept else None

    def word(match: re.Match[str]) -> str:
        noun = words[match[2].lower()]
        article = match[1]
        if article:
            proper = "an" if noun[0].lower() in "aeio" else "a"
            article = f"{proper.capitalize() if article[0].isupper() else proper} "
        return f"{article or ''}{noun[0].upper() + noun[1:] if match[2][0].isupper() else noun}"

    def say(text: str) -> str:
        parts = [text] if apart is None else apart.split(text)
        return "".join(part if i % 2 else pattern.sub(word, part) for i, part in enumerate(parts))

    return say


def _section(section: Section, say: Callable[[str], str]) -> Section:
    return replace(section, title=say(section.title), blocks=tuple(_block(block, say) for block in section.blocks))


def _block(block: Block, say: Callable[[str], str]) -> Block:
    if isinstance(block, Paragraph):
        return Paragraph(tuple(say(part) if isinstance(part, str) else part for part in block.text))
    if isinstance(block, Points):
        return Points(tuple((term, say(text), tag) for term, text, tag in block.items))
    if isinstance(block, Figure):
        return replace(block, caption=say(block.caption))
    if isinstance(block, Table):
        columns: tuple[Column, ...] = tuple(
            replace(c, title=c.title if _is_name(block, i) else say(c.title), legend=say(c.legend))
            for i, c in enumerate(block.columns)
        )
        changed: dict[str, Any] = {"caption": say(block.caption), "note": say(block.note), "columns": columns}
        return replace(block, **changed)
    return block


def _is_name(table: Table, i: int) -> bool:
    """Is the head of the column the name of an algorithm?"""
    return table.square and i > 0
