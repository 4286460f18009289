"""The Bayesian Friedman test as a user meets it: refusals, cautions, and what must change nothing."""

from __future__ import annotations

import contextlib
import dataclasses
import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, ParameterError, WrongTypeError

REGIONS = ("ellipsoid", "exact")
PRIORS = ("equal", "ignorance")


def noisy(n, k, seed=0, step=0.4):
    values = np.random.default_rng(seed).normal(size=(n, k)).round(1) + step * np.arange(k)
    return bo.Scores(values, better="lower")


def codes(result):
    return {caution.code for caution in result.cautions}


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("prior", PRIORS)
def test_order_of_problems_and_algorithms_changes_no_bit(region, prior):
    scores = noisy(17, 4)
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(17), rng.permutation(4)
    other = scores.select([scores.algorithms[j] for j in columns], [scores.problems[i] for i in rows])
    one = bo.bayes.friedman(scores, region=region, prior=prior, n_draws=1000)
    two = bo.bayes.friedman(other, region=region, prior=prior, n_draws=1000)
    for field in dataclasses.fields(one):
        x, y = getattr(one, field.name), getattr(two, field.name)
        if field.name == "covariance":
            assert np.array_equal(x[np.ix_(columns, columns)], y)
        elif field.name == "algorithms":
            assert tuple(x[j] for j in columns) == y
        elif isinstance(x, np.ndarray):
            assert np.array_equal(x[..., columns], y), field.name
        else:
            assert x == y, field.name


def test_direction_and_monotone_transformations_change_nothing():
    scores = noisy(15, 4)
    turned = bo.Scores(-np.exp(scores.values), scores.algorithms, scores.problems, better="higher")
    one, two = bo.bayes.friedman(scores), bo.bayes.friedman(turned)
    assert np.array_equal(one.mean, two.mean)
    assert one.statistic == two.statistic
    assert one.mean[0] < one.mean[3]  # the first was made the best: rank 1


def test_infinite_scores_are_ranked():
    values = noisy(12, 3).values.copy()
    values[0, 2] = values[1, 2] = math.inf
    values[2, 0] = -math.inf
    large = np.where(np.isposinf(values), 1e300, np.where(np.isneginf(values), -1e300, values))
    one, two = (bo.bayes.friedman(bo.Scores(v, better="lower")) for v in (values, large))
    assert one.statistic == two.statistic


def test_seed_generator_and_repetition():
    scores = noisy(40, 3, step=0.2)
    results = [bo.bayes.friedman(scores, region="exact", rng=rng) for rng in (None, 0, np.random.default_rng(0))]
    assert len({r.probability for r in results}) == 1
    assert bo.bayes.friedman(scores, region="exact", rng=1).probability != results[0].probability


def test_too_few_problems_for_the_ellipsoid():
    scores = noisy(3, 4)
    with pytest.raises(ParameterError, match=r"3 problems, 4 algorithms.*region='exact'"):
        bo.bayes.friedman(scores)
    with pytest.raises(ParameterError, match="region='exact'"):
        bo.bayes.friedman(scores, prior="ignorance")
    r = bo.bayes.friedman(scores, region="exact")
    assert r.verdict == "cannot tell"
    assert "too-few" in codes(r)
    assert bo.bayes.friedman(noisy(4, 4)).critical_value > 0


def test_bayesian_bootstrap_of_few_problems():
    """Without a prior equality is no corner: n = k problems are enough for the ellipsoid, n < k never come near it."""
    assert bo.bayes.friedman(noisy(4, 4, step=0), 0).verdict == "no difference shown"
    for region in REGIONS:
        few = bo.bayes.friedman(noisy(3, 4), 0, region=region)
        assert (few.statistic, few.rejected, few.verdict) == (math.inf, True, "cannot tell")
    agreed = bo.bayes.friedman(bo.Scores([[1, 2, 3]] * 9, better="lower"), 0)
    assert agreed.verdict == "different"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"prior_strength": -1}, "prior_strength"),
        ({"prior_strength": math.inf}, "prior_strength"),
        ({"prior_strength": 1e13}, "prior_strength must be .* at most 1e"),
        ({"gamma": 0}, "gamma"),
        ({"gamma": 1.0}, "gamma"),
        ({"region": "elipsoid"}, "did you mean 'ellipsoid'"),
        ({"prior": "ignorant"}, "did you mean 'ignorance'"),
        ({"n_draws": 3}, "n_draws"),
        ({"rng": -1}, "rng"),
    ],
)
def test_bad_parameters(arguments, words):
    with pytest.raises(ParameterError, match=words):
        bo.bayes.friedman(noisy(9, 3), **arguments)


def test_scores_are_needed():
    with pytest.raises(WrongTypeError, match=r"bakeoff\.Scores"):
        bo.bayes.friedman(noisy(9, 3).values)


@pytest.mark.few(1, 12)
@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("s", [0.0, 1e-300, 1.0, 1e6, 1e9])
def test_any_table_gives_numbers_or_a_reason(region, prior, s):
    rng = np.random.default_rng(5)
    for n, k in [(1, 2), (1, 4), (2, 2), (2, 3), (3, 3), (6, 2), (8, 3), (9, 5)]:
        for levels in (1, 2, 5):
            values = rng.integers(0, levels, (n, k)).astype(float)
            for table in (values, np.repeat(values[:1], n, axis=0)):
                scores = bo.Scores(table, better="higher")
                if region == "ellipsoid" and n < k:
                    with contextlib.suppress(BakeoffError):
                        bo.bayes.friedman(scores, s, prior=prior)
                    continue
                r = bo.bayes.friedman(scores, s, region=region, prior=prior, n_draws=100)
                assert 0 <= r.probability <= 1
                assert r.statistic >= 0
                assert r.critical_value > -1e300
                assert np.isfinite(r.mean).all() and np.isfinite(r.covariance).all()  # noqa: PT018
                assert r.rejected == (r.probability > 0.95)
                assert r.verdict in ("different", "no difference shown", "indeterminate", "undecided", "cannot tell")
                assert not r.mean.flags.writeable
                if prior == "ignorance":
                    assert r.probability_bounds[0] <= r.probability_bounds[1]


@pytest.mark.slow
def test_draws_are_doubled_until_they_decide_or_say_so():
    scores = noisy(60, 3, seed=2, step=0.1)
    sure = bo.bayes.friedman(scores, region="exact", n_draws=400_000)
    edge = bo.bayes.friedman(scores, gamma=1 - sure.probability, region="exact", n_draws=1000)
    assert sure.n_draws == 400_000
    assert edge.n_draws > 100_000
    if edge.verdict == "undecided":
        assert "sampled" in codes(edge)
    assert edge.probability == pytest.approx(sure.probability, abs=5 * sure.standard_error)


@pytest.mark.slow
def test_statistic_and_probability_give_one_verdict():
    for seed in range(30):
        for region in REGIONS:
            r = bo.bayes.friedman(noisy(20, 3, seed, step=0.3), region=region, n_draws=200)
            assert r.rejected == (r.statistic > r.critical_value) == (r.probability > 0.95)


def test_cautions():
    assert codes(bo.bayes.friedman(noisy(60, 3))) == set()
    assert codes(bo.bayes.friedman(noisy(60, 4), region="exact")) == set()
    assert codes(bo.bayes.friedman(noisy(12, 4), region="exact")) == {"region-narrow"}
    agreeing = bo.Scores([[1, 2, 3]] * 9, better="lower")
    assert codes(bo.bayes.friedman(agreeing)) == {"reduced-rank", "certainty"}
    assert codes(bo.bayes.friedman(agreeing, 0)) == {"reduced-rank", "certainty"}
    assert codes(bo.bayes.friedman(bo.Scores([[1, 1, 1]] * 9, better="lower"))) == {"nothing-differs"}
    assert "not-checked" in codes(bo.bayes.friedman(noisy(40, 9), prior="ignorance"))
    assert "not-checked" not in codes(bo.bayes.friedman(noisy(40, 5), prior="ignorance"))
    assert "prior-outweighs-data" in codes(bo.bayes.friedman(noisy(9, 3, step=0), 20, prior="ignorance"))


def test_ignorance_without_strength_is_the_bayesian_bootstrap():
    scores = noisy(25, 4)
    for region in REGIONS:
        known = bo.bayes.friedman(scores, 0, region=region)
        ignorant = bo.bayes.friedman(scores, 0, region=region, prior="ignorance")
        assert ignorant.probability_bounds == pytest.approx((known.probability,) * 2, abs=5e-3)
        assert ignorant.verdict == known.verdict
        assert np.array_equal(ignorant.mean, known.mean)


@pytest.mark.slow
def test_more_prior_strength_more_caution():
    """The bounds widen with the strength of the prior, for both regions."""
    scores = noisy(30, 3, step=0.5)
    for region in REGIONS:
        widths = []
        for s in (0.5, 1.0, 2.0, 4.0):
            low, high = bo.bayes.friedman(scores, s, region=region, prior="ignorance").probability_bounds
            widths.append(high - low)
        assert widths == sorted(widths)
