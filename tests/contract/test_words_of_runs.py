"""Words of solvers and competitions: which mean ok, which stand where a time should, and limits that are no scores."""

import io
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import MissingScoreError, ReadingError
from bakeoff.scores import Scores
from bakeoff.scores.runs import status_word


def read(text: str, **options: object) -> Scores:
    return bo.read_scores(io.StringIO(text), "lower", **options)  # type: ignore[arg-type]


def runtimes(path: Path, text: str, *options: str) -> Result:
    path.write_text(text)
    return CliRunner().invoke(main, ["runtimes", str(path), "--json", *options])


@pytest.mark.parametrize("word", ["solved", "Optimal", "SAT", "UNSAT", "satisfiable", "True", "yes", "done"])
def test_words_that_mean_ok(word: str) -> None:
    assert status_word(word) == "ok"


@pytest.mark.parametrize(
    "word",
    ["TO", "TLE", "timelimit", "time limit", "TIME_LIMIT_REACHED", "timeout (cpu)", "timeout (wallclock)", "> 3600"],
)
def test_words_of_a_time_limit(word: str) -> None:
    assert status_word(word) == "timeout"


@pytest.mark.parametrize("word", ["memout", "MO", "out of memory", "OOM", "MLE", "memory limit"])
def test_words_of_a_memory_limit(word: str) -> None:
    assert status_word(word) == "memout"


def test_another_word_for_ok() -> None:
    text = "problem,solver,time,status\nx,a,1,fine\nx,b,2,fine\ny,a,1,fine\ny,b,3,broken\n"
    with pytest.raises(MissingScoreError, match=r"no score at all of a, b: .*'fine', 'broken'.*ok='fine'"):
        read(text)
    found = read(text, ok="fine", missing="keep")
    assert found.status is not None
    assert found.status.tolist() == [["ok", "ok"], ["ok", "broken"]]
    assert read(text.replace("broken", "Good"), ok=["fine", "good"]).values.tolist() == [[1, 2], [1, 3]]


LONG = "benchmark,solver,time\nx,a,1.5\nx,b,TIMEOUT\ny,a,memout\ny,b,3\nz,a,2\nz,b,{word}\n"


def test_words_in_the_column_of_times_are_statuses() -> None:
    found = read(LONG.format(word=">100"), missing="keep")
    assert found.status is not None
    assert found.status.tolist() == [["ok", "timeout"], ["memout", "ok"], ["ok", "timeout"]]
    with pytest.raises(MissingScoreError, match=r"problem 'x', algorithm 'b' \(timeout\)"):
        read(LONG.format(word="TO"))
    wide = "benchmark,a,b\nx,1.5,TIMEOUT\ny,memout,3\nz,2,TO\n"
    assert read(wide, missing="keep").status.tolist() == found.status.tolist()  # type: ignore[union-attr]
    turned = "solver,x,y,z\na,1.5,memout,2\nb,TIMEOUT,3,TO\n"
    assert read(turned, missing="keep").status.tolist() == found.status.tolist()  # type: ignore[union-attr]
    frame = pd.read_csv(io.StringIO(wide))
    assert bo.read_scores(frame, "lower", missing="keep").status.tolist() == found.status.tolist()  # type: ignore[union-attr]


def test_unknown_words_are_refused_all_at_once() -> None:
    text = LONG.format(word="CONFUSED") + "u,a,ODD\nu,b,ODD\n"
    with pytest.raises(ReadingError, match=r"'ODD' \(2\), 'CONFUSED' \(1\).*status='time'"):
        read(text, missing="keep")
    found = read(text, missing="keep", status="time")
    assert found.status is not None
    assert found.status.tolist()[2:] == [["ok", "confused"], ["odd", "odd"]]
    with pytest.raises(ReadingError, match="'oops' is not a number"):  # no word for the end of a run among them
        read("benchmark,a,b\nx,1.5,oops\ny,2,3\n")


LIMITS = (
    "problem,algorithm,score,T\np1,a,10.5,3600\np1,b,20.25,3600\np2,a,30,86400\np2,b,40,86400\np3,a,33,3600\n"
    "p3,b,36,3600\np4,a,41,3600\np4,b,35,3600\np5,a,27,3600\np5,b,24,3600\n"
)


def test_limits_are_neither_summaries_nor_scores(tmp_path: Path) -> None:
    done = runtimes(tmp_path / "t.csv", LIMITS, "--cap", "T")
    assert done.exit_code == 0, done.stderr
    done = runtimes(tmp_path / "t.csv", LIMITS.replace("score,T", "time,seconds"), "--cap", "seconds")
    assert done.exit_code == 0, done.stderr
    assert '"solved": 5' in done.stdout


def test_a_row_of_limits_is_no_summary(tmp_path: Path) -> None:
    text = "problem,a,b\np1,10.51,20.25\n" + "".join(f"p{i},3600,3600\n" for i in range(2, 6))
    assert runtimes(tmp_path / "t.csv", text, "--cap", "3600").exit_code == 0
    assert read(text).n_problems == 5
    rows = [(1.25, 2.5), (2.75, 4.25), (3.125, 1.75), (4.5, 9.125)]
    means = tuple(sum(column) / 4 for column in zip(*rows, strict=True))
    with pytest.raises(ReadingError, match="looks like a summary"):
        read("problem,a,b\n" + "".join(f"p{i},{a},{b}\n" for i, (a, b) in enumerate([*rows, means])))


def test_a_design_that_is_not_balanced(tmp_path: Path) -> None:
    text = "".join(line + "\n" for line in LIMITS.splitlines() if not line.startswith("p5,b"))
    done = runtimes(tmp_path / "t.csv", text, "--cap", "90000")
    assert "--missing drop" in done.stderr
    done = runtimes(tmp_path / "t.csv", text, "--cap", "90000", "--missing", "drop")
    assert done.exit_code == 0, done.stderr


def test_an_algorithm_that_solved_nothing(tmp_path: Path) -> None:
    """Its runs have words, no scores; so does a table without any."""
    done = runtimes(tmp_path / "t.csv", "problem,a,b\np1,1,TO\np2,2,TO\np3,3,memout\n", "--cap", "100")
    assert done.exit_code == 0, done.stderr
    assert '"solved-nothing"' in done.stdout
    with pytest.raises(MissingScoreError):
        bo.friedman(read("problem,a,b\np1,1,TO\np2,2,TO\np3,3,memout\n", missing="keep"))
