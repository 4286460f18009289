"""The fast parts of bo.runtimes against slow, literal versions, with several runs, ties and unequal numbers of runs."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import special

import bakeoff as bo
from bakeoff.means.strata import drawn_units
from bakeoff.nulls.tails import chi2_sf, normal_two_sided
from bakeoff.paired._wilcoxon import signed_rank_sums, two_sided
from bakeoff.paired.differences import Differences
from bakeoff.ranks import tie_tolerance
from bakeoff.scores.clusters import cluster_codes, cluster_means
from bakeoff.wings.curves.runtimes.statistics import penalties
from bakeoff.wings.curves.runtimes.statistics.order import faster_share, logrank_scores, mean_ranks, pair_orders
from bakeoff.wings.curves.runtimes.statistics.resampling import studentised_half_widths_of_pairs
from bakeoff.wings.curves.runtimes.statistics.times import run_times

CAP = 9.0


def table(seed: int, n: int = 25, k: int = 3, r: int = 4, gone: float = 0.2) -> bo.Scores:
    """Whole numbers up to 12, so that many times are equal and a third are at the cap or above; runs are ``gone``."""
    rng = np.random.default_rng(seed)
    cells = rng.integers(1, 13, size=(n, k, r)).astype(float)
    lost = rng.random(cells.shape) < gone
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
    s = table(seed, gone=0.2 if seed % 2 else 0.0)
    assert s.runs is not None
    runs = run_times(s, CAP)
    x, y = runs.times[:, 0], runs.times[:, 1]
    shares, (scores, variances) = faster_share(x, y), logrank_scores(x, y)
    wins = losses = ties = 0
    for i in range(s.n_problems):
        a, b = cell(s.runs[i, 0]), cell(s.runs[i, 1])
        won = Fraction(sum((p < q) - (p > q) for p in a for q in b), len(a) * len(b))
        assert shares[i] == pytest.approx(float(won), abs=1e-14)
        wins, losses, ties = wins + (won > 0), losses + (won < 0), ties + (won == 0)
        score = variance = Fraction(0)
        for t in sorted({p for p in a + b if p < math.inf}):
            at_risk = sum(p >= t for p in a), sum(q >= t for q in b)
            n, d = sum(at_risk), a.count(t) + b.count(t)
            score += a.count(t) - Fraction(d * at_risk[0], n)
            variance += Fraction(d * at_risk[0] * at_risk[1] * (n - d), n * n * max(n - 1, 1))
        assert scores[i] == pytest.approx(float(score), abs=1e-13)
        assert variances[i] == pytest.approx(float(variance), abs=1e-13)
    if seed % 2:
        return  # of unequal numbers of runs, a pair has as many of each, drawn at random
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


def near_ties(seed: int, n: int, r: int, clustered: bool) -> bo.Scores:
    """Six algorithms: the second is the first, the third the first but for rounding, the fourth 1 slower throughout."""
    s = table(seed, n, 6, r)
    cells = np.array(s.values[:, :, None] if s.runs is None else s.runs)
    cells[:, 1], cells[:, 2], cells[:, 3] = cells[:, 0], cells[:, 0] * (1 + 2**-52), cells[:, 0] + 1
    labels = [f"c{max(0, i - 4) // 2}" for i in range(n)] if clustered else None
    return bo.Scores.from_cells(cells, list(s.algorithms), list(s.problems), better="lower", clusters=labels)


TABLES = [
    (1, 30, 1, False),
    (2, 30, 3, False),
    (3, 31, 1, True),
    (4, 24, 3, True),
    (5, 220, 1, False),
    (6, 5, 2, False),
]


@pytest.mark.few(3)
@pytest.mark.parametrize(("seed", "n", "r", "clustered"), TABLES)
@pytest.mark.slow_cases("3-31-1-True")
def test_pairs_together_are_pairs_one_by_one(seed: int, n: int, r: int, clustered: bool) -> None:
    s = near_ties(seed, n, r, clustered)
    codes = cluster_codes(s)
    runs, units = run_times(s, CAP), int(codes.max()) + 1
    family = [(a, b) for a in range(6) for b in range(a + 1, 6)]
    found = penalties.penalised(runs, (1.0, 10.0), 2.0, codes, drawn_units(units, 200, np.random.default_rng(0)), 0.05)
    for (a, b), order in zip(family, pair_orders(runs, family, codes), strict=True):
        x, y = runs.times[:, a], runs.times[:, b]
        shares = [faster_share(x, y), runs.shares[:, a] - runs.shares[:, b]]
        ahead, solved = (np.sign(np.where(np.abs(d) < 1e-12, 0.0, d)) for d in shares)
        assert (order.wins, order.losses, order.ties) == tuple(int((ahead == side).sum()) for side in (1, -1, 0))
        assert (order.only_a, order.only_b) == tuple(int((solved == side).sum()) for side in (1, -1))
        totals = [np.array([math.fsum(d[codes == g].tolist()) for g in range(units)]) for d in shares]
        (wins, losses), (more, fewer) = ([int((side * d > 1e-12).sum()) for side in (1, -1)] for d in totals)
        assert order.direction == wins - losses
        tail = [math.comb(wins + losses, i) for i in range(max(wins, losses), wins + losses + 1)]
        assert order.pvalue == pytest.approx(min(1.0, 2 * sum(tail) / 2 ** (wins + losses)), rel=1e-12)
        tail = [math.comb(more + fewer, i) for i in range(max(more, fewer), more + fewer + 1)]
        mid = 1.0 if more == fewer else (2 * sum(tail) - tail[0]) / 2 ** (more + fewer)
        assert order.solved_pvalue == pytest.approx(mid, rel=1e-12)
        scores, variances = logrank_scores(x, y)
        u = [math.fsum(scores[codes == g].tolist()) for g in range(units)]
        squares = sum(v * v for v in u) if clustered or x.shape[1] > 1 else math.fsum(variances.tolist())
        statistic = sum(u) ** 2 / squares if squares > 1e-12 else 0.0
        assert order.logrank == pytest.approx(statistic, rel=1e-12, abs=1e-12)
        if statistic:
            assert order.logrank_pvalue == pytest.approx(chi2_sf(statistic, 1)[0], rel=1e-9)
    for k in (1.0, 10.0):
        cells = found.cells[k]
        together = penalties.penalised_pairs(found, k, family, codes)
        for (a, b), pair in zip(family, together, strict=True):
            values = bo.Scores(cells[:, [a, b]], better="lower", clusters=s.clusters)
            t = bo.cluster_t(values, 0, 1) if clustered else bo.paired_t(values, 0, 1)
            assert pair.difference == t.estimate
            p = 2.0 ** (1 - units) if math.isinf(t.statistic) and not clustered else t.pvalue
            assert pair.pvalue == pytest.approx(p, rel=1e-11)
            assert pair.wilcoxon == signed_ranks(cells[:, [a, b]], codes if clustered else None)


def signed_ranks(cells: np.ndarray, codes: np.ndarray | None) -> float:  # type: ignore[type-arg]
    x, y = (cells if codes is None else cluster_means(cells, codes)).T
    scales = np.maximum(x, y)
    zero = np.abs(y - x) <= tie_tolerance(scales)
    sums = signed_rank_sums(
        Differences(values=np.where(zero, 0.0, y - x), scales=np.where(zero, 0.0, scales)), zeros="drop"
    )
    return float(two_sided(sums)[0] if len(sums.ranks) <= penalties.EXACT else normal_two_sided(sums.zstatistic)[0])


@pytest.mark.parametrize("clustered", [False, True])
def test_half_widths(clustered: bool) -> None:
    """Resample by resample: |m* - m| over the standard error of the drawn problems (clusters); own error by leaving out
    one after the other."""
    s = near_ties(7, 30, 1, clustered)
    codes = cluster_codes(s)
    units = int(codes.max()) + 1
    weights = drawn_units(units, 150, np.random.default_rng(2))
    runs = run_times(s, CAP)
    cells = runs.means(runs.penalised(10.0))  # type: ignore[arg-type]
    family = [(0, 1), (0, 3), (0, 4), (4, 5)]
    found = studentised_half_widths_of_pairs(cells, family, codes, weights, 0.05)
    for (a, b), half in zip(family, found.tolist(), strict=True):
        d = cells[:, b] - cells[:, a]

        def error(counts: np.ndarray, middle: float, d: np.ndarray = d) -> float:  # type: ignore[type-arg]
            sums = [math.fsum((d[codes == g] - middle).tolist()) for g in range(units)]
            squares = math.fsum(c * v * v for c, v in zip(counts.tolist(), sums, strict=True))
            return math.sqrt(units / (units - 1) * squares) / float(counts @ np.bincount(codes))

        middle = math.fsum(d.tolist()) / len(d)
        if not np.ptp(d):
            assert half == 0.0
            continue
        reached = []
        for counts in weights:
            drawn = math.fsum((counts[codes] * d).tolist()) / float(counts @ np.bincount(codes))
            se = error(counts, drawn)
            off = abs(drawn - middle)
            reached.append(off / se if se > 1e-9 else math.inf if off > 1e-9 else 0.0)
        effective = len(d) ** 2 / float((np.bincount(codes) ** 2).sum())
        critical = max(sorted(reached)[math.ceil(0.95 * 151) - 1], -float(special.stdtrit(effective - 1, 0.025)))
        without = [math.fsum(d[codes != g].tolist()) / int((codes != g).sum()) for g in range(units)]
        jackknife = math.sqrt((units - 1) / units * math.fsum((m - middle) ** 2 for m in without))
        assert half == pytest.approx(critical * jackknife, rel=1e-10)
