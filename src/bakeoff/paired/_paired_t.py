"""The paired t-test, on differences or relative differences."""

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import choice, number, probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError, listing
from bakeoff.means.assumptions import long_tail
from bakeoff.means.cautions import skewed_differences
from bakeoff.means.unit_mean import UnitMean, unit_mean
from bakeoff.paired.alternatives import ALTERNATIVES, PairTestResult, of_pair
from bakeoff.paired.differences import Differences, paired_differences
from bakeoff.ranks import refuse_overflow, tie_tolerance
from bakeoff.scores import Array, Better, Scores
from bakeoff.scores.clusters import Codes, by_cluster
from bakeoff.scores.two_samples import TwoSamples, refuse_clusters, scores_of_two
from bakeoff.takes_table import of_two

NAME = "The paired t-test"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanTestResult(PairTestResult):
    """Result of a t-test of the mean difference; ``statistic``: t, positive where a is better."""

    df: float
    estimate: float  # mean difference, positive where a is better, in score units (relative: a fraction)
    standard_error: float
    low: float
    high: float
    confidence_level: float
    zeros: int  # problems without a difference


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTResult(MeanTestResult):
    """Result of :func:`bakeoff.paired_t`."""

    df: int
    relative: bool


@of_two
def paired_t(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    relative: bool = False,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
    confidence_level: float = 0.95,
    *,
    null_value: float = 0.0,
    better: Better | None = None,
) -> PairedTResult:
    """Is the mean difference between a and b, over the problems, zero (or ``null_value``)?

    Use it when differences are of the same kind on every problem and nearly normal, or there are many problems
    (about 30) and no outliers. Not when one problem can outweigh the others (errors on different scales): use
    ``bo.wilcoxon``. Not for several pairs of one table without correcting the p-values (``bo.compare``).

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms), of which cell means over runs are used; or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.paired_t(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    relative : bool
        Divide each difference by the mean size of its two scores, |a + b|/2, which evens out problems on
        different scales. Both scores zero: the difference is 0.
    alternative : {"two-sided", "greater", "less"}
        "greater": a is better than b, whatever the direction of the scores.
    confidence_level : float
        Of the interval for the mean difference; one-sided (one end infinite) with a one-sided alternative.
    null_value : float
        The mean difference of the null hypothesis, μ₀, in score units (relative: a fraction); positive: a is better.

    Returns
    -------
    PairedTResult
        ``.statistic``, ``.df``, ``.pvalue``, ``.log_pvalue``, ``.estimate`` with ``.low`` and ``.high``.

    Raises
    ------
    InfiniteScoreError
        An infinite score has no difference; the message names the cell.
    ParameterError
        ``relative=True`` where two scores cancel (a = −b); an option that does not exist.

    Notes
    -----
    t = (d̄ − μ₀) / (s/√n) with n − 1 degrees of freedom (Demšar 2006, section 3.1.2; Campelo & Takahashi 2019, (19)),
    d_i positive where a is better. μ₀ is 0 if not given, and the interval is that of the mean.
    Relative: d_i = (a_i − b_i) / ((a_i + b_i)/2). Differences are equal within 16 units in the last place of the
    scores behind the most exact of them, or where rounding explains them. Where all are equal the error is 0, which
    says nothing of how they vary: p is 1 and the interval unbounded (a caution says so), as with one problem.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.paired_t(bo.datasets.load("demsar_2006"), "C4.5+m", "C4.5")  # Demšar (2006), Table 2; R 4.2.2
    >>> round(result.statistic, 4), result.df, round(result.pvalue, 5)
    (2.8462, 13, 0.01376)
    """
    table, i, j = scores_of_two(scores, a, b, better)
    if relative:
        refuse_clusters(table, "a relative difference", "relative=False takes cluster means")
    scores = by_cluster(table)
    choice("alternative", alternative, ALTERNATIVES)
    level, null = probability("confidence_level", confidence_level), number("null_value", null_value)
    differences = paired_differences(scores, i, j, NAME)
    if relative:
        differences = _relative(scores, i, j, differences)
    mean, n = unit_mean(differences.values, differences.scales), scores.n_problems
    return PairedTResult(
        **of_pair(scores, i, j),
        **t_test(mean, differences, alternative, level, null),
        df=n - 1,
        relative=relative,
        cautions=(*t_cautions(n, mean.error), *tail_cautions(scores, i, j, differences.values)),
    )


def t_test(
    mean: UnitMean, differences: Differences, alternative: str, level: float, null_value: float = 0.0
) -> dict[str, Any]:
    """The fields of a result that its mean decides."""
    p, log_p = mean.pvalue(alternative, null_value)
    low, high = mean.interval(level, alternative)
    return {
        "statistic": t_statistic(mean, null_value),
        "pvalue": p,
        "log_pvalue": log_p,
        "estimate": mean.estimate,
        "standard_error": mean.error,
        "low": low,
        "high": high,
        "confidence_level": level,
        "method": "t",
        "alternative": alternative,
        "zeros": int(np.sum(differences.values == 0)),
    }


def tail_cautions(scores: Scores, i: int, j: int, differences: Array, codes: Codes | None = None) -> list[Caution]:
    """Warn of differences too skewed for t; ``codes``: the clusters that are independent, or each difference is."""
    codes = np.arange(len(differences)) if codes is None else codes
    names = [f"{scores.algorithms[i]} and {scores.algorithms[j]}"] if long_tail(differences, codes) else []
    return skewed_differences(names, "problems" if scores.clusters is None else "clusters")


def _relative(scores: Scores, a: int, b: int, differences: Differences) -> Differences:
    """d / (|x_a + x_b|/2): fractions of the two scores' mean, positive where a is better."""
    middle = np.abs(scores.values[:, a] / 2 + scores.values[:, b] / 2)  # halved first: no overflow
    cancelling = (middle <= tie_tolerance(differences.scales)) & (differences.values != 0)
    if cancelling.any():
        raise ParameterError(
            ": the two scores cancel (a = −b), so their mean is 0 and nothing can be divided by it: problem "
            f"{listing(repr(scores.problems[i]) for i in np.flatnonzero(cancelling))}. "
            "Use relative=False, or bo.wilcoxon.",
            parameter="relative",
        )
    safe = np.where(differences.values == 0, 1.0, middle)
    with np.errstate(over="ignore"):
        values, scales = differences.values / safe, differences.scales / safe
    refuse_overflow(values, NAME)
    return Differences(values=values, scales=scales)


def t_statistic(mean: UnitMean, null_value: float = 0.0) -> float:
    """t; of an error of 0 the limit."""
    beyond = mean.estimate - null_value
    if mean.error > 0:
        return beyond / mean.error + 0.0
    return 0.0 if beyond == 0 else math.copysign(math.inf, beyond)


def t_cautions(n: int, se: float, differences: str = "differences") -> tuple[Caution, ...]:
    if n == 1:
        return (caution_of("one-problem", "differences", differences=differences),)
    if se == 0:
        return (caution_of("no-variation", "differences", n=n, differences=differences),)
    return ()
