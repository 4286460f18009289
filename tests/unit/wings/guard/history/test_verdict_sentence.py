"""The verdict names the latest change, and the largest for the worse if the latest is for the better."""

import numpy as np
import pytest

import bakeoff as bo


@pytest.mark.parametrize("scale", ["ratio", "difference"])
def test_a_regression_is_not_hidden_by_a_later_improvement(scale: str) -> None:
    levels = np.repeat([100.0, 109.0, 108.0, 107.0], 12)
    values = levels + 0.1 * np.random.default_rng(1).normal(size=48)
    history = bo.Scores([values], [f"v{i}" for i in range(48)], ["sort"], better="lower")
    found = bo.change_points(history, scale=scale, n_resamples=999)  # type: ignore[arg-type]
    assert "the latest: sort is better from v36 on" in found.verdict
    assert "The largest for the worse: sort is worse from v12 on" in found.verdict
    turned = bo.change_points(bo.Scores([values], history.algorithms, ["sort"], better="higher"), n_resamples=999)
    assert "The largest" not in turned.verdict  # the latest is for the worse
