"""Files of benchmark tools: what one process per side says, through every door."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.ranks.cautions import one_process

FILES = Path(__file__).parents[1] / "oracles" / "data" / "formats"
ONE = "Cannot tell: one process per side."
COMMANDS = ("compare", "bayes", "leaderboard", "ratings", "evaluate", "iqm", "runtimes", "profile", "sensitivity")


def bakeoff(*args: str) -> str:
    found = CliRunner().invoke(main, list(args))
    assert found.exit_code == 0, found.output
    return found.output


def written(path: Path, host: str, factor: float) -> Path:
    """What Google Benchmark writes of one process with six benchmarks."""
    context = {"date": "2026-01-01T00:00:00+00:00", "host_name": host, "num_cpus": 4, "library_build_type": "release"}
    rows = [
        {"name": f"b{i}", "run_name": f"b{i}", "run_type": "iteration", "iterations": 9, "time_unit": "ns"}
        | dict.fromkeys(("real_time", "cpu_time"), factor * (100.0 + 7 * i))
        for i in range(12)
    ]
    path.write_text(json.dumps({"context": context, "benchmarks": rows}))
    return path


@pytest.fixture
def sides(tmp_path: Path) -> tuple[str, ...]:
    old, new = written(tmp_path / "old.json", "runner-1", 1.0), written(tmp_path / "new.json", "runner-2", 0.9)
    return "--label", f"old={old}", "--label", f"new={new}"


@pytest.mark.few(2)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_so_and_its_report_can_be_verified(
    command: str, sides: tuple[str, ...], tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    said = bakeoff(command, *sides, "--report", str(report))
    assert ONE in said
    assert "(old: runner-1, new: runner-2)" in " ".join(said.split())
    assert json.loads(report.read_text())["verdict"] == ONE
    assert "OK" in bakeoff("verify", str(report))


@pytest.mark.parametrize("suffix", ["html", "md", "tex"])
@pytest.mark.slow_cases("html")
def test_every_format_says_so(suffix: str, sides: tuple[str, ...], tmp_path: Path) -> None:
    report = tmp_path / f"report.{suffix}"
    bakeoff("compare", *sides, "--report", str(report))
    assert ONE in report.read_text()


def test_nothing_is_lost_by_import(sides: tuple[str, ...], tmp_path: Path) -> None:
    table = str(tmp_path / "long.csv")
    bakeoff("import", "auto", *sides, "-o", table)
    said = " ".join(bakeoff("compare", table).split())
    assert ONE in said
    assert "(old: runner-1, new: runner-2)" in said
    assert bo.compare(bo.read_scores(table, "lower")).verdict == ONE


def test_several_files_a_side_stand(tmp_path: Path) -> None:
    for side, factor in (("old", 1.0), ("new", 0.9)):
        (tmp_path / side).mkdir()
        for run in range(2):
            written(tmp_path / side / f"{run}.json", "runner-1", factor + 0.001 * run)
    found = bo.compare(bo.read_results({"old": tmp_path / "old", "new": tmp_path / "new"}))
    assert found.pair("new", "old").verdict == "a better"


@pytest.mark.parametrize(
    "name",
    [
        "google_benchmark_1.7.1.json",
        "pytest_benchmark.json",
        "go_bench.txt",
        "criterion",
        "imported_pytest_benchmark.csv",
    ],
)
def test_tools_that_run_all_in_one_process(name: str) -> None:
    path = FILES / name
    scores = bo.read_results({"old": path, "new": path}, missing="drop")
    assert bo.compare(scores).verdict == ONE


def test_a_tool_that_starts_processes() -> None:
    """hyperfine starts the command for each run."""
    assert one_process(bo.read_results(FILES / "hyperfine.json")) is None


def test_forks_are_processes() -> None:
    """This file of JMH has one benchmark of two forks, and one of a single fork."""
    found = {
        m: bo.read_results({"a": FILES / "jmh.json", "b": FILES / "jmh.json"}, metric=m) for m in ("thrpt", "avgt")
    }
    assert {metric: one_process(scores) is None for metric, scores in found.items()} == {"thrpt": True, "avgt": False}
