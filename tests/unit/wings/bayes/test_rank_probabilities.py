"""What ``bo.bayes.rank_probabilities`` promises beside its numbers."""

from __future__ import annotations

import os

import mpmath
import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import InfiniteScoreError, ParameterError, TooLargeError
from bakeoff.wings.bayes.dirichlet.mean_ranks import posterior_covariance, posterior_input, weighted_means
from bakeoff.wings.bayes.dirichlet.rank_histograms import RankCounts, RankHistograms, distinct_columns


def table(seed: int = 0, n: int = 10, k: int = 5) -> bo.Scores:
    rng = np.random.default_rng(seed)
    return bo.Scores(np.round(rng.normal(size=(n, k)) + 0.4 * np.arange(k), 1), better="lower")


FIELDS = ("mean_ranks", "p_best", "p_rank", "standard_error", "expected_loss", "quantiles", "ridges")


def test_rows_and_columns_may_come_in_any_order() -> None:
    s = table()
    columns, rows = [3, 0, 4, 1, 2], np.random.default_rng(1).permutation(s.problems).tolist()
    turned = s.select(algorithms=columns, problems=rows)
    for loss in ("rank", "score"):
        found = bo.bayes.rank_probabilities(s, n_draws=3000, loss=loss)  # type: ignore[arg-type]
        again = bo.bayes.rank_probabilities(turned, n_draws=3000, loss=loss)  # type: ignore[arg-type]
        for field in FIELDS:
            assert np.array_equal(getattr(found, field)[columns], getattr(again, field)), field


def test_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for n in (1, 4):
        monkeypatch.setattr(os, "cpu_count", lambda n=n: n)
        found.append(bo.bayes.rank_probabilities(table(1), n_draws=60_000))
    for field in FIELDS:
        assert np.array_equal(getattr(found[0], field), getattr(found[1], field))


@pytest.mark.slow
@pytest.mark.parametrize("s", [0.0, 1.0, 20.0])
def test_sums_and_quantiles(s: float) -> None:
    t = table(2, n=8, k=4)
    found = bo.bayes.rank_probabilities(t, s, n_draws=200_000)
    assert found.p_rank.sum(axis=0) == pytest.approx(np.ones(4), abs=1e-12)
    assert found.p_rank.sum(axis=1) == pytest.approx(np.ones(4), abs=1e-12)
    assert found.mean_ranks.sum() == pytest.approx(10)
    assert found.expected_loss.min() >= 0
    width = found.grid[1] - found.grid[0]
    assert found.ridges.sum(axis=1) * width == pytest.approx(np.ones(4))
    mean_on_grid = (found.ridges * found.grid).sum(axis=1) * width
    assert mean_on_grid == pytest.approx(found.mean_ranks, abs=0.02)
    given = posterior_input(t, s)
    assert found.standard_deviations**2 == pytest.approx(posterior_covariance(given).diagonal())
    drawn = np.concatenate(
        list(weighted_means(given.deviations / 2, np.zeros(4), s, 200_000, np.random.default_rng(9)))
    )
    wanted = np.quantile(drawn + 2.5, found.quantile_levels, axis=0).T
    assert np.all(np.abs(found.quantiles - wanted) <= 0.06 * found.standard_deviations[:, None])
    for field in FIELDS:
        assert not getattr(found, field).flags.writeable


def test_equal_columns_share_exactly() -> None:
    rng = np.random.default_rng(3)
    a = rng.normal(size=(9, 1))
    s = bo.Scores(np.hstack([a, rng.normal(size=(9, 1)), a, a]), better="higher")
    found = bo.bayes.rank_probabilities(s, n_draws=2000)
    assert found.p_best[0] == found.p_best[2] == found.p_best[3]
    assert np.array_equal(found.p_rank[0], found.p_rank[2])
    assert [c.name for c in found.cautions] == ["ties (ranks)"]
    even = bo.bayes.rank_probabilities(bo.Scores(np.ones((3, 4)), better="lower"), n_draws=100)
    assert np.array_equal(even.p_rank, np.full((4, 4), 0.25))
    assert np.array_equal(even.expected_loss, np.zeros(4))
    assert np.array_equal(even.quantiles, np.full((4, 5), 2.5))


def test_two_algorithms_are_exact() -> None:
    for wins, losses in ((3, 1), (0, 4), (2, 2)):
        s = bo.Scores([[0, 1]] * wins + [[1, 0]] * losses + [[1, 1]], better="lower")
        found = bo.bayes.rank_probabilities(s, n_draws=100)
        (x,) = bo.bayes.compare(s).statements
        assert max(found.p_best) == min(x.probability, 1 - 0.5**4)  # four of four: no more than this
        assert found.p_best.sum() == 1
        assert found.method == "exact"
    assert found.p_best[0] == 0.5


@pytest.mark.parametrize(
    ("wins", "losses", "ties", "s"), [(5, 2, 1, 1.0), (0, 3, 2, 0.5), (4, 4, 0, 0.0), (0, 0, 2, 1.0)]
)
def test_loss_of_two_is_exact(wins: int, losses: int, ties: int, s: float) -> None:
    """E(θ_l − θ_g)⁺ by mpmath quadrature over B ~ Beta(wins, losses), times the mean of 1 − θ_t."""
    t = bo.Scores([[0, 1]] * wins + [[1, 0]] * losses + [[1, 1]] * ties, better="lower")
    found = bo.bayes.rank_probabilities(t, s, n_draws=100)
    if wins and losses:
        beta = mpmath.beta(wins, losses)
        tail = mpmath.quad(lambda b: (1 - 2 * b) * b ** (wins - 1) * (1 - b) ** (losses - 1) / beta, [0, 0.5])
    else:
        tail = mpmath.mpf(1 if losses else 0)
    both = np.array([tail, tail - mpmath.mpf(losses - wins) / max(wins + losses, 1)], dtype=float)
    both *= (wins + losses) / (t.n_problems + s)
    if not wins and losses:  # 2 ½ⁿ of the posterior with a and b exchanged or not, evenly: P(b best) = 1 − ½ⁿ
        both += 2 * 0.5**losses * (both.mean() - both)
    assert found.expected_loss == pytest.approx(both, rel=1e-12, abs=1e-15)
    assert not found.loss_standard_error.any()


def test_one_problem_without_prior_is_no_certainty() -> None:
    """P(best) was 1 and the expected loss 0; ¾ of the posterior is now averaged over all orders: 1 − ¾·⅔ = ½."""
    found = bo.bayes.rank_probabilities(bo.Scores([[3, 1, 2]], better="lower"), 0, n_draws=100)
    assert found.p_rank == pytest.approx(np.eye(3)[[2, 0, 1]] / 4 + 1 / 4)
    assert found.expected_loss == pytest.approx([1.25, 0.75, 1])
    assert np.array_equal(found.quantiles, np.repeat([[3.0], [1.0], [2.0]], 5, axis=1))


def test_the_prior_shrinks_losses_and_changes_no_place() -> None:
    t = table(4)
    a, b = (bo.bayes.rank_probabilities(t, s, n_draws=20_000) for s in (0.0, 10.0))
    assert np.abs(a.p_rank - b.p_rank).max() < 0.03
    assert b.expected_loss == pytest.approx(a.expected_loss * 10 / 20, abs=0.02)


def test_infinite_and_enormous_scores() -> None:
    s = bo.Scores([[1, np.inf, 2], [1, 2, np.inf], [2, 1, 0]], better="lower")
    assert bo.bayes.rank_probabilities(s, n_draws=100).p_best.sum() == pytest.approx(1)
    with pytest.raises(InfiniteScoreError, match="A2"):
        bo.bayes.rank_probabilities(s, loss="score")
    with pytest.raises(InfiniteScoreError, match="too large"):
        bo.bayes.rank_probabilities(bo.Scores([[1e308, -1e308]], better="lower"), loss="score")
    big = bo.bayes.rank_probabilities(bo.Scores([[1e308, 0], [0, 1e308]], better="lower"), n_draws=100, loss="score")
    assert np.isfinite(big.expected_loss).all()
    assert np.isfinite(big.loss_standard_error).all()


def test_errors() -> None:
    with pytest.raises(ParameterError, match="loss must be"):
        bo.bayes.rank_probabilities(table(), loss="ranks")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="n_draws"):
        bo.bayes.rank_probabilities(table(), n_draws=1)
    with pytest.raises(ParameterError, match="prior_strength"):
        bo.bayes.rank_probabilities(table(), -1)
    with pytest.raises(TooLargeError, match="at most 2000"):
        bo.bayes.rank_probabilities(bo.Scores(np.zeros((1, 2001)), better="lower"))


@pytest.mark.parametrize("seed", range(40))
def test_counting_twin(seed: int) -> None:
    """Rank probabilities and histograms beside loops, with equal columns."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 6))
    values = rng.integers(0, 3, size=(4, k)) / 1.0
    columns = distinct_columns(values)
    assert np.array_equal(columns.values[:, columns.of], values)
    draws = rng.dirichlet(np.ones(4), size=50) @ values
    places = RankCounts(columns)
    places.add(draws[:30, columns.first])
    places.add(draws[30:, columns.first])
    wanted = np.zeros((k, k))
    for row in draws:
        exact = [row[columns.first[columns.of[i]]] for i in range(k)]
        for i in range(k):
            below, equal = sum(x < exact[i] for x in exact), sum(x == exact[i] for x in exact)
            wanted[i, below : below + equal] += 1 / equal
    assert places.shares() == pytest.approx((wanted + 1 / k) / 51)
    ridges = RankHistograms(columns, values.mean(axis=0)[columns.first], values.std(axis=0)[columns.first] + 1e-3)
    apart = float(ridges.high.max() - ridges.low.min())  # a grid of what there is; of one value, of some width
    assert len(ridges.grid) * ridges.step == pytest.approx(apart or 1.0)
    ridges.add(draws[:, columns.first])
    halves = np.quantile(draws, [0.5], axis=0, method="inverted_cdf").T
    assert np.all(np.abs(ridges.quantiles([0.5]) - halves) <= 0.01)


@pytest.mark.parametrize("ranks", [[1, 2], [1, 2, 3]])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_certainty_from_few_problems_is_told_as_by_compare(ranks: list[int], n: int) -> None:
    scores = bo.Scores([ranks] * n, better="lower")
    found = {caution.code: caution.text for caution in bo.bayes.rank_probabilities(scores).cautions}
    assert ("certainty" in found) is (n < 5)
    assert ("certainty" in {caution.code for caution in bo.bayes.compare(scores).cautions}) is (n < 5)
    if n < 5:
        assert f"only {1 - 0.5**n:.4g}" in found["certainty"]


@pytest.mark.parametrize("prior", ["flat", "exchangeable"])
@pytest.mark.parametrize("n", [1, 3, 6, 20])
def test_no_place_is_more_probable_than_one_more_problem_against_it_leaves(n: int, prior: str) -> None:
    """It was 0.99999 after one problem, and the expected loss 0."""
    scores = bo.Scores([[1, 2, 3, 4]] * n, better="lower")
    found = bo.bayes.rank_probabilities(scores, n_draws=200, prior=prior)  # type: ignore[arg-type]
    assert found.p_rank.max() <= 1 - 0.5**n
    assert found.p_rank.sum(axis=0) == pytest.approx(np.ones(4))
    assert found.p_rank.sum(axis=1) == pytest.approx(np.ones(4))
    assert found.expected_loss.min() > 0 or n == 20


def test_the_bound_counts_problems_on_which_an_algorithm_differs_from_another() -> None:
    """A is best on all, but on one only it differs from B: 1 − ½ for A, and the same for B's second place."""
    scores = bo.Scores([[1, 1, 2]] * 9 + [[1, 2, 3]], better="lower")
    found = bo.bayes.rank_probabilities(scores, n_draws=200)
    assert found.p_best[0] == pytest.approx(0.5)


def test_few_problems_that_contradict_each_other_are_not_certain() -> None:
    scores = bo.Scores([[1, 2], [1, 2], [2, 1]], better="lower")
    assert "certainty" not in [caution.code for caution in bo.bayes.rank_probabilities(scores).cautions]


def test_certainty_from_few_clusters() -> None:
    scores = bo.Scores([[1, 2, 3]] * 9, better="lower", clusters=list("aaabbbccc"))
    (said,) = [c.text for c in bo.bayes.rank_probabilities(scores).cautions if c.code == "certainty"]
    assert "3 clusters would make places certain" in said
