"""The result of runtimes(): values only; rendering lives in the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution
from bakeoff.means.run_means import Over
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores
from bakeoff.scores.design import Estimand
from bakeoff.scores.pair_family import Adjusted, WithPairs, turned_interval, turned_ratios, turned_verdict
from bakeoff.wings.curves.runtimes.statistics.times import RunTimes, run_times
from bakeoff.wings.curves.shares import of_shares

Verdict = Literal["a better", "b better", "no difference shown", "cannot tell"]
Interval = tuple[float, float]
Unit = Literal["cluster", "problem", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverSummary:
    """One algorithm.

    Attributes
    ----------
    algorithm, solved, runs : str, float, int
        Problems solved (with several runs the sum of the shares of runs solved), and runs in all.
    ends : mapping
        Runs by what ended them: "ok", "timeout", "memout", …
    only, points : int, float or None
        Problems that no other algorithm solved in any run; the sum of its points, if runs have any.
    mean_rank : float
        Within problems 1 + the number of faster ones + half that of tied ones; unsolved runs tie behind solved ones.
    par, par_intervals : mapping, mapping
        By penalty: mean over problems, an unsolved run counting as so many caps; of each by itself, at 1 − alpha,
        None where nothing varies (or, without a cap, nothing bounds it).
    sgm, sgm_interval : float or None, (float, float) or None
        Shifted geometric mean, unsolved runs at their cap.
    """

    algorithm: str
    solved: float  # problems solved; with several runs the sum of the shares of runs solved
    runs: int  # runs in all
    ends: Mapping[str, int]
    only: int
    points: float | None  # the sum of its points; null without
    mean_rank: float
    par: Mapping[float, float]  # by penalty: mean over problems, an unsolved run counting as so many caps
    par_intervals: Mapping[float, Interval | None]
    """By penalty: of each by itself, at 1 − alpha; None where nothing varies or bounds it."""
    sgm: float | None
    sgm_interval: Interval | None  # of the shifted geometric mean by itself; None without


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverPair(Adjusted):
    """Two algorithms on the same problems.

    Attributes
    ----------
    wins, losses, ties : int
        Problems on which a is faster, or b (of several runs, in most pairs of them); tied where neither solved it, or
        times are equal within ``ties``.
    lead : float
        Share of pairs of runs in which a is faster less that in which b is; the mean over problems.
    units_won, units_lost : int, int
        What the sign test counts: these problems, or clusters in whose problems a, or b, is ahead in sum.
    pvalue, adjusted, verdict
        Exact sign test over problems without a tie (over clusters), or over runs t of the lead; Holm over the pairs;
        what it shows.
    logrank, logrank_pvalue : float, float
        χ² of the log-rank test stratified by problem, and its p; of its robust form with clusters, and with several
        runs over problems.
    only_a, only_b, mcnemar, solved_pvalue : int, int, float or None, float
        Problems solved (in more runs) by one alone, and McNemar's mid-p. Over runs that is None, and the p-value is
        that of t of the shares of runs solved.
    par_differences, par_intervals, par_pvalues, par_adjusted, par_verdicts : mappings
        By penalty: PAR of b less that of a, positive where a is better; its bootstrap interval by itself; p of the
        paired t-test (clustered), over runs of Welch's; Holm over the pairs; what that shows. ``wilcoxon_pvalues``: the
        signed-rank test, of problems alone.
    sgm_ratio, sgm_interval : float or None, (float, float) or None
        Shifted geometric mean of a over that of b, and its interval.
    """

    a: str
    b: str
    wins: int  # problems on which a is faster: of several runs, in most pairs of them
    losses: int  # problems on which b is faster: of several runs, in most pairs of them
    ties: int  # problems on which neither is faster, or that neither solved
    lead: float  # share of pairs of runs in which a is faster less that in which b is, mean over problems
    units_won: int  # problems, or clusters of them, on which a is faster: what the sign test counts
    units_lost: int  # the same of b
    logrank: float  # χ² of the log-rank test stratified by problem; its robust form with clusters or runs of problems
    logrank_pvalue: float  # its p-value
    pvalue: float
    adjusted: float
    verdict: Verdict
    only_a: int  # problems solved, or solved in more runs, by a alone
    only_b: int  # problems solved, or solved in more runs, by b alone
    mcnemar: float | None  # McNemar's mid-p of these; null over runs
    solved_pvalue: float  # the same; over runs p of the shares of runs solved
    par_differences: Mapping[float, float]  # by penalty: PAR of b less that of a, positive where a is better
    par_intervals: Mapping[float, Interval | None]
    """By penalty: bootstrap interval of the difference by itself; None where nothing varies."""
    par_pvalues: Mapping[float, float]  # by penalty: p of the paired t-test (clustered); over runs of Welch's
    par_adjusted: Mapping[float, float]  # by penalty: adjusted by Holm over the pairs
    par_verdicts: Mapping[float, Verdict]  # by penalty: what that shows
    wilcoxon_pvalues: Mapping[float, float]  # by penalty: p of the signed-rank test; empty over runs
    sgm_ratio: float | None  # shifted geometric mean of a over that of b
    sgm_interval: Interval | None  # interval of that ratio

    @property
    def reversed(self) -> bool:
        """Is a better at one penalty and b at another, by the means alone?"""
        signs = {np.sign(x) for x in self.par_differences.values()}
        return {-1.0, 1.0} <= signs

    @property
    def penalty_decides(self) -> bool:
        """Do the verdicts at the penalties differ, or contradict that of the order?"""
        verdicts = {*self.par_verdicts.values()}
        opposite = {"a better": "b better", "b better": "a better"}.get(self.verdict)
        return len(verdicts) > 1 or opposite in verdicts

    @property
    def turned(self) -> SolverPair:
        """The same pair as b against a."""
        return self._turned(
            lead=0.0 - self.lead,
            units_won=self.units_lost,
            units_lost=self.units_won,
            only_a=self.only_b,
            only_b=self.only_a,
            par_differences={k: 0.0 - x for k, x in self.par_differences.items()},
            par_intervals={k: x and turned_interval(x) for k, x in self.par_intervals.items()},
            par_verdicts={k: turned_verdict(x) for k, x in self.par_verdicts.items()},
            sgm_ratio=1.0 / self.sgm_ratio if self.sgm_ratio else None,
            sgm_interval=self.sgm_interval and turned_ratios(self.sgm_interval),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Portfolio:
    """The best algorithm of each problem, chosen after the fact, beside the best one for all problems."""

    solved: float  # by the virtual best, whose time on a problem is the smallest mean over the runs of an algorithm
    par: Mapping[float, float]  # by penalty: penalised average runtime of the virtual best
    single_best: Mapping[float, str]  # by penalty
    single_best_par: Mapping[float, float]  # by penalty: of the best single algorithm


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """Problems that somebody solved, and on which the slowest run of all took at least so long, or was not solved."""

    least: float  # time of the slowest run, in the unit of the scores; 0: all problems that somebody solved
    n_problems: int
    solved: Mapping[str, float]  # problems solved, by algorithm; with several runs the sums of the shares of runs
    sgm: Mapping[str, float]  # shifted geometric mean by algorithm; empty where unsolved runs have no cap


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedCurves:
    """Share of problems solved within each time; ± ``reach`` is a band for the whole curve of each algorithm."""

    times: tuple[float, ...]  # in the unit of the scores
    share: Mapping[str, tuple[float, ...]]  # by algorithm, in the order of times
    reach: Mapping[str, float]  # half the width of the band, by algorithm

    def lower(self, algorithm: str) -> Array:
        return np.maximum(0.0, np.array(self.share[algorithm]) - self.reach[algorithm])

    def upper(self, algorithm: str) -> Array:
        return np.minimum(1.0, np.array(self.share[algorithm]) + self.reach[algorithm])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Runtimes(WithPairs[SolverPair], Reportable):
    """The result of :func:`bakeoff.runtimes`."""

    kind: ClassVar[str] = "runtimes"

    scores: Scores
    cap: float | tuple[float, ...] | None  # time limit: one number, one per problem, or None
    k: tuple[float, ...]  # penalties: an unsolved run counts as so many caps
    shift: float  # of the geometric mean, in the unit of the scores
    ties: float | str | None  # times that differ by no more are equal: in the unit of the scores, or a percentage
    control: str | None
    alpha: float
    n_resamples: int
    rng: int | None
    over: Over  # what else could have come out
    points: str | None  # by status, such as ok=1,wrong=-16; null without
    unit: Unit  # what the tests count
    n_units: int  # clusters, problems or runs of the algorithm with the fewest
    estimates: tuple[SolverSummary, ...]  # in column order
    pairs: tuple[SolverPair, ...]
    portfolio: Portfolio  # the best algorithm of each problem, beside the best one for all
    curves: SolvedCurves  # share of problems solved within each time
    brackets: tuple[Bracket, ...]  # by hardness, all problems first; empty where nothing is solved
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()  # those of ``cautions`` that are about the source, and not computed from scores

    @property
    def request(self) -> Mapping[str, object]:
        """The arguments of the call."""
        names = ("cap", "k", "shift", "ties", "rng", "control", "alpha", "n_resamples", "over", "points")
        return {name: getattr(self, name) for name in names}

    @property
    def run_times(self) -> RunTimes:
        """Every run as it was counted."""
        return run_times(self.scores, list(self.cap) if isinstance(self.cap, tuple) else self.cap)

    @property
    def par(self) -> dict[float, Array]:
        """Means by penalty, (k,) in column order; empty where runs are unsolved and there is no cap."""
        return {k: np.array([e.par[k] for e in self.estimates]) for k in self.k if k in self.estimates[0].par}

    @property
    def sgm(self) -> Array | None:
        """(k,) in column order."""
        means = [e.sgm for e in self.estimates]
        return None if None in means else np.array(means, dtype=np.float64)

    @property
    def solved(self) -> Array:
        """(k,) problems solved, in column order; with several runs the sums of the shares of runs."""
        return np.array([e.solved for e in self.estimates])

    @property
    def mean_ranks(self) -> Array:
        """(k,) in column order."""
        return np.array([e.mean_rank for e in self.estimates])

    def estimate(self, algorithm: str | int) -> SolverSummary:
        """The summary of one algorithm."""
        return self.estimates[self.scores.index(algorithm)]


def runtimes_estimand(result: Runtimes) -> Estimand:
    """The shares and times that are compared."""
    return of_shares(result.scores, "times and share of problems solved", result.run_times.n_runs, result.over)
