"""The tables of a report: numbers already written as the reader sees them, best or clearest first."""

from __future__ import annotations

import math
from collections.abc import Callable

from bakeoff import numerals
from bakeoff.comparison import Comparison, catalogue
from bakeoff.omnibus import OMNIBUS
from bakeoff.report.comparison import sentences
from bakeoff.report.comparison.methods import sphericity, symbol
from bakeoff.report.comparison.pair_tables import record
from bakeoff.report.document import Column, Row, Table

_LAWS = {"f": "F distribution", "chi2": "χ² distribution", "exact": "exact law", "permutation": "permutations"}
MANY_GROUPS = 26  # one letter per group


def order(comparison: Comparison) -> list[int]:
    """Columns, best mean rank first; equal ones stay in column order."""
    return sorted(range(comparison.scores.n_algorithms), key=comparison.mean_ranks.__getitem__)


def ranking(comparison: Comparison) -> Table:
    """Who stands where: mean rank, what it is not shown to differ from, median score, wins."""
    best_first = order(comparison)
    places = _places([float(comparison.mean_ranks[j]) for j in best_first])
    against, title, note = _against(comparison)
    kind = catalogue.mean_rank(comparison.ranking)
    records = _records(comparison)
    control = comparison.control
    record_note = (
        "over all pairs and problems" if control is None else f"on problems, against {numerals.plain(control)}"
    )
    rows = []
    for place, j in zip(places, best_first, strict=True):
        name = comparison.scores.algorithms[j]
        cells = (
            place,
            numerals.plain(name),
            numerals.rank(float(comparison.mean_ranks[j])),
            *([against[name]] if against else []),
            _median([float(x) for x in comparison.scores.values[:, j]]),
            records[name],
        )
        rows.append(Row(cells=cells, tone="strong" if name == control or place in ("1", "1=") else ""))
    columns = (
        Column(key="place", title="#", numeric=True),
        Column(key="algorithm", title="algorithm"),
        Column(key="mean_rank", title=kind, numeric=True, strong=True),
        *([Column(key="against", title=title)] if against else []),
        Column(key="median", title="median score", numeric=True, rank=2),
        Column(key="record", title="wins / ties / losses", numeric=True, rank=1),
    )
    note = " ".join(part for part in (note, f"Wins, ties, losses: {record_note}.") if part)
    return Table(key="ranking", caption="Ranking, best first", columns=columns, rows=rows, note=note)


def omnibus(comparison: Comparison) -> Table:
    """The test of "all alike", and Friedman's beside Iman–Davenport's."""
    columns = (
        Column(key="test", title="test"),
        Column(key="statistic", title="statistic", numeric=True),
        Column(key="df", title="degrees of freedom", numeric=True),
        Column(key="pvalue", title="p", numeric=True, strong=True),
        Column(key="method", title="p from", rank=2),
        Column(key="ties", title="ties", rank=1),
    )
    rows = []
    for i, test in enumerate([comparison.omnibus, *([comparison.companion] if comparison.companion else [])]):
        used = OMNIBUS[test.name]
        cells = (
            used.short,
            f"{symbol(test)} = {numerals.statistic(test.statistic)}",
            numerals.degrees(test.df) or numerals.MISSING,
            numerals.pvalue(test.pvalue, test.log_pvalue, comparison.alpha),
            _LAWS.get(str(getattr(test, "method", "")), str(getattr(test, "method", ""))) or numerals.MISSING,
            (str(getattr(test, "ties", "")) if used.takes_ties else "") or numerals.MISSING,
        )
        rows.append(Row(cells=cells, tone="" if i else "strong"))
    w = comparison.kendall_w
    note = "" if w is None else f"Agreement of the problems on the ranking: Kendall's W = {numerals.decimals(w, 3)}."
    if (corrected := sphericity(comparison.omnibus)) is not None:
        note = f"Corrected for non-sphericity (Greenhouse–Geisser): {corrected}. {note}".rstrip()
    return Table(
        key="omnibus", caption="Omnibus test of “all algorithms perform alike”", columns=columns, rows=rows, note=note
    )


def records(comparison: Comparison) -> Table | None:
    """Wins, ties and losses of the row's algorithm against the column's; not with a control."""
    if comparison.control is not None or len(comparison.pairs) < 2:
        return None
    names, best_first = comparison.scores.algorithms, order(comparison)
    cells: dict[tuple[str, str], str] = {}
    for pair in comparison.pairs:
        cells[pair.a, pair.b] = record(pair, pair.a)
        cells[pair.b, pair.a] = record(pair, pair.b)
    return _square(
        comparison,
        "records",
        "Problems won / tied / lost by the row against the column",
        lambda i, j: cells[names[i], names[j]],
        best_first,
        "",
    )


def contrasts(comparison: Comparison) -> Table | None:
    """Contrast estimation: estimated median of the row minus that of the column."""
    if comparison.contrasts is None:
        return None
    table = comparison.contrasts
    sign = "negative" if comparison.scores.better == "lower" else "positive"
    return _square(
        comparison,
        "contrasts",
        "Contrast estimation: row minus column, in score units",
        lambda i, j: numerals.score(float(table[i, j])),
        order(comparison),
        f"{comparison.scores.better.capitalize()} scores are better: where a value is {sign}, the row is better.",
    )


def _square(
    c: Comparison, key: str, caption: str, cell: Callable[[int, int], str], best_first: list[int], note: str
) -> Table:
    names = [numerals.plain(name) for name in c.scores.algorithms]
    rows = [Row(cells=(names[i], *("·" if i == j else cell(i, j) for j in best_first))) for i in best_first]
    columns = (Column(key="name", title=""), *(Column(key=str(j), title=names[j], numeric=True) for j in best_first))
    wide = len(names) > 10
    return Table(key=key, caption=caption, columns=columns, rows=rows, note=note, folded=wide, wide=wide)


def _places(values: list[float]) -> list[str]:
    """1, 2, 3 …; equal mean ranks share a place, marked ``2=``."""
    first = {value: place for place, value in reversed(list(enumerate(values, start=1)))}
    return [f"{first[value]}{'=' if values.count(value) > 1 else ''}" for value in values]


def _against(c: Comparison) -> tuple[dict[str, str], str, str]:
    """The column beside the mean rank, its title and its note: the verdict against the control, or group letters."""
    if c.control is not None:
        words = {"better": "better", "worse": "worse", "alike": "no difference shown", "unknown": "cannot tell"}
        cells = {pair.b: words[sentences.relation(pair, pair.b)] for pair in c.pairs}
        return {**cells, c.control: "(control)"}, "against control", ""
    if not c.groups or len(c.groups) > MANY_GROUPS:
        return {}, "", ""
    letters: dict[str, str] = dict.fromkeys(c.scores.algorithms, "")
    for letter, group in zip("abcdefghijklmnopqrstuvwxyz", c.groups, strict=False):
        for name in group:
            letters[name] += letter
    return letters, "group", "Algorithms that share a letter are not shown to differ."


def _records(c: Comparison) -> dict[str, str]:
    """Per algorithm, problems won / tied / lost over all its pairs."""
    sums = {name: [0, 0, 0] for name in c.scores.algorithms}
    for pair in c.pairs:
        for name in (pair.a, pair.b):
            for i, count in enumerate(sentences.wins_ties_losses(pair, name)):
                sums[name][i] += count
    written = {name: " / ".join(map(str, counts)) for name, counts in sums.items()}
    return written if c.control is None else {**written, c.control: numerals.MISSING}


def _median(values: list[float]) -> str:
    ordered = sorted(values)
    with_extremes = 0.5 * ordered[(len(values) - 1) // 2] + 0.5 * ordered[len(values) // 2]
    return numerals.MISSING if math.isnan(with_extremes) else numerals.score(with_extremes)
