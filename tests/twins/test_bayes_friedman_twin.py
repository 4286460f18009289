"""The posterior of the mean ranks against loops and fractions: moments, draws, distances, prior rankings."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.randomness import chunk_size, streams
from bakeoff.wings.bayes.dirichlet.mean_ranks import posterior_covariance, posterior_input, posterior_mean
from bakeoff.wings.bayes.dirichlet.weights import gammas
from bakeoff.wings.bayes.regions import prior_rankings
from bakeoff.wings.bayes.regions.credible_region import eliminate, eliminate_rounded, ellipsoid, region_by_draws, whiten
from mean_rank_draws import mean_rank_draws

STRENGTHS = (0.0, 0.25, 1.0, 2.5, 7.0)


def random_table(rng, most_k=5, most_n=9):
    """Often with ties, copied columns, or agreement."""
    k, n = int(rng.integers(2, most_k + 1)), int(rng.integers(1, most_n + 1))
    values = rng.integers(0, int(rng.integers(1, 6)), (n, k)).astype(float)
    if rng.random() < 0.2:
        values[:, -1] = values[:, 0]
    if rng.random() < 0.1:
        values[:] = values[0]
    return bo.Scores(values, better=str(rng.choice(["lower", "higher"])))


def slow_rank(scores):
    """Equation 14 turned round (rank 1 is the best), ties by halves (section 6)."""
    cost = scores.values if scores.better == "lower" else -scores.values
    n = len(cost)
    return [
        [
            1 + sum(Fraction(int(x > y) * 2 + int(x == y), 2) for j, y in enumerate(cost[i]) if j != a)
            for a, x in enumerate(cost[i])
        ]
        for i in range(n)
    ]


def slow_moments(scores, s, prior=None):
    """Equations 16 and 17, term by term, in fractions: E[w_a w_b] under Dirichlet(s, 1 … 1)."""
    rows = slow_rank(scores)
    k, n, s = scores.n_algorithms, len(rows), Fraction(s)
    atoms = [list(prior) if prior is not None else [Fraction(k + 1, 2)] * k, *rows]
    alpha = [s] + [Fraction(1)] * n
    total = s + n
    mean = [sum(a * atom[i] for a, atom in zip(alpha, atoms, strict=True)) / total for i in range(k)]
    covariance = [[Fraction(0)] * k for _ in range(k)]
    for i, j in itertools.product(range(k), repeat=2):
        second = Fraction(0)
        for a, b in itertools.product(range(n + 1), repeat=2):
            expected = alpha[a] * (alpha[b] + (a == b)) / (total * (total + 1))
            second += expected * atoms[a][i] * atoms[b][j]
        covariance[i][j] = second - mean[i] * mean[j]
    return mean, covariance


def slow_distance(mean, covariance):
    """d Σ⁺ d by Gauss–Jordan in fractions, and the rank of Σ; infinite if Σ x = d has no solution."""
    k = len(mean)
    d = [m - Fraction(k + 1, 2) for m in mean]
    rows = [[*row, x] for row, x in zip(covariance, d, strict=True)]
    pivots = []
    for column in range(k):
        found = next((r for r in range(len(pivots), k) if rows[r][column] != 0), None)
        if found is None:
            continue
        here = len(pivots)
        rows[here], rows[found] = rows[found], rows[here]
        rows[here] = [x / rows[here][column] for x in rows[here]]
        for r in range(k):
            if r != here and rows[r][column] != 0:
                rows[r] = [x - rows[r][column] * y for x, y in zip(rows[r], rows[here], strict=True)]
        pivots.append(column)
    if any(row[k] != 0 for row in rows[len(pivots) :]):
        return math.inf, len(pivots)
    return float(sum(rows[r][k] * d[column] for r, column in enumerate(pivots))), len(pivots)


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("count", [40, pytest.param(150, marks=pytest.mark.slow)])
def test_moments_and_distance(count):
    rng = np.random.default_rng(1)
    for _ in range(count):
        scores, s = random_table(rng), float(rng.choice(STRENGTHS))
        mean, covariance = slow_moments(scores, s)
        given = posterior_input(scores, s)
        np.testing.assert_allclose(posterior_mean(given), [float(x) for x in mean], rtol=1e-14)
        np.testing.assert_allclose(
            posterior_covariance(given), [[float(x) for x in row] for row in covariance], rtol=1e-12, atol=1e-17
        )
        found = whiten(given)
        distance, rank = slow_distance(mean, covariance)
        assert found.rank == rank
        assert found.depth == pytest.approx(distance, rel=1e-14)
        if math.isfinite(distance) and rank:
            assert found.null @ found.null == pytest.approx(distance, rel=1e-9, abs=1e-9)


def test_draws_are_weighted_means_of_ranks():
    """The same streams, one problem and one draw at a time."""
    rng = np.random.default_rng(2)
    for case in range(12):
        scores, s = random_table(rng), float(rng.choice(STRENGTHS))
        n, k = scores.n_problems, scores.n_algorithms
        by_name = sorted(range(k), key=scores.algorithms.__getitem__)
        ranks = sorted(slow_rank(scores), key=lambda row: [row[a] for a in by_name])
        drawn = np.concatenate(list(mean_rank_draws(posterior_input(scores, s), 40, np.random.default_rng(case))))
        stream = next(streams(np.random.default_rng(case)))
        problems, prior = gammas(stream, 40, n, s)
        for draw in range(40):
            total = prior[draw] + sum(problems[draw])
            for a in range(k):
                expected = prior[draw] * (k + 1) / 2
                for i in range(n):
                    expected += problems[draw, i] * float(ranks[i][a])
                assert drawn[draw, a] == pytest.approx(expected / total, rel=1e-12)


@pytest.mark.parametrize("n", [3, 700])
def test_draws_do_not_depend_on_threads(n):
    scores = bo.Scores(np.random.default_rng(0).random((n, 9)), better="lower")  # of 4, many problems are alike
    given = posterior_input(scores, 1.0)
    size = 3 * chunk_size(max(n, 8)) // 2 if n > 100 else 200_000
    runs = [list(mean_rank_draws(given, size, np.random.default_rng(7), threads)) for threads in (1, 2, 5)]
    assert len(runs[0]) > 1
    for other in runs[1:]:
        assert all(np.array_equal(x, y) for x, y in zip(runs[0], other, strict=True))
    found = whiten(given)
    regions = [region_by_draws(found, 1.0, 0.05, 3000, np.random.default_rng(3), threads) for threads in (1, 3)]
    assert regions[0] == regions[1]


@pytest.mark.slow
def test_exact_region_against_naive_draws():
    """NumPy's Dirichlet, pseudo-inverse, a sort: within four standard errors (of both samples)."""
    rng = np.random.default_rng(4)
    size = 20_000
    for _ in range(12):
        scores, s = random_table(rng), float(rng.choice(STRENGTHS[1:]))
        mean, covariance = (np.array(x, dtype=float) for x in slow_moments(scores, s))
        k = scores.n_algorithms
        found = whiten(posterior_input(scores, s))
        if found.rank == 0:
            continue
        atoms = np.vstack([np.full(k, (k + 1) / 2), np.array(slow_rank(scores), dtype=float)])
        draws = rng.dirichlet([s, *[1.0] * scores.n_problems], size) @ atoms - mean
        inverse = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
        point = (k + 1) / 2 - mean
        if found.rank == 1:
            axis = np.linalg.eigh(covariance)[1][:, -1]
            tails = [float(np.mean(draws @ axis <= point @ axis)), float(np.mean(draws @ axis >= point @ axis))]
            share, sides = 1 - 2 * min(tails), 2
        else:
            share, sides = float(np.mean(np.sum(draws @ inverse * draws, axis=1) < point @ inverse @ point)), 1
        ours = region_by_draws(found, s, 0.05, size, np.random.default_rng(1))
        margin = 4 * math.hypot(ours.standard_error, sides * math.sqrt(max(share * (1 - share), 1 / size) / size))
        assert ours.probability == pytest.approx(max(share, 0), abs=margin)


# --- elimination ------------------------------------------------------------------------------------------------------


def test_rounded_elimination_agrees_with_the_exact_one():
    rng = np.random.default_rng(6)
    for _ in range(100):
        k, r = int(rng.integers(1, 9)), int(rng.integers(0, 9))
        factor = rng.integers(-4, 5, (r, k))
        matrix = factor.T @ factor
        vector = rng.integers(-3, 4, r) @ factor if rng.random() < 0.7 else rng.integers(-3, 4, k)
        whole = eliminate(matrix.tolist(), vector.tolist())
        rounded = eliminate_rounded(matrix.astype(float), vector.astype(float))
        assert len(whole.pivots) == len(rounded.pivots) == (np.linalg.matrix_rank(matrix) if matrix.any() else 0)
        for found in (whole, rounded):
            rows = np.ix_(found.pivots, found.pivots)
            product = found.lower * np.exp(found.log_diagonal) @ found.lower.T
            np.testing.assert_allclose(product, matrix[rows], rtol=1e-9, atol=1e-9)
        assert (whole.quadratic is None) == (rounded.quadratic is None)
        if whole.quadratic is not None:
            assert rounded.quadratic == pytest.approx(float(whole.quadratic), rel=1e-8, abs=1e-9)


def test_more_algorithms_than_the_exact_elimination_takes(monkeypatch):
    rng = np.random.default_rng(9)
    scores = bo.Scores(np.column_stack([x := rng.integers(0, 9, (60, 8)), x[:, 0]]), better="lower")
    for s in (0.0, 1.0, 1e3):
        exactly = bo.bayes.friedman(scores, prior_strength=s)
        with monkeypatch.context() as patch:
            patch.setattr("bakeoff.wings.bayes.regions.credible_region.EXACT_UP_TO", 3)
            rounded = bo.bayes.friedman(scores, prior_strength=s)
            region = bo.bayes.friedman(scores, prior_strength=s, region="exact", n_draws=2000)
        assert rounded.rank == exactly.rank == 7
        assert rounded.statistic == pytest.approx(exactly.statistic, rel=1e-10)
        expected = bo.bayes.friedman(scores, prior_strength=s, region="exact", n_draws=2000)
        margin = 4 * math.hypot(region.standard_error, expected.standard_error)
        assert region.probability == pytest.approx(expected.probability, abs=margin)


# --- prior rankings ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_all_rankings_are_all_weak_orders(k):
    rows = np.array(sorted(set(itertools.product(range(k), repeat=k))), dtype=float)
    slow = {tuple(2 * np.array([np.sum(r < x) * 2 + np.sum(r == x) + 1 for x in r]) // 2 - k - 1) for r in rows}
    found = [tuple(row) for row in prior_rankings.all_rankings(k)]
    assert set(found) == slow
    assert len(found) == len(set(found)) == {2: 3, 3: 13, 4: 75, 5: 541}[k]  # OEIS A000670


@pytest.mark.slow
@pytest.mark.parametrize("count", [15, pytest.param(50, marks=pytest.mark.slow)])
def test_many_prior_rankings_at_once(count):
    rng = np.random.default_rng(11)
    for _ in range(count):
        scores, s = random_table(rng, most_k=4), float(rng.choice(STRENGTHS[1:]))
        given = posterior_input(scores, s)
        every = prior_rankings.all_rankings(given.k)
        some = every[rng.integers(0, len(every), 3)]
        depths, ranks = prior_rankings._depths(prior_rankings._data(given), some)
        for row, depth, rank in zip(some, depths, ranks, strict=True):
            prior = [Fraction(int(x) + given.k + 1, 2) for x in row]
            distance, slow_rank_ = slow_distance(*slow_moments(scores, s, prior))
            assert rank == slow_rank_
            assert depth == pytest.approx(distance, rel=1e-10, abs=1e-10)


@pytest.mark.slow
def test_bounds_against_every_prior_ranking():
    rng = np.random.default_rng(12)
    seen = set()
    for _ in range(40):
        k = int(rng.integers(2, 5))
        n = int(rng.integers(k + 1, 14))
        scores = bo.Scores(rng.integers(0, 6, (n, k)) + np.arange(k) * rng.choice([0, 1.5]), better="lower")
        s = float(rng.choice([0.5, 1.0, 3.0]))
        given = posterior_input(scores, s)
        each = [
            ellipsoid(whiten(here), n, 0.05)
            for here in (given.with_prior(row) for row in prior_rankings.all_rankings(k))
        ]
        r = bo.bayes.friedman(scores, s, prior="ignorance")
        balanced = prior_rankings.prior_can_balance(given)
        low = (0.0, 0.0) if balanced else (min(i.statistic for i in each), min(i.probability for i in each))
        assert r.statistic_bounds == pytest.approx((low[0], max(i.statistic for i in each)), rel=1e-12, abs=1e-12)
        assert r.probability_bounds == pytest.approx((low[1], max(i.probability for i in each)), rel=1e-12, abs=1e-12)
        rejected = {i.rejected for i in each} | ({False} if balanced else set())
        verdict = "indeterminate" if len(rejected) == 2 else "different" if True in rejected else "no difference shown"
        assert r.verdict == verdict
        equal = bo.bayes.friedman(scores, s)
        assert r.probability_bounds[0] <= equal.probability <= r.probability_bounds[1]
        assert (r.mean_bounds[0] <= equal.mean).all()
        assert (equal.mean <= r.mean_bounds[1]).all()
        seen.add(r.verdict)
    assert seen == {"indeterminate", "different", "no difference shown"}


@pytest.mark.slow
def test_a_prior_can_balance_exactly_if_opposite_is_a_mixture_of_rankings():
    """Linear programming over all permutations against the majorisation rule."""
    from scipy.optimize import linprog

    rng = np.random.default_rng(13)
    found = set()
    for _ in range(60):
        scores, s = random_table(rng, most_k=4, most_n=6), float(rng.choice([0.5, 1.0, 2.0, 4.0]))
        given = posterior_input(scores, s)
        rankings = np.array(list(itertools.permutations(range(1 - given.k, given.k, 2))), dtype=float)
        target = -given.deviations.sum(axis=0) / s
        equalities = np.vstack([rankings.T, np.ones(len(rankings))])
        program = linprog(np.zeros(len(rankings)), A_eq=equalities, b_eq=[*target, 1.0], bounds=(0, None))
        assert prior_rankings.prior_can_balance(given) == (program.status == 0)
        found.add(program.status == 0)
    assert found == {True, False}


@pytest.mark.slow
def test_local_search_finds_the_extremes():
    """Where all 541 or 4683 can be listed, the search finds both ends in at least nine of ten tables."""
    rng = np.random.default_rng(14)
    hits, tries = 0, 0
    for case in range(15):
        k = int(rng.integers(5, 7))
        scores = bo.Scores(rng.integers(0, 8, (3 * k, k)) + np.arange(k) * (case % 3), better="lower")
        data = prior_rankings._data(posterior_input(scores, 1.0))
        depths, _ = prior_rankings._depths(data, prior_rankings.all_rankings(k))
        for sign, best in ((1, depths.max()), (-1, depths.min())):
            begin = prior_rankings.starts([sign * data.mean], k, np.random.default_rng(0))
            ends = [
                prior_rankings.climb(start, lambda x, sign=sign, data=data: sign * prior_rankings._depths(data, x)[0])
                for start in begin
            ]
            reached = max(sign * prior_rankings._depths(data, end[None, :])[0][0] for end, _ in ends)
            assert reached <= sign * best + 1e-9
            hits += reached >= sign * best - 1e-9
            tries += 1
    assert hits >= 0.9 * tries
