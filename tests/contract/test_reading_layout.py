"""read_scores: wide and long tables, names, runs, and doubts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ReadingError
from contract.reading_cases import EXPECTED, LONG, WIDE, content, read, refused


@pytest.mark.parametrize(
    "header",
    [
        "problem,algorithm,score",
        "Problem,ALGORITHM,Score",
        "dataset,method,value",
        "instance,classifier,score",
        " dataset , model , Value ",
    ],
)
def test_long_columns_are_recognised(header: str) -> None:
    assert content(read(LONG.replace("problem,algorithm,score", header))) == EXPECTED


def test_long_columns_in_any_order_with_others_beside() -> None:
    text = "seconds,score,comment,algorithm,problem\n7,1,x,A,P1\n,2,,B,P1\nNA,3,,A,P2\n1,5,z,B,P2"
    assert content(read(text)) == EXPECTED


def test_its_own_name_wins_over_a_synonym() -> None:
    text = "problem,dataset,algorithm,model,score,value\nP1,d,A,m,1,9\nP1,d,B,m,2,9\nP2,d,A,m,3,9\nP2,d,B,m,5,9"
    assert content(read(text)) == EXPECTED
    message = refused("dataset,instance,algorithm,score\nd,i,A,1\nd,i,B,2")
    assert (
        "'dataset' and 'instance' could all be the problem column; say which: problem='dataset' or problem='instance'"
        in message
    )
    assert read("dataset,instance,algorithm,score\nd,i,A,1\nd,i,B,2", problem="instance").problems == ("i",)


def test_columns_given_by_name() -> None:
    text = "task,solver,seconds,rep\nP1,A,1,1\nP1,B,2,1\nP2,A,3,1\nP2,B,5,1"
    given = {"problem": "task", "algorithm": "solver", "score": "seconds"}
    assert content(read(text, **given)) == EXPECTED
    assert read(text, **given, run="rep").n_runs.tolist() == [[1, 1], [1, 1]]
    assert content(read(text, **given, layout="long")) == EXPECTED
    # a flag beats a name that would be recognised
    both = LONG.replace("score", "score,other").replace("\nP", ",9\nP").replace("other,9", "other") + ",9"
    assert read(both.replace("5\n,9", "5,9"), score="other").values.tolist() == [[9, 9], [9, 9]]


@pytest.mark.parametrize(
    ("text", "options", "error", "message"),
    [
        (
            LONG,
            {"score": "scor"},
            ReadingError,
            "no column 'scor'; its columns are problem, algorithm, score; did you mean 'score'",
        ),
        (WIDE, {"problem": "name"}, ReadingError, "problem: the open file has no column 'name'"),
        (
            WIDE,
            {"layout": "long"},
            ReadingError,
            "the long layout needs the column algorithm; the columns are problem, A, B. Name it with algorithm=",
        ),
        (WIDE, {"algorithm": "A"}, ReadingError, "needs the column score; the columns are problem, A, B"),
        (LONG, {"layout": "wide", "score": "score"}, ParameterError, "score names a column of the long layout"),
        (LONG, {"layout": "wide"}, ReadingError, r"line 2, column 2 \('algorithm'\): 'A' is not a number"),
        (LONG, {"problem": "score", "score": "score"}, ParameterError, "must be different columns; both are 'score'"),
        (LONG, {"problem": 3}, ParameterError, "problem must be the name of a column; got 3"),
        (
            "problem,algorithm,points,marks\nx,A,1,3\nx,B,2,2",
            {},
            ReadingError,
            "needs the column score; .* Name it with score='points', or pass layout='wide'",
        ),
        (
            "place,algorithm,score\nx,A,1\nx,B,2\ny,A,2",
            {},
            ReadingError,
            "column problem; .* Name it with problem='place'",
        ),
        (
            "place,method,score\nx,A,1\nx,B,2\ny,A,2",
            {},
            ReadingError,
            "column problem; .* Name it with problem='place'",
        ),
        (
            "place,score,product\nx,1,A\nx,2,B\ny,2,A\ny,2,B\nz,2,A\nz,2,B",
            {},
            ReadingError,
            r"'A' is not a number \(read as a wide table; .* layout='long', problem='place', algorithm='product'\)",
        ),
        ("problem,run,A,B\nx,1,2,3", {}, ReadingError, "need the long layout"),
        ("dataset,model,value\nx,1,2\ny,3,4", {}, ReadingError, "pass layout='wide' or layout='long'"),
    ],
)
def test_doubtful_or_contradictory_columns(
    text: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read(text, **options)


def test_doubts_are_settled_by_layout_or_names() -> None:
    text = "dataset,model,value\nx,1,2\nx,3,4"
    assert read(text, layout="long").algorithms == ("1", "3")
    assert read(text.replace("\nx,3", "\ny,3"), layout="wide").algorithms == ("model", "value")
    assert read("A,problem,B\n1,x,2", problem="problem").algorithms == ("A", "B")
    anywhere = read("A,problem,B\n1,x,2\n3,y,5")
    assert (anywhere.problems, anywhere.algorithms) == (("x", "y"), ("A", "B"))
    assert anywhere.values.tolist() == [[1, 2], [3, 5]]
    assert read("problem,run,A\nx,1,2", layout="wide").algorithms == ("run", "A")
    assert read("problem,model,baseline\nx,1,2").algorithms == ("model", "baseline")
    assert read("problem,algorithm,score\nx,1,2\nx,3,4").algorithms == ("1", "3")


def test_a_first_column_names_the_problems_if_it_can_be_no_score() -> None:
    assert read("id,A,B\n1,2,3\n2,4,5").problems == ("1", "2")
    assert read("A,B,C\n1,2,3\n2,4,5").algorithms == ("A", "B", "C")  # as of a data frame
    with pytest.raises(ReadingError, match="the first column, 'foo', rises from row to row"):
        read("foo,A,B\n1,2,3\n2,4,5\n3,4,5\n4,4,5\n6,4,5")
    assert read(",A,B\n0,2,3\n1,4,5").problems == ("0", "1")
    # data frames written with their row numbers
    assert read(",problem,A,B\n0,x,2,3\n1,y,4,5").problems == ("x", "y")
    assert read(",problem,algorithm,score\n0,x,A,3\n1,x,B,5").algorithms == ("A", "B")


def test_frames_without_a_problem_column() -> None:
    for source in (
        {"A": [1, 3], "B": [2, 5]},
        pd.DataFrame({"A": [1, 3], "B": [2, 5]}),
        pd.DataFrame({"A": [1, 3], "B": [2, 5]}, index=[10, 20]),
        [{"A": 1, "B": 2}, {"A": 3, "B": 5}],
    ):
        assert content(bo.read_scores(source, "lower")) == EXPECTED
    numbered = {"dataset": [7, 8], "A": [1, 3], "B": [2, 5]}
    for source in (numbered, pd.DataFrame(numbered), pd.DataFrame(numbered).set_index("dataset")):
        assert bo.read_scores(source, "lower").problems == ("7", "8")
    assert bo.read_scores(pd.DataFrame(numbered).rename(columns={"dataset": "id"}), "lower", problem="id").problems == (
        "7",
        "8",
    )
    # a numeric index with a name that nobody recognises still names rows, and identifiers in text are names
    assert bo.read_scores(pd.DataFrame({"id": [7, 8], "A": [1, 3], "B": [2, 5]}).set_index("id"), "lower").problems == (
        "7",
        "8",
    )
    assert bo.read_scores({"id": ["7", "8"], "A": [1, 3], "B": [2, 5]}, "lower").problems == ("7", "8")
    integers = pd.DataFrame([[1, 2], [3, 5]])
    assert bo.read_scores(integers, "lower").algorithms == ("0", "1")


@pytest.mark.needs("polars")
def test_frames_of_polars_without_a_problem_column() -> None:
    import polars as pl

    assert content(bo.read_scores(pl.DataFrame({"A": [1, 3], "B": [2, 5]}), "lower")) == EXPECTED
    numbered = pl.DataFrame({"dataset": [7, 8], "A": [1, 3], "B": [2, 5]})
    assert bo.read_scores(numbered, "lower").problems == ("7", "8")


def test_long_frames_keep_their_names() -> None:
    frame = pd.DataFrame(
        {"problem": [1, 1, 2, 2], "algorithm": ["A", "B"] * 2, "score": [1, 2, 3, 5], "seed": [2**60] * 4}
    )
    assert bo.read_scores(frame, "lower").problems == ("1", "2")
    gaps = pd.DataFrame({"problem": [1.0, 1.0], "algorithm": ["A", "B"], "score": [1, 2]})
    assert bo.read_scores(gaps, "lower").problems == ("1",)


def test_order_is_that_of_first_appearance() -> None:
    text = "problem,algorithm,score\nz,b,1\nz,a,2\ny,a,3\ny,b,4"
    scores = read(text)
    assert (scores.problems, scores.algorithms) == (("z", "y"), ("b", "a"))
    assert scores.values.tolist() == [[1, 2], [4, 3]]


def test_runs() -> None:
    text = "problem,algorithm,run,score\nx,A,10,1\nx,A,2,5\nx,B,2,7\ny,A,2,1\ny,B,2,2\ny,B,3,4\ny,B,1,6"
    scores = read(text)
    assert scores.values.tolist() == [[3, 7], [1, 4]]
    assert scores.n_runs.tolist() == [[2, 1], [1, 3]]
    assert scores.runs is not None
    assert scores.runs.shape == (2, 2, 3)
    assert np.isnan(scores.runs).sum() == 5
    single = text + "\nz,A,1,1\nz,B,1,2"
    assert read(single.replace("10,1", "10,NA").replace("3,4", "3,?"), missing="drop").runs is None
    # the order of lines does not change a bit
    lines = text.split("\n")
    again = read("\n".join([lines[0], *reversed(lines[1:])])).select(["A", "B"], ["x", "y"])
    assert np.array_equal(again.values, scores.values)


def test_repeated_names() -> None:
    message = refused("problem,A,B\n" + "\n".join(f"P{i % 7},1,2" for i in range(14)))
    assert "'P0' (line 2, line 9), 'P1' (line 3, line 10)" in message
    assert "(7 in all)" in message
    assert "use the long layout" in message
    message = refused("problem,A,B,A,B\nx,1,2,3,4")
    assert "line 1: column names must be unique; repeated: 'A' (columns 2, 4), 'B' (columns 3, 5)" in message
    with pytest.raises(ReadingError, match=r"repeated: 'A' \(columns 1, 2\)"):
        bo.read_scores(pd.DataFrame([[1, 2]], columns=["A", "A"]), "lower")
    with pytest.raises(ReadingError, match=r"repeated: 'A' \(columns 1, 2\)"):
        bo.read_scores({"A": [1], " A": [2]}, "lower")
    message = refused(LONG + "".join(f"P{i},A,1\nP{i},A,2\n" for i in range(3, 10)))
    assert "each (problem, algorithm) must occur once" in message
    assert "problem 'P3', algorithm 'A' (line 6, line 7) and 6 more" in message
    assert "run=" in message
    message = refused("problem,algorithm,run,score\nx,A,1,1\nx,A,2,2\nx,A,1,3")
    assert "problem 'x', algorithm 'A', run '1' (line 2, line 4)" in message


def test_a_long_table_with_gaps() -> None:
    text = "problem,algorithm,score\nx,A,1\nx,B,2\ny,A,3\nz,B,1"
    message = refused(text)
    assert "problem 'y', algorithm 'B'; problem 'z', algorithm 'A'" in message
    dropped = read(text, missing="drop")
    assert (dropped.problems, dropped.dropped) == (("x",), ("y", "z"))
    assert read(text, missing="worst").filled == (("y", "B"), ("z", "A"))


@pytest.mark.slow
def test_a_long_table_that_would_explode_is_refused() -> None:
    rows = [f"p{i},a{i},{i}" for i in range(40_000)]
    assert "too many" in refused("problem,algorithm,score\n" + "\n".join(rows))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("problem,A,B\n,1,2", "line 2, column 1 ('problem'): the problem's name is empty"),
        ("problem,A,B\nx,1,2\n  ,1,2", "line 3"),
        ("problem,algorithm,score\nx,,2", "line 2, column 2 ('algorithm'): the algorithm's name is empty"),
        ("problem,algorithm,run,score\nx,A,,2", "the run's name is empty"),
        ("problem,A,,B\nx,1,2,3", "line 2, column 3: '2' is in a column without a name"),
        ("problem,A\nx,1", "at least 2 algorithms are needed for a comparison; got 1"),
        ("problem,algorithm,score\nx,A,1\ny,A,2", "at least 2 algorithms"),
    ],
)
def test_lacking_names(text: str, message: str) -> None:
    assert message in refused(text)


def nouns_elsewhere(noun: str) -> list[str]:
    """What docs/understand/names.md says a noun of ours is called elsewhere."""
    page = (Path(__file__).parents[2] / "docs" / "understand" / "names.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| {noun} |"))
    return [word.strip() for word in row.split("|")[3].split(",")]


# words of statistics that columns of other things are called too
NOT_COLUMNS = {"group", "observation per cell"}


@pytest.mark.parametrize("role", ["problem", "algorithm", "score", "run"])
def test_every_word_of_the_page_of_names_is_recognised(role: str) -> None:
    for word in {role, *nouns_elsewhere(role)} - NOT_COLUMNS:
        names = {"problem": "problem", "algorithm": "algorithm", "score": "score", "run": "run"} | {role: word}
        rows = [(p, a, 1.5 + r, r) for p in ("p1", "p2") for a in ("A", "B") for r in (1, 2)]
        columns = dict(zip(names.values(), zip(*rows, strict=True), strict=True))
        scores = bo.read_scores({name: list(values) for name, values in columns.items()}, "lower")
        assert (scores.algorithms, scores.runs is not None) == (("A", "B"), True), word


def test_a_data_frame_that_was_saved_with_its_index() -> None:
    frame = pd.DataFrame({"Unnamed: 0": [0, 1], "A": [1.0, 3.0], "B": [2.0, 4.0]})
    found = bo.read_scores(frame, better="lower")
    assert (found.problems, found.algorithms) == (("0", "1"), ("A", "B"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("problem,a,b\np,1,2\nq,1.x,3\nr,2,3\n", r"line 3, column 2 \('a'\): '1\.x' is not a number"),
        ("problem,a,b,area\np,1,2,x\nq,1,3,y\n", r"A column that is no algorithm is left out with drop='area'$"),
        ("problem,a,b,c,d,e,f\np,1,2,3,x,x,x\nq,1,2,3,x,y,z\n", r"with drop='d', drop='e', drop='f'$"),
        ("problem,a,b,c,d,e,f,g\np,1,2,x,x,x,x,3\nq,1,2,x,y,z,x,3\n", r"with drop='c', drop='d', drop='e', drop='f'$"),
        ("problem,a,note,who\np,1,x,i\nq,1,y,j\n", r"if it has one row per score, say so: layout='long'"),
        ("algorithm,p,q\na,1,2\n,2,3\nc,2,3\n", r"the algorithm's name is empty \(1 such rows\)$"),
        ("algorithm,p,q\na,1,2\na,2,3\nc,2,3\n", r"algorithms \(column 'algorithm'\) must be unique .*repeated: 'a'"),
        ("problem,a,b\np,1,2\n,2,3\nr,2,3\n", r"the problem's name is empty \(1 such rows\)$"),
        ("problem,a,b\np,1,2\np,2,3\nr,2,3\n", r"problems \(column 'problem'\) must be unique .*repeated: 'p'"),
    ],
)
def test_a_wide_table_that_cannot_be_read_says_what_to_do(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(ReadingError, match=said):
        bo.read_scores(tmp_path / "t.csv", better="lower")


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (
            ["--read", "layuot=long"],
            "--read has no key 'layuot'; did you mean 'layout'? The keys are layout, rows, decimal,",
        ),
        (["--read", "layout"], "--read must be KEY=VALUE: --read layout=VALUE"),
        (["--read", "header=maybe"], "--read header must be yes or no; got 'maybe'"),
        (["--read", "layout=tall"], "--layout must be one of 'auto', 'wide', 'long'; got 'tall'"),
        (["--layout", "tall"], "--layout must be one of 'auto', 'wide', 'long'; got 'tall'"),
        (["--layout"], "--read must be KEY=VALUE: --read layout=VALUE"),
    ],
)
def test_keys_of_reading_are_refused_with_what_to_say(asked: list[str], answer: str) -> None:
    refused = CliRunner().invoke(main, ["compare", "-", "--better", "lower", *asked], input="p,a,b\nx,1,2\ny,2,3\n")
    assert refused.exit_code == 2
    assert answer in refused.stderr


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        (["--no-header", "--decimal", ","], ["--read", "header=no", "--read", "decimal=,"]),
        (
            ["--layout=wide", "--no-header", "--decimal=,"],
            ["--read", "layout=wide", "--read=header=no", "--read=decimal=,"],
        ),
    ],
)
def test_a_key_of_reading_is_taken_under_its_own_name(typed: list[str], key: list[str], tmp_path: Path) -> None:
    (tmp_path / "matrix.csv").write_text("1,5;2,5\n2,5;4,0\n3,5;3,75\n" if "--decimal" in typed else "1,2\n2,4\n3,3\n")
    call = ["compare", str(tmp_path / "matrix.csv"), "--better", "lower"]
    first, second = (CliRunner().invoke(main, [*call, *words, "--json"]) for words in (typed, key))
    assert json.loads(first.stdout)["scores"] == json.loads(second.stdout)["scores"]
    page = str(tmp_path / "page.html")
    assert CliRunner().invoke(main, [*call, *typed, "--report", page]).exit_code == 0
    assert CliRunner().invoke(main, ["verify", page]).exit_code == 0


def test_keys_of_reading_are_given_one_by_one() -> None:
    """A matrix with commas as decimal signs, and statuses by words of its own."""
    matrix = "1,5;2,5\n2,5;4,0\n3,5;3,75\n"
    call = ["compare", "-", "--better", "lower", "--json", "--read", "header=no", "--read", "decimal=,"]
    found = json.loads(CliRunner().invoke(main, call, input=matrix).stdout)
    assert found["scores"]["values"] == [[1.5, 2.5], [2.5, 4.0], [3.5, 3.75]]
    rows = "".join(f"p{i},{a},{i + j + 1},{'fine' if i else 'good'}\n" for i in range(3) for j, a in enumerate("ab"))
    call = ["compare", "-", "--better", "lower", "--json", "--read", "ok=fine", "--read=ok=good"]
    found = json.loads(CliRunner().invoke(main, call, input=f"problem,algorithm,score,status\n{rows}").stdout)
    assert found["scores"]["values"] == [[1.0, 2.0], [2.0, 3.0], [3.0, 4.0]]
