"""The scenarios are what they say: seen in large samples of each."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.scenarios import ACCURACY, SCENARIOS, WORSE

K, N = 5, 40_000


@pytest.mark.few(8)
@pytest.mark.parametrize("name", SCENARIOS)
def test_pairs_said_to_be_alike_are(name):
    """Within a group: differences favour neither side (median), and nor do signed ranks (symmetric)."""
    scenario = SCENARIOS[name]
    table = scenario.draw(np.random.default_rng(1), N, K)
    assert table.shape == (N, K)
    n = N if scenario.null != "dependent" else N / 5
    for a, b in zip(*np.nonzero(np.triu(scenario.alike(K), 1)), strict=True):
        difference = table[:, b] - table[:, a]
        if scenario.null == "mean":
            assert abs(difference.mean()) < 4.5 * difference.std() / math.sqrt(n), (a, b)
            continue
        kept = difference[difference != 0]
        assert abs((kept > 0).mean() - 0.5) < 4.5 * 0.5 / math.sqrt(len(kept) * n / N), (a, b)
        if scenario.null != "median":
            ranks = np.argsort(np.argsort(np.abs(kept))) + 1.0
            assert abs((ranks * np.sign(kept)).sum()) < 4.5 * math.sqrt((ranks**2).sum() * N / n), (a, b)


@pytest.mark.parametrize("name", SCENARIOS)
def test_pairs_said_to_differ_do(name):
    scenario = SCENARIOS[name]
    table = scenario.draw(np.random.default_rng(2), 1000, K)
    for a, b in zip(*np.nonzero(np.triu(~scenario.alike(K), 1)), strict=True):
        wins, losses = (table[:, a] < table[:, b]).sum(), (table[:, b] < table[:, a]).sum()
        assert abs(wins - losses) > 5, (a, b)


@pytest.mark.parametrize("name", SCENARIOS)
def test_known_differences_are_centres_of_symmetry(name):
    """a − b less its true difference is symmetric about 0, wherever that difference is given."""
    scenario = SCENARIOS[name]
    if scenario.null in ("median", "mean", "intransitive") or name.startswith("right or wrong"):
        return
    table, truth = scenario.draw(np.random.default_rng(3), N, K), scenario.differences(N, K)
    assert np.isnan(truth).all(where=~scenario.alike(K)) or np.isfinite(truth).all()
    for a, b in zip(*np.nonzero(np.triu(np.isfinite(truth), 1)), strict=True):
        left = table[:, b] - table[:, a] - truth[a, b]
        left = left[left != 0]
        few = len(left) if scenario.null != "dependent" else len(left) / 5
        assert abs((left > 0).mean() - 0.5) < 4.5 * 0.5 / math.sqrt(few), (a, b)


def test_models_are_as_often_right_as_said():
    for n in WORSE:
        scenario = SCENARIOS["right or wrong, one worse"]
        tables = np.vstack([scenario.draw(rng, n, 3) for rng in np.random.default_rng(4).spawn(100)])
        share = 1 - tables.mean(axis=0)
        band = 4.5 * 0.5 / math.sqrt(len(tables))
        assert np.abs(share - [ACCURACY, ACCURACY, WORSE[n]]).max() < band
        assert scenario.differences(n, 3)[0, 2] == pytest.approx(ACCURACY - WORSE[n])


def test_specialists_are_best_where_the_other_is_worst():
    table = SCENARIOS["specialists"].draw(np.random.default_rng(5), 50, 6)
    assert (table.argmin(axis=1) == 1 - table.argmax(axis=1)).all()
