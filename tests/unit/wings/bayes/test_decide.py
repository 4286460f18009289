"""Decisions by loss: equations 10–12 of Benavoli et al. (2015), bounds, and a matrix of losses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes import decide


def votes(wins: int, ties: int, losses: int) -> bo.Scores:
    tie = [1.037, 1.037]  # on no grid with the others, so that a small rope is allowed
    return bo.Scores([[0, 1]] * wins + [tie] * ties + [[1, 0]] * losses, ["a", "b"], better="lower")


def test_the_smaller_expected_loss_is_the_threshold() -> None:
    """Equation 12 is equation 11 solved: K₁(1 − P) < K₀·P iff P > K₁/(K₀ + K₁)."""
    rng = np.random.default_rng(0)
    for _ in range(500):
        p, k0, k1 = float(rng.random()), *(10 ** rng.uniform(-3, 3, 2)).tolist()
        found = decide(p, k0, k1)
        silent, declared = found.expected_losses
        assert (silent, declared) == pytest.approx((k0 * p, k1 * (1 - p)))
        assert found.action == ("declare" if declared < silent else "do not declare")
        assert found.threshold == pytest.approx(k1 / (k0 + k1))
        assert found.least_losses == found.expected_losses


def test_exactly_the_threshold_is_not_above_it() -> None:
    assert decide(0.95).threshold == 0.95
    assert decide(0.95).action == "do not declare"
    assert decide(np.nextafter(0.95, 1)).action == "declare"
    assert decide(1).action == "declare"
    assert decide(0, k0=100, k1=1).action == "do not declare"


@pytest.mark.parametrize(
    ("pair", "action"), [((0.96, 0.99), "declare"), ((0.90, 0.99), "indeterminate"), ((0.2, 0.95), "do not declare")]
)
def test_lower_and_upper_probabilities(pair: tuple[float, float], action: str) -> None:
    found = decide(pair)
    assert found.action == action
    assert found.probability == pair
    assert found.expected_losses == pytest.approx((pair[1], 19 * (1 - pair[0])))
    assert found.least_losses == pytest.approx((pair[0], 19 * (1 - pair[1])))


def test_results_are_weighed_by_their_most_probable_statement() -> None:
    found = decide(bo.bayes.sign_test(votes(3, 0, 20), "a", "b"))
    assert (found.action, found.statement) == ("declare", "b better")
    found = decide(bo.bayes.sign_test(votes(1, 20, 1), "a", "b", rope=0.1))
    assert (found.action, found.statement) == ("declare", "equivalent")
    found = decide(bo.bayes.sign_test(votes(8, 1, 3), "a", "b", prior="ignorance"))
    assert (found.action, found.statement) == ("indeterminate", "a better")
    found = decide(bo.bayes.signed_rank(votes(5, 0, 0), "a", "b"))
    assert (found.action, found.probability) == ("declare", (31 / 32, 1))


@pytest.mark.parametrize("posterior", [bo.bayes.sign_test, bo.bayes.signed_rank])
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_few_problems_without_a_contradiction_decide_nothing(posterior: Any, n: int) -> None:
    found = decide(posterior(votes(n, 0, 0), "a", "b"))
    assert found.action == "indeterminate"
    assert found.probability == pytest.approx((1 - 0.5**n, 1))


def test_one_process_a_side_decides_nothing() -> None:
    times = bo.Scores([[1, 2]] * 20, ["a", "b"], better="lower", run_kind="iteration")
    assert decide(bo.bayes.sign_test(times, "a", "b")).action == "indeterminate"


@pytest.mark.slow
def test_the_default_is_the_verdict_at_five_percent() -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        g, t, l = rng.integers(1, 15, 3).tolist()  # noqa: E741
        for options in ({}, {"rope": 0.5}, {"prior": "ignorance"}):
            result = bo.bayes.sign_test(votes(g, t, l), "a", "b", **options)
            found = decide(result)
            if found.action == "declare":
                assert result.verdict == found.statement
            else:
                assert result.verdict == {"do not declare": "undecided"}.get(found.action, "indeterminate")


ZERO_ONE = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_a_matrix_of_losses() -> None:
    """Zero–one loss chooses the most probable; a costly miss changes that."""
    result = bo.bayes.sign_test(votes(10, 6, 2), "a", "b", rope=0.5)
    p = (result.p_better, result.p_equivalent, result.p_worse)
    found = decide(result, losses=ZERO_ONE)
    assert found.action == found.statement == "a better"
    assert found.expected_losses == pytest.approx([1 - x for x in p])
    assert found.threshold is None
    careful = [[0, 50, 50], [1, 0, 1], [50, 50, 0]]
    found = decide(result, losses=careful)
    assert found.action == "equivalent"
    assert found.expected_losses == pytest.approx(np.array(careful) @ p)


def test_equal_losses() -> None:
    """Nobody is preferred by the order of arguments; "equivalent" claims least."""
    same = bo.bayes.sign_test(votes(0, 4, 0), "a", "b")
    assert decide(same, losses=ZERO_ONE).action == "indeterminate"
    assert decide(same, losses=np.ones((3, 3))).action == "equivalent"


@pytest.mark.parametrize(
    ("posterior", "options", "message"),
    [
        (1.2, {}, "between 0 and 1"),
        (np.nan, {}, "between 0 and 1"),
        ("0.9", {}, "posterior must be"),
        (True, {}, "posterior must be"),
        ((0.9, 0.2), {}, "above the upper"),
        ((0.1, 0.2, 0.3), {}, "two numbers"),
        (0.9, {"k0": 0}, "k0 must be a positive number"),
        (0.9, {"k1": np.inf}, "k1 must be a positive number"),
        (0.9, {"k1": "1"}, "k1 must be a positive number"),
        (0.9, {"losses": ZERO_ONE}, "three probabilities"),
    ],
)
def test_refusals(posterior: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(bo.BakeoffError, match=message):
        decide(posterior, **options)


@pytest.mark.parametrize("losses", [np.ones((2, 2)), [[1, 2, 3], [1, 2], [1]], np.full((3, 3), np.nan), "x"])
def test_matrices_that_are_none(losses: Any) -> None:
    with pytest.raises(bo.BakeoffError, match="losses must be"):
        decide(bo.bayes.sign_test(votes(3, 0, 2), "a", "b"), losses=losses)
    with pytest.raises(bo.BakeoffError, match="ignorance"):
        decide(bo.bayes.sign_test(votes(3, 0, 2), "a", "b", prior="ignorance"), losses=ZERO_ONE)
