"""The promise of a plan in words, and its limits."""

import numpy as np

from bakeoff import numerals
from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted
from bakeoff.omnibus import OMNIBUS
from bakeoff.paired import PAIRED
from bakeoff.plan.options import PlanDesign
from bakeoff.plan.power_models.base import Effect
from bakeoff.plan.power_models.sign import sign_powers, win_probability
from bakeoff.scores import Array

_PAPER = "Campelo & Takahashi (2019)"
TEST_NAMES = {name: test.noun for name, test in {**PAIRED, **OMNIBUS}.items()}


def promise(options: PlanDesign, n: int, effect: Effect, alpha: float, profile: Array) -> str:
    """One or two sentences."""
    who = f"With {options.who(n)}"
    if options.margin is not None:
        assert isinstance(effect, float)
        noun = TEST_NAMES[options.test]
        return options.margin.promise(who, noun, effect, alpha, profile)
    name = ("one-sided " if options.one_sided else "") + TEST_NAMES[options.test]
    if options.test == "friedman":
        return (
            f"{who} the {name} at alpha = {alpha:g} detects with probability {profile[0]:.3f} that "
            f"{_friedman_effect(options, effect)}. It does not promise that any particular pair is detected."
        )
    assert isinstance(effect, float)
    what = f"a true effect of {abs(effect):.4g} standard deviations of the differences (d)"
    count = options.n_comparisons
    normal = options.test != "sign"  # of the sign test a caution says what the effect stands for
    if count == 1:
        who += " and normal differences" if normal else ""
        return f"{who} a {name} at alpha = {alpha:g} detects {what} with probability {profile[0]:.3f}."
    who += ", normal differences" if normal else ""
    rule = f"{who} and {count} {name}s under Holm's correction (alpha = {alpha:g}),"
    if options.target == "worst":
        return (
            f"{rule} each comparison with {what} is detected with probability at least {profile[0]:.3f}. This holds "
            f"whatever the others are. That all {count} are detected at once is less probable and not promised."
        )
    if options.target == "mean":
        mean = numerals.in_percent(float(np.mean(profile)), 1)
        return (
            f"{rule} if all {count} comparisons have {what}, on average at least {mean} of them are detected. A "
            f"single effect among true nulls is detected with probability {profile[0]:.3f} only, and that all are "
            "detected at once is not promised."
        )
    return (
        f"{rule} half of Holm's steps have power {np.median(profile):.3f} or more for {what}. A single effect among "
        f"true nulls is detected with probability {profile[0]:.3f} only, and that all {count} are detected at once is "
        "not promised."
    )


def _friedman_effect(options: PlanDesign, effect: Effect) -> str:
    if isinstance(effect, float):
        return f"one of {options.n_algorithms} algorithms is {abs(effect):g} residual standard deviations from the rest"
    means = ", ".join(f"{x:g}" for x in effect)
    return f"{options.n_algorithms} algorithms have means {means} (in residual standard deviations)"


def plan_cautions(
    options: PlanDesign, n: int, effect: Effect, alpha: float, wanted_power: float
) -> tuple[Caution, ...]:
    cautions = [*_about_test(options, effect), *_about_method(options, n, effect, alpha, wanted_power)]
    if options.test != "friedman" and options.n_comparisons > 1 and options.target != "worst":
        cautions.append(caution_of("average-power", target=options.target))
    if options.test in ("t", "wilcoxon") and n < 10:
        cautions.append(caution_of("too-few", "planned-problems", count=counted(n, options.unit)))
    return tuple(cautions)


def _about_test(options: PlanDesign, effect: Effect) -> list[Caution]:
    if options.test == "wilcoxon":
        return [caution_of("symmetric-differences", reference=f"{_PAPER}, section 4.4.2")]
    if options.test == "sign" and options.method == "exact":
        assert isinstance(effect, float)
        p = float(win_probability(abs(effect) * options.scale))
        return [caution_of("win-probability", p=p, unit=options.unit)]
    if options.test == "friedman":
        return [caution_of("omnibus-only")]
    return []


def _about_method(options: PlanDesign, n: int, effect: Effect, alpha: float, wanted_power: float) -> list[Caution]:
    if options.method != "are":
        return []
    if options.test == "wilcoxon":
        return [caution_of("relative-efficiency", "signed-ranks", reference=f"{_PAPER}, (26)", unit=options.unit)]
    assert isinstance(effect, float)
    exact = np.mean(
        sign_powers(n, abs(effect) * options.scale, options.aim(alpha, wanted_power).levels, options.one_sided)
    )
    falls = " and falls short" if exact < wanted_power else ""
    return [
        caution_of(
            "relative-efficiency",
            "signs",
            reference=f"{_PAPER}, (26)",
            n=n,
            unit=options.unit,
            exact=exact,
            falls=falls,
        )
    ]
