"""The fast parts of bo.runtimes against slow, literal versions, with several runs, ties and unequal numbers of runs."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.survival.order import faster_share, logrank_scores, mean_ranks
from bakeoff.survival.times import run_times

CAP = 9.0


def table(seed: int, n: int = 25, k: int = 3, r: int = 4) -> bo.Scores:
    """Whole numbers up to 12, so that many times are equal and a third are at the cap or above; runs are missing."""
    rng = np.random.default_rng(seed)
    cells = rng.integers(1, 13, size=(n, k, r)).astype(float)
    lost = rng.random(cells.shape) < 0.2
    lost[:, :, 0] = False
    return bo.Scores.from_cells(
        np.where(lost, np.nan, cells)[
            np.arange(n)[:, None, None], np.arange(k)[None, :, None], np.argsort(lost, axis=2)
        ],
        [f"A{j}" for j in range(k)],
        [f"P{i}" for i in range(n)],
        better="lower",
    )


def cell(times: np.ndarray) -> list[float]:  # type: ignore[type-arg]
    return [math.inf if t >= CAP else t for t in times.tolist() if t == t]


@pytest.mark.parametrize("seed", range(5))
def test_order(seed: int) -> None:
    s = table(seed)
    assert s.runs is not None
    runs = run_times(s, CAP)
    x, y = runs.times[:, 0], runs.times[:, 1]
    shares, scores = faster_share(x, y), logrank_scores(x, y)
    wins = losses = ties = 0
    for i in range(s.n_problems):
        a, b = cell(s.runs[i, 0]), cell(s.runs[i, 1])
        won = Fraction(sum((p < q) - (p > q) for p in a for q in b), len(a) * len(b))
        assert shares[i] == pytest.approx(float(won), abs=1e-14)
        wins, losses, ties = wins + (won > 0), losses + (won < 0), ties + (won == 0)
        score = Fraction(0)
        for t in sorted({p for p in a + b if p < math.inf}):
            at_risk = sum(p >= t for p in a), sum(q >= t for q in b)
            score += a.count(t) - Fraction((a.count(t) + b.count(t)) * at_risk[0], sum(at_risk))
        assert scores[i] == pytest.approx(float(score), abs=1e-13)
    pair = bo.runtimes(s, CAP).pair("A0", "A1")
    assert (pair.wins, pair.losses, pair.ties) == (wins, losses, ties)


@pytest.mark.parametrize("seed", range(3))
def test_means_and_counts(seed: int) -> None:
    s = table(seed)
    assert s.runs is not None
    found = bo.runtimes(s, CAP, k=(1, 3), shift=2.0)
    assert found.sgm is not None
    for j in range(3):
        cells = [cell(row) for row in s.runs[:, j]]
        for k in (1, 3):
            par = np.mean([np.mean([k * CAP if t == math.inf else t for t in times]) for times in cells])
            assert found.par[k][j] == pytest.approx(par, rel=1e-13)
        logs = np.mean([np.mean([math.log(min(t, CAP) + 2) for t in times]) for times in cells])
        assert found.sgm[j] == pytest.approx(math.exp(logs) - 2, rel=1e-12)
        solved = sum(sum(t < math.inf for t in times) / len(times) for times in cells)
        assert found.solved[j] == pytest.approx(solved, rel=1e-13)
        for t, share in zip(found.curves.times, found.curves.share[f"A{j}"], strict=True):
            within = np.mean([sum(u <= t for u in times) / len(times) for times in cells])
            assert share == pytest.approx(within, abs=1e-13)


def test_mean_ranks_of_one_run_are_midranks() -> None:
    rng = np.random.default_rng(8)
    s = bo.Scores(rng.integers(1, 13, size=(40, 5)).astype(float), better="lower")
    found = mean_ranks(run_times(s, CAP))
    cut = bo.Scores(np.minimum(s.values, CAP), better="lower")
    assert found == pytest.approx(bo.rank(cut).mean(axis=0), abs=1e-12)
