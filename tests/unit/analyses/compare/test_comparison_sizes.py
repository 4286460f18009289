"""Sizes of the differences in compare(): what their intervals promise."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo


@pytest.mark.parametrize(("n", "level"), [(1, 0.0), (3, 0.75), (5, 0.9375), (6, 0.95), (20, 0.95)])
def test_an_interval_states_the_confidence_it_has(n: int, level: float) -> None:
    """With n < 6 problems no interval of Walsh averages has 95 %: their whole range has 1 − 2^(1−n)."""
    values = np.random.default_rng(n).normal(size=(n, 4))
    result = bo.compare(bo.Scores(values, better="lower"))
    assert {pair.effect.confidence_level for pair in result.pairs if pair.effect} == {level}
    names = [caution.name for caution in result.cautions]
    assert names.count("interval-below-level (hodges-lehmann)") == (
        0.0 < level < 0.95
    )  # of one problem a graver caution says it
