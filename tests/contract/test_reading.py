"""read_scores: every source gives the same scores, and everything wrong is refused with its place and a way out."""

from __future__ import annotations

import contextlib
import csv
import datetime
import hashlib
import io
import json
import math
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bakeoff as bo
from bakeoff.errors import (
    BakeoffError,
    MissingPackageError,
    MissingScoreError,
    ParameterError,
    ReadingError,
    ScoreError,
    WrongTypeError,
)
from bakeoff.reading import make_frame

INF = float("inf")
WIDE = "problem,A,B\nP1,1,2\nP2,3,5\n"
LONG = "problem,algorithm,score\nP1,A,1\nP1,B,2\nP2,A,3\nP2,B,5\n"


def read(text: str | bytes, better: Any = "lower", **options: Any) -> bo.Scores:
    return bo.read_scores(io.BytesIO(text.encode() if isinstance(text, str) else text), better, **options)


def refused(text: str | bytes, **options: Any) -> str:
    """The message that a text is refused with; it fits on one line of a terminal log."""
    with pytest.raises(ScoreError) as caught:
        read(text, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


def content(scores: bo.Scores) -> tuple[Any, ...]:
    runs = None if scores.runs is None else np.nan_to_num(scores.runs, nan=1e99).tolist()
    return scores.values.tolist(), scores.algorithms, scores.problems, scores.better, runs, scores.n_runs.tolist()


EXPECTED = content(bo.Scores([[1, 2], [3, 5]], ["A", "B"], ["P1", "P2"], better="lower"))


# --- sources ----------------------------------------------------------------------------------------------------


def test_paths_open_files_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(WIDE)
    digest = hashlib.sha256(WIDE.encode()).hexdigest()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WIDE.encode())))
    with path.open() as text, path.open("rb") as binary:
        for source in (path, str(path), text, binary, io.StringIO(WIDE), io.BytesIO(WIDE.encode()), "-"):
            scores = bo.read_scores(source, "lower")
            assert content(scores) == EXPECTED
            assert scores.source_sha256 == digest
    monkeypatch.setattr(sys, "stdin", io.StringIO(WIDE))  # a standard input without bytes
    assert content(bo.read_scores("-", "lower")) == EXPECTED


def test_better_is_required_and_kept() -> None:
    with pytest.raises(TypeError, match="better"):
        bo.read_scores(io.StringIO(WIDE))  # type: ignore[call-arg]
    assert read(WIDE, "higher").better == "higher"
    for options, message in [
        ({"better": "max"}, "better must be one of 'lower', 'higher'"),
        ({"better": "lower", "layout": "tall"}, "layout must be one of 'auto', 'wide', 'long'"),
        ({"better": "lower", "missing": "ignore"}, "missing must be one of 'raise', 'drop', 'worst'"),
        ({"better": "lower", "missing": None}, "missing must be one of"),
    ]:
        with pytest.raises(ParameterError, match=message):
            bo.read_scores("not even there.csv", **options)  # type: ignore[arg-type]


RECORDS = [{"problem": "P1", "A": 1, "B": 2.0}, {"problem": "P2", "A": 3, "B": 5}]
COLUMNS = {"problem": ["P1", "P2"], "A": [1, 3], "B": [2.0, 5]}
LONG_RECORDS = [dict(zip(("problem", "algorithm", "score"), line.split(","), strict=True)) for line in LONG.split()[1:]]
STRUCTURED = np.array([("P1", 1, 2.0), ("P2", 3, 5)], dtype=[("problem", "U2"), ("A", "i4"), ("B", "f8")])

FRAMES: dict[str, Any] = {
    "records": RECORDS,
    "records, a tuple": tuple(RECORDS),
    "records of text": [{k: str(v) for k, v in record.items()} for record in RECORDS],
    "records, long": LONG_RECORDS,
    "dict": COLUMNS,
    "dict of arrays": {name: np.array(column) for name, column in COLUMNS.items()},
    "dict of series": {name: pd.Series(column) for name, column in COLUMNS.items()},
    "structured": STRUCTURED,
    "record array": STRUCTURED.view(np.recarray),
    "structured, masked": np.ma.masked_array(STRUCTURED),
    "structured, bytes": STRUCTURED.astype([("problem", "S2"), ("A", "f4"), ("B", "u1")]),
    "pandas": pd.DataFrame(COLUMNS),
    "pandas, long": pd.DataFrame(LONG_RECORDS),
    "pandas, index": pd.DataFrame(COLUMNS).set_index("problem"),
    "pandas, index without name": pd.DataFrame(COLUMNS).set_index("problem").rename_axis(None),
    "pandas, index kept as column": pd.DataFrame(COLUMNS).set_index("problem", drop=False),
    "pandas, pivot": pd.DataFrame(LONG_RECORDS).astype({"score": float}).pivot_table("score", "problem", "algorithm"),
    "pandas, filtered rows": pd.concat([pd.DataFrame(COLUMNS)] * 2).iloc[2:].set_axis([7, 9]),
    "pandas, nullable": pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas, categories": pd.DataFrame(COLUMNS).astype({"problem": "category"}),
    "pandas, pyarrow": pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
    "pandas, objects": pd.DataFrame(COLUMNS, dtype=object),
    "pandas, text": pd.DataFrame(COLUMNS).astype(str),
    "pandas, decimals": pd.DataFrame(COLUMNS).assign(A=[Decimal("1"), Decimal("3.0")]),
    "pandas, float32": pd.DataFrame(COLUMNS).astype({"A": "float32"}),
    "pandas, long with index": pd.DataFrame(LONG_RECORDS).set_index(["problem", "algorithm"]),
    "polars": pl.DataFrame(COLUMNS, strict=False),
    "polars, lazy": pl.LazyFrame(COLUMNS, strict=False),
    "polars, long": pl.DataFrame(LONG_RECORDS),
    "polars, categories": pl.DataFrame(COLUMNS, strict=False).with_columns(pl.col("problem").cast(pl.Categorical)),
    "polars, decimals": pl.DataFrame(COLUMNS, strict=False).with_columns(pl.col("A").cast(pl.Decimal(10, 2))),
    "pyarrow": pa.table({"problem": ["P1", "P2"], "A": [1, 3], "B": [2.0, 5.0]}),
    "pyarrow, dictionary": pa.table({"problem": pa.array(["P1", "P2"]).dictionary_encode(), "A": [1, 3], "B": [2, 5]}),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_every_frame_gives_the_same_scores_and_is_not_changed(kind: str) -> None:
    before = repr(FRAMES[kind])
    scores = bo.read_scores(FRAMES[kind], "lower")
    assert content(scores) == EXPECTED
    assert repr(FRAMES[kind]) == before
    assert len(scores.source_sha256) == 64


FILES: dict[str, str] = {
    "semicolon.csv": WIDE.replace(",", ";"),
    "tab.csv": WIDE.replace(",", "\t"),
    "tab.tsv": WIDE.replace(",", "\t"),
    "comma.txt": WIDE,
    "long.csv": LONG,
    "no-suffix": WIDE,
    "odd.suffix.dat": LONG,
    "UPPER.CSV": WIDE,
    "list.json": json.dumps(RECORDS),
    "columns.json": json.dumps(COLUMNS),
    "lines.json": "\n".join(map(json.dumps, RECORDS)),
    "lines.jsonl": "\n".join(map(json.dumps, RECORDS)) + "\n\n",
    "lines.ndjson": "\r\n".join(map(json.dumps, LONG_RECORDS)),
    "json without suffix": json.dumps(RECORDS),
    "lines without suffix": "\n".join(map(json.dumps, RECORDS)),
    "indented.json": json.dumps(RECORDS, indent=4),
}


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("name", FILES)
def test_every_text_format(name: str, mark: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes((mark + FILES[name]).encode())
    assert content(bo.read_scores(tmp_path / name, "lower")) == EXPECTED


@pytest.mark.parametrize("name", ["scores.parquet", "scores.dat"])
@pytest.mark.parametrize("kind", ["pandas", "pandas, index", "pandas, index without name", "polars", "pyarrow"])
def test_parquet(name: str, kind: str, tmp_path: Path) -> None:
    path, frame = tmp_path / name, FRAMES[kind]
    if kind == "polars":
        frame.write_parquet(path)
    elif kind == "pyarrow":
        import pyarrow.parquet

        pyarrow.parquet.write_table(frame, path)
    else:
        frame.to_parquet(path)
    scores = bo.read_scores(path, "lower")
    assert content(scores) == EXPECTED
    assert scores.source_sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_parquet_through_each_reader_and_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pl.DataFrame(COLUMNS, strict=False).write_parquet(tmp_path / "s.parquet")
    import importlib

    whole = importlib.import_module
    for hidden in [("pyarrow.parquet",), ("pyarrow.parquet", "polars")]:
        monkeypatch.setattr(
            importlib, "import_module", lambda name, hidden=hidden: _absent(name, hidden) or whole(name)
        )
        assert content(bo.read_scores(tmp_path / "s.parquet", "lower")) == EXPECTED
    hidden = ("pyarrow.parquet", "polars", "pandas")
    monkeypatch.setattr(importlib, "import_module", lambda name: _absent(name, hidden) or whole(name))
    with pytest.raises(MissingPackageError, match="pyarrow, polars or pandas"):
        bo.read_scores(tmp_path / "s.parquet", "lower")
    with pytest.raises(MissingPackageError, match="pandas or polars"):
        make_frame({"a": [1]})


def _absent(name: str, hidden: tuple[str, ...]) -> None:
    if name in hidden:
        raise ImportError(name)


def test_workbooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scores.xlsx"
    pd.DataFrame(COLUMNS).to_excel(path, index=False)
    assert content(bo.read_scores(path, "lower")) == EXPECTED
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    for row in [[None], ["name", 10, 20, None], [1, 0.5, "7"], [], [2, "NA", 8], [None, None, None, None]]:
        sheet.append(row)
    book.create_sheet("other").append(["problem"])
    book.save(path)
    assert "row 2: the header is missing" in _error(path)  # "name" is not known, and 10, 20 may be scores
    sheet["A2"] = "Problem"
    book.save(path)
    scores = bo.read_scores(path, "lower", missing="drop")
    assert (scores.values.tolist(), scores.algorithms, scores.problems) == ([[0.5, 7]], ("10", "20"), ("1",))
    sheet["C3"] = datetime.datetime(2020, 1, 1)
    book.save(path)
    assert "row 3, column 3 ('20'): datetime.datetime(2020, 1, 1, 0, 0) (datetime) is not a number" in _error(path)
    path.write_bytes(b"PK\x03\x04 and nothing else")
    assert "cannot be read as an .xlsx workbook" in _error(path)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(MissingPackageError, match="pip install openpyxl"):
        bo.read_scores(path, "lower")


def _error(path: Path) -> str:
    with pytest.raises(ScoreError) as caught:
        bo.read_scores(path, "lower")
    return str(caught.value)


def test_arrays() -> None:
    values = np.array([[1.0, 2], [3, 5]])
    expected = content(bo.Scores(values, better="lower"))
    for array in (
        values,
        values.tolist(),
        tuple(map(tuple, values)),
        np.asfortranarray(values),
        values.astype(np.float32),
        values.astype(np.uint8),
        values.astype(object),
        np.ma.masked_array(values),
        values[:, :, None],
    ):
        assert content(bo.read_scores(array, "lower")) == expected
    runs = np.arange(12.0).reshape(2, 2, 3)
    assert content(bo.read_scores(runs, "lower")) == content(bo.Scores(runs, better="lower"))
    runs[1, 0, 2] = np.nan
    with pytest.raises(MissingScoreError, match="problem 'P2', algorithm 'A1', run 3"):
        bo.read_scores(runs, "lower")
    assert bo.read_scores(runs, "lower", missing="drop").problems == ("P1",)
    worst = bo.read_scores(runs, "lower", missing="worst")
    assert worst.values[1, 0] == INF
    assert worst.filled == (("P2", "A1"),)
    assert np.isnan(runs[1, 0, 2])
    masked = np.ma.masked_array(values, mask=[[0, 1], [0, 0]])
    assert bo.read_scores(masked, "lower", missing="drop").problems == ("P2",)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([], "shape"),
        (np.ones(3), r"shape .* got \(3,\)"),
        (np.ones((1, 1, 1, 1)), "shape"),
        (np.empty((0, 3)), "at least 1 problem"),
        (np.empty((2, 3, 0)), "at least 1 run"),
        ([["P1", 1, 2]], "numbers"),
        ([[True, False]], "numbers"),
        ([[2**60, 1]], r"2\*\*53"),
        ({}, "no columns"),
        ({"A": [1], "B": [1, 2]}, "same length"),
        ({"A": {"P1": 1}, "B": {"P1": 2}}, "must be a sequence of values, got dict"),
        ({"A": 1, "B": 2}, "must be a sequence of values, got int"),
        ([{}], "no records"),
        ([{"problem": "P1"}], "no column of scores"),
        (pd.DataFrame(), "no columns"),
        (pd.DataFrame({"A": [], "B": []}), "no rows"),
        (np.zeros((2, 2), dtype=[("A", "f8")]), "one dimension"),
        (np.zeros(2, dtype=[("A", "f8"), ("B", "f8", 3)]), "field 'B' has several values per row"),
    ],
    ids=lambda x: str(x)[:30],
)
def test_empty_or_misshapen_sources(source: Any, message: str) -> None:
    with pytest.raises(ScoreError, match=message):
        bo.read_scores(source, "lower")


@pytest.mark.parametrize(
    "source", [None, 3, 2.5, object(), b"problem,A,B", {1, 2}, pd.Series([1, 2]), iter([1])], ids=repr
)
def test_sources_of_the_wrong_kind(source: Any) -> None:
    with pytest.raises(WrongTypeError, match="source must be a path"):
        bo.read_scores(source, "lower")


def test_scores_are_not_read_again() -> None:
    with pytest.raises(WrongTypeError, match=r"already a bakeoff\.Scores"):
        bo.read_scores(read(WIDE), "lower")


@pytest.mark.parametrize("options", [{"layout": "long"}, {"problem": "x"}, {"score": "y"}])
def test_arrays_have_no_named_columns(options: dict[str, str]) -> None:
    with pytest.raises(ParameterError, match="an array has no named columns"):
        bo.read_scores(np.ones((2, 2)), "lower", **options)  # type: ignore[arg-type]


# --- numbers ----------------------------------------------------------------------------------------------------

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
    "1e-400": 0.0,
    "5e-324": 5e-324,
    "1.7976931348623157e308": 1.7976931348623157e308,
    "9007199254740992": 2.0**53,
    "100000000000000000000": 1e20,
    "0.1000000000000000055511151231257827": 0.1,
    "0" * 5000 + "9007199254740992": 2.0**53,
}
BAD = {
    "12%": "percentages",
    "12 %": "percentages",
    "1,5": "the decimal sign is a point",
    "1 234": "thousands",
    "1\u00a0234": "thousands",
    "1'234": "thousands",
    "1,234.5": "thousands",
    "3.2±0.1": "one number",
    "3.2 ± 0.1": "one number",
    "3.2 (0.1)": "one number",
    "3.2+-0.1": "one number",
    "1_000": "underscores",
    "0x1F": "decimal",
    "1d-5": "the exponent sign is e",
    "−1": "the minus sign is a hyphen",
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
        pl.DataFrame({"p": ["P1"], "A": [text.strip('"')], "B": [2]}),
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


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([True, False]),
        pl.Series([1, 2**60]),
        pl.Series([datetime.date(2020, 1, 1)] * 2),
        pl.Series([[1], [2]]),
        pl.Series(["1", "x"]),
        pl.Series([1, 2], dtype=pl.Duration),
    ],
)
def test_columns_that_are_not_scores(column: pl.Series) -> None:
    frame = pl.DataFrame({"problem": ["a", "b"], "A": [1, 2], "B": column})
    for source in (frame, frame.to_pandas(), frame.to_arrow()):
        with pytest.raises(ReadingError, match=r"the data frame, row [12], column 3 \('B'\)"):
            bo.read_scores(source, "lower")


def test_nulls_in_nullable_columns() -> None:
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


# --- missing ----------------------------------------------------------------------------------------------------


def test_missing_names_the_first_five_and_the_total() -> None:
    rows = "\n".join(f"P{i},{i},NA" for i in range(1, 10))
    message = refused(f"problem,A,B\n{rows}")
    assert "problem 'P5', algorithm 'B' and 4 more (9 in all)" in message
    assert "'P6'" not in message
    assert "missing='drop'" in message
    assert "missing='worst'" in message


def test_drop_leaves_a_trace_or_refuses() -> None:
    scores = read("problem,A,B\nx,1,2\ny,,2\nz,3,4\nw,?,?", missing="drop")
    assert (scores.problems, scores.dropped, scores.filled) == (("x", "z"), ("y", "w"), ())
    message = refused("problem,A,B,C\nx,1,,2\ny,2,,NA", missing="drop")
    assert "each of the 2 misses a score ('B' has none at all)" in message
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
    assert "problem 'y', algorithm 'B'" in message


def test_a_complete_table_has_no_traces() -> None:
    for policy in ("raise", "drop", "worst"):
        scores = read(WIDE, missing=policy)
        assert (scores.dropped, scores.filled) == ((), ())
        assert content(scores) == EXPECTED


# --- wide and long ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "problem,algorithm,score",
        "Problem,ALGORITHM,Score",
        "dataset,method,value",
        "instance,classifier,score",
        " dataset , model , Value ",
    ],
)
def test_long_columns_are_recognised(header: str) -> None:
    assert content(read(LONG.replace("problem,algorithm,score", header))) == EXPECTED


def test_long_columns_in_any_order_with_others_beside() -> None:
    text = "seconds,score,comment,algorithm,problem\n7,1,x,A,P1\n,2,,B,P1\nNA,3,,A,P2\n1,5,z,B,P2"
    assert content(read(text)) == EXPECTED


def test_its_own_name_wins_over_a_synonym() -> None:
    text = "problem,dataset,algorithm,model,score,value\nP1,d,A,m,1,9\nP1,d,B,m,2,9\nP2,d,A,m,3,9\nP2,d,B,m,5,9"
    assert content(read(text)) == EXPECTED
    message = refused("dataset,instance,algorithm,score\nd,i,A,1\nd,i,B,2")
    assert "'dataset' and 'instance' could all be the problem column; say which with problem=" in message
    assert read("dataset,instance,algorithm,score\nd,i,A,1\nd,i,B,2", problem="instance").problems == ("i",)


def test_columns_given_by_name() -> None:
    text = "task,solver,seconds,rep\nP1,A,1,1\nP1,B,2,1\nP2,A,3,1\nP2,B,5,1"
    given = {"problem": "task", "algorithm": "solver", "score": "seconds"}
    assert content(read(text, **given)) == EXPECTED
    assert read(text, **given, run="rep").n_runs.tolist() == [[1, 1], [1, 1]]
    assert content(read(text, **given, layout="long")) == EXPECTED
    # a flag beats a name that would be recognised
    both = LONG.replace("score", "score,other").replace("\nP", ",9\nP").replace("other,9", "other") + ",9"
    assert read(both.replace("5\n,9", "5,9"), score="other").values.tolist() == [[9, 9], [9, 9]]


@pytest.mark.parametrize(
    ("text", "options", "error", "message"),
    [
        (
            LONG,
            {"score": "scor"},
            ReadingError,
            "no column 'scor'; its columns are problem, algorithm, score; did you mean 'score'",
        ),
        (WIDE, {"problem": "name"}, ReadingError, "problem: the open file has no column 'name'"),
        (
            WIDE,
            {"layout": "long"},
            ReadingError,
            "the long layout needs the column algorithm; the columns are problem, A, B. Name it with algorithm=",
        ),
        (WIDE, {"algorithm": "A"}, ReadingError, "needs the column score; the columns are problem, A, B"),
        (LONG, {"layout": "wide", "score": "score"}, ParameterError, "score= names a column of the long layout"),
        (LONG, {"layout": "wide"}, ReadingError, r"line 2, column 2 \('algorithm'\): 'A' is not a number"),
        (LONG, {"problem": "score", "score": "score"}, ParameterError, "must be different columns; both are 'score'"),
        (LONG, {"problem": 3}, ParameterError, "problem must be the name of a column; got 3"),
        (
            "problem,algorithm,time\nx,A,1",
            {},
            ReadingError,
            "needs the column score; .* Name it with score=, or pass layout='wide'",
        ),
        ("task,algorithm,score\nx,A,1", {}, ReadingError, "needs the column problem"),
        (
            "task,method,score\nx,A,1",
            {},
            ReadingError,
            r"'A' is not a number \(read as a wide table; if it is long, say",
        ),
        ("problem,run,A,B\nx,1,2,3", {}, ReadingError, "runs need the long layout"),
        ("dataset,model,value\nx,1,2\ny,3,4", {}, ReadingError, "pass layout='wide' or layout='long'"),
        (
            "A,problem,B\n1,x,2",
            {},
            ReadingError,
            "column 2 is called 'problem'; put it first, or say which with problem=",
        ),
    ],
)
def test_doubtful_or_contradictory_columns(
    text: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read(text, **options)


def test_doubts_are_settled_by_layout_or_names() -> None:
    text = "dataset,model,value\nx,1,2\nx,3,4"
    assert read(text, layout="long").algorithms == ("1", "3")
    assert read(text.replace("\nx,3", "\ny,3"), layout="wide").algorithms == ("model", "value")
    assert read("A,problem,B\n1,x,2", problem="problem").algorithms == ("A", "B")
    assert read("problem,run,A\nx,1,2", layout="wide").algorithms == ("run", "A")
    assert read("problem,model,baseline\nx,1,2").algorithms == ("model", "baseline")
    assert read("problem,algorithm,score\nx,1,2\nx,3,4").algorithms == ("1", "3")


def test_a_file_names_problems_in_its_first_column_whatever_it_looks_like() -> None:
    assert read("id,A,B\n1,2,3\n2,4,5").problems == ("1", "2")
    assert read("A,B,C\n1,2,3\n2,4,5").algorithms == ("B", "C")
    assert read(",A,B\n0,2,3\n1,4,5").problems == ("0", "1")
    # data frames written with their row numbers
    assert read(",problem,A,B\n0,x,2,3\n1,y,4,5").problems == ("x", "y")
    assert read(",problem,algorithm,score\n0,x,A,3\n1,x,B,5").algorithms == ("A", "B")


def test_frames_without_a_problem_column() -> None:
    for source in (
        {"A": [1, 3], "B": [2, 5]},
        pd.DataFrame({"A": [1, 3], "B": [2, 5]}),
        pd.DataFrame({"A": [1, 3], "B": [2, 5]}, index=[10, 20]),
        pl.DataFrame({"A": [1, 3], "B": [2, 5]}),
        [{"A": 1, "B": 2}, {"A": 3, "B": 5}],
    ):
        assert content(bo.read_scores(source, "lower")) == EXPECTED
    numbered = {"dataset": [7, 8], "A": [1, 3], "B": [2, 5]}
    for source in (
        numbered,
        pd.DataFrame(numbered),
        pl.DataFrame(numbered),
        pd.DataFrame(numbered).set_index("dataset"),
    ):
        assert bo.read_scores(source, "lower").problems == ("7", "8")
    assert bo.read_scores(pd.DataFrame(numbered).rename(columns={"dataset": "id"}), "lower", problem="id").problems == (
        "7",
        "8",
    )
    # a numeric index with a name that nobody recognises still names rows, and identifiers in text are names
    assert bo.read_scores(pd.DataFrame({"id": [7, 8], "A": [1, 3], "B": [2, 5]}).set_index("id"), "lower").problems == (
        "7",
        "8",
    )
    assert bo.read_scores({"id": ["7", "8"], "A": [1, 3], "B": [2, 5]}, "lower").problems == ("7", "8")
    integers = pd.DataFrame([[1, 2], [3, 5]])
    assert bo.read_scores(integers, "lower").algorithms == ("0", "1")


def test_long_frames_keep_their_names() -> None:
    frame = pl.DataFrame(
        {"problem": [1, 1, 2, 2], "algorithm": ["A", "B"] * 2, "score": [1, 2, 3, 5], "seed": [2**60] * 4}
    )
    assert bo.read_scores(frame, "lower").problems == ("1", "2")
    gaps = pd.DataFrame({"problem": [1.0, 1.0], "algorithm": ["A", "B"], "score": [1, 2]})
    assert bo.read_scores(gaps, "lower").problems == ("1",)


def test_order_is_that_of_first_appearance() -> None:
    text = "problem,algorithm,score\nz,b,1\nz,a,2\ny,a,3\ny,b,4"
    scores = read(text)
    assert (scores.problems, scores.algorithms) == (("z", "y"), ("b", "a"))
    assert scores.values.tolist() == [[1, 2], [4, 3]]


def test_runs() -> None:
    text = "problem,algorithm,run,score\nx,A,10,1\nx,A,2,5\nx,B,2,7\ny,A,2,1\ny,B,2,2\ny,B,3,4\ny,B,1,6"
    scores = read(text)
    assert scores.values.tolist() == [[3, 7], [1, 4]]
    assert scores.n_runs.tolist() == [[2, 1], [1, 3]]
    assert scores.runs is not None
    assert scores.runs.shape == (2, 2, 3)
    assert np.isnan(scores.runs).sum() == 5
    single = text + "\nz,A,1,1\nz,B,1,2"
    assert read(single.replace("10,1", "10,NA").replace("3,4", "3,?"), missing="drop").runs is None
    # the order of lines does not change a bit
    lines = text.split("\n")
    again = read("\n".join([lines[0], *reversed(lines[1:])])).select(["A", "B"], ["x", "y"])
    assert np.array_equal(again.values, scores.values)


def test_repeated_names() -> None:
    message = refused("problem,A,B\n" + "\n".join(f"P{i % 7},1,2" for i in range(14)))
    assert "'P0' (line 2, line 9), 'P1' (line 3, line 10)" in message
    assert "(7 in all)" in message
    assert "use the long layout" in message
    message = refused("problem,A,B,A,B\nx,1,2,3,4")
    assert "line 1: column names must be unique; repeated: 'A' (columns 2, 4), 'B' (columns 3, 5)" in message
    with pytest.raises(ReadingError, match=r"repeated: 'A' \(columns 1, 2\)"):
        bo.read_scores(pd.DataFrame([[1, 2]], columns=["A", "A"]), "lower")
    with pytest.raises(ReadingError, match=r"repeated: 'A' \(columns 1, 2\)"):
        bo.read_scores({"A": [1], " A": [2]}, "lower")
    message = refused(LONG + "".join(f"P{i},A,1\nP{i},A,2\n" for i in range(3, 10)))
    assert "each (problem, algorithm) must occur once" in message
    assert "problem 'P3', algorithm 'A' (line 6, line 7)" in message
    assert "(7 in all)" in message
    assert "run=" in message
    message = refused("problem,algorithm,run,score\nx,A,1,1\nx,A,1,2")
    assert "problem 'x', algorithm 'A', run '1' (line 2, line 3)" in message


def test_a_long_table_with_gaps() -> None:
    text = "problem,algorithm,score\nx,A,1\nx,B,2\ny,A,3\nz,B,1"
    message = refused(text)
    assert "problem 'y', algorithm 'B', problem 'z', algorithm 'A'" in message
    dropped = read(text, missing="drop")
    assert (dropped.problems, dropped.dropped) == (("x",), ("y", "z"))
    assert read(text, missing="worst").filled == (("y", "B"), ("z", "A"))


def test_a_long_table_that_would_explode_is_refused() -> None:
    rows = [f"p{i},a{i},{i}" for i in range(40_000)]
    assert "too many" in refused("problem,algorithm,score\n" + "\n".join(rows))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("problem,A,B\n,1,2", "line 2, column 1 ('problem'): the problem's name is empty"),
        ("problem,A,B\nx,1,2\n  ,1,2", "line 3"),
        ("problem,algorithm,score\nx,,2", "line 2, column 2 ('algorithm'): the algorithm's name is empty"),
        ("problem,algorithm,run,score\nx,A,,2", "the run's name is empty"),
        ("problem,A,,B\nx,1,2,3", "line 2, column 3: '2' is in a column without a name"),
        ("problem,A\nx,1", "at least 2 algorithms are needed for a comparison; got 1"),
        ("problem,algorithm,score\nx,A,1\ny,A,2", "at least 2 algorithms"),
    ],
)
def test_lacking_names(text: str, message: str) -> None:
    assert message in refused(text)


# --- text -------------------------------------------------------------------------------------------------------


def test_quotes_delimiters_and_line_ends() -> None:
    text = 'problem,"A, the ""first""","B\nsecond"\n"P;1",1,2\n"P\t2", "3" ,5\n'.replace('"3" ', '"3"')
    scores = read(text)
    assert scores.algorithms == ('A, the "first"', "B\nsecond")
    assert scores.problems == ("P;1", "P\t2")
    for end in ("\n", "\r\n", "\r"):
        assert content(read(WIDE.replace("\n", end))) == EXPECTED
        assert content(read(WIDE.replace("\n", end) + end * 3)) == EXPECTED
        assert content(read(end + WIDE.rstrip().replace("\n", end))) == EXPECTED
    assert content(read("problem,A,B\r\nP1,1,2\rP2,3,5\n")) == EXPECTED


@pytest.mark.parametrize(
    "text",
    [
        " problem , A , B \n P1 , 1 , 2 \n P2 , 3 , 5 ",
        "# a comment, with; all\tdelimiters\n#\n\nproblem,A,B\nP1,1,2\nP2,3,5",
        '# "unclosed\nproblem,A,B\nP1,1,2\n\n,,\nP2,3,5\n,,\n',
        "problem,A,B,\nP1,1,2,\nP2,3,5,\n",
        "problem,A,B,,\nP1,1,2,,\nP2,3,5, ,\n",
        "problem;A;B\nP1;1;2\nP2;3;5",
        '"problem"\t"A"\t"B"\n"P1"\t"1"\t"2"\n"P2"\t3\t5',
    ],
)
def test_harmless_variations(text: str) -> None:
    assert content(read(text)) == EXPECTED


@pytest.mark.parametrize(
    ("text", "algorithms"),
    [
        ("problem\tA,1\tB;2\nx\t1\t2", ("A,1", "B;2")),
        ("problem;A,1;B,2\nx;1;2", ("A,1", "B,2")),
        ("problem;A (a, b, c, d);B\nx;1;2", ("A (a, b, c, d)", "B")),
        ('problem,"a;b;c;d;e",B\nx,1,2', ("a;b;c;d;e", "B")),
        ('"pro;b;lem"\tA\tB\nx\t1\t2', ("A", "B")),
        ('problem,5" disk,B\nx,1,2', ('5" disk', "B")),
        ("problem,Ä,日本語\nx,1,2", ("Ä", "日本語")),
    ],
)
def test_the_delimiter_is_that_of_the_header(text: str, algorithms: tuple[str, ...]) -> None:
    assert read(text).algorithms == algorithms


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["is empty"]),
        ("\n\n  \n", ["is empty"]),
        ("# only a comment\n", ["is empty"]),
        ("\ufeff", ["is empty"]),
        ("problem,A,B\n", ["header but no scores"]),
        ("problem,A,B\n\n,,\n", ["header but no scores"]),
        ("problem\nx\n", ["line 1", "single column 'problem'", "comma, semicolon or tab"]),
        ("problem A B\nx 1 2\n", ["single column", "spaces"]),
        ("problem,A,B\nx,1,2\ny,1\n", ["line 3", "expected 3 fields", "found 2"]),
        ("problem,A,B\nx,1,2\n\ny,1,2,3\n", ["line 4", "expected 3 fields", "found 4"]),
        ("problem,A,B\nx,1,2,\n", ["line 2", "found 4", "delimiter at the end"]),
        ("A,B\nx,1,2\n", ["line 2", "expected 2", "found 3", "no name in the header"]),
        ("problem,A,B\nx,1,5,2\n", ["line 2", "decimal commas (1,5)"]),
        ('problem,A,B\nx,1,2\n"y,1,2\nz,3,4\n', ["line 3", "never closed"]),
        ('problem,A,B\n"x\n1",1,2\n"y"z,1,2\n', ["line 4", "after a closing quote"]),
        ('"problem,A,B\nx,1,2\n', ["line 1", "never closed"]),
        ('problem,A,B\n"' + "x" * 200_000 + '",1,2\n', ["line 2", "128 KiB"]),
        ("problem,A,B\nx,1\0,2\n", ["line 2", "NUL byte at offset 15"]),
        ("x,0.1,0.2\ny,0.3,0.4\n", ["line 1", "the header is missing"]),
        ("#problem,A,B\nx,1,2\ny,3,4\n", ["line 2", "the header is missing", "comments"]),
        ("\n\n# c\nproblem,A,B\n\n\nx,1,oops\n", ["line 7, column 3 ('B')"]),
        ('problem,A,B\n"x\ny",1,2\nz,oops,2\n', ["line 4, column 2 ('A')"]),
    ],
)
def test_damaged_text(text: str, parts: list[str]) -> None:
    message = refused(text)
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        ("problem,A,B\nx,1,2".encode("utf-16"), ["UTF-16", "offset 0", "iconv"]),
        ("problem,A,B\nx,1,2".encode("utf-16-be"), ["UTF-16", "iconv"]),
        ("problem,A,B\nx,1,2".encode("utf-16-le"), ["UTF-16", "iconv"]),
        ("problem,A,B\nx,1,2".encode("utf-32"), ["UTF-32"]),
        ("problem,A,B\nx,1,2\nZürich,3,4".encode("latin-1"), ["line 3", "0xFC", "offset 19", "iconv", "1252"]),
        (b"\xef\xbb\xbfproblem,A,B\r\n\xff,1,2", ["line 2", "0xFF", "offset 16"]),
        (b"\x1f\x8b\x08\x00", ["gzip"]),
        (b"%PDF-1.7", ["PDF"]),
        (b"PAR1 broken", ["cannot be read as Parquet"]),
    ],
)
def test_other_encodings_and_kinds_of_files(data: bytes, parts: list[str]) -> None:
    message = refused(data)
    for part in parts:
        assert part in message


def test_a_text_file_opened_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_bytes("problem,A,B\nZürich,1,2".encode("latin-1"))
    with (tmp_path / "s.csv").open(encoding="latin-1") as file:
        assert bo.read_scores(file, "lower").problems == ("Zürich",)
    with (tmp_path / "s.csv").open(encoding="utf-8") as file, pytest.raises(ReadingError, match="binary mode"):
        bo.read_scores(file, "lower")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for source, message in [
        (tmp_path / "absent.csv", "there is no such file"),
        ("absent.csv", "there is no such file \\(looked in"),
        (tmp_path, "it is a directory"),
        ("", "empty path"),
        (WIDE, "wrap text in io.StringIO"),
        ("a\0b", "must be a path"),
        ("x" * 5000, "too long"),
        ("https://example.org/scores.csv", "a file on this machine"),
    ]:
        with pytest.raises(ReadingError, match=message) as caught:
            bo.read_scores(source, "lower")
        assert "\n" not in str(caught.value)
    closed = (tmp_path / "new.csv").open("wb")
    closed.close()
    with pytest.raises(ReadingError, match="cannot read"):
        bo.read_scores(closed, "lower")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.csv"
    path.write_text(WIDE)
    path.chmod(0)
    with pytest.raises(ReadingError, match="permission denied"):
        bo.read_scores(path, "lower")


# --- JSON -------------------------------------------------------------------------------------------------------


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
        ('[{"problem": "x", "A": 1, "B": true}]', r"record 1, column 3 \('B'\): True is a truth value"),
        ('[{"problem": "x", "A": 1, "B": 2, "A": 3}]', "the key 'A' occurs twice in one record"),
        ('[{"problem": "x", "A": 1, "B": 2},\n 7]', "record 2: expected a record"),
        ('[{"problem": "x", "A": 1, "B": 2}\n {}]', "line 2, column 2: not JSON"),
        ('{"problem": "x", "A": 1, "B": 2}\n{"problem": "y", "A": 1, "B": }', "line 2, column 31: not JSON"),
        ('{"problem": "x", "A": 1, "B": 2}\n\n[1]', "line 3: expected a record"),
        ("[]", "expected a list of records"),
        ("[" * 100_000, "nested|not JSON"),
        ('{"A": {"x": 1}, "B": {"x": 2}}', "list of records"),
        ('{"A": [1, 2], "B": [1]}', "same length"),
    ],
)
def test_damaged_json(text: str, message: str) -> None:
    with pytest.raises(ScoreError, match=message):
        read(text)


# --- round trips ------------------------------------------------------------------------------------------------

names = (
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
    .map(str.strip)
    .filter(bool)
)
values = st.floats(allow_nan=False).map(lambda x: x + 0.0)


@st.composite
def tables(draw: st.DrawFn) -> bo.Scores:
    n, k = draw(st.integers(1, 5)), draw(st.integers(2, 4))
    algorithms = draw(st.lists(names.filter(lambda s: s.lower() not in KNOWN), min_size=k, max_size=k, unique=True))
    problems = draw(st.lists(names, min_size=n, max_size=n, unique=True))
    cells = draw(st.lists(values, min_size=n * k, max_size=n * k))
    return bo.Scores(np.array(cells).reshape(n, k), algorithms, problems, better="lower")


KNOWN = {"problem", "dataset", "instance", "algorithm", "method", "classifier", "model", "score", "value"} | {
    "run",
    "repetition",
    "seed",
}


def written(rows: list[list[Any]], delimiter: str, quoting: int, end: str) -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)
    return text.getvalue()


def wide_rows(s: bo.Scores) -> list[list[Any]]:
    return [
        ["problem", *s.algorithms],
        *([p, *map(repr, row)] for p, row in zip(s.problems, s.values.tolist(), strict=True)),
    ]


@given(
    scores=tables(),
    delimiter=st.sampled_from([",", ";", "\t"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    mark=st.sampled_from(["", "\ufeff"]),
)
def test_text_round_trip(scores: bo.Scores, delimiter: str, quoting: int, end: str, mark: str) -> None:
    text = mark + written(wide_rows(scores), delimiter, quoting, end)
    again = bo.read_scores(io.BytesIO(text.encode()), "lower", layout="wide")
    assert content(again) == content(scores)


@given(scores=tables(), data=st.data())
def test_long_and_wide_agree(scores: bo.Scores, data: st.DataObject) -> None:
    rows = [
        [p, a, repr(x)] for p, row in zip(scores.problems, scores.values.tolist(), strict=True)
        for a, x in zip(scores.algorithms, row, strict=True)
    ]  # fmt: skip
    shuffled = data.draw(st.permutations(rows))
    text = written([["problem", "algorithm", "score"], *shuffled], ",", csv.QUOTE_MINIMAL, "\n")
    again = read(text).select(scores.algorithms, scores.problems)
    assert content(again) == content(scores)


@given(scores=tables())
def test_frames_equal_arrays(scores: bo.Scores) -> None:
    columns = {"problem": list(scores.problems)} | {a: scores.values[:, j] for j, a in enumerate(scores.algorithms)}
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for source in (columns, records, pd.DataFrame(columns), pl.DataFrame(columns), scores.to_frame()):
        assert content(bo.read_scores(source, "lower")) == content(scores)
    text = json.dumps([{k: v.item() if isinstance(v, np.floating) else v for k, v in r.items()} for r in records])
    assert content(read(text)) == content(scores)


@given(
    data=st.binary(max_size=60), start=st.sampled_from([b"", b"problem,A,B\n", b"[{", b'{"', b"PK\x03\x04", b"PAR1"])
)
def test_garbage_is_refused_as_such_or_read(data: bytes, start: bytes) -> None:
    with contextlib.suppress(BakeoffError):  # anything else is a failure
        assert not np.isnan(read(start + data).values).any()


# --- fast and slow ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "change",
    [
        lambda t: t,
        lambda t: t + "\n\n",
        lambda t: "# comment\n\n" + t,
        lambda t: t.replace(",1.5", ",inf", 1),
        lambda t: t.replace(",1.5", ", 1.5 ", 3),
        lambda t: t.replace(",1.5", ",NA", 1),
        lambda t: t.replace(",1.5", ",nan", 1),
        lambda t: t.replace(",1.5", ",1_5", 1),
        lambda t: t.replace(",1.5", ",1e999", 1),
        lambda t: t.replace(",1.5", ",9007199254740993", 1),
        lambda t: t.replace(",1.5", ",١", 1),
        lambda t: t.replace(",1.5", "", 1),
        lambda t: t.replace(",1.5", ",1.5,1.5", 1),
        lambda t: t.replace(",1.5", ',"1.5"', 1),
        lambda t: t.replace("\np_7,", "\n\np_7,", 1).replace("p_9,", "p_8,"),
        lambda t: t.replace("p_9,", "p_8,"),
        lambda t: t.replace("p_9,", ","),
        lambda t: t.replace("\np_9,", "\n,,,\np_9,"),
    ],
)
def test_reading_at_once_changes_nothing(change: Any, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    cells = rng.choice([1.5, -2.25, 1e-300, 0.1, 1 / 3, 12345.678], (150, 3))
    rows = [f"p_{i}," + ",".join(map(repr, row)) for i, row in enumerate(cells.tolist())]
    text = change("name,A,B,C\n" + "\n".join(rows)).replace("\n", end)
    outcomes = []
    for limit in (0, 10**9):
        monkeypatch.setattr("bakeoff.reading.text.LARGE", limit)
        try:
            scores = read(text)
        except BakeoffError as error:
            outcomes.append((type(error), str(error)))
        else:
            outcomes.append((content(scores), scores.source_sha256))
    assert outcomes[0] == outcomes[1]


def test_a_table_of_a_million_cells_is_read_quickly(tmp_path: Path) -> None:
    import time

    row = ",".join(f"{j / 7:.6f}" for j in range(100))
    path = tmp_path / "large.csv"
    path.write_text(
        "problem," + ",".join(f"A{j}" for j in range(100)) + "\n" + "".join(f"p{i},{row}\n" for i in range(10_000))
    )
    start = time.perf_counter()
    scores = bo.read_scores(path, "lower")
    assert scores.values.shape == (10_000, 100)
    assert time.perf_counter() - start < 5  # a tenth of that on an idle machine


def test_reading_text_loads_no_heavy_package(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(WIDE)
    code = (
        "import sys, bakeoff as bo\nbo.read_scores('s.csv', 'lower'); bo.datasets.load('derrac_cec2005')\n"
        "bo.read_scores([{'A': 1, 'B': 2}], 'lower')\n"
        "heavy = {'pandas', 'narwhals', 'scipy', 'polars', 'pyarrow', 'openpyxl', 'matplotlib'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_make_frame() -> None:
    frame = make_frame({"problem": ["x"], "A": [1.0]})
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["problem", "A"]
