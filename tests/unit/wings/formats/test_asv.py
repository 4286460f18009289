"""asv: the files are of version 0.6.6."""

import json
import math
import shutil
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"
SAMPLE = FILES / "asv"
FRESH = FILES / "asv_0.6.6"
WITH_SAMPLES = FRESH / "host" / "648481d3-existing-python3.11.json"
WITHOUT = FRESH / "host" / "49f51c91-existing-python3.11.json"


def changed(folder: Path, **entries: object) -> Path:
    shutil.copytree(SAMPLE, folder / "asv")
    path = folder / "asv" / "f0d73ca0-existing.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | entries))
    return folder / "asv"


def test_combinations_of_parameters_in_the_order_of_a_product() -> None:
    rows = read_measurements(SAMPLE)
    assert rows.problems.names[1:] == [
        f"b.Suite.time_sort/n={n}/algo={algo}" for n in (100, 1000) for algo in ("sorted", "list")
    ]
    assert rows.algorithms.names == ["f0d73ca0"]
    of = [s for p, s in zip(rows.problem, rows.score, strict=True) if rows.problems[p].endswith("n=1000/algo=sorted")]
    assert of == [3.884850002577878e-06, 3.7405500734166706e-06, 3.7551000332314287e-06, 3.755450097742141e-06]
    assert (rows.unit, rows.run_kind, rows.direction(None)) == ("s", "iteration", "lower")


def test_null_has_failed_and_nan_was_skipped() -> None:
    """Two things that are both no number; NaN is no JSON to a strict parser."""
    rows = read_measurements(SAMPLE)
    said = {rows.problems[p]: rows.statuses[s] for p, s in zip(rows.problem, rows.status, strict=True)}
    assert said["b.time_fail"] == "failed"
    assert said["b.Suite.time_sort/n=1000/algo=list"] == "skipped"
    assert sum(math.isnan(score) for score in rows.score) == 2
    with pytest.raises(MissingScoreError, match=r"b\.time_fail.*\(failed\)"):
        bo.read_results({"old": str(SAMPLE), "new": str(SAMPLE)}, label={"old": str(SAMPLE), "new": str(SAMPLE)})
    with pytest.raises(ReadingError, match="at least 2 algorithms"):
        bo.read_results(SAMPLE)


def test_short_rows_lack_their_last_columns() -> None:
    """A tracked value has no statistics and no samples: it was measured once."""
    rows = read_measurements(SAMPLE, choices=Choices(metric="tracked value"))
    assert list(rows.score)[:3] == [0.05, 0.05, 0.5]
    assert (rows.unit, rows.runs.names, rows.run_kind) == ("acc", ["0"], "process")


def test_the_direction_of_tracked_values_is_asked_for() -> None:
    """asv takes lower for better, of an accuracy too."""
    rows = read_measurements(SAMPLE, choices=Choices(metric="tracked value"))
    with pytest.raises(ParameterError, match="better is needed"):
        rows.direction(None)
    assert rows.direction("higher") == "higher"


def test_medians_without_samples_are_refused() -> None:
    with pytest.raises(ReadingError, match=r"b\.Suite\.time_sort has no samples, only their median.*--record-samples"):
        read_measurements(WITHOUT)


def test_memory_is_a_metric_of_its_own() -> None:
    peak = read_measurements(WITH_SAMPLES, choices=Choices(metric="peak memory"))
    assert (peak.score[0], peak.unit, peak.direction(None)) == (24731648, "B", "lower")
    assert read_measurements(WITH_SAMPLES, choices=Choices(metric="peakmem")).score[0] == 24731648  # asv's own word
    objects = read_measurements(WITH_SAMPLES, choices=Choices(metric="memory of an object"))
    assert objects.score[0] == 856


def test_commits_are_the_algorithms_and_changed_benchmarks_are_told() -> None:
    rows = read_measurements(FRESH, choices=Choices(metric="tracked value"))
    assert rows.algorithms.names == ["648481d3", "49f51c91"]  # in the order of time
    assert {origin.commit[:8] for origin in rows.origins} == {"49f51c91", "648481d3"}
    assert rows.differing == {}
    peak = read_measurements(FRESH, choices=Choices(metric="peak memory"))
    assert next(iter(peak.differing)) == "b.Suite.peakmem_sort/n=100/algo=sorted"  # its code changed between the two


def test_where_it_is_from() -> None:
    origin = next(iter(read_measurements(WITH_SAMPLES).origins))
    assert (origin.tool, origin.machine) == ("asv", "Intel(R) Xeon(R) Processor 2")
    assert origin.date.startswith("2026-11-22")


def test_a_parameter_can_be_the_algorithm(tmp_path: Path) -> None:
    results = json.loads((SAMPLE / "f0d73ca0-existing.json").read_text())["results"]
    del results["b.time_fail"]
    rows = read_measurements(changed(tmp_path, results=results), choices=Choices(algorithm="algo"))
    assert (rows.algorithms.names, rows.problems.names[0]) == (["sorted", "list"], "b.Suite.time_sort/n=100")
    with pytest.raises(
        ParameterError, match=r"algorithm must be a parameter of every benchmark; 'b.time_fail' has none"
    ):
        read_measurements(SAMPLE, choices=Choices(algorithm="algo"))


def test_without_benchmarks_json_names_tell_what_is_measured(tmp_path: Path) -> None:
    shutil.copy(SAMPLE / "f0d73ca0-existing.json", tmp_path / "x.json")
    rows = read_measurements(tmp_path / "x.json")
    assert rows.problems.names[1] == "b.Suite.time_sort/param1=100/param2=sorted"


def test_several_machines_and_mixed_commits_are_refused(tmp_path: Path) -> None:
    shutil.copytree(FRESH, tmp_path / "r")
    other = tmp_path / "r" / "host" / "other.json"
    other.write_text(WITH_SAMPLES.read_text().replace('"machine": "host"', '"machine": "laptop"'))
    with pytest.raises(ReadingError, match=r"several machines \(host, laptop\); give the folder of one"):
        read_measurements(tmp_path / "r")
    with pytest.raises(ReadingError, match="'old' names results of several commits"):
        read_measurements({"old": str(FRESH)})


FIRST = {
    "date": 1367127519000,
    "params": {"machine": "lab", "cpu": "c"},
    "python": "2.7",
    "requirements": {},
    "version": 1,
}


def of_the_first_format(folder: Path, **results: object) -> Path:
    for commit in ("aaaa1111", "bbbb2222"):
        path = folder / f"{commit}-py2.7.json"
        path.write_text(json.dumps({"commit_hash": commit * 5, **FIRST, "results": results}, indent=4, sort_keys=True))
    return folder


def test_the_first_format_has_numbers_and_objects(tmp_path: Path) -> None:
    """Public histories hold hundreds of such files: they were not recognised."""
    grid = {"params": [["1", "2"], ["'a'", "'b'"]], "result": [1, 4, None, math.nan]}
    folder = of_the_first_format(tmp_path, time_plain=0.25, **{"m.time_fails": None, "m.time_grid": grid})
    rows = read_measurements(folder)
    assert rows.algorithms.names == ["aaaa1111", "bbbb2222"]
    assert rows.problems.names == [
        *("m.time_fails", "m.time_grid/param1=1/param2=a", "m.time_grid/param1=1/param2=b"),
        *("m.time_grid/param1=2/param2=a", "m.time_grid/param1=2/param2=b", "time_plain"),
    ]
    assert [rows.statuses[s] for s in rows.status][:6] == ["failed", "ok", "ok", "failed", "skipped", "ok"]
    assert (rows.metric, rows.unit, rows.direction(None)) == ("time", "s", "lower")
    scores = bo.read_results(folder, missing="drop")
    assert scores.values.tolist() == [[1, 1], [4, 4], [0.25, 0.25]]
    assert read_measurements(folder, choices=Choices(metric="median time")).score[-1] == 0.25


def test_samples_and_versions_of_the_first_format(tmp_path: Path) -> None:
    """Samples came later, beside the results; versions of all benchmarks stand before all else."""
    own = {"params": [["1", "2"]], "result": [2, 3], "samples": [[1, 2, 3], [3]]}
    folder = of_the_first_format(tmp_path, **{"m.time_grid": own, "m.mem_all": 7})
    for path in folder.iterdir():
        versions = {f"m.time_{i}": "0" * 63 + path.name[0] for i in range(2000)} | {"m.time_grid": path.name[0] * 64}
        path.write_text(json.dumps({"benchmark_version": versions, **json.loads(path.read_text())}, indent=4))
    with pytest.raises(ReadingError, match="every problem was measured in different versions"):
        bo.read_results(folder)
    rows = read_measurements(folder / "aaaa1111-py2.7.json")
    assert (list(rows.score), rows.run_kind) == ([1, 2, 3, 3], "iteration")


@pytest.mark.parametrize("other", [{"date": "2020"}, {"params": 1, "date": 17}, {"benchmark_version": "1"}])
def test_what_has_a_commit_is_not_of_asv_yet(other: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"commit_hash": "a", "results": {}, **other}))
    with pytest.raises(ReadingError, match="not a format that is recognised"):
        bo.read_results(tmp_path / "a.json")
