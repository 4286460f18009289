"""Columns of long tables that carry other names: read where nothing else fits, else refused with a call that works."""

import io
import re
import shlex
import textwrap
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ReadingError
from bakeoff.report.sections import read_line
from contract.reading_cases import read, refused


def rows(header: str, *cells: str, problems: int = 3, algorithms: str = "AB") -> str:
    """A row per problem and algorithm; ``{i}``, ``{j}`` and ``{a}`` stand for their numbers and name."""
    lines = [
        ",".join(cell.format(i=i, j=j, a=a) for cell in cells)
        for i in range(problems)
        for j, a in enumerate(algorithms)
    ]
    return "\n".join([header, *lines])


@pytest.mark.parametrize("header", ["game,agent", "env,policy", "dataset_id,method_id", "dataset_name,classifier_name"])
@pytest.mark.parametrize("score", ["reward", "total", "test_error"])
def test_usual_names_of_the_columns_are_known(header: str, score: str) -> None:
    """The names of reinforcement learning, with _id or _name; the only column of numbers is the score."""
    scores = read(rows(f"{header},{score}", "p{i}", "{a}", "{i}.{j}"), "higher")
    assert (scores.problems, scores.algorithms) == (("p0", "p1", "p2"), ("A", "B"))
    assert scores.values.tolist() == [[0.0, 0.1], [1.0, 1.1], [2.0, 2.1]]
    problem, algorithm = header.split(",")
    assert read_line(scores).startswith(f"3 problems (“{problem}”) × 2 algorithms (“{algorithm}”)")


def test_a_column_that_describes_the_problem_is_no_score() -> None:
    """HPO-B: the search space of a problem is a number, too."""
    text = rows("problem,space,method,best", "p{i}", "76{i}", "{a}", "0.{i}{j}")
    assert read(text).values.tolist() == [[0.0, 0.01], [0.1, 0.11], [0.2, 0.21]]
    assert read_line(read(text)).endswith("scores from “best”, left out: “space” (describes the problem)")


def test_of_two_that_could_be_the_score_none_is_taken() -> None:
    message = refused(rows("problem,method,best,worst", "p{i}", "{a}", "{i}{j}", "{j}{i}"))
    assert "the long layout needs the column score" in message
    assert "Name it with score='best'" in message


@pytest.mark.parametrize(
    ("header", "cells", "line"),
    [
        (
            "Fuzzer Kind,target,count,edges",
            ("{a}", "t{i}", "3", "5.{i}{j}"),
            "8 problems (“target”) × 2 algorithms (“Fuzzer Kind”), scores from “edges”, left out: “count”",
        ),
        (
            "created,place,who,hits",
            ("2020-01-0{i}", "p{i}", "{a}", "{i}{j}"),
            "8 problems (“place”) × 2 algorithms (“who”), scores from “hits”, left out: “created”",
        ),
    ],
)
def test_counts_and_dates_are_neither_scores_nor_problems(
    header: str, cells: tuple[str, ...], line: str, tmp_path: Path
) -> None:
    file = tmp_path / "t.csv"
    file.write_text(rows(header, *cells, problems=8))
    done = CliRunner().invoke(main, ["compare", str(file), "--better", "lower"])
    assert done.exit_code == 0, done.output
    assert line in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("header", "cells"), [("Solver Version,what,number,Runtime", ("{a}", "p{i}", "{i}{j}", "5.{i}{j}"))]
)
def test_a_refusal_names_columns_with_which_the_command_runs(
    header: str, cells: tuple[str, ...], tmp_path: Path
) -> None:
    """T14: counts, dates and versions were named as scores and problems."""
    file = tmp_path / "t.csv"
    file.write_text(rows(header, *cells, problems=8))
    command = ["compare", str(file), "--better", "lower"]
    said = " ".join(CliRunner().invoke(main, command).output.split())
    advice = said[said.index("--layout long") if "--layout long" in said else said.index("--problem") :]
    typed = shlex.split(advice.split(")")[0].split(";")[0].split(", or ")[0])
    again = CliRunner().invoke(main, [*command, *typed])
    assert again.exit_code == 0, (advice, again.output)
    assert "8 problems" in again.output
    assert "2 algorithms" in again.output


def test_questions_of_tasks_are_problems_by_both_names() -> None:
    """A log of questions has them numbered within each task."""
    text = "task,question,model,score\n" + "".join(
        f"{t},{q},{m},{q}\n" for t in ("arc", "boolq") for q in (0, 1) for m in "AB"
    )
    assert read(text).problems == ("arc/0", "arc/1", "boolq/0", "boolq/1")
    already = text.replace("arc,", "arc,arc/").replace("boolq,", "boolq,boolq/")
    assert read(already).problems == ("arc/0", "arc/1", "boolq/0", "boolq/1")


METRICS = "dataset,method,metric,value\n" + "".join(
    f"d{i},{a},{m},{i}{j}{n}\n" for i in range(3) for j, a in enumerate("AB") for n, m in enumerate(("ari", "error"))
)


def test_a_column_of_metrics_is_chosen_from() -> None:
    with pytest.raises(ReadingError, match=r"metric must be one of ari, error: .*an analysis is of one"):
        read(METRICS)
    found = read(METRICS, metric="ari")
    assert found.values.tolist() == [[0, 10], [100, 110], [200, 210]]
    assert found.metric == "ari"
    assert read(METRICS, metric="error").values.tolist() == [[1, 11], [101, 111], [201, 211]]
    with pytest.raises(ReadingError, match="did you mean 'error'"):
        read(METRICS, metric="eror")


def test_problems_with_a_metric_each_need_one_direction() -> None:
    text = "dataset,method,metric,value\nx,A,auc,1\nx,B,auc,2\ny,A,{0},1\ny,B,{0},2\n"
    assert read(text.format("accuracy")).n_problems == 2
    assert "lower is better in some of them" in refused(text.format("logloss"))
    assert read(text.format("logloss"), metric="logloss").problems == ("y",)


def test_a_repeated_row_of_one_metric_is_found_in_its_line() -> None:
    assert "(line 2, line 4)" in refused("dataset,method,metric,value\nx,A,f1,1\nx,A,auc,2\nx,A,f1,3\n", metric="f1")


@pytest.mark.parametrize("runs", ["0,1,2", "fold1,fold2,fold3", "Seed 1,Seed 2,Seed 3"])
def test_columns_called_like_runs_are_runs(runs: str) -> None:
    scores = read(rows(f"dataset,classifier,{runs}", "d{i}", "{a}", "{i}1", "{i}2", "{j}6"))
    assert scores.run_ids is not None
    assert scores.run_ids[0, 0].tolist() == runs.split(",")
    assert scores.runs is not None
    assert scores.runs[1].tolist() == [[11, 12, 6 * 0 + 6], [11, 12, 16]]
    assert "3 runs each" in read_line(scores)


def test_a_mean_beside_the_folds_is_no_run() -> None:
    """It was refused, with the advice to take the first fold for the score."""
    scores = read(rows("dataset,classifier,Fold 1,Fold 2,Fold 3,Mean", "d{i}", "{a}", "{i}1", "{i}2", "{j}3", "{i}6"))
    assert scores.run_ids is not None
    assert scores.run_ids[0, 0].tolist() == ["Fold 1", "Fold 2", "Fold 3"]


def test_rows_without_a_problem_are_refused_with_the_way_out() -> None:
    text = rows("dataset,method,score", "d{i}", "{a}", "{i}{j}") + "\n,A,3\n,B,4\n"
    assert "the problem's name is empty (2 such rows, drop='' leaves them out)" in refused(text)
    assert read(text, drop=[""]).n_problems == 3


@pytest.mark.needs("polars")
def test_data_frames_and_lazy_frames_are_read_in_the_same_way() -> None:
    frame = pd.read_csv(io.StringIO(METRICS))
    assert bo.read_scores(frame, "lower", metric="ari").values.tolist() == read(METRICS, metric="ari").values.tolist()
    import polars

    lazy = polars.from_pandas(frame).lazy()
    assert bo.read_scores(lazy, "lower", metric="ari").values.tolist() == read(METRICS, metric="ari").values.tolist()


def test_runs_along_a_budget_are_sent_to_curves(tmp_path: Path) -> None:
    """N17: each cell "must occur once", 115 more, and not a word of curves."""
    lines = [
        f"f{i},{a},{run},{budget},{1 / budget}" for i in range(3) for a in "AB" for run in "12" for budget in (10, 99)
    ]
    text = "\n".join(["problem,algorithm,run,evaluations,best_error", *lines])
    path = tmp_path / "a_folder_with_a_name.csv"
    for each, run in (
        (text, ""),
        (re.sub(r"^(\w+,\w+),\w+", r"\1", text, flags=re.M), ", or say --run evaluations for runs"),
    ):
        kept = dict.fromkeys(each.split("\n")) if run else each.split("\n")
        path.write_text("\n".join(kept))
        result = CliRunner().invoke(main, ["compare", str(path), "--better", "lower"])
        assert result.exit_code == 2
        message = result.stderr.replace(str(path), "runs.csv")
        assert f"differ in 'evaluations': use bakeoff curves{run}." in message
        assert len(textwrap.wrap(message, 80)) <= 3, message
