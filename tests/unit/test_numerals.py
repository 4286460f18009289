"""Numbers as a reader sees them: never kinder than they are."""

import math

import numpy as np
import pytest

from bakeoff import numerals


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (1.0, "1"),
        (0.99999, "> 0.999"),
        (0.9995, "> 0.999"),
        (0.9994, "0.999"),
        (0.5, "0.500"),
        (0.30691, "0.307"),
        (0.01, "0.0100"),
        (0.00999, "0.00999"),
        (0.009996, "0.0100"),
        (0.0028, "0.00280"),
        (0.00104, "0.00104"),
        (0.00044, "0.000440"),
        (0.0001, "0.000100"),
        (0.000099996, "0.000100"),
        (0.000230914, "0.000231"),
        (8.94e-7, "8.94×10⁻⁷"),
        (3e-12, "3.00×10⁻¹²"),
        (4.2e-31, "4.20×10⁻³¹"),
        (1e-299, "1.00×10⁻²⁹⁹"),
        (9e-301, "< 10⁻³⁰⁰"),
        (5e-324, "< 10⁻³⁰⁰"),
        (0.0, "< 10⁻³⁰⁰"),
    ],
)
def test_pvalues(p: float, shown: str) -> None:
    assert numerals.pvalue(p) == shown


def test_the_logarithm_speaks_where_p_underflowed() -> None:
    assert numerals.pvalue(0.0, log_p=-1500.0) == "< 10⁻³⁰⁰"
    assert numerals.pvalue(0.0, log_p=math.log(3e-200)) == "3.00×10⁻²⁰⁰"
    assert numerals.pvalue(0.0, log_p=-math.inf) == "< 10⁻³⁰⁰"


def test_digits_show_on_which_side_of_alpha_a_p_lies() -> None:
    assert numerals.pvalue(0.05, alpha=0.05) == "0.0500"
    assert numerals.pvalue(0.0500004, alpha=0.05) == "0.0500004"
    assert numerals.pvalue(0.04999, alpha=0.05) == "0.0500"  # rejected, and 0.0500 is not above alpha
    assert numerals.pvalue(0.0100001, alpha=0.01) == "0.0100001"
    rng = np.random.default_rng(1)
    for alpha in (0.05, 0.01, 0.1, 1e-5):
        for p in alpha * (1.0 + rng.normal(scale=1e-6, size=500)):
            assert (numerals.as_number(numerals.pvalue(p, alpha=alpha)) <= alpha) == (p <= alpha)


def test_no_positive_p_is_shown_as_zero_and_none_below_one_as_one() -> None:
    for p in np.concatenate((np.logspace(-320, 0, 4000), 1.0 - np.logspace(-16, -1, 500))):
        text = numerals.pvalue(float(p))
        assert text == "< 10⁻³⁰⁰" or numerals.as_number(text.removeprefix("> ")) > 0.0
        assert p == 1.0 or text != "1"


@pytest.mark.slow
def test_three_significant_digits_at_least() -> None:
    for p in np.logspace(-290, -1e-3, 3000):
        shown = numerals.as_number(numerals.pvalue(float(p)).removeprefix("> "))
        assert shown == pytest.approx(p, rel=5.1e-3)


def test_phrases() -> None:
    assert numerals.p_phrase(0.0123) == "p = 0.0123"
    assert numerals.p_phrase(0.0) == "p < 10⁻³⁰⁰"
    assert numerals.p_phrase(0.99999) == "p > 0.999"


def test_other_numbers() -> None:
    assert numerals.as_rank(3.44) == "3.440"
    assert numerals.as_rank(155.16) == "155.16"
    assert numerals.statistic(math.inf) == "∞"
    assert numerals.score(-math.inf) == "−∞"
    assert numerals.score(-0.0) == "0"
    assert numerals.score(123456.0) == "123456"
    assert numerals.score(123456789.0) == "1.235×10⁸"
    assert numerals.score(-0.0123) == "−0.0123"
    assert numerals.decimals(-0.0001, 2) == "0.00"
    assert numerals.degrees((8.0, 192.0)) == "8 and 192"
    assert numerals.degrees((1.5, 12.25)) == "1.50 and 12.25"
    assert numerals.percent(0.95) == "95 %"
    assert numerals.percent(1 - 0.05) == "95 %"
    assert numerals.count(1, "problem") == "1 problem"
    assert numerals.count(2, "problem") == "2 problems"


@pytest.mark.parametrize("places", [0, 1, 2, 3, 5])
def test_ties_of_the_last_digit_are_rounded_away_from_zero_as_decimals(places: int) -> None:
    """Of 40 problems every mean rank is a multiple of 1/80: half of them end in a 5 that two decimals must round.

    The oracle is Python's decimal module.
    """
    from decimal import ROUND_HALF_UP, Decimal

    rng = np.random.default_rng(places)
    values = [*(i / 80 for i in range(800)), *rng.integers(-(10**7), 10**7, 2000) / 10.0**6, *rng.normal(size=2000)]
    for value in values:
        right = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
        shown = numerals.decimals(float(value), places)
        assert numerals.as_number(shown) == float(right), value
        assert len(shown.partition(".")[2]) == places
    assert [numerals.decimals(x, 2) for x in (2.925, 3.275, 4.025, 5.025)] == ["2.93", "3.28", "4.03", "5.03"]
    assert numerals.decimals(0.1 + 0.7 + 0.125, 2) == "0.93"  # 0.9249999999999999: noise of the sum


def test_significant_digits_are_those_of_the_decimal_number() -> None:
    from decimal import ROUND_HALF_UP, Context

    rng = np.random.default_rng(7)
    for digits in (1, 2, 3, 4, 5):
        context = Context(prec=digits, rounding=ROUND_HALF_UP)
        for value in [*(10.0 ** rng.uniform(-12, 6, 800)), *(rng.integers(1, 10**6, 800) / 10.0**5)]:
            right = context.create_decimal(repr(float(value)))
            if value < 10.0**digits:  # more digits before the point are all shown
                assert numerals.as_number(numerals.significant(float(value), digits)) == float(right), value


@pytest.mark.slow
def test_numbers_read_together_have_equal_decimals_unless_one_would_vanish() -> None:
    assert numerals.equal_decimals([12.0, 5.0]) == ["12", "5"]
    assert numerals.equal_decimals([0.028, 0.0505, 0.0099]) == ["0.0280", "0.0505", "0.0099"]
    assert numerals.equal_decimals([-math.inf, 0.5, math.nan, 0.25]) == ["−∞", "0.50", "nan", "0.25"]
    assert numerals.equal_decimals([]) == []
    assert numerals.equal_decimals([0.0, 0.0]) == ["0", "0"]
    assert numerals.equal_decimals([0.00012, 250.0]) == ["0.00012", "250"]
    rng = np.random.default_rng(3)
    for _ in range(2000):
        values = (rng.normal(size=3) * 10.0 ** rng.uniform(-8, 8, size=3)).tolist()
        for value, text in zip(values, numerals.equal_decimals(values), strict=True):
            assert numerals.as_number(text) == pytest.approx(value, rel=0.051, abs=0.501 * 10.0 ** -_places(text))
            assert numerals.as_number(text) != 0.0


def _places(text: str) -> int:
    """Decimals of a printed number; many, if it is a power of ten."""
    return 99 if "×" in text else len(text.partition(".")[2])


def test_signs_and_powers_in_ascii() -> None:
    assert numerals.in_ascii("p = 4.65×10⁻⁶, −0.5 ± 2×10³; 3 × 4, χ²") == "p = 4.65e-6, -0.5 ± 2e3; 3 × 4, χ²"
    assert numerals.as_number("< 10⁻³⁰⁰".removeprefix("< ")) == 1e-300


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


def test_numbers_of_a_column_have_equally_many_decimals() -> None:
    """A ranking had 0.863 below 0.8865, and 1.189 below 0.8997; an interval ended at 0.0085 below −1.44."""
    assert numerals.aligned([0.8865, 0.863, 0.0]) == ["0.8865", "0.8630", "0.0000"]
    assert numerals.aligned([0.796, 0.74]) == ["0.796", "0.740"]
    assert numerals.aligned([0.8997, 1.189, math.inf]) == ["0.8997", "1.1890", "∞"]
    assert numerals.aligned([1, 20, -3]) == ["1", "20", "−3"]
    assert numerals.aligned([]) == []
    assert numerals.equal_decimals([-1.438, -0.0085], 3) == ["−1.438", "−0.009"]
    assert numerals.equal_decimals([285.8, 7723.4, 0.02]) == ["285.80", "7723.40", "0.02"]
    assert numerals.equal_decimals([7723.4, 0.002]) == ["7723", "0.002"]
