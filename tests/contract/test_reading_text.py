"""read_scores: delimited text and what can be wrong with it, round trips, fast against slow."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

import bakeoff as bo
from bakeoff.errors import BakeoffError, ReadingError
from bakeoff.reading import make_frame
from bakeoff.reading.text import LARGE, TextTable, decoded, has_decimal_commas
from contract.reading_cases import EXPECTED, WIDE, content, read, refused
from unprivileged import unprivileged


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


def test_the_suffix_decides_between_two_delimiters_that_fit(tmp_path: Path) -> None:
    (tmp_path / "s.tsv").write_text("problem\tA (a,b,c)\tB (d,e,f)\nx,y,z,u,v\t1\t2")
    assert bo.read_scores(tmp_path / "s.tsv", "lower").algorithms == ("A (a,b,c)", "B (d,e,f)")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["is empty"]),
        ("\n\n  \n", ["is empty"]),
        ("# only a comment\n", ["is empty"]),
        (',""\n', ["is empty"]),
        ("\n;;\n", ["is empty"]),
        ("\ufeff", ["is empty"]),
        ("problem,A,B\n", ["header but no scores"]),
        ("problem,A,B\n\n,,\n", ["header but no scores"]),
        ("problem\nx\n", ["line 1", "single column 'problem'", "comma, semicolon or tab"]),
        ("problem A B\nx 1 2\ny 1 2 3 4\n", ["single column", "spaces"]),
        ("problem,A,B\nx,1,2\ny,1\n", ["line 3", "expected 3 fields", "found 2"]),
        ("problem,A,B\nx,1,2\n\ny,1,2,3\n", ["line 4", "expected 3 fields", "found 4"]),
        ("problem,A,B\nx,1,2,\n", ["line 2", "found 4", "delimiter at the end"]),
        ("A,B\nx,1,2\n", ["line 2", "expected 2", "found 3", "without a name"]),
        ("problem,A,B\nx,1,5,2\n", ["line 2", "decimal commas (1,5)"]),
        ('problem,A,B\nx,1,2\n"y,1,2\nz,3,4\n', ["line 3", "never closed"]),
        ('problem,A,B\n"x\n1",1,2\n"y"z,1,2\n', ["line 4", "after a closing quote"]),
        ('"problem,A,B\nx,1,2\n', ["line 1", "never closed"]),
        ('problem,A,B\n"' + "x" * 200_000 + '",1,2\n', ["line 2", "128 KiB"]),
        ("problem,A,B\nx,1\0,2\n", ["line 2", "NUL byte at offset 15"]),
        ("x,0.1,0.2\ny,0.3,0.4\n", ["line 1", "the header is missing"]),
        ("\n\n# c\nproblem,A,B\n\n\nx,1,oops\n", ["line 7, column 3 ('B')"]),
        ('problem,A,B\n"x\ny",1,2\nz,oops,2\n', ["line 4, column 2 ('A')"]),
    ],
)
def test_damaged_text(text: str, parts: list[str]) -> None:
    message = refused(text)
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("problem;A;B\nx;1;2;\n", "; remove the delimiter at the end of the line"),
        ("problem;A;B\nx;1;2;;\n", ""),
        ("A;B\nx;1;2\n", "; a first column without a name may be called problem"),
        ("A;B\nx;1\ny;1;2\n", ""),
        ("A;B\nx;1;2;3\n", ""),
        ("problem;A;B\nx;1\n", ""),
        ("problem;A;B\nx;1;2\nthe end\n", "; text below a table is a comment if its line begins with #"),
        ("problem,A,B\nx,1\n", ""),
    ],
)
def test_a_row_of_another_length_has_a_hint_where_one_is_known(text: str, hint: str) -> None:
    assert re.search(r"expected \d fields as in the header, found \d(.*)", refused(text))[1] == hint  # type: ignore[index]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a,\0\0\0\0\0", "seems to be UTF-16, not UTF-8 (NUL byte at offset 2, line 1)"),
        (b"a,b\r\nc\rd\n,\0", "line 4: a NUL byte at offset 10; this is not a text file"),
        (b"ab\0\0cd", "line 1: a NUL byte at offset 2"),  # a third is not more than a third
        (b"ab\0\0c", "seems to be UTF-16"),
        (b"\xef\xbb\xbfa,b\r\n1,\xe9", "line 2: not UTF-8: byte 0xE9 at offset 10; it may be Latin-1"),
    ],
)
def test_where_a_file_is_no_text(data: bytes, said: str) -> None:
    with pytest.raises(ReadingError) as caught:
        decoded(data, "t.csv")
    assert said in str(caught.value)


def test_a_name_that_comes_ten_thousand_times_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """The copies were numbered by a search for each, and all of them printed in a command."""
    path = tmp_path / "many.csv"
    path.write_text("problem" + ",a" * 10_000 + "\np" + ",1" * 10_000 + "\n")
    with pytest.raises(
        ReadingError, match=r"\(columns 2, 3, 4, 5, 6 and 9995 more \(10000 in all\)\)\. Rename"
    ) as refused:
        bo.read_scores(path, "lower")
    assert len(str(refused.value)) < 300 + len(str(path))


def test_the_only_row_is_looked_at_also_where_it_is_cut_off() -> None:
    """Of the first 100 000 characters, the last row of which may be cut off."""
    row = "x" * 99_000
    (only,) = TextTable(f"problem,A\n{row}{row},1\n".encode(), "t.csv").texts(0)
    assert only == "x" * (100_000 - len("problem,A\n"))
    cut = "y,1\n" * 300
    several = TextTable(f"problem,A\n{row},1\n{cut}".encode(), "t.csv").texts(0)
    assert several == [row, *["y"] * ((1000 - len("problem,A\n,1\n")) // 4)]


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        (["0,91", "x"], True),
        (["1,234"], False),  # may be thousands
        (["0,234"], True),
        (["1,234", "0,5"], True),
        (["0,91", "0.5"], False),
        (["0,91 ± 0,02"], True),
        (["-1,5e-3", "12"], True),
        (["a,b", ""], False),
    ],
)
def test_commas_are_decimal_where_nothing_else_can_be_meant(fields: list[str], found: bool) -> None:
    assert has_decimal_commas(fields) == found


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        ("problem,A,B\nx,1,2".encode("utf-16")[:-1], ["UTF-16", "damaged"]),
        ("problem,A,B\nx,1,2".encode("utf-16-be"), ["UTF-16", "Save it as UTF-8"]),
        ("problem,A,B\nx,1,2".encode("utf-16-le"), ["UTF-16", "Save it as UTF-8"]),
        ("problem,A,B\nx,1,2".encode("utf-32")[:-1], ["UTF-32", "damaged"]),
        ("problem,A,B\nx,1,2\nüüü,3,4".encode("latin-1"), ["line 3", "0xFC", "offset 18", "1252. Save it as UTF-8"]),
        ("problem,算法,B\nx,1,2".encode("gbk"), ["line 1", "0xCB", "not UTF-8"]),
        ("problem,アルゴ,B\nx,1,2".encode("shift_jis"), ["line 1", "not UTF-8"]),
        ("problem,Щука,B\nx,1,2".encode("cp1251"), ["line 1", "not UTF-8"]),
        ("problem,żółć,B\nx,1,2".encode("cp1250"), ["line 1", "not UTF-8"]),
        (b"\xef\xbb\xbfproblem,A,B\r\n\xff,1,2", ["line 2", "0xFF", "offset 16"]),
        (b"\x1f\x8b\x08\x00", ["cannot be unpacked (gzip)"]),
        (b"%PDF-1.7", ["PDF"]),
        (b"\x89PNG\r\n\x1a\n\0\0", ["a picture"]),
        pytest.param(b"PAR1 broken", ["cannot be read as Parquet"], marks=pytest.mark.needs("pyarrow")),
    ],
)
def test_other_encodings_and_kinds_of_files(data: bytes, parts: list[str]) -> None:
    message = refused(data)
    for part in parts:
        assert part in message


def test_what_excel_writes_in_western_europe_is_read() -> None:
    """Windows-1252, semicolons and decimal commas: the page of bakeoff serve asked its user for a command."""
    names = ("Naïve Bayes", "Größe ±2", "Süd–Nord", "à la")
    text = f"Datensatz;{';'.join(names)}\r\nZürich;0,91;0,9;1,5;2\r\nÄrzte;0,8;0,75;2;3\r\n"
    scores = bo.read_scores(io.BytesIO(text.encode("cp1252")), "higher")
    assert scores.algorithms == names
    assert scores.problems == ("Zürich", "Ärzte")
    assert scores.values[0].tolist() == [0.91, 0.9, 1.5, 2.0]


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
        (tmp_path, "holds no table"),
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


@pytest.mark.skipif(os.name == "nt", reason="no POSIX permissions")
def test_a_file_without_permission() -> None:
    with unprivileged() as folder:
        path = folder / "secret.csv"
        path.write_text(WIDE)
        path.chmod(0)
        with pytest.raises(ReadingError, match="permission denied"):
            bo.read_scores(path, "lower")


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


def all_names(s: bo.Scores) -> list[str]:
    """None of them is a summary, whatever it looks like."""
    return [*s.algorithms, *s.problems]


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
@pytest.mark.slow
def test_text_round_trip(scores: bo.Scores, delimiter: str, quoting: int, end: str, mark: str) -> None:
    text = mark + written(wide_rows(scores), delimiter, quoting, end)
    again = bo.read_scores(io.BytesIO(text.encode()), "lower", layout="wide", keep=all_names(scores))
    assert content(again) == content(scores)


@given(scores=tables(), data=st.data())
def test_long_and_wide_agree(scores: bo.Scores, data: st.DataObject) -> None:
    rows = [
        [p, a, repr(x)] for p, row in zip(scores.problems, scores.values.tolist(), strict=True)
        for a, x in zip(scores.algorithms, row, strict=True)
    ]  # fmt: skip
    shuffled = data.draw(st.permutations(rows))
    text = written([["problem", "algorithm", "score"], *shuffled], ",", csv.QUOTE_MINIMAL, "\n")
    again = read(text, keep=all_names(scores)).select(scores.algorithms, scores.problems)
    assert content(again) == content(scores)


@pytest.mark.slow
@pytest.mark.needs("polars")
@given(scores=tables())
def test_frames_equal_arrays(scores: bo.Scores) -> None:
    import polars as pl

    columns = {"problem": list(scores.problems)} | {a: scores.values[:, j] for j, a in enumerate(scores.algorithms)}
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    for source in (columns, records, pd.DataFrame(columns), pl.DataFrame(columns), scores.to_frame()):
        assert content(bo.read_scores(source, "lower", keep=all_names(scores))) == content(scores)
    text = json.dumps([{k: v.item() if isinstance(v, np.floating) else v for k, v in r.items()} for r in records])
    assert content(read(text, keep=all_names(scores))) == content(scores)


@given(
    data=st.binary(max_size=60), start=st.sampled_from([b"", b"problem,A,B\n", b"[{", b'{"', b"PK\x03\x04", b"PAR1"])
)
def test_garbage_is_refused_as_such_or_read(data: bytes, start: bytes) -> None:
    with contextlib.suppress(BakeoffError):  # anything else is a failure
        assert not np.isnan(read(start + data).values).any()


@pytest.mark.few(29)
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
        lambda t: t.replace("name,A,B,C", "name,A,B"),
        lambda t: t.replace(",1.5", ",\u00a01.5", 2),
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


def test_a_large_table_is_read_at_once_not_cell_by_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = ",".join(f"{j / 7:.6f}" for j in range(100))
    path = tmp_path / "large.csv"
    path.write_text(
        "problem," + ",".join(f"A{j}" for j in range(100)) + "\n" + "".join(f"p{i},{row}\n" for i in range(1000))
    )
    monkeypatch.delattr("bakeoff.reading.text.parsed_numbers")
    assert path.stat().st_size > LARGE
    assert bo.read_scores(path, "lower").values.shape == (1000, 100)


@pytest.mark.slow
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
