"""The tables of a race's report: the survivors, and who was eliminated when, by whom, with which evidence."""

from typing import Any

from bakeoff import numerals
from bakeoff.report.document import ColumnSpec, Table, equal_column, number_column, tabulate, text_column
from bakeoff.report.telling import Rows, rows_of
from bakeoff.wings.run.racing.results import EliminatedCandidate, RaceResult, Standing

FOLDED = 25  # rows; a longer table is shown on demand
_MEASURES = {
    "e-value": ("e-value", "e-value: evidence against being a best one; at {threshold} a candidate is eliminated."),
    "1 - p": ("1 − p", "1 − p of the test against the leader, as if there had been one look."),
    "posterior": ("posterior", "posterior: probability that another candidate is better."),
}


def survivors(result: RaceResult) -> Table:
    """Best mean rank first, beside the best one."""
    best, (name, legend) = numerals.plain(result.best), _measure(result)
    last = {path.algorithm: float(path.evidence[-1]) for path in result.paths if len(path.evidence)}
    evidence: ColumnSpec[Standing] = equal_column(
        "evidence", name, result.standings, lambda s: last.get(s.algorithm, 0.0), rank=2, legend=legend
    )

    def wins(s: Standing) -> str:
        ties = f" ({s.ties} ties)" if s.ties else ""
        return numerals.MISSING if s.algorithm == result.best else f"{s.wins} – {s.losses}{ties}"

    def interval(s: Standing) -> str:
        if s.p_low is None or s.p_high is None:
            return numerals.MISSING
        return f"{numerals.decimals(s.p_low, 3)} … {numerals.decimals(s.p_high, 3)}"

    shown: list[ColumnSpec[Standing]] = [
        text_column("algorithm", "candidate", lambda s: numerals.plain(s.algorithm)),
        number_column("mean_rank", "mean rank", lambda s: numerals.as_rank(s.mean_rank), strong=True),
        evidence,
        number_column("wins", "wins – losses", wins, rank=1),
        number_column("interval", "P(win)", interval, rank=3, in_paper=True),
    ]
    shares = "" if result.n_clusters is None else " of the problems of a cluster, on average over clusters,"
    note = (
        f"On the problems that all survivors were run on. {legend} Wins and losses are those "
        f"of {best}. P(win): the chance that it wins{shares} where they differ, valid at every look and for all pairs "
        f"at once, with probability {1 - result.alpha:g}."
    )
    items, folded = result.standings, len(result.standings) > FOLDED
    return tabulate(
        "ranking", "Survivors", shown, items, strong=lambda s: s.algorithm == result.best, note=note, folded=folded
    )


def eliminated(result: RaceResult) -> Table | None:
    """In the order of elimination."""
    if not result.eliminated:
        return None
    name, legend = _measure(result)
    by = "By: the candidate the evidence favours most."
    shown: list[ColumnSpec[EliminatedCandidate]] = [
        text_column("algorithm", "candidate", lambda e: numerals.plain(e.algorithm)),
        text_column("reason", "why", lambda e: e.reason, rank=3),
        text_column(
            "by",
            "by",
            lambda e: numerals.MISSING if e.by is None else numerals.plain(e.by),
            rank=2,
            legend=by,
            in_paper=True,
        ),
        number_column("n_problems", "problems", lambda e: str(e.n_problems)),
        number_column("evaluations", "evaluations", lambda e: str(e.evaluations), rank=1),
        equal_column("evidence", name, result.eliminated, lambda e: e.evidence, strong=True, legend=legend),
    ]
    note = f"{by} Evaluations: spent by the whole race up to then."
    items, folded = result.eliminated, len(result.eliminated) > FOLDED
    return tabulate("eliminated", "Eliminated, in order", shown, items, note=note, folded=folded)


def _measure(result: RaceResult) -> tuple[str, str]:
    name, legend = _MEASURES[result.measure]
    return name, legend.format(threshold="–" if result.threshold is None else f"{result.threshold:g}")


def ranking(result: RaceResult) -> Rows:
    """The survivors."""
    keys = ("algorithm", "mean_rank", ("wins_of_best", "wins"), ("losses_of_best", "losses"), "ties", "p_low", "p_high")
    return rows_of(result.standings, *keys)


def candidates(result: RaceResult) -> dict[str, list[Any]]:
    """A row for each candidate, best first."""
    gone = {e.algorithm: e for e in result.eliminated}
    order = [*result.survivors, *(e.algorithm for e in reversed(result.eliminated))]
    paths = {path.algorithm: path for path in result.paths}
    return {
        "algorithm": order,
        "outcome": [gone[name].reason if name in gone else "survived" for name in order],
        "by": [(gone[name].by if name in gone else None) or "" for name in order],
        "n_problems": [gone[name].n_problems if name in gone else result.n_problems for name in order],
        "evidence": [float(paths[n].evidence[-1]) if len(paths[n].evidence) else 0.0 for n in order],
    }
