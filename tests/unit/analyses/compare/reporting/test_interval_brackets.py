"""A bracket says whether the end belongs to the interval, by the number and not by its printed digits."""

import math

import pytest

from bakeoff.analyses.compare.reporting.effects import shown_interval
from bakeoff.analyses.compare.statistics.results import Interval


def interval(low: float, high: float, scale: str = "difference") -> Interval:
    return Interval(
        low=low,
        high=high,
        confidence_level=0.95,
        each_level=0.95,
        scale=scale,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (-5.3e-11, 72.2, "[0, 72.2]"),  # 0 lies inside; it was "(0, 72.2]", "which itself lies outside"
        (0, 72.2, "[0, 72.2]"),
        (5.3e-11, 72.2, "(0, 72.2]"),
        (-72.2, 5.3e-11, "[−72.2, 0]"),
        (-72.2, -5.3e-11, "[−72.2, 0)"),
        (0.1, 72.2, "[0.1, 72.2]"),
        (5.0, math.inf, "[5, ∞)"),  # it was "(0, ∞)"
    ],
)
def test_differences(low: float, high: float, shown: str) -> None:
    assert shown_interval(interval(low, high)) == shown


def test_the_null_of_a12_is_one_half() -> None:
    assert shown_interval(interval(0.5 - 1e-14, 0.9, "a12")).startswith("[0.5")
    assert shown_interval(interval(0.5 + 1e-14, 0.9, "a12")).startswith("(0.5")
