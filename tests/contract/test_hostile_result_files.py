"""Files of other programs from people who do not mean well, and folders of people who are new."""

import gzip
import json
import os
import re
import time
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ReadingError
from bakeoff.wings.formats import source_file

FILES = Path(__file__).parents[1] / "oracles" / "data" / "formats"
GO = FILES / "go_bench.txt"


def said(*args: object, code: int = 2) -> str:
    found = CliRunner().invoke(main, [str(arg) for arg in args])
    assert found.exit_code == code, found.output
    return " ".join(found.output.split())


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Bytes that any file may unpack to, so that the bombs here need not be large."""
    monkeypatch.setattr(source_file, "_ALWAYS", 1 << 16)
    return 1 << 22


@pytest.mark.parametrize(
    "head",
    [
        '{"results":[{"command":"',
        "Resamples:,0,1\nx",
        '{"doc_id": 0, "doc": "',
        "goos: linux\npkg: x\nBenchmarkA-2 1 5 ns/op\nx",
    ],
)
def test_a_gzip_bomb_is_not_unpacked(small: int, head: str, tmp_path: Path) -> None:
    """3 MB became 3 GB in memory."""
    path = tmp_path / "x.json.gz"
    path.write_bytes(gzip.compress(head.encode() + b"a" * small))
    with pytest.raises(ReadingError, match=r"unpacks to more than 250 times its size.*gunzip"):
        bo.read_results(path)
    path.write_bytes(gzip.compress(json.dumps({"results": [{"command": c, "times": [1.0]} for c in "ab"]}).encode()))
    assert bo.read_results(path).n_algorithms == 2


@pytest.mark.parametrize("member", ["header.json", "summaries.json", "_journal/summaries/1.json"])
def test_a_zip_bomb_is_not_unpacked(small: int, member: str, tmp_path: Path) -> None:
    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if member != "header.json":
            archive.writestr("_journal/start.json" if "_journal" in member else "header.json", '{"eval": {}}')
        archive.writestr(member, b" " * small)
    with pytest.raises(ReadingError, match=r"its scores unpack to 4 MiB"):
        bo.read_results(path)


def test_utf_16_as_powershell_writes_it(tmp_path: Path) -> None:
    """> of Windows PowerShell writes UTF-16, which was not recognised."""
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text(GO.read_text(), encoding="utf-16")
    new.write_text(GO.read_text().replace("\n", "\r\n"), encoding="utf-8-sig")
    found = bo.read_results([old, new])
    assert found.algorithms == ("old", "new")
    assert (found.values[:, 0] == found.values[:, 1]).all()


def test_what_is_neither_file_nor_folder(tmp_path: Path) -> None:
    """The message was: there is no such file; did you mean this one?"""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/null"):
        assert "it is a pipe, socket or device; write what it gives to a file" in said(
            "import", "auto", path, "-o", "-"
        )
    (tmp_path / "empty").mkdir()
    assert "is a folder without files" in said("compare", tmp_path / "empty")


@pytest.mark.parametrize("command", ["compare", "bayes", "evaluate", "iqm", "per-problem", "sensitivity", "race"])
def test_one_build_alone_needs_another(command: str) -> None:
    text = said(command, GO)
    assert (
        "got 1, 'go_bench'. Give the files of another build or model too, with a name each (--label NAME=FILE)" in text
    )


def test_a_misspelt_metric_beside_a_benchmark_that_failed() -> None:
    """The failed one passed for a benchmark that has it, and --better was asked for."""
    text = said("compare", FILES / "google_benchmark.json", "--metric", "real_tme")
    assert "--metric must be one of real_time, cpu_time; got 'real_tme'; did you mean --metric real_time?" in text


def test_measurements_that_occur_twice_are_not_imported(tmp_path: Path) -> None:
    path = tmp_path / "twice.json"
    path.write_text(json.dumps({"results": [{"command": "a", "times": [1.0, 2.0]}] * 2}))
    assert "2 measurements occur more than once" in said("import", "auto", path, "-o", tmp_path / "x.csv")
    assert not (tmp_path / "x.csv").exists()


def test_check_says_which_label_it_wants() -> None:
    file = FILES / "optuna.db"
    text = said("check", file, file, "--margin", "5%")
    assert "--label RandomSampler (two names: that of the baseline, and that of new)" in text
    said("check", file, file, "--margin", "5%", "--label", "RandomSampler", code=3)


def test_a_frame_of_optuna_is_named_by_its_label() -> None:
    file = FILES / "optuna_trials_dataframe.csv"
    assert "label a file with --label NAME=FILE, such as iris__tpe__0" in said("compare", file, "--better", "lower")
    labels = [word for name in ("iris__tpe__0", "iris__random__0") for word in ("--label", f"{name}={file}")]
    said("compare", *labels, "--better", "lower", code=0)


@pytest.mark.parametrize(
    "head",
    [
        " \t" * 32_000 + "x",
        "goos: linux\n" + " " * 65_000,
        "funcId=1 " * 7_000,
        "Benchmark " * 6_500,
        '{"mean": ' * 7_000,
    ],
    ids=["blanks", "blanks of go", "coco", "go", "json"],
)
def test_signatures_are_looked_for_in_linear_time(head: str, tmp_path: Path) -> None:
    """64 kB of blanks took 12 s: of each, those after it were looked at."""
    path = tmp_path / "x"
    path.write_text(head)
    start = time.process_time()
    with pytest.raises(ReadingError, match="not a format that is recognised"):
        bo.read_results(path)
    assert time.process_time() - start < 2.0


def test_a_store_is_a_file() -> None:
    """Of /dev/full, zeros were read until the memory was full."""
    assert "it is a pipe, socket or device; name a file" in said("time", "true", ":", "--store", "/dev/full")
    assert "it is no file" in said("baseline", "update", GO, "--store", "/dev/full")


@pytest.mark.parametrize("seconds", ["-1.0", "0", '"1.5"', "true", "NaN"])
def test_times_that_the_store_itself_would_refuse(seconds: str, tmp_path: Path) -> None:
    path = tmp_path / "times.jsonl"
    said("time", "true", "true", "--name", "a", "--name", "b", "--rounds", "2", "--store", path, code=0)
    head, *rounds = path.read_text().splitlines(keepends=True)
    path.write_text(head + re.sub(r'("seconds": )[0-9.e-]+', rf"\g<1>{seconds}", "".join(rounds)))
    with pytest.raises(ReadingError, match="seconds must be a number above 0"):
        bo.read_results(path)


def test_a_time_below_0_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"results": [{"command": c, "times": [1.0, -1.0]} for c in "ab"]}))
    with pytest.raises(ReadingError, match=r"algorithm 'a': a time below 0, -1 s"):
        bo.read_results(path)


def test_per_problem_does_not_pass_over_iterations_in_silence() -> None:
    """Five rounds of one process, 30 % slower, were "worse" on two of four benchmarks, without a word."""
    file = FILES / "pytest_benchmark.json"
    found = bo.per_problem(bo.read_results({"old": file, "new": file}))
    assert ("dependence", "stop") in [(each.code, each.severity) for each in found.cautions]
    fresh = bo.per_problem(bo.read_results(FILES / "hyperfine.json"))  # a process each
    assert "dependence" not in [each.code for each in fresh.cautions]
    with pytest.raises(ReadingError, match="has no file"):
        bo.read_results(None)
