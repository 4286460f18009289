"""Leaderboards, exports and copies of papers: read as they mean, or refused with a call that works."""

import io
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from contract.reading_cases import PROGRAMS

RISING = "A,B,C\n.1,.6,.7\n.2,.6,.8\n.3,.5,.8\n.4,.3,.7\n.5,.5,.9\n"
LEADERBOARD = "Rank,Model,Memory Usage (MB),Retrieval,STS\n1,e5,1000,75.1,46.0\n2,bge,2000,74.1,47.0\n"
TYPED = "T,Model,IFEval,BBH\n🟢,x/llama,40.0,30.1\n🔶,y/mistral,42.0,28.1\n🟢,z/qwen,45.0,33.1\n"
TRACKED = "Name,State,Created,Runtime,dataset,model,seed,test/acc\n" + "".join(
    f"r{d}{m},finished,2024-01-01,100,{d},{m},0,{0.5 + 0.1 * (d == 'iris') + 0.01 * (m == 'a')}\n"
    for d in ("iris", "wine")
    for m in "ab"
)


def answer(text: str, folder: Path, *options: str) -> tuple[dict[str, Any], str]:
    """The scores of a comparison, or what refused it."""
    (folder / "t.csv").write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["compare", str(folder / "t.csv"), "--better", "higher", "--json", *options])
    if done.exit_code == 0:
        found: dict[str, Any] = json.loads(done.stdout)["scores"]
        return found, ""
    assert done.exit_code == 2, done.output
    assert not PROGRAMS.search(done.stderr)
    return {}, " ".join(done.stderr.split())


def left_out(found: dict[str, Any]) -> dict[str, str]:
    """The columns that a reading leaves out, and what they are."""
    return {each["column"]: each["why"] for each in found["reading"]["roles"]}


@pytest.mark.parametrize(
    ("text", "algorithms", "problems"),
    [
        ("id,dataset,kNN,SVM\n1,iris,0.95,0.96\n2,wine,0.90,0.93\n", ["kNN", "SVM"], ["iris", "wine"]),
        ("Pipeline,1,2,3,4\nkNN,9,8,7,6\nSVM,8,7,6,5\nMLP,7,7,7,7\n", None, "--rows algorithms"),
        (TYPED, None, "--drop T"),
        ("Method,PSNR ↑,LPIPS ↓\nA,30.1,0.10\nB,31.1,0.09\n", None, "called like metrics"),
        ("epoch,a,b\n1,0.5,0.6\n2,0.6,0.65\n3,0.7,0.72\n", None, "bakeoff curves"),
        ('"Step","r-a - loss","r-b - loss"\n1,0.9,0.8\n2,0.7,0.6\n', None, "steps of a run"),
        ("Dataset,a,b\nx,9,8\ny,7,6\nz,6,7\nWins,2,1\n", None, "--drop Wins"),
        (TRACKED, None, "--problem dataset --algorithm model"),
        ("instance,a,b\nx,9,N/A (timeout)\ny,7,6\nz,6,7\n", None, r"algorithm 'b' (timeout)"),
        ("dataset,a,b\nx,9,8\ny,7,6\n* our runs\n", None, "begins with #"),
        ("dataset,a,b\nx,1.2s,900ms\ny,1s,2s\n", None, "line 2, column 3 ('b'): '900ms' is not a number; a mark, "),
        ("dataset,a,b\nx,1.2s,900ms\ny,1s,2ms\n", None, "column 'a' holds numbers in s ('1.2s'), and other columns"),
        ("dataset,a,b\nx,79.1%,80.2\ny,80.1%,82.2\n", None, "column 'a' holds percentages ('79.1%'), and other"),
        ("Method,C10,C100\nA,–91.2,70.1\nB,90.0,71.5\n", None, "'–91.2' is not a number; the minus sign is a hyphen"),
        ("Method\tC10\tC100\nA\t1,250\t1,500\n", None, "if this is a decimal comma, pass --decimal ,"),
        (RISING, None, "if it holds the scores of an algorithm, --keep A"),
        ("A,B,C\n1,2.5,3\n2,4,5\n", None, "say --problem A; if it holds the scores of an algorithm, --keep A"),
        (
            "A,B,C\n1,20,30\n2,50,40\n3,40,50\n",
            None,
            "say --problem A; if it holds the scores of an algorithm, --keep A",
        ),
        ("A,B,C\n1,2,3\n2,4,5\n", ["A", "B", "C"], ["P1", "P2"]),
        ("A,B,C\n2,2.5,3\n1,4,5\n", ["A", "B", "C"], ["P1", "P2"]),
        ("dataset,a,b\nx,9,8\ny,7,6\nW/T/L,2/0/0,0/0/2\n", None, "wins, ties and losses"),
        ("problem,best known,a,b\nx,10,11,12\ny,20,20,21\nz,5,6,6\n", None, "--drop 'best known'"),
        ("dataset,A_1,A_2,B_1,B_2\nx,1,2,3,4\ny,2,3,4,5\n", None, "called like runs of A, B"),
        ("dataset,acc_A,acc_B,time_A,time_B\nx,.9,.8,10,20\ny,.8,.7,11,21\n", None, "--drop time_A --drop time_B"),
        ("dataset,A,B,p-value\nx,.9,.8,0.01\ny,.8,.7,0.02\n", None, "--drop p-value"),
        ("dataset,a,b\nx,9,8\nAvg (small),9,8\ny,7,6\n", None, "--drop 'Avg (small)'"),
        ("solver,p1,p2,solved\nkissat,10,20,2\nminisat,12,30,1\n", None, "--drop solved"),
        ("Function,D,DE,PSO\nf1,10,1,2\nf1,30,3,4\nf2,10,5,6\nf2,30,7,8\n", None, "--problem Function,D"),
        (
            "Function,Stat,DE,PSO\nf1,Mean,1e-5,1e-3\nf1,Std,1e-6,1e-4\nf2,Mean,1e-2,1e-1\n",
            None,
            "'Mean' is not a number",
        ),
        ("dataset|a|b\nx|9|8\ny|7|6\n", ["a", "b"], ["x", "y"]),
        ("dataset|a|b\nx|9|8|7\ny|7|6\n", None, "line 2: expected 3 fields as in the header, found 4"),
        ("# dataset a b\nx 9 8\ny 7 6\n", ["a", "b"], ["x", "y"]),
    ],
)
def test_a_table_is_read_or_refused(
    text: str, algorithms: list[str] | None, problems: list[str] | str, tmp_path: Path
) -> None:
    found, refusal = answer(text, tmp_path)
    if algorithms is None:
        assert problems in refusal
    else:
        assert (found["algorithms"], found["problems"]) == (algorithms, problems)


@pytest.mark.parametrize(
    ("text", "options", "shape"),
    [
        ("Function,D,DE,PSO\nf1,10,1,2\nf1,30,3,4\nf2,10,5,6\n", "--problem Function,D", (2, 3)),
        ("dataset,acc_A,acc_B,t_A,t_B\nx,.9,.8,10,20\n".replace("t_", "time_"), "--drop time_A --drop time_B", (2, 1)),
        (RISING, "--keep A", (3, 5)),
        (RISING, "--problem A", (2, 5)),
        ("Method;C10;C100\nA;91,2%;70,1%\nB;90,0%;71,5%\n", "--decimal ,", (2, 2)),
        (TYPED, "--drop T", (3, 2)),
        ("epoch,a,b\n1,0.5,0.6\n2,0.6,0.65\n3,0.7,0.72\n", "--rows problems", (2, 3)),
        (TRACKED, "--problem dataset --algorithm model --run seed --metric test/acc", (2, 2)),
        (
            "dataset,seed,a,b\niris,0,9,8\niris,1,8,7\nwine,0,7,6\nwine,1,6,5\n",
            "--problem dataset,seed --cluster dataset --layout wide",
            (2, 4),
        ),
    ],
)
def test_the_call_that_a_refusal_names_works(text: str, options: str, shape: tuple[int, int], tmp_path: Path) -> None:
    found, refusal = answer(text, tmp_path)
    words = shlex.split(options)
    assert not found
    assert all(word in refusal for word in words[1::2])
    found, refusal = answer(text, tmp_path, *words)
    assert (len(found["algorithms"]), len(found["problems"])) == shape, refusal


def test_a_tab_before_a_number_sign_is_a_column_without_a_name(tmp_path: Path) -> None:
    """The line was taken for a comment."""
    text = "\t#instances\tA\tB\nnorth\t107\t1.5\t2\nsouth\t114\t2.5\t3\n"
    found, refusal = answer(text, tmp_path)
    assert left_out(found) == {"#instances": "describes the problem"}, refusal
    assert (found["problems"], found["values"]) == (["north", "south"], [[1.5, 2], [2.5, 3]])
    found, refusal = answer("# see, x, y\nproblem,1,2\na,1,2\nb,2,3\n", tmp_path)
    assert found["algorithms"] == ["1", "2"], refusal


def test_a_duration_is_no_score_of_a_tracked_run(tmp_path: Path) -> None:
    """It was the only column with a usual name, though the columns of the problem and the algorithm were given."""
    found, refusal = answer(TRACKED, tmp_path, "--problem", "dataset", "--algorithm", "model")
    assert found["values"] == [[0.61, 0.6], [0.51, 0.5]], refusal
    assert found["columns"]["score"] == "test/acc"
    assert left_out(found)["Runtime"] == "a time"


@pytest.mark.parametrize(
    ("text", "unit", "spreads"),
    [
        ("Method,C10,C100\nA,**91.2**,70.1\nB,90.0,71.5†\n", None, False),
        ("Method,C10,C100\nA,91.2%,70.1%\nB,90.0%,71.5%\n", "%", False),
        ("Method;C10;C100\nA;91,2;70,1 \nB;90;71,5*\n", None, False),
        ("Method,C10,C100\nA,91.2ms,70.1 ms\nB,90.0ms,71.5ms\n", "ms", False),
        ("Method,C10,C100\nA,91.2 (0.1),70.1 (0.2)\nB,90.0 (0.1),71.5 (0.1)\n", None, True),
        ("Method,C10,C100\nA,$91.2 \\pm 0.1$,$70.1 \\pm 0.2$\nB,$90.0 \\pm 0.2$,$71.5 \\pm 0.1$\n", None, True),
    ],
)
def test_a_whole_column_in_another_form_is_read(text: str, unit: str | None, spreads: bool) -> None:
    """Each was refused, with a command for a shell."""
    found = bo.read_scores(io.StringIO(text), "higher")
    assert (found.algorithms, found.problems, found.unit) == (("A", "B"), ("C10", "C100"), unit)
    assert found.values.tolist() == [[91.2, 90.0], [70.1, 71.5]]
    assert any(c.name == "averaged (spreads)" for c in bo.compare(found).cautions) == spreads


def test_digits_in_groups_beside_decimal_commas_are_read(tmp_path: Path) -> None:
    found, refusal = answer("dataset;a;b\nx;1'234,5;2,5\ny;7,5;6,5\n", tmp_path)
    assert found["values"] == [[1234.5, 2.5], [7.5, 6.5]], refusal


@pytest.mark.parametrize(
    ("text", "left", "why", "values"),
    [
        (
            LEADERBOARD,
            ["Rank", "Memory Usage (MB)"],
            ["counts the rows", "describes the algorithm"],
            [[75.1, 74.1], [46.0, 47.0]],
        ),
        (
            "dataset,a_mean,a_std,b_mean,b_std\nx,9,1,8,2\ny,7,1,6,2\nz,7,1,6,1\n",
            ["a_std", "b_std"],
            ["a statistic of another column"] * 2,
            [[9, 8], [7, 6], [7, 6]],
        ),
        (
            "dataset,a,a (sd),b,b (sd)\nx,9,1,8,2\ny,7,1,6,2\nz,7,1,6,1\n",
            ["a (sd)", "b (sd)"],
            ["a statistic of a", "a statistic of b"],
            [[9, 8], [7, 6], [7, 6]],
        ),
        (
            "dataset,n,d,A,B\nx,150,4,.9,.8\ny,178,13,.8,.7\n",
            ["n", "d"],
            ["describes the problem"] * 2,
            [[0.9, 0.8], [0.8, 0.7]],
        ),
        (
            "dataset,A,A_low,A_high,B,B_low,B_high\nx,5,4,6,3,2,4\ny,4,3,5,2,1,3\n",
            ["A_low", "A_high", "B_low", "B_high"],
            [*["a statistic of A"] * 2, *["a statistic of B"] * 2],
            [[5, 3], [4, 2]],
        ),
    ],
)
def test_what_is_no_score_is_left_out_and_said(
    text: str, left: list[str], why: list[str], values: list[list[float]], tmp_path: Path
) -> None:
    found, refusal = answer(text, tmp_path)
    assert left_out(found) == dict(zip(left, why, strict=True)), refusal
    assert found["values"] == values


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("| Method | C10 | C100 |\n|---|:---:|---|\n| A | 91.2 | 70.1 |\n| B | 90.0 | 71.5 |\n", "a table with bars"),
        ("# the results\n\n# Method,C10,C100\n\nA,91.2,70.1\nB,90.0,71.5\n", "a table with its names in a comment"),
        ("Method & C10 & C100 \\\\\nA & 91.2 & 70.1 \\\\\nB & 90.0 & 71.5 \\\\\n", "a LaTeX table"),
        ("Method | C10 | C100\n--+--+--\nA | 91.2 | 70.1\nB | 90.0 | 71.5", "a table with bars"),
    ],
)
def test_a_table_that_is_drawn_is_read_and_said(text: str, written: str, tmp_path: Path) -> None:
    found, refusal = answer(text, tmp_path)
    assert found["problems"] == ["C10", "C100"], refusal
    assert found["values"][0] == [91.2, 90.0]
    assert found["reading"]["written"] == written


def test_a_cell_of_a_drawn_table_is_named_by_its_own_line(tmp_path: Path) -> None:
    text = "# results\n\n| Method | C10 | C100 |\n|---|---|---|\n| A | 91.2 | 70.1 |\n| B | 90.0 | x1 |\n"
    assert "line 6, column 3 ('C100'): 'x1' is not a number" in answer(text, tmp_path)[1]
