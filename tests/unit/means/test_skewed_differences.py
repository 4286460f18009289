"""Skewed differences of pairs: they are said where ranks, candidates and stretches of curves rest on them."""

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.means.assumptions import EACH, _l_skewness, long_tail, unit_skewness
from bakeoff.means.strata import one_stratum


def codes(result: object) -> set[str]:
    return {caution.code for caution in result.cautions}  # type: ignore[attr-defined]


def shapes(n: int = 30) -> np.ndarray:  # type: ignore[type-arg]
    """One mean: three with long tails, three narrow ones."""
    rng = np.random.default_rng(0)
    return np.column_stack([rng.lognormal(0, 1, (n, 3)) - np.exp(0.5), 0.1 * rng.normal(size=(n, 3))])


def test_a_leaderboard_says_that_ranks_are_concerned() -> None:
    found = bo.leaderboard(bo.Scores(shapes(), better="lower"), n_resamples=99)
    assert "skew" in codes(found)
    assert not any("not concerned" in caution.text for caution in found.cautions)
    ranks = bo.leaderboard(bo.Scores(shapes(), better="lower"), by="mean-rank", n_resamples=99)
    assert "skew" not in codes(ranks)


def test_a_leaderboard_says_so_where_an_algorithm_sometimes_fails() -> None:
    values = 0.8 + 0.05 * np.random.default_rng(1).normal(size=(20, 4))
    assert "skew" not in codes(bo.leaderboard(bo.Scores(values, better="higher"), n_resamples=99))
    values[[3, 8], 0] = 0.0
    assert "skew" in codes(bo.leaderboard(bo.Scores(values, better="higher"), n_resamples=99))


@pytest.mark.parametrize(("tail", "said"), [(True, True), (False, False)])
def test_curves_say_it(tail: bool, said: bool) -> None:
    values = shapes()[:, [0, 3]] if tail else shapes()[:, 3:5]
    rows = [
        {"problem": i, "algorithm": name, "budget": b, "score": 10 + values[i, j] / b}
        for i in range(30)
        for j, name in enumerate("ab")
        for b in (1, 2)
    ]
    assert ("skew" in codes(bo.curves(rows, better="lower", n_resamples=99))) is said


def test_a_trade_off_of_ten_problems_says_it() -> None:
    """Its limit was nearly the largest skewness that ten values can have."""
    cost = np.array([*np.linspace(-0.2, 0.2, 9), 1.5])
    given = {
        "accuracy": bo.Scores(
            np.column_stack([np.linspace(0.9, 0.95, 10), np.linspace(0.6, 0.7, 10)]), better="higher"
        ),
        "seconds": bo.Scores(np.column_stack([5 + cost, np.full(10, 5.0)]), better="lower"),
    }
    found = bo.tradeoff(given, {"accuracy": 0.02, "seconds": 4.0})
    assert found.pairs[0].verdict == "a better trade-off"
    assert "skew" in codes(found)


def test_a_trade_off_says_it_of_pairs_that_were_not_shown_in_the_order_that_errs() -> None:
    """Their p-values are printed, too."""
    rng = np.random.default_rng(3)
    cost = np.column_stack([rng.lognormal(size=40), np.full(40, np.exp(0.5))])
    given = {
        "cost": bo.Scores(cost, ["tailed", "steady"], better="lower"),
        "error": bo.Scores(rng.normal(size=(40, 2)), ["tailed", "steady"], better="lower"),
    }
    found = bo.tradeoff(given, {"cost": 0.1, "error": 0.1})
    assert {pair.verdict for pair in found.pairs} == {"not shown"}
    (text,) = [caution.text for caution in found.cautions if caution.code == "skew"]
    assert text.startswith("In cost, differences of tailed and steady look skewed")


def test_families_share_the_level() -> None:
    """The smaller p of its two tests is between half the level and the level: told of one family, not of two."""
    d = np.r_[np.linspace(-2, 2, 29), 4.7]
    p = 2 * stats.norm.sf(abs(_l_skewness(d[:, None])[0]) / np.sqrt(0.1866 / 30 + 0.8 / 900))
    assert EACH / 2 < min(p, stats.skewtest(d).pvalue) < EACH
    assert [long_tail(d, np.arange(30), families) != 0 for families in (1, 2)] == [True, False]


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize(("tail", "said"), [(True, True), (False, False)])
def test_a_check_of_a_suite_says_it(tail: bool, said: bool, clustered: bool) -> None:
    values = shapes(200)[:, [0, 3]] if tail else shapes(200)[:, 3:5]
    clusters = [f"c{i // 2}" for i in range(200)] if clustered else None
    scores = bo.Scores(values, ["old", "new"], better="lower", clusters=clusters)
    found = bo.check(scores, scores, 0.5, label=("old", "new"), scale="difference", level="suite")
    assert ("skew" in codes(found)) is said
    assert not {"too-few"} & codes(found)


def test_a_check_of_few_problems_says_that_nothing_protects_the_mean() -> None:
    values = np.random.default_rng(1).normal(size=(12, 2))
    scores = bo.Scores(values, ["old", "new"], better="lower")
    found = bo.check(scores, scores, 0.5, label=("old", "new"), scale="difference", level="suite")
    assert "too-few" in codes(found)
    answers = bo.Scores((values > 0).astype(float), ["old", "new"], better="higher")
    by_score = bo.check(answers, answers, 0.1, label=("old", "new"), level="suite")
    assert (by_score.test, "too-few" in codes(by_score)) == ("score", False)


def test_a_leaderboard_of_right_and_wrong_answers_has_no_long_tail() -> None:
    """Differences of equal shares are symmetric, however unequal the shares of this table are."""
    right = np.arange(60)[:, None] >= np.array([1, 12, 2])
    found = bo.leaderboard(bo.Scores(right.astype(float), better="higher"), n_resamples=99)
    assert "skew" not in codes(found)


def test_skewness_of_units_is_that_of_their_sums() -> None:
    rng = np.random.default_rng(2)
    values = np.column_stack([rng.lognormal(size=40), rng.normal(size=40), np.ones(40)])
    groups = np.repeat(np.arange(20), 2)
    found = unit_skewness(values, [one_stratum(groups)])
    sums = values.reshape(20, 2, 3).sum(axis=1)
    np.testing.assert_allclose(found[:2], stats.skew(sums[:, :2]), rtol=1e-12)
    assert np.isnan(found[2])
    np.testing.assert_allclose(
        unit_skewness(values, [one_stratum(np.arange(40))])[:2], stats.skew(values[:, :2]), rtol=1e-12
    )
