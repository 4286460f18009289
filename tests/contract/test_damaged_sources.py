"""Files that say two things, numbers that are none, and paths that lead elsewhere: refused, soon, and in a sentence."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import sqlite3
import tarfile
import threading
import time
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import BakeoffError, ReadingError
from bakeoff.reading import files, large_csv, many_files
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.wings.guard.check.statistics.baseline_store import is_baseline_store

FORMATS = Path(__file__).parents[1] / "oracles" / "data" / "formats"


def said(*args: object) -> str:
    found = CliRunner().invoke(main, [str(arg) for arg in args])
    assert found.exit_code == 2, found.output
    return " ".join(found.output.split())


# --- JSON that says two things ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("hyperfine.json", '"times": [', '"times": [9.0], "times": ['),
        ("pytest_benchmark.json", '"benchmarks": [', '"benchmarks": [], "benchmarks": ['),
        ("google_benchmark.json", '"benchmarks": [', '"benchmarks": [], "benchmarks": ['),
        ("jmh.json", '"benchmark"', '"benchmark": "x", "benchmark"'),
        ("bakeoff_time.jsonl", '"status"', '"status": "ok", "status"'),
        ("inspect/mockllm_a.json", '"status"', '"status": "error", "status"'),
    ],
)
def test_a_key_that_occurs_twice_is_refused(name: str, old: str, new: str, tmp_path: Path) -> None:
    """The last one was read, without a word."""
    text = (FORMATS / name).read_text()
    assert old in text
    path = tmp_path / Path(name).name
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(ReadingError, match=r"the key .* occurs twice in one object"):
        read_measurements(path)


def test_a_schema_that_is_not_utf8_is_no_traceback(tmp_path: Path) -> None:
    """SQLite's message quotes the damaged name, and Python cannot decode it."""
    path = tmp_path / "optuna.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("create table studies (study_id integer, primary key (study_id))")
    content = path.read_bytes()
    assert content.count(b"(study_id)") == 1
    path.write_bytes(content.replace(b"(study_id)", b"(study_i\xe4)"))
    with pytest.raises(ReadingError, match=r"^cannot read .*codec can't decode byte 0xe4"):
        bo.read_results(path)


def test_the_key_that_occurs_twice_is_found_in_linear_time() -> None:
    """30 000 keys took 50 s."""
    keys = [f'"k{i}": 1' for i in range(30_000)]
    start = time.process_time()
    with pytest.raises(ReadingError, match="'k29999' occurs twice"):
        bo.read_scores(io.StringIO("[{" + ", ".join([*keys, '"k29999": 2']) + "}]"), "lower")
    assert time.process_time() - start < 5.0


# --- numbers that are none --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("time_", "words"),
    [
        ("Infinity", "an infinite value"),
        ("1e999", "1e999 is beyond the largest floating-point number"),
        ("1e-400", "nearer to 0 than any floating-point number"),
        ("1" * 5000, "a whole number of 5000 digits is beyond"),
    ],
)
def test_times_that_no_clock_gives(time_: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(f'{{"results":[{{"command":"a","times":[1.0,{time_}]}},{{"command":"b","times":[1,2]}}]}}')
    with pytest.raises(ReadingError, match=words):
        read_measurements(path)


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("layout", ["wide", "long", "names"])
def test_a_number_that_would_become_0(
    layout: str, large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1e-400 was read as 0, though 1e999 is refused."""
    if large:
        monkeypatch.setattr(large_csv, "LARGE", 1)
    text = {
        "wide": "p,a,b\nx,1e-400,1\ny,2,3\n",
        "long": "problem,algorithm,score\nx,a,1e-400\nx,b,1\ny,a,2\ny,b,3\n",
        "names": "problem,algorithm,score\nx,a,0.0\nx,b,1\nx-1e-3,a,2e-30\nx-1e-3,b,3\n",
    }[layout]
    path = tmp_path / "t.csv"
    path.write_text(text)
    if layout == "names":
        assert bo.read_scores(path, "lower").values.tolist() == [[0.0, 1.0], [2e-30, 3.0]]
        return
    with pytest.raises(ReadingError, match="'1e-400' is nearer to 0"):
        bo.read_scores(path, "lower")
    with pytest.raises(ReadingError, match="'1e-400' is nearer to 0"):
        bo.read_scores(io.StringIO('[{"p": "x", "a": 1e-400, "b": 2}, {"p": "y", "a": 1, "b": 2}]'), "lower")


# --- paths that lead elsewhere ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["../../../../../../../../dev/zero", "/etc/passwd", "../../outside.dat"])
@pytest.mark.parametrize("format_", ["ioh", "coco"])
def test_a_log_names_files_of_its_own_folder_only(format_: str, path: str, tmp_path: Path) -> None:
    """curves read /dev/zero without an end."""
    shutil.copytree(FORMATS / format_, tmp_path / format_)
    (tmp_path / "outside.dat").write_text("% f evaluations\n1 5.0 5.0\n")
    log = next(iter(sorted((tmp_path / format_).rglob("*.json" if format_ == "ioh" else "*.info"))))
    own = "data_f1_Sphere/IOHprofiler_f1_DIM2.dat" if format_ == "ioh" else "data_f1/bbobexp_f1_DIM2.dat"
    assert own in log.read_text().replace("\\", "/")
    log.write_text(log.read_text().replace("\\", "/").replace(own, path))
    assert "which is outside of" in said("curves", tmp_path / format_)
    if format_ == "ioh":
        with pytest.raises(ReadingError, match="which is outside of"):
            read_measurements(tmp_path / format_, choices=Choices(metric="evals to 1"))


def test_the_data_beside_a_log_is_a_file(tmp_path: Path) -> None:
    shutil.copytree(FORMATS / "ioh", tmp_path / "ioh")
    data = tmp_path / "ioh" / "RS" / "data_f1_Sphere" / "IOHprofiler_f1_DIM2.dat"
    data.unlink()
    data.symlink_to("/dev/zero")
    assert "is not there, which" in said("curves", tmp_path / "ioh")


def test_devices_are_refused_by_name() -> None:
    """compare /dev/zero took all the memory; verify asked: did you mean '/dev/zero'?"""
    assert "cannot read '/dev/zero': it is a device" in said("compare", "/dev/zero", "--better", "lower")
    assert "'/dev/null' is no file" in said("verify", "/dev/null")


def test_standard_input_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST_PIPED", 1 << 22)
    with open("/dev/zero", "rb") as endless, pytest.raises(ReadingError, match="write it to a file, and name that"):
        bo.read_scores(endless, "lower")
    pipe, end = os.pipe()
    os.write(end, b"p,a,b\nx,1,2\n")
    os.close(end)
    assert bo.read_scores(f"/dev/fd/{pipe}", "lower").values.tolist() == [[1.0, 2.0]]
    os.close(pipe)


# --- archives ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_damaged_archive_of_inspect_is_no_traceback(tmp_path: Path) -> None:
    """zstandard raises a kind of error of its own."""
    whole = next((FORMATS / "inspect").rglob("*.eval")).read_bytes()
    path, rng = tmp_path / "x.eval", random.Random(1)
    for _ in range(150):
        content = bytearray(whole)
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
        try:
            read_measurements(path, "inspect")
        except BakeoffError as error:
            assert len(str(error)) < 2000  # noqa: PT017


def test_an_archive_of_deflate_that_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": {"task": "t" * 99, "model": "m"}, "status": "success"}))
    content = bytearray(path.read_bytes())
    at = content.index(b"header.json") + len("header.json")
    content[at : at + 9] = b"\xff" * 9
    path.write_bytes(content)
    with pytest.raises(ReadingError, match=r"no \.eval file of Inspect"):
        read_measurements(path, "inspect")


# --- columns that only fail when they are fetched ---------------------------------------------------------------


def half_utf8(pa: Any, names: list[str], at: int) -> Any:
    """Text of Arrow with one byte that no text has: an Arrow array is not looked at while it is read."""
    good = pa.array(names)
    raw = bytearray(good.buffers()[2].to_pybytes())
    raw[at] = 0xFF
    return pa.Array.from_buffers(pa.string(), len(names), [*good.buffers()[:2], pa.py_buffer(bytes(raw))])


@pytest.mark.needs("pyarrow")
def test_text_that_is_not_utf8_is_named_by_column_and_row(tmp_path: Path) -> None:
    """It was an internal error of whatever analysis fetched the column."""
    import pyarrow as pa
    from pyarrow import parquet

    numbers = [float(i) for i in range(12)]
    wide = pa.table({"p": half_utf8(pa, [f"x{i}" for i in range(10)], 3), "a": numbers[:10], "b": numbers[2:]})
    names = half_utf8(pa, [f"x{i // 2}" for i in range(12)], 15)
    long = pa.table({"problem": names, "algorithm": ["a", "b"] * 6, "score": numbers})
    for table, column, row in ((wide, "p", 2), (long, "problem", 8)):
        path = tmp_path / "t.parquet"
        parquet.write_table(table, path)
        for command in ("compare", "iqm"):
            assert f"the text of column '{column}', row {row}, is not UTF-8" in said(command, path, "--better", "lower")
        with pytest.raises(ReadingError, match=f"column '{column}', row {row},"):
            bo.read_scores(table, "lower")
        with pytest.raises(ReadingError, match=f"column '{column}', row {row},"):
            list(SourceFile(content=table).records())


@pytest.mark.needs("pyarrow", "polars")
def test_whatever_an_engine_says_of_a_column_is_a_reading_error(tmp_path: Path) -> None:
    """A date beyond Python's, a name of a column that is not UTF-8 or comes twice, a file that a query finds bad."""
    import pyarrow as pa
    from pyarrow import parquet

    late = pa.table({"problem": pa.array([1, 10**7], pa.date32()), "algorithm": ["a", "b"], "score": [1.0, 2.0]})
    with pytest.raises(ReadingError, match="column 'problem', row 2, cannot be read"):
        bo.read_scores(late, "lower")
    with pytest.raises(ReadingError, match="the columns cannot be read"):
        bo.read_scores(pa.table([[1.0], [2.0]], names=["a", "a"]), "lower")
    path = tmp_path / "t.parquet"
    parquet.write_table(pa.table({"p": ["u"], "colQa": [1.0], "colQb": [2.0]}), path, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"colQa", b"col\xffa"))
    assert "the columns cannot be read" in said("compare", path, "--better", "lower")
    import polars

    (tmp_path / "t.csv").write_text("problem,algorithm,score\n" + "p,a,1\n" * 200 + "p,b,oops\n")
    with pytest.raises(ReadingError, match="cannot be computed"):
        bo.read_scores(polars.scan_csv(tmp_path / "t.csv"), "lower")


# --- archives ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["t.zip", "t.tar.gz"])
def test_a_member_of_an_archive_has_the_limit_of_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A megabyte was unpacked to 612 before its first line was judged; nothing is, now."""
    monkeypatch.setattr(files, "SMALL_UNPACKED", 1 << 16)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "t.csv").write_bytes(b"1,2,3\n" * 200_000)
    if name.endswith("zip"):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.write(tmp_path / "t.csv", "t.csv")
    else:
        with tarfile.open(tmp_path / name, "w:gz") as tar:
            tar.add(tmp_path / "t.csv", "t.csv")
    monkeypatch.setattr(many_files, "_copy", lambda *of: pytest.fail("unpacked"))
    assert "'t.csv' has 1 MiB unpacked" in said("compare", tmp_path / name, "--better", "lower")


@pytest.mark.parametrize("line", [b"1,2,3\n", b"1 2 3\n", b"\n", b"# a\n", b"1,2,3,"])
def test_the_first_block_of_a_large_file_says_that_there_is_no_header(
    line: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blank lines, comments and one endless line took a minute for the same answer."""
    monkeypatch.setattr(large_csv, "LARGE", 1 << 12)
    monkeypatch.setattr(large_csv, "_HEAD", 1 << 11)
    read: list[int] = []
    table = large_csv.TextTable
    monkeypatch.setattr(large_csv, "TextTable", lambda content, *of: read.append(len(content)) or table(content, *of))
    (tmp_path / "t.csv").write_bytes(line * 8000 + b"\nproblem,a,b\nx,1,2\n")
    assert "the header is missing" in said("compare", tmp_path / "t.csv", "--better", "lower")
    assert max(read) <= 1 << 11


# --- pipes ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_a_pipe_without_a_writer_is_named_while_it_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program said nothing, for ever."""
    pipe, told = tmp_path / "pipe", threading.Event()
    os.mkfifo(pipe)
    echo = click.echo

    def heard(text: object = None, **how: Any) -> None:
        echo(text, **how)
        if str(pipe) in str(text):
            told.set()

    def write() -> None:
        assert told.wait(300)
        pipe.write_text("problem,a,b\nx,1,2\ny,2,3\n")

    monkeypatch.setattr(click, "echo", heard)
    monkeypatch.setattr(files, "PATIENCE", 0.01)
    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    done = CliRunner().invoke(main, ["compare", str(pipe), "--better", "lower"])
    writer.join(300)
    assert done.exit_code == 0
    assert "waiting for" in done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_what_is_only_looked_at_is_no_pipe(tmp_path: Path) -> None:
    """What was read to see whether it is a report, or a baseline, was lost; without a writer it was waited for."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "is no file" in said("verify", pipe)
    assert not is_baseline_store(pipe)
