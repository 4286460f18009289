"""read_scores: every source gives the same scores, and nothing given is changed."""

from __future__ import annotations

import datetime
import hashlib
import importlib
import io
import json
import sys
import tracemalloc
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bakeoff as bo
from bakeoff.errors import MissingPackageError, MissingScoreError, ParameterError, ScoreError, WrongTypeError
from bakeoff.reading import make_frame
from contract.reading_cases import EXPECTED, INF, LONG, WIDE, content, read


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
        ({"better": "lower", "missing": "ignore"}, "missing must be one of 'raise', 'drop', 'drop-unrun', 'worst'"),
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
    "pandas, pyarrow": lambda _: pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
    "pandas, objects": pd.DataFrame(COLUMNS, dtype=object),
    "pandas, text": pd.DataFrame(COLUMNS).astype(str),
    "pandas, decimals": pd.DataFrame(COLUMNS).assign(A=[Decimal("1"), Decimal("3.0")]),
    "pandas, float32": pd.DataFrame(COLUMNS).astype({"A": "float32"}),
    "pandas, long with index": pd.DataFrame(LONG_RECORDS).set_index(["problem", "algorithm"]),
    "polars": lambda pl: pl.DataFrame(COLUMNS, strict=False),
    "polars, lazy": lambda pl: pl.LazyFrame(COLUMNS, strict=False),
    "polars, long": lambda pl: pl.DataFrame(LONG_RECORDS),
    "polars, categories": lambda pl: pl.DataFrame(COLUMNS, strict=False).with_columns(
        pl.col("problem").cast(pl.Categorical)
    ),
    "polars, decimals": lambda pl: pl.DataFrame(COLUMNS, strict=False).with_columns(
        pl.col("A").cast(pl.Decimal(10, 2))
    ),
    "pyarrow": lambda pa: pa.table({"problem": ["P1", "P2"], "A": [1, 3], "B": [2.0, 5.0]}),
    "pyarrow, dictionary": lambda pa: pa.table(
        {"problem": pa.array(["P1", "P2"]).dictionary_encode(), "A": [1, 3], "B": [2, 5]}
    ),
}
MORE = {kind: name for kind in FRAMES for name in ("polars", "pyarrow") if name in kind}  # needs a package


def frame_of(kind: str) -> Any:
    return FRAMES[kind](importlib.import_module(MORE[kind])) if kind in MORE else FRAMES[kind]


def kinds(*chosen: str) -> list[Any]:
    return [pytest.param(kind, marks=pytest.mark.needs(MORE[kind])) if kind in MORE else kind for kind in chosen]


@pytest.mark.parametrize("kind", kinds(*FRAMES))
def test_every_frame_gives_the_same_scores_and_is_not_changed(kind: str) -> None:
    frame = frame_of(kind)
    before = repr(frame)
    scores = bo.read_scores(frame, "lower")
    assert content(scores) == EXPECTED
    assert repr(frame) == before
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


@pytest.mark.needs("pyarrow")
@pytest.mark.parametrize("name", ["scores.parquet", "scores.dat"])
@pytest.mark.parametrize("kind", kinds("pandas", "pandas, index", "pandas, index without name", "polars", "pyarrow"))
def test_parquet(name: str, kind: str, tmp_path: Path) -> None:
    path, frame = tmp_path / name, frame_of(kind)
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


@pytest.mark.needs("polars", "pyarrow")
def test_parquet_through_each_reader_and_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame_of("polars").write_parquet(tmp_path / "s.parquet")
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


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("corner", ["XFD20000", pytest.param("XFD1048576", marks=pytest.mark.slow)])
def test_a_workbook_cannot_fill_the_memory(corner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R-S5: 5 kB with a cell in the last corner took 4 GB; in a row of the middle it would take 2.6."""
    import openpyxl

    from bakeoff.reading import workbooks

    path = tmp_path / "corner.xlsx"
    book = openpyxl.Workbook()
    for row in [["problem", "a", "b"], *([f"p{i}", i, i + 1] for i in range(1500))]:
        book.active.append(row)
    book.active[corner] = 1
    book.save(path)
    tracemalloc.start()
    assert "at most 1048576 rows and 20000000 cells" in _error(path)
    assert tracemalloc.get_traced_memory()[1] < 200e6
    tracemalloc.stop()
    monkeypatch.setattr(workbooks, "MOST_ROWS", 1000)
    assert "sheet 'Sheet': it has at least 1001 rows of up to 3 cells" in _error(path)
    monkeypatch.setattr(workbooks, "MOST_UNPACKED", 1 << 16)
    assert "MiB unpacked, and at most 0 are read; save the sheet as CSV" in _error(path)


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
    "source", [None, 3, 2.5, object(), b"problem,A,B", {1, 2}, iter([1])], ids=lambda s: type(s).__name__
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
