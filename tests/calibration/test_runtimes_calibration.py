"""What bo.runtimes promises: sizes of its tests, coverage of bands and intervals, with a third of the runs stopped."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.means.resampling import drawn_units
from bakeoff.scores.clusters import cluster_codes
from bakeoff.survival.order import pair_orders
from bakeoff.survival.penalties import penalised, penalised_pairs
from bakeoff.survival.solved_curves import solved_curves
from bakeoff.survival.times import RunTimes, run_times
from solver_times import CAP, solver_times

ALPHA = 0.05


def two(seed: int, n: int = 60) -> RunTimes:
    """Two solvers of the same law."""
    return run_times(bo.Scores(solver_times(n, 2, seed, spread=0.0), better="lower"), CAP)


def in_clusters(seed: int, groups: int = 30, size: int = 4) -> tuple[bo.Scores, RunTimes]:
    """Which solver is faster, and what it solves, is shared by the problems of a cluster."""
    rng = np.random.default_rng(seed)
    hardness = rng.normal(2.6, 1.6, size=(groups, 1)) + rng.normal(0.0, 0.3, size=(groups, size))
    own = rng.normal(0.0, 0.8, size=(2, groups, 1)) + rng.normal(0.0, 0.3, size=(2, groups, size))
    times = np.minimum(10 ** (hardness + own), CAP).reshape(2, -1).T
    scores = bo.Scores(times, better="lower", clusters=np.repeat(np.arange(groups), size).tolist())
    return scores, run_times(scores, CAP)


def near(share: float, nominal: float, n: int, slack: float = 0.0) -> bool:
    return abs(share - nominal) <= 4 * math.sqrt(nominal * (1 - nominal) / n) + slack


@pytest.mark.exhaustive
def test_sizes_of_two_alike() -> None:
    """Sign exact: at most alpha. Log-rank and t: alpha within 4 s.e.; McNemar's mid-p: alpha or somewhat less."""
    draws = 2000
    rejected = dict.fromkeys(("sign", "logrank", "mcnemar", "par1", "par10"), 0)
    codes = np.arange(60)
    for seed in range(draws):
        runs = two(seed)
        order = pair_orders(runs, [(0, 1)], codes)[0]
        found = penalised(runs, (1.0, 10.0), 10.0, codes, np.ones((1, 60)), ALPHA)
        pvalues = order.pvalue, order.logrank_pvalue, order.mcnemar
        pars = tuple(penalised_pairs(found, k, [(0, 1)], codes)[0].pvalue for k in (1.0, 10.0))
        for name, p in zip(rejected, (*pvalues, *pars), strict=True):
            rejected[name] += p <= ALPHA
    shares = {name: count / draws for name, count in rejected.items()}
    error = 4 * math.sqrt(ALPHA * (1 - ALPHA) / draws)
    assert shares["sign"] <= ALPHA + error, shares
    assert shares["mcnemar"] <= ALPHA + error, shares
    for name in ("logrank", "par1", "par10"):  # the first is discrete with about 45 decided problems
        assert near(shares[name], ALPHA, draws, slack=0.01), shares


@pytest.mark.exhaustive
def test_sizes_with_clusters() -> None:
    """30 clusters of 4: problem by problem the sign test would reject several times too often."""
    draws = 1000
    rejected = dict.fromkeys(("sign", "logrank", "par10", "ignored"), 0)
    for seed in range(draws):
        scores, runs = in_clusters(seed)
        codes = cluster_codes(scores)
        order = pair_orders(runs, [(0, 1)], codes)[0]
        found = penalised(runs, (10.0,), 10.0, codes, np.ones((1, 30)), ALPHA)
        rejected["sign"] += order.pvalue <= ALPHA
        rejected["logrank"] += order.logrank_pvalue <= ALPHA
        rejected["par10"] += penalised_pairs(found, 10.0, [(0, 1)], codes)[0].pvalue <= ALPHA
        rejected["ignored"] += pair_orders(runs, [(0, 1)], np.arange(120))[0].pvalue <= ALPHA
    shares = {name: count / draws for name, count in rejected.items()}
    error = 4 * math.sqrt(ALPHA * (1 - ALPHA) / draws)
    assert shares["sign"] <= ALPHA + error, shares
    assert near(shares["logrank"], ALPHA, draws, slack=0.015), shares
    assert near(shares["par10"], ALPHA, draws, slack=0.015), shares
    assert shares["ignored"] > 0.15, shares


@pytest.mark.exhaustive
def test_the_verdicts_keep_the_family_wise_error() -> None:
    """Five solvers of the same law: any verdict of the order, and any at PAR10."""
    draws = 400
    any_order = any_par = 0
    for seed in range(draws):
        found = bo.runtimes(bo.Scores(solver_times(40, 5, seed, spread=0.0), better="lower"), CAP, resamples=100)
        any_order += any(pair.verdict != "no difference shown" for pair in found.pairs)
        any_par += any(pair.par_verdicts[10] != "no difference shown" for pair in found.pairs)
    limit = ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / draws)
    assert any_order / draws <= limit
    assert any_par / draws <= limit


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("clustered", [False, True])
def test_bands_cover_the_whole_curve(clustered: bool) -> None:
    """At least 95 %, less 4 s.e.; the truth from a million runs."""
    draws, covered = 400, 0
    rng = np.random.default_rng(1)
    sd = math.hypot(1.6, 0.3, 0.8, 0.3) if clustered else math.hypot(1.6, 0.7)
    logs = np.sort(rng.normal(2.6, sd, 1_000_000))
    for seed in range(draws):
        scores, runs = in_clusters(seed) if clustered else (None, two(seed))
        codes = cluster_codes(scores) if scores is not None else np.arange(60)
        groups = int(codes.max()) + 1
        curves = solved_curves(runs, ("A", "B"), codes, drawn_units(groups, 500, rng), ALPHA)
        truth = np.searchsorted(logs, np.log10(curves.times)) / len(logs)
        inside = (curves.lower("A") <= truth) & (truth <= curves.upper("A"))
        covered += bool(inside.all())
    assert covered / draws >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / draws), covered / draws


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("k", [1.0, 10.0])
def test_intervals_cover(k: float, clustered: bool) -> None:
    """At least 95 %, less 4 s.e., of 30 problems (30 clusters of 4): difference, own mean, geometric means."""
    draws, groups = 500, 30
    covered = dict.fromkeys(("difference", "own", "sgm", "ratio"), 0)
    rng = np.random.default_rng(3)
    spread = math.hypot(1.6, 0.3, 0.8, 0.3) if clustered else math.hypot(1.6, 0.7)
    many = np.minimum(10 ** rng.normal(2.6, spread, 2_000_000), CAP)
    truth = float(np.where(many < CAP, many, k * CAP).mean())
    geometric = float(np.exp(np.log(many + 10).mean()) - 10)
    for seed in range(draws):
        if clustered:
            scores, runs = in_clusters(seed)
            codes = cluster_codes(scores)
        else:
            runs, codes = two(seed, groups), np.arange(groups)
        found = penalised(runs, (k,), 10.0, codes, drawn_units(groups, 500, rng), ALPHA)
        difference, own = found.pair_intervals(k, [(0, 1)])[0], found.par_intervals(k)[0]
        sgm, ratio = found.sgm_intervals(), found.sgm_ratios([(0, 1)])[0][1]
        assert difference is not None
        assert own is not None
        assert sgm is not None
        assert sgm[0] is not None
        assert ratio is not None
        covered["difference"] += difference[0] <= 0 <= difference[1]
        covered["own"] += own[0] <= truth <= own[1]
        covered["sgm"] += sgm[0][0] <= geometric <= sgm[0][1]
        covered["ratio"] += ratio[0] <= 1 <= ratio[1]
    shares = {name: count / draws for name, count in covered.items()}
    assert min(shares.values()) >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / draws), shares
