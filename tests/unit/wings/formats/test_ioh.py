"""IOHprofiler: the files are of ioh 0.3.22."""

import json
import shutil
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, ReadingError
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements

SAMPLE = Path(__file__).parents[3] / "oracles" / "data" / "formats" / "ioh"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(SAMPLE, tmp_path / "ioh")
    return tmp_path / "ioh"


def test_the_best_y_of_each_run_as_the_function_has_it() -> None:
    rows = read_measurements(SAMPLE)
    assert rows.problems.names == ["Sphere/d2/i1", "Ellipsoid/d2/i1"]
    assert rows.algorithms.names == ["RS"]
    assert list(rows.score) == [0.8314089145018999, 6.264700402608059, 4743.963022179268, 125843.02985783521]
    assert (rows.metric, rows.run_kind, rows.direction(None)) == ("best y", "seed", "lower")
    assert {origin.version for origin in rows.origins} == {"0.3.22"}


def test_the_direction_is_that_of_the_file(copy: Path) -> None:
    for path in copy.rglob("*.json"):
        path.write_text(path.read_text().replace('"maximization": false', '"maximization": true'))
    assert bo.read_results({"a": str(copy), "b": str(copy)}).better == "higher"


def test_parts_of_the_problem() -> None:
    rows = read_measurements(SAMPLE, choices=Choices(problem="function, dimension"))
    assert rows.problems.names == ["Sphere/d2", "Ellipsoid/d2"]
    with pytest.raises(
        ParameterError, match=r"problem must be some of function, dimension, instance.*'instances'; did"
    ):
        read_measurements(SAMPLE, choices=Choices(problem="function,instances"))


def test_evaluations_to_a_target_and_budgets_that_ended_first() -> None:
    """In the file of f2: run 1 is at 4743.96 after 28 evaluations, run 2 never below 125843."""
    rows = read_measurements(SAMPLE, choices=Choices(metric="evals to 5000"))
    assert list(rows.score)[:3] == [1.0, 1.0, 28.0]
    assert [rows.statuses[code] for code in rows.status] == ["ok", "ok", "ok", "timeout"]
    assert rows.direction(None) == "lower"
    with pytest.raises(ParameterError, match=r"metric must name a number as the target"):
        read_measurements(SAMPLE, choices=Choices(metric="evals to zero"))


def test_trajectories_that_do_not_fit(copy: Path) -> None:
    data = copy / "RS" / "data_f1_Sphere" / "IOHprofiler_f1_DIM2.dat"
    data.write_text("evaluations raw_y\n1 5.0\n")
    with pytest.raises(ReadingError, match=r"IOHprofiler_f1_DIM2\.dat has 1 run, .*json names 2"):
        read_measurements(copy, choices=Choices(metric="evals to 1"))
    data.unlink()
    with pytest.raises(ReadingError, match="is not there, which"):
        read_measurements(copy, choices=Choices(metric="evals to 1"))
    read_measurements(copy)  # the best is in the JSON


def test_runs_without_a_finite_best_have_failed(copy: Path) -> None:
    path = next(copy.rglob("*Sphere.json"))
    report = json.loads(path.read_text())
    report["scenarios"][0]["runs"][0]["best"]["y"] = float("inf")
    path.write_text(json.dumps(report))
    rows = read_measurements(copy)
    assert rows.statuses[rows.status[0]] == "failed"


def test_a_run_without_records_is_none_for_a_target(copy: Path) -> None:
    """It would count as a run that never reached it."""
    data = copy / "RS" / "data_f1_Sphere" / "IOHprofiler_f1_DIM2.dat"
    head = data.read_text().split("\n", 1)[0]
    data.write_text(f"{head}\n1 5.0\n{head}\n")
    with pytest.raises(ReadingError, match=r"IOHprofiler_f1_DIM2\.dat has 1 run, .*json names 2"):
        read_measurements(copy, choices=Choices(metric="evals to 1"))
