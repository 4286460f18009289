"""What trackers, spreadsheets, solvers' tables and R write: read as it means, or refused with what to do."""

from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ScoreError
from bakeoff.report.sections import read_line

WIDE = "Dataset,SVM,kNN,RF\n" + "".join(f"{d},{0.5 + i / 100},{0.6 - i / 50},0.7\n" for i, d in enumerate("abcde"))
PAIRS = [(d, m) for d in ("iris", "wine", "zoo") for m in ("cnn", "mlp")]


def read(text: str | bytes, **options: object) -> bo.Scores:
    content = text if isinstance(text, bytes) else text.encode()
    return bo.read_scores(BytesIO(content), **{"better": "higher", **options})  # type: ignore[arg-type]


def refusal(text: str, **options: object) -> str:
    with pytest.raises(ScoreError) as found:
        read(text, **options)
    return str(found.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Model,Mean win rate,MMLU - EM,BoolQ - EM\na,.9,.8,.7\nb,.5,.4,.3\n",
            "'Mean win rate' looks like a statistic",
        ),
        ("Instance,GUROBI,SCIP\nscaled,1,8.1\ni1,2,3\ni2,3,4\n", "the row 'scaled' looks like a summary"),
        ("Wall time,Step,Value\n1.5,0,.5\n2.5,100,.6\n", "each row is a step of a run, by the column 'Step'"),
        ("Wall time,Step,Value,model\n1.5,0,.5,a\n2.5,100,.6,a\n1.5,0,.4,b\n2.5,9,.6,b\n", "bakeoff curves"),
        ("timeStamp,elapsed,responseCode,Latency\n1,5,200,3\n2,6,200,4\n", "metrics (elapsed, Latency)"),
        ("model,score_test,score_val,stack_level\na,.8,.8,1\nb,.7,.7,1\n", "metrics (score_test, score_val)"),
        ("page,Median Response Time,Average Response Time\n/,5,6\n/a,7,8\n", "called like metrics"),
        ("Rank,TeamName,Score\n1,a,.9\n2,b,.8\n3,c,.7\n", "each 'TeamName' has one row"),
        (WIDE + "\n" + WIDE, "the header comes again"),
        ("<html><table><tr><td>1</td></tr></table></html>\n", "XML or HTML"),
    ],
)
def test_what_is_no_score_of_an_algorithm_is_refused(text: str, said: str) -> None:
    """Each was ranked before, some with a confident verdict, or refused with advice that did not help."""
    assert said in refusal(text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Model,MMLU,ARC,MMLU Raw,ARC Raw\na,1,2,3,4\nb,2,1,4,5\n", ("MMLU Raw", "ARC Raw")),
        ("Model,MMLU,ARC,Hub ❤️,CO₂ cost (kg)\na,1,2,3,4\nb,2,1,4,5\n", ("Hub ❤️", "CO₂ cost (kg)")),
    ],
)
def test_what_a_leaderboard_has_beside_its_scores_is_left_out(text: str, left: tuple[str, ...]) -> None:
    found = read(text)
    assert tuple(role.column for role in found.read_as.roles) == left
    assert (found.problems, found.values.tolist()) == (("MMLU", "ARC"), [[1, 2], [2, 1]])
    assert all(f"“{name}” (" in read_line(found).partition("left out: ")[2] for name in left)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_says_the_encoding(encoding: str) -> None:
    text = WIDE.replace("a,0.5", "Größe,0.5")
    found = read(text.encode(encoding))
    assert (found.problems[0], found.values.tolist()) == ("Größe", read(text).values.tolist())


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ('game,a,b\nx,"81,219.2",7.5\ny,"1,234",0.5\n', [[81219.2, 7.5], [1234, 0.5]]),
        ("game;a;b\nx;81.219,2;7,5\ny;1.234;0,5\n", [[81219.2, 7.5], [1234, 0.5]]),
        ("game;a;b\nx;1,234,567;7\ny;1,234;5\n", [[1234567, 7], [1234, 5]]),
        ("game,a,b\nx,\N{MINUS SIGN}0.5,1e\N{MINUS SIGN}3\ny,1,2\n", [[-0.5, 0.001], [1, 2]]),
        ('"a" "b"\n"x one" 0.5 0.6\n"y" 0.7 0.8\n', [[0.5, 0.6], [0.7, 0.8]]),
        ("problem   a    b\n-----------------\nx    0.5  0.6\n y   0.7  0.8\n", [[0.5, 0.6], [0.7, 0.8]]),
    ],
)
def test_numbers_and_columns_as_people_write_them(text: str, first: list[list[float]]) -> None:
    found = read(text)
    assert (found.values.tolist(), found.algorithms) == (first, ("a", "b"))


@pytest.mark.parametrize("cell", ["1,234", "12,34.5", "1,2345.6"])
def test_what_may_be_thousands_and_may_not_is_refused(cell: str) -> None:
    assert "is not a number" in refusal(f"game;a;b\nx;{cell};1.5\ny;2;3\n")


def test_settings_are_known_by_what_follows_their_prefix() -> None:
    rows = "".join(f"{0.5 + i / 10},id{i},config,{m},{d},{s}\n" for s in range(2) for i, (d, m) in enumerate(PAIRS))
    header = "mean_accuracy,trial_name,logdir,config/model,config/dataset,config/seed\n"
    found = read(header + rows)
    assert (found.problems, found.algorithms) == (("iris", "wine", "zoo"), ("cnn", "mlp"))
    assert found.n_runs.tolist() == [[2, 2]] * 3


def test_the_result_of_a_solver_is_no_score() -> None:
    rows = "".join(f"{b},{s},{i + j},{i},sat\n" for i, b in enumerate("xyz") for j, s in enumerate("pq"))
    said = refusal("benchmark,solver,cpu time,wallclock time,result\n" + rows)
    assert "say which: score='cpu time' or score='wallclock time'" in said
    found = read("benchmark,solver,cpu time,wallclock time,result\n" + rows, score="cpu time", better="lower")
    assert found.values.tolist() == [[0, 1], [1, 2], [2, 3]]


def test_counters_and_iterations_are_no_scores() -> None:
    rows = "".join(
        f"{n},{d},{m},{it},0.{n}\n" for n, (d, m, it) in enumerate((d, m, i) for d, m in PAIRS for i in "12")
    )
    text = "nr,task_id,learner_id,iteration,classif.ce\n" + rows
    found = read(text, better="lower")
    assert found.n_runs.tolist() == [[2, 2]] * 3
    assert found.values[:2].tolist() == pytest.approx(np.array([[0.05, 0.25], [0.45, 0.65]]))
    assert read_line(found) == (
        "3 problems (“task_id”) × 2 algorithms (“learner_id”), 2 runs each (“iteration”), "
        "left out: “nr” (counts the rows)"
    )
    assert read(text, run="iteration", better="lower").values.tolist() == found.values.tolist()


def test_names_of_merged_cells_are_asked_for() -> None:
    rows = [["" if i % 2 else d, m, str(i)] for i, (d, m) in enumerate(PAIRS)]
    text = "Dataset,Model,Accuracy\n" + "".join(f"{','.join(row)}\n" for row in rows)
    said = refusal(text)
    assert "line 3, column 1 ('Dataset'): the problem's name is empty (3 such rows, drop='' leaves them out; " in said
    assert "if cells were merged, write the name above into each row)" in said
    for above, row in pairwise(rows):
        row[0] = row[0] or above[0]
    filled = "Dataset,Model,Accuracy\n" + "".join(f"{','.join(row)}\n" for row in rows)
    assert read(filled).values.tolist() == [[0, 1], [2, 3], [4, 5]]


def test_a_column_that_groups_problems_is_named() -> None:
    """It was dropped without a word; columns that describe the algorithm, or each problem, are no groups."""
    rows = "".join(f"q{q},p{q // 2},{m},lab {m},note {q},{q % 3}\n" for q in range(8) for m in "ab")
    header = "question,passage,model,lab,note,score\n"
    line = read_line(read(header + rows))
    assert line == (
        "8 problems (“question”) × 2 algorithms (“model”), not clustered by “passage”, "
        "left out: “lab” (describes the algorithm) and “note” (describes the problem)"
    )
    assert read(header + rows, cluster="passage").read_as.unused == ()
