"""Plackett–Luce: calibrated where the model holds, also with ties; and what its check sees where it does not.

``python tests/calibration/test_plackett_luce_calibration.py`` prints the table of docs/guides/plackett-luce.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import bakeoff as bo

Law = Callable[[np.random.Generator, int], np.ndarray]
OPTIONS = {"n_draws": 400, "n_chains": 8}


def rankings_drawn(rng: np.random.Generator, shares: np.ndarray, n: int, ties: bool) -> np.ndarray:
    """(n, k) places of exponential times; with ties, places that a coin joins, whatever is on them."""
    k = len(shares)
    times = rng.standard_exponential((n, k)) / shares
    places = times.argsort(axis=1).argsort(axis=1)
    if not ties:
        return places
    joined = np.cumsum(rng.random((n, k)) < 0.5, axis=1)
    return np.take_along_axis(joined, places, axis=1)


@pytest.mark.exhaustive
@pytest.mark.parametrize("ties", [False, True])
def test_simulation_based_calibration(ties: bool) -> None:
    """Shares from the prior, problems from the model: ranks are uniform, intervals cover, P(strongest) comes true."""
    rng, k, n, tables = np.random.default_rng(20261122 + ties), 4, 12, 24 if ties else 60
    inside, claimed, true, alarms, ranks = 0, 0.0, 0, 0, []
    for i in range(tables):
        shares = rng.dirichlet(np.ones(k))
        places = rankings_drawn(rng, shares, n, ties)
        found = bo.bayes.plackett_luce(bo.Scores(places, better="lower"), gamma=0.1, rng=i, **OPTIONS)
        low, high = found.p_first_intervals.T
        inside += int(((low < shares) & (shares < high)).sum())
        drawn = np.exp(found.draws)
        drawn /= drawn.sum(axis=1, keepdims=True)
        ranks.append((drawn < shares).mean(axis=0))
        best = int(found.p_best.argmax())
        claimed += found.p_best[best]
        true += int(shares.argmax() == best)
        alarms += "lack-of-fit (first-places)" in {caution.name for caution in found.cautions}
    error = math.sqrt(0.9 * 0.1 / tables / k) * 1.5  # shares of one table depend on each other
    assert inside / tables / k == pytest.approx(0.9, abs=4 * error)
    assert claimed / tables == pytest.approx(true / tables, abs=4 * math.sqrt(0.25 / tables))
    u = np.array(ranks)
    assert u.mean() == pytest.approx(0.5, abs=4 * math.sqrt(1 / 12 / tables))
    assert u.var() == pytest.approx(1 / 12, abs=4 * math.sqrt(1 / 180 / tables))
    assert alarms / tables <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / tables)


def normal(rng: np.random.Generator, n: int) -> np.ndarray:
    """Thurstone: normal scores around means that differ."""
    return rng.normal(size=(n, 5)) + 0.3 * np.arange(5)


def erratic(rng: np.random.Generator, n: int) -> np.ndarray:
    """The same, and the third is first or last: its scores have six times the spread."""
    values = normal(rng, n)
    values[:, 2] = 0.6 + 6 * (values[:, 2] - 0.6)
    return values


def specialists(rng: np.random.Generator, n: int) -> np.ndarray:
    """Two kinds of problems, on which the order is reversed."""
    values = rng.normal(size=(n, 5))
    return values + 0.6 * np.arange(5) * rng.choice([-1, 1], size=(n, 1))


def coverage(law: Law, n: int, tables: int, seed: int) -> tuple[float, float, float]:
    """Of 95 % intervals for the true shares of first places; largest error of the mean P(first); cautions."""
    rng = np.random.default_rng(seed)
    many = law(rng, 400_000)
    truth = np.bincount(many.argmin(axis=1), minlength=5) / len(many)
    inside, alarms, mean = 0, 0, np.zeros(5)
    for i in range(tables):
        found = bo.bayes.plackett_luce(bo.Scores(law(rng, n), better="lower"), rng=i, **OPTIONS)
        low, high = found.p_first_intervals.T
        inside += int(((low < truth) & (truth < high)).sum())
        mean += found.p_first / tables
        alarms += "lack-of-fit (first-places)" in {caution.name for caution in found.cautions}
    return inside / tables / 5, float(np.abs(mean - truth).max()), alarms / tables


LAWS: dict[str, Law] = {"normal": normal, "erratic": erratic, "specialists": specialists}


@pytest.mark.exhaustive
def test_the_check_sees_what_one_strength_cannot_describe() -> None:
    """Where P(first) is far off, the caution says so; where normal scores take the place of the model, it is near."""
    near = coverage(normal, 50, 20, 1)
    assert near[0] > 0.75
    assert near[1] < 0.05
    far = coverage(erratic, 50, 20, 2)
    assert far[0] < 0.8
    assert far[1] > 0.1
    assert far[2] > 0.9


def main() -> None:
    for name, law in LAWS.items():
        for n in (20, 50, 200):
            print(name, n, *(f"{x:.2f}" for x in coverage(law, n, 200, n)), flush=True)


if __name__ == "__main__":
    main()

pytestmark = pytest.mark.slow
