"""The law of the largest |t|, one choice of signs after the other, beside the matrix products."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import bakeoff as bo


def t_of(d: list[float], clusters: list[int], suites: list[int]) -> float:
    """The t of the macro average whose error is the jackknife over clusters, by the definition."""
    mean = variance = 0.0
    names = sorted(set(suites))
    for suite in names:
        inside = [i for i in range(len(d)) if suites[i] == suite]
        centre = sum(d[i] for i in inside) / len(inside)
        groups = sorted({clusters[i] for i in inside})
        squares = 0.0
        for left in groups:  # the mean without one cluster, for each of them
            rest = [d[i] for i in inside if clusters[i] != left]
            squares += (sum(rest) / len(rest) - centre) ** 2
        mean += centre / len(names)
        variance += (len(groups) - 1) / len(groups) * squares / len(names) ** 2
    if variance < 1e-24:
        return 0.0 if abs(mean) < 1e-12 else math.inf
    return abs(mean) / math.sqrt(variance)


def slow(values: list[list[float]], clusters: list[int], suites: list[int]) -> list[float]:
    """Adjusted p of every pair over all signs of clusters."""
    k, n = len(values[0]), len(values)
    pairs = list(itertools.combinations(range(k), 2))
    d = [[values[i][a] - values[i][b] for i in range(n)] for a, b in pairs]
    t = [t_of(one, clusters, suites) for one in d]
    residuals = []
    for one in d:
        means = {s: np.mean([one[i] for i in range(n) if suites[i] == s]) for s in set(suites)}
        residuals.append([one[i] - float(means[suites[i]]) for i in range(n)])
    groups = list(dict.fromkeys(clusters))
    beyond = [[0, 0] for _ in pairs]
    every = list(itertools.product((1, -1), repeat=len(groups)))
    for signs in every:
        sign = dict(zip(groups, signs, strict=True))
        for law, rows in enumerate((d, residuals)):
            largest = max(t_of([sign[clusters[i]] * x for i, x in enumerate(one)], clusters, suites) for one in rows)
            for p in range(len(pairs)):
                beyond[p][law] += largest >= t[p] * (1 - 1e-9)
    return [max(counts) / len(every) for counts in beyond]


@pytest.mark.few(4)
@pytest.mark.parametrize("case", range(8))
def test_adjusted_pvalues(case: int) -> None:
    rng = np.random.default_rng(case)
    sizes = rng.integers(1, 4, size=7) if case < 6 else np.full(7, case - 5)
    clusters = np.repeat(np.arange(7), sizes)
    values = rng.integers(-3, 6, size=(len(clusters), 3)) + np.array([0, 0, 2 * (case % 3)])
    suites = (clusters >= 3).astype(int) if case % 2 else np.zeros(len(clusters), dtype=int)
    scores = bo.Scores(values, better="higher", clusters=clusters.tolist())
    found = bo.evaluate(scores, suites=suites.tolist() if case % 2 else None)
    assert found.exact
    law = slow(values.tolist(), clusters.tolist(), suites.tolist())
    assert [p.adjusted for p in found.pairs] == pytest.approx(
        [max(p.pvalue, x) for p, x in zip(found.pairs, law, strict=True)], rel=1e-12
    )
    for pair in found.pairs:
        decided = pair.simultaneous is not None and not pair.simultaneous[0] <= 0 <= pair.simultaneous[1]
        assert decided == (pair.verdict in ("a better", "b better"))
    alone = bo.sign_flip(scores, 0, 1)
    if not case % 2 and sizes.min() == sizes.max():
        assert found.pairs[0].sign_flip == pytest.approx(alone.pvalue)


def test_sign_flips_of_equal_clusters_are_those_of_sign_flip() -> None:
    values = np.random.default_rng(2).normal(size=(24, 2)) + np.array([0.5, 0])
    scores = bo.Scores(values, better="higher", clusters=np.repeat(np.arange(8), 3).tolist())
    assert bo.evaluate(scores).pairs[0].sign_flip == pytest.approx(bo.sign_flip(scores, 0, 1).pvalue, rel=1e-12)


def test_a_sample_of_signs_is_near_all_of_them() -> None:
    values = np.random.default_rng(3).normal(size=(12, 4)) + np.array([0.9, 0, 0, 0])
    scores = bo.Scores(values, better="higher")
    exact = bo.evaluate(scores)
    sampled = bo.evaluate(scores, n_resamples=2000)
    assert exact.exact
    assert not sampled.exact
    for one, other in zip(exact.pairs, sampled.pairs, strict=True):
        assert abs(one.adjusted - other.adjusted) < 5 * math.sqrt(0.25 / 2000)
