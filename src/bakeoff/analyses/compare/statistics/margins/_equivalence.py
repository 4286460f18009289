"""Equivalence of two algorithms: is neither worse than the other by the smallest difference that matters?"""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.statistics.effect_choice import tango_bounds
from bakeoff.analyses.compare.statistics.margins.claims import Against, claim_of, margin_doubts, skew_cautions
from bakeoff.analyses.compare.statistics.margins.one_sided import TESTS, distance, interval_beside, unseen_beyond
from bakeoff.analyses.compare.statistics.mean_cautions import ShownMean, shown_means
from bakeoff.checks import choice, number
from bakeoff.dataclass import dataclass
from bakeoff.effects._hodges_lehmann import interval_cautions, interval_cut, shift_with_interval
from bakeoff.effects.signed_rank_inversion import smallest_difference
from bakeoff.effects.tied_means import many_ties, tied_mean
from bakeoff.paired.alternatives import PairResult, of_pair
from bakeoff.paired.differences import Differences, paired_differences
from bakeoff.paired.many_pairs import Columns
from bakeoff.ranks.measured_scores import margin_scores
from bakeoff.scores import Better
from bakeoff.scores.clusters import by_cluster, of_units, row_unit
from bakeoff.scores.contents import two_values
from bakeoff.scores.margins import beyond_scores, margin_of
from bakeoff.scores.two_samples import TwoSamples, scores_of_two
from bakeoff.takes_table import of_two

_NAME = "The test against a margin"


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceResult(PairResult):
    """The result of :func:`bakeoff.equivalence`; estimate, interval and margin are positive where a is better."""

    pvalue: float  # of "they differ by the margin or more": the larger of the next two
    log_pvalue: float  # natural logarithm
    p_a_not_worse: float  # of "a is worse than b by the margin or more"
    p_b_not_worse: float
    verdict: str  # "practically equal", "a not worse", "b not worse" or "not shown", at alpha
    estimate: (
        float  # Hodges–Lehmann (wilcoxon) or mean (t), in score units; with a percentage ln(x_a/x_b) or its opposite
    )
    interval: tuple[float, float]
    confidence_level: float  # 1 − 2·alpha
    margin: float  # in the unit of the estimate
    relative: bool  # the margin is a percentage
    alpha: float
    test: str


@of_two
def equivalence(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    margin: float | str | None = None,
    test: Literal["wilcoxon", "t"] = "wilcoxon",
    alpha: float = 0.05,
    relative: bool = False,
    *,
    better: Better | None = None,
) -> EquivalenceResult:
    """Are a and b equal for practical purposes, or one of them at least not worse, over the problems?

    Use it to show that a difference is smaller than what matters; a large p of ``bo.wilcoxon`` does not show that. The
    margin is fixed before the scores are seen. For several pairs of one table: ``bo.compare(margin=)``.

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms), its means over runs and clusters; or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.equivalence(x, y, margin=0.01, better="higher")``: one score per problem of a, and of b.
    margin : float or str
        The smallest difference that matters: in score units, or as a percentage, ``"5%"``.
    test : {"wilcoxon", "t"}
        "wilcoxon" is exact (to 1000 problems) if differences are symmetric about their median, and about the typical
        difference (Hodges–Lehmann). "t" is about the mean, exact if differences are normal.
    alpha : float
        Level of each of the two one-sided tests, and so of "practically equal"; below 0.5.
    relative : bool
        The number given as margin is a fraction: 0.05 means "5%".

    Returns
    -------
    EquivalenceResult
        ``.pvalue`` = max(``.p_a_not_worse``, ``.p_b_not_worse``), ``.verdict``, ``.estimate``, ``.interval``.

    Raises
    ------
    ParameterError, InfiniteScoreError
        No margin, or one below the precision of the scores; a percentage of scores that are not above 0; no difference.

    Notes
    -----
    Two one-sided tests (Schuirmann 1987): d + margin > 0 and d − margin < 0, d positive where a is better. The margin
    is applied before ranking and ties are decided on decimals; a problem exactly at the margin is dropped. A percentage
    compares |ln(x_a/x_b)| with ln(1.05): neither score may exceed the other by 5 %. The interval of level 1 − 2·alpha
    lies strictly inside the margin exactly if p ≤ alpha.

    Examples
    --------
    >>> import bakeoff as bo
    >>> a, b = [0.81, 0.74, 0.92, 0.66, 0.88, 0.79, 0.71, 0.95], [0.80, 0.75, 0.91, 0.67, 0.86, 0.80, 0.71, 0.94]
    >>> result = bo.equivalence(a, b, margin=0.02, better="higher")
    >>> result.verdict, result.pvalue
    ('practically equal', 0.0078125)
    """
    scores, i, j = scores_of_two(scores, a, b, better)
    limit = margin_of(margin, relative)
    choice("test", test, TESTS)
    level = number("alpha", alpha, above=0.0, below=0.5)
    scores.require_finite(_NAME, [i, j])
    pair = scores.select([i, j])  # a percentage does not ask what the others hold
    measured, clustered = by_cluster(margin_scores(pair, limit)), scores.clusters is not None
    apart = distance(clustered, two_values(scores), limit)
    differences, n = paired_differences(measured, 0, 1, _NAME), measured.n_problems
    tied = many_ties(n - int(np.count_nonzero(differences.values)), n)
    used = "share" if apart is not None else "t" if tied else test  # the mean where the median says little
    estimate, low, high = _sized(differences, used, level, apart)
    columns = Columns.of(measured)
    against = Against(measured=measured, columns=columns, family=[(0, 1)], places=[0], by=[used], apart=apart)
    (tested,) = against.tests(limit.value, level, [estimate])
    if used != "t":
        smallest = smallest_difference(np.maximum(differences.scales, limit.value))
        low, high = interval_beside(low, high, limit.value, level, tested, smallest)
    doubtful = margin_doubts([against], 1, level)
    if used == "t" and not doubtful:
        name = against.name((0, 1))
        doubtful = shown_means([ShownMean(name=name, values=differences.values, tied=tied)], row_unit(scores))
    if used == "wilcoxon":
        doubtful += interval_cautions(n, 1.0 - 2.0 * level, interval_cut(n, 1.0 - 2.0 * level)[1])
    beyond = [] if limit.relative else beyond_scores(pair, limit.value)
    cautions = [*beyond, *doubtful, *skew_cautions([against], limit.value, [tested.a], [tested.b], level)]
    return EquivalenceResult(
        **(of_pair(scores, i, j) | {"n_problems": n}),
        pvalue=tested.equal,
        log_pvalue=tested.log_equal,
        p_a_not_worse=tested.a,
        p_b_not_worse=tested.b,
        verdict=claim_of(tested.a <= level, tested.b <= level) or "not shown",
        estimate=estimate,
        interval=(low, high),
        confidence_level=1.0 - 2.0 * level,
        margin=limit.value,
        relative=limit.relative,
        alpha=level,
        test=used,
        cautions=of_units(cautions, row_unit(scores)),
    )


def _sized(differences: Differences, used: str, alpha: float, apart: float | None) -> tuple[float, float, float]:
    """The estimate and its interval of level 1 − 2·alpha; unbounded where the test of the mean shows nothing."""
    if used == "wilcoxon":
        return shift_with_interval(differences, 1.0 - 2.0 * alpha)
    if used == "share":
        return tango_bounds(differences, 1.0 - 2.0 * alpha, apart) if apart else (0.0, -math.inf, math.inf)
    return tied_mean(differences, 1.0 - 2.0 * alpha, unseen_beyond(alpha, len(differences.values)))
