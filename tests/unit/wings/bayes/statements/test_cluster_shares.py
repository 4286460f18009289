"""Shares of clusters that lead one way as wholes: those of as many problems, in closed form."""

import numpy as np
import pytest
from scipy.stats import beta

import bakeoff as bo
from bakeoff.wings.bayes.dirichlet.shares import largest_shares
from bakeoff.wings.bayes.statements.cluster_shares import ClusterShares, none_against

SIZES = [1, 3, 2, 1, 4, 2, 1]


def integer(ways: list[float]) -> bo.Scores:
    """A cluster of another size for each way: all of its problems won (1), tied (0) or lost (−1) by a."""
    sizes = SIZES[: len(ways)]
    d = np.repeat(ways, sizes)
    labels = np.repeat([f"g{i}" for i in range(len(ways))], sizes).tolist()
    return bo.Scores(np.c_[d, 0 * d], ["a", "b"], better="higher", clusters=labels)


WAYS = [1.0, 1.0, -1.0, 0.0, 1.0, -1.0, 1.0]  # 4 won, 2 lost, 1 tied


@pytest.mark.parametrize("gamma", [0.05, 0.4])
@pytest.mark.slow_cases("0.05")
def test_shares_of_decided_clusters_are_beta(gamma: float) -> None:
    ends = [gamma / 2, 1 - gamma / 2]
    found = bo.bayes.sign_test(integer(WAYS), 0, 1, gamma=gamma)
    assert found.interval_decided == pytest.approx(beta(4, 2).ppf(ends), abs=1e-8)
    assert found.p_better == pytest.approx(beta(4, 2).sf(0.5), abs=1e-10)
    for strength in (0.5, 3.0):
        found = bo.bayes.sign_test(integer(WAYS), 0, 1, strength, prior="ignorance", gamma=gamma)
        low, high = beta(4, 2 + strength).ppf(ends[0]), beta(4 + strength, 2).ppf(ends[1])
        assert found.interval_decided == pytest.approx((low, high), abs=1e-8)
        bounds = beta(4, 2 + strength).sf(0.5), beta(4 + strength, 2).sf(0.5)
        assert found.p_better_bounds == pytest.approx(bounds, abs=1e-10)


def test_clusters_of_one_way_with_and_without_a_prior() -> None:
    """Nothing is lost: the share is 1 until a prior of weight s is against it, and Beta(3, s) then."""
    found = bo.bayes.sign_test(integer([1.0, 1.0, 1.0]), 0, 1, 2.0, prior="ignorance")
    assert found.interval_decided == pytest.approx((beta(3, 2).ppf(0.025), 1.0), abs=1e-8)
    assert found.interval == pytest.approx((beta(3, 2).ppf(0.025), 1.0), abs=1e-8)
    found = bo.bayes.sign_test(integer([-1.0, -1.0, -1.0]), 0, 1, 2.0, prior="ignorance")
    assert found.interval == pytest.approx((0.0, beta(2, 3).ppf(0.975)), abs=1e-8)
    assert bo.bayes.sign_test(integer([1.0, 1.0, 1.0]), 0, 1).interval_decided == (1.0, 1.0)


@pytest.mark.parametrize("strength", [0.0, 1.0, 2.5])
def test_the_interval_is_that_of_problems(strength: float) -> None:
    """With half of each tie, and the prior at equality or anywhere."""
    alone = bo.Scores(np.c_[WAYS, np.zeros(7)], ["a", "b"], better="higher")
    for prior in ("equal", "ignorance"):
        found = bo.bayes.sign_test(integer(WAYS), 0, 1, strength, prior=prior)
        known = bo.bayes.sign_test(alone, 0, 1, strength, prior=prior)
        assert found.interval == pytest.approx(known.interval, abs=1e-7)
        assert found.interval_decided == pytest.approx(known.interval_decided, abs=1e-7)


@pytest.mark.parametrize("strength", [0.0, 1.0, 2.5])
@pytest.mark.slow_cases("0.0", "1.0")
def test_which_share_is_largest_within_a_rope(strength: float) -> None:
    """Drawn: within five standard errors of the integral, for the prior on each of the three."""
    found = bo.bayes.sign_test(integer(WAYS), 0, 1, strength, rope=0.1, prior="ignorance")
    by_prior = [largest_shares(*np.add([4, 1, 2], at)) for at in strength * np.eye(3)]
    got = (found.p_better_bounds, found.p_equivalent_bounds, found.p_worse_bounds)
    for bounds, each in zip(got, zip(*by_prior, strict=True), strict=True):
        assert bounds == pytest.approx((min(each), max(each)), abs=5 * 0.5 / 200_000**0.5)
    assert 0.0005 < found.standard_error < 0.0012
    known = by_prior[1]
    assert (found.p_better, found.p_equivalent, found.p_worse) == pytest.approx(known, abs=0.0056)


def test_only_what_can_be_largest_is_drawn() -> None:
    sure = bo.bayes.sign_test(integer([1.0, 1.0]), 0, 1, 0.0, rope=0.1)
    assert (sure.p_better, sure.p_equivalent, sure.p_worse, sure.standard_error) == (1.0, 0.0, 0.0, 0.0)
    two = bo.bayes.sign_test(integer([1.0, 1.0]), 0, 1, 1.0, rope=0.1)
    assert two.p_worse == 0.0
    assert two.p_better == pytest.approx(0.75, abs=0.0056)


@pytest.mark.parametrize("prior", ["flat", "ignorance"])
def test_statements_of_whole_clusters_are_those_of_problems(prior: str) -> None:
    rng = np.random.default_rng(4)
    alone = bo.Scores(rng.integers(0, 4, (7, 3)) + np.eye(3)[2], ["a", "b", "c"], better="higher")
    sizes = [1, 9, 1, 1, 8, 2, 1]
    labels = np.repeat(list("pqrstuv"), sizes).tolist()
    many = bo.Scores(np.repeat(alone.values, sizes, axis=0), alone.algorithms, better="higher", clusters=labels)
    found, known = (bo.bayes.compare(s, prior=prior, prior_strength=2.0, n_draws=4000) for s in (many, alone))
    for one, other in zip(found.statements, known.statements, strict=True):
        assert (one.better, one.worse) == (other.better, other.worse)
        assert one.probability == pytest.approx(other.probability, abs=1e-9)
        assert one.joint == pytest.approx(other.joint, abs=0.05)
        assert (one.probability_bounds is None) == (prior == "flat")
        if one.probability_bounds:
            assert one.probability_bounds == pytest.approx(other.probability_bounds, abs=1e-9)


def test_a_statement_that_no_cluster_opposes_is_bounded_by_one_that_would() -> None:
    """Beta(5, 1) and Beta(6, 0): 1 − 2^−5 to 1, however large the clusters."""
    (found,) = bo.bayes.compare(integer([1.0] * 5)).statements
    assert found.certain_bounds == pytest.approx((31 / 32, 1.0), abs=1e-9)
    assert (found.accepted, found.verdict) == (True, "accepted")


@pytest.mark.parametrize(
    ("won", "lost", "rope", "alone", "with_prior"),
    [
        ([1.0, 0.6], [0.0, 0.2], 0.0, True, True),
        ([1.0, 0.2], [0.0, 0.6], 0.0, False, False),
        ([0.9, 0.8], [0.0, 0.1], 0.1, True, False),  # the prior lies within the rope, against the lead
        ([0.1, 0.0], [0.9, 0.8], 0.1, True, False),
        ([0.9, 0.1], [0.1, 0.2], 0.1, False, False),  # most of the second cluster is tied
        ([0.1, 0.0], [0.1, 0.2], 0.1, True, True),
        ([0.5, 0.5], [0.5, 0.5], 0.1, False, False),
    ],
)
def test_whether_any_cluster_is_against_the_others(
    won: list[float], lost: list[float], rope: float, alone: bool, with_prior: bool
) -> None:
    shares = ClusterShares(won=np.array(won), lost=np.array(lost), shapes=np.ones(len(won)))
    assert (none_against(shares, 0.0, rope), none_against(shares, 1.0, rope)) == (alone, with_prior)
