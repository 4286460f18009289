"""The gate on what real tools wrote: failures, vanished tests, directions, processes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main

SAMPLES = Path(__file__).parents[1] / "oracles" / "data" / "formats"


def changed(name: str, target: Path, change: Any) -> Path:
    """A copy of a sample with something changed in its JSON."""
    content = json.loads((SAMPLES / name).read_text())
    change(content)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(content))
    return target


def nothing(content: Any) -> None:
    pass


def test_google_benchmark_an_error_row_is_no_best_time(tmp_path: Path) -> None:
    """Its real_time is 0.0, the best score of all unless the error is read."""

    def repaired(content: Any) -> None:
        for row in content["benchmarks"]:
            if row.pop("error_occurred", None):
                row.pop("error_message", None)
                row.update(real_time=5.0, cpu_time=5.0, iterations=10)

    base = changed("google_benchmark.json", tmp_path / "base.json", repaired)
    found = bo.check(base, SAMPLES / "google_benchmark.json", "5%")
    assert found.decision == "regressed"
    (lost,) = [row for row in found.rows if row.verdict == "regressed"]
    assert lost.effect is None
    assert "failed" in lost.reason


def test_pytest_benchmark_a_test_that_fails_vanishes(tmp_path: Path) -> None:
    lacking = changed("pytest_benchmark.json", tmp_path / "new.json", lambda content: content["benchmarks"].pop())
    found = bo.check(SAMPLES / "pytest_benchmark.json", lacking, "5%")
    assert found.decision == "regressed"
    assert [row.reason for row in found.rows if row.verdict == "regressed"] == ["missing in new"]


def test_pytest_benchmark_a_file_per_process(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for side, factor in (("base", 1.0), ("new", 1.3)):
        for i in range(6):

            def scale(content: Any, factor: float = factor) -> None:
                for row in content["benchmarks"]:
                    process = factor * float(np.exp(rng.normal(0, 0.01)))
                    row["stats"]["data"] = [1e-6 * process * float(np.exp(rng.normal(0, 0.05))) for _ in range(30)]

            changed("pytest_benchmark.json", tmp_path / side / f"{i}.json", scale)
    found = bo.check(tmp_path / "base", tmp_path / "new", "5%")
    assert found.paired
    assert {row.runs for row in found.rows} == {(6, 6)}
    assert {row.verdict for row in found.rows} == {"regressed"}
    assert bo.check(tmp_path / "base", tmp_path / "base", "5%", run_sd=0.01).decision == "ok"


def test_jmh_doubled_throughput_is_improved(tmp_path: Path) -> None:
    """github-action-benchmark alarms at it and passes a halving."""

    def doubled(content: Any) -> None:
        content[0]["primaryMetric"]["rawData"] = [
            [2 * x for x in fork] for fork in content[0]["primaryMetric"]["rawData"]
        ]

    new = changed("jmh.json", tmp_path / "new.json", doubled)
    found = bo.check(SAMPLES / "jmh.json", new, "5%", metric="thrpt", run_sd=0.05)
    assert found.decision == "ok"
    assert found.rows[0].improved
    assert found.rows[0].runs == (2, 2)  # forks, not iterations
    assert bo.check(new, SAMPLES / "jmh.json", "5%", metric="thrpt", run_sd=0.05).decision == "regressed"
    assert bo.check(new, SAMPLES / "jmh.json", "5%", metric="thrpt").decision == "inconclusive"  # of two forks


@pytest.mark.parametrize("name", ["hyperfine.json", "pytest_benchmark.json", "google_benchmark.json", "go_bench.txt"])
def test_a_file_against_itself_is_never_regressed(name: str) -> None:
    found = bo.check(SAMPLES / name, SAMPLES / name, "5%")
    assert found.decision in ("ok", "inconclusive")
    assert "NaN" not in json.dumps(found.to_dict())
    assert bo.verify(found).ok


def test_lm_eval_question_by_question(tmp_path: Path) -> None:
    """Questions are a sample: one test of the mean; twelve equal answers rule out nothing."""
    found = bo.check(SAMPLES / "lm_eval", SAMPLES / "lm_eval", 0.01, metric="acc")
    assert (found.level, found.scale, found.decision) == ("suite", "difference", "inconclusive")
    assert found.rows[0].effect == 0.0
    assert found.rows[0].interval is not None
    assert found.rows[0].interval[1] > 0.2


def test_inspect_logs_of_two_models() -> None:
    """Answers of one question are averaged first; scores of 1/3 that cancel are a difference of 0."""
    folder = SAMPLES / "inspect"
    found = bo.check(folder / "mockllm_a.json", folder / "mockllm_b.json", 0.05)
    assert (found.level, found.unit, found.decision) == ("suite", "problem", "inconclusive")
    assert found.rows[0].effect == 0.0


def test_bakeoff_time_holds_both_sides(tmp_path: Path) -> None:
    """The file that docs/how-to/time.md documents; rounds are pairs, but only of one file."""
    rng = np.random.default_rng(2)
    head = {
        "schema": "bakeoff.time/1",
        "version": "0.1.0",
        "problem": "sort",
        "commands": [{"name": "old"}, {"name": "new"}],
        "machine": {"cpu": "EPYC", "cpus": 2, "system": "Linux"},
    }
    lines = [json.dumps(head)]
    for i in range(1, 13):
        host = float(np.exp(rng.normal(0, 0.5)))
        runs = [
            {
                "algorithm": name,
                "place": 1,
                "seconds": factor * host * float(np.exp(rng.normal(0, 0.01))),
                "status": "ok",
            }
            for name, factor in (("old", 1.0), ("new", 1.1))
        ]
        lines.append(json.dumps({"problem": "sort", "round": i, "runs": runs}))
    path = tmp_path / "times.jsonl"
    path.write_text("\n".join(lines) + "\n" + '{"problem": "sort", "round": 13, "ru')
    found = bo.check(path, path, "5%", label=("old", "new"))
    assert found.paired
    assert found.decision == "regressed"
    assert found.rows[0].runs == (12, 12)
    done = CliRunner().invoke(main, ["check", str(path), "--label", "old", "--label", "new", "--margin", "5%"])
    assert done.exit_code == 1
    other = Path(shutil.copy(path, tmp_path / "other.jsonl"))
    assert not bo.check(path, other, "5%", label=("old", "new")).paired
    with pytest.raises(bo.BakeoffError, match="several algorithms"):
        bo.check(path, path, "5%")


def test_a_table_of_runs(tmp_path: Path) -> None:
    rows = ["problem,run,score,status"]
    rows += [f"sort,{i},{1 + i / 1000},ok" for i in range(8)]
    (tmp_path / "base.csv").write_text("\n".join(rows))
    (tmp_path / "new.csv").write_text("\n".join([*rows[:-1], "sort,7,,timeout"]))
    same = bo.check(tmp_path / "base.csv", tmp_path / "base.csv", "5%", better="lower", run_sd=0.001)
    assert same.decision == "ok"
    found = bo.check(tmp_path / "base.csv", tmp_path / "new.csv", "5%", better="lower")
    assert found.rows[0].reason == "1 of 8 runs failed: timeout"
    with pytest.raises(bo.BakeoffError, match="better must be"):
        bo.check(tmp_path / "base.csv", tmp_path / "base.csv", "5%")


def test_a_run_that_failed_in_a_table_of_scores() -> None:
    values = [[[1.0, 1.0, 1.01], [1.0, 1.01, np.nan]]]
    status = [[["ok"] * 3, ["ok", "ok", "timeout"]]]
    scores = bo.Scores(values, ["old", "new"], better="lower", missing="keep", status=status)
    found = bo.check(scores, scores, "5%", label=("old", "new"))
    assert found.decision == "regressed"
    assert "timeout" in found.rows[0].reason


CRASHED = ["", "{}", "[]", "null", '{"results": []}', '{"error": 1}', "Segmentation fault"]


@pytest.fixture
def processes(tmp_path: Path) -> Path:
    """Two folders with a file of hyperfine for each of six processes."""
    for side in ("base", "new"):
        (tmp_path / side).mkdir()
        for run in range(6):
            result = {"command": "sort", "times": [1 + 0.001 * run**2 * (side == "new")], "exit_codes": [0]}
            (tmp_path / side / f"{run}.json").write_text(json.dumps({"results": [result]}))
    return tmp_path


@pytest.mark.parametrize("said", CRASHED)
@pytest.mark.parametrize("options", [[], ["--format", "hyperfine"]])
def test_a_crashed_run_in_a_folder_does_not_pass(processes: Path, said: str, options: list[str]) -> None:
    (processes / "new" / "3.json").write_text(said)
    call = ["check", str(processes / "base"), str(processes / "new"), "--margin", "5%", *options]
    done = CliRunner().invoke(main, call)
    assert done.exit_code == 2, done.output
    assert "3.json" in done.stderr


def test_nor_is_it_left_out_of_a_comparison(processes: Path) -> None:
    (processes / "new" / "3.txt").write_text("Segmentation fault")
    with pytest.raises(bo.BakeoffError, match=r"3\.txt: no result of hyperfine, as 12 other files are"):
        bo.read_results({"base": processes / "base", "new": processes / "new"})


def test_other_files_may_lie_in_a_folder(processes: Path) -> None:
    (processes / "new" / "README.md").write_text("measured on a quiet machine")
    assert bo.check(processes / "base", processes / "new", "5%").decision == "ok"
