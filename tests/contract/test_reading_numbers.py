"""read_scores: what is a number, what is missing, and what is refused with its place and advice."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ReadingError, ScoreError
from contract.reading_cases import EXPECTED, INF, WIDE, content, read, refused

GOOD = {
    "1e-5": 1e-5,
    ".5": 0.5,
    "5.": 5.0,
    "+3": 3.0,
    "-0.0": 0.0,
    "1E+05": 1e5,
    "007": 7.0,
    "inf": INF,
    "-INF": -INF,
    "+Infinity": INF,
    "-infinity": -INF,
    " 4.5 ": 4.5,
    '"6"': 6.0,
    "0e-400": 0.0,
    "-0.000": 0.0,
    "3.2±0.1": 3.2,
    "3.2 ± 0.1": 3.2,
    "-3.2+-0.1": -3.2,
    "5e-324": 5e-324,
    "1.7976931348623157e308": 1.7976931348623157e308,
    "9007199254740992": 2.0**53,
    "100000000000000000000": 1e20,
    "0.1000000000000000055511151231257827": 0.1,
    "0" * 5000 + "9007199254740992": 2.0**53,
}
BAD = {
    "1e-400": "nearer to 0 than any floating-point number",
    f"0.{'0' * 330}7": "nearer to 0",
    "12%": "a percent sign is read where all cells",
    "12 %": "a percent sign is read where all cells",
    "1,234.5,6": "thousands",
    "3.2 (0.1)": "a spread or a percent sign is read where all cells",
    "1_000": "underscores",
    "0x1F": "decimal",
    "1d-5": "the exponent sign is e",
    "–1": "the minus sign is a hyphen",
    "abc": "not a number",
    "1.2.3": "not a number",
    "e5": "not a number",
    ".": "not a number",
    "--": "not a number",
    "1e": "not a number",
    "True": "not a number",
    "#N/A": "not a number",
    "٣": "not a number",
    "infinit": "not a number",
    "1e309": "beyond the largest floating-point number",
    "9007199254740993": r"beyond 2**53",
    "x" * 500: "not a number",
}
MISSING = [
    "",
    " ",
    "NA",
    "na",
    "NaN",
    "nan",
    "NAN",
    "-nan",
    "N/A",
    "n/a",
    "null",
    "NULL",
    "None",
    "none",
    "-",
    "?",
    '""',
]


@pytest.mark.parametrize("text", GOOD)
def test_numbers(text: str) -> None:
    scores = read(f"problem;A;B\nP1;{text};2")
    assert scores.values.tolist() == [[GOOD[text], 2]]
    assert math.copysign(1, scores.values[0, 0]) == (1 if GOOD[text] >= 0 else -1)
    for source in (
        [{"p": "P1", "A": text.strip('"'), "B": 2}],
        pd.DataFrame({"p": ["P1"], "A": [text.strip('"')], "B": [2]}),
    ):
        assert bo.read_scores(source, "lower").values.tolist() == [[GOOD[text], 2]]


@pytest.mark.parametrize("text", BAD)
def test_what_is_not_a_number_is_refused_with_place_and_advice(text: str) -> None:
    message = refused(f"# results\nproblem;A;B\nP1;1;2\nP2;1;{text}")
    assert "line 4, column 3 ('B')" in message
    assert BAD[text] in message
    assert len(message) < 250
    with pytest.raises(ReadingError, match=r"record 2, column 3 \('B'\)"):
        bo.read_scores([{"p": "P1", "A": 1, "B": 2}, {"p": "P2", "A": 1, "B": text}], "lower")
    with pytest.raises(ReadingError, match=r"row 2, column 3 \('B'\)"):
        bo.read_scores(pd.DataFrame({"p": ["a", "b"], "A": [1, 2], "B": ["2", text]}), "lower")


@pytest.mark.parametrize("text", ["1 234", "1\xa0234", "1'234"])
def test_digits_in_groups_are_one_number(text: str) -> None:
    assert read(f"problem;A;B\nP1;1;2\nP2;1;{text}").values.tolist() == [[1, 2], [1, 1234]]


@pytest.mark.parametrize("text", MISSING)
def test_missing_scores(text: str) -> None:
    table = f"problem;A;B\nP1;1;2\nP2;1;{text}\nP3;4;3"
    assert "problem 'P2', algorithm 'B'" in refused(table)
    assert read(table, missing="drop").dropped == ("P2",)
    assert read(table, missing="worst").values.tolist() == [[1, 2], [1, INF], [4, 3]]


@pytest.mark.parametrize("cell", [None, float("nan"), np.nan, pd.NA, pd.NaT, Decimal("NaN"), np.float32("nan"), "?"])
def test_missing_objects(cell: Any) -> None:
    table = {"p": ["P1", "P2"], "A": [1, 2], "B": np.array([3, cell], dtype=object)}
    for source in (table, pd.DataFrame(table), [{"p": "P1", "A": 1, "B": 3}, {"p": "P2", "A": 2, "B": cell}]):
        with pytest.raises(MissingScoreError, match="problem 'P2', algorithm 'B'"):
            bo.read_scores(source, "lower")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (True, "truth value"),
        (np.False_, "truth value"),
        (2**53 + 1, r"beyond 2\*\*53"),
        (-(2**63), r"beyond 2\*\*53"),
        (10**400, r"beyond 2\*\*53"),
        (Decimal("1e400"), "not a floating-point number"),
        (np.longdouble("1e400"), "beyond the largest"),
        (1j, "complex"),
        (b"1", "bytes"),
        (datetime.date(2020, 1, 1), "date"),
        (pd.Timestamp("2020-01-01"), "Timestamp"),
        (datetime.timedelta(1), "timedelta"),
        ([1], "list"),
        (np.ones(2), "not a"),
    ],
    ids=repr,
)
def test_objects_that_are_not_scores(cell: Any, message: str) -> None:
    with pytest.raises(ReadingError, match=rf"record 2, column 3 \('B'\): .*{message}"):
        bo.read_scores([{"p": "x", "A": 1, "B": 2}, {"p": "y", "A": 1, "B": cell}], "lower")


NO_SCORES: list[list[Any]] = [
    [1, 2**60],
    [datetime.date(2020, 1, 1)] * 2,
    [[1], [2]],
    ["1", "x"],
    [datetime.timedelta(1), datetime.timedelta(2)],
]


@pytest.mark.needs("polars", "pyarrow")
@pytest.mark.parametrize("column", NO_SCORES)
def test_columns_that_are_not_scores(column: list[Any]) -> None:
    import polars as pl

    frame = pl.DataFrame({"problem": ["a", "b"], "A": [1, 2], "B": column})
    for source in (frame, frame.to_pandas(), frame.to_arrow()):
        with pytest.raises(ReadingError, match=r"the data frame, row [12], column 3 \('B'\)"):
            bo.read_scores(source, "lower")


def test_truth_values_beside_numbers_are_no_scores() -> None:
    with pytest.raises(ReadingError, match=r"column 'B' holds truth values .*Leave it out with drop='B'"):
        bo.read_scores(pd.DataFrame({"problem": ["a", "b"], "A": [1, 2], "B": [True, False]}), "lower")
    both = pd.DataFrame({"problem": ["a", "b"], "A": [False, False], "B": [True, False]})
    assert bo.read_scores(both, "higher").values.tolist() == [[0, 1], [0, 0]]


@pytest.mark.parametrize("column", NO_SCORES)
def test_columns_of_pandas_that_are_not_scores(column: list[Any]) -> None:
    with pytest.raises(ReadingError, match=r"the data frame, row [12], column 3 \('B'\)"):
        bo.read_scores(pd.DataFrame({"problem": ["a", "b"], "A": [1, 2], "B": column}), "lower")


@pytest.mark.needs("polars", "pyarrow")
def test_nulls_in_nullable_columns() -> None:
    import polars as pl

    frame = pl.DataFrame(
        {"problem": ["a", "b", "c"], "A": [1, None, 3], "B": [0.5, 1.5, None], "C": [None, None, None]}
    )
    for source in (frame, frame.to_pandas(), frame.to_arrow(), frame.to_pandas().convert_dtypes()):
        with pytest.raises(
            MissingScoreError, match=r"'a', algorithm 'C', problem 'b', algorithm 'A', .* \(5 in all\)|'a'"
        ):
            bo.read_scores(source, "lower")
        worst = bo.read_scores(source, "higher", missing="worst").values
        assert worst.tolist() == [[1, 0.5, -INF], [-INF, 1.5, -INF], [3, -INF, -INF]]


def test_missing_names_the_first_two_and_the_total() -> None:
    rows = "\n".join(f"P{i},{i},NA" for i in range(1, 10))
    message = refused(f"problem,A,B\n{rows}")
    assert "problem 'P2', algorithm 'B' and 7 more (9 in all)" in message
    assert "'P3'" not in message
    assert "missing='drop'" in message
    assert "worst (counts as lost)" in message


def test_drop_leaves_a_trace_or_refuses() -> None:
    scores = read("problem,A,B\nx,1,2\ny,,2\nz,3,4\nw,?,?", missing="drop")
    assert (scores.problems, scores.dropped, scores.filled) == (("x", "z"), ("y", "w"), ())
    message = refused("problem,A,B,C\nx,1,,2\ny,2,,NA", missing="drop")
    assert "each of the 2 lacks a score ('B' has none at all)" in message
    with pytest.raises(MissingScoreError):
        read("problem,A,B\nx,,2\ny,2,", missing="drop")


@pytest.mark.parametrize(("better", "worst"), [("lower", INF), ("higher", -INF)])
def test_worst_is_infinitely_bad(better: str, worst: float) -> None:
    scores = read("problem,A,B\nx,1,2\ny,,2", better, missing="worst")
    assert scores.values[1].tolist() == [worst, 2]
    assert scores.filled == (("y", "A"),)
    assert bo.rank(scores)[1].tolist() == [2, 1]
    # one run of three; the cell is named once
    text = "problem,algorithm,score,run\nx,A,1,1\nx,A,NA,2\nx,A,,3\nx,B,4,1\ny,A,1,1\n"
    runs = read(text, better, missing="worst")
    assert runs.values.tolist() == [[worst, 4], [1, worst]]
    assert runs.filled == (("x", "A"), ("y", "B"))
    assert runs.n_runs.tolist() == [[3, 1], [1, 1]]
    message = refused(text)
    assert "problem 'x', algorithm 'A', run '2'" in message
    assert "algorithm 'A', run '3' and 1 more (3 in all)" in message


def test_a_complete_table_has_no_traces() -> None:
    for policy in ("raise", "drop", "worst"):
        scores = read(WIDE, missing=policy)
        assert (scores.dropped, scores.filled) == ((), ())
        assert content(scores) == EXPECTED


def test_json_numbers_follow_the_same_rules() -> None:
    text = """[{"problem": "x", "A": NaN, "B": 1}, {"problem": "y", "A": -Infinity, "B": 2},
               {"problem": "z", "B": "1e-3", "A": 0.1}]"""
    scores = read(text, missing="drop")
    assert (scores.values.tolist(), scores.dropped) == ([[-INF, 2], [0.1, 1e-3]], ("x",))
    assert read('{"problem": "x", "A": 1, "B": null}', missing="worst").filled == (("x", "B"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"problem": "x", "A": 1, "B": 1e999}]', "beyond the largest floating-point number"),
        ('[{"problem": "x", "A": 1, "B": true}]', r"column 'B' holds truth values \('True'\)"),
        ('[{"problem": "x", "A": 1, "B": 2, "A": 3}]', "the key 'A' occurs twice in one record"),
        ('[{"problem": "x", "A": 1, "B": 2},\n 7]', "record 2: expected a record"),
        ('[{"problem": "x", "A": 1, "B": 2}\n {}]', "line 2, column 2: not JSON"),
        ('{"problem": "x", "A": 1, "B": 2}\n{"problem": "y", "A": 1, "B": }', "line 2, column 31: not JSON"),
        ('{"problem": "x", "A": 1, "B": 2}\n\n[1]', "line 3: expected a record"),
        ("[]", "expected a list of records"),
        ("[" * 100_000, "nested|not JSON"),
        ('[{"problem": "p", "x": ' + "9" * 5000 + "}]", "beyond the largest"),
        ('{"A": {"x": 1}, "B": {"x": 2}}', "list of records"),
        ('{"A": [1, 2], "B": [1]}', "same length"),
    ],
)
def test_damaged_json(text: str, message: str) -> None:
    with pytest.raises(ScoreError, match=message):
        read(text)
