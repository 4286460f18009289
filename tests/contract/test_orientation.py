"""Which way round a wide table is: names decide, contradictions are refused, and the report says what was turned."""

import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ReadingError
from bakeoff.report.sections import read_line
from bakeoff.scores import Scores

BODY = "a,1,2\nb,2,4\nc,3,6\n"
RUNS = "0,1,2,3\nA,1,2,3,4\nB,2,3,4,5\nC,2,3,5,4\nD,2,5,4,3\nE,7,5,4,3\nF,7,8,4,3\n"


def read(text: str, **options: object) -> Scores:
    return bo.read_scores(io.StringIO(text), "higher", **options)  # type: ignore[arg-type]


def codes(scores: Scores) -> set[str]:
    return {caution.code for caution in bo.compare(scores).cautions}


@pytest.mark.parametrize(
    "header",
    [
        "model",
        "Model",
        "Method name",
        "classifiers",
        "solver",
        "system",
        "agent",
        "framework",
        "algorithm",
        "optimizer",
    ],
)
def test_a_first_column_called_after_algorithms_turns_the_table(header: str) -> None:
    scores = read(f"{header},X,Y\n{BODY}")
    assert (scores.algorithms, scores.problems) == (("a", "b", "c"), ("X", "Y"))
    assert scores.values.tolist() == [[1, 2, 3], [2, 4, 6]]


@pytest.mark.parametrize("header", ["problem", "dataset", "benchmark", "name", "id", "", "time_limit", "modelling"])
def test_others_leave_it_as_it_is(header: str) -> None:
    assert read(f"{header},X,Y\n{BODY}").algorithms == ("X", "Y")


def test_columns_called_after_problems_turn_it() -> None:
    assert read(f"name,dataset_1,dataset_2\n{BODY}").algorithms == ("a", "b", "c")


def test_the_caller_decides() -> None:
    assert read(f"model,X,Y\n{BODY}", rows="problems").algorithms == ("X", "Y")
    unnamed = bo.read_scores(pd.DataFrame({"X": [1.0, 2.0, 3.0], "Y": [2.0, 4.0, 6.0]}), "higher", rows="algorithms")
    assert (unnamed.algorithms, unnamed.problems) == (("A1", "A2", "A3"), ("X", "Y"))
    assert read(f"dataset,X,Y\n{BODY}", rows="algorithms").problems == ("X", "Y")
    assert read(f"what,X,Y\n{BODY}", rows="algorithms", algorithm="what").problems == ("X", "Y")
    assert bo.read_scores(np.ones((3, 2)), "lower", rows="algorithms").n_algorithms == 3


@pytest.mark.parametrize("columns", ["model,model_1,model_2", "dataset,dataset_1,dataset_2"])
def test_names_that_contradict_each_other_are_refused_with_both_readings(columns: str) -> None:
    with pytest.raises(ReadingError, match=r"contradict.*rows='problems' if the 3 rows .*rows='algorithms' if the 2"):
        read(f"{columns}\n{BODY}")


def test_rows_called_like_algorithms_are_asked_about() -> None:
    with pytest.raises(ReadingError, match="the rows are called like algorithms"):
        read("name,X,Y\nmodel_1,1,2\nmodel_2,3,4\n")


def test_rows_means_a_wide_table() -> None:
    with pytest.raises(ParameterError, match="rows is of wide tables"):
        read("problem,algorithm,score\np,a,1\np,b,2\n", rows="problems", layout="long")
    with pytest.raises(ParameterError, match="rows must be one of 'problems', 'algorithms'"):
        read(f"model,X,Y\n{BODY}", rows="models")


def test_clusters_of_problems_are_no_column_of_a_turned_table() -> None:
    with pytest.raises(ReadingError, match="cluster 'cluster' is a column, and the problems"):
        read("model,cluster,X,Y\na,g,1,2\nb,g,2,4\n")


def test_data_frames_are_read_alike() -> None:
    frame = pd.DataFrame({"X": [1.0, 2.0], "Y": [2.0, 4.0]}, index=pd.Index(["a", "b"], name="model"))
    assert bo.read_scores(frame, "higher").algorithms == ("a", "b")
    assert bo.read_scores(frame.reset_index(), "higher").algorithms == ("a", "b")
    assert bo.read_scores(frame.rename_axis(None), "higher").algorithms == ("X", "Y")


def test_numbered_columns_are_doubted() -> None:
    found = bo.compare(read(f"dataset,{RUNS}"))
    assert [c.name for c in found.cautions if c.severity == "stop"] == ["doubtful-reading (runs)"]
    assert "doubtful-reading" not in codes(read(f"dataset,{RUNS}", rows="problems"))
    assert "doubtful-reading" not in codes(read(f"dataset,{RUNS.replace('3', '9', 1)}"))
    with pytest.raises(ReadingError, match=r"columns are called like runs .*For runs, make a table"):
        read(f"model,{RUNS}")


def test_a_frame_without_any_names_is_not_doubted() -> None:
    assert "doubtful-reading" not in codes(bo.read_scores(pd.DataFrame(np.eye(6)), "lower"))


WIDE = "{},A,B,C,D\nx,1,2,3,4\ny,2,3,4,5\nz,3,5,4,6\n"


def test_rows_that_differ_like_problems_are_not_doubted() -> None:
    """Five games whose scores are of different size, and seven agents."""
    levels = "".join(
        f"{name},{','.join(str(level * (5 + j % 4)) for j in range(7))}\n"
        for name, level in zip("vwxyz", (1, 60, 900, 8e3, 3e4), strict=True)
    )
    assert "doubtful-reading" not in codes(read("name,A,B,C,D,E,F,G\n" + levels))


HEADERS = {"model": "algorithms", "Pipeline": "algorithms", "dataset": "problems", "Dataset / Method": "problems"}


@pytest.mark.parametrize("header", HEADERS)
def test_the_second_line_says_what_rows_and_columns_were_taken_for(header: str, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(f"{header},X,Y,Z\na,1,2,3\nb,4,5,6\n")
    page = CliRunner().invoke(main, ["compare", str(file), "--better", "higher"], env={"COLUMNS": "200"}).stdout
    n, k = (3, 2) if HEADERS[header] == "algorithms" else (2, 3)
    sides = ("columns", f"rows, from “{header}”")[:: 1 if HEADERS[header] == "algorithms" else -1]
    problems = {"dataset": "datasets"}.get(header, "problems")
    algorithms = {"model": "models"}.get(header, "algorithms")
    assert page.split("\n")[-0 or 1].startswith(f"{n} {problems} ({sides[0]}) × {k} {algorithms} ({sides[1]})."), page


@pytest.mark.parametrize("columns", ["MMLU,ARC-C (25-shot),GSM8K", "iris,wine quality,zoo", "svhn,cifar10,other"])
def test_problems_that_everybody_knows_turn_a_table(columns: str) -> None:
    """N1: a leaderboard whose first header says nothing was ranked by its benchmarks."""
    assert read(f"name,{columns}\na,1,2,3\nb,2,4,3\n").algorithms == ("a", "b")
    assert read(f",{columns}\na,1,2,3\nb,2,4,3\n").algorithms == ("a", "b")


def test_algorithms_that_everybody_knows_leave_it_or_are_asked_about() -> None:
    assert read("name,SVM (RBF),kNN,C\na,1,2,3\nb,2,4,3\n").algorithms == ("SVM (RBF)", "kNN", "C")
    with pytest.raises(ReadingError, match="rows are called like algorithms"):
        read("name,X,Y\nSVM,1,2\nkNN,2,4\n")
    with pytest.raises(ReadingError, match="contradict"):
        read("dataset,X,Y\nSVM,1,2\nkNN,2,4\n")
    with pytest.raises(ReadingError, match="contradict"):
        read("model,X,Y\niris,1,2\nzoo,2,4\n")


def test_a_column_that_counts_rows_is_no_name() -> None:
    """A leaderboard with the place first."""
    scores = read("Rank,Model,X,Y\n1,a,3,4\n2,b,2,5\n")
    assert (scores.algorithms, scores.problems) == (("a", "b"), ("X", "Y"))
    assert read_line(scores).endswith("left out: “Rank” (counts the rows)")
    assert read("Rank,name,iris,zoo\n1,a,3,4\n2,b,2,5\n").algorithms == ("a", "b")
    assert read("#,name,X,Y\n1,a,3,4\n2,b,2,5\n").problems == ("a", "b")


@pytest.mark.parametrize("more", ["#Params (B)", "Year", "n_features", "Average", "Avg"])
def test_what_describes_a_row_is_refused_with_a_call_that_works(more: str) -> None:
    for header in ("model", "dataset"):
        text = f"{header},{more},X,Y,Z\na,7,1,2,3\nb,1,2,4,9\nc,2,3,6,1\n"
        with pytest.raises(ReadingError, match="drop="):
            read(text)
        assert more not in read(text, drop=[more]).problems + read(text, drop=[more]).algorithms
        assert more in read(text, keep=[more]).problems + read(text, keep=[more]).algorithms


@pytest.mark.parametrize("header", ["model", "dataset"])
def test_columns_of_metrics_are_neither_problems_nor_algorithms(header: str) -> None:
    text = f"{header},accuracy,F1,AUC,train_time\na,1,2,3,4\nb,2,4,9,3\n"
    with pytest.raises(ReadingError, match="called like metrics"):
        read(text)
    assert read(text, keep=["accuracy", "train_time"]).values.size == 8


def test_transposed_is_said_only_where_nobody_says_which_way_round_it_is() -> None:
    assert "doubtful-reading" in codes(read(WIDE.format("name")))
    assert "doubtful-reading" not in codes(read(WIDE.format("dataset")))
    assert "doubtful-reading" not in codes(read(WIDE.format("name"), problem="name"))
    assert "doubtful-reading" not in codes(read(WIDE.format("name"), rows="problems"))
    long = "problem,algorithm,score\n" + "".join(f"p{i},a{j},{i * j}\n" for i in (1, 2) for j in (1, 2, 3))
    assert "doubtful-reading" not in codes(read(long))


@pytest.mark.parametrize("command", ["compare", "leaderboard", "evaluate", "bayes", "profile"])
@pytest.mark.slow_cases("bayes")
def test_every_page_says_that_the_table_was_turned(tmp_path: Path, command: str) -> None:
    file = tmp_path / "models.csv"
    file.write_text(f"model,X,Y,Z\n{BODY.replace(chr(10), ',1' + chr(10))}")
    better = "lower" if command == "profile" else "higher"
    shown = CliRunner().invoke(main, [command, str(file), "--better", better])
    problems = "questions" if command == "evaluate" else "problems"
    said = f"3 {problems} (columns) × 3 models (rows, from “model”)."
    assert said in " ".join(shown.stdout.split()), shown.output


def test_the_command_line_decides_and_the_report_can_be_computed_again(tmp_path: Path) -> None:
    file, report = tmp_path / "models.csv", tmp_path / "r.json"
    file.write_text(f"model,X,Y\n{BODY}")
    run = CliRunner().invoke(main, ["compare", str(file), "--better", "higher", "--rows", "algorithms", "--json"])
    assert json.loads(run.stdout)["scores"]["rows"] == "algorithms"
    report.write_text(run.stdout)
    assert bo.verify(report, bo.read_scores(file, "higher")).ok


def test_a_refusal_names_the_option(tmp_path: Path) -> None:
    file = tmp_path / "models.csv"
    file.write_text(f"model,model_1,model_2\n{BODY}")
    run = CliRunner().invoke(main, ["compare", str(file), "--better", "higher"])
    assert "--rows problems if the 3 rows are problems" in run.output


def test_an_index_without_a_name_is_not_named_among_what_was_left_out(tmp_path: Path) -> None:
    frame = pd.DataFrame({"dataset": [f"d{i}" for i in range(6)], "A": np.arange(6.0), "B": np.arange(6.0)[::-1]})
    frame.to_csv(tmp_path / "t.csv")
    scores = bo.read_scores(tmp_path / "t.csv", "higher")
    assert scores.read_as.unused == ()
    assert "without" not in str(bo.compare(scores)).splitlines()[1]
