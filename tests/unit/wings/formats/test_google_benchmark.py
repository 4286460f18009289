"""Google Benchmark: the files are of version 1.7.1."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"
SAMPLE = FILES / "google_benchmark.json"
FRESH = FILES / "google_benchmark_1.7.1.json"


def changed(folder: Path, *rows: dict[str, Any]) -> Path:
    report = {"context": {"library_build_type": "release", "num_cpus": 8}, "benchmarks": rows}
    (folder / "b.json").write_text(json.dumps(report))
    return folder / "b.json"


ROW = {
    "name": "BM_x",
    "run_name": "BM_x",
    "run_type": "iteration",
    "real_time": 3.0,
    "cpu_time": 2.0,
    "time_unit": "us",
}


def test_repetitions_alone_are_read_not_the_aggregates_among_them() -> None:
    rows = read_measurements(SAMPLE)
    assert rows.problems.names == ["BM_sort/64/min_time:0.010", "BM_sort/512/min_time:0.010", "BM_err"]
    assert rows.score[0] == pytest.approx(126.69294263221875e-9, rel=1e-15)
    assert rows.runs.names == ["0", "1", "2"]
    assert (rows.metric, rows.unit, rows.run_kind) == ("real_time", "s", "iteration")


def test_an_error_is_no_time_of_zero() -> None:
    """The file says real_time 0.0, which would be the best score of all."""
    rows = read_measurements(SAMPLE)
    errors = [i for i, problem in enumerate(rows.problem) if rows.problems[problem] == "BM_err"]
    assert errors
    assert all(math.isnan(rows.score[i]) and rows.statuses[rows.status[i]] == "failed: boom" for i in errors)
    with pytest.raises(MissingScoreError, match=r"BM_err.*\(failed: boom\)"):
        bo.read_results({"old": str(SAMPLE), "new": str(SAMPLE)})


def test_times_of_zero_are_none(tmp_path: Path) -> None:
    """Whatever a version calls its error."""
    rows = read_measurements(changed(tmp_path, ROW, ROW | {"run_name": "BM_y", "real_time": 0.0, "cpu_time": 0.0}))
    assert [rows.statuses[code] for code in rows.status] == ["ok", "failed"]


def test_newer_versions_skip(tmp_path: Path) -> None:
    rows = read_measurements(
        changed(tmp_path, ROW, ROW | {"run_name": "BM_y", "skipped": True, "skip_message": "no GPU"})
    )
    assert [rows.statuses[code] for code in rows.status] == ["ok", "skipped: no GPU"]


def test_units_are_of_each_benchmark() -> None:
    rows = read_measurements(FRESH)
    of = dict(zip([rows.problems[p] for p in rows.problem], rows.score, strict=True))
    raw = {
        row["run_name"]: row for row in json.loads(FRESH.read_text())["benchmarks"] if row["run_type"] == "iteration"
    }
    assert raw["BM_fill<char>/n:64/iterations:200"]["time_unit"] == "us"
    assert of["BM_fill<char>/n:64/iterations:200"] == pytest.approx(
        raw["BM_fill<char>/n:64/iterations:200"]["real_time"] / 1e6, rel=1e-15
    )


def test_times_of_unknown_unit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match=r"benchmarks\[0\]\.time_unit must be one of ns, us, ms, s; got 'h'"):
        read_measurements(changed(tmp_path, ROW | {"time_unit": "h"}))


def test_cpu_time_and_counters_by_metric() -> None:
    cpu = read_measurements(SAMPLE, choices=Choices(metric="cpu_time"))
    assert cpu.score[0] == pytest.approx(126.70525372977056e-9, rel=1e-15)
    rate = read_measurements(FRESH, choices=Choices(metric="items_per_second"))
    assert rate.direction(None) == "higher"
    assert rate.problems.names[-1] == "BM_bad"  # failed, under this metric too
    depth = read_measurements(FRESH, choices=Choices(metric="depth"))
    with pytest.raises(ParameterError, match="better is needed"):
        depth.direction(None)


def test_complexity_is_no_measurement() -> None:
    assert not any("BigO" in name or "RMS" in name for name in read_measurements(FRESH).problems.names)


def test_aggregates_alone_are_refused() -> None:
    with pytest.raises(
        ReadingError, match=r"only aggregates of .*BM_fill<int>/n:64.*--benchmark_report_aggregates_only"
    ):
        read_measurements(FILES / "google_benchmark_aggregates.json")


def test_a_part_of_the_name_can_be_the_algorithm() -> None:
    rows = read_measurements(SAMPLE, choices=Choices(algorithm="1"))
    assert rows.algorithms.names == ["BM_sort", "BM_err"]
    rows = read_measurements(FRESH, choices=Choices(algorithm="1", metric="items_per_second"))
    assert rows.algorithms.names == ["BM_fill<int>", "BM_fill<char>", "BM_bad"]
    assert rows.problems.names[:2] == ["n:64/iterations:200", "n:512/iterations:200"]
    with pytest.raises(ParameterError, match=r"algorithm must be a part of the name.*'BM_bad' has no part 'n'"):
        read_measurements(FRESH, choices=Choices(algorithm="n"))


def test_old_versions_tell_aggregates_by_their_names(tmp_path: Path) -> None:
    row = {"name": "BM_x", "real_time": 3.0, "cpu_time": 2.0, "time_unit": "ns"}
    rows = read_measurements(changed(tmp_path, row, row | {"name": "BM_x_mean"}, row | {"name": "BM_x_stddev"}))
    assert rows.problems.names == ["BM_x"]


def test_where_it_is_from() -> None:
    [origin] = read_measurements(FRESH).origins
    assert origin.version == "debug"  # 1.7.1 does not write its own; a debug build is none to compare with a release
    assert origin.machine.startswith("2 processors, caches 49152 ")
