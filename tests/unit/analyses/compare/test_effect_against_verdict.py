"""A verdict and an effect that point to opposite sides are not printed without a word."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.posthoc.pairs import PAIRWISE

MANY_SMALL_ONE_LARGE = np.r_[np.ones(34), -1000.0, np.zeros(10)]


def compared(differences: np.ndarray, **options: str) -> bo.Comparison:
    scores = bo.Scores(np.c_[0 * differences, differences], ["a", "b"], better="lower")
    return bo.compare(scores, **options)  # type: ignore[arg-type]


def cautioned(found: bo.Comparison) -> bool:
    return "effect-against-verdict" in [caution.code for caution in found.cautions]


@pytest.mark.parametrize("sign", [1, -1])
def test_opposite_sides_are_cautioned(sign: int) -> None:
    found = compared(sign * MANY_SMALL_ONE_LARGE)
    (pair,) = found.pairs
    assert pair.effect is not None
    assert pair.verdict == ("a better" if sign > 0 else "b better")
    assert sign * pair.effect.estimate < 0
    assert cautioned(found)


def test_one_side_is_not() -> None:
    assert not cautioned(compared(np.abs(MANY_SMALL_ONE_LARGE)))


def test_without_a_verdict_there_is_no_other_side() -> None:
    found = compared(MANY_SMALL_ONE_LARGE[28:])
    assert found.pairs[0].verdict == "no difference shown"
    assert not cautioned(found)


def test_above_one_half_is_better_on_the_scale_of_a12() -> None:
    assert not cautioned(compared(MANY_SMALL_ONE_LARGE, effect="a12"))


def test_pairs_with_missing_scores_are_cautioned_too() -> None:
    values = np.c_[0 * MANY_SMALL_ONE_LARGE, MANY_SMALL_ONE_LARGE, MANY_SMALL_ONE_LARGE]
    values[-1, 2] = np.nan
    assert cautioned(bo.compare(bo.Scores(values, list("abc"), better="lower", missing="keep")))


def test_signs_have_their_median_whatever_the_ties() -> None:
    """14 wins, one loss by 1000: the effect was the mean, 47 to the other side."""
    found = compared(np.r_[np.ones(14), -1000.0, np.zeros(6)], pairwise="sign")
    assert found.pairs[0].verdict == "a better"
    assert found.pairs[0].effect is not None
    assert (found.pairs[0].effect.kind, found.pairs[0].effect.estimate) == ("median", 1.0)
    assert not cautioned(found)


def tables(pairwise: str) -> Iterator[bo.Scores]:
    """Small differences against a few large ones, ties, two values."""
    rng = np.random.default_rng(0)
    for more in range(4):
        n = 24 + more
        small = rng.choice([-0.1, 0.0, 1.0], (n, 2), p=[0.1, 0.3, 0.6]) + 0.01 * rng.normal(size=(n, 2))
        d = np.where(rng.random((n, 2)) < 0.08, -rng.lognormal(4, 1, (n, 2)), small)
        d = np.where(rng.random((n, 2)) < 0.3, 0.0, d)
        values = np.c_[np.zeros(n), d]
        yield bo.Scores((values > 0.5).astype(float) if pairwise == "mcnemar" else values, better="lower")


OPPOSITE = ("wilcoxon", "mean-ranks", "aligned")


@pytest.mark.parametrize("pairwise", PAIRWISE)
def test_every_test_of_pairs_is_cautioned_exactly_where_they_are_opposite(pairwise: str) -> None:
    seen = []
    for scores in tables(pairwise):
        found = bo.compare(scores, pairwise=pairwise, posthoc="holm")
        opposite = False
        for pair in found.pairs:
            assert pair.effect is not None
            side = {"a better": 1.0, "b better": -1.0}.get(pair.verdict, 0.0)
            opposite |= side * pair.effect.estimate < 0.0
        assert cautioned(found) is opposite
        seen.append(opposite)
    assert any(seen) is (pairwise in OPPOSITE)
