"""AutoML-like clustered nulls (35 data sets × 10 folds, data set effect = noise): once clusters are given, a given
best candidate is lost in at most 5 % of races (.10 to .26 where the clusters are not named)."""

import math

import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow


@pytest.mark.few(1)
@pytest.mark.parametrize("method", ["e-sign", "e-choose"])
@pytest.mark.parametrize("q", [2, 10])
def test_a_given_best_is_kept(method: str, q: int) -> None:
    races, lost = 200, 0
    for seed in range(races):
        rng = np.random.default_rng(seed)
        x = np.repeat(rng.normal(size=(35, q)), 10, 0) + rng.normal(size=(350, q))
        scores = bo.Scores(x, better="lower", clusters=np.repeat(np.arange(35), 10))
        lost += "A1" not in bo.race.replay(scores, method, order=seed).survivors
    assert lost / races <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / races)
