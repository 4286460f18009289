"""By how much the new side is worse over all problems: the mean of their effects, with the error that its unit has.

Questions stand for other questions: the unit is the question, or the cluster of questions, within tasks if these count
equally. Benchmarks are fixed: the unit is the run, in which all of them were measured.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ScoreError
from bakeoff.means.assumptions import least_pvalues
from bakeoff.means.moments import compensated_means
from bakeoff.means.pair_moments import pair_moments
from bakeoff.means.serial import refuse_groups_of_series, serial_mean
from bakeoff.means.strata import Stratum, design_strata, one_stratum
from bakeoff.means.unit_mean import UnitMean, unit_mean
from bakeoff.paired.shares import tango, tango_score
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes, codes_of, members
from bakeoff.scores.design import Design
from bakeoff.special import ndtr, ndtri
from bakeoff.wings.guard.check.statistics.contrasts import Contrasts, paired, row_moments, welch

PAIR = np.array([0]), np.array([1])
"""The columns new and old, of which the difference is positive where new is worse."""
_NOISE = 1e-14  # of a mean of differences that cancel
_LAST_BITS = 1e-13
_INSIDE = 1.0 - 1e-12  # a difference of shares that is not ±1


@dataclass(frozen=True, slots=True)
class Unvaried(Contrasts):
    """All units have one difference between −1 and 1, so that the t-test has no error.

    If the mean were ``bound``, at least a share π of units would have to have other differences; none of G had one,
    which has probability (1 − π)^G at most. Without a difference, and for c = 0, that is the rule of three. Of tasks of
    weight w and G units, Π (1 − π_b)^G_b ≤ (1 − Σ w_b π_b)^m with m the least G_b/w_b (Jensen).
    """

    units: float

    def _beyond(self, bound: Array | float, side: int) -> Array:
        c, b = np.maximum(side * self.estimate, 1e-15 - 1.0), side * bound
        return np.where(c > b, ((1.0 + b) / (1.0 + c)) ** self.units, 1.0)

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        c, share = self.estimate, alpha ** (1.0 / self.units)
        return (1.0 + c) * share - 1.0, 1.0 - (1.0 - c) * share

    def detectable(self, bound: Array | float, level: float) -> Array:
        """The error of a mean of which the bound is this far away, by the normal distribution."""
        low, high = self.bounds(level)
        return bound + (high - low) / 2.0


@dataclass(frozen=True, slots=True)
class ChangedAnswers(Contrasts):
    """Right or wrong, one answer per question: Tango's score test. ``b``: only the baseline right, ``c``: only new."""

    b: int
    c: int
    n: int

    def _beyond(self, bound: Array | float, side: int) -> Array:
        score = tango_score(self.b, self.c, self.n, min(max(_single(bound), -_INSIDE), _INSIDE))
        return np.array([ndtr(-side * score)])

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        low, high = tango(self.b, self.c, self.n, -float(ndtri(alpha)))
        return np.array([low]), np.array([high])


@dataclass(frozen=True, slots=True)
class OfUnits(Contrasts):
    """The mean over problems, or over clusters of them of any size, with what the engine of means says of it."""

    mean: UnitMean
    alone: tuple[str, ...]  # tasks of one unit, whose error nobody knows

    @property
    def decides(self) -> bool:
        """Do the units show how their mean varies?"""
        return self.mean.decides and not self.alone

    def _beyond(self, bound: Array | float, side: int) -> Array:
        toward = "greater" if side > 0 else "less"
        return np.array([self.mean.pvalue(toward, _single(bound))[0] if self.decides else 1.0])

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        low, high = self.mean.interval(1.0 - 2.0 * alpha) if self.decides else (-math.inf, math.inf)
        return np.array([low]), np.array([high])

    def _reaches(self, level: float) -> npt.NDArray[np.bool_]:
        return np.array([self.decides])


def _single(bound: Array | float) -> float:
    """The bound of the one row that a suite has."""
    return float(np.ravel(bound)[0])


@dataclass(frozen=True, slots=True)
class AveragedUnits:
    """What a mean is over: problems, or whole clusters where these count equally; tasks are strata."""

    strata: list[Stratum]
    unit: str  # "problem" or "cluster"
    clusters: Codes | None  # whose mean each problem enters first

    def rows(self, values: Array) -> Array:
        """(m, q) of ``values`` (n, q) by problem: those of the units that count."""
        if self.clusters is None:
            return values
        return np.array([compensated_means(values[part]) for part in members(self.clusters)])


def units_of_mean(design: Design, n: int) -> AveragedUnits:
    """The units behind the mean of ``n`` problems of this design."""
    codes = np.arange(n) if design.clusters is None else codes_of(design.clusters)
    if design.weights == "clusters":
        return AveragedUnits([one_stratum(np.arange(int(codes.max()) + 1))], "cluster", codes)
    alone = design.clusters is None
    if design.task_names and not alone and np.array_equal(codes, codes_of(design.tasks or ())):
        alone, codes = True, np.arange(n)  # the clusters are the tasks
    return AveragedUnits(design_strata(design, codes, np.arange(n)), "problem" if alone else "cluster", None)


def over_problems(old: Array, new: Array, sample: AveragedUnits, share: bool, single: bool) -> tuple[Contrasts, str]:
    """The mean difference of problems (rows; costs of their runs), and its test.

    ``share``: the differences lie between −1 and 1. ``single``: one run each, so that 0/1 scores are single answers.
    """
    strata = sample.strata
    of_answers = sample.unit == "problem" and len(strata) == 1 and single and share
    if of_answers and np.isin(np.concatenate([old, new]), (0.0, 1.0, -1.0)).all():
        return _changed_answers(row_moments(new)[0] - row_moments(old)[0]), "score"
    means = sample.rows(np.column_stack([row_moments(new)[0], row_moments(old)[0]]))
    scales = sample.rows(np.column_stack([np.nanmax(np.abs(side), axis=1) for side in (new, old)]))
    units = [s.n_clusters for s in strata]
    if sum(units) < 2:
        raise ScoreError(
            "has one problem, or one cluster, and the mean over problems has no error then; use level='problem' with "
            "several runs per problem",
            parameter="new",
        )
    engine = _unit_mean(means, scales, strata)
    most = float(np.abs(means[:, 0] - means[:, 1]).max())
    mean = 0.0 if abs(engine.estimate) <= _NOISE * most else engine.estimate
    estimate, df = np.array([mean]), np.array([engine.df])
    alone = tuple(s.name for s in strata if s.n_clusters < 2)
    if engine.error > _LAST_BITS * most:
        return OfUnits(estimate, np.array([engine.error]), df, engine, alone), "t"
    of_units = [s.sums(means[:, :1] - means[:, 1:])[:, 0] / s.sizes for s in strata]
    if share and float(np.ptp(np.concatenate(of_units))) <= _LAST_BITS:
        fewest = min(g / s.weight for g, s in zip(units, strata, strict=True))
        return Unvaried(estimate, np.array([0.0]), df, fewest), "t"
    return Contrasts(estimate, np.array([np.nan]), df), "t"


def over_series(series: Scores) -> Contrasts:
    """The mean difference of rows in time, by their independent averages; columns new and old."""
    refuse_groups_of_series(series)
    averages = serial_mean(series).averages
    means = averages.values
    mean = _unit_mean(means, np.abs(means), [one_stratum(np.arange(len(means)))])
    return OfUnits(np.array([mean.estimate]), np.array([mean.error]), np.array([mean.df]), mean, ())


def _changed_answers(d: Array) -> ChangedAnswers:
    b, c, n = int(np.sum(d > 0)), int(np.sum(d < 0)), len(d)
    error = math.sqrt(max(b + c - (b - c) ** 2 / n, 0.25)) / n
    return ChangedAnswers(np.array([(b - c) / n]), np.array([error]), np.array([np.inf]), b, c, n)


def _unit_mean(means: Array, scales: Array, strata: Sequence[Stratum]) -> UnitMean:
    """The mean of the differences of two columns, in one sample or in several strata."""
    if len(strata) == 1:
        codes = np.empty(len(means), dtype=np.int64)
        codes[strata[0].rows] = np.repeat(np.arange(strata[0].n_clusters), strata[0].sizes)
        return unit_mean(means[:, 0] - means[:, 1], scales.max(axis=1), codes)
    exponent = math.frexp(float(scales.max()))[1]
    scaled, reach = (np.ldexp(part, -exponent) for part in (means, scales))
    moments = pair_moments(scaled, reach, PAIR, strata)
    return UnitMean(
        estimate=math.ldexp(float(moments.means[0]), exponent),
        error=math.ldexp(float(moments.errors[0]), exponent),
        df=float(moments.df[0]),
        n=len(means),
        n_units=sum(s.n_clusters for s in strata),
        subsets=None,
    )


def over_runs(old: Array, new: Array, each: Array, pair: bool) -> Contrasts:
    """The mean over fixed problems in each run, rows being problems and columns runs that all of them share.

    ``each`` (n,): by which a problem enters the mean.
    """
    if not pair:  # a side may have fewer runs than the other one
        old, new = (side[:, ~np.isnan(side).all(axis=0)] for side in (old, new))
    if np.isnan(old).any() or np.isnan(new).any():
        raise ScoreError(
            "has problems with different numbers of runs; one test over all benchmarks averages them run by run, so "
            "every run needs all of them. Use level='problem'",
            parameter="new",
        )
    first, second = ((each @ side)[None, :] for side in (old, new))
    contrasts = paired(first, second) if pair else welch(first, second)
    return replace(contrasts, least=least_pvalues(first, second, pair))
