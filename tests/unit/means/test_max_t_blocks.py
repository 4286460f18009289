"""The law of the largest |t|: how many resamples are computed together changes no bit."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.means import max_t


@pytest.mark.parametrize("block", [1, 40, 10**6])
@pytest.mark.slow_cases("1")
def test_the_size_of_a_block_changes_nothing(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    clusters = [f"c{i}" for i in rng.integers(0, 12, size=40)]
    scores = bo.Scores(rng.normal(size=(40, 6)), better="higher", clusters=clusters)
    expected = bo.leaderboard(scores).to_dict()
    monkeypatch.setattr(max_t, "_BLOCK", block)
    found = bo.leaderboard(scores).to_dict()
    assert found["pairs"] == expected["pairs"]
    assert found["standings"] == expected["standings"]
