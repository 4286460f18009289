"""The whole table of scores inside of an HTML report, as a CSV that can be saved from it."""

from collections.abc import Iterator

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import score_table
from bakeoff.analyses.compare.telling.scores.table import MOST, score_rows
from bakeoff.files import csv_line
from bakeoff.reading.recognition.column_names import SYNONYMS
from bakeoff.reading.table import matching
from bakeoff.report.document import Attachment, Paragraph, Section, Table
from bakeoff.scores import Scores

MOST_ATTACHED = 50_000
"""Scores, runs counted one by one: about a megabyte, half of what browsers take as a link."""


def scores_section(s: Scores, control: str | None = None) -> Section:
    """The scores behind a report, rounded and with ranks, folded; and the file of all of them."""
    return Section("scores", "Problem by problem", (_shown(s, control), attached_scores(s)), role="table")


def _shown(s: Scores, control: str | None) -> Table | Paragraph:
    if s.values.size > MOST:
        sentence = 'The table of scores is long: --report scores.html, or bo.score_table(scores).save("scores.html").'
        return Paragraph((sentence,))
    return score_rows(score_table(s, control=control, ranks=True), folded=True)


def attached_scores(s: Scores) -> Attachment:
    """All scores with all their digits, or the sentence that says where they are."""
    number = int(s.n_runs.sum())
    what = f"{numerals.count(number, 'score')} with all digits"
    return Attachment(
        name="scores.csv",
        media_type="text/csv",
        content=(lambda: scores_csv(s)) if number <= MOST_ATTACHED else lambda: "",
        text=f"{what}, as bakeoff compare and bakeoff verify read them.",
        instead=f"{what} are too many for this page; a report in JSON (--report result.json) holds them all.",
    )


def scores_csv(s: Scores) -> str:
    """Every score to the last bit: a row per problem, or, with several runs or odd names, a row per score."""
    return "".join(_long(s) if s.runs is not None or _misread(s) else _wide(s))


def _misread(s: Scores) -> bool:
    """Would the names of algorithms, as the first line of a table, be taken for something else?"""
    names = s.algorithms
    return any(matching(["problem", *names], role) != ([0] if role == "problem" else []) for role in SYNONYMS) or any(
        not name.strip() or name.startswith("#") for name in names
    )


def _wide(s: Scores) -> Iterator[str]:
    head, named = _row_names(s)
    yield csv_line([*head, *s.algorithms])
    for names, row in zip(named, s.values.tolist(), strict=True):
        yield csv_line([*names, *row])


def _long(s: Scores) -> Iterator[str]:
    head, named = _row_names(s)
    yield csv_line([*head, "algorithm", "run", "score"])
    cells = (s.values[:, :, None] if s.runs is None else s.runs).tolist()
    for names, row in zip(named, cells, strict=True):
        for algorithm, runs in zip(s.algorithms, row, strict=True):
            present = [x for x in runs if x == x]  # not the padding of shorter cells
            yield from (csv_line([*names, algorithm, i, x]) for i, x in enumerate(present, start=1))


def _row_names(s: Scores) -> tuple[list[str], list[tuple[str, ...]]]:
    """The first columns, and what each problem has in them: its name, and its cluster if there are clusters."""
    if s.clusters is None:
        return ["problem"], [(name,) for name in s.problems]
    return ["problem", "cluster"], list(zip(s.problems, s.clusters, strict=True))
