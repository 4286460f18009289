"""pytest-benchmark: the files are of version 5.3.1."""

import json
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"
SAMPLE = FILES / "pytest_benchmark.json"
FRESH = FILES / "pytest_benchmark_5.3.1.json"


def test_of_two_builds_the_tests_are_the_problems() -> None:
    scores = bo.read_results({"old": str(SAMPLE), "new": str(SAMPLE)})
    assert scores.algorithms == ("old", "new")
    assert scores.problems[0] == "test_b.py::test_sort[100-sorted]"
    assert (scores.better, scores.run_kind, scores.metric) == ("lower", "iteration", "time")
    assert scores.runs is not None
    assert scores.runs[0, 0, 0] == 1.1964998520852532e-06  # seconds of one call, as the file has it
    assert scores.runs.shape == (4, 2, 5)


def test_a_parameter_as_the_algorithm_leaves_the_problem() -> None:
    for wanted in ("params.algo", "algo"):
        scores = bo.read_results(SAMPLE, algorithm=wanted)
        assert scores.algorithms == ("sorted", "list_sort")
        assert scores.problems == ("test_b.py::test_sort/n=100", "test_b.py::test_sort/n=1000")


def test_objects_as_parameters_are_named_without_their_address(tmp_path: Path) -> None:
    """UNSERIALIZABLE[<... object at 0x7fed30d50b50>] differs from process to process."""
    report = json.loads(FRESH.read_text())
    report["benchmarks"] = [test for test in report["benchmarks"] if "test_sort" in test["name"]]
    (tmp_path / "b.json").write_text(json.dumps(report))
    scores = bo.read_results(tmp_path / "b.json", algorithm="params.algo")
    assert scores.algorithms == ("<built-in function sorted>", "<class 'list'>", "<test_b.Thing object>")
    assert scores.problems == ("test_b.py::test_sort/n=10", "test_b.py::test_sort/n=100")


def test_a_test_without_the_parameter_is_named() -> None:
    with pytest.raises(
        ParameterError, match=r"algorithm must be known of every test; 'test_b.py::test_plain' has none"
    ):
        bo.read_results(FRESH, algorithm="params.algo")
    with pytest.raises(ParameterError, match=r"algorithm must be a parameter of the tests \(params.NAME\)"):
        bo.read_results(FRESH, algorithm="stats.mean")


def test_numbers_of_rounds_may_differ_and_all_are_of_one_process() -> None:
    rows = read_measurements(FRESH)
    assert rows.problems.names[-1] == "test_b.py::test_plain"
    assert len(rows) == 6 * 4 + 2 * 3 + 3
    assert rows.runs.names == ["0", "1", "2", "3"]
    assert not any("test_crash" in name for name in rows.problems.names)  # pytest-benchmark leaves it out


def test_a_test_that_crashed_in_one_build_is_missing_there(tmp_path: Path) -> None:
    report = json.loads(SAMPLE.read_text())
    del report["benchmarks"][1]
    (tmp_path / "new.json").write_text(json.dumps(report))
    with pytest.raises(MissingScoreError, match=r"test_sort\[100-list_sort\]"):
        bo.read_results({"old": str(SAMPLE), "new": str(tmp_path / "new.json")})


def test_saved_files_without_data_are_refused() -> None:
    with pytest.raises(ReadingError, match=r"benchmarks\[0\]\.stats has no single times.*--benchmark-save-data"):
        read_measurements(FILES / "pytest_benchmark_save.json")


def test_where_it_is_from() -> None:
    [origin] = read_measurements(FRESH).origins
    assert (origin.tool, origin.version, origin.machine) == (
        "pytest-benchmark",
        "5.3.1",
        "Intel(R) Xeon(R) Processor 2",
    )
    assert origin.date.startswith("2026-11-22")


def test_files_of_one_label_are_processes() -> None:
    rows = read_measurements({"old": str(SAMPLE)}, label={"old": str(SAMPLE)})
    assert rows.runs.names[:6] == ["1.0", "1.1", "1.2", "1.3", "1.4", "2.0"]


def test_extra_info_as_the_algorithm(tmp_path: Path) -> None:
    report = json.loads(FRESH.read_text())
    report["benchmarks"] = [test for test in report["benchmarks"] if "test_named" in test["name"]]
    (tmp_path / "b.json").write_text(json.dumps(report))
    rows = read_measurements(tmp_path / "b.json", choices=Choices(algorithm="extra_info.size"))
    assert rows.algorithms.names == ["3"]
    assert rows.problems.names == ["test_b.py::test_named[a]", "test_b.py::test_named[b]"]
