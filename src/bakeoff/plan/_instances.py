"""How many problems does an experiment need?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from bakeoff.errors import Caution
from bakeoff.plan.holm_levels import Target
from bakeoff.plan.options import (
    Alternative,
    Method,
    TestName,
    asked,
    checked_alpha,
    checked_effect,
    checked_power,
    right_way,
)
from bakeoff.plan.pilots.standard_errors import Comparisons
from bakeoff.plan.power_models.models import Effect, mean_power
from bakeoff.plan.promises import plan_cautions, promise
from bakeoff.scores import Array, read_only


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class InstancePlan:
    """What :func:`bakeoff.plan.instances` returns."""

    n: int  # problems: enough, and so is every larger number
    n_first: int  # the first n that reaches the power; smaller than n where adding a problem can lower the power
    n_unrounded: float | None  # t: the real number whose ceiling is n; what sequential designs inflate
    power: float  # achieved by n, as the target defines it
    profile: Array  # (n_comparisons,) power of one comparison at each of Holm's levels
    levels: Array  # (n_comparisons,) alpha/K, alpha/(K − 1), …, alpha
    promise: str  # what this n gives, in a sentence
    effect_size: Effect
    wanted_power: float
    alpha: float
    alternative: str
    test: str
    method: str  # the one actually used
    n_algorithms: int
    comparisons: str
    n_comparisons: int
    target: str
    cautions: tuple[Caution, ...]


def instances(
    effect_size: float | Array,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: Alternative = "two-sided",
    test: TestName = "t",
    n_algorithms: int = 2,
    comparisons: Comparisons = "all-pairs",
    target: Target = "worst",
    method: Method | None = None,
    rng: object = None,
) -> InstancePlan:
    """How many problems are needed to find an effect of this size?

    Use it before any run, with the smallest effect that would matter in practice. Not with the effect that an
    experiment has just shown: the "observed power" of a finished test says nothing that its p-value does not. Not
    for the number of runs on a problem, which is ``bo.plan.repetitions``.

    Parameters
    ----------
    effect_size : float or sequence of float
        Mean difference between two algorithms over problems, in standard deviations of those differences (Cohen's
        d of paired differences, (3) and (25) of the paper). For the sign test it stands for the probability Φ(d) of
        winning a problem. For ``test="friedman"`` in *residual* standard deviations (of an algorithm's scores within
        problems): a list of the algorithms' means, or one number for a single algorithm apart from all others.
    alpha : float
        Family-wise level.
    power : float
        Wanted probability of finding the effect.
    alternative : {"two-sided", "greater", "less", "one-sided"}
        "greater": a is better, the effect is positive; "less": the reverse; "one-sided": the effect's own side.
    test : {"t", "wilcoxon", "sign", "friedman"}
        The test that the finished experiment will use.
    n_algorithms : int
        Up to 100.
    comparisons : {"all-pairs", "control"}
        K = k(k−1)/2 or k − 1 tests under Holm's correction.
    target : {"worst", "mean", "median"}
        Which power of the K comparisons: at alpha/K, valid for one comparison whatever the others are; the mean over
        Holm's levels; their median. None of them means that *all* are found: see ``.promise``.
    method : str, optional
        t: "exact". wilcoxon: "simulation" (default), "exact-variance", "noether", "are". sign: "exact" (default),
        "are". friedman: "chi2". "are" is the paper's rule of thumb.
    rng : None, int or Generator
        For the simulation.

    Returns
    -------
    InstancePlan
        ``.n``, the ``.power`` it achieves, ``.n_first``, ``.profile``, ``.promise``.

    Raises
    ------
    ParameterError
        A value outside its rule, or an effect in the direction that the test does not look.
    TooLargeError
        An effect so small that no number of problems in reach would do.

    Notes
    -----
    t: power = P(T' > t) + P(T' < −t), T' noncentral t with n − 1 degrees of freedom and noncentrality d√n: (22) of
    Campelo & Takahashi (2019), whose section 4.5 misprints d/√n; (23) drops the far tail. Levels are α/(K − i + 1).
    Wilcoxon: the exact test on 400 000 to a million normal samples per n (standard error 0.0002 at most), started from
    E and Var of W⁺ under the alternative; beyond 300 problems those moments alone. Sign: exact binomial sums; ``n`` is
    where the power stays, ``n_first`` where it first arrives. "are": ⌈n_t/0.86⌉ and ⌈n_t/0.637⌉, (26); for the sign
    test that falls short, though the paper calls it conservative. Friedman: noncentral χ² with the noncentrality of
    the expected ranks. Ties are assumed absent.

    Examples
    --------
    >>> import bakeoff as bo
    >>> plan = bo.plan.instances(0.5)  # Campelo & Takahashi (2019), section 5.1: 34
    >>> plan.n, round(plan.power, 6)
    (34, 0.807778)
    >>> bo.plan.instances(0.5, n_algorithms=3, target="mean").n
    40
    """
    question = asked(test, method, alternative, n_algorithms, comparisons, target, rng, effect_size)
    effect = checked_effect(effect_size, question)
    right_way(effect, question)
    level = checked_alpha(alpha)
    wanted = checked_power(power, level)
    aim = question.aim(level, wanted)
    size = question.law.size(question.towards(effect), aim)
    levels = question.levels(level)
    profile = question.law.powers(size.n, question.towards(effect), levels, question.one_sided)
    return InstancePlan(
        n=size.n,
        n_first=size.first,
        n_unrounded=size.unrounded,
        power=mean_power(question.law, size.n, question.towards(effect), aim),
        profile=read_only(profile),
        levels=read_only(levels),
        promise=promise(question, size.n, effect, level, wanted, profile),
        effect_size=effect if isinstance(effect, float) else cast(Array, read_only(effect.copy())),
        wanted_power=wanted,
        alpha=level,
        alternative=alternative,
        test=test,
        method=size.method,
        n_algorithms=question.n_algorithms,
        comparisons=comparisons,
        n_comparisons=question.n_comparisons,
        target=target,
        cautions=plan_cautions(question, size.n, effect, level, wanted),
    )
