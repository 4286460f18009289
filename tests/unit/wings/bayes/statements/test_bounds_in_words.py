"""Bounds are rounded outwards, but what a float adds to a decimal is no digit."""

import math
from collections.abc import Callable

import pytest

import bakeoff as bo
from bakeoff.wings.bayes.statements.sign_statements import failure_probability
from bakeoff.wings.bayes.statements.verdicts import _common_divisor, grid_step
from bakeoff.wings.bayes.statements.wording import (
    at_least,
    between,
    chance,
    chance_phrase,
    loss_text,
    span,
    spoken,
    with_chance,
)


@pytest.mark.parametrize("p", [0.5005, 0.50001, 0.4995])
def test_a_decimal_is_its_own_bound(p: float) -> None:
    """10**4 times 0.5005 is a little less than 5005."""
    assert at_least(p, 0.5) == f"at least {p if p > 0.5 else 0.499}"


def test_each_side_is_rounded_away_from_the_other() -> None:
    assert between(0.98149, 0.99701) == "between 0.981 and 0.998"
    assert span(0.007, 0.007) == "0.007 – 0.007"


@pytest.mark.parametrize(("divisor", "found"), [(100.5, 100.5), (100.0, 0.0), (3.0, 0.0)])
def test_a_divisor_of_a_few_roundings_is_none(divisor: float, found: float) -> None:
    assert _common_divisor(2 * divisor, divisor, 1.0) == found


def test_a_bound_is_exact_unless_it_is_said_to_be_a_share_of_draws() -> None:
    assert (at_least(1.0), at_least(1.0, exact=False)) == ("at least 1", "at least 0.999")
    assert (span(0.5, 1.0), span(1.0, 1.0, exact=False)) == ("0.500 – 1", "0.999 – 1")
    assert between(1.0, 1.0) == "between 1 and 1"


@pytest.mark.parametrize(
    ("wins", "losses", "fails"), [(8, 8, 0.5), (5, 0, 0.0), (0, 5, 1.0), (0, 0, 0.5), (2, 1, 0.25)]
)
def test_the_probability_that_a_statement_fails(wins: int, losses: int, fails: float) -> None:
    """I_½(8, 8), by SciPy, is not quite a half."""
    assert failure_probability([wins], [losses]).tolist() == [fails]


@pytest.mark.parametrize("say", [chance, chance_phrase, spoken, with_chance])
def test_a_chance_of_1_is_exact_unless_it_is_said_to_be_a_share_of_draws(say: Callable[..., str]) -> None:
    assert say(1.0) == say(1.0, exact=True) != say(1.0, exact=False)
    assert say(0.0) == say(0.0, exact=True)


@pytest.mark.parametrize("values", [[[1.0, 1.0], [1.0, 1.0]], [[math.inf, math.inf], [math.inf, math.inf]]])
def test_one_value_has_no_step(values: list[list[float]]) -> None:
    assert grid_step(bo.Scores(values, better="lower"), 0, 1) == math.inf


def test_a_loss_that_rounds_to_a_thousandth_is_printed() -> None:
    assert (loss_text(0.0005), loss_text(0.00049999)) == ("0.001", "< 0.001")
