"""From the answers of a plan to the format-free Document."""

from typing import Any

from bakeoff.analyses.plan.reporting.answers import KEYS, Answer, Answers
from bakeoff.analyses.plan.reporting.questions import question_variance_answer, questions_answer
from bakeoff.errors import ParameterError, plain
from bakeoff.plan import PowerCurve, QuestionPlan, QuestionVariance
from bakeoff.report import data, sections
from bakeoff.report.document import Block, Figure, Paragraph, Section, Table
from bakeoff.report.methods import versions
from bakeoff.report.reporting import Columns, Reporting, Rows
from bakeoff.scores.design import Estimand

Planned = Answers | PowerCurve | QuestionPlan | QuestionVariance

TITLES = {
    "n": "How many problems?",
    "effect_size": "What can these problems show?",
    "power": "How likely is it to detect this effect?",
    "alpha": "What significance level would it take?",
    "variance": "More problems or more runs?",
    "repetitions": "How many runs, and where?",
    "curve": "Power curve",
    "check": "How many pairs of runs?",
    "questions": "How many questions?",
    "question-variance": "More questions or more answers?",
}
_OWN_KEY = ("variance", "repetitions", "questions", "question-variance", "check")
"""Questions about a pilot, whose answers stand under their own names in JSON."""


def answers_of(result: Planned) -> Answers:
    """A power curve, or a plan of questions, is an answer by itself."""
    if isinstance(result, Answers):
        return result
    if isinstance(result, QuestionPlan):
        return Answers((questions_answer(result),))
    if isinstance(result, QuestionVariance):
        return Answers((question_variance_answer([result]),))
    return Answers((Answer(question="curve", headline=result.summary, curve=result, cautions=result.cautions),))


def estimand_of_plan(result: Planned) -> Estimand | None:
    """What the mean is of which a plan of questions speaks."""
    return next((part.estimand for part in answers_of(result).parts if part.estimand is not None), None)


def curve_of(result: Planned) -> PowerCurve:
    """The last power curve, which a picture of the answers shows."""
    curves = [part.curve for part in answers_of(result).parts if part.curve is not None]
    if not curves:
        raise ParameterError("there is no power curve to draw for this question; write .md, .html or .json")
    return curves[-1]


def verdict(result: Planned) -> str:
    """The first answer."""
    return answers_of(result).parts[0].headline


def _section(part: Answer, *sentences: str) -> Section | None:
    """Sentences about the answer, its table, notes and curve."""
    blocks: list[Block] = [Paragraph((plain(text),)) for text in sentences if text]
    blocks += [] if part.table is None else [part.table]
    blocks += [Paragraph((plain(note),)) for note in part.notes]
    if part.curve is not None:
        blocks.append(Figure(part.curve, part.curve.summary, key=part.question, in_characters=True, small=True))
    return Section(part.question, TITLES[part.question], tuple(blocks)) if blocks else None


def _body(result: Planned) -> list[Section | None]:
    """The first answer is the sentence to remember; the others follow with theirs."""
    first, *others = answers_of(result).parts
    more = (_section(part, part.headline, part.promise) for part in others)
    return [_section(first), *more, sections.cautions(answers_of(result).cautions, "Read this first")]


def _content(result: Planned) -> dict[str, Any]:
    answers = answers_of(result)
    content: dict[str, Any] = {}
    for part in answers.parts:
        own = part.question in _OWN_KEY
        content |= {part.question.replace("-", "_"): part.data} if own else {"question": part.question, **part.data}
        if part.curve is not None:
            content["curve"] = data.plain_data(part.curve, KEYS)
    return content | {"cautions": data.plain_data(answers.cautions), "versions": {"bakeoff": versions()["bakeoff"]}}


def _tables(result: Planned) -> list[Table]:
    return [part.table for part in answers_of(result).parts if part.table is not None]


def _columns(result: Planned) -> Columns:
    """The points of the last power curve, or the rows of the table."""
    curves = [part.curve for part in answers_of(result).parts if part.curve is not None]
    if curves:
        return {curves[-1].x_name: curves[-1].x.tolist(), curves[-1].y_name: curves[-1].y.tolist()}
    tables = _tables(result)[-1:]
    return {column.title: [row.cells[i] for row in t.rows] for t in tables for i, column in enumerate(t.columns)}


def _rows(result: Planned) -> Rows:
    """The tables of all answers."""
    return [
        row
        for t in _tables(result)
        for row in (tuple(column.title for column in t.columns), *(r.cells for r in t.rows))
    ]


REPORT = Reporting[Planned](
    schema="bakeoff.plan/1",
    title=lambda result: "Plan of an experiment",
    verdict=verdict,
    basis=lambda result: answers_of(result).parts[0].promise,
    body=_body,
    on_screen=lambda result: [part.question for part in answers_of(result).parts],
    cautions=lambda result: answers_of(result).cautions,
    table=lambda result: None,
    whole=_content,
    main=_columns,
    second=_rows,
)
