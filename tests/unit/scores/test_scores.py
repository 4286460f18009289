"""Scores: what goes in, what is refused and how, and that nothing given is ever changed."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import bakeoff as bo
from bakeoff.errors import (
    InfiniteScoreError,
    MissingScoreError,
    ParameterError,
    ScoreError,
    UnknownNameError,
    WrongTypeError,
)
from bakeoff.scores import Scores, check_scores

NAN, INF = float("nan"), float("inf")
TABLE = np.array([[0.2, 0.3, 0.1], [1.0, -0.0, 2.5]])


def locked(array: np.ndarray) -> np.ndarray:
    array.setflags(write=False)
    return array


@pytest.mark.parametrize(
    "given",
    [
        TABLE.tolist(),
        tuple(map(tuple, TABLE.tolist())),
        np.asfortranarray(TABLE),
        locked(TABLE.copy()),
        TABLE[::-1][::-1],
        TABLE.astype(np.float32),  # read as the decimals it shows
        TABLE.astype(np.longdouble),
        TABLE.astype(object),
        np.ma.masked_array(TABLE, mask=False),
        [[Decimal("0.2"), Fraction(3, 10), 0.1], [1, 0, Decimal("2.5")]],
        TABLE[:, :, None],
        pd.DataFrame(TABLE),
        pd.DataFrame(TABLE, dtype="Float64"),
    ],
    ids=str,
)
def test_every_kind_of_table_gives_the_same_scores(given: object) -> None:
    s = bo.Scores(given, better="lower")  # type: ignore[arg-type]
    assert s.values.tolist() == [[0.2, 0.3, 0.1], [1.0, 0.0, 2.5]]
    assert not np.signbit(s.values).any()  # −0.0 is 0
    assert s.values.flags.c_contiguous
    assert s.values.dtype == np.float64
    assert s.runs is None


@pytest.mark.needs("polars")
def test_a_frame_of_polars_gives_the_same_scores() -> None:
    import polars as pl

    s = bo.Scores(pl.DataFrame(TABLE.tolist(), orient="row"), better="lower")
    assert s.values.tolist() == [[0.2, 0.3, 0.1], [1.0, 0.0, 2.5]]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, np.float16])
def test_integer_and_short_types(dtype: type) -> None:
    s = bo.Scores(np.array([[1, 2], [3, 100]], dtype=dtype), better="higher")
    assert s.values.tolist() == [[1, 2], [3, 100]]


def test_the_input_is_copied() -> None:
    given = TABLE.copy()
    s = bo.Scores(given, better="lower")
    given[0, 0] = 99
    assert s.values[0, 0] == 0.2
    assert not np.shares_memory(s.values, given)


def test_results_are_values() -> None:
    s = bo.Scores(np.ones((2, 2, 2)), better="lower")
    for array in (s.values, s.n_runs, s.runs):
        assert array is not None
        assert not array.flags.writeable
    with pytest.raises(AttributeError):
        s.better = "higher"  # type: ignore[misc]
    with pytest.raises(TypeError):
        iter(s)  # type: ignore[call-overload]
    again = pickle.loads(pickle.dumps(s))
    assert again.values.tolist() == s.values.tolist()
    assert again.source_sha256 == s.source_sha256


def test_better_is_required_and_checked() -> None:
    with pytest.raises(TypeError, match="better"):
        bo.Scores(TABLE)  # type: ignore[call-arg]
    with pytest.raises(
        ParameterError, match="better must be one of 'lower', 'higher'; got 'Lower'; did you mean 'lower'"
    ):
        bo.Scores(TABLE, better="Lower")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="got None"):
        bo.Scores(TABLE, better=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([[1, NAN], [NAN, 2]], MissingScoreError, "problem 'P1', algorithm 'A2'; problem 'P2', algorithm 'A1'"),
        (np.full((3, 3), NAN), MissingScoreError, r"and 7 more \(9 in all\)"),
        ([[1, None], [1, 2]], MissingScoreError, "problem 'P1', algorithm 'A2'"),
        (
            np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 0], [1, 0]]),
            MissingScoreError,
            "problem 'P2', algorithm 'A1'",
        ),
        ([[[1, 2], [3, NAN]]], MissingScoreError, "problem 'P1', algorithm 'A2', run 2"),
        (pd.DataFrame({"x": [1, None], "y": [1, 2]}, dtype="Int64"), MissingScoreError, "problem 'P2', algorithm 'x'"),
        (pd.DataFrame({"x": [1, pd.NA], "y": [1, 2]}, dtype=object), MissingScoreError, "problem 'P2', algorithm 'x'"),
        ([[1], [2]], ScoreError, "at least 2 algorithms are needed for a comparison; got 1"),
        (np.empty((0, 3)), ScoreError, "at least 1 problem is needed; got 0"),
        (np.empty((2, 2, 0)), ScoreError, "at least 1 run per cell"),
        ([], ScoreError, "shape"),
        ([1.0, 2.0], ScoreError, r"got shape \(2,\)"),
        (3.0, ScoreError, r"got shape \(\)"),
        (np.ones((1, 2, 3, 4)), ScoreError, r"got shape \(1, 2, 3, 4\)"),
        ([[1, 2], [3]], ScoreError, "rectangular"),
        ([["a", 1]], ScoreError, "read by bo.read_scores"),
        (np.array([["a", 1.0]], dtype=object), ScoreError, "must be numbers; got 'a'"),
        (np.array([["1", "2"]]), ScoreError, "must be numbers"),
        ([[True, False]], ScoreError, "dtype bool"),
        (np.array([[1.0, True]], dtype=object), ScoreError, "got True"),
        (np.array([[1.0, np.True_]], dtype=object), ScoreError, "must be numbers"),
        ([[1j, 2]], ScoreError, "dtype complex"),
        (np.array([["2020-01-01", "2020-01-02"]], dtype="M8[D]"), ScoreError, "must be numbers"),
        ({"a": [1, 2]}, ScoreError, "must be numbers"),
        ("scores.csv", ScoreError, "must be numbers"),
        ([[2**53 + 1, 1]], ScoreError, r"beyond 2\*\*53"),
        (np.array([[-(2**60), 1]]), ScoreError, r"beyond 2\*\*53"),
        ([[10**30, 1]], ScoreError, "beyond"),
        (np.array([[2**60, 0.5]], dtype=object), ScoreError, "1152921504606846976 is beyond"),
        (np.array([[np.longdouble("1e400"), 1]]), ScoreError, "beyond the largest"),
        ([[Fraction(10**400), 1]], ScoreError, "must be numbers"),
    ],
    ids=lambda x: str(x)[:40],
)
def test_what_is_refused(values: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        bo.Scores(values, better="lower")  # type: ignore[arg-type]


def test_the_largest_integers_that_are_exact_and_masked_garbage() -> None:
    assert bo.Scores([[2**53, -(2**53)]], better="lower").values.tolist() == [[2.0**53, -(2.0**53)]]
    hidden = np.ma.masked_array(np.array([[2**60, 1], [2, 3]]), mask=[[1, 0], [0, 0]])
    with pytest.raises(MissingScoreError, match="problem 'P1', algorithm 'A1'"):
        bo.Scores(hidden, better="lower")


def test_infinite_scores_are_legal() -> None:
    s = bo.Scores([[INF, -INF, 1.0]], better="higher")
    assert s.costs.tolist() == [[-INF, INF, -1]]
    with pytest.raises(
        InfiniteScoreError, match=r"Test X cannot use infinite scores: problem 'P1', algorithm 'A1' is inf \(2 such"
    ):
        s.require_finite("Test X")
    with pytest.raises(InfiniteScoreError, match="algorithm 'A2' is -inf"):
        s.require_finite("Test X", [2, 1])
    s.require_finite("Test X", [2])


def test_names() -> None:
    s = bo.Scores(TABLE, ["x", "y", "z"], ["p", "q"], better="lower")
    assert (s.algorithms, s.problems) == (("x", "y", "z"), ("p", "q"))
    assert (s.n_algorithms, s.n_problems) == (3, 2)
    assert bo.Scores(TABLE, better="lower").algorithms == ("A1", "A2", "A3")
    assert bo.Scores(pd.DataFrame(TABLE, columns=list("uvw")), better="lower").algorithms == ("u", "v", "w")
    assert bo.Scores(TABLE, [1, 2, 3], better="lower").algorithms == ("1", "2", "3")  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        (["a", "b"], ScoreError, "algorithms: 2 names for 3 algorithms"),
        (["a", "b", "a"], ScoreError, "algorithms must have unique names; repeated: a"),
        ("abc", ParameterError, "single string 'abc'"),
    ],
)
def test_wrong_names(names: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        bo.Scores(TABLE, names, better="lower")  # type: ignore[arg-type]


def test_many_repeated_names_are_counted() -> None:
    names = [f"x{i % 7}" for i in range(14)]
    with pytest.raises(ScoreError, match=r"x0, x1, x2, x3, x4 and 2 more \(7 in all\)"):
        bo.Scores(np.ones((14, 2)), None, names, better="lower")


def test_runs_become_means_whatever_their_order() -> None:
    rng = np.random.default_rng(5)
    cells = rng.normal(0, 1, (4, 3, 11)) * 10.0 ** rng.integers(-9, 9, (4, 3, 11))
    s = bo.Scores(cells, better="lower")
    shuffled = bo.Scores(cells[:, :, rng.permutation(11)], better="lower")
    assert np.array_equal(s.values, shuffled.values)
    assert s.n_runs.tolist() == [[11] * 3] * 4
    # the oracle of a correctly rounded mean: exact fractions
    exact = [[float(sum(map(Fraction, cell)) / 11) for cell in row] for row in cells.tolist()]
    assert np.allclose(s.values, exact, rtol=2**-52, atol=0)
    assert np.array_equal(s.scales, np.abs(cells).max(axis=2))


def test_cells_with_different_numbers_of_runs() -> None:
    cells = np.array([[[1.0, 2.0, 6.0], [4.0, NAN, NAN]]])
    s = Scores.from_cells(cells, ["a", "b"], ["p"], better="lower", dropped=["q"], filled=[("p", "a")])
    assert s.values.tolist() == [[3, 4]]
    assert s.n_runs.tolist() == [[3, 1]]
    assert s.scales.tolist() == [[6, 4]]
    assert (s.dropped, s.filled) == (("q",), (("p", "a"),))
    assert repr(s) == "Scores(1 problems × 2 algorithms, 1–3 runs per cell, better='lower')"
    chosen = s.select(["b", "a"])
    assert chosen.n_runs.tolist() == [[1, 3]]
    more = Scores.from_cells(np.vstack([cells, [[[1, NAN, NAN]] * 2]]), ["a", "b"], ["p", "q"], better="lower")
    assert more.select(problems=["q"]).runs is None  # one run per cell is left
    assert repr(bo.Scores(np.ones((2, 2, 3)), better="lower")).endswith("3 runs per cell, better='lower')")


def test_huge_and_opposite_runs() -> None:
    big = 1.7e308
    assert bo.Scores([[[big, big], [1, 2]]], better="lower").values[0, 0] == big
    assert bo.Scores([[[INF, 1.0], [1, 2]]], better="lower").values[0, 0] == INF
    with pytest.raises(ScoreError, match=r"problem 'P1', algorithm 'A1' has runs at both \+inf and -inf"):
        bo.Scores([[[INF, -INF], [1, 2]]], better="lower")


def test_columns_by_name_and_index() -> None:
    s = bo.Scores(TABLE, ["SaDE", "DE-Bin", "PSO"], better="lower")
    assert s.index("PSO") == s.index(2) == s.index(-1) == s.index(np.int64(2)) == 2  # type: ignore[arg-type]
    assert s.pair("PSO", "SaDE") == (2, 0)
    for bad, error, message in [
        ("SADE", UnknownNameError, "no algorithm is called 'SADE'; did you mean 'SaDE'"),
        (3, UnknownNameError, r"index 3 is outside 0\.\.2"),
        (True, WrongTypeError, "name or index"),
        (1.0, WrongTypeError, "name or index"),
        (None, WrongTypeError, "name or index"),
    ]:
        with pytest.raises(error, match=message):
            s.index(bad)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="two different algorithms; both are 'PSO'"):
        s.pair("PSO", 2)


def test_select() -> None:
    s = bo.Scores(TABLE, ["a", "b", "c"], ["p", "q"], better="higher")
    t = s.select(["c", "a"], ["q"])
    assert (t.values.tolist(), t.algorithms, t.problems, t.better) == ([[2.5, 1.0]], ("c", "a"), ("q",), "higher")
    assert s.select(problems=[-1, 0]).problems == ("q", "p")
    assert s.select().source_sha256 == s.source_sha256
    for options, error, message in [
        ({"algorithms": "a"}, ParameterError, "list of names"),
        ({"problems": "p"}, ParameterError, "list of names"),
        ({"algorithms": ["a"]}, ScoreError, "at least 2"),
        ({"algorithms": ["a", "a"]}, ScoreError, "unique"),
        ({"problems": []}, ScoreError, "at least 1 problem"),
        ({"problems": ["P"]}, UnknownNameError, "did you mean 'p'|no problem is called 'P'"),
        ({"problems": [2]}, UnknownNameError, "outside"),
        ({"problems": [0.5]}, WrongTypeError, "name or index"),
    ]:
        with pytest.raises(error, match=message):
            s.select(**options)  # type: ignore[arg-type]


def test_to_frame_and_back() -> None:
    s = bo.Scores(TABLE, ["a", "b", "c"], ["p", "q"], better="lower")
    frame = s.to_frame()
    assert list(frame.columns) == ["problem", "a", "b", "c"]
    again = bo.read_scores(frame, better="lower")
    assert (again.algorithms, again.problems) == (s.algorithms, s.problems)
    assert np.array_equal(again.values, s.values)
    with pytest.raises(ScoreError, match="an algorithm is called 'problem'"):
        bo.Scores(TABLE, ["problem", "b", "c"], better="lower").to_frame()


def test_fingerprint_tells_tables_apart() -> None:
    prints = {
        bo.Scores(TABLE, better="lower").source_sha256,
        bo.Scores(TABLE, better="higher").source_sha256,
        bo.Scores(TABLE + 1e-9, better="lower").source_sha256,
        bo.Scores(TABLE, ["x", "y", "z"], better="lower").source_sha256,
    }
    assert len(prints) == 4
    assert all(len(p) == 64 for p in prints)
    assert bo.Scores(TABLE.tolist(), better="lower").source_sha256 in prints


def test_check_scores_says_how_to_make_one() -> None:
    s = bo.Scores(TABLE, better="lower")
    assert check_scores(s) is s
    with pytest.raises(WrongTypeError, match=r"got list; wrap it: bo\.Scores"):
        check_scores([[1, 2]])
