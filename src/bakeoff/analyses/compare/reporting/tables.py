"""The tables of a report: numbers already written as the reader sees them, best or clearest first."""

import math
from collections.abc import Callable
from typing import Any

from bakeoff import numerals
from bakeoff.analyses.compare.reporting import effects, sentences
from bakeoff.analyses.compare.reporting.omnibus import sphericity, symbol, untestable
from bakeoff.analyses.compare.reporting.scores.digits import middle
from bakeoff.analyses.compare.statistics import Comparison, catalogue
from bakeoff.omnibus import OMNIBUS
from bakeoff.report import sections
from bakeoff.report.document import ColumnSpec, Paragraph, Table, number_column, tabulate, text_column
from bakeoff.report.methods import direction, measured
from bakeoff.report.sentences import filler
from bakeoff.scores.contents import complete_rows

say = filler(__file__)

_LAWS = {"f": "F distribution", "chi2": "χ² distribution", "exact": "exact distribution", "permutation": "permutations"}
SQUARE = 100  # algorithms up to which a table of all against all is written


def order(comparison: Comparison) -> list[int]:
    """Columns, best mean rank (or mean) first; equal ones stay in column order."""
    return sorted(range(comparison.scores.n_algorithms), key=comparison.standing.__getitem__)


def letters(comparison: Comparison) -> dict[tuple[str, ...], str]:
    """A letter for each group, as long as there are letters."""
    return dict(zip(comparison.groups, "abcdefghijklmnopqrstuvwxyz", strict=False))


def ranking(comparison: Comparison) -> Table:
    """The table of places: mean rank, what it is not shown to differ from, mean and median score, wins.

    Where means are tested, they take the place of mean ranks.
    """
    c, names = comparison, comparison.scores.algorithms
    mean_ranks, means = c.mean_ranks.tolist(), _column(c.means.tolist())
    complete = complete_rows(c.rows)
    medians = _column([_median(values) for values in complete.T.tolist()])
    places, records, (against, title, note) = _places(c.standing.tolist()), _records(c), _against(c)
    record = "wins / ties / losses" if c.control is None else "control won / tied / lost"
    beside: ColumnSpec[int] = text_column("against", title, lambda j: against[names[j]])
    ranks: ColumnSpec[int] = number_column(
        "mean_rank", catalogue.mean_rank(c.ranking), lambda j: numerals.as_rank(mean_ranks[j]), strong=True
    )
    of_means: ColumnSpec[int] = number_column(
        "mean", f"mean {measured(c.scores)}", lambda j: means[j], rank=2, in_paper=True, strong=c.by_means
    )
    shown: list[ColumnSpec[int]] = [
        number_column("place", "#", lambda j: places[j]),
        text_column("algorithm", "algorithm", lambda j: numerals.plain(names[j])),
        of_means if c.by_means else ranks,
        *([beside] if against else []),
        *([] if c.by_means else [of_means]),
        number_column("median", f"median {measured(c.scores)}", lambda j: medians[j], rank=2),
        number_column("record", record, lambda j: records[names[j]], rank=1),
    ]
    control = None if c.control is None else numerals.plain(c.control)
    counted = say("counted" if control is None else "counted.control", unit=c.unit, control=control)
    counted += say("clusters", score=measured(c.scores)) if c.unit == "cluster" else ""
    if c.missing:
        counted += say("missing", score=measured(c.scores), problems=numerals.count(len(complete), "problem"))
    return tabulate(
        "ranking",
        f"Algorithms, best {'mean' if c.by_means else 'mean rank'} first",
        shown,
        order(c),
        strong=lambda j: names[j] == c.control or places[j] in ("1", "1="),
        pinned=lambda j: names[j] == c.control,
        note=f"{note} {counted}".lstrip(),
    )


def omnibus(comparison: Comparison) -> Table:
    """The test of "all alike", and Friedman's beside Iman–Davenport's."""
    c = comparison
    shown: list[ColumnSpec[Any]] = [
        text_column("test", "test", lambda test: OMNIBUS[test.name].short),
        number_column("statistic", "statistic", _statistic),
        number_column("df", "degrees of freedom", _freedom),
        number_column("pvalue", "p", lambda test: _evidence(test, c.alpha), strong=True),
        text_column("method", "p from", _law, rank=2),
        text_column("ties", "ties", _ties, rank=1),
    ]
    w = c.kendall_w
    note = "" if w is None else say("agreement", unit=c.unit, w=numerals.decimals(w, 3))
    if (corrected := sphericity(c.omnibus)) is not None:
        note = say("sphericity", p=corrected, note=note).rstrip()
    tests = [c.omnibus, *([c.companion] if c.companion else [])]
    caption = "Omnibus test of “all algorithms perform equally”"
    return tabulate(
        "omnibus", caption, shown, tests, strong=lambda test: test is c.omnibus, note=note, on_screen="line"
    )


def _statistic(test: Any) -> str:
    """One problem leaves nothing to test, whatever the formula gives."""
    possible = f"{symbol(test)} = {numerals.statistic(test.statistic)}"
    return "no test possible" if untestable(test) else possible


def _evidence(test: Any, alpha: float) -> str:
    return numerals.MISSING if untestable(test) else numerals.pvalue(test.pvalue, test.log_pvalue, alpha)


def _freedom(test: Any) -> str:
    return numerals.degrees(() if untestable(test) else tuple(test.df)) or numerals.MISSING


def _law(test: Any) -> str:
    """The law that p comes from; without error variance, or with one problem, there is none."""
    method = str(getattr(test, "method", ""))
    if untestable(test) or (method == "exact" and test.name == "anova"):
        method = ""
    return _LAWS.get(method, method) or numerals.MISSING


def _ties(test: Any) -> str:
    return (str(getattr(test, "ties", "")) if OMNIBUS[test.name].takes_ties else "") or numerals.MISSING


def records(comparison: Comparison) -> Table | Paragraph | None:
    """Wins, ties and losses of the row's algorithm against the column's; not with a control."""
    if comparison.control is not None or len(comparison.pairs) < 2:
        return None
    if comparison.scores.n_algorithms > SQUARE:
        return _left_out(comparison, f"{comparison.unit}s won, tied and lost by each pair", "JSON, CSV and XLSX")
    cells: dict[tuple[str, str], str] = {}
    for pair in comparison.pairs:
        cells[pair.a, pair.b] = sentences.record(pair, pair.a)
        cells[pair.b, pair.a] = sentences.record(pair, pair.b)
    caption = say("records", unit=comparison.unit.capitalize())
    return _square(comparison, "records", caption, lambda a, b: cells[a, b], "")


def contrasts(comparison: Comparison) -> Table | Paragraph | None:
    """Contrast estimation: estimated median of the row minus that of the column."""
    if comparison.contrasts is None:
        return None
    if comparison.scores.n_algorithms > SQUARE:
        return _left_out(comparison, "contrasts of each pair", "JSON")
    table, place = comparison.contrasts, comparison.scores.index
    which, sign = direction(comparison.scores), "negative" if comparison.scores.better == "lower" else "positive"
    caption = f"Contrast estimation: row minus column{effects.unit(comparison.scores)}"
    note = say("contrasts", which=f"{which[0].upper()}{which[1:]}", sign=sign)
    return _square(
        comparison, "contrasts", caption, lambda a, b: numerals.score(float(table[place(a), place(b)])), note
    )


def _left_out(c: Comparison, what: str, where: str) -> Paragraph:
    return Paragraph((say("left-out", k=c.scores.n_algorithms, what=what, where=where),))


def _square(c: Comparison, key: str, caption: str, cell: Callable[[str, str], str], note: str) -> Table:
    return sections.square(key, caption, [c.scores.algorithms[j] for j in order(c)], cell, note)


def _places(values: list[float]) -> list[str]:
    """1, 2, 3 …; equal mean ranks share a place, marked ``2=``."""
    return [f"{1 + sum(x < value for x in values)}{'=' if values.count(value) > 1 else ''}" for value in values]


def _against(c: Comparison) -> tuple[dict[str, str], str, str]:
    """The column beside the mean rank, its title and its note: the verdict against the control, or group letters."""
    if c.control is not None:
        words = {"better": "better", "worse": "worse", "alike": "no difference shown", "unknown": "cannot tell"}
        words["depends"] = sentences.DEPENDS
        words |= {
            "practically equal": "practically equal",
            "a not worse": "control not worse",
            "b not worse": "not worse",
        }
        cells = {pair.b: words.get(pair.verdict, words[sentences.relation(pair, pair.b)]) for pair in c.pairs}
        return {**cells, c.control: "(control)"}, "against control", ""
    lettered = letters(c)
    if not lettered or len(c.groups) > len(lettered):
        return {}, "", ""
    of = {name: "".join(lettered[group] for group in c.groups if name in group) for name in c.scores.algorithms}
    return of, "group", say("letters")


def _records(c: Comparison) -> dict[str, str]:
    """Per algorithm, problems won / tied / lost over all its pairs; with a control, those of the control against it."""
    if c.control is not None:
        return {pair.b: sentences.record(pair, pair.a) for pair in c.pairs} | {c.control: numerals.MISSING}
    sums = {name: [0, 0, 0] for name in c.scores.algorithms}
    for pair in c.pairs:
        for i, count in enumerate((pair.wins, pair.ties, pair.losses)):
            sums[pair.a][i] += count
            sums[pair.b][2 - i] += count
    return {name: " / ".join(map(str, counts)) for name, counts in sums.items()}


def _median(values: list[float]) -> float:
    """Between equal infinities it is infinite, between opposite ones, and of no problem, there is none."""
    if not values:
        return math.nan
    low, high = middle(values)
    return 0.5 * low + 0.5 * high


def _column(values: list[float]) -> list[str]:
    shown = iter(numerals.aligned([value for value in values if not math.isnan(value)]))
    return [numerals.MISSING if math.isnan(value) else next(shown) for value in values]
