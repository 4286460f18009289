"""Plans for a margin: which claim is to be shown, how large the margin is, and what the plan promises."""

from typing import Literal, cast

from bakeoff.checks import choice, number
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError
from bakeoff.plan.power_models import EQUAL_MODELS
from bakeoff.scores import Array
from bakeoff.scores.margins import read_margin

Claim = Literal["equal", "not-worse"]
CLAIMS = ("equal", "not-worse")
LARGEST_MARGIN = 1e6
_UNIT = "standard deviations of the differences"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginPlan:
    """The claim that tests against a margin are to show."""

    value: float  # in standard deviations of the differences
    claim: Claim

    def reach(self, effect: float) -> float:
        """The distance of a true difference inside the margin; 0 or less where the claim is wrong."""
        return self.value - abs(effect) if self.claim == "equal" else self.value + effect

    def require_inside(self, effect: float) -> None:
        """Before a search for power."""
        if self.reach(effect) <= 0:
            where = f"inside ±{self.value:g}" if self.claim == "equal" else f"above −{self.value:g}"
            raise ParameterError(
                f"must lie {where}, the margin; got {effect:g}: at the margin or beyond it the claim is wrong, and "
                "made with probability alpha at most however many problems there are",
                parameter="effect_size",
            )

    def tests(self, noun: str) -> str:
        """``two one-sided paired t-tests against ±0.3``."""
        if self.claim == "equal":
            return f"two one-sided {noun}s against ±{self.value:g}"
        return f"one-sided {noun} against −{self.value:g}"

    def promise(self, who: str, noun: str, effect: float, alpha: float, powers: Array) -> str:
        """One or two sentences; ``powers`` are those of one pair at each of Holm's levels."""
        equal, count = self.claim == "equal", len(powers)
        claim = (
            f"practically equal (within ±{self.value:g} {_UNIT})"
            if equal
            else f"not worse by {self.value:g} {_UNIT} or more"
        )
        true = f"a true difference of {abs(effect):.4g}" if equal else f"truly {_standing(effect)}"
        if count == 1:
            tests = f"two one-sided {noun}s" if equal else f"a one-sided {noun}"
            show = f"show two algorithms with {true}" if equal else f"shows an algorithm that is {true}"
            return (
                f"{who} and normal differences {tests} at alpha = {alpha:g} {show} to be {claim} with probability "
                f"{powers[0]:.3f}."
            )
        whose = f"each single pair with {true}" if equal else f"each single algorithm that is {true}"
        return (
            f"{who}, normal differences and {count} pairs under Holm's correction at alpha = {alpha:g}, {whose} is "
            f"shown to be {claim} with probability at least {powers[0]:.3f}, whatever the others are. That this is "
            f"shown for all {count} pairs at once is less probable and not promised."
        )


def _standing(effect: float) -> str:
    """The true difference of the algorithm that is to be not worse."""
    if effect == 0:
        return "as good as the other"
    return f"{'better' if effect > 0 else 'worse'} than the other by {abs(effect):.4g}"


def planned_margin(margin: object, unit: str, most: float) -> float:
    """Above 0 and in this unit; a percentage is a ratio of scores, which a plan does not have yet."""
    rule = f"must be a number above 0, in {unit}"
    value, percent = read_margin(margin, rule, "the smallest difference that matters")
    if percent:
        raise ParameterError(f"{rule}: a percentage is a ratio of scores; got {margin!r}", parameter="margin")
    return number("margin", value, most=most)


def margin_plan(
    margin: object, claim: object, test: object, alternative: object, target: object = "worst"
) -> MarginPlan | None:
    if margin is None:
        if claim is not None:
            raise ParameterError(f"needs margin=; got {claim!r} without one", parameter="claim")
        return None
    value = planned_margin(margin, _UNIT, LARGEST_MARGIN)
    chosen = "equal" if claim is None else choice("claim", claim, CLAIMS)
    of_test = "be 't' or 'wilcoxon' with a margin, since ranks within problems and signs measure no difference"
    of_side = "be left out with a margin, whose tests are one-sided: claim='equal' makes both, claim='not-worse' one"
    of_step = "be 'worst' with a margin: the power at the first of Holm's steps, which holds for every pair"
    refused = {
        "test": (test not in EQUAL_MODELS, of_test, test),
        "alternative": (alternative != "two-sided", of_side, alternative),
        "target": (target != "worst", of_step, target),
    }
    for parameter, (wrong, rule, value_given) in refused.items():
        if wrong:
            raise ParameterError(f"must {rule}; got {value_given!r}", parameter=parameter)
    return MarginPlan(value=value, claim=cast(Claim, chosen))
