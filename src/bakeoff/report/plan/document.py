"""From the answers of a plan to the format-free Document."""

from typing import Any

from bakeoff.errors import plain
from bakeoff.plan import PowerCurve
from bakeoff.report import data, sections
from bakeoff.report.document import Block, Document, Figure, Paragraph, Section, Sheets
from bakeoff.report.methods import versions
from bakeoff.report.plan.answers import KEYS, Answer, Answers, answers_of

SCHEMA = "bakeoff.plan/1"
TITLES = {
    "n": "How many problems?",
    "effect_size": "What can these problems show?",
    "power": "How probable is it to find this effect?",
    "alpha": "Which level would it take?",
    "variance": "More problems or more runs?",
    "repetitions": "How many runs, and where?",
    "curve": "Power curve",
    "questions": "How many questions?",
    "question-variance": "More questions or more answers?",
}
_OWN_KEY = (
    "variance",
    "repetitions",
    "questions",
    "question-variance",
)  # what a pilot teaches stands under its own name in JSON


def verdict(result: Answers | PowerCurve) -> str:
    """The first answer."""
    return answers_of(result).parts[0].headline


def document(result: Answers | PowerCurve, command: str | None = None) -> Document:
    """The first answer is the sentence to remember; the others follow with theirs."""
    found = answers_of(result)
    first, *others = found.parts
    return Document(
        title="Plan of an experiment",
        verdict=verdict(found),
        basis=first.promise,
        sections=sections.present(
            _section(first),
            *(_section(part, part.headline, part.promise) for part in others),
            sections.cautions(found.cautions, "Read this first"),
            sections.provenance(None, command),
        ),
        on_screen=(*(part.question for part in found.parts), "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def _section(part: Answer, *said: str) -> Section | None:
    """What is said of the answer, its table, notes and curve."""
    blocks: list[Block] = [Paragraph((plain(text),)) for text in said if text]
    blocks += [] if part.table is None else [part.table]
    blocks += [Paragraph((plain(note),)) for note in part.notes]
    if part.curve is not None:
        blocks.append(Figure(part.curve, part.curve.summary, key=part.question, in_characters=True, small=True))
    return Section(part.question, TITLES[part.question], tuple(blocks)) if blocks else None


def to_dict(result: Answers | PowerCurve, command: str | None = None) -> dict[str, Any]:
    """For scripts: never NaN or infinity."""
    found = answers_of(result)
    content: dict[str, Any] = {"schema": SCHEMA}
    for part in found.parts:
        content |= (
            {part.question.replace("-", "_"): part.data}
            if part.question in _OWN_KEY
            else {"question": part.question, **part.data}
        )
        if part.curve is not None:
            content["curve"] = data.plain_data(part.curve, KEYS)
    return content | {"cautions": data.plain_data(found.cautions), "versions": {"bakeoff": versions()["bakeoff"]}}


def sheets(result: Answers | PowerCurve) -> Sheets:
    """The points of the last power curve, or the rows of the table; the tables of all answers as the ranking."""
    found = answers_of(result)
    tables = [part.table for part in found.parts if part.table is not None]
    curves = [part.curve for part in found.parts if part.curve is not None]
    columns: dict[str, list[Any]] = {}
    if curves:
        columns = {curves[-1].x_name: curves[-1].x.tolist(), curves[-1].y_name: curves[-1].y.tolist()}
    elif tables:
        columns = {
            column.title: [row.cells[i] for row in tables[-1].rows] for i, column in enumerate(tables[-1].columns)
        }
    rows = [row for t in tables for row in (tuple(column.title for column in t.columns), *(r.cells for r in t.rows))]
    return Sheets(pairs=columns, ranking=[*rows], cautions=found.cautions)
