"""What each bad input gets: one table over every public function, found by walking the public API.

Rows follow the list in the contract: NaN, infinities, too few rows or columns, degenerate tables, labels, text,
signed zeros and denormals, p-values, sizes, kinds of arrays, underflow. Reading files is in ``test_bad_files.py``.
"""

from __future__ import annotations

import importlib
import inspect
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bakeoff as bo
from strategies import (
    BINARY,
    CONTROL_METHODS,
    DIFFERENCES,
    OMNIBUS,
    PAIRWISE,
    PAIRWISE_METHODS,
    analyses,
    binary,
    check_comparison,
    check_result,
    first_parameter,
    numbers_in,
    options_of,
    public_functions,
)

ANALYSES = analyses()
NAN, INF = math.nan, math.inf
SLOW = ("tukey", "dunnett")  # a tenth of a second a call
EVERY = [
    pytest.param(name, options, id=f"{name}-{'-'.join(map(str, options.values())) or 'default'}")
    for name in ANALYSES
    for options in options_of(name)
]
PLAIN = np.array([[1.0, 2.5, 3.0], [2.0, 1.0, 4.0], [0.5, 0.7, 0.6], [3.0, 5.0, 4.0], [1.0, 1.2, 9.0]])


def _parameters(function: object) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)  # type: ignore[arg-type]


def test_every_public_function_is_covered_here() -> None:
    """A new function must take scores, p-values or sizes; anything else needs a row of its own in this table."""
    known = {"scores", "pvalues", "n_algorithms", "source", "experiment"}
    known |= {"result", "x", "battles"}  # test_dispatch.py, test_mann_whitney.py, test_ratings.py
    known |= {"baseline", "commands"}  # test_check.py, test_time.py
    known |= {"metrics", "table", "scores_or_curves"}  # test_tradeoff.py, test_curves.py, test_profile.py
    known |= {"stores"}  # test_faults_parts.py
    assert {first_parameter(f) for f in public_functions().values()} <= known
    assert len(ANALYSES) >= 20


# --- the wrong kind of thing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ANALYSES)
@pytest.mark.parametrize("thing", [None, PLAIN.tolist(), PLAIN, pd.DataFrame(PLAIN), "scores.csv"], ids=type)
def test_only_scores_are_scores(name: str, thing: object) -> None:
    function = public_functions()[name]
    given = {p: v for p, v in {"a": "A1", "b": "A2", "control": "A1"}.items() if p in _parameters(function)}
    with pytest.raises(TypeError, match=r"bakeoff\.Scores.*better=|^better is needed: .*better=") as caught:
        function(thing, **given)
    assert isinstance(caught.value, bo.BakeoffError)


@pytest.mark.parametrize("name", [n for n in ANALYSES if "b" in _parameters(public_functions()[n])[:3]])
def test_a_pair_is_two_different_algorithms_of_the_table(name: str) -> None:
    s = bo.Scores(PLAIN, ["new one", "old", "older"], better="lower")
    s = binary(s) if name in BINARY else s
    function = public_functions()[name]
    with pytest.raises(bo.BakeoffError, match=r"a:.*'new on'.*did you mean 'new one'"):
        function(s, "new on", "old")
    with pytest.raises(bo.BakeoffError, match="two different"):
        function(s, "old", 1)
    with pytest.raises(bo.BakeoffError, match="index 3"):
        function(s, 0, 3)
    with pytest.raises(TypeError):
        function(s, 0.0, 1)
    check_same(function(s, -3, "older"), function(s, "new one", 2))


@pytest.mark.parametrize("name", ["compare", "multiple_sign_test", "dunnett"])
@pytest.mark.parametrize("control", ["Old", 7, -4, 1.5, True, ("old",)])
def test_the_control_is_an_algorithm_of_the_table(name: str, control: object) -> None:
    s = bo.Scores(PLAIN, ["new", "old", "older"], better="lower")
    with pytest.raises(bo.BakeoffError, match="control"):
        public_functions()[name](s, control=control)


@pytest.mark.parametrize(
    "parameter", ["alternative", "method", "zeros", "ties", "law", "omnibus", "pairwise", "recipe"]
)
@pytest.mark.parametrize("value", ["nonsense", 3, None, ["exact"]], ids=str)
def test_an_unknown_option_is_refused_with_the_list_of_options(parameter: str, value: object) -> None:
    s = bo.Scores(PLAIN, better="lower")
    takers = [n for n, f in public_functions().items() if n in ANALYSES and parameter in _parameters(f)]
    assert takers
    for name in takers:
        if value is None and name == "compare" and parameter in ("pairwise", "recipe"):
            continue  # None is "not given"
        with pytest.raises(bo.BakeoffError, match=parameter):
            ANALYSES[name](s, **{parameter: value})


@pytest.mark.parametrize("value", [0.0, 1.0, -0.1, 2, NAN, INF, None, "5%", True], ids=str)
@pytest.mark.parametrize("parameter", ["alpha", "confidence_level"])
def test_levels_are_strictly_between_0_and_1(parameter: str, value: object) -> None:
    s = bo.Scores(PLAIN, better="lower")
    takers = [n for n in ANALYSES if parameter in _parameters(public_functions()[n])]
    assert takers
    for name in takers:
        with pytest.raises(bo.BakeoffError, match=parameter):
            ANALYSES[name](s, **{parameter: value})


# --- NaN --------------------------------------------------------------------------------------------------------


def test_nan_is_an_error_naming_problem_and_algorithm() -> None:
    values = PLAIN.copy()
    values[1, 2] = NAN
    with pytest.raises(bo.BakeoffError, match=r"problem 'P2', algorithm 'A3'.*missing=") as caught:
        bo.Scores(values, better="lower")
    assert isinstance(caught.value, ValueError)


def test_many_nans_give_the_first_two_and_the_total() -> None:
    with pytest.raises(bo.BakeoffError, match=r"'P1', algorithm 'A1'.*and 13 more \(15 in all\)"):
        bo.Scores(np.full((5, 3), NAN), better="higher")


def test_a_nan_run_is_named() -> None:
    values = np.ones((2, 2, 3))
    values[1, 0, 2] = NAN
    with pytest.raises(bo.BakeoffError, match=r"problem 'P2', algorithm 'A1', run 3"):
        bo.Scores(values, better="lower")


def test_none_and_masked_cells_are_missing() -> None:
    with pytest.raises(bo.BakeoffError, match=r"'P1', algorithm 'A2'"):
        bo.Scores([[1.0, None], [2.0, 3.0]], better="lower")
    with pytest.raises(bo.BakeoffError, match=r"'P1', algorithm 'A2'"):
        bo.Scores(np.ma.masked_equal([[1.0, -999.0], [2.0, 3.0]], -999.0), better="lower")


# --- infinities -------------------------------------------------------------------------------------------------

WITH_INFINITY = np.array(
    [[1.0, INF, INF], [2.0, 1.0, INF], [-INF, 0.7, 0.6], [3.0, -INF, -INF], [1.0, 1.2, 9.0], [4.0, 1.5, 3.0]]
)


@pytest.mark.few(41)
@pytest.mark.parametrize(("name", "options"), EVERY)
@pytest.mark.parametrize("better", ["lower", "higher"])
def test_infinite_scores_are_ordered_or_refused_naming_the_cell(name: str, options: dict, better: str) -> None:
    s = bo.Scores(WITH_INFINITY, better=better)
    if name not in DIFFERENCES:
        check_result(ANALYSES[name](s, **options))
        # what only orders scores cannot tell infinities from very large numbers
        finite = bo.Scores(np.clip(WITH_INFINITY, -1e6, 1e6), better=better)
        if name not in ("compare", "hodges_lehmann", "median_difference"):
            check_same(ANALYSES[name](s, **options), ANALYSES[name](finite, **options))
    else:
        with pytest.raises(bo.BakeoffError, match=r"problem 'P1', algorithm 'A2' is inf") as caught:
            ANALYSES[name](s, **options)
        assert type(caught.value).__name__ == "InfiniteScoreError"


def test_a_paired_test_looks_only_at_its_own_columns() -> None:
    s = bo.Scores(np.column_stack([PLAIN, np.full(5, INF)]), better="lower")
    for name in ("wilcoxon", "paired_t", "hodges_lehmann", "rank_biserial"):
        check_same(ANALYSES[name](s), ANALYSES[name](bo.Scores(PLAIN, better="lower")))


def test_equal_infinities_tie() -> None:
    s = bo.Scores([[INF, INF, 1.0], [-INF, 0.0, -INF]], better="lower")
    assert bo.rank(s).tolist() == [[2.5, 2.5, 1.0], [1.5, 3.0, 1.5]]
    assert bo.sign_test(s, 0, 1).ties == 1


def test_given_weights_spare_quade_the_differences() -> None:
    s = bo.Scores(WITH_INFINITY, better="lower")
    check_result(bo.quade(s, weights=[1, 2, 3, 4, 5, 6]))
    check_result(bo.rank_weighted(s, weights=[1, 2, 3, 4, 5, 6]))


@pytest.mark.parametrize("weights", [[1, 2], [[1] * 6], [1, 2, 3, 4, 5, NAN], [1, 2, 3, 4, 5, INF], ["a"] * 6, "heavy"])
def test_weights_are_one_finite_number_per_problem(weights: object) -> None:
    s = bo.Scores(np.column_stack([np.arange(6.0), np.arange(6.0) ** 2]), better="lower")
    for function in (bo.quade, bo.rank_weighted):
        with pytest.raises(bo.BakeoffError, match="weights"):
            function(s, weights=weights)


@pytest.mark.few(7)
@pytest.mark.parametrize("control", [None, 0])
@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.parametrize("recipe", [None, "demsar-2006", "derrac-2011", "garcia-2010"])
def test_compare_leaves_out_what_infinite_scores_do_not_allow(control: int | None, better: str, recipe: str) -> None:
    if recipe == "garcia-2010" and control is None:
        return
    values = np.column_stack([WITH_INFINITY, np.arange(6.0), np.arange(6.0) % 4])
    c = bo.compare(bo.Scores(values, better=better), control=control, recipe=recipe)
    check_comparison(c)
    assert c.contrasts is None
    for p in c.pairs:
        x, y = (values[:, int(name[1:]) - 1] for name in (p.a, p.b))
        undefined = bool((np.isinf(x) & (x == y)).any())  # infinity minus infinity
        assert (p.effect is None) == undefined
        assert (p.rank_biserial is not None) == ({p.a, p.b} <= {"A4", "A5"})
    assert "infinite (scores)" in {x.name for x in c.cautions}


@pytest.mark.parametrize("options", [{"omnibus": o} for o in ("aligned", "quade", "anova")])
@pytest.mark.parametrize("pairwise", [None, "wilcoxon", "t"])
def test_compare_refuses_a_difference_test_asked_for_by_name(options: dict, pairwise: str | None) -> None:
    s = bo.Scores(WITH_INFINITY, better="lower")
    with pytest.raises(bo.BakeoffError, match="problem 'P1', algorithm 'A2'"):
        bo.compare(s, pairwise=pairwise, **options)
    if pairwise:
        with pytest.raises(bo.BakeoffError, match="problem 'P1', algorithm 'A2'"):
            bo.compare(s, pairwise=pairwise)


def test_runs_at_both_infinities_have_no_mean() -> None:
    with pytest.raises(bo.BakeoffError, match=r"'P1', algorithm 'A2'.*both"):
        bo.Scores([[[1.0, 2.0], [INF, -INF]], [[1.0, 1.0], [0.0, 1.0]]], better="lower")


# --- too small --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        ((0, 3), "at least 1 problem"),
        ((3, 1), "at least 2 algorithms"),
        ((3, 0), "at least 2 algorithms"),
        ((0, 0), "at least 2 algorithms"),
        ((2, 2, 0), "at least 1 run"),
        ((), "shape"),
        ((4,), "shape"),
        ((2, 2, 2, 2), "shape"),
    ],
    ids=str,
)
def test_too_small_a_table_says_the_minimum(shape: tuple[int, ...], says: str) -> None:
    with pytest.raises(bo.BakeoffError, match=says):
        bo.Scores(np.ones(shape), better="lower")


def test_selecting_too_little_says_the_minimum() -> None:
    s = bo.Scores(PLAIN, better="lower")
    with pytest.raises(bo.BakeoffError, match="at least 2 algorithms"):
        s.select(algorithms=["A1"])
    with pytest.raises(bo.BakeoffError, match="at least 1 problem"):
        s.select(problems=[])
    with pytest.raises(bo.BakeoffError, match="unique"):
        s.select(algorithms=["A1", "A1"])


# --- degenerate tables ------------------------------------------------------------------------------------------

DEGENERATE = {
    "k2-n1": [[1.0, 2.0]],
    "k2-n1-tied": [[1.0, 1.0]],
    "k2-n2": [[1.0, 2.0], [2.0, 1.0]],
    "k2-all-tied": [[1.0, 1.0]] * 7,
    "k2-agreement": [[1.0, 2.0]] * 9,
    "k2-long-agreement": [[float(i), i + 1.5] for i in range(1500)],
    "k3-n1": [[3.0, 1.0, 2.0]],
    "k3-n1-tied": [[3.0, 3.0, 2.0]],
    "k3-n1-all-tied": [[3.0, 3.0, 3.0]],
    "k3-n2": [[3.0, 1.0, 2.0], [1.0, 3.0, 2.0]],
    "k3-all-tied": [[4.0] * 3, [0.0] * 3, [-1e150] * 3],
    "k3-rows-constant-but-one": [[4.0] * 3, [0.0] * 3, [1.0, 2.0, 3.0]],
    "k3-two-columns-equal": [[4.0, 4.0, 5.0], [1.0, 1.0, 9.0], [3.0, 3.0, 0.0], [2.0, 2.0, 2.0]],
    "k4-agreement": [[1.0, 2.0, 3.0, 4.0]] * 6,
    "k4-agreement-of-all-kinds": [[i * 1.0, i + 2.5, i + 3.0, i + 14.0] for i in range(8)],
    "k4-agreement-with-a-tie": [[1.0, 2.0, 2.0, 4.0], [0.1, 0.7, 0.7, 0.9], [5.0, 6.0, 6.0, 9.0]],
    "k4-balanced": [[1.0, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0]],
    "k6-n2": np.random.default_rng(1).normal(size=(2, 6)),
    "k12-agreement": np.arange(12.0) + 100 * np.arange(30.0)[:, None],
    "one-huge-row": [[1.0, 2.0, 3.0], [1e150, -1e150, 0.0], [2.0, 1.0, 0.5]],
    "tiny": np.array([[1, 2, 3], [3, 1, 2], [0, 0, 1], [2, 5, 3]]) * 5e-324,
    "cancelling-zeros": [[0.0, 0.0, 1.0], [-1.0, 1.0, 0.0], [-0.0, 0.0, -0.0]],
}


def _refusable(name: str, options: dict, table: str) -> bool:
    """A reason instead of a number is right where a relative difference has a zero mean, or beyond a stated limit."""
    relative = bool(options.get("relative")) and table in ("cancelling-zeros", "one-huge-row")
    return relative or (name == "multiple_sign_test" and table == "k2-long-agreement")


@pytest.mark.few(5, 22)
@pytest.mark.parametrize(("name", "options"), EVERY)
def test_degenerate_tables_have_defined_results(name: str, options: dict) -> None:
    for i, table in enumerate(DEGENERATE):
        s = bo.Scores(DEGENERATE[table], better=("lower", "higher")[i % 2])
        if _refusable(name, options, table):
            with pytest.raises(bo.BakeoffError, match=r"problem 'P2'|1000 problem"):
                ANALYSES[name](s, **options)
        elif name not in SLOW or i % 4 == 0 or s.n_problems == 1:
            result = ANALYSES[name](s, **options)
            check_result(result)
            if "all-tied" in table or table == "k2-n1-tied":
                assert all(x == 1.0 for path, x in numbers_in(result) if path == "result.pvalue")


@pytest.mark.few(2, 13)
@pytest.mark.parametrize("control", [None, 1])
@pytest.mark.parametrize("table", DEGENERATE)
def test_compare_is_defined_on_degenerate_tables(table: str, control: int | None) -> None:
    s = bo.Scores(DEGENERATE[table], better="higher")
    for omnibus in OMNIBUS:
        check_comparison(bo.compare(s, control=control, omnibus=omnibus))
    for pairwise in PAIRWISE:
        posthoc = "all" if s.n_algorithms < 12 or pairwise in ("mean-ranks", "sign") else "holm"
        check_comparison(bo.compare(s, control=control, pairwise=pairwise, posthoc=posthoc))


@pytest.mark.parametrize("table", ["k3-n2", "k3-all-tied", "k4-agreement", "k2-n1"])
def test_tests_after_anova_are_defined_on_degenerate_tables(table: str) -> None:
    s = bo.Scores(DEGENERATE[table], better="higher")
    for control in (None, 1):
        check_comparison(bo.compare(s, control=control, omnibus="anova", posthoc="all"))


@pytest.mark.parametrize(("n", "k"), [(2, 3), (5, 3), (14, 4), (25, 9), (60, 2), (200, 12)])
def test_perfect_agreement_has_the_exact_probability(n: int, k: int) -> None:
    """F is infinite; k! orders of the first problem, each other agrees with probability 1/k!. Quade's F is infinite
    only where all problems weigh the same too (A = B)."""
    s = bo.Scores(np.arange(float(k)) + np.arange(n)[:, None] % 7, better="lower")
    log_p = -(n - 1) * math.lgamma(k + 1)
    for test, ties in ((bo.iman_davenport, "none"), (bo.iman_davenport, "corrected"), (bo.quade, "corrected")):
        r = test(s, ties=ties)
        assert r.statistic == INF
        assert math.isclose(r.log_pvalue, log_p, rel_tol=1e-12)
        assert math.isclose(r.pvalue, math.exp(log_p), rel_tol=1e-11, abs_tol=1e-307)


def test_one_problem_has_p_where_defined_else_1_with_a_caution() -> None:
    s = bo.Scores([[3.0, 1.0, 2.0, 5.0]], better="lower")
    for omnibus in OMNIBUS:
        c = bo.compare(s, omnibus=omnibus)
        check_comparison(c)
        assert {p.verdict for p in c.pairs} == {"cannot tell"}
        assert c.omnibus.pvalue > 0.05
        assert c.cautions
    assert bo.iman_davenport(s).pvalue == 1.0
    assert bo.friedman(s, method="exact").pvalue == 1.0


# --- labels -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", ["algorithms", "problems"])
def test_duplicate_names_are_listed(axis: str) -> None:
    names = [f"x{i % 7}" for i in range(15)]
    shape = (2, 15) if axis == "algorithms" else (15, 2)
    with pytest.raises(bo.BakeoffError, match=rf"{axis}.*x0, x1, x2, x3, x4 and 2 more \(7 in all\)"):
        bo.Scores(np.ones(shape), better="lower", **{axis: names})


@pytest.mark.parametrize("labels", [["a"], ["a", "b", "c"], "ab", [], ["a", "a"]], ids=str)
@pytest.mark.parametrize("axis", ["algorithms", "problems"])
def test_labels_fit_the_table(axis: str, labels: object) -> None:
    with pytest.raises(bo.BakeoffError, match=axis):
        bo.Scores([[1.0, 2.0], [3.0, 4.0]], better="lower", **{axis: labels})


@pytest.mark.parametrize("better", ["low", "LOWER", None, "", 1, "max"])
def test_the_direction_is_said_in_one_of_two_words(better: object) -> None:
    with pytest.raises(bo.BakeoffError, match=r"better must be one of 'lower', 'higher'"):
        bo.Scores(PLAIN, better=better)
    with pytest.raises(TypeError):
        bo.Scores(PLAIN)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "values",
    [
        [["1", "2"], ["3", "4"]],
        [[1.0, "2"], [3.0, 4.0]],
        [[1.0, 2.0], [3.0]],
        [[1.0, 2.0], [3.0, 1j]],
        [[True, False], [False, True]],
        [[1.0, object()], [2.0, 3.0]],
        np.array([["2020-01-01", "2020-01-02"]], dtype="datetime64[D]"),
        [[2**53 + 1, 0], [1, 2]],
        [[10**400, 0], [1, 2]],
        "text",
        {"a": [1, 2]},
        None,
    ],
    ids=lambda v: type(v).__name__,
)
def test_what_is_no_number_is_refused(values: object) -> None:
    with pytest.raises(bo.BakeoffError):
        bo.Scores(values, better="lower")


# --- signed zeros, denormals, huge numbers ----------------------------------------------------------------------


@pytest.mark.few(14)
@pytest.mark.parametrize(("name", "options"), EVERY)
def test_minus_zero_equals_zero(name: str, options: dict) -> None:
    table = np.array([[0.0, 0.0, 1.0], [2.0, 0.0, 0.0], [0.0, 3.0, 1.0], [5.0, 0.0, 1.0]])
    signed = np.where(table == 0, -0.0, table)
    for better in ("lower", "higher"):
        one, other = (ANALYSES[name](bo.Scores(t, better=better), **options) for t in (table, signed))
        check_same(one, other)


def test_denormals_are_ordered() -> None:
    s = bo.Scores([[5e-324, 1e-323, 0.0], [1e-310, 2e-310, 1.5e-310]], better="higher")
    assert bo.rank(s).tolist() == [[2.0, 1.0, 3.0], [3.0, 1.0, 2.0]]


@pytest.mark.parametrize("recipe", [None, "derrac-2011"])
@pytest.mark.parametrize("control", [None, 0])
def test_scores_near_the_largest_float_are_compared_on_ranks(recipe: str | None, control: int | None) -> None:
    big = np.array([[1.7e308, -1.7e308, 0.0], [1.0, 2.0, 3.0], [-1.6e308, 1.5e308, 2.0], [4.0, 5.0, 9.0]])
    c = bo.compare(bo.Scores(big, better="lower"), control=control, recipe=recipe)
    check_comparison(c)


@pytest.mark.parametrize("name", sorted(DIFFERENCES))
def test_differences_that_overflow_are_refused_not_ranked(name: str) -> None:
    s = bo.Scores([[1.7e308, -1.7e308, 0.0], [1.0, 2.0, 3.0], [4.0, 1.0, 2.0]], better="lower")
    try:
        check_result(ANALYSES[name](s))
    except bo.BakeoffError as error:
        assert "too large" in str(error)  # noqa: PT017 - either answer is right


# --- p-values ---------------------------------------------------------------------------------------------------

METHODS = [*CONTROL_METHODS]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "pvalues",
    [[0.1, 1.1], [-1e-9, 0.5], [NAN, 0.1], [INF], [[0.1, 0.2]], 0.5, "0.1", ["a"], None, [0.1, None], [0.1j]],
    ids=str,
)
def test_adjust_refuses_what_is_no_list_of_probabilities(method: str, pvalues: object) -> None:
    with pytest.raises(bo.BakeoffError, match="pvalues"):
        bo.adjust(pvalues, method)


@pytest.mark.parametrize("method", METHODS)
def test_adjust_of_nothing_one_zero_and_one(method: str) -> None:
    empty = bo.adjust([], method)
    assert isinstance(empty, np.ndarray)
    assert empty.shape == (0,)
    assert bo.adjust([0.037], method).tolist() == [0.037]
    assert bo.adjust([0.0, 0.0, 0.0], method).tolist() == [0.0] * 3
    assert bo.adjust([1.0, 1.0, 1.0], method).tolist() == [1.0] * 3
    mixed = bo.adjust([1.0, 0.0, 5e-324, 1.0], method)
    assert np.all((mixed >= 0) & (mixed <= 1))
    assert mixed[1] == 0.0
    assert mixed[0] == mixed[3] == 1.0


def _square(p: float) -> np.ndarray:
    return np.full((4, 4), p)


@pytest.mark.parametrize("method", PAIRWISE_METHODS)
@pytest.mark.parametrize(
    "pvalues",
    [_square(1.1), _square(-0.1), _square(NAN), np.ones((2, 3)), np.ones(4), 0.5, "x", [["a", "b"], ["b", "a"]], None],
    ids=lambda v: np.array2string(np.asarray(v))[:12].replace("\n", ""),
)
def test_adjust_pairwise_refuses_what_is_no_table_of_probabilities(method: str, pvalues: object) -> None:
    with pytest.raises(bo.BakeoffError, match="pvalues"):
        bo.adjust_pairwise(pvalues, method)


@pytest.mark.parametrize("method", PAIRWISE_METHODS)
def test_adjust_pairwise_of_odd_tables(method: str) -> None:
    skew = _square(0.01)
    skew[2, 1] = 0.5
    with pytest.raises(bo.BakeoffError, match=r"symmetric.*"):
        bo.adjust_pairwise(skew, method)
    diagonal = _square(0.01)
    np.fill_diagonal(diagonal, NAN)
    out = bo.adjust_pairwise(diagonal, method)
    assert np.array_equal(out, out.T)
    assert np.diag(out).tolist() == [1.0] * 4
    assert bo.adjust_pairwise([[NAN, 0.03], [0.03, 7.0]], method).tolist() == [[1.0, 0.03], [0.03, 1.0]]
    assert bo.adjust_pairwise(_square(0.0), method)[0, 1] == 0.0
    assert bo.adjust_pairwise(_square(1.0), method)[0, 1] == 1.0


@pytest.mark.parametrize("method", PAIRWISE_METHODS)
@pytest.mark.parametrize(
    "positions", [[1, 2, 3], [1, 2, 3, NAN], [1, 2, 3, INF], ["a"] * 4, [[1, 2, 3, 4]], 4], ids=str
)
def test_positions_are_one_finite_number_per_algorithm(method: str, positions: object) -> None:
    with pytest.raises(bo.BakeoffError, match="positions"):
        bo.adjust_pairwise(_square(0.2), method, positions=positions)


@pytest.mark.parametrize("method", PAIRWISE_METHODS)
def test_inconsistent_positions_are_refused(method: str) -> None:
    x = np.array([0.0, 1.0, 3.0, 7.0])
    p = 1.0 / (1.0 + np.abs(x[:, None] - x))
    bo.adjust_pairwise(p, method, positions=x)
    with pytest.raises(bo.BakeoffError, match="positions"):
        bo.adjust_pairwise(p, method, positions=x[::-1] ** 2)
    with pytest.raises(bo.BakeoffError, match="positions"):
        bo.adjust_pairwise(p, method, positions=[0.0, 2.0, 3.0, 7.0])


@pytest.mark.parametrize("function", [bo.adjust, bo.adjust_pairwise])
@pytest.mark.parametrize("method", ["nonsense", "Holm", None, 3, ["holm"], "bergman-hommel"], ids=str)
def test_an_unknown_correction_is_refused_with_the_list(function: object, method: object) -> None:
    with pytest.raises(bo.BakeoffError, match=r"method must be one of.*holm"):
        function(np.full((3, 3), 0.1) if function is bo.adjust_pairwise else [0.1], method)


def test_a_correction_of_the_other_family_is_refused() -> None:
    with pytest.raises(bo.BakeoffError, match="method"):
        bo.adjust([0.1, 0.2, 0.3], "shaffer")
    with pytest.raises(bo.BakeoffError, match="method"):
        bo.adjust_pairwise(_square(0.1), "rom")


@pytest.mark.parametrize(
    "arguments",
    [
        {"n_algorithms": 1, "n_problems": 5},
        {"n_algorithms": 3, "n_problems": 0},
        {"n_algorithms": 3.5, "n_problems": 5},
        {"n_algorithms": "3", "n_problems": 5},
        {"n_algorithms": 3, "n_problems": NAN},
        {"n_algorithms": True, "n_problems": 5},
        {"n_algorithms": 3, "n_problems": 5, "alpha": 0.0},
        {"n_algorithms": 3, "n_problems": 5, "alpha": NAN},
        {"n_algorithms": 3, "n_problems": 5, "method": "bonferroni"},
    ],
    ids=str,
)
def test_critical_difference_states_its_rules(arguments: dict) -> None:
    with pytest.raises(bo.BakeoffError):
        bo.critical_difference(**arguments)


# --- large ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_many_problems_do_not_overflow() -> None:
    rng = np.random.default_rng(5)
    s = bo.Scores(rng.normal(size=(10_000, 4)) + np.array([0, 0.02, 0.2, 0.2]), better="lower")
    for omnibus in ("friedman", "aligned", "quade"):
        c = bo.compare(s, omnibus=omnibus, control=0)
        check_comparison(c)
        assert c.omnibus.statistic > 0


@pytest.mark.slow
def test_large_tables_have_exact_rank_sums() -> None:
    """Sums of squares beyond 2**63 must not wrap: compare with Python integers."""
    n, k = 3000, 40
    s = bo.Scores(np.random.default_rng(6).normal(size=(n, k)) + np.arange(k) / 20, better="lower")
    doubled = (2 * bo.rank_aligned(s)).astype(np.int64)
    columns, rows = ([int(x) for x in doubled.sum(axis=axis)] for axis in (0, 1))
    big = k * n
    top = (k - 1) * Fraction(sum(x * x for x in columns) - k * n * n * (big + 1) ** 2, 4)
    bottom = Fraction(big * (big + 1) * (2 * big + 1), 6) - Fraction(sum(x * x for x in rows), 4 * k)
    assert math.isclose(bo.aligned_friedman(s).statistic, top / bottom, rel_tol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("control", [None, 0])
def test_eighty_algorithms(control: int | None) -> None:
    rng = np.random.default_rng(7)
    s = bo.Scores(rng.normal(size=(20, 80)) + np.arange(80) / 10, better="lower")
    c = bo.compare(s, control=control, posthoc="holm")
    check_comparison(c)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("control", "posthoc"), [(None, None), (None, "all"), (0, None), (0, "all")])
def test_a_thousand_algorithms(control: int | None, posthoc: str | None) -> None:
    """What would take longer is left out by a caution that states the limit."""
    rng = np.random.default_rng(8)
    s = bo.Scores(rng.normal(size=(30, 1000)) + np.arange(1000) / 300, better="lower")
    c = bo.compare(s, control=control, posthoc=posthoc)
    assert len(c.pairs) == (499_500 if control is None else 999)
    left_out = [x.text for x in c.cautions if x.name == "not-computed (correction)"]
    assert all(any(ch.isdigit() for ch in text) for text in left_out)
    left_out = [text for text in left_out if not text.startswith("The list of groups")]
    if control is None and posthoc in (None, "all"):
        assert c.primary == "shaffer"
        assert bool(left_out) == (posthoc == "all"), "Shaffer's procedure is the default beyond 12 algorithms"


# --- kinds of arrays and frames ---------------------------------------------------------------------------------

WHOLE = np.array([[3, 1, 4, 1], [5, 9, 2, 6], [5, 3, 5, 8], [9, 7, 9, 3], [2, 3, 8, 4], [6, 2, 6, 4]])


def _locked(values: np.ndarray) -> np.ndarray:
    values = values.astype(float)
    values.flags.writeable = False
    return values


KINDS = {
    "list": WHOLE.tolist(),
    "tuple": tuple(map(tuple, WHOLE.tolist())),
    "read-only": _locked(WHOLE),
    "fortran": np.asfortranarray(WHOLE, dtype=float),
    "strided": np.repeat(np.repeat(WHOLE.astype(float), 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": WHOLE[::-1, ::-1].astype(float)[::-1, ::-1],
    "float32": WHOLE.astype(np.float32),
    "float16": WHOLE.astype(np.float16),
    "longdouble": WHOLE.astype(np.longdouble),
    "int8": WHOLE.astype(np.int8),
    "uint64": WHOLE.astype(np.uint64),
    "big-endian": WHOLE.astype(">f8"),
    "masked": np.ma.masked_array(WHOLE, mask=np.zeros(WHOLE.shape, dtype=bool)),
    "object": WHOLE.astype(object),
    "one-run": WHOLE[:, :, None].astype(float),
    "equal-runs": np.repeat(WHOLE[:, :, None].astype(float), 3, axis=2),
    "pandas": pd.DataFrame(WHOLE, columns=["A1", "A2", "A3", "A4"]),
}
POLARS = pytest.param("polars", marks=pytest.mark.needs("polars"))


def integer(kind: str) -> Any:
    if kind == "polars":
        import polars

        return polars.DataFrame(WHOLE, schema=["A1", "A2", "A3", "A4"])
    return KINDS[kind]


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", [*KINDS, POLARS])
def test_every_kind_of_array_gives_the_same_answer_and_is_not_changed(kind: str) -> None:
    given = integer(kind)
    before = np.array(given, dtype=float, copy=True)
    expected = bo.Scores(WHOLE, better="lower")
    s = bo.Scores(given, better="lower")
    assert np.array_equal(s.values, expected.values)
    for name, function in ANALYSES.items():
        if name in SLOW or (kind == "equal-runs" and name == "a12"):
            continue  # a12 is the one function that looks at runs
        if name == "compare":
            assert function(s).pairs == function(expected).pairs
        else:
            check_same(function(s), function(expected))
    assert np.array_equal(np.array(given, dtype=float), before)
    if isinstance(given, np.ndarray):
        assert not np.shares_memory(given, s.values)


@pytest.mark.parametrize("kind", ["pandas", POLARS, "fortran", "masked", "float32", "int8"])
def test_reading_arrays_and_frames_gives_the_same_scores(kind: str) -> None:
    s = bo.read_scores(integer(kind), better="lower")
    assert np.array_equal(s.values, WHOLE)
    assert s.algorithms == ("A1", "A2", "A3", "A4")


@pytest.mark.parametrize("library", ["pandas", POLARS])
def test_pvalues_of_any_kind_and_never_changed(library: str) -> None:
    series = importlib.import_module(library).Series
    p = [0.01, 0.04, 0.03, 0.005]
    kinds = [p, tuple(p), np.array(p), _locked(np.array(p)), series(p), np.array(p * 2)[::1][:4]]
    for method in METHODS:
        expected = bo.adjust(p, method).tolist()
        for given in kinds:
            assert bo.adjust(given, method).tolist() == expected
        assert [list(given) for given in kinds] == [p] * len(kinds)


def test_scores_are_locked() -> None:
    s = bo.Scores(np.repeat(PLAIN[:, :, None], 2, axis=2), better="lower")
    for array in (s.values, s.runs, s.n_runs):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    with pytest.raises(AttributeError):
        s.better = "higher"  # type: ignore[misc]


# --- underflow --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_underflowing_p_keeps_its_logarithm() -> None:
    s = bo.Scores([[float(i), i + 1.0 + i % 5] for i in range(1300)], better="lower")
    assert math.isclose(bo.sign_test(s, 0, 1).log_pvalue, -1299 * math.log(2), rel_tol=1e-13)
    assert math.isclose(bo.wilcoxon(s, 0, 1, method="exact").log_pvalue, -1299 * math.log(2), rel_tol=1e-10)
    assert bo.sign_test(s, 0, 1).pvalue == 0.0
    wide = bo.Scores(np.arange(5.0) + np.arange(900.0)[:, None], better="lower")
    for result in (bo.friedman(wide), bo.aligned_friedman(wide), bo.iman_davenport(wide)):
        assert result.pvalue == 0.0 or result.pvalue < 1e-300
        assert -INF < result.log_pvalue < -690


@pytest.mark.slow
def test_an_underflowing_adjusted_p_is_shown_honestly() -> None:
    s = bo.Scores(np.arange(6.0) + np.random.default_rng(3).normal(0, 0.01, (2000, 6)), better="lower")
    c = bo.compare(s, posthoc="all")
    check_comparison(c)
    assert min(p.pvalue for p in c.pairs) == 0.0
    assert all(math.isfinite(p.log_pvalue) for p in c.pairs)
    assert all(p.verdict == "a better" for p in c.pairs)


def check_same(one: object, other: object) -> None:
    """Two results are equal, number by number (bitwise, but for the sign of zero)."""
    assert type(one) is type(other)
    assert list(numbers_in(one)) == list(numbers_in(other))
