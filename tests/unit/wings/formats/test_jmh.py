"""JMH: keys of version 1.29."""

import json
from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, ReadingError
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"
SAMPLE = FILES / "jmh.json"


def written(folder: Path, **metric: Any) -> Path:
    results = [
        {
            "benchmark": f"org.x.Sort.{method}",
            "mode": "avgt",
            "threads": 1,
            "params": {"n": "10", "kind": "random"},
            "primaryMetric": {"scoreUnit": "us/op", "rawData": [[1.0, 2.0]]} | metric,
            "secondaryMetrics": {
                "gc.alloc.rate.norm": {"scoreUnit": "B/op", "rawData": [[24.0, 24.5]]},
                "gc.count": {"scoreUnit": "counts", "rawData": [[1.0, 0.0]]},
            },
        }
        for method in ("quick", "merge")
    ]
    (folder / "jmh.json").write_text(json.dumps(results))
    return folder / "jmh.json"


def test_throughput_is_better_higher_and_forks_are_processes() -> None:
    scores = bo.read_results({"old": str(SAMPLE), "new": str(SAMPLE)}, metric="thrpt")
    assert (scores.better, scores.run_kind, scores.problems) == ("higher", "iteration", ("org.x.S.hello/n=10",))
    assert scores.run_ids is not None
    assert scores.run_ids[0, 0].tolist() == ["0.0", "0.1", "0.2", "1.0", "1.1", "1.2"]


def test_modes_are_metrics_and_times_seconds() -> None:
    with pytest.raises(ParameterError, match="metric must be one of thrpt, avgt"):
        read_measurements(SAMPLE)
    rows = read_measurements(SAMPLE, choices=Choices(metric="avgt"))
    assert (rows.direction(None), rows.unit, list(rows.score)) == ("lower", "s", [0.3e-9, 0.302e-9])


def test_rates_are_per_second(tmp_path: Path) -> None:
    file = written(tmp_path, scoreUnit="ops/ms")
    assert list(read_measurements(file).score)[:2] == [1000.0, 2000.0]


def test_not_a_number_is_text(tmp_path: Path) -> None:
    """scoreError of one iteration; an iteration without a value has failed."""
    rows = read_measurements(written(tmp_path, rawData=[[1.0, "NaN"]], scoreError="NaN"))
    assert [rows.statuses[code] for code in rows.status[:2]] == ["ok", "failed"]


def test_of_a_histogram_the_mean_of_each_iteration(tmp_path: Path) -> None:
    file = written(tmp_path, rawDataHistogram=[[[[1.0, 3], [5.0, 1]], [[2.0, 10]]]], rawData=None)
    assert list(read_measurements(file).score)[:2] == [2e-6, 2e-6]


def test_means_alone_are_refused(tmp_path: Path) -> None:
    results = json.loads(SAMPLE.read_text())
    del results[0]["primaryMetric"]["rawData"]
    (tmp_path / "j.json").write_text(json.dumps(results))
    with pytest.raises(ReadingError, match=r"\[0\]\.primaryMetric has no raw data, only their mean; .*-rf json"):
        read_measurements(tmp_path / "j.json")


def test_a_parameter_or_the_method_can_be_the_algorithm(tmp_path: Path) -> None:
    file = written(tmp_path)
    rows = read_measurements(file, choices=Choices(algorithm="method"))
    assert (rows.algorithms.names, rows.problems.names) == (["quick", "merge"], ["org.x.Sort/n=10/kind=random"])
    rows = read_measurements(file, choices=Choices(algorithm="params.kind"))
    assert (rows.algorithms.names, rows.problems.names[0]) == (["random"], "org.x.Sort.quick/n=10")
    with pytest.raises(ParameterError, match="algorithm must be 'method' or a parameter"):
        read_measurements(file, choices=Choices(algorithm="size"))


def test_secondary_metrics_where_they_are_asked_for(tmp_path: Path) -> None:
    file = written(tmp_path)
    assert read_measurements(file).metric == "avgt"
    allocated = read_measurements(file, choices=Choices(metric="gc.alloc.rate.norm"))
    assert (allocated.direction(None), allocated.unit, allocated.score[1]) == ("lower", "B/op", 24.5)
    with pytest.raises(ParameterError, match="better is needed"):
        read_measurements(file, choices=Choices(metric="gc.count")).direction(None)


def test_threads_tell_benchmarks_apart(tmp_path: Path) -> None:
    results = json.loads(written(tmp_path).read_text())
    results[0]["threads"] = 4
    (tmp_path / "jmh.json").write_text(json.dumps(results[:1]))
    assert read_measurements(tmp_path / "jmh.json").problems.names == ["org.x.Sort.quick/n=10/kind=random/threads=4"]
