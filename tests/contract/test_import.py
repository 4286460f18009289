"""Other programs' files on the command line: ``bakeoff import``, and every command that reads scores."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import BakeoffError
from bakeoff.inputs import is_store
from bakeoff.wings.formats import FORMATS
from bakeoff.wings.formats.measurement import Choices
from lm_eval_folder import line, model

FILES = Path(__file__).parents[1] / "oracles" / "data" / "formats"
GO, HYPERFINE, FAILED = (str(FILES / name) for name in ("go_bench.txt", "hyperfine.json", "hyperfine_param_fail.json"))
TWO = ("--label", f"old={HYPERFINE}", "--label", f"new={HYPERFINE}")


def bakeoff(*args: str, code: int = 0) -> str:
    found = CliRunner().invoke(main, list(args))
    assert found.exit_code == code, found.output
    return found.output


def test_a_table_that_reads_back_as_the_same_scores(tmp_path: Path) -> None:
    said = bakeoff("import", "auto", "--label", f"old={GO}", "--label", f"new={GO}", "-o", str(tmp_path / "long.csv"))
    assert "12 scores of 2 problems and 2 algorithms written" in said
    assert re.search(r"; next: bakeoff check \S+long\.csv --label old --label new --margin 5%\n", said)
    own = bo.read_results({"old": GO, "new": GO})
    again = bo.read_scores(tmp_path / "long.csv", own.better)
    assert (again.problems, again.algorithms) == (own.problems, own.algorithms)
    for name in ("runs", "run_ids", "status"):
        assert getattr(again, name).tolist() == getattr(own, name).tolist()


def test_runs_that_failed_are_in_the_table(tmp_path: Path) -> None:
    said = bakeoff("import", "hyperfine", FAILED, "-o", str(tmp_path / "long.csv"))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "long.csv").read_text())))
    assert {(row["status"], row["score"]) for row in rows} == {("failed", "")}
    assert f"{len(rows)} runs failed and have no score" in said
    header = bakeoff("import", "hyperfine", FAILED, "-o", "-").splitlines()[0]
    assert header.startswith("problem,algorithm,run,score,status,metric,unit,better,run_kind")


@pytest.mark.needs("zstandard")
def test_an_imported_table_is_read_as_the_files_are(tmp_path: Path) -> None:
    """Iterations stay iterations: as independent runs they would let the gate say OK or REGRESSED of one process."""
    sides = []
    for name in ("old", "new"):
        sides.append(str(tmp_path / f"{name}.csv"))
        bakeoff("import", "auto", str(FILES / "pytest_benchmark.json"), "-o", sides[-1])
    assert "one-process" in bakeoff("check", *sides, "--margin", "5%", code=3)
    bakeoff("import", "auto", "--label", f"old={GO}", "--label", f"new={GO}", "-o", sides[0])
    own, again = bo.read_results({"old": GO, "new": GO}), bo.read_results(sides[0])
    for name in ("better", "metric", "unit", "run_kind", "problems", "algorithms"):
        assert getattr(again, name) == getattr(own, name)
    assert bakeoff("compare", sides[0]) == bakeoff("compare", sides[0], "--better", "lower", "--metric", "time")
    bakeoff("import", "auto", str(FILES / "inspect"), "--cluster", "passage", "-o", sides[0])
    assert bo.read_results(sides[0]).clusters == bo.read_results(FILES / "inspect", cluster="passage").clusters


def test_questions_that_differ_are_told_apart_through_an_import(tmp_path: Path) -> None:
    from bakeoff.wings.formats.measurements import read_measurements

    own = read_measurements(FILES / "lm_eval", choices=Choices(metric="acc"))
    bakeoff("import", "auto", str(FILES / "lm_eval"), "--metric", "acc", "-o", str(tmp_path / "x.csv"))
    assert read_measurements(tmp_path / "x.csv").versions == own.versions != {}


def test_the_list_of_formats_is_that_of_the_registry() -> None:
    text = "".join(bakeoff("import", "--help").split())
    assert [f for f in FORMATS.values() if f"{f.name}:{f.title}".replace(" ", "") not in text] == []


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ("compare", GO, HYPERFINE),
            r"of several formats \(.*hyperfine\.json is of hyperfine, .*go_bench\.txt is of go\)",
        ),
        (("compare", GO, "--format", "hyperfine"), r"--format is 'hyperfine', but .* is of go .*say --format go"),
        (("compare", GO, "--format", "hyperfin"), r"--format must be auto.*did you mean 'hyperfine'"),
        (("compare", "--label", GO), r"--label must be NAME=FILE: --label new=.*go_bench\.txt"),
        (("compare", "--label", f"a={GO}", "--label", f"a={GO}"), r"--label names 'a' twice"),
        (("compare", "--label", "a=nothing.json"), r"cannot read 'nothing\.json'"),
        (("compare", *TWO, "--better", "higher"), r"--better must be 'lower', as the file says of time; leave it out"),
        (("compare", *TWO, "--read", "layout=long"), r"--layout: .*is another program's file, not a table"),
        (("compare", FAILED), "at least 2 algorithms are needed"),
        (("compare", "--label", f"a={FAILED}", "--label", f"b={FAILED}"), r"\(failed\).*--missing drop"),
        (("compare",), r"Missing argument 'FILE\.\.\.'"),
        (("import", GO, "-o", "x.csv"), r"to recognise it: bakeoff import auto .*go_bench\.txt -o x\.csv"),
        (("import", "auto", GO, "-o", "x.json"), r"-o must end in \.csv"),
        (("import", "go", "-o", "x.csv"), r"name the files, or --label NAME=FILE"),
        (
            ("import", "auto", GO, "--metric", "Bop", "-o", "-"),
            r"--metric must be one of time, B/op.*did you mean --metric B/op",
        ),
    ],
)
def test_errors_say_what_works(args: tuple[str, ...], said: str) -> None:
    assert re.search(said, " ".join(bakeoff(*args, code=2).split()))


def test_a_folder_without_results(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("hello")
    assert "not a format that is recognised" in bakeoff("compare", str(tmp_path), code=2)


def test_a_table_beside_results_of_another_program_is_refused(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("problem,A,B\np,1,2\nq,3,5\n")
    for second, said in ((str(table), "is named twice"), (HYPERFINE, "t.csv: not a format")):
        assert said in bakeoff("compare", str(table), second, "--better", "lower", code=2)
    assert "--better is required" in bakeoff("compare", str(table), code=2)


@pytest.fixture
def many(tmp_path: Path) -> tuple[str, ...]:
    """Two builds of eight commands, five processes each."""
    rng = np.random.default_rng(1)
    files = []
    for name, factor in (("old", 1.2), ("new", 1.0)):
        results = [
            {"command": f"c{i}", "times": (factor * rng.uniform(0.9, 1.0, 5)).tolist(), "exit_codes": [0] * 5}
            for i in range(8)
        ]
        (tmp_path / f"{name}.json").write_text(json.dumps({"results": results}))
        files += ["--label", f"{name}={tmp_path / name}.json"]
    return tuple(files)


@pytest.mark.slow
def test_every_command_reads_them(many: tuple[str, ...], tmp_path: Path) -> None:
    report = str(tmp_path / "r.json")
    bakeoff("compare", *many, "--report", report)
    bakeoff("verify", report)
    bakeoff("verify", report, *many)
    content = json.loads(Path(report).read_text())
    assert (content["scores"]["metric"], content["scores"]["unit"], content["better"]) == ("time", "s", "lower")
    bakeoff("bayes", *many, "--draws", "2000")
    bakeoff("sensitivity", *many, "--resamples", "0")
    bakeoff("per-problem", *many)
    old = many[1].partition("=")[2]
    assert "itself, which it would overwrite" in bakeoff("compare", *many, "--report", old, code=2)
    bakeoff("plan", *many, "--delta", "0.1")
    bakeoff(
        "study",
        "power",
        *many,
        "--a",
        "old",
        "--b",
        "new",
        "--draws",
        "20",
        "--size",
        "4",
        "--scale",
        "sd",
        "--bias",
        "1",
    )


def test_some_of_the_algorithms_and_problems(many: tuple[str, ...]) -> None:
    old = many[1].partition("=")[2]
    three = (*many, "--label", f"older={old}")
    content = json.loads(bakeoff("compare", *three, "--only", "old", "--only", "new", "--drop", "c3", "--json"))
    assert content["scores"]["algorithms"] == ["old", "new"]
    assert "c3" not in content["scores"]["problems"]
    assert "did you mean" in bakeoff("compare", *three, "--only", "ol", "--only", "new", code=2)


def test_tasks_keep_their_names_and_metrics(tmp_path: Path) -> None:
    """The mean over tasks of the folder is that of the table; without its tasks it was a mean over questions."""
    for name, right in (("old", 3), ("new", 5)):
        tasks = {
            "gsm8k": [line(i, exact_match=float(i < right)) for i in range(8)],
            "arc": [line(i, hashed=f"{i + 99:064x}", acc=float(i % 5 < 3)) for i in range(30)],
        }
        model(tmp_path / "out", name, tasks, higher={"exact_match": True})
    folder, table = str(tmp_path / "out"), str(tmp_path / "t.csv")
    assert f"; next: bakeoff evaluate {table}\n" in bakeoff("import", "lm-eval", folder, "-o", table)
    rows = list(csv.DictReader(io.StringIO(Path(table).read_text())))
    assert {(row["task"], row["metric"], row["better"]) for row in rows} == {
        ("arc", "acc", "higher"),
        ("gsm8k", "exact_match", "higher"),
    }
    own, again = bo.read_results(folder), bo.read_results(table)
    assert (again.metric, again.tasks) == (own.metric, own.tasks)
    results = [json.loads(bakeoff("evaluate", source, "--json")) for source in (folder, table)]
    assert results[0]["estimates"] == results[1]["estimates"]
    assert f"bakeoff evaluate {table}" in bakeoff(table)


@pytest.mark.parametrize(
    ("content", "command"),
    [
        ("s,lower,process", "check {} --label a --label b --margin 5%"),
        ("s,lower,seed", "runtimes {}"),
        (",higher,seed", "compare {}"),
    ],
)
def test_the_next_command_is_that_of_the_kind(tmp_path: Path, content: str, command: str) -> None:
    table, again = tmp_path / "t.csv", str(tmp_path / "again.csv")
    head = "problem,algorithm,run,score,status,metric,unit,better,run_kind\n"
    table.write_text(head + "".join(f"p,{name},0,{i + 1},ok,m,{content}\n" for i, name in enumerate("ab")))
    assert f"; next: bakeoff {command.format(again)}\n" in bakeoff("import", "auto", str(table), "-o", again)


def foreign() -> list[Path]:
    """Every file of another program, alone; the tables of evaluations and of scores without a header are none."""
    return [p for p in sorted(FILES.rglob("*")) if p.is_file() and p.name != "benchmarks.json"]


@pytest.mark.parametrize("path", foreign(), ids=lambda path: str(path.relative_to(FILES)))
def test_read_scores_sends_on_to_read_results(path: Path) -> None:
    """One of them (scikit-learn's cross_validate) was read as a table of four algorithms, fit_time among them."""
    if path.name.startswith("eval_ref"):
        assert bo.read_scores(path, "higher").n_algorithms == 3
    elif path.name.startswith("rliable"):
        with pytest.raises(BakeoffError, match="the header is missing"):
            bo.read_scores(path, "higher")
    elif path.name.startswith("imported"):
        with pytest.raises(BakeoffError, match="at least 2 algorithms"):  # a long table
            bo.read_scores(path, "lower")
    else:
        with pytest.raises(BakeoffError, match=r"bo\.read_results\(path\).*bakeoff import auto FILE"):
            bo.read_scores(path, "lower", missing="keep")


def test_a_database_of_optuna_is_no_store() -> None:
    assert not is_store(str(FILES / "optuna.db"))
