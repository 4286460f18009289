"""Results in a file for each algorithm, task, seed or problem: tables and curves, of every source, are read alike."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ReadingError

AGENTS, TASKS, SEEDS = ("ppo", "sac"), ("ant", "cheetah", "hopper", "walker", "swimmer", "reacher"), (0, 1)
SUFFIXES = ("csv", "parquet", "json", "jsonl")


def records(along: bool) -> list[dict[str, Any]]:
    """Of training: a row for each run, or for each of its steps."""
    return [
        {"task": task, "agent": agent, "seed": seed}
        | ({"step": step} if along else {})
        | {"return": step * (1 + 0.5 * j + 0.01 * i + 0.001 * seed)}
        for j, agent in enumerate(AGENTS)
        for i, task in enumerate(TASKS)
        for seed in SEEDS
        for step in ((100, 200, 300) if along else (300,))
    ]


def put(table: list[dict[str, Any]], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        import pandas as pd

        pd.DataFrame(table).to_parquet(path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(table))
    elif path.suffix == ".jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n" for row in table))
    else:
        lines = [",".join(table[0]), *(",".join(map(str, row.values())) for row in table)]
        path.write_text("\n".join(lines) + "\n")


def in_files(folder: Path, suffix: str, by: str, named: bool, along: bool) -> list[str]:
    """A file for each agent, task or seed, whose column stands in it (``named``) or not."""
    table = records(along)
    paths = []
    for value in dict.fromkeys(row[by] for row in table):
        own = [{k: x for k, x in row.items() if named or k != by} for row in table if row[by] == value]
        paths.append(folder / f"{'seed' if by == 'seed' else ''}{value}.{suffix}")
        put(own, paths[-1])
    return list(map(str, paths))


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("by", ["agent", "task", "seed"])
@pytest.mark.parametrize("suffix", [
    pytest.param(suffix, marks=[pytest.mark.needs(p) for p in ("pandas", "pyarrow") * (suffix == "parquet")])
    for suffix in SUFFIXES
])  # fmt: skip
@pytest.mark.parametrize("command", ["compare", "curves"])
def test_a_file_for_each_agent_task_or_seed(command: str, suffix: str, by: str, named: bool, tmp_path: Path) -> None:
    """The same in a folder, named one by one, and in Python: as one file with all rows."""
    along = command == "curves"
    paths = in_files(tmp_path / "out", suffix, by, named, along)
    whole = tmp_path / "whole.csv"
    put(records(along), whole)
    answers = []
    for source in ([str(whole)], [str(tmp_path / "out")], paths):
        done = CliRunner().invoke(main, [command, *source, "--better", "higher", "--json"])
        assert done.exit_code == 0, done.stderr
        found = json.loads(done.stdout)["curves" if along else "scores"]
        cells = {p: dict(zip(found["algorithms"], row, strict=True))
                 for p, row in zip(found["problems"], found["values"], strict=True)}  # fmt: skip
        answers.append((cells, found.get("n_runs") or [len(cell) for cell in found["runs"][0]]))
        if source != [str(whole)]:
            role = {"agent": "algorithm", "task": "problem", "seed": "run"}[by]
            assert found["columns"][role] == (by if named else "file")
            assert found["n_files"] == len(paths)
    assert answers[0] == answers[1] == answers[2]
    if along:
        curves = bo.curves(tmp_path / "out", better="higher")
        assert (sorted(curves.table.problems), curves.table.n_runs) == (sorted(TASKS), (2, 2))
    else:
        assert sorted(bo.read_scores(tmp_path / "out", "higher").algorithms) == sorted(AGENTS)


def test_curves_say_what_files_are(tmp_path: Path) -> None:
    """Line 2 has the columns, and the files that were taken for one; the page is computed again with them."""
    in_files(tmp_path / "out", "csv", "seed", False, True)
    page = tmp_path / "curves.html"
    done = CliRunner().invoke(main, ["curves", str(tmp_path / "out"), "--better", "higher", "--report", str(page)])
    said = " ".join(done.stdout.split())
    assert "6 tasks (“task”) × 2 algorithms (“agent”), runs from “file”, read from 2 files." in said
    again = CliRunner().invoke(main, ["verify", str(page)])
    assert again.exit_code == 0, again.output


def test_curves_take_labels_archives_names_and_folders(tmp_path: Path) -> None:
    paths = [Path(path) for path in in_files(tmp_path / "out", "csv", "agent", False, True)]
    labelled = bo.curves({path.stem.upper(): path for path in paths}, better="higher")
    assert labelled.table.algorithms == ("PPO", "SAC")
    archive = shutil.make_archive(str(tmp_path / "all"), "zip", tmp_path / "out")
    assert bo.curves(archive, better="higher").table.algorithms == AGENTS
    table = [{f"my {key}": value for key, value in row.items()} for row in records(True)]
    for agent in AGENTS:
        put([row for row in table if row["my agent"] == agent], tmp_path / "own" / f"{agent}.csv")
    names = {"problem": "task", "algorithm": "agent", "run": "seed", "budget": "step", "score": "return"}
    asked = [word for role, name in names.items() for word in (f"--{role}", f"my {name}")]
    done = CliRunner().invoke(main, ["curves", str(tmp_path / "own"), "--better", "higher", "--json", *asked])
    assert json.loads(done.stdout)["curves"]["problems"] == list(TASKS)
    for task in TASKS:
        for agent in AGENTS:
            own = [row for row in records(True) if (row["task"], row["agent"]) == (task, agent)]
            bare = [{key: row[key] for key in ("seed", "step", "return")} for row in own]
            put(bare, tmp_path / "deep" / task / f"{agent}.csv")
    found = bo.curves(tmp_path / "deep", better="higher", problem="folder", algorithm="file", run="seed")
    assert (sorted(found.table.problems), sorted(found.table.algorithms)) == (sorted(TASKS), sorted(AGENTS))


def test_curves_of_joined_names(tmp_path: Path) -> None:
    """In one file and in several; a part that is blank, or that a file lacks, is left out."""
    table = [{"task": row.pop("task"), "size": "s" if row["agent"] == "sac" else "", **row} for row in records(True)]
    put(table, tmp_path / "whole.csv")
    for agent in AGENTS:
        put(
            [{k: x for k, x in row.items() if k != "size" or x} for row in table if row["agent"] == agent],
            tmp_path / "out" / f"{agent}.csv",
        )
    for source in (tmp_path / "whole.csv", tmp_path / "out"):
        found = bo.curves(source, better="higher", algorithm="agent,size")
        assert found.table.algorithms == ("ppo", "sac/s")
    scores = bo.read_scores(tmp_path / "out", "higher", algorithm="agent,size", problem="task,step")
    assert (scores.algorithms, scores.n_problems, scores.problems[0]) == (("ppo", "sac/s"), 18, "ant/100")


def test_json_that_is_no_list_of_records_is_not_taken(tmp_path: Path) -> None:
    in_files(tmp_path, "json", "agent", True, False)
    for name, text in (("package.json", '{"name": "x"}'), ("ids.json", "[1, 2]"), ("empty.json", "")):
        (tmp_path / name).write_text(text)
    found = bo.read_scores(tmp_path, "higher")
    assert (found.algorithms, found.read_as.n_files) == (AGENTS, 2)
    assert sorted(found.read_as.not_taken) == ["empty.json", "ids.json", "package.json"]
    put(records(False), tmp_path / "all.csv")  # beside a table, lists are not taken either, and said
    assert len(bo.read_scores(tmp_path, "higher").read_as.not_taken) == 5
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "package.json").write_text("{}")
    with pytest.raises(ReadingError, match="holds no table"):
        bo.read_scores(tmp_path / "none", "higher")


@pytest.mark.parametrize("algorithm", ["agnet", "agent,sed"])
def test_a_name_that_no_file_has_is_refused_by_name(algorithm: str, tmp_path: Path) -> None:
    """It was an internal error, of files whose problem is the file."""
    for command in ("compare", "curves"):
        in_files(tmp_path / command, "csv", "task", False, command == "curves")
        done = CliRunner().invoke(
            main, [command, str(tmp_path / command), "--better", "higher", "--algorithm", algorithm]
        )
        assert (done.exit_code, f"no column '{algorithm}'" in done.stderr) == (2, True)


def test_runs_inside_runs_are_those_of_one_file(tmp_path: Path) -> None:
    """Episodes of a seed are averaged, whether seeds stand in one file or in several."""
    table = [
        {"task": row["task"], "agent": row["agent"], "seed": row["seed"], "episode": k, "return": row["return"] + k}
        for row in records(False)
        for k in range(3)
    ]
    put(table, tmp_path / "whole.csv")
    for agent in AGENTS:
        put([row for row in table if row["agent"] == agent], tmp_path / "out" / f"{agent}.csv")
    one, several = (bo.read_scores(tmp_path / name, "higher", run="seed,episode") for name in ("whole.csv", "out"))
    assert one.runs is not None
    assert several.runs is not None
    assert several.runs.tolist() == one.runs.tolist()
