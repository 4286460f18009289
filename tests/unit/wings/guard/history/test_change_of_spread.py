"""A step beside a change of noise is cautioned; a step by itself is not."""

import numpy as np
import pytest

import bakeoff as bo


@pytest.mark.parametrize(("noise", "said"), [(6.0, True), (1.0, False)])
@pytest.mark.parametrize("scale", ["ratio", "difference"])
def test_a_change_of_noise_is_said(noise: float, said: bool, scale: str) -> None:
    values = 100 + np.random.default_rng(1).normal(size=60) * np.repeat([1.0, noise], [40, 20])
    values[40:] += 8.0
    history = bo.Scores([values], [f"v{i}" for i in range(60)], ["sort"], better="lower")
    found = bo.change_points(history, scale=scale, n_resamples=999)  # type: ignore[arg-type]
    assert found.steps
    assert ("spread-changed" in {caution.code for caution in found.cautions}) is said


def test_nothing_is_said_where_no_level_changed() -> None:
    values = 100 + np.random.default_rng(4).normal(size=40) * np.repeat([1.0, 4.0], 20)
    found = bo.change_points(bo.Scores([values], [f"v{i}" for i in range(40)], ["sort"], better="lower"))
    assert (found.steps, found.cautions) == ((), ())
