"""go test -bench: the files are of Go 1.19.8."""

from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"
FRESH = FILES / "go_1.19.8.txt"


def test_the_number_of_processors_is_not_of_the_name() -> None:
    rows = read_measurements(FRESH)
    assert rows.problems.names[:2] == ["example.com/x.BenchmarkSort/size-8", "example.com/x.BenchmarkSort/size-16"]
    assert {origin.machine for origin in rows.origins} == {"Intel(R) Xeon(R) Processor 2"}


def test_but_it_is_where_it_was_varied() -> None:
    """go test -cpu 1,2 and names that end in a number of their own."""
    rows = read_measurements(FILES / "go_cpu.txt")
    names = [name.removeprefix("example.com/x.BenchmarkSort/") for name in rows.problems.names]
    assert names == ["size-8", "size-8-2", "size-16", "size-16-2"]


def test_repetitions_are_iterations_of_one_process() -> None:
    rows = read_measurements(FRESH)
    assert (rows.runs.names, rows.run_kind) == (["0", "1"], "iteration")
    assert list(rows.score)[:2] == [672.2e-9, 624.4e-9]


def test_benchmarks_that_failed_have_a_status() -> None:
    """Also the sub-benchmark; the one that it is part of measures nothing."""
    rows = read_measurements(FRESH)
    failed = [rows.problems[p] for p, s in zip(rows.problem, rows.status, strict=True) if rows.statuses[s] == "failed"]
    assert failed == ["example.com/x.BenchmarkBad", "example.com/x.BenchmarkSub/bad"]
    with pytest.raises(MissingScoreError, match=r"BenchmarkBad.*\(failed\)"):
        bo.read_results({"old": str(FRESH), "new": str(FRESH)})
    assert read_measurements(FILES / "go_verbose.txt").statuses.names == ["ok", "failed", "skipped"]


def test_metrics_by_unit_and_rates_are_better_higher() -> None:
    rate = read_measurements(FRESH, choices=Choices(metric="MB/s"))
    assert (rate.direction(None), rate.score[0], rate.unit) == ("higher", 11.90, "MB/s")
    assert read_measurements(FRESH, choices=Choices(metric="hits/s")).direction(None) == "higher"
    assert read_measurements(FRESH, choices=Choices(metric="swaps/op")).direction(None) == "lower"
    allocations = read_measurements(FRESH, choices=Choices(metric="B/op"))
    assert (allocations.score[0], allocations.direction(None)) == (88.0, "lower")


def test_a_unit_has_the_direction_that_the_file_gives(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("BenchmarkX-4  10  5 ns/op  0.9 accuracy\n")
    rows = read_measurements(tmp_path / "b.txt", choices=Choices(metric="accuracy"))
    with pytest.raises(ParameterError, match="better is needed"):
        rows.direction(None)
    (tmp_path / "b.txt").write_text("Unit accuracy better=higher\nBenchmarkX-4  10  5 ns/op  0.9 accuracy\n")
    assert read_measurements(tmp_path / "b.txt", choices=Choices(metric="accuracy")).direction(None) == "higher"


def test_one_name_in_two_packages_is_two_problems(tmp_path: Path) -> None:
    lines = "pkg: a\nBenchmarkX-4  10  5 ns/op\npkg: b\nBenchmarkX-4  10  7 ns/op\nBenchmarkX-4  10  8 ns/op\n"
    (tmp_path / "b.txt").write_text(lines)
    rows = read_measurements(tmp_path / "b.txt")
    assert [(rows.problems[p], rows.runs[r]) for p, r in zip(rows.problem, rows.run, strict=True)] == [
        ("a.BenchmarkX", "0"),
        ("b.BenchmarkX", "0"),
        ("b.BenchmarkX", "1"),
    ]


def test_lines_of_logs_are_no_measurements() -> None:
    assert sum("BenchmarkLog" in name for name in read_measurements(FRESH).problems.names) == 1
