"""Power curves: what an experiment of given size can see, as data."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import ClassVar, cast

import numpy as np

from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.plan._power import smallest_effect
from bakeoff.plan.holm_levels import Target
from bakeoff.plan.options import (
    Alternative,
    Asked,
    Method,
    TestName,
    asked,
    checked_alpha,
    checked_effect,
    checked_n,
    checked_power,
    right_way,
)
from bakeoff.plan.pilots.standard_errors import Comparisons
from bakeoff.plan.power_models.models import Effect, WilcoxonDraws, least_problems
from bakeoff.plan.promises import TEST_NAMES, plan_cautions
from bakeoff.scores import Array, read_only

_POINTS = 61
_DRAWS = 20_000  # per point of a simulated curve: an error of 0.001 cannot be seen in a plot
_SIZES = (6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30, 35, 40, 50, 60, 70, 80, 100, 120, 150, 200, 250, 300)
MOST_POINTS = 2000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class PowerCurve:
    """What :func:`bakeoff.plan.curve` returns."""

    kind: ClassVar[str] = "plan"
    x: Array  # (n_points,)
    y: Array  # (n_points,)
    x_name: str  # "effect size" or "problems"
    y_name: str  # "power" or "effect size"
    mark: tuple[float, float] | None  # where the wanted power is reached; None if not on the curve
    summary: str  # the curve in a sentence
    n: int | None  # given, or None if it is x
    effect_size: float | None  # given, or None if it is x or y
    wanted_power: float
    alpha: float
    alternative: str
    test: str
    method: str
    n_algorithms: int
    comparisons: str
    n_comparisons: int
    target: str
    cautions: tuple[Caution, ...]

    def save(self, path: str | PathLike[str]) -> None:
        """Draw it into a file: .svg .png .pdf .tex."""
        figures = importlib.import_module("bakeoff.figures")
        figures.save(figures.diagram(self), path)


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
    alpha, alternative, test, n_algorithms, comparisons, target, method, rng
        As in :func:`bakeoff.plan.instances`. Simulated curves use 20 000 samples per point.
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
    looks at. Curves of the sign test have teeth in n: they are real. Ties are assumed absent.

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
    question = _quick(asked(test, method, alternative, n_algorithms, comparisons, target, rng))
    level = checked_alpha(alpha)
    wanted = checked_power(power, level)
    if n is not None:
        size = checked_n(n, question)
        drawn = _against_effect(question, size, level, wanted, values)
        cautions = plan_cautions(question, size, 1.0, level, wanted)
    elif effect_size is not None:
        effect = checked_effect(effect_size, question)
        if not isinstance(effect, float):
            raise ParameterError("effect_size must be one number for a curve: one algorithm apart from all others")
        right_way(effect, question)
        drawn = _against_size(question, effect, level, wanted, values)
        cautions = plan_cautions(question, 30, effect, level, wanted)
    else:
        drawn = _effect_against_size(question, level, wanted, values)
        cautions = plan_cautions(question, 30, 1.0, level, wanted)
    return PowerCurve(
        x=read_only(drawn.x),
        y=read_only(drawn.y),
        x_name=drawn.x_name,
        y_name=drawn.y_name,
        mark=drawn.mark,
        summary=f"{_asked_for(question, level)}: {drawn.summary}",
        n=None if n is None else int(n),
        effect_size=None if effect_size is None else float(effect_size),
        wanted_power=wanted,
        alpha=level,
        alternative=alternative,
        test=test,
        method=" and ".join(dict.fromkeys(question.law.method(int(m)) for m in (drawn.x if n is None else [n]))),
        n_algorithms=question.n_algorithms,
        comparisons=comparisons,
        n_comparisons=question.n_comparisons,
        target=target,
        # those about one effect size belong to a plan, not to a curve over all of them
        cautions=tuple(c for c in cautions if c.code not in ("win-probability", "relative-efficiency")),
    )


@dataclass(frozen=True, slots=True)
class _Drawn:
    x: Array
    y: Array
    x_name: str
    y_name: str
    mark: tuple[float, float] | None
    summary: str


def _quick(question: Asked) -> Asked:
    law = question.law
    return replace(question, law=WilcoxonDraws(law.seed, _DRAWS)) if isinstance(law, WilcoxonDraws) else question


def _asked_for(question: Asked, alpha: float) -> str:
    sides = "One-sided " if question.one_sided else "Two-sided "
    name = "Friedman test" if question.test == "friedman" else sides + TEST_NAMES[question.test]
    if question.n_comparisons == 1:
        return f"{name}, alpha = {alpha:g}"
    whose = {"worst": "power for any single one", "mean": "mean power", "median": "median power"}[question.target]
    many = f"{question.n_comparisons} comparisons under Holm's correction, {whose}"
    return f"{name}, {many}, alpha = {alpha:g}"


def _against_effect(question: Asked, n: int, alpha: float, wanted: float, values: object) -> _Drawn:
    reached = smallest_effect(question, n, alpha, wanted)
    if values is None:
        x = np.linspace(0.0, smallest_effect(question, n, alpha, max(0.995, wanted)), _POINTS)
    else:
        x = _checked_values(values, 0.0, whole=False)
    sign = -1.0 if question.alternative == "less" else 1.0
    y = np.array([question.power_at(n, sign * float(d), alpha) for d in x])
    said = f"{counted(n, 'problem')} find an effect of {reached:.3g} with power {wanted:g}."
    return _Drawn(x, y, "effect size", "power", (reached, wanted), said)


def _against_size(question: Asked, effect: Effect, alpha: float, wanted: float, values: object) -> _Drawn:
    found = question.law.size(question.towards(effect), question.aim(alpha, wanted)).n
    if values is None:
        sizes = np.unique(np.round(np.linspace(question.law.least, max(2 * found, 10), 2 * _POINTS)))
    else:
        sizes = _checked_values(values, question.law.least, whole=True)
    y = np.array([question.power_at(int(size), effect, alpha) for size in sizes])
    at = question.power_at(found, effect, alpha)
    what = f"{abs(effect):.3g}" if isinstance(effect, float) else "this size"
    said = f"an effect of {what} takes {counted(found, 'problem')} (power {at:.3f})."
    return _Drawn(sizes, y, "problems", "power", (float(found), at), said)


def _effect_against_size(question: Asked, alpha: float, wanted: float, values: object) -> _Drawn:
    def reached(size: float) -> float:
        return smallest_effect(question, int(size), alpha, wanted)

    if values is None:
        least = least_problems(question.law, float(question.aim(alpha, wanted).levels[0]), question.one_sided)
        sizes = np.array([size for size in _SIZES if size > least], dtype=np.float64)
    else:
        sizes = _checked_values(values, question.law.least, whole=True)
    y = np.array([reached(size) for size in sizes])
    first, last = int(sizes[0]), int(sizes[-1])
    said = (
        f"with power {wanted:g}, {counted(first, 'problem')} find an effect of {y[0]:.3g}, "
        f"{counted(last, 'problem')} one of {y[-1]:.3g}."
    )
    return _Drawn(sizes, y, "problems", "effect size", None, said)


def _checked_values(values: object, least: float, whole: bool) -> Array:
    try:
        x = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        x = np.empty(0)
    shaped = x.ndim == 1 and 1 <= len(x) <= MOST_POINTS and bool(np.all(np.isfinite(x)))
    if not shaped or x.min() < least or (whole and np.any(x != np.round(x))):
        what = "whole numbers of problems" if whole else "effect sizes"
        raise ParameterError(f"values must be 1 to {MOST_POINTS} {what}, {least:g} or more; got {str(values)[:80]!r}")
    return cast(Array, np.unique(x))
