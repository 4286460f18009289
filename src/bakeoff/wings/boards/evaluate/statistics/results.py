"""What an evaluation returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.design import Weights
from bakeoff.scores.pair_family import Adjusted, WithPairs, turned_interval

Verdict = Literal["a better", "b better", "no difference shown", "cannot tell"]


Correction = Literal["max-t", "holm", "bonferroni"]


Interval = tuple[float, float]


Method = Literal["t", "wilson", "logit", "atanh", "log", "exact"]
"""How the interval of a single mean is computed; logit, atanh, log: by t on this scale, of a metric of all items."""


Unit = Literal["cluster", "problem", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEstimate:
    """The mean of one algorithm.

    Attributes
    ----------
    algorithm, mean, standard_error : str, float, float
        Mean over the questions (over the suites' means, where there are suites), in score units.
    interval : (float, float)
        Of this mean by itself, at 1 − alpha: ``method`` "t", or "wilson" of right and wrong answers; of a metric of all
        items "logit", "atanh" or "log" (t on this scale), and "exact" of an AUC of 1.
    df : float
        Of "t": clusters − 1; over suites Satterthwaite's.
    n, n_clusters : int
        Questions, and independent units: clusters of them, or the questions themselves.
    variance, variance_between : float or None
        Of the questions' means; and without what the answers' own variance adds, σ²/K (it may be negative). None over
        suites, the latter also as ``sigma2_within``.
    sigma2_within : float or None
        Mean variance of the answers to one question; None with one answer, or with runs that are not independent.
    """

    algorithm: str
    mean: float  # mean over the questions (over the suites' means, where there are suites), in score units
    standard_error: float  # of the mean, in score units
    interval: Interval
    df: float
    method: Method  # of the interval: t, Wilson's for rates, t on another scale, or exact (of an AUC of 1)
    n: int  # questions
    n_clusters: int  # independent units: clusters of questions, or the questions themselves
    variance: float | None = None
    variance_between: float | None = None
    sigma2_within: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationPair(Adjusted):
    """Two algorithms on the same questions.

    Attributes
    ----------
    a, b, difference : str, str, float
        Positive where a is better, in score units.
    standard_error, df : float
        Of the difference, paired by question; ``statistic`` is their t.
    interval : (float, float)
        Of this pair by itself, at 1 − alpha: ``method`` "t", or "tango" of right and wrong answers.
    simultaneous : (float, float) or None
        With those of all other pairs at once; None where the number of clusters allows none.
    pvalue : float
        Of this pair by itself: t, or McNemar's exact test of right and wrong answers (``test``); ``t_pvalue`` is t's.
    adjusted : float
        Over the family, by the correction in force.
    sign_flip : float or None
        p-value of the sign-flip test of the clusters' sums, which is exact where these are symmetric; None over runs.
    correlation : float or None
        Of the questions' means of a and b; None where one is constant.
    unpaired_error : float
        The standard error that forgets the pairing.
    omega2 : float or None
        Var(d) − σ²_a/K_a − σ²_b/K_b, as computed: it may be negative. None as ``sigma2_within``, and over suites.
    noise_share : float or None
        Share of the squared standard error that the answers' own variance explains, at most 1.
    detectable : float or None
        Difference found with power 0.8 at the correction in force, with this standard error; of right and wrong answers
        by McNemar's exact test, or of several pairs no less than it could find.
    wins, losses : int
        Questions with the better mean for a, and for b.
    """

    a: str
    b: str
    difference: float
    statistic: float  # Student's t of the difference
    standard_error: float
    df: float
    interval: Interval
    method: Literal["t", "tango"]  # of the interval: t, or Tango's for right and wrong answers
    simultaneous: Interval | None = None
    pvalue: float
    t_pvalue: float  # of the t-test, beside McNemar's
    test: Literal["t", "mcnemar"]  # which test decides
    adjusted: float
    sign_flip: float | None = None
    correlation: float | None = None
    unpaired_error: float
    omega2: float | None = None
    noise_share: float | None = None
    detectable: float | None = None
    wins: int  # questions with the better mean for a
    losses: int  # questions with the better mean for b
    verdict: Verdict

    @property
    def turned(self) -> EvaluationPair:
        """The same pair as b against a."""
        simultaneous = self.simultaneous and turned_interval(self.simultaneous)
        return self._turned(statistic=0.0 - self.statistic, simultaneous=simultaneous)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteMeans:
    """One suite: the means of all algorithms, in column order, and their standard errors (None with one unit)."""

    suite: str  # its name
    n: int  # Questions
    n_clusters: int  # independent units
    means: tuple[float, ...]  # of all algorithms, in column order
    standard_errors: tuple[float, ...] | None  # in column order; None with one unit


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Evaluation(WithPairs[EvaluationPair], Reportable):
    """The result of :func:`bakeoff.evaluate`."""

    kind: ClassVar[str] = "evaluate"

    scores: Scores
    control: str | None = None
    correction: Correction
    alpha: float
    unit: Unit  # "run" below a leaderboard over runs
    suites: tuple[str, ...] | None = None  # of each problem
    tasks: Literal["fixed", "new"]  # whether the suites are all there is (fixed) or a sample of tasks (random)
    weights: Weights  # what counts equally
    n_resamples: int
    rng: int | None
    n_clusters: int  # independent units: clusters, problems, or suites
    exact: bool  # the distribution of the largest |t| is of all signs, not of a sample
    critical: float | None  # |t| of a difference; None where the number of clusters allows none
    estimates: tuple[ModelEstimate, ...]  # in column order
    pairs: tuple[EvaluationPair, ...]
    rank_intervals: Mapping[str, tuple[int, int]]  # best and worst rank by algorithm, with simultaneous confidence
    groups: tuple[tuple[str, ...], ...]  # tied sets, best first; none with a control
    suite_means: tuple[SuiteMeans, ...] = ()  # one entry per suite; empty without suites
    n_for_half: int | None = None  # problems that detect half of ``detectable``; tasks or clusters where each is a row
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()  # those of ``cautions`` that are about the source, and not computed from scores

    @property
    def request(self) -> Mapping[str, object]:
        """The arguments of the call."""
        names = ("control", "correction", "alpha", "rng", "tasks", "unit", "n_resamples")
        return {name: getattr(self, name) for name in names} | {"suites": None, "weights": None}  # scores have them

    @property
    def detectable(self) -> float | None:
        """The difference that is found with power 0.8 at the correction in force, in the pair where that is largest."""
        each = [pair.detectable for pair in self.pairs if pair.detectable is not None]
        return max(each, default=None)

    @property
    def listed(self) -> tuple[EvaluationPair, ...]:
        """The pairs as tables list them: the better of two algorithms first, unless one is the control."""
        turns = len(self.pairs) == 1 and self.control is None and self.pairs[0].difference < 0
        return (self.pairs[0].turned,) if turns else self.pairs

    @property
    def ranked(self) -> tuple[ModelEstimate, ...]:
        """The best mean first; equal ones in column order."""
        sign = -1.0 if self.scores.better == "higher" else 1.0
        return tuple(sorted(self.estimates, key=lambda estimate: sign * estimate.mean))

    def estimate(self, algorithm: str | int) -> ModelEstimate:
        """The estimate of one algorithm."""
        return self.estimates[self.scores.index(algorithm)]
