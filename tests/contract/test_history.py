"""``bakeoff history``: a table, and files of other tools, one per version."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    values = 10 + 0.1 * rng.normal(size=(3, 40))
    values[1, 25:] *= 1.1
    path = tmp_path / "nightly.csv"
    rows = [f"bench <{i}>," + ",".join(f"{x:.4f}" for x in row) for i, row in enumerate(values)]
    path.write_text("\n".join(["benchmark," + ",".join(f"r{j}" for j in range(40)), *rows]))
    return path


def test_a_table_in_every_format(table: Path, tmp_path: Path) -> None:
    targets = [tmp_path / f"h.{suffix}" for suffix in ("html", "md", "tex", "json", "csv", "xlsx", "svg", "tikz")]
    options = [word for target in targets for word in ("--report", str(target))]
    call = ["history", str(table), "--better", "lower", "--resamples", "499", *options]
    done = CliRunner().invoke(main, call)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("bench <1> is worse from r25 on: 1.1")
    assert "bench &lt;1&gt;" in targets[0].read_text()
    content = json.loads(targets[3].read_text())
    assert [(step["problem"], step["version"], step["worse"]) for step in content["steps"]] == [
        ("bench <1>", "r25", True)
    ]
    assert bo.verify(content).ok
    content["steps"][0]["change"] = 2.0
    content["series"][0]["pvalue"] = 0.5
    assert {d.where for d in bo.verify(content).differences} == {"steps[0].change", "series[0].pvalue"}
    assert targets[4].read_text().count("\n") == 4


def test_files_of_another_tool_in_the_order_of_time(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    files = []
    for version in range(12):
        results = [
            {"command": name, "times": (seconds * (1 + 0.01 * rng.normal(size=5))).tolist(), "exit_codes": [0] * 5}
            for name, seconds in [("sort", 1.0 if version < 6 else 0.7), ("find", 2.0)]
            if not (name == "find" and version == 3)  # a version without it
        ]
        files.append(tmp_path / f"v{version}.json")
        files[-1].write_text(json.dumps({"results": results}))
    call = ["history", *map(str, files), "--label", f"tagged={files[6]}", "--json"]
    done = CliRunner().invoke(main, call)
    assert done.exit_code == 0, done.stderr
    content = json.loads(done.stdout)
    assert [(s["problem"], s["version"], s["worse"]) for s in content["steps"]] == [("sort", "tagged", False)]
    assert content["steps"][0]["change"] == pytest.approx(0.7, rel=0.02)
    assert {s["problem"]: s["n"] for s in content["series"]} == {"sort": 12, "find": 11}


def test_refusals(table: Path, tmp_path: Path) -> None:
    for arguments, said in [
        ((str(table),), "--better is required"),
        ((str(table), "--better", "lower", "--min-segment", "30"), "--min-segment 30"),
        ((str(table), str(table)), "two files are called 'nightly'"),
        ((str(table), str(tmp_path / "b"), "--label", "x"), "--label must be NAME=FILE"),
        ((str(table), "--better", "lower", "--scale", "log"), "--scale must be one of"),
    ]:
        done = CliRunner().invoke(main, ["history", *arguments])
        assert done.exit_code == 2, arguments
        assert said in done.stderr


def numbered(folder: Path, versions: int) -> list[str]:
    """Files of hyperfine, 8 % slower from version 13 on."""
    files = []
    for version in range(1, versions + 1):
        seconds = (1.08 if version > 12 else 1.0) * (1 + 0.002 * (version * 7 % 5))
        files.append(folder / f"bench-{version}.json")
        files[-1].write_text(json.dumps({"results": [{"command": "sort", "times": [seconds], "exit_codes": [0]}]}))
    return [*map(str, files)]


@pytest.mark.parametrize("shell", [lambda name: name, lambda name: name.replace("-", "").replace(".", "")])
def test_numbers_are_not_sorted_as_text(tmp_path: Path, shell: Callable[[str], str]) -> None:
    """As two locales of a shell list bench-*.json."""
    files = sorted(numbered(tmp_path, 24), key=shell)
    done = CliRunner().invoke(main, ["history", *files, "--json"])
    assert done.exit_code == 0, done.stderr
    assert [(s["version"], s["worse"]) for s in json.loads(done.stdout)["steps"]] == [("bench-13", True)]
    assert "by their numbers, not as text: bench-1, bench-2, bench-3 and 21 more" in done.stderr


def test_a_folder_is_a_version_in_each_file_by_their_numbers(tmp_path: Path) -> None:
    """Its versions were bench-1, bench-10, bench-11, …, bench-2, without a word."""
    numbered(tmp_path, 24)
    (tmp_path / "notes.md").write_text("nightly")
    done = CliRunner().invoke(main, ["history", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.stderr
    content = json.loads(done.stdout)
    assert content["scores"]["algorithms"] == [f"bench-{version}" for version in range(1, 25)]
    assert [(s["version"], s["worse"]) for s in content["steps"]] == [("bench-13", True)]
    assert "notes.md" in done.stderr


def test_another_order_is_kept(tmp_path: Path) -> None:
    files = numbered(tmp_path, 24)
    for given in (files, files[::-1]):
        done = CliRunner().invoke(main, ["history", *given, "--json"])
        assert json.loads(done.stdout)["scores"]["algorithms"] == [Path(file).stem for file in given]
        assert done.stderr == ""


def test_one_version_is_refused_with_what_to_give(tmp_path: Path) -> None:
    """It asked for --better, or offered (algorithm=), which history does not have."""
    report = {
        "commit_hash": "ab" * 20,
        "env_name": "py",
        "date": 1.7e12,
        "params": {"machine": "m"},
        "result_columns": ["result", "params"],
        "results": {"b.time_sort": [[1.5], []]},
    }
    folder = tmp_path / "machine"
    folder.mkdir()
    (folder / "abababab-py.json").write_text(json.dumps(report))
    commands = json.dumps({"results": [{"command": f"sort {i}", "times": [1.5, 2.5]} for i in range(9)]})
    (tmp_path / "commands.json").write_text(commands)
    for source in (folder, folder / "abababab-py.json", tmp_path / "commands.json"):
        for more in ((), ("--better", "lower")):
            done = CliRunner().invoke(main, ["history", str(source), *more])
            assert done.exit_code == 2
            assert "several versions, but there is one in" in done.stderr, done.stderr
            assert "algorithm=" not in done.stderr


def test_a_long_table_whose_versions_are_named(tmp_path: Path) -> None:
    """The refusal said --algorithm version, which was no option."""
    runs = ["version,benchmark,run,time"]
    runs += [f"v{v},sort,{r},{(2 if v > 6 else 1) + r / 100 + v % 3 / 50}" for v in range(14) for r in range(3)]
    file = tmp_path / "runs.csv"
    file.write_text("\n".join(runs))
    refused = CliRunner().invoke(main, ["history", str(file), "--better", "lower"])
    assert "--algorithm version" in refused.output
    found = CliRunner().invoke(main, ["history", str(file), "--better", "lower", "--algorithm", "version"])
    assert found.exit_code == 0, found.output
    assert found.stdout.startswith("sort is worse from v7 on")
    wrong = CliRunner().invoke(main, ["history", str(file), str(file), "--algorithm", "version"])
    assert "--algorithm names a column of a table, which is one file" in wrong.output
