"""The number of problems is given: which power, which effect, which level does it reach?"""

import math

from bakeoff.errors import ParameterError, TooLargeError
from bakeoff.nulls.numerics import positive_root, root_between
from bakeoff.plan.margins import Claim
from bakeoff.plan.options import (
    SMALLEST_ALPHA,
    Alternative,
    Method,
    PlanDesign,
    Target,
    TestName,
    checked_alpha,
    checked_power,
    design,
)
from bakeoff.plan.pilots import Comparisons
from bakeoff.plan.power_models.base import SLACK
from bakeoff.plan.power_models.wilcoxon import WILCOXON_MOMENTS
from bakeoff.scores import Array

_DRAWN = 1e-5  # relative tolerance of an effect found by simulation, far below its error


def power(
    n: int,
    effect_size: float | Array | None = None,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    test: TestName = "t",
    n_algorithms: int = 2,
    comparisons: Comparisons = "all-pairs",
    target: Target = "worst",
    method: Method | None = None,
    rng: object = None,
    *,
    margin: float | None = None,
    claim: Claim | None = None,
    cluster_size: float | None = None,
    icc: float | None = None,
    cluster_cv: float = 0.0,
) -> float:
    """With what probability do n problems find an effect of this size?

    Use it when the set of problems is given (section 4.5 of the paper), before the experiment. Not afterwards with
    the effect just observed: that only restates the p-value.

    Parameters
    ----------
    n : int
        Problems; clusters with ``cluster_size``.
    effect_size : float, optional
        True effect, in standard deviations of the differences. An effect on the side that a one-sided test does
        not look at is allowed here: its power is below alpha.
    alpha : float
        Family-wise level of the tests; default 0.05.
    alternative : {"two-sided", "greater", "less"}
        "greater": only that the first algorithm is better counts.
    test : {"t", "wilcoxon", "sign", "friedman"}
        The test of the problems, as in :func:`bakeoff.plan.instances`.
    n_algorithms : int
        Up to 100 algorithms; default 2.
    comparisons : {"all-pairs", "control"}
        K = k(k−1)/2 or k − 1 tests under Holm's correction.
    target : {"worst", "mean", "median"}
        At which of Holm's levels a pair is tested.
    method : str, optional
        How power is computed, as in :func:`bakeoff.plan.instances`.
    rng : int or Generator, optional
        Seed or Generator of a simulation; seed 0 if absent.
    cluster_size : float, optional
        Mean number of problems in a cluster; numbers then count clusters.
    icc : float, optional
        Intraclass correlation of the problems of a cluster.
    cluster_cv : float
        Coefficient of variation of the clusters' sizes.
    margin : float, optional
        Half the width of the region of equivalence, or the worsening allowed, as in ``instances``.
    claim : {"equal", "not-worse"}, optional
        What is to be shown with ``margin``: a difference within ±margin, or above −margin.

    Returns
    -------
    float
        Of one comparison, or as ``target`` has it for several under Holm's correction.

    Raises
    ------
    ParameterError
        A value outside its rule.

    Notes
    -----
    The formulas are those of :func:`bakeoff.plan.instances`; with "are", the power of a t-test on ⌊n·ARE⌋ problems.
    Ties are assumed absent.

    Examples
    --------
    >>> import bakeoff as bo
    >>> round(bo.plan.power(33, 0.5), 6), round(bo.plan.power(34, 0.5), 6)
    (0.795366, 0.807778)
    >>> round(bo.plan.power(200, 0.1, alternative="greater"), 3)  # Campelo & Takahashi (2019), Figure 4
    0.407
    """
    clusters, against = (cluster_size, icc, cluster_cv), (margin, claim)
    options = design(test, method, alternative, n_algorithms, comparisons, target, rng, clusters, against, effect_size)
    effect = options.checked_effect(effect_size, search=False)
    return options.power_at(options.checked_n(n), effect, checked_alpha(alpha, options.margin is not None))


def detectable(
    n: int,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    test: TestName = "t",
    n_algorithms: int = 2,
    comparisons: Comparisons = "all-pairs",
    target: Target = "worst",
    method: Method | None = None,
    rng: object = None,
    *,
    cluster_size: float | None = None,
    icc: float | None = None,
    cluster_cv: float = 0.0,
) -> float:
    """Which effect do n problems find with the wanted power?

    Use it when the set of problems is given, to say before the experiment what it can and cannot see. Smaller
    effects may exist and go unseen: "no difference shown" then says little about them.

    Parameters
    ----------
    n : int
        Problems; clusters with ``cluster_size``.
    power : float
        Wanted probability of finding the effect.
    alpha : float
        Family-wise level of the tests; default 0.05.
    alternative : {"two-sided", "greater", "less"}
        "greater": only that the first algorithm is better counts.
    test : {"t", "wilcoxon", "sign", "friedman"}
        The test of the problems, as in :func:`bakeoff.plan.instances`.
    n_algorithms : int
        Up to 100 algorithms; default 2.
    comparisons : {"all-pairs", "control"}
        K = k(k−1)/2 or k − 1 tests under Holm's correction.
    target : {"worst", "mean", "median"}
        At which of Holm's levels a pair is tested.
    method : str, optional
        How power is computed, as in :func:`bakeoff.plan.instances`.
    rng : int or Generator, optional
        Seed or Generator of a simulation; seed 0 if absent.
    cluster_size : float, optional
        Mean number of problems in a cluster; numbers then count clusters.
    icc : float, optional
        Intraclass correlation of the problems of a cluster.
    cluster_cv : float
        Coefficient of variation of the clusters' sizes.

    Returns
    -------
    float
        The smallest effect size with that power, positive (negative for ``alternative="less"``).

    Raises
    ------
    ParameterError
        A value outside its rule, or so few problems that the test cannot reject at all.

    Notes
    -----
    Solves the power formula of :func:`bakeoff.plan.instances` for d. Ties are assumed absent.

    Examples
    --------
    >>> import bakeoff as bo
    >>> round(bo.plan.detectable(200, alternative="greater"), 3)  # Campelo & Takahashi (2019), section 5.2
    0.176
    """
    clusters = cluster_size, icc, cluster_cv
    options = design(test, method, alternative, n_algorithms, comparisons, target, rng, clusters)
    size, level = options.checked_n(n), checked_alpha(alpha)
    effect = smallest_effect(options, size, level, checked_power(power, level))
    return -effect if alternative == "less" else effect


def smallest_effect(options: PlanDesign, n: int, alpha: float, wanted_power: float) -> float:
    """Positive."""
    aim, model = options.aim(alpha, wanted_power), options.model

    def excess(d: float) -> float:
        return model.power(n, d, aim) - wanted_power

    if model.method(n) == "simulation":  # each value costs a tenth of a second: from a good guess, in small steps
        guess = positive_root(lambda d: WILCOXON_MOMENTS.power(n, d, aim) - wanted_power, 1.0, _DRAWN)
        effect = positive_root(excess, guess, _DRAWN, 1.05) if math.isfinite(guess) else guess
    else:
        effect = positive_root(excess, 1.0)
    if not math.isfinite(effect):
        more = f" (at alpha/{options.n_comparisons})" if options.n_comparisons > 1 else ""
        raise ParameterError(
            f"must be larger: {n} {options.unit}s cannot reach power={wanted_power:g} however large the effect: below "
            f"{max(options.least_problems(alpha), n + 1)} {options.unit}s the test rejects too rarely or "
            f"never{more}. Use more {options.unit}s, a larger alpha or test='t'.",
            parameter="n",
        )
    return effect / options.scale


def significance(
    n: int,
    effect_size: float | Array,
    power: float = 0.8,
    alternative: Alternative = "two-sided",
    test: TestName = "t",
    n_algorithms: int = 2,
    comparisons: Comparisons = "all-pairs",
    target: Target = "worst",
    method: Method | None = None,
    rng: object = None,
    *,
    cluster_size: float | None = None,
    icc: float | None = None,
    cluster_cv: float = 0.0,
) -> float:
    """At which level do n problems find the effect with the wanted power?

    Use it when problems and effect are given, to see what error rate that power would cost. Not to choose the level
    after seeing the scores.

    Parameters
    ----------
    n : int
        Problems; clusters with ``cluster_size``.
    effect_size : float, optional
        As in :func:`bakeoff.plan.instances`.
    power : float
        Wanted probability of finding the effect.
    alternative : {"two-sided", "greater", "less"}
        "greater": only that the first algorithm is better counts.
    test : {"t", "wilcoxon", "sign", "friedman"}
        The test of the problems, as in :func:`bakeoff.plan.instances`.
    n_algorithms : int
        Up to 100 algorithms; default 2.
    comparisons : {"all-pairs", "control"}
        K = k(k−1)/2 or k − 1 tests under Holm's correction.
    target : {"worst", "mean", "median"}
        At which of Holm's levels a pair is tested.
    method : str, optional
        How power is computed, as in :func:`bakeoff.plan.instances`.
    rng : int or Generator, optional
        Seed or Generator of a simulation; seed 0 if absent.
    cluster_size : float, optional
        Mean number of problems in a cluster; numbers then count clusters.
    icc : float, optional
        Intraclass correlation of the problems of a cluster.
    cluster_cv : float
        Coefficient of variation of the clusters' sizes.

    Returns
    -------
    float
        The smallest family-wise alpha with that power. Tests on signs and ranks have few possible levels: there it is
        one of those.

    Raises
    ------
    ParameterError
        A value outside its rule, or a power that no level reaches.

    Notes
    -----
    Solves the power formula of :func:`bakeoff.plan.instances` for alpha. Ties are assumed absent.

    Examples
    --------
    >>> import bakeoff as bo
    >>> round(bo.plan.significance(34, 0.5, power=0.807778), 5)
    0.05
    """
    clusters = cluster_size, icc, cluster_cv
    options = design(
        test, method, alternative, n_algorithms, comparisons, target, rng, clusters, effect_size=effect_size
    )
    size, effect, wanted_power = options.checked_n(n), options.checked_effect(effect_size), checked_power(power)

    def excess(log_alpha: float) -> float:
        return options.power_at(size, effect, math.exp(log_alpha)) - wanted_power

    low, high = math.log(SMALLEST_ALPHA), math.log1p(-1e-9)
    if excess(high) < 0:
        raise ParameterError(
            f"must be smaller, or n larger: {wanted_power:g} is not reached at any level with n={size} problems",
            parameter="power",
        )
    if excess(low) >= 0:
        raise TooLargeError(
            f"would be below {SMALLEST_ALPHA:g} with n={size} problems: the effect cannot be missed", parameter="alpha"
        )
    level = math.exp(root_between(excess, low, high, 1e-12))
    return level * (1 + 2 * SLACK) if options.model.has_levels else level  # the test's own p must not be above it
