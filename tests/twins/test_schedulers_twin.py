"""Schedulers against scalar transcriptions of Algorithm 1, the rules for K algorithms, batches and Algorithm 4."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import numpy as np
import pytest

from bakeoff.wings.run.design.draw_order import resampling_seed, seed_of
from bakeoff.wings.run.design.settings import Repetitions
from bakeoff.wings.run.schedulers import AdaptiveRuns
from bakeoff.wings.run.schedulers.score_table import resampled

Sample = Sequence[float]


def q_of_pair(samples: list[Sample], i: int, j: int, kind: str, form: str, grand: bool) -> tuple[float, list[float]]:
    """φ and q_k = s_k·|∂φ/∂x̄_k| of one pair, written out."""
    mean = [statistics.fmean(s) for s in samples]
    sd = [statistics.stdev(s) for s in samples]
    k = len(samples)
    if kind == "simple":
        return mean[j] - mean[i], [sd[m] if m in (i, j) else 0.0 for m in range(k)]
    if grand:
        whole = statistics.fmean(mean)
        phi = (mean[j] - mean[i]) / whole
        return phi, [sd[m] * abs((m == j) - (m == i) - phi / k) / whole for m in range(k)]
    phi = (mean[j] - mean[i]) / mean[i]
    factor = math.sqrt(1 + phi**2) if form == "paper" else abs(1 + phi)
    q = [0.0] * k
    q[i], q[j] = sd[i] * factor / mean[i], sd[j] / mean[i]
    return phi, q


def all_q(samples: list[Sample], kind: str, form: str, control: bool) -> dict[tuple[int, int], list[float]]:
    k = len(samples)
    pairs = [(0, j) for j in range(1, k)] if control else [(i, j) for i in range(k) for j in range(i + 1, k)]
    grand = kind == "percent" and k > 2 and not control
    return {(i, j): q_of_pair(samples, i, j, kind, form, grand)[1] for i, j in pairs}


def se_of(q: list[float], n: list[int]) -> float:
    return math.sqrt(sum(q[m] ** 2 / n[m] for m in range(len(n))))


def next_run(q: dict[tuple[int, int], list[float]], n: list[int], optimum: list[float] | None) -> int:
    """Within the worst pair: the first if n_i·q_j < n_j·q_i; or the smallest n/n^opt, the last of equals."""
    if optimum is not None:
        best = 0
        for m in range(1, len(n)):
            if not n[best] * optimum[m] < n[m] * optimum[best]:
                best = m
        return best
    worst = -1.0
    for pair, its in q.items():
        if se_of(its, n) > worst * (1 + 1e-14):
            worst, (i, j), mine = se_of(its, n), pair, its
    if mine[i] == mine[j] == 0:
        return max(range(len(n)), key=lambda m: mine[m] / n[m])
    return i if n[i] * mine[j] < n[j] * mine[i] else j


def optimum_simple(sd: list[float], control: bool) -> list[float]:
    """n^opt for a standard error of 1, up to a factor."""
    if control:
        rest = math.sqrt(sum(s**2 for s in sd[1:]))
        if rest == 0:
            return [sd[0] ** 2, *[0.0] * (len(sd) - 1)]
        return [sd[0] * (sd[0] + rest), *[s**2 * (sd[0] + rest) / rest for s in sd[1:]]]
    top = max(range(len(sd)), key=sd.__getitem__)
    rest = math.sqrt(sum(s**2 for m, s in enumerate(sd) if m != top))
    if sd[top] ** 2 <= rest**2:
        return [2 * s**2 for s in sd]
    if rest == 0:
        return [s**2 for s in sd]
    b = rest / (rest + sd[top])
    return [s**2 / (1 - b) if m == top else s**2 / b for m, s in enumerate(sd)]


def twin(streams: list[Sample], asked: Repetitions, optimal: bool) -> tuple[list[int], list[list[int]], str]:
    """The whole procedure: counts, the batches, the reason."""
    k = len(streams)
    n = [asked.n0] * k
    batches: list[list[int]] = []
    control = asked.comparisons == "control"
    form = "paper" if asked.method == "paper" else "corrected"
    while True:
        samples = [list(s[:m]) for s, m in zip(streams, n, strict=True)]
        q = all_q(samples, asked.differences, form, control)
        se = max(se_of(its, n) for its in q.values())
        if all(len(set(s)) == 1 for s in samples):
            return n, batches, "degenerate"
        if se <= asked.se:
            return n, batches, "accuracy"
        if sum(n) + (k if asked.balanced else 1) > asked.nmax:
            return n, batches, "budget"
        optimum = optimum_simple([statistics.stdev(s) for s in samples], control) if optimal else None
        batch: list[int] = []
        while True:
            if asked.balanced:
                if (batch and len(batch) + k > asked.batch) or sum(n) + k > asked.nmax:
                    break
                chosen = list(range(k))
            else:
                if len(batch) == asked.batch or sum(n) == asked.nmax:
                    break
                chosen = [next_run(q, n, optimum)]
            for m in chosen:
                n[m] += 1
            batch += chosen
            if max(se_of(its, n) for its in q.values()) <= asked.se:
                break
        batches.append(batch)


def follow(streams: list[Sample], asked: Repetitions) -> tuple[list[int], list[list[int]], str]:
    names = tuple("abcdef"[: len(streams)])
    scheduler = AdaptiveRuns(repetitions=asked, algorithms=names, seed=3)
    n, batches = [0] * len(streams), []
    while True:
        decision = scheduler.decide("p", [list(s[:m]) for s, m in zip(streams, n, strict=True)])
        if decision.done:
            return n, batches[1:], decision.reason
        batches.append(list(decision.plan))
        for m in decision.plan:
            n[m] += 1


@pytest.mark.few(4, 98)
@pytest.mark.parametrize("case", range(150))
@pytest.mark.slow_cases("149")
def test_the_whole_procedure(case: int) -> None:
    """Two to five algorithms, integer scores with many ties, now and then one without any variation."""
    rng = np.random.default_rng([7, case])
    k = int(rng.integers(2, 6))
    kind = ["simple", "percent"][case % 2]
    comparisons = ["all-pairs", "control"][case // 2 % 2]
    paper = kind == "percent" and (k == 2 or comparisons == "control") and case % 5 == 0
    allocation = ["optimal", "pair"][case // 4 % 2]
    scale = rng.choice([0, 1, 1, 2, 5], size=k)
    streams = [rng.integers(10, 20) + np.rint(s * rng.normal(size=150)) for s in scale]
    n0 = int(rng.integers(3, 8))
    asked = Repetitions(
        se=float(rng.choice([0.02, 0.05, 0.1]) if kind == "percent" else rng.choice([0.2, 0.5, 1.0])),
        nmax=int(k * n0 + rng.integers(0, 100)),
        n0=n0,
        differences=kind,  # type: ignore[arg-type]
        comparisons=comparisons,  # type: ignore[arg-type]
        method="paper" if paper else "auto",
        allocation=allocation,  # type: ignore[arg-type]
        batch=int(rng.choice([1, 3, 8])),
        balanced=bool(rng.random() < 0.2),
    )
    optimal = allocation == "optimal" and kind == "simple" and k > 2
    if allocation == "optimal" and kind == "percent" and k > 2 and comparisons == "control" and not asked.balanced:
        assert follow([s.tolist() for s in streams], asked)[2] in ("accuracy", "budget", "degenerate")
        return  # its optimum is a one-dimensional search, compared with a slow one by the tests of bo.plan
    samples = [s.tolist() for s in streams]
    assert follow(samples, asked) == twin(samples, asked, optimal)


@pytest.mark.parametrize("statistic", ["mean", "median", statistics.median_low])
@pytest.mark.parametrize("percent", [False, True])
def test_bootstrap_is_algorithm_4(statistic: object, percent: bool) -> None:
    """Redrawing only what changed gives what drawing everything anew gives."""
    rng = np.random.default_rng(5)
    streams = [np.rint(rng.normal(10, 2, 60)).tolist(), np.rint(rng.normal(12, 1, 60)).tolist()]
    kind = "percent" if percent else "simple"
    asked = Repetitions(
        se=1e-6,
        nmax=10**6,
        n0=8,
        batch=5,
        method="bootstrap",
        statistic=statistic,
        differences=kind,
        resamples=200,  # type: ignore[arg-type]
    )
    scheduler = AdaptiveRuns(repetitions=asked, algorithms=("a", "b"), seed=9)
    of = {"mean": statistics.fmean, "median": statistics.median}.get(statistic, statistic)  # type: ignore[call-overload]
    for n in ([8, 8], [8, 9], [11, 9], [60, 60]):
        samples = [s[:m] for s, m in zip(streams, n, strict=True)]
        found = scheduler.decide("p", samples)
        fresh = AdaptiveRuns(repetitions=asked, algorithms=("a", "b"), seed=9).decide("p", samples)
        assert found == fresh
        drawn = []
        for name, sample in zip("ab", samples, strict=True):
            seed = np.random.SeedSequence(resampling_seed(9, "p", name, len(sample)))
            places = np.random.Generator(np.random.PCG64(seed)).integers(0, len(sample), size=(200, len(sample)))
            drawn.append([of([sample[place] for place in row]) for row in places.tolist()])
        phi = [(b - a) / a if percent else b - a for a, b in zip(*drawn, strict=True)]
        assert found.standard_errors[0] == pytest.approx(statistics.stdev(phi), rel=1e-12)


def test_resampling_in_chunks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sample = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 3.0]
    whole = resampled("mean", sample, 500, 12345)
    monkeypatch.setattr("bakeoff.wings.run.schedulers.score_table.CHUNK_NUMBERS", 7 * 33)
    assert np.array_equal(resampled("mean", sample, 500, 12345), whole)


def test_a_bootstrap_reference_that_reaches_zero_goes_on_to_the_budget() -> None:
    """A resampled mean of zero would be divided by: there is no standard error then, and no NaN."""
    streams = [[-1.0, 0.0, 4.0, -1.0, 3.0, -0.5] * 5, [5.0, 6.0, 7.0, 5.0, 6.0, 7.0] * 5]
    asked = Repetitions(se=0.01, nmax=20, n0=6, differences="percent", method="bootstrap")
    scheduler = AdaptiveRuns(repetitions=asked, algorithms=("a", "b"), seed=9)
    n, last = [6, 6], scheduler.decide("p", [s[:6] for s in streams])
    while not last.done:
        assert last.standard_error is None
        for m in last.plan:
            n[m] += 1
        last = scheduler.decide("p", [s[:m] for s, m in zip(streams, n, strict=True)])
    assert (last.reason, last.standard_errors, sum(n)) == ("budget", (None,), 20)


def test_seeds_are_the_digest_of_names_and_of_nothing_else() -> None:
    """blake2b of canonical JSON, by hashlib directly."""
    import hashlib

    key = b'[7,"run","probl\xc3\xa8me 1","A\\"B",3]'
    expected = int(hashlib.blake2b(key, digest_size=16).hexdigest(), 16)
    assert seed_of(7, "problème 1", 'A"B', 3) == expected
    seeds = {seed_of(s, p, a, r) for s in (0, 1) for p in ("x", "y") for a in ("x", "y") for r in range(50)}
    assert len(seeds) == 400
