"""Clustered nulls (35 data sets × 10 folds, data set effect = noise): with clusters the Bayesian sign test claims a
difference as often as on as many independent problems, about twice gamma; the Bayesian Friedman test about gamma."""

import math

import numpy as np
import pytest

import bakeoff as bo

TABLES = 150


def table(seed: int, k: int) -> bo.Scores:
    rng = np.random.default_rng(seed)
    x = np.repeat(rng.normal(size=(35, k)), 10, 0) + rng.normal(size=(350, k))
    return bo.Scores(x, better="lower", clusters=np.repeat(np.arange(35), 10))


@pytest.mark.slow
def test_sign_test() -> None:
    found = [bo.bayes.sign_test(table(seed, 2), 0, 1) for seed in range(TABLES)]
    claimed = sum(one.verdict != "undecided" for one in found) / TABLES
    assert claimed <= 0.10 + 4 * math.sqrt(0.10 * 0.90 / TABLES)
    covered = sum(one.interval[0] <= 0.5 <= one.interval[1] for one in found) / TABLES
    assert covered >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / TABLES)


@pytest.mark.slow
def test_friedman() -> None:
    claimed = sum(bo.bayes.friedman(table(seed, 4)).verdict == "different" for seed in range(TABLES)) / TABLES
    assert claimed <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / TABLES)
