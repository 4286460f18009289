"""The tables of a race's report: the survivors, and who was eliminated when, by whom, with which evidence."""

from __future__ import annotations

from bakeoff import numerals
from bakeoff.racing.results import RaceResult
from bakeoff.report.document import Column, Row, Table
from bakeoff.report.sheets import Sheets

FOLDED = 25  # rows; a longer table is shown on demand
_MEASURES = {
    "e-value": (
        "e-value",
        "e-value: evidence against being a best one; at {threshold} a candidate is eliminated.",
    ),
    "1 - p": ("1 − p", "1 − p of the test against the leader, as if it were looked at once."),
    "posterior": ("posterior", "posterior: probability that another candidate is better."),
    "mean rank": ("mean rank", "mean rank among the survivors at that time."),
}


def survivors(result: RaceResult) -> Table:
    """Best mean rank first, beside the best one."""
    best = numerals.plain(result.best)
    said = result.measure != "mean rank"  # once is enough
    last = {path.algorithm: path.evidence[-1] for path in result.paths if len(path.evidence)}
    rows = []
    for standing in result.standings:
        first = standing.algorithm == result.best
        share = f"{standing.wins} – {standing.losses}" + (f" ({standing.ties} ties)" if standing.ties else "")
        interval = numerals.MISSING
        if standing.p_low is not None and standing.p_high is not None:
            interval = f"{numerals.decimals(standing.p_low, 3)} … {numerals.decimals(standing.p_high, 3)}"
        cells = (
            numerals.plain(standing.algorithm),
            numerals.rank(standing.mean_rank),
            *([evidence(float(last.get(standing.algorithm, 0.0)))] if said else []),
            numerals.MISSING if first else share,
            interval,
        )
        rows.append(Row(cells=cells, tone="strong" if first else ""))
    name, legend = _measure(result)
    columns = (
        Column(key="algorithm", title="candidate"),
        Column(key="mean_rank", title="mean rank", numeric=True, strong=True),
        *([Column(key="evidence", title=name, numeric=True, rank=2, legend=legend)] if said else []),
        Column(key="wins", title="wins – losses", numeric=True, rank=1),
        Column(key="interval", title="P(win)", numeric=True, rank=3),
    )
    note = (
        f"On the problems that all survivors were run on.{f' {legend}' if said else ''} Wins and losses are those of "
        f"{best}; P(win): the chance that it wins where they differ, valid at every look and for all pairs at once, "
        f"with probability {1 - result.alpha:g}."
    )
    return Table(key="ranking", caption="Survivors", columns=columns, rows=rows, note=note,
                 folded=len(rows) > FOLDED)  # fmt: skip


def eliminated(result: RaceResult) -> Table | None:
    """In the order of elimination."""
    if not result.eliminated:
        return None
    rows = [
        Row(
            cells=(
                numerals.plain(left.algorithm),
                left.reason,
                numerals.MISSING if left.by is None else numerals.plain(left.by),
                str(left.n_problems),
                str(left.evaluations),
                evidence(left.evidence),
            )
        )
        for left in result.eliminated
    ]
    name, legend = _measure(result)
    columns = (
        Column(key="algorithm", title="candidate"),
        Column(key="reason", title="why", rank=3),
        Column(key="by", title="by", rank=2, legend="By: the candidate the evidence favours most."),
        Column(key="n_problems", title="problems", numeric=True),
        Column(key="evaluations", title="evaluations", numeric=True, rank=1),
        Column(key="evidence", title=name, numeric=True, strong=True, legend=legend),
    )
    note = "By: the candidate the evidence favours most. Evaluations: spent by the whole race until then."
    return Table(key="eliminated", caption="Eliminated, in order", columns=columns, rows=rows, note=note,
                 folded=len(rows) > FOLDED)  # fmt: skip


def _measure(result: RaceResult) -> tuple[str, str]:
    name, legend = _MEASURES[result.measure]
    return name, legend.format(threshold="–" if result.threshold is None else f"{result.threshold:g}")


def evidence(value: float) -> str:
    return numerals.score(value)


def sheets(result: RaceResult) -> Sheets:
    """For .csv and .xlsx: one row per candidate; the last evidence against each."""
    columns = dict(result._columns())
    ranking = [
        ("algorithm", "mean_rank", "wins_of_best", "losses_of_best", "ties", "p_low", "p_high"),
        *((s.algorithm, s.mean_rank, s.wins, s.losses, s.ties, s.p_low, s.p_high) for s in result.standings),
    ]
    return Sheets(pairs=columns, ranking=ranking, cautions=result.cautions)
