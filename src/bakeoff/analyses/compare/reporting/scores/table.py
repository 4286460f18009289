"""The table of scores as it is printed: numbers as text, the best of each row in bold, then the rows that sum up."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from bakeoff import numerals
from bakeoff.analyses.compare.reporting.scores.digits import OF_RANGE, Digits, digits_of_rows
from bakeoff.analyses.compare.statistics import ScoreTable, score_table
from bakeoff.dataclass import dataclass
from bakeoff.files import csv_line
from bakeoff.reading.table import matching
from bakeoff.report import sections
from bakeoff.report.document import Attachment, Paragraph, Row, Section, Table
from bakeoff.report.methods import measured_first
from bakeoff.report.sentences import filler
from bakeoff.scores import Array, Scores
from bakeoff.words import roles

say = filler(__file__)
MOST = 20_000  # cells in a report on something else; a larger table is a file of its own
WON = "won/tied/lost"


@dataclass(frozen=True, slots=True)
class Printed:
    """The parts of the table as text, (n, k) and (k,); ``best`` are the columns in bold."""

    digits: list[Digits]
    means: list[list[str]]
    deviations: list[list[str]] | None
    best: list[frozenset[int]]
    average_digits: Digits
    average: list[str]
    best_average: frozenset[int]
    mean_ranks: list[str]
    best_rank: frozenset[int]


def printed(t: ScoreTable) -> Printed:
    """Every number as a reader sees it."""
    values, averages = _scaled(t, t.scores.values), _scaled(t, t.averages)
    deviations = None if t.standard_deviations is None else _scaled(t, t.standard_deviations)
    digits = digits_of_rows(values, deviations) if t.decimals is None else [Digits(t.decimals)] * len(values)
    means = [[row.write(x) for x in numbers] for row, numbers in zip(digits, values.tolist(), strict=True)]
    spread = None
    if deviations is not None:
        spread = [
            ["" if math.isnan(x) else _deviation(row, x) for x in numbers]
            for row, numbers in zip(digits, deviations.tolist(), strict=True)
        ]
    comparable = not any(caution.name == "scales-differ (average)" for caution in t.cautions)
    average_digits = _of_averages(averages, digits if comparable else [])
    if t.decimals is not None:
        average_digits = Digits(t.decimals)
    average = [average_digits.write(x) for x in averages.tolist()]
    mean_ranks = [numerals.MISSING if math.isnan(x) else numerals.as_rank(x) for x in t.mean_ranks.tolist()]
    turned = -averages if t.scores.better == "higher" else averages
    return Printed(
        digits=digits,
        means=means,
        deviations=spread,
        best=[_best(ranks) for ranks in t.ranks.tolist()],
        average_digits=average_digits,
        average=average,
        best_average=_best(np.nan_to_num(turned, nan=math.inf).tolist()) if comparable else frozenset(),
        mean_ranks=mean_ranks,
        best_rank=_best(t.mean_ranks.tolist()),
    )


def _scaled(t: ScoreTable, values: Array) -> Array:
    """In percent without the binary dust of a product."""
    return np.round(100.0 * values, 12) if t.percent else values


def _deviation(digits: Digits, value: float) -> str:
    if digits.places is not None:
        return digits.write(value)
    return Digits(None, max(OF_RANGE, digits.significant) - 1).write(value)


def _of_averages(averages: Array, rows: Sequence[Digits]) -> Digits:
    """As many decimals as most rows have; three digits of their range where those are few, or of different scales."""
    own = digits_of_rows(averages[None, :], None, exact=False)[0]
    places = sorted(row.places for row in rows if row.places is not None)
    if not places or own.places is None:
        return own
    usual = places[len(places) // 2]
    return Digits(min(max(own.places, usual), max(usual, OF_RANGE)))


def _best(order: Sequence[float]) -> frozenset[int]:
    """The columns of the best, by all digits; none where all are."""
    lowest = min((x for x in order if not math.isnan(x)), default=math.nan)
    columns = frozenset(j for j, x in enumerate(order) if x == lowest)
    return frozenset() if len(columns) == len(order) else columns


def score_rows(t: ScoreTable, *, folded: bool = False) -> Table:
    """The table as every format renders it."""
    s, p = t.scores, printed(t)
    rows = problem_rows(t, p)
    rows.append(Row(("average", *p.average), bold=_shifted(p.best_average), ruled=True))
    rows.append(Row(("mean rank", *p.mean_ranks), bold=_shifted(p.best_rank)))
    if t.control is not None:
        rows.append(Row((WON, *control_records(t))))
    return Table(
        key="scores",
        caption=score_caption(t),
        columns=sections.algorithm_columns("problem", s.algorithms),
        rows=rows,
        note=" ".join(_notes(t, p)),
        folded=folded,
        square=True,
    )


def problem_rows(t: ScoreTable, p: Printed, marks: Mapping[tuple[str, str], str] | None = None) -> list[Row]:
    """A row for each problem; ``marks`` stand behind the score of (problem, algorithm)."""
    known, algorithms = marks or {}, t.scores.algorithms
    rows = []
    for i, problem in enumerate(t.scores.problems):
        cells = (f"{_cell(t, p, i, j)}{known.get((problem, name), '')}" for j, name in enumerate(algorithms))
        rows.append(Row((numerals.plain(problem), *cells), bold=_shifted(p.best[i])))
    return rows


def score_caption(t: ScoreTable) -> str:
    """``Scores: mean ± standard deviation over 10 runs; lower is better``; of a metric, its name."""
    s = t.scores
    what = (measured_first(s) if s.metric else "Scores") + (" in percent" if t.percent else "")
    if s.runs is not None:
        low, high = int(s.n_runs[~s.holes].min()), int(s.n_runs.max())
        noun = "runs" if s.folds is None else "folds"
        what += f": mean ± standard deviation over {low if low == high else f'{low} to {high}'} {noun}"
    return f"{what}; {s.better} is better"


def control_records(t: ScoreTable) -> list[str]:
    """``16/0/9``: problems that the control won, tied, lost against the algorithm of the column."""
    counts = zip(*(each.tolist() for each in (t.wins, t.ties, t.losses) if each is not None), strict=True)
    records = ["/".join(map(str, each)) for each in counts]
    return [numerals.MISSING if name == t.control else x for name, x in zip(t.scores.algorithms, records, strict=True)]


def _cell(t: ScoreTable, p: Printed, i: int, j: int) -> str:
    text = p.means[i][j]
    if p.deviations is not None and p.deviations[i][j]:
        text += f" ± {p.deviations[i][j]}"
    return f"{text} ({t.ranks[i, j]:g})" if t.with_ranks and not math.isnan(t.ranks[i, j]) else text


def _shifted(columns: frozenset[int]) -> frozenset[int]:
    """Beside the names."""
    return frozenset(j + 1 for j in columns)


def _notes(t: ScoreTable, p: Printed) -> list[str]:
    s = t.scores
    several = any("×" in text for row in p.means for text in row) or len({row.places for row in p.digits}) > 1
    notes = [say("bold"), *([say("ranks")] if t.with_ranks else []), *([say("scales")] if several else [])]
    if t.control is not None:
        notes.append(say("control", control=numerals.plain(t.control)))
    notes += [caution.text for caution in t.cautions if caution.name == "scales-differ (average)"]
    notes += [say("missing")] if s.holes.any() else []
    if s.dropped:
        notes.append(say("dropped", problems=numerals.count(len(s.dropped), "problem")))
    if s.filled:
        notes.append(say("filled", scores=numerals.count(len(s.filled), "missing score")))
    return notes


# The whole table of scores inside of an HTML report, as a CSV that can be saved from it.


MOST_ATTACHED = 50_000
"""Scores, runs counted one by one: about a megabyte, half of what browsers take as a link."""


def scores_section(s: Scores, control: str | None = None) -> Section:
    """The scores behind a report, rounded and with ranks, folded; and the file of all of them."""
    return Section("scores", "Problem by problem", (_shown(s, control), attached_scores(s)), role="table")


def _shown(s: Scores, control: str | None) -> Table | Paragraph:
    if s.values.size > MOST:
        return Paragraph((say("long"),))
    return score_rows(score_table(s, control=control, ranks=True), folded=True)


def attached_scores(s: Scores) -> Attachment:
    """All scores with all their digits, or the sentence that says where they are."""
    number = int(s.n_runs.sum())
    scores = numerals.count(number, "score")
    return Attachment(
        name="scores.csv",
        media_type="text/csv",
        content=(lambda: scores_csv(s)) if number <= MOST_ATTACHED else lambda: "",
        text=say("attached", scores=scores),
        instead=say("attached.not", scores=scores),
    )


def scores_csv(s: Scores) -> str:
    """Every score to the last bit: a row per problem, or, with several runs or odd names, a row per score."""
    return "".join(_long(s) if s.runs is not None or _misread(s) else _wide(s))


def _misread(s: Scores) -> bool:
    """Would the names of algorithms, as the first line of a table, be taken for something else?"""
    names = s.algorithms
    return any(matching(["problem", *names], role) != ([0] if role == "problem" else []) for role in roles()) or any(
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
