"""Dirichlet weights on clusters, against one draw at a time in plain loops."""

import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow

N = 3000


def table(seed: int) -> tuple[bo.Scores, list[list[float]], list[int], list[int]]:
    """Clusters of 1 to 5 problems in mixed order, with ties; costs, cluster of each problem, sizes."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.full(rng.integers(1, 6), g) for g in range(9)])
    codes = codes[rng.permutation(len(codes))]
    costs = np.round(rng.normal(size=(9, 1, 3))[codes, 0] + rng.normal(size=(len(codes), 3)) + [0.0, 0.4, 0.8], 1)
    scores = bo.Scores(costs, ["a", "b", "c"], better="lower", clusters=[f"g{code}" for code in codes])
    return scores, costs.tolist(), codes.tolist(), np.bincount(codes).tolist()


def weights(rng: np.random.Generator, codes: list[int], sizes: list[int], s: float) -> tuple[list[float], float]:
    """One draw: a weight per cluster, spread over its problems, and the prior's."""
    drawn = rng.standard_exponential(len(sizes)).tolist()
    prior = rng.standard_gamma(s)
    total = sum(drawn) + prior
    return [drawn[g] / sizes[g] / total for g in codes], prior / total


def near(found: float, share: float) -> bool:
    return abs(found - share) <= 5.0 * max(0.5 / N, (share * (1 - share) / N) ** 0.5) + 0.003


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [1, 2])
def test_one_draw_at_a_time(seed: int) -> None:
    scores, costs, codes, sizes = table(seed)
    rng, k, n = np.random.default_rng(100 + seed), 3, len(costs)
    doubled = [[1 + sum((x < y) + 0.5 * (x == y) for x in row) - 0.5 for y in row] for row in costs]  # mid-ranks
    better = rope_better = ranked = 0.0
    best, joint = [0.0] * k, 0.0
    statements = bo.bayes.compare(scores, n_draws=40_000, prior="flat").statements
    named = {name: i for i, name in enumerate(scores.algorithms)}
    means = np.zeros(k)
    for _ in range(N):
        w, prior = weights(rng, codes, sizes, 1.0)
        d = [row[1] - row[0] for row in costs]
        better += sum(w[i] * ((d[i] > 0) - (d[i] < 0)) for i in range(n)) > 0
        above, below = sum(w[i] for i in range(n) if d[i] > 0.5001), sum(w[i] for i in range(n) if d[i] < -0.5001)
        rope_better += above > max(below, 1.0 - above - below)
        z, v = [*d, 0.0], [*w, prior]
        up = sum(v[i] * v[j] for i in range(n + 1) for j in range(n + 1) if z[i] + z[j] > 1e-9)
        down = sum(v[i] * v[j] for i in range(n + 1) for j in range(n + 1) if z[i] + z[j] < -1e-9)
        ranked += up > down
        mean = [sum(w[i] * doubled[i][j] for i in range(n)) + prior * (k + 1) / 2 for j in range(k)]
        best[mean.index(min(mean))] += 1
        means += mean
        sides = [(named[s.better], named[s.worse]) for s in statements]
        joint += all(sum(w[i] * ((r[a] < r[b]) - (r[a] > r[b])) for i, r in enumerate(costs)) > 0 for a, b in sides)
    assert near(bo.bayes.sign_test(scores, "a", "b").p_better, better / N)
    assert near(bo.bayes.sign_test(scores, "a", "b", rope=0.5).p_better, rope_better / N)
    found = bo.bayes.signed_rank(scores, "a", "b")
    assert near(found.p_better, ranked / N)
    assert found.mean_shares == pytest.approx(found.draws.mean(axis=0), abs=0.005)
    ranks = bo.bayes.rank_probabilities(scores)
    assert all(near(p, share / N) for p, share in zip(ranks.p_best.tolist(), best, strict=True))
    assert ranks.mean_ranks == pytest.approx(means / N, abs=0.05)
    assert near(statements[-1].joint, joint / N)
    assert bo.bayes.friedman(scores).mean == pytest.approx(ranks.mean_ranks, abs=1e-12)


def test_moments_of_repeated_runs_are_those_of_draws() -> None:
    scores, costs, codes, sizes = table(3)
    rng = np.random.default_rng(5)
    runs = np.array(costs)[:, :, None] + rng.normal(size=(len(costs), 3, 3)).round(1)
    found = bo.bayes.repeated_runs(bo.Scores(runs, ["a", "b", "c"], better="lower", clusters=scores.clusters))
    shares = []
    for _ in range(N):
        w, prior = weights(rng, codes, sizes, 1.0)
        inner = rng.dirichlet(np.ones(3), size=(len(costs), 2))
        won = (runs[:, 0, :, None] < runs[:, 1, None, :]) + 0.5 * (runs[:, 0, :, None] == runs[:, 1, None, :])
        each = np.einsum("nr,nrs,ns->n", inner[:, 0], won, inner[:, 1])
        shares.append(float(each @ np.array(w)) + prior / 2)
    assert float(found.shares[0, 1]) == pytest.approx(float(np.mean(shares)), abs=5 * np.std(shares) / N**0.5)
    assert float(found.standard_deviations[0, 1]) == pytest.approx(float(np.std(shares)), rel=0.08)
    assert near(float(found.p_better[0, 1]), float(np.mean(np.array(shares) > 0.5)))
