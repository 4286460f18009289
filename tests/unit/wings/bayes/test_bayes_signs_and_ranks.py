"""The Bayesian sign and signed-rank tests: symmetry, order, priors, verdicts, cautions, refusals."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes.statements.verdicts import three_way_verdict, verdict_of_bounds

Test = Callable[..., Any]
BOTH = [bo.bayes.sign_test, bo.bayes.signed_rank]


def votes(wins: int, ties: int, losses: int) -> bo.Scores:
    tie = [1.037, 1.037]  # on no grid with the others, so that a small rope is allowed
    return bo.Scores([[0, 1]] * wins + [tie] * ties + [[1, 0]] * losses, ["a", "b"], better="lower")


def random_table(n: int = 25, seed: int = 0, better: str = "lower") -> bo.Scores:
    rng = np.random.default_rng(seed)
    return bo.Scores(np.round(rng.normal(1, 0.5, (n, 2)), 1), ["a", "b"], better=better)  # type: ignore[arg-type]


def shares(result: Any) -> tuple[float, float, float]:
    return result.p_better, result.p_equivalent, result.p_worse


@pytest.mark.parametrize("test", BOTH)
@pytest.mark.parametrize("rope", [0.0, 0.2])
class TestBoth:
    @pytest.mark.slow_cases("0.0-signed_rank", "0.2-signed_rank")
    def test_exchanging_the_algorithms_exchanges_the_answer(self, test: Test, rope: float) -> None:
        for seed in range(5):
            scores = random_table(seed=seed)
            one, two = test(scores, "a", "b", rope=rope), test(scores, "b", "a", rope=rope)
            assert shares(one) == shares(two)[::-1]
            assert (one.wins, one.ties, one.losses) == (two.losses, two.ties, two.wins)
            swapped = {"a better": "b better", "b better": "a better"}
            assert swapped.get(one.verdict, one.verdict) == two.verdict

    def test_the_order_of_rows_and_the_direction_do_not_matter(self, test: Test, rope: float) -> None:
        scores = random_table(seed=3)
        expected = test(scores, "a", "b", rope=rope)
        mixed = scores.select(problems=np.random.default_rng(1).permutation(25).tolist())
        assert shares(test(mixed, "a", "b", rope=rope)) == shares(expected)
        turned = bo.Scores(-scores.values, ["a", "b"], better="higher")
        assert shares(test(turned, "a", "b", rope=rope)) == shares(expected)

    def test_results_are_values(self, test: Test, rope: float) -> None:
        result = test(random_table(), "a", "b", rope=rope)
        with pytest.raises(dataclasses.FrozenInstanceError):
            result.p_better = 1.0
        assert not hasattr(result, "__dict__")
        assert sum(shares(result)) == pytest.approx(1, abs=1e-15)
        assert result.wins + result.losses + result.ties == result.n_problems == 25
        assert (result.rope, result.prior_strength, result.gamma) == (rope, 1.0, 0.05)
        for x in shares(result):
            assert type(x) is float

    def test_identical_algorithms(self, test: Test, rope: float) -> None:
        scores = bo.Scores(np.full((8, 2), 0.7), ["a", "b"], better="higher")
        result = test(scores, "a", "b", rope=rope)
        assert shares(result) == ((0, 1, 0) if rope else (0.5, 0, 0.5))
        assert result.verdict == ("equivalent" if rope else "undecided")

    def test_one_problem(self, test: Test, rope: float) -> None:
        result = test(bo.Scores([[1.0, 2.0]], better="lower"), 0, 1, rope=rope)
        assert result.n_problems == 1
        if rope == 0:
            assert shares(result) == (1, 0, 0)
            assert [c.code for c in result.cautions] == ["certainty"]
        else:
            result = test(bo.Scores([[1.0, 1.1]], better="lower"), 0, 1, rope=rope)
            assert shares(result) == (0, 1, 0)
            assert [c.code for c in result.cautions] == ["certainty"]

    def test_dropped_problems_are_counted(self, test: Test, rope: float) -> None:
        scores = bo.read_scores(
            {"problem": ["p", "q", "r"], "a": [1.0, 2.0, np.nan], "b": [2.0, 3.0, 4.0]}, "lower", missing="drop"
        )
        result = test(scores, "a", "b", rope=rope)
        assert (result.n_problems, result.n_dropped) == (2, 1)


@pytest.mark.parametrize("test", BOTH)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prior_strength": -1}, "prior_strength"),
        ({"prior_strength": np.inf}, "prior_strength"),
        ({"prior_strength": "1"}, "prior_strength"),
        ({"prior_strength": 1e10}, "prior_strength must be .* at most 1e"),
        ({"rope": -0.1}, "rope"),
        ({"rope": np.nan}, "rope"),
        ({"gamma": 0}, "gamma"),
        ({"gamma": 1.5}, "gamma"),
        ({"b": "c"}, "no algorithm"),
        ({"b": "a"}, "two different"),
    ],
)
def test_refusals(test: Test, options: dict[str, Any], message: str) -> None:
    with pytest.raises(bo.BakeoffError, match=message):
        test(random_table(), **{"a": "a", "b": "b"} | options)


@pytest.mark.parametrize("options", [{"n_draws": 99}, {"n_draws": 1e4}, {"n_draws": True}, {"rng": -1}, {"rng": "x"}])
def test_refusals_of_signed_rank(options: dict[str, Any]) -> None:
    with pytest.raises(bo.BakeoffError, match=next(iter(options))):
        bo.bayes.signed_rank(random_table(), "a", "b", **options)


def test_refusals_of_sign_test() -> None:
    with pytest.raises(bo.BakeoffError, match=r'prior must be "equal", "ignorance" or three weights'):
        bo.bayes.sign_test(random_table(), "a", "b", prior="flat")  # type: ignore[arg-type]
    with pytest.raises(bo.BakeoffError, match="too large"):
        bo.bayes.signed_rank(bo.Scores([[1e308, -1e308]], better="lower"), 0, 1)
    huge = bo.bayes.sign_test(bo.Scores([[1e308, -1e308]], better="lower"), 0, 1, rope=1)
    assert huge.losses == 1


# --- the sign test ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("counts", [(3, 2, 1), (10, 0, 0), (0, 0, 5), (1, 1, 1)])
@pytest.mark.parametrize("prior", ["equal", "ignorance"])
def test_the_strongest_and_the_weakest_prior(counts: tuple[int, int, int], prior: Any) -> None:
    for strength in (1e9, 1e-300, 5e-324):
        for rope in (0, 0.5):
            result = bo.bayes.sign_test(votes(*counts), "a", "b", strength, rope, prior=prior)
            assert sum(shares(result)) == pytest.approx(1, abs=1e-15)
            assert 0 <= result.interval[0] <= result.interval[1] <= 1
            assert bo.bayes.signed_rank(votes(*counts), "a", "b", strength, rope, n_draws=100).draws.min() >= 0


@pytest.mark.parametrize("strength", [0, 1e-9, 1, 50])
def test_theorem_2_does_not_depend_on_the_prior(strength: float) -> None:
    result = bo.bayes.sign_test(votes(7, 2, 3), "a", "b", strength)
    assert shares(result) == shares(bo.bayes.sign_test(votes(7, 2, 3), "a", "b"))
    assert result.method == "closed form"
    low, high = result.interval
    assert low < 0.5 < high


def test_a_strong_prior_narrows_the_interval_about_one_half() -> None:
    widths = [np.ptp(bo.bayes.sign_test(votes(7, 2, 3), "a", "b", s).interval) for s in (0, 1, 10, 1000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.01


def test_ignorance_gives_bounds() -> None:
    """Lower: the prior's problem is lost; upper: it is won. 1 − I_½(n_g, n_l + s), 1 − I_½(n_g + s, n_l)."""
    result = bo.bayes.sign_test(votes(8, 1, 3), "a", "b", prior="ignorance")
    low, high = bo.bayes.sign_test(votes(8, 1, 4), "a", "b"), bo.bayes.sign_test(votes(9, 1, 3), "a", "b")
    assert result.p_better_bounds == (low.p_better, high.p_better)
    assert result.p_worse_bounds == (high.p_worse, low.p_worse)
    assert result.p_equivalent_bounds == (0, 0)
    assert result.verdict == "indeterminate"  # 0.887 and 0.981
    assert result.interval[0] < low.interval[0] + 0.1
    equal = bo.bayes.sign_test(votes(8, 1, 3), "a", "b")
    assert equal.p_better_bounds is None
    assert result.p_better == equal.p_better
    assert result.interval[0] <= equal.interval[0] <= equal.interval[1] <= result.interval[1]
    assert result.interval_decided is not None
    assert equal.interval_decided is not None
    assert result.interval_decided[0] <= equal.interval_decided[0] <= equal.interval_decided[1]


def test_ignorance_of_nothing_is_certain() -> None:
    result = bo.bayes.sign_test(votes(8, 1, 3), "a", "b", 0, prior="ignorance")
    assert result.p_better_bounds == (result.p_better, result.p_better)
    assert bo.bayes.sign_test(votes(25, 1, 3), "a", "b", prior="ignorance").verdict == "a better"
    assert bo.bayes.sign_test(votes(3, 0, 25), "a", "b", prior="ignorance").verdict == "b better"
    assert bo.bayes.sign_test(votes(6, 0, 6), "a", "b", prior="ignorance").verdict == "undecided"
    nothing = bo.bayes.sign_test(votes(0, 5, 0), "a", "b", prior="ignorance")
    assert nothing.p_better_bounds == (0, 1)
    assert nothing.verdict == "indeterminate"
    assert bo.bayes.sign_test(votes(0, 5, 0), "a", "b", 0, prior="ignorance").interval_decided is None


def test_cautions_of_the_sign_test() -> None:
    codes = [c.code for c in bo.bayes.sign_test(votes(3, 10, 1), "a", "b").cautions]
    assert codes == ["ties"]
    assert bo.bayes.sign_test(votes(3, 10, 1), "a", "b", rope=0.1).cautions == ()
    assert bo.bayes.sign_test(votes(30, 1, 10), "a", "b").cautions == ()


def test_means_over_runs_tie_within_the_tolerance() -> None:
    runs = [[[0.1, 0.2, 0.3], [0.2, 0.2, 0.2]]] * 4
    result = bo.bayes.sign_test(bo.Scores(runs, better="lower"), 0, 1)
    assert result.ties == 4


def test_a_hundred_thousand_problems() -> None:
    rng = np.random.default_rng(0)
    scores = bo.Scores(rng.normal(size=(100_000, 2)), better="lower")
    result = bo.bayes.sign_test(scores, 0, 1, rope=0.7)
    assert sum(shares(result)) == pytest.approx(1, abs=1e-15)
    assert result.verdict == "equivalent"


# --- the signed-rank test -----------------------------------------------------------------------------------------


def test_draws_are_shares() -> None:
    result = bo.bayes.signed_rank(random_table(), "a", "b", rope=0.1, n_draws=1000)
    assert result.draws.shape == (1000, 3)
    assert not result.draws.flags.writeable
    assert (result.draws >= 0).all()
    np.testing.assert_allclose(result.draws.sum(axis=1), 1, atol=1e-15)
    assert result.method == "monte-carlo"
    assert 0 < result.standard_error < 0.02


def test_seeds() -> None:
    one = bo.bayes.signed_rank(random_table(), "a", "b", n_draws=500)
    assert (one.draws == bo.bayes.signed_rank(random_table(), "a", "b", n_draws=500, rng=0).draws).all()
    assert (one.draws != bo.bayes.signed_rank(random_table(), "a", "b", n_draws=500, rng=1).draws).any()
    rng = np.random.default_rng(7)
    two, three = (bo.bayes.signed_rank(random_table(), "a", "b", n_draws=500, rng=rng) for _ in range(2))
    assert (two.draws != three.draws).any()


@pytest.mark.parametrize(
    ("differences", "strength", "rope", "expected"),
    [
        ([1, 2, 0], 1, 0, (1, 0, 0)),
        ([-1, 0, -3], 0, 0, (0, 0, 1)),
        ([0.5, -0.5], 1, 0.5, (0, 1, 0)),
        ([2, 3], 0, 1, (1, 0, 0)),
        ([-2, -3], 0, 1, (0, 0, 1)),
    ],
)
def test_where_the_signs_decide(
    differences: list[float], strength: float, rope: float, expected: tuple[float, float, float]
) -> None:
    scores = bo.Scores([[d, 0] for d in differences], better="higher")
    result = bo.bayes.signed_rank(scores, 0, 1, strength, rope)
    assert (shares(result), result.method, result.standard_error) == (expected, "exact", 0)


def test_a_verdict_within_the_monte_carlo_error_is_no_secret() -> None:
    scores = random_table(seed=2)
    p = max(shares(bo.bayes.signed_rank(scores, "a", "b", n_draws=10_000)))
    result = bo.bayes.signed_rank(scores, "a", "b", n_draws=1000, gamma=1 - p)
    assert [c.name for c in result.cautions] == ["sampled (largest-probability)"]


# --- verdicts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "gamma", "expected"),
    [
        ((0.96, 0.03, 0.01), 0.05, "a better"),
        ((0.02, 0.96, 0.02), 0.05, "equivalent"),
        ((0.01, 0.02, 0.97), 0.05, "b better"),
        ((0.5, 0.25, 0.25), 0.5, "undecided"),  # more than 1 − gamma, not as much
        ((0.6, 0, 0.4), 0.7, "a better"),
        ((0.5, 0, 0.5), 0.7, "undecided"),
    ],
)
def test_verdicts(p: tuple[float, float, float], gamma: float, expected: str) -> None:
    assert three_way_verdict(p, gamma) == expected


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        (((0.96, 0.99), (0, 0), (0.01, 0.04)), "a better"),
        (((0.90, 0.99), (0, 0), (0.01, 0.10)), "indeterminate"),
        (((0.50, 0.90), (0, 0), (0.10, 0.50)), "undecided"),
        (((0.00, 1.00), (0, 0), (0.00, 1.00)), "indeterminate"),
        (((0.00, 0.01), (0.97, 0.98), (0.0, 0.1)), "equivalent"),
    ],
)
def test_verdicts_of_bounds(bounds: Any, expected: str) -> None:
    assert verdict_of_bounds(bounds, 0.05) == expected
