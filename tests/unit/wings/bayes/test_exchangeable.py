"""``prior="exchangeable"``: what must hold of any table."""

import numpy as np
import pytest
from scipy import integrate, stats

import bakeoff as bo
from bakeoff import report
from bakeoff.errors import ParameterError
from bakeoff.wings.bayes.analysis.reporting import sentences
from bakeoff.wings.bayes.dirichlet.mean_ranks import posterior_input
from bakeoff.wings.bayes.dirichlet.shrunken_ranks import _posterior_of_spread, shrunken_ranks


def table(seed: int = 0, n: int = 12, k: int = 4, step: float = 0.5) -> bo.Scores:
    return bo.Scores(np.random.default_rng(seed).normal(size=(n, k)) + step * np.arange(k), better="lower")


@pytest.mark.slow
def test_exchangeable_is_the_default_from_three_algorithms_on() -> None:
    for k, prior in ((2, "equal"), (3, "exchangeable"), (5, "exchangeable")):
        s = table(k=k)
        assert bo.bayes.compare(s, n_draws=100).prior == prior
        o = bo.bayes.overview(s, n_draws=100)
        assert (o.prior, o.joint.prior, o.ranks.prior, o.request["prior"]) == (prior, prior, prior, None)
        assert bo.bayes.overview(s, n_draws=100, prior="flat").prior == "equal"


def test_flat_is_equality() -> None:
    s = table()
    flat = bo.bayes.compare(s, n_draws=500, prior="flat")
    for prior in ("equal",):
        assert bo.bayes.compare(s, n_draws=500, prior=prior).statements == flat.statements  # type: ignore[arg-type]
    assert (flat.prior, flat.spread) == ("equal", None)
    for prior in ("flat", "equal"):
        again = bo.bayes.rank_probabilities(s, n_draws=500, prior=prior)  # type: ignore[arg-type]
        assert np.array_equal(again.p_rank, bo.bayes.rank_probabilities(s, n_draws=500).p_rank)
        assert again.prior == "equal"
    with pytest.raises(ParameterError, match="prior must be one of 'flat', 'exchangeable', 'ignorance'"):
        bo.bayes.compare(s, prior="shrunk")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="prior must be one of 'flat', 'exchangeable'"):
        bo.bayes.rank_probabilities(s, prior="ignorance")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="loss must be 'rank' with prior='exchangeable'"):
        bo.bayes.rank_probabilities(s, prior="exchangeable", loss="score")


@pytest.mark.parametrize("seed", range(8))
def test_probabilities_are_coherent(seed: int) -> None:
    found = bo.bayes.compare(table(seed, 3 + 2 * seed, 4, 0.4 * (seed % 3)), prior="exchangeable", n_draws=700)
    error = 0.0
    joints = [x.joint for x in found.statements]
    assert joints == sorted(joints, reverse=True)
    for x in found.statements:
        error += 1 - x.probability
        assert 0.5 <= x.probability < 1
        assert max(0.0, 1 - error) - 1e-12 <= x.joint <= x.probability
    assert not found.cycles
    assert found.n_accepted == sum(j > 0.95 for j in joints)


def test_order_of_rows_and_columns_and_direction() -> None:
    s = table(3)
    rows, columns = [5, 1, 9, 0, 2, 11, 3, 4, 10, 6, 7, 8], [2, 0, 3, 1]
    turned = bo.Scores(-s.values[rows][:, columns], [s.algorithms[c] for c in columns], better="higher")
    one, other = (bo.bayes.compare(t, prior="exchangeable", n_draws=400) for t in (s, turned))
    for x, y in zip(one.statements, other.statements, strict=True):
        assert (x.better, x.worse, x.wins, x.losses) == (y.better, y.worse, y.wins, y.losses)
        assert x.probability == pytest.approx(y.probability, abs=1e-10)
    ranks, again = (bo.bayes.rank_probabilities(t, prior="exchangeable", n_draws=400) for t in (s, turned))
    assert ranks.mean_ranks[columns] == pytest.approx(again.mean_ranks, abs=1e-10)


def test_it_shrinks_and_less_so_with_more_problems() -> None:
    for n, least in ((8, 0.2), (400, 0.97)):
        s = table(1, n, 5, 0.3)
        flat = bo.bayes.rank_probabilities(s, n_draws=100).mean_ranks - 3
        drawn = bo.bayes.rank_probabilities(s, n_draws=100, prior="exchangeable").mean_ranks - 3
        ratio = float(np.linalg.norm(drawn) / np.linalg.norm(flat))
        assert least < ratio < 1
    assert drawn.sum() == pytest.approx(0, abs=1e-12)


def test_equal_columns_and_equal_scores() -> None:
    x = np.random.default_rng(0).normal(size=(9, 2))
    s = bo.Scores(np.column_stack([x, x[:, 0]]), better="lower")
    found = bo.bayes.compare(s, prior="exchangeable", n_draws=400)
    (same,) = (x for x in found.statements if {x.better, x.worse} == {"A1", "A3"})
    assert (same.probability, same.accepted) == (0.5, False)
    ranks = bo.bayes.rank_probabilities(s, prior="exchangeable", n_draws=400)
    assert ranks.p_best[0] == ranks.p_best[2]
    nothing = bo.bayes.compare(bo.Scores(np.ones((4, 3)), better="lower"), prior="exchangeable", n_draws=100)
    assert {x.probability for x in nothing.statements} == {0.5}
    even = bo.bayes.rank_probabilities(bo.Scores(np.ones((4, 3)), better="lower"), prior="exchangeable", n_draws=100)
    assert even.p_best.tolist() == pytest.approx([1 / 3] * 3)
    pair = bo.bayes.rank_probabilities(bo.Scores([[1, 2]] * 9 + [[2, 1]], better="lower"), prior="exchangeable")
    (said,) = bo.bayes.compare(bo.Scores([[1, 2]] * 9 + [[2, 1]], better="lower"), prior="exchangeable").statements
    assert pair.p_best.tolist() == pytest.approx([said.probability, 1 - said.probability])


@pytest.mark.parametrize("n", [1, 2, 4, 5])
def test_a_few_problems_that_agree_are_no_more_certain_than_by_signs(n: int) -> None:
    s = bo.Scores(np.tile([1.0, 2.0, 3.0], (n, 1)), better="lower")
    found = bo.bayes.compare(s, prior="exchangeable", n_draws=400)
    assert all(x.probability <= 1 - 0.5**n for x in found.statements)
    assert found.n_accepted == (3 if n == 5 else 0)


@pytest.mark.slow
def test_strong_and_many() -> None:
    clear = bo.bayes.compare(table(2, 400, 3, 3.0), prior="exchangeable", n_draws=400)
    assert clear.n_accepted == 3
    wide = table(0, 30, 60, 0.2)
    law = shrunken_ranks(posterior_input(wide, 1.0))
    assert law.weights.sum() == pytest.approx(1)
    assert law.draw(np.random.default_rng(0), 5).shape == (5, 60)
    drawn = law.draw(np.random.default_rng(1), 40_000)
    mean, covariance = law.moments()
    assert drawn.mean(axis=0) == pytest.approx(mean, abs=0.15)
    assert np.cov(drawn.T) == pytest.approx(covariance, abs=0.06 * float(covariance.diagonal().max()))


def test_quantiles_are_not_cut_off_at_the_ranks_seen() -> None:
    found = bo.bayes.rank_probabilities(bo.Scores([[1, 2, 3]] * 6, better="lower"), prior="exchangeable")
    z = (found.quantiles[:, -1] - found.mean_ranks) / found.standard_deviations
    assert z[[0, 2]] == pytest.approx([1.96, 1.96], abs=0.25)


@pytest.mark.slow
def test_the_page_says_what_the_probability_is_of() -> None:
    for k in (2, 4):
        s = table(0, 40, k, 0.8)
        o = bo.bayes.overview(s, prior="exchangeable", n_draws=400)
        assert o.prior == "exchangeable"
        assert o.ranks.prior == "exchangeable"
        assert o.pairs[0].sign.prior == "equal"
        assert sentences.basis(o).startswith("Bayesian comparison of mean ranks; prior: exchangeable mean ranks")
        assert " is better than " in sentences.verdict(o)
        assert "1 other" not in sentences.verdict(o)
        assert "of a lower mean rank over all such problems" in " ".join(report.render(o, "md").split())


@pytest.mark.parametrize(
    ("coordinates", "variances"),
    [([0.9], [0.2]), ([0.1, -0.2], [0.05, 0.4]), ([1.5, 0.3, -0.8], [0.1, 0.2, 0.6]), ([0.0, 0.0], [0.3, 0.3])],
)
def test_the_spread_by_integration(coordinates: list[float], variances: list[float]) -> None:
    """u = s₀/(s₀ + τ²), s₀ the harmonic mean of the variances, is uniform before the data."""
    y, own = np.array(coordinates), np.array(variances)
    between, weights = _posterior_of_spread(y, own)
    unit = len(own) / float(np.sum(1 / own))

    def weighed(u: float, power: int) -> float:
        return u**power * float(np.prod(stats.norm.pdf(y, scale=np.sqrt(own + unit * (1 - u) / u))))

    whole, first, second = (integrate.quad(weighed, 0, 1, args=(power,), epsabs=0)[0] for power in range(3))
    share = unit / (unit + between)
    assert weights @ share == pytest.approx(first / whole, rel=1e-5)
    assert weights @ share**2 == pytest.approx(second / whole, rel=1e-5)
