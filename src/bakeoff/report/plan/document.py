"""From the answers of a plan to the format-free Document."""

from __future__ import annotations

from typing import Any

from bakeoff.errors import plain
from bakeoff.plan import PowerCurve
from bakeoff.report import data
from bakeoff.report.document import Block, Document, Figure, Paragraph, Section
from bakeoff.report.methods import versions
from bakeoff.report.plan.answers import KEYS, Answer, Answers, answers_of
from bakeoff.report.sections import cautions_section, present, provenance_section
from bakeoff.report.sheets import Sheets

SCHEMA = "bakeoff.plan/1"
TITLES = {
    "n": "How many problems?",
    "effect_size": "What can these problems show?",
    "power": "How probable is it to find this effect?",
    "alpha": "Which level would it take?",
    "variance": "More problems or more runs?",
    "repetitions": "How many runs, and where?",
    "curve": "Power curve",
}
_OWN_KEY = ("variance", "repetitions")  # what a pilot teaches stands under its own name in JSON


def document(result: Answers | PowerCurve, command: str | None = None) -> Document:
    """The first answer is the sentence to remember; the others follow with theirs."""
    found = answers_of(result)
    first, *others = found.parts
    answered = [_section(first, _rest(first)), *(_section(part, (*_said(part), *_rest(part))) for part in others)]
    sections = [*answered, cautions_section(found.cautions, "Read this first"), provenance_section(command=command)]
    return Document(
        title="Plan of an experiment",
        verdict=first.headline,
        basis=first.promise,
        sections=present(sections),
        on_screen=(*(part.question for part in found.parts), "cautions"),
    )


def _section(part: Answer, blocks: tuple[Block, ...]) -> Section | None:
    return Section(key=part.question, title=TITLES[part.question], blocks=blocks) if blocks else None


def _said(part: Answer) -> tuple[Block, ...]:
    return tuple(Paragraph((plain(text),)) for text in (part.headline, part.promise) if text)


def _rest(part: Answer) -> tuple[Block, ...]:
    table = () if part.table is None else (part.table,)
    notes = tuple(Paragraph((plain(note),)) for note in part.notes)
    curve = part.curve
    drawn = () if curve is None else (Figure(curve, curve.summary, key=part.question, in_characters=True),)
    return (*table, *notes, *drawn)


def to_dict(result: Answers | PowerCurve, command: str | None = None) -> dict[str, Any]:
    """For scripts: never NaN or infinity."""
    found = answers_of(result)
    content: dict[str, Any] = {"schema": SCHEMA}
    for part in found.parts:
        content |= {part.question: part.data} if part.question in _OWN_KEY else {"question": part.question, **part.data}
        if part.curve is not None:
            content["curve"] = data.plain(part.curve, KEYS)
    return content | {"cautions": data.plain(found.cautions), "versions": {"bakeoff": versions()["bakeoff"]}}


def sheets(result: Answers | PowerCurve) -> Sheets:
    """The points of the last power curve, or the rows of the table; the tables of all answers as the ranking."""
    found = answers_of(result)
    rows: list[tuple[str, ...]] = []
    columns: dict[str, list[Any]] = {}
    for part in found.parts:
        if part.table is not None:
            rows += [tuple(column.title for column in part.table.columns), *(row.cells for row in part.table.rows)]
            columns = {
                column.title: [row.cells[i] for row in part.table.rows] for i, column in enumerate(part.table.columns)
            }
    for part in found.parts:
        if part.curve is not None:
            columns = {part.curve.x_name: part.curve.x.tolist(), part.curve.y_name: part.curve.y.tolist()}
    return Sheets(pairs=columns, ranking=[*rows], cautions=found.cautions)
