"""Power curves: what an experiment of given size can see, as data."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, cast

import numpy as np

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ParameterError, counted
from bakeoff.plan._power import smallest_effect
from bakeoff.plan.margins import Claim
from bakeoff.plan.options import (
    Alternative,
    Method,
    PlanDesign,
    Setting,
    Target,
    TestName,
    checked_alpha,
    checked_power,
    design,
)
from bakeoff.plan.pilots import Comparisons
from bakeoff.plan.power_models.wilcoxon import Simulation
from bakeoff.plan.promises import TEST_NAMES, plan_cautions
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, read_only

_POINTS = 61
_DRAWS = 20_000  # per point of a simulated curve: an error of 0.001 cannot be seen in a plot
_FEW_DRAWS = 4_000  # of two tests against a margin, at a hundred sizes
_SIZES = (6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30, 35, 40, 50, 60, 70, 80, 100, 120, 150, 200, 250, 300)
MOST_POINTS = 2000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # arrays inside: == would be ambiguous
class PowerCurve(Setting, Reportable):
    """The result of :func:`bakeoff.plan.curve`; ``.save`` draws it: .svg .png .pdf .tex."""

    kind: ClassVar[str] = "plan"

    x: Array  # (n_points,) places on the axis x
    y: Array  # (n_points,) what is reached there
    x_name: str  # "effect size" or "problems"
    y_name: str  # "power" or "effect size"
    mark: tuple[float, float] | None  # where the wanted power is reached; None if not on the curve
    summary: str  # the curve in a sentence
    n: int | None  # given, or None if it is x
    effect_size: float | None  # given, or None if it is x or y


def curve(
    n: int | None = None,
    effect_size: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    test: TestName = "t",
    n_algorithms: int = 2,
    comparisons: Comparisons = "all-pairs",
    target: Target = "worst",
    method: Method | None = None,
    rng: object = None,
    values: Sequence[float] | Array | None = None,
    *,
    margin: float | None = None,
    claim: Claim | None = None,
    cluster_size: float | None = None,
    icc: float | None = None,
    cluster_cv: float = 0.0,
) -> PowerCurve:
    """How does power change with the effect, or with the number of problems?

    Use it before an experiment with a given set of problems, to say which differences it can be expected to find
    (section 4.5 of the paper): give ``n``. Give ``effect_size`` instead to see power against the number of problems,
    or neither to see which effect each number of problems finds with the wanted power. Not after the experiment.

    Parameters
    ----------
    n : int, optional
        Problems; the curve is power against effect size.
    effect_size : float, optional
        The curve is power against the number of problems.
    power : float
        Wanted power, marked on the curve.
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
    values : sequence of float, optional
        Where to compute the curve: effect sizes from 0 on, or numbers of problems. Default: some 60 points up to
        nearly certain power, or from 6 to 300 problems.

    Returns
    -------
    PowerCurve
        ``.x``, ``.y``, ``.mark``, ``.summary``; ``.save("curve.svg")`` draws it.

    Raises
    ------
    ParameterError
        A value outside its rule, or both ``n`` and ``effect_size``.

    Notes
    -----
    The formulas are those of :func:`bakeoff.plan.instances`. For one-sided tests the effect is on the side the test
    looks at. The power of the sign test is not monotone in n. Ties are assumed absent.

    Examples
    --------
    >>> import bakeoff as bo
    >>> seen = bo.plan.curve(200, alternative="greater", values=[0.1, 0.2])
    >>> [round(float(y), 3) for y in seen.y]  # Campelo & Takahashi (2019), Figure 4
    [0.407, 0.88]
    >>> round(seen.mark[0], 3)
    0.176
    """
    if n is not None and effect_size is not None:
        raise ParameterError(
            "n and effect_size are both given: that is one point, bo.plan.power(n, effect_size); leave one of them out"
        )
    if n is not None and margin is not None:
        rule = "is not for a curve with a margin, which is power against n; bo.plan.power(n, margin=) is one point"
        raise ParameterError(rule, parameter="n")
    clusters, against = (cluster_size, icc, cluster_cv), (margin, claim)
    options = design(test, method, alternative, n_algorithms, comparisons, target, rng, clusters, against)
    if not options.two_tests:
        options = _with_draws(options, _DRAWS)
    level = checked_alpha(alpha, options.margin is not None)
    wanted_power = checked_power(power, level)
    if n is not None:
        size = options.checked_n(n)
        drawn = _against_effect(options, size, level, wanted_power, values)
        cautions = plan_cautions(options, size, 1.0, level, wanted_power)
    elif effect_size is not None or options.margin is not None:
        effect = options.checked_effect(effect_size)
        if not isinstance(effect, float):
            rule = "must be one number for a curve: one algorithm apart from all others"
            raise ParameterError(rule, parameter="effect_size")
        drawn = _against_size(options, effect, level, wanted_power, values)
        cautions = plan_cautions(options, 30, effect, level, wanted_power)
    else:
        drawn = _effect_against_size(options, level, wanted_power, values)
        cautions = plan_cautions(options, 30, 1.0, level, wanted_power)
    shown = 0.0 if effect_size is None and options.margin is not None else effect_size
    return PowerCurve(
        **drawn._replace(summary=f"{_design(options, level)}: {drawn.summary}")._asdict(),
        n=None if n is None else int(n),
        effect_size=shown,
        wanted_power=wanted_power,
        method=" and ".join(dict.fromkeys(options.model.method(int(m)) for m in (drawn.x if n is None else [n]))),
        # those about one effect size belong to a plan, not to a curve over all of them
        cautions=tuple(c for c in cautions if c.code not in ("win-probability", "relative-efficiency")),
        **options.setting(level),
    )


def _with_draws(options: PlanDesign, n_draws: int) -> PlanDesign:
    """With so many in each simulation, if there are any."""
    model = options.model
    return replace(options, model=replace(model, n_draws=n_draws)) if isinstance(model, Simulation) else options


class _Drawn(NamedTuple):
    """The fields of a curve that differ between its kinds."""

    x: Array
    y: Array
    x_name: str
    y_name: str
    mark: tuple[float, float] | None
    summary: str


def _design(options: PlanDesign, alpha: float) -> str:
    sides = "One-sided " if options.one_sided else "Two-sided "
    name = "Friedman test" if options.test == "friedman" else sides + TEST_NAMES[options.test]
    if options.margin is not None:
        name = options.margin.tests(TEST_NAMES[options.test])
        name = name[0].upper() + name[1:]
    if options.n_comparisons == 1:
        return f"{name}, alpha = {alpha:g}"
    whose = {"worst": "power for any single one", "mean": "mean power", "median": "median power"}[options.target]
    many = f"{options.n_comparisons} comparisons under Holm's correction, {whose}"
    return f"{name}, {many}, alpha = {alpha:g}"


def _against_effect(options: PlanDesign, n: int, alpha: float, wanted_power: float, values: object) -> _Drawn:
    reached = smallest_effect(options, n, alpha, wanted_power)
    if values is None:
        x = np.linspace(0.0, smallest_effect(options, n, alpha, max(0.995, wanted_power)), _POINTS)
    else:
        x = _checked_values(values, 0.0, whole=False)
    sign = -1.0 if options.alternative == "less" else 1.0
    y = np.array([options.power_at(n, sign * float(d), alpha) for d in x])
    sentence = f"{options.who(n)} detect an effect of {reached:.3g} with power {wanted_power:g}."
    return _Drawn(read_only(x), read_only(y), "effect size", "power", (reached, wanted_power), sentence)


def _against_size(options: PlanDesign, effect: float, alpha: float, wanted_power: float, values: object) -> _Drawn:
    n_needed = options.size(effect, options.aim(alpha, wanted_power)).n
    if values is None:
        sizes = np.unique(np.round(np.linspace(options.model.least, max(2 * n_needed, 10), 2 * _POINTS)))
    else:
        sizes = _checked_values(values, options.model.least, whole=True)
    at = options.power_at(n_needed, effect, alpha)
    if options.two_tests:
        options = _with_draws(options, _FEW_DRAWS)
    y = np.array([options.power_at(int(size), effect, alpha) for size in sizes])
    sentence = f"an effect of {abs(effect):.3g} takes {options.who(n_needed)} (power {at:.3f})."
    if options.margin is not None:
        sentence = f"a true difference of {effect:.3g} takes {options.who(n_needed)} (power {at:.3f})."
    return _Drawn(read_only(sizes), read_only(y), f"{options.unit}s", "power", (float(n_needed), at), sentence)


def _effect_against_size(options: PlanDesign, alpha: float, wanted_power: float, values: object) -> _Drawn:
    if values is None:
        sizes = np.array([size for size in _SIZES if size > options.least_problems(alpha)], dtype=np.float64)
    else:
        sizes = _checked_values(values, options.model.least, whole=True)
    y = np.array([smallest_effect(options, int(size), alpha, wanted_power) for size in sizes])
    first, last = int(sizes[0]), int(sizes[-1])
    sentence = (
        f"with power {wanted_power:g}, {options.who(first)} detect an effect of {y[0]:.3g}, "
        f"{counted(last, options.unit)} one of {y[-1]:.3g}."
    )
    return _Drawn(read_only(sizes), read_only(y), f"{options.unit}s", "effect size", None, sentence)


def _checked_values(values: object, least: float, whole: bool) -> Array:
    try:
        x = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        x = np.empty(0)
    shaped = x.ndim == 1 and 1 <= len(x) <= MOST_POINTS and bool(np.all(np.isfinite(x)))
    if not shaped or x.min() < least or (whole and np.any(x != np.round(x))):
        what = "whole numbers of problems" if whole else "effect sizes"
        rule = f"must be 1 to {MOST_POINTS} {what}, {least:g} or more; got {str(values)[:80]!r}"
        raise ParameterError(rule, parameter="values")
    return cast(Array, np.unique(x))
