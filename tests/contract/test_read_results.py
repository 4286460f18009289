"""read_results(): what other programs wrote. The files in tests/oracles/data/formats are those of the real tools."""

import gzip
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, MissingScoreError, ReadingError

FILES = Path(__file__).parents[1] / "oracles" / "data" / "formats"


def test_hyperfine_times_of_two_builds() -> None:
    file = str(FILES / "hyperfine.json")
    scores = bo.read_results({"old": file, "new": file})
    assert (scores.algorithms, scores.problems, scores.better) == (("old", "new"), ("grep", "awk"), "lower")
    assert (scores.run_kind, scores.metric) == ("process", "time")
    assert scores.runs is not None
    assert scores.runs[0, 0].tolist() == [
        0.001709189,
        0.00158248,
        0.001494499,
        0.0015353300000000001,
        0.0014911940000000002,
    ]


def test_one_algorithm_is_no_comparison() -> None:
    with pytest.raises(
        ReadingError, match=r"got 1, 'pytest_benchmark'\. Give the files of .*\(label=\), .*\(algorithm=\)"
    ):
        bo.read_results(FILES / "pytest_benchmark.json")


def test_packed_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "run.json.gz").write_bytes(gzip.compress((FILES / "hyperfine.json").read_bytes()))
    assert bo.read_results({"old": str(tmp_path / "run.json.gz"), "new": str(FILES / "hyperfine.json")}).problems == (
        "grep",
        "awk",
    )


def test_commands_that_failed_have_no_time() -> None:
    """`false` takes 1 ms, and would win."""
    file = str(FILES / "hyperfine_param_fail.json")
    with pytest.raises(MissingScoreError, match=r"\(failed\)"):
        bo.read_results({"old": file, "new": file}, label={"old": file, "new": file})


def test_what_is_not_recognised(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(ReadingError, match=r"notes\.txt.*not a format that is recognised \(bakeoff import -h"):
        bo.read_results(tmp_path / "notes.txt")
    with pytest.raises(BakeoffError, match=r"format must be auto .*got 'hyperfin'; did you mean .hyperfine."):
        bo.read_results(FILES / "hyperfine.json", "hyperfin")


def test_go_benchmarks_are_seconds_of_iterations() -> None:
    file = str(FILES / "go_bench.txt")
    scores = bo.read_results({"old": file, "new": file})
    assert scores.problems == ("x.BenchmarkSort/n=64", "x.BenchmarkSort/n=512")
    assert scores.runs is not None
    assert scores.runs[0, 0] == pytest.approx([522.2e-9, 581e-9, 266.7e-9], rel=1e-15)
    assert scores.run_kind == "iteration"
    memory = bo.read_results({"old": file, "new": file}, metric="B/op")
    assert memory.runs is not None
    assert memory.runs[1, 0].tolist() == [4120] * 3
