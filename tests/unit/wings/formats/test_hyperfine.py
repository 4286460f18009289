"""hyperfine: the files are of hyperfine 1.15.0."""

import json
from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, ReadingError
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"
PARAMETERS = FILES / "hyperfine_1.15.0_parameters.json"


def written(folder: Path, *results: dict[str, Any]) -> Path:
    path = folder / "run.json"
    path.write_text(json.dumps({"results": results}))
    return path


def test_parameters_name_the_problems_and_their_places_the_commands() -> None:
    scores = bo.read_results(PARAMETERS)
    assert (scores.problems, scores.algorithms) == (("n=10", "n=20"), ("seq {n}", "seq 1 {n}"))
    assert scores.runs is not None
    assert scores.runs[0, 0].tolist() == [0.0039674223199999996, 0.007879410319999999, 0.0038816253199999992]
    assert scores.run_kind == "process"


def test_a_parameter_can_be_the_algorithm(tmp_path: Path) -> None:
    results = [
        {"command": f"{p} {n}", "times": [1.0, 2.0], "exit_codes": [0, 0], "parameters": {"tool": p, "n": n}}
        for p in ("grep", "rg")
        for n in ("1", "2")
    ]
    rows = read_measurements(written(tmp_path, *results), choices=Choices(algorithm="tool"))
    assert (rows.algorithms.names, rows.problems.names) == (["grep", "rg"], ["n=1", "n=2"])
    with pytest.raises(ParameterError, match=r"algorithm must be a parameter of the commands \(tool, n\); got 'x'"):
        read_measurements(tmp_path / "run.json", choices=Choices(algorithm="x"))


def test_a_labelled_file_is_a_build() -> None:
    rows = read_measurements({"old": str(PARAMETERS)})
    assert (rows.algorithms.names, rows.problems.names) == (["old"], ["seq 10", "seq 1 10", "seq 20", "seq 1 20"])


def test_one_command_with_several_parameters_is_several_problems(tmp_path: Path) -> None:
    results = [{"command": "x", "times": [1.0], "parameters": {"n": n}} for n in ("1", "2")]
    assert read_measurements({"a": str(written(tmp_path, *results))}).problems.names == ["x/n=1", "x/n=2"]


def test_a_killed_command_is_faster_than_true_and_has_no_time() -> None:
    """Exit code 137 with -i; in newer versions null."""
    rows = read_measurements(FILES / "hyperfine_1.15.0_killed.json")
    assert [rows.statuses[code] for code in rows.status] == ["failed", "failed", "ok", "ok"]
    assert [value == value for value in rows.score] == [False, False, True, True]


def test_exit_codes(tmp_path: Path) -> None:
    file = written(tmp_path, {"command": "x", "times": [1.0, 0.1, 0.2], "exit_codes": [0, None, 1]})
    rows = read_measurements(file)
    assert [rows.statuses[code] for code in rows.status] == ["ok", "killed", "failed"]
    assert rows.score[0] == 1.0


def test_memory_of_newer_versions_is_a_metric_of_its_own(tmp_path: Path) -> None:
    file = written(tmp_path, {"command": "x", "times": [1.0], "exit_codes": [0], "memory_usage_byte": [4096]})
    assert list(read_measurements(file).score) == [1.0]
    memory = read_measurements(file, choices=Choices(metric="memory"))
    assert (list(memory.score), memory.unit) == ([4096.0], "B")


def test_aggregates_are_refused(tmp_path: Path) -> None:
    for name in ("hyperfine.csv", "hyperfine_parameters.csv"):
        with pytest.raises(ReadingError, match=rf"{name} has only means of the times; .*--export-json"):
            read_measurements(FILES / name)
    with pytest.raises(ReadingError, match=r"run\.json: results\[0\] has no times, only their mean"):
        read_measurements(written(tmp_path, {"command": "x", "mean": 1.0}))


def test_several_files_of_one_label_are_their_runs_one_after_another() -> None:
    file = str(PARAMETERS)
    rows = read_measurements({"old": file}, label={"old": file})
    assert rows.runs.names == ["1.0", "1.1", "1.2", "2.0", "2.1", "2.2"]


def test_files_of_the_same_commands_are_builds(tmp_path: Path) -> None:
    for name in ("v1.0.json", "v1.1.json"):
        (tmp_path / name).write_bytes(PARAMETERS.read_bytes())
    scores = bo.read_results([str(tmp_path / "v1.0.json"), str(tmp_path / "v1.1.json")])
    assert (scores.algorithms, scores.problems[:2]) == (("v1.0", "v1.1"), ("seq 10", "seq 1 10"))


def test_a_file_given_twice() -> None:
    file = str(PARAMETERS)
    with pytest.raises(ReadingError, match=r"12 measurements occur more than once.*Give each file a label \(label=\)"):
        bo.read_results([file, file])


def test_choices_that_do_not_apply() -> None:
    with pytest.raises(
        ParameterError, match="run does not apply to hyperfine, whose files say it themselves; leave it out"
    ):
        bo.read_results(PARAMETERS, run="seed")
