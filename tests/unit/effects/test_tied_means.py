"""A mean that stands beside Wilcoxon's test because of ties has an interval that holds, or none with the reason."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ttest_1samp

import bakeoff as bo
from bakeoff import report
from bakeoff.effects.tied_means import from_usual, tied_mean, with_unseen
from bakeoff.paired.differences import Differences


def bounds(d: np.ndarray, level: float = 0.95) -> tuple[float, float, float]:
    return tied_mean(Differences(values=d, scales=np.abs(d)), level)


def compared(d: np.ndarray, **options: str) -> bo.Comparison:
    return bo.compare(bo.Scores(np.c_[0 * d, d], better="lower"), **options)  # type: ignore[arg-type]


def codes(found: bo.Comparison) -> list[str]:
    return [caution.code for caution in found.cautions]


def test_fourteen_that_differ_have_no_bounds_and_fifteen_have() -> None:
    for differing, bounded in ((14, False), (15, True)):
        d = np.r_[np.zeros(20), np.arange(1.0, differing + 1)]
        found = compared(d)
        effect, interval = found.pairs[0].effect, found.pairs[0].interval
        assert effect is not None
        assert interval is not None
        assert effect.kind == "mean"
        assert effect.estimate == d.mean()
        assert math.isfinite(interval.low) == math.isfinite(effect.high) == bounded
        assert ("too-few" in codes(found)) != bounded


def test_differences_that_are_equal_but_for_rounding_do_not_carry_a_mean() -> None:
    d = np.r_[np.full(10, 0.1), np.full(10, 0.3 - 0.2), 0.1 + np.arange(1.0, 15)]
    assert bounds(d)[1:] == (-math.inf, math.inf)


@pytest.mark.parametrize(("level", "unseen"), [(0.95, 2), (0.975, 3), (1 - 0.05 / 6, 5), (0.5, 2)])
def test_each_end_is_of_students_interval_with_the_unseen(level: float, unseen: int) -> None:
    d = np.r_[np.zeros(12), np.arange(1.0, 19), -np.arange(1.0, 5)]
    mean, low, high = bounds(d, level)
    below = ttest_1samp(np.r_[d, [-18.0] * unseen], 0).confidence_interval(level)
    above = ttest_1samp(np.r_[d, [18.0] * unseen], 0).confidence_interval(level)
    assert mean == pytest.approx(d.mean())
    assert (low, high) == pytest.approx((below.low, above.high))


def test_differences_that_are_mostly_another_number_are_like_zeros() -> None:
    d = np.r_[np.zeros(20), np.arange(1.0, 17)]
    assert bounds(d + 100.0) == pytest.approx([100.0 + end for end in bounds(d)])
    assert bounds(np.r_[np.full(20, 7.0), 8.0])[1:] == (-math.inf, math.inf)


def test_students_interval_stays_with_students_test() -> None:
    d = np.r_[np.zeros(20), np.arange(1.0, 9)]
    found = compared(d, pairwise="t")
    assert found.pairs[0].effect is not None
    low, high = ttest_1samp(d, 0).confidence_interval(0.95)
    assert (found.pairs[0].effect.low, found.pairs[0].effect.high) == pytest.approx((low, high))
    assert "too-few" not in codes(found)


def test_a_headline_has_no_interval_from_minus_infinity() -> None:
    headline = report.render(compared(np.r_[np.zeros(6), np.arange(1.0, 15)]), "md").split("**")[1]
    assert headline.endswith("on average by 5.25.")


def test_differences_beyond_the_largest_float_have_no_usual_number() -> None:
    values = np.array([1.5e308] * 8 + [-1.5e308, 1e308])
    found = Differences(values=values, scales=np.abs(values))
    usual, rest = from_usual(found)
    assert (usual, rest) == (0.0, found)
    small = Differences(values=values / 1e308, scales=np.abs(values) / 1e308)
    usual, rest = from_usual(small)
    assert (usual, rest.values.tolist()) == (1.5, [0.0] * 8 + [-3.0, -0.5])


def test_the_unseen_have_the_size_and_the_rounding_of_the_largest() -> None:
    values = np.array([0.0, 0.0, -3.0, 1.0, 2.0])
    found = with_unseen(Differences(values=values, scales=np.array([1.0, 9.0, 5.0, 4.0, 3.0])), -1, 2)
    assert found.values.tolist() == [0.0, 0.0, 3.0, -1.0, -2.0, -3.0, -3.0]
    assert found.scales.tolist() == [1.0, 9.0, 5.0, 4.0, 3.0, 9.0, 9.0]
    few_zeros = Differences(values=values[1:] + (values[1:] == 0), scales=np.ones(4))
    assert len(with_unseen(few_zeros, 1, 2).values) == 4
