"""criterion: keys of the files of 0.5 (target/criterion), and of the older ones."""

import json
import shutil
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, ReadingError
from bakeoff.wings.formats.measurements import read_measurements

SAMPLE = Path(__file__).parents[3] / "oracles" / "data" / "formats" / "criterion"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """With an older measurement of twice the time, a comparison and the report."""
    shutil.copytree(SAMPLE, tmp_path / "criterion")
    of = tmp_path / "criterion" / "fib" / "20"
    shutil.copytree(of / "new", of / "base")
    (of / "base" / "sample.json").write_text('{"sampling_mode":"Flat","iters":[10.0,10.0],"times":[300.0,310.0]}')
    (of / "change").mkdir()
    estimate = json.loads((of / "new" / "estimates.json").read_text())
    (of / "change" / "estimates.json").write_text(json.dumps({key: estimate[key] for key in ("mean", "median")}))
    (tmp_path / "criterion" / "report").mkdir()
    (tmp_path / "criterion" / "report" / "index.html").write_text("<html></html>")
    return tmp_path / "criterion"


def test_a_sample_is_time_over_iterations_in_seconds(target: Path) -> None:
    rows = read_measurements(target)
    assert list(rows.score) == pytest.approx([15.1e-9, 15.075e-9, 15.1e-9], rel=1e-15)
    assert (rows.problems.names, rows.algorithms.names) == (["fib/20"], ["new"])
    assert (rows.run_kind, rows.unit, rows.direction(None)) == ("iteration", "s", "lower")


def test_base_is_read_where_it_is_asked_for(target: Path) -> None:
    scores = bo.read_results(target, algorithm="baseline")
    assert scores.algorithms == ("base", "new")
    assert scores.runs is not None
    assert scores.runs[0, 0, :2] == pytest.approx([30e-9, 31e-9], rel=1e-15)
    of = target / "fib" / "20"
    scores = bo.read_results({"before": str(of / "base"), "after": str(of / "new" / "sample.json")})
    assert scores.algorithms == ("before", "after")
    with pytest.raises(ParameterError, match="algorithm must be 'baseline', or left out; got 'id'"):
        bo.read_results(target, algorithm="id")


def test_two_targets_are_two_labels(target: Path) -> None:
    scores = bo.read_results({"old": str(SAMPLE), "new": str(target)})
    assert (scores.algorithms, scores.problems) == (("old", "new"), ("fib/20",))


def test_targets_of_one_label_are_processes(target: Path) -> None:
    rows = read_measurements({"old": str(SAMPLE)}, label={"old": str(target)})
    assert rows.runs.names == ["1.0", "1.1", "1.2", "2.0", "2.1", "2.2"]


def test_estimates_alone_are_refused(target: Path) -> None:
    (target / "fib" / "20" / "new" / "sample.json").unlink()
    with pytest.raises(ReadingError, match=r"estimates\.json has only estimates; .*sample\.json"):
        read_measurements(target)


def test_before_0_3_a_sample_is_two_lists_and_estimates_are_in_capitals(tmp_path: Path) -> None:
    """And there is no benchmark.json: the folder is the name."""
    new = tmp_path / ".criterion" / "fib" / "20" / "new"
    new.mkdir(parents=True)
    (new / "sample.json").write_text("[[1.0,2.0],[10.0,24.0]]")
    estimates = json.loads((SAMPLE / "fib" / "20" / "new" / "estimates.json").read_text())
    (new / "estimates.json").write_text(json.dumps({"Mean": estimates["mean"], "MedianAbsDev": estimates["median"]}))
    rows = read_measurements(tmp_path / ".criterion")
    assert (rows.problems.names, list(rows.score)) == (["fib/20"], [1e-8, 1.2e-8])


def test_samples_that_do_not_fit_together(target: Path) -> None:
    path = target / "fib" / "20" / "new" / "sample.json"
    for iters in ("[1.0]", "[1.0,0.0]"):
        path.write_text(f'{{"sampling_mode":"Flat","iters":{iters},"times":[1.0,2.0]}}')
        with pytest.raises(ReadingError, match=r"sample\.json must have as many times as numbers of iterations"):
            read_measurements(target)
