"""What runtimes() returns: values only; rendering lives in the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores
from bakeoff.scores.pair_family import Adjusted, WithPairs, turned_interval, turned_ratios, turned_verdict

Verdict = Literal["a better", "b better", "no difference shown", "cannot tell"]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverSummary:
    """One algorithm.

    Attributes
    ----------
    algorithm, solved, runs : str, float, int
        Problems solved (with several runs the sum of the shares of runs solved), and runs in all.
    ends : mapping
        Runs by what ended them: "ok", "timeout", "memout", …
    only : int
        Problems that no other algorithm solved in any run.
    mean_rank : float
        Within problems, 1 is the fastest; unsolved runs are tied behind all solved ones.
    par, par_intervals : mapping, mapping
        By penalty: mean over problems, an unsolved run counting as so many caps; of each by itself, at 1 − alpha,
        None where nothing varies (or, without a cap, nothing bounds it).
    sgm, sgm_interval : float or None, (float, float) or None
        Shifted geometric mean, unsolved runs at their cap.
    """

    algorithm: str
    solved: float
    runs: int
    ends: Mapping[str, int]
    only: int
    mean_rank: float
    par: Mapping[float, float]
    par_intervals: Mapping[float, Interval | None]
    sgm: float | None
    sgm_interval: Interval | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SolverPair(Adjusted):
    """Two algorithms on the same problems.

    Attributes
    ----------
    wins, losses, ties : int
        Problems on which a is faster, or b; tied where neither solved it. Of several runs, most pairs of runs.
    units_won, units_lost : int, int
        What the sign test counts: these problems, or clusters in whose problems a, or b, is ahead in sum.
    pvalue, adjusted, verdict
        Exact sign test over problems without a tie (over clusters); Holm over the pairs; what it shows.
    logrank, logrank_pvalue : float, float
        χ² of the log-rank test stratified by problem, and its p; of clusters, of its robust form.
    only_a, only_b, mcnemar : int, int, float
        Problems solved (in more runs) by one alone, and McNemar's mid-p.
    par_differences, par_intervals, par_pvalues, par_adjusted, par_verdicts : mappings
        By penalty: PAR of b less that of a, positive where a is better; its bootstrap interval by itself; p of the
        paired t test (clustered); Holm over the pairs; what that shows. ``wilcoxon_pvalues``: the signed-rank test.
    sgm_ratio, sgm_interval : float or None, (float, float) or None
        Shifted geometric mean of a over that of b, and its interval.
    """

    a: str
    b: str
    wins: int
    losses: int
    ties: int
    units_won: int
    units_lost: int
    logrank: float
    logrank_pvalue: float
    pvalue: float
    adjusted: float
    verdict: Verdict
    only_a: int
    only_b: int
    mcnemar: float
    par_differences: Mapping[float, float]
    par_intervals: Mapping[float, Interval | None]
    par_pvalues: Mapping[float, float]
    par_adjusted: Mapping[float, float]
    par_verdicts: Mapping[float, Verdict]
    wilcoxon_pvalues: Mapping[float, float]
    sgm_ratio: float | None
    sgm_interval: Interval | None

    @property
    def reversed(self) -> bool:
        """Is a better at one penalty and b at another, by the means alone?"""
        signs = {np.sign(x) for x in self.par_differences.values()}
        return {-1.0, 1.0} <= signs

    @property
    def penalty_decides(self) -> bool:
        """Do the verdicts at the penalties differ, or contradict that of the order?"""
        said = {*self.par_verdicts.values()}
        opposite = {"a better": "b better", "b better": "a better"}.get(self.verdict)
        return len(said) > 1 or opposite in said

    @property
    def turned(self) -> SolverPair:
        """The same pair as b against a."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            wins=self.losses,
            losses=self.wins,
            units_won=self.units_lost,
            units_lost=self.units_won,
            verdict=turned_verdict(self.verdict),
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
    par: Mapping[float, float]
    single_best: Mapping[float, str]  # by penalty
    single_best_par: Mapping[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedCurves:
    """Share of problems solved within each time; ± ``reach`` is a band for the whole curve of each algorithm."""

    times: tuple[float, ...]
    share: Mapping[str, tuple[float, ...]]
    reach: Mapping[str, float]

    def lower(self, algorithm: str) -> Array:
        return np.maximum(0.0, np.array(self.share[algorithm]) - self.reach[algorithm])

    def upper(self, algorithm: str) -> Array:
        return np.minimum(1.0, np.array(self.share[algorithm]) + self.reach[algorithm])


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Runtimes(WithPairs[SolverPair], Reportable):
    """What :func:`bakeoff.runtimes` returns."""

    kind: ClassVar[str] = "runtimes"

    scores: Scores
    cap: float | tuple[float, ...] | None  # one for all problems, or one each
    k: tuple[float, ...]  # penalties
    shift: float
    control: str | None
    alpha: float
    resamples: int
    rng: int | None
    unit: Literal["cluster", "problem"]
    n_units: int
    estimates: tuple[SolverSummary, ...]  # in column order
    pairs: tuple[SolverPair, ...]
    portfolio: Portfolio
    curves: SolvedCurves
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()  # those of ``cautions`` that are about the source, and not computed from scores

    @property
    def request(self) -> Mapping[str, Any]:
        """The arguments of the call."""
        names = ("cap", "k", "shift", "rng", "control", "alpha", "resamples")
        return {name: getattr(self, name) for name in names}

    @property
    def par(self) -> dict[float, Array]:
        """By penalty, (k,) in column order; empty where runs are unsolved and there is no cap."""
        return {k: np.array([e.par[k] for e in self.estimates]) for k in self.k if k in self.estimates[0].par}

    @property
    def sgm(self) -> Array | None:
        """(k,) in column order."""
        found = [e.sgm for e in self.estimates]
        return None if None in found else np.array(found, dtype=np.float64)

    @property
    def solved(self) -> Array:
        """(k,) problems solved, in column order; with several runs the sums of the shares of runs."""
        return np.array([e.solved for e in self.estimates])

    @property
    def mean_ranks(self) -> Array:
        """(k,) in column order."""
        return np.array([e.mean_rank for e in self.estimates])

    def estimate(self, algorithm: str | int) -> SolverSummary:
        """Of one algorithm."""
        return self.estimates[self.scores.index(algorithm)]
