"""R-hat and effective sample sizes beside loops over the formulas of Vehtari et al. (2021)."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

from bakeoff.wings.bayes.mcmc import diagnostics


def twin_split(draws):
    half = len(draws[0]) // 2
    return [c[:half] for c in draws] + [c[len(c) - half :] for c in draws]


def twin_scores(draws):
    pooled = sorted(x for c in draws for x in c)
    s = len(pooled)

    def score(x):
        below, same = sum(y < x for y in pooled), sum(y == x for y in pooled)
        return statistics.NormalDist().inv_cdf((below + (same + 1) / 2 - 3 / 8) / (s + 1 / 4))

    return [[score(x) for x in c] for c in draws]


def twin_plain_rhat(draws):
    n, m = len(draws[0]), len(draws)
    means = [sum(c) / n for c in draws]
    grand = sum(means) / m
    b = n / (m - 1) * sum((x - grand) ** 2 for x in means)
    w = sum(sum((x - mean) ** 2 for x in c) / (n - 1) for c, mean in zip(draws, means, strict=True)) / m
    if w == 0:
        return 1.0 if b == 0 else math.inf
    return math.sqrt(((n - 1) / n * w + b / n) / w)


def twin_rhat(draws):
    halves = twin_split(draws)
    middle = statistics.median(x for c in halves for x in c)
    folded = [[abs(x - middle) for x in c] for c in halves]
    return max(twin_plain_rhat(twin_scores(halves)), twin_plain_rhat(twin_scores(folded)))


def twin_ess(halves):
    n, m = len(halves[0]), len(halves)
    means = [sum(c) / n for c in halves]
    grand = sum(means) / m
    cov = [
        sum(
            sum((c[i] - mean) * (c[i + t] - mean) for i in range(n - t)) / n
            for c, mean in zip(halves, means, strict=True)
        )
        / m
        for t in range(n)
    ]
    w = cov[0] * n / (n - 1)
    plus = w * (n - 1) / n + sum((x - grand) ** 2 for x in means) / (m - 1)
    if plus <= 0:
        return float(m * n)
    rho = [1.0] + [1 - (w - cov[t]) / plus for t in range(1, n)]
    tau, previous, t = -1.0, math.inf, 0
    while t + 1 < n and rho[t] + rho[t + 1] > 0:
        previous = min(previous, rho[t] + rho[t + 1])
        tau += 2 * previous
        t += 2
    if t < n:
        tau += max(0.0, rho[t])
    return m * n / max(tau, 1 / math.log10(m * n))


@pytest.mark.few(20)
@pytest.mark.parametrize("seed", range(60))
def test_against_loops(seed):
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(2, 5)), int(rng.integers(8, 40))
    x = np.cumsum(rng.normal(size=(m, n)), axis=1) * rng.choice([0.1, 1.0]) + rng.normal(size=(m, n))
    if seed % 3 == 0:
        x = np.round(x)  # ties
    draws = x.tolist()
    halves = twin_split(draws)
    assert diagnostics.rhat(x) == pytest.approx(twin_rhat(draws), rel=1e-9)
    assert diagnostics.ess_mean(x) == pytest.approx(twin_ess(halves), rel=1e-9)
    assert diagnostics.ess_bulk(x) == pytest.approx(twin_ess(twin_scores(halves)), rel=1e-9)
    low, high = np.quantile([v for c in halves for v in c], (0.05, 0.95))
    tails = [twin_ess([[float(v <= cut) for v in c] for c in halves]) for cut in (low, high)]
    assert diagnostics.ess_tail(x) == pytest.approx(min(tails), rel=1e-9)
