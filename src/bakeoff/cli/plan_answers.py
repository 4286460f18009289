"""The questions ``bakeoff plan`` understands, each turned into an answer."""

from __future__ import annotations

import math
from typing import Any

from bakeoff import plan
from bakeoff.cli.plan_page import Answer
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.plan.promises import TEST_NAMES

Options = dict[str, Any]  # of bo.plan's functions, only those given


def how_many(effect: Any, power: float, options: Options) -> Answer:
    """--effect: the number of problems."""
    found = plan.instances(effect, power=power, **options)
    size = found.effect_size
    curve = plan.curve(effect_size=size, power=power, **options) if isinstance(size, float) else None
    table = _around(found, power, options) if isinstance(size, float) else ()
    teeth = (
        "" if found.n_first == found.n else f" ({found.n_first} reach it first, but a few more may fall below again)"
    )
    return Answer(
        headline=f"{counted(found.n, 'problem')}{teeth}: {_design(found)}.",
        promise=found.promise,
        table=table,
        notes=_both_questions(found),
        curve=curve,
        cautions=found.cautions,
        data={
            "question": "n",
            "n": found.n,
            "n_first": found.n_first,
            "n_unrounded": found.n_unrounded,
            "power": found.power,
            "profile": found.profile.tolist(),
            "levels": found.levels.tolist(),
            "effect_size": size if isinstance(size, float) else size.tolist(),
            "wanted_power": found.wanted_power,
            "promise": found.promise,
            **_setting(found),
        },
    )


def what_is_seen(n: int, power: float, options: Options) -> Answer:
    """--n: the smallest effect found with the wanted power."""
    effect = plan.detectable(n, power=power, **options)
    curve = plan.curve(n=n, power=power, **options)
    rows = [("effect size d", "power")]
    for share in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5):
        size = share * effect
        rows.append((f"{size:.3f}", f"{plan.power(n, size, **options):.3f}"))
    return Answer(
        headline=f"{counted(n, 'problem')} find an effect of {abs(effect):.3g} or more with power {power:g}: "
        f"{_design(curve)}.",
        promise="Smaller effects may exist and go unseen: that no difference is shown then says little about them.",
        table=tuple(rows),
        curve=curve,
        cautions=curve.cautions,
        data={"question": "effect_size", "n": n, "effect_size": effect, "wanted_power": power, **_setting(curve)},
    )


def how_probable(n: int, effect: Any, options: Options) -> Answer:
    """--n and --effect: the power."""
    power = plan.power(n, effect, **options)
    curve = plan.curve(n=n, **options) if isinstance(effect, float) else None
    return Answer(
        headline=f"With {counted(n, 'problem')} {_shown(effect)} found with probability {power:.3f}"
        + (f": {_design(curve)}." if curve else "."),
        curve=curve,
        cautions=curve.cautions if curve else (),
        data={"question": "power", "n": n, "effect_size": effect, "power": power, **(_setting(curve) if curve else {})},
    )


def which_level(n: int, effect: Any, power: float, options: Options) -> Answer:
    """--n, --effect and --power: alpha."""
    level = plan.significance(n, effect, power=power, **options)
    test = TEST_NAMES[options.get("test", "t")]
    return Answer(
        headline=f"With {counted(n, 'problem')} {_shown(effect)} found with power {power:g} if alpha is "
        f"{level:.3g} or more ({test}).",
        promise="An alpha chosen to reach a power must be chosen, and said, before the experiment.",
        data={"question": "alpha", "n": n, "effect_size": effect, "wanted_power": power, "alpha": level},
    )


def _shown(effect: Any) -> str:
    return f"an effect of {effect:g} is" if isinstance(effect, float) else "these means are"


def _around(found: plan.InstancePlan, power: float, options: Options) -> tuple[tuple[str, ...], ...]:
    rows = [("problems", "power", f"effect found with power {power:g}")]
    for share in (0.5, 0.75, 1.0, 1.5, 2.0):
        n = max(2, math.ceil(share * found.n - 1e-9))
        try:
            seen = f"{abs(plan.detectable(n, power=power, **options)):.3f}"
        except ParameterError:
            seen = "none"
        rows.append((str(n), f"{plan.power(n, found.effect_size, **options):.3f}", seen))
    return tuple(dict.fromkeys(rows))


def _both_questions(found: plan.InstancePlan) -> tuple[str, ...]:
    """An omnibus test is no plan for the pairs, nor the reverse: both numbers, with their units."""
    if found.n_algorithms < 3 or not isinstance(found.effect_size, float):
        return ()
    alpha, k, size = found.alpha, found.n_algorithms, abs(found.effect_size)
    if found.test == "friedman":
        pairs = plan.instances(size / math.sqrt(2), alpha, found.wanted_power, n_algorithms=k)
        return (
            f"To find a pair that differs so much, paired t-tests under Holm's correction need "
            f"{counted(pairs.n, 'problem')} (d = {size / math.sqrt(2):.3g} standard deviations of the differences).",
        )
    omnibus = plan.instances(size * math.sqrt(2), alpha, found.wanted_power, test="friedman", n_algorithms=k)
    return (
        f"Friedman's test alone would notice one algorithm so far from {k - 1} equal ones with "
        f"{counted(omnibus.n, 'problem')}; it does not say which one.",
    )


def _design(found: Any) -> str:
    sides = "one-sided" if found.alternative != "two-sided" else "two-sided"
    name = TEST_NAMES[found.test]
    if found.test == "friedman":
        return f"{name} of {found.n_algorithms} algorithms, alpha {found.alpha:g}"
    if found.n_comparisons == 1:
        return f"{sides} {name}, alpha {found.alpha:g}"
    kind = "each with the control" if found.comparisons == "control" else "all pairs"
    return (
        f"{found.n_algorithms} algorithms, {kind}, {found.n_comparisons} {sides} {name}s with Holm's correction, "
        f"alpha {found.alpha:g}"
    )


def _setting(found: Any) -> dict[str, Any]:
    names = ("alpha", "alternative", "test", "method", "n_algorithms", "comparisons", "n_comparisons", "target")
    return {name: getattr(found, name) for name in names}


def caution_data(cautions: list[Caution]) -> list[dict[str, str]]:
    return [{"code": c.code, "text": c.text, "reference": c.reference} for c in cautions]
