"""One effect over all problems: the mean of their effects, with the error that its unit has.

Questions stand for other questions: the unit is the question, or the cluster of questions. Benchmarks are fixed: the
unit is the run, in which all of them were measured.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from bakeoff.errors import ScoreError
from bakeoff.means.assumptions import least_pvalues
from bakeoff.means.unit_mean import UnitMean, unit_mean
from bakeoff.paired.shares import tango, tango_score
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes
from bakeoff.wings.guard.check.statistics.contrasts import Contrasts, paired, row_moments, welch

_NOISE = 1e-14  # of a mean of differences that cancel
_INSIDE = 1.0 - 1e-12  # a difference of shares that is not ±1


@dataclass(frozen=True, slots=True)
class Unvaried(Contrasts):
    """All units have one difference between −1 and 1, so that the t-test has no error.

    If the mean were ``bound``, at least a share π of units would have to have other differences; none of G had one,
    which has probability (1 − π)^G at most. Without a difference, and for c = 0, that is the rule of three.
    """

    units: int

    def p_above(self, bound: Array | float) -> Array:
        c = self.estimate
        return np.where(c > bound, ((1.0 + bound) / (1.0 + c)) ** self.units, 1.0)

    def p_below(self, bound: Array | float) -> Array:
        c = np.minimum(self.estimate, 1.0 - 1e-15)
        return np.where(c < bound, ((1.0 - bound) / (1.0 - c)) ** self.units, 1.0)

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

    def p_above(self, bound: Array | float) -> Array:
        return np.array([ndtr(-self._score(bound))])

    def p_below(self, bound: Array | float) -> Array:
        return np.array([ndtr(self._score(bound))])

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        low, high = tango(self.b, self.c, self.n, -float(ndtri(alpha)))
        return np.array([low]), np.array([high])

    def _score(self, bound: Array | float) -> float:
        return tango_score(self.b, self.c, self.n, min(max(_single(bound), -_INSIDE), _INSIDE))


@dataclass(frozen=True, slots=True)
class OfUnits(Contrasts):
    """The mean over problems, or over clusters of them of any size, with what the engine of means says of it."""

    mean: UnitMean

    def p_above(self, bound: Array | float) -> Array:
        return np.array([self.mean.pvalue("greater", _single(bound))[0] if self.mean.decides else 1.0])

    def p_below(self, bound: Array | float) -> Array:
        return np.array([self.mean.pvalue("less", _single(bound))[0] if self.mean.decides else 1.0])

    def bounds(self, alpha: float) -> tuple[Array, Array]:
        low, high = self.mean.interval(1.0 - 2.0 * alpha) if self.mean.decides else (-math.inf, math.inf)
        return np.array([low]), np.array([high])

    def _reaches(self, level: float) -> npt.NDArray[np.bool_]:
        return np.array([self.mean.decides])


def _single(bound: Array | float) -> float:
    """Of the one row that a suite has."""
    return float(np.ravel(bound)[0])


def over_problems(old: Array, new: Array, codes: Codes | None, share: bool, single: bool) -> tuple[Contrasts, str, str]:
    """The mean difference of problems (rows; costs of their runs), its test and its unit.

    ``share``: the differences lie between −1 and 1. ``single``: one run each, so that 0/1 scores are single answers.
    """
    d = row_moments(new)[0] - row_moments(old)[0]
    n = len(d)
    if codes is None and single and share and np.isin(np.concatenate([old, new]), (0.0, 1.0, -1.0)).all():
        b, c = int(np.sum(d > 0)), int(np.sum(d < 0))
        error = math.sqrt(max(b + c - (b - c) ** 2 / n, 0.25)) / n
        return (
            ChangedAnswers(np.array([(b - c) / n]), np.array([error]), np.array([np.inf]), b, c, n),
            "score",
            "problem",
        )
    groups = np.arange(n) if codes is None else codes
    count = len(np.unique(groups))
    if count < 2:
        raise ScoreError(
            "has one problem, or one cluster, and the mean over problems has no error then; use level='problem' with "
            "several runs per problem",
            parameter="new",
        )
    scales = np.fmax(np.nanmax(np.abs(old), axis=1), np.nanmax(np.abs(new), axis=1))
    engine = unit_mean(d, scales, groups)
    mean = 0.0 if abs(engine.estimate) <= _NOISE * float(np.abs(d).max()) else engine.estimate
    estimate, df = np.array([mean]), np.array([engine.df])
    unit = "problem" if codes is None else "cluster"
    if engine.error <= 1e-13 * float(np.abs(d).max()):
        if share:
            return Unvaried(estimate, np.array([0.0]), df, count), "t", unit
        return Contrasts(estimate, np.array([np.nan]), df), "t", unit
    return OfUnits(estimate, np.array([engine.error]), df, engine), "t", unit


def over_runs(old: Array, new: Array, pair: bool) -> Contrasts:
    """The mean over fixed problems in each run, rows being problems and columns runs that all of them share."""
    if not pair:  # a side may have fewer runs than the other one
        old, new = (side[:, ~np.isnan(side).all(axis=0)] for side in (old, new))
    if np.isnan(old).any() or np.isnan(new).any():
        raise ScoreError(
            "has problems with different numbers of runs; one test over all benchmarks averages them run by run, so "
            "every run needs all of them. Use level='problem'",
            parameter="new",
        )
    first, second = old.mean(axis=0)[None, :], new.mean(axis=0)[None, :]
    contrasts = paired(first, second) if pair else welch(first, second)
    return replace(contrasts, least=least_pvalues(first, second, pair))
