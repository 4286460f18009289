"""bo.equivalence: golden numbers, an enumeration in fractions, and what the test says at ties with the margin."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from scipy import stats

import bakeoff as bo
from bakeoff.analyses.compare.statistics.margins.one_sided import one_sided_tests
from bakeoff.errors import InfiniteScoreError, NotANumberError, ParameterError, WrongTypeError
from bakeoff.paired.many_pairs import Columns
from bakeoff.paired.shares import tango

A = (0.81, 0.74, 0.92, 0.66, 0.88, 0.79, 0.71, 0.95, 0.83, 0.77)
B = (0.80, 0.75, 0.91, 0.67, 0.86, 0.80, 0.71, 0.94, 0.84, 0.75)


def enumerated(x: list[str], y: list[str], margin: str, better: str) -> tuple[Fraction, Fraction]:
    """The slow twin: exact differences of the printed decimals, zeros dropped, mid-ranks, all signs listed."""
    sign = 1 if better == "higher" else -1
    d = [sign * (Fraction(a) - Fraction(b)) for a, b in zip(x, y, strict=True)]
    return tail([v + Fraction(margin) for v in d], 1), tail([v - Fraction(margin) for v in d], -1)


def tail(d: list[Fraction], side: int) -> Fraction:
    """P(rank sum of ``side`` at least as large as seen)."""
    kept = [v for v in d if v]
    ranks = [
        Fraction(sum(abs(w) < abs(v) for w in kept) * 2 + sum(abs(w) == abs(v) for w in kept) + 1, 2) for v in kept
    ]
    seen = sum((r for v, r in zip(kept, ranks, strict=True) if v * side > 0), Fraction(0))
    sums = [sum(itertools.compress(ranks, signs), Fraction(0)) for signs in itertools.product((0, 1), repeat=len(kept))]
    return Fraction(sum(s >= seen for s in sums), len(sums))


def test_golden_numbers() -> None:
    """VIEWS, section 4: statsmodels' TOST and an enumeration."""
    t = bo.equivalence(A, B, margin=0.01, better="higher", test="t")
    assert math.isclose(t.pvalue, 0.0553824608, abs_tol=1e-9)
    assert math.isclose(t.p_a_not_worse, 0.0047313343, abs_tol=1e-9)
    assert t.interval == pytest.approx((-0.0042556700, 0.0102556700), abs=1e-9)
    assert t.confidence_level == pytest.approx(0.9)
    assert (t.verdict, t.estimate) == ("a not worse", pytest.approx(0.003))
    wide = bo.equivalence(A, B, margin=0.02, better="higher", test="t")
    assert math.isclose(wide.pvalue, 0.0010026894, abs_tol=1e-9)
    assert wide.verdict == "practically equal"
    assert bo.equivalence(A, B, margin=0.01, better="higher").pvalue == 0.0546875
    assert bo.equivalence(A, B, margin=0.02, better="higher").pvalue == 0.00390625


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_the_interval_is_that_of_two_tests_at_alpha(alpha: float) -> None:
    """Signed ranks: Hodges and Lehmann's interval. Scores of two values: Tango's."""
    x, noise = np.random.default_rng(0).normal(size=(2, 12))
    table = bo.Scores(np.column_stack([x, x + 0.1 * noise]), better="lower")
    found = bo.equivalence(table, 0, 1, margin=0.5, alpha=alpha)
    shift = bo.hodges_lehmann(table, 0, 1, confidence_level=1 - 2 * alpha)
    assert found.interval == pytest.approx((shift.low, shift.high))
    wins, losses = np.r_[np.ones(20), np.zeros(80)], np.r_[np.zeros(20), np.ones(10), np.zeros(70)]
    shares = bo.equivalence(wins, losses, margin=0.3, alpha=alpha, better="higher")
    assert shares.interval == pytest.approx(tango(20, 10, 100, float(stats.norm.isf(alpha))))


@pytest.mark.parametrize(("n", "method"), [(1000, "exact"), (1001, "normal")])
def test_a_thousand_problems_are_exact(n: int, method: Any) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, n))
    found = bo.equivalence(x, y, margin=0.5, better="lower")
    assert found.p_a_not_worse == bo.wilcoxon(x - 0.5, y, better="lower", alternative="greater", method=method).pvalue


def test_the_margin_is_applied_before_ranking_and_on_decimals() -> None:
    """0.81 − 0.80 and 0.75 − 0.74 are 0.01, though not in binary: both lie at the margin and are dropped."""
    found = bo.equivalence(A, B, margin=0.01, better="higher")
    assert found.p_b_not_worse == stats.wilcoxon([-2, -2, 1, -2, -1, -2, 1], alternative="less").pvalue
    table = bo.Scores(np.column_stack([A, B]), ["a", "b"], better="higher")
    shifted = bo.wilcoxon([10, 9, 10, 9, 11, 9, 10, 10, 9, 11], [10] * 10, better="higher", zeros="drop")
    assert shifted.n == 6  # so many are not at 0 as whole numbers: 0.81 − 0.80 − 0.01 is one of the others
    assert bo.equivalence(table, "a", "b", 0.01) == bo.equivalence(table, 0, 1, margin=0.01)


@pytest.mark.parametrize("at_a", [1, 2, 3, 4])
def test_differences_at_either_margin_are_dropped_before_ranking(at_a: int) -> None:
    """Some at −margin, others at +margin, with ties among the rest: the enumeration without them."""
    d = ["-0.1"] * at_a + ["0.1"] * (5 - at_a) + ["0.02", "0.05", "-0.2", "0.05", "0.3", "0.02"]
    x, zero = [f"{float(v):.2f}" for v in d], ["0.00"] * len(d)
    found = bo.equivalence([float(v) for v in x], [0.0] * len(d), margin=0.1, better="higher")
    of_a, of_b = enumerated(x, zero, "0.1", "higher")
    assert (found.p_a_not_worse, found.p_b_not_worse) == pytest.approx((float(of_a), float(of_b)), rel=1e-12)


def test_a_p_value_at_alpha_is_enough() -> None:
    """Five problems of five: 2⁻⁵ on either side."""
    x = [0.01, -0.02, 0.03, -0.04, 0.05]
    found = bo.equivalence(x, [0.0] * 5, margin=1.0, better="higher", alpha=2.0**-5)
    assert (found.p_a_not_worse, found.p_b_not_worse, found.verdict) == (2.0**-5, 2.0**-5, "practically equal")
    less = bo.equivalence(x, [0.0] * 5, margin=1.0, better="higher", alpha=2.0**-5 - 1e-9)
    assert less.verdict == "not shown"


@pytest.mark.slow
@pytest.mark.parametrize("better", ["lower", "higher"])
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_the_enumeration_agrees(better: str, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, 8))
    cells = st.integers(2, 14).map(lambda i: f"{i / 10:.1f}")
    x, y = (data.draw(st.lists(cells, min_size=n, max_size=n)) for _ in range(2))
    assume(5 * sum(a == b for a, b in zip(x, y, strict=True)) <= n and len({*x, *y}) > 2)  # else a mean, or shares
    margin = data.draw(st.sampled_from(["0.1", "0.2", "0.3", "0.55"]))
    found = bo.equivalence([float(v) for v in x], [float(v) for v in y], margin=float(margin), better=better)  # type: ignore[call-overload]
    a, b = enumerated(x, y, margin, better)
    beyond = abs(found.estimate) >= float(margin) * (1 - 1e-12)  # then nothing is claimed on that side
    a = Fraction(1) if beyond and found.estimate < 0 and 2 * a < 1 else a
    b = Fraction(1) if beyond and found.estimate > 0 and 2 * b < 1 else b
    assert (found.p_a_not_worse, found.p_b_not_worse) == (float(a), float(b))
    assert found.pvalue == max(found.p_a_not_worse, found.p_b_not_worse)
    low, high = found.interval
    assert (-float(margin) < low) == (a <= found.alpha)  # the interval lies inside where the test rejects
    assert (high < float(margin)) == (b <= found.alpha)
    turned = bo.equivalence([float(v) for v in y], [float(v) for v in x], margin=float(margin), better=better)  # type: ignore[call-overload]
    assert (turned.p_b_not_worse, turned.p_a_not_worse) == (found.p_a_not_worse, found.p_b_not_worse)


@pytest.mark.slow
@given(seed=st.integers(0, 2**32), test=st.sampled_from(["wilcoxon", "t"]))
@settings(max_examples=15, deadline=None)
def test_many_pairs_are_each_pair_alone(seed: int, test: Any) -> None:
    rng = np.random.default_rng(seed)
    table = bo.Scores(rng.integers(0, 700, (12, 5)) / 1000 + rng.integers(0, 2), better="lower")
    pairs = [(a, b) for a in range(5) for b in range(a)]
    for (a, b), found in zip(pairs, one_sided_tests(Columns.of(table), pairs, 0.2, test, 0.05), strict=True):
        one = bo.equivalence(table, a, b, 0.2, test)
        assert (found.a, found.b, found.equal) == (one.p_a_not_worse, one.p_b_not_worse, one.pvalue)
        assert found.log_equal == one.log_pvalue


@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_student_is_scipys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(2, 9))
    found = bo.equivalence(x, y, margin=0.7, better="lower", test="t", alpha=0.1)
    a = stats.ttest_1samp(y - x, -0.7, alternative="greater").pvalue
    b = stats.ttest_1samp(y - x, 0.7, alternative="less").pvalue
    assert (found.p_a_not_worse, found.p_b_not_worse) == pytest.approx((a, b), rel=1e-12)
    assert math.isclose(found.log_pvalue, math.log(max(a, b)), rel_tol=1e-9)
    low, high = found.interval
    assert (low > -0.7) == (a <= 0.1)
    assert (high < 0.7) == (b <= 0.1)


def test_a_percentage_is_of_the_ratio() -> None:
    """Neither score may exceed the other by 5 %: the same whatever the unit and whichever comes first."""
    rng = np.random.default_rng(3)
    x = np.exp(rng.normal(size=12))
    y = x * rng.choice([0.98, 0.99, 1.01, 1.02], 12)
    found = bo.equivalence(x, y, margin="5%", better="lower")
    assert (found.relative, found.margin) == (True, math.log1p(0.05))
    assert found == bo.equivalence(x, y, margin=0.05, relative=True, better="lower")
    logs = bo.equivalence(np.log(x), np.log(y), margin=math.log1p(0.05), better="lower")
    assert found.pvalue == logs.pvalue == 2.0**-12
    assert found.estimate == pytest.approx(logs.estimate)
    assert bo.equivalence(1000 * x, 1000 * y, margin=" 5 % ", better="lower").pvalue == found.pvalue
    at = bo.equivalence([1.05 * v for v in (1, 2, 0.3, 4, 7)], [1, 2, 0.3, 4, 7], margin="5%", better="lower")
    assert at.p_a_not_worse == 1.0  # every ratio is at the margin: nothing is left to rank
    assert at.p_b_not_worse == 2.0**-5


def test_equal_scores_and_few_problems() -> None:
    """Agreement alone was "practically equal" at p = 2⁻⁶ by signed ranks, and at p = 0 by t."""
    for level in ([0.5] * 6, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]):
        for test in ("wilcoxon", "t"):
            same = bo.equivalence(level, level, margin=0.01, better="lower", test=test)  # type: ignore[call-overload]
            assert (same.verdict, same.pvalue, same.interval) == ("not shown", 1.0, (-math.inf, math.inf))
            assert [c.code for c in same.cautions] == ["no-variation"]
    level = [0.1, 0.2, 0.3, 0.4]
    few = bo.equivalence(level, [x + 0.001 for x in level], margin=0.01, better="lower")
    assert (few.verdict, few.pvalue) == ("not shown", 2.0**-4)
    assert "out-of-reach (margin)" in [c.name for c in few.cautions]
    assert few.interval[1] >= 0.01  # not inside
    one = bo.equivalence([0.5], [0.5], margin=0.01, better="lower", test="t")
    assert (one.pvalue, one.interval) == (1.0, (-math.inf, math.inf))
    assert [c.code for c in one.cautions] == ["no-variation"]


@pytest.mark.parametrize("margin", [0, -0.1, math.nan, math.inf, "5", "5 percent", "-5%", "0%", "%", 1e-17])
def test_no_such_margin(margin: Any) -> None:
    with pytest.raises(ParameterError, match="margin must be") as error:
        bo.equivalence(A, B, margin=margin, better="higher")
    assert error.value.parameter == "margin"


@pytest.mark.parametrize("margin", [None, True, [0.1]])
def test_a_margin_is_a_number(margin: Any) -> None:
    with pytest.raises(
        NotANumberError, match='margin must be a number above 0 in score units, or a percentage such as "5%"'
    ):
        bo.equivalence(A, B, margin=margin, better="higher")


def test_what_else_is_refused() -> None:
    table = bo.Scores([[1.0, 2.0, -1.0], [3.0, math.inf, 1.0], [0.5, 1.0, 1.0]], better="lower")
    with pytest.raises(InfiniteScoreError, match="A2"):
        bo.equivalence(table, 0, 1, 0.1)
    with pytest.raises(ParameterError, match="margin '5%' needs scores above 0; problem 'P1', algorithm 'A3'"):
        bo.equivalence(table, 0, 2, "5%")
    assert bo.equivalence(table, 0, 2, 0.1).n_problems == 3
    with pytest.raises(ParameterError, match=r"alpha must be a finite number above 0 and below 0\.5; got 0\.5"):
        bo.equivalence(A, B, margin=0.1, better="higher", alpha=0.5)
    with pytest.raises(ParameterError, match="test must be one of 'wilcoxon', 't'; got 'sign'"):
        bo.equivalence(A, B, margin=0.1, better="higher", test="sign")  # type: ignore[call-overload]
    with pytest.raises(WrongTypeError, match="after two samples"):
        bo.equivalence(A, B, 0.01, better="higher")  # type: ignore[call-overload]


def test_an_infinite_score_of_a_cluster_is_named_by_its_problem() -> None:
    table = bo.Scores(
        [[1, 2], [np.inf, 2], [3, 4], [3, 4.5]], ["a", "b"], list("pqrs"), better="lower", clusters=list("xxyy")
    )
    with pytest.raises(InfiniteScoreError, match="problem 'q', algorithm 'a' is inf"):
        bo.equivalence(table, 0, 1, margin=1.0)


def test_a_margin_that_swallows_every_difference_leaves_no_error_to_test_with() -> None:
    assert bo.equivalence([1, 2, 4], [2.0, 2.5, 7.0], margin=1e20, better="lower", test="t").pvalue == 1.0
