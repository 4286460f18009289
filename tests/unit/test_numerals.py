"""Numbers as a reader sees them: never kinder than they are."""

import math

import numpy as np
import pytest

from bakeoff import numerals


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (1.0, "1"),
        (0.99999, "> 0.9999"),
        (0.9999, "0.9999"),
        (0.5, "0.5000"),
        (0.30691, "0.3069"),
        (0.01, "0.0100"),
        (0.00999, "0.00999"),
        (0.00104, "0.00104"),
        (0.000230914, "0.000231"),
        (4.2e-31, "4.2e-31"),
        (1e-299, "1e-299"),
        (9e-301, "< 1e-300"),
        (5e-324, "< 1e-300"),
        (0.0, "< 1e-300"),
    ],
)
def test_pvalues(p: float, shown: str) -> None:
    assert numerals.pvalue(p) == shown


def test_the_logarithm_speaks_where_p_underflowed() -> None:
    assert numerals.pvalue(0.0, log_p=-1500.0) == "< 1e-300"
    assert numerals.pvalue(0.0, log_p=math.log(3e-200)) == "3e-200"
    assert numerals.pvalue(0.0, log_p=-math.inf) == "< 1e-300"


def test_digits_show_on_which_side_of_alpha_a_p_lies() -> None:
    assert numerals.pvalue(0.05, alpha=0.05) == "0.0500"
    assert numerals.pvalue(0.0500004, alpha=0.05) == "0.0500004"
    assert numerals.pvalue(0.04999, alpha=0.05) == "0.0500"  # rejected, and 0.0500 is not above alpha
    assert numerals.pvalue(0.0100001, alpha=0.01) == "0.0100001"
    rng = np.random.default_rng(1)
    for alpha in (0.05, 0.01, 0.1, 1e-5):
        for p in alpha * (1.0 + rng.normal(scale=1e-6, size=500)):
            assert (float(numerals.pvalue(p, alpha=alpha)) <= alpha) == (p <= alpha)


def test_no_positive_p_is_shown_as_zero_and_none_below_one_as_one() -> None:
    for p in np.concatenate((np.logspace(-320, 0, 4000), 1.0 - np.logspace(-16, -1, 500))):
        text = numerals.pvalue(float(p))
        assert text == "< 1e-300" or float(text.removeprefix("> ")) > 0.0
        assert p == 1.0 or text != "1"


def test_three_significant_digits_at_least() -> None:
    for p in np.logspace(-290, -1e-3, 3000):
        shown = float(numerals.pvalue(float(p)).removeprefix("> "))
        assert shown == pytest.approx(p, rel=5.1e-3)


def test_phrases() -> None:
    assert numerals.p_phrase(0.0123) == "p = 0.0123"
    assert numerals.p_phrase(0.0) == "p < 1e-300"
    assert numerals.p_phrase(0.99999) == "p > 0.9999"


def test_other_numbers() -> None:
    assert numerals.as_rank(3.44) == "3.440"
    assert numerals.as_rank(155.16) == "155.16"
    assert numerals.statistic(math.inf) == "inf"
    assert numerals.score(-math.inf) == "-inf"
    assert numerals.score(-0.0) == "0"
    assert numerals.score(123456.0) == "1.235e5"
    assert numerals.decimals(-0.0001, 2) == "0.00"
    assert numerals.degrees((8.0, 192.0)) == "8 and 192"
    assert numerals.degrees((1.5, 12.25)) == "1.50 and 12.25"
    assert numerals.percent(0.95) == "95 %"
    assert numerals.percent(1 - 0.05) == "95 %"
    assert numerals.count(1, "problem") == "1 problem"
    assert numerals.count(2, "problem") == "2 problems"


def test_lists_of_names() -> None:
    assert numerals.name_list(["A"]) == "A"
    assert numerals.name_list(["A", "B"]) == "A and B"
    assert numerals.name_list(["A", "B", "C"]) == "A, B and C"
    assert numerals.name_list(list("ABCDEFG")) == "A, B, C, D and 3 more"


def test_names_cannot_move_the_cursor_or_turn_the_line() -> None:
    assert numerals.plain("a\x1b[31mb\n\tc\u202ed\u2028e") == "a\ufffd[31mb  c\ufffdd e"
    assert numerals.plain("Šidák 算法 👩\u200d🔬") == "Šidák 算法 👩\u200d🔬"


def test_columns_of_a_terminal() -> None:
    assert numerals.width("abc") == 3
    assert numerals.width("算法") == 4
    assert numerals.width("e\u0301") == 1
