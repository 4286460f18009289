"""When a margin's cautions are there, when they are not, and what they say."""

from typing import Any

import numpy as np
import pytest

import bakeoff as bo


def codes(found: Any) -> set[str]:
    return {caution.code for caution in found.cautions}


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("size", [1.0, 0.0])
def test_a_mean_beyond_the_margin_is_pointed_out_on_its_side_only(side: int, size: float) -> None:
    """Of a claim of "not worse", and of "practically equal": the mean lies beyond the margin if ``size`` is 1."""
    place = np.arange(30)
    x = np.full(30, 5.0)
    y = x + 0.002 * (-1.0) ** place * (1 + place / 30) + side * np.where(place < 3, size, 0.0)
    found = bo.compare(bo.Scores(np.column_stack([x, y]), ["x", "y"], better="lower"), margin=0.01)
    assert (found.pairs[0].verdict, found.pairs[0].test) == ("practically equal", "wilcoxon")
    assert ("margin-of-the-median" in codes(found)) == (size == 1.0)


def test_a_difference_in_units_of_the_scores_says_nothing_of_a_margin_in_percent() -> None:
    """Scores of 5000 that differ by .1 %, which is 5."""
    y = 5000.0 * (1.001 + 0.0001 * np.sin(np.arange(30)))
    found = bo.compare(bo.Scores(np.column_stack([np.full(30, 5000.0), y]), better="lower"), margin="1%", alpha=0.01)
    claims = [found.pairs[0].adjusted_a_not_worse, found.pairs[0].adjusted_b_not_worse]
    assert max(claim if claim is not None else 1.0 for claim in claims) < 0.01


@pytest.mark.parametrize("side", [1, -1])
def test_a_claim_of_one_side_may_be_contradicted_too(side: int) -> None:
    """By signed ranks x is not worse (side 1): it is better 27 times by a little, and worse three times by much."""
    y = 5.0 + side * np.where(np.arange(30) < 3, -1.0, 0.05 + 0.001 * np.arange(30))
    found = bo.compare(bo.Scores(np.column_stack([np.full(30, 5.0), y]), ["x", "y"], better="lower"), margin=0.01)
    (pair,) = found.pairs
    shown = [(p or 0.0) <= 0.05 for p in (pair.adjusted_a_not_worse, pair.adjusted_b_not_worse)]
    assert shown == [side == 1, side == -1]
    assert "margin-of-the-median" in codes(found)


@pytest.mark.parametrize("turned", [False, True])
def test_a_p_equal_to_alpha_shows_it(turned: bool) -> None:
    """The smallest p of four problems is 1/16: of both sides, and of one."""
    table = np.array([[1.0, 1.01], [2.0, 1.99], [3.0, 3.02], [4.0, 3.97]])
    far = np.column_stack([table[:, 0], table[:, 0] + [0.2, 0.3, -0.05, 0.4]])
    for values, verdict in ((table, "practically equal"), (far, "b not worse" if turned else "a not worse")):
        scores = bo.Scores(values[:, ::-1] if turned else values, better="lower")
        found = bo.compare(scores, margin=0.1, alpha=0.0625, pairwise="wilcoxon")
        assert found.pairs[0].verdict == verdict


def test_no_interval_of_four_problems_reaches_its_level() -> None:
    level = np.array([0.1, 0.2, 0.3, 0.4])
    few = bo.equivalence(level, [0.101, 0.202, 0.299, 0.403], margin=0.01, better="lower")
    assert codes(few) == {"margin-out-of-reach", "interval-below-level"}
    (text,) = (caution.text for caution in few.cautions if caution.code == "interval-below-level")
    assert "0.9" in text
    five = bo.equivalence([*level, 0.5], [*level + 0.001, 0.502], margin=0.01, better="lower")
    assert codes(five) == set()  # 1 − 2/2⁵ = 0.9375


@pytest.mark.parametrize(("k", "said"), [(2, "is 0.0625; α"), (3, "is 0.0625, times 3 for as many pairs; α = 0.05")])
def test_the_smallest_p_of_a_margin_counts_the_pairs(k: int, said: str) -> None:
    values = np.random.default_rng(0).normal(size=(4, k))
    found = bo.compare(bo.Scores(values, better="lower"), margin=0.5, pairwise="wilcoxon")
    (text,) = (caution.text for caution in found.cautions if caution.code == "margin-out-of-reach")
    assert said in text
