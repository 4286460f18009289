"""read_scores: which rows and columns are compared, and what looks like a summary of them."""

import gzip
import hashlib
import io
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import report
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ReadingError, UnknownNameError
from bakeoff.reading import files
from contract.reading_cases import read, refused

TABLE = "problem,A,B,C\np1,0.81,0.79,0.90\np2,0.62,0.65,0.71\np3,0.95,0.91,0.97\np4,0.55,0.60,0.58\n"


def with_row(name: str, values: str) -> str:
    return f"{TABLE}{name},{values}\n"


@pytest.mark.parametrize("name", ["Average", "avg.", "Avg. rank", "MEAN", "Total", "mean rank", "W/T/L"])
def test_a_row_called_like_a_summary_is_refused(name: str) -> None:
    message = refused(with_row(name, "1,2,3"))
    assert f"the row {name!r} looks like a summary" in message
    assert f"drop={name!r}" in message
    assert read(with_row(name, "1,2,3"), drop=[name]).problems == ("p1", "p2", "p3", "p4")
    assert read(with_row(name, "1,2,3"), keep=[name]).problems[-1] == name


@pytest.mark.parametrize(
    ("values", "what"), [("0.7325,0.7375,0.79", "mean"), ("0.73,0.74,0.79", "mean"), ("0.715,0.72,0.805", "median")]
)
def test_a_last_row_that_sums_up_the_others_is_refused_whatever_its_name(values: str, what: str) -> None:
    assert f"it is the {what} of each column" in refused(with_row("all data sets", values))
    assert read(with_row("all data sets", values), keep="all data sets").n_problems == 5


def test_rows_that_only_resemble_a_mean_are_problems() -> None:
    assert read(with_row("p5", "0.7,0.7,0.8")).n_problems == 5  # one digit says too little
    assert read(with_row("p5", "0.7325,0.7375,0.80")).n_problems == 5
    zero_one = "problem,A,B\n" + "".join(f"q{i},{i % 2},{(i // 2) % 2}\n" for i in range(9))
    assert read(zero_one).n_problems == 9


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("tables", [200, pytest.param(2000, marks=pytest.mark.slow)])
def test_random_tables_are_hardly_ever_taken_for_summaries(tables: int) -> None:
    rng = np.random.default_rng(7)
    for _ in range(tables):
        text = pd.DataFrame(rng.normal(size=(20, 2)).round(3), columns=["A", "B"]).to_csv(index_label="problem")
        assert read(text).n_problems == 20


def test_columns_that_are_statistics_are_refused() -> None:
    hyperfine = "command,mean,stddev,median,user,system,min,max\nmake,1,.1,1,.5,.5,.9,1.2\nninja,2,.1,2,.5,.5,.9,1.2\n"
    assert "'mean', 'stddev', 'median', 'user', 'system' and 2 more (7 in all) are statistics" in refused(hyperfine)
    only = "command,mean,stddev,min,max\nmake,1,.1,.9,1.2\nninja,2,.1,.9,1.2\n"
    assert "are statistics of one measurement, not algorithms" in refused(only)
    some = "problem,A,user,mean,std\np1,1,2,1,.1\np2,2,1,2,.2\n"
    assert refused(some).endswith(
        "Leave them out with drop=['user', 'mean', 'std'], or compare them with keep=['user', 'mean', 'std']"
    )
    text = "problem,A,B,n_samples\np1,1,2,100\np2,2,1,300\n"
    left = read(text)
    assert (left.algorithms, left.read_as.roles[0][:2]) == (("A", "B"), ("n_samples", "description"))
    assert "'n_samples' looks like a statistic" in refused("problem,A,B,n_samples\np1,1,2,1.5\np2,2,1,1.1\n")
    assert read(text, drop="n_samples").algorithms == ("A", "B")
    assert read(text, keep=["n_samples"]).n_algorithms == 3
    assert read(text, only=["B", "A"]).algorithms == ("A", "B")


def test_arrays_have_no_such_names() -> None:
    assert bo.Scores([[1, 2], [3, 4]], algorithms=["mean", "max"], better="lower").n_algorithms == 2
    assert bo.read_scores(np.array([[1.0, 2], [3, 4]]), "lower", only=["A1", "A2"]).n_algorithms == 2


def test_a_dropped_row_may_have_holes() -> None:
    assert read(with_row("Average", "0.7,,0.8"), drop=["Average"]).n_problems == 4
    runs = "problem,algorithm,score,run\n" + "".join(f"{p},{a},1,{r}\n" for p in "xy" for a in "AB" for r in (1, 2))
    message = refused(runs + "y,B,NA,3\n", drop=["x"])
    assert "problem 'y', algorithm 'B', run '3'" in message


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"only": ["A", "b"]}, UnknownNameError, "only: no algorithm is called 'b'; did you mean 'B'"),
        ({"drop": ["p9"]}, UnknownNameError, "drop: no algorithm or problem is called 'p9'"),
        ({"keep": ["Average"]}, UnknownNameError, "keep: no algorithm or problem is called 'Average'"),
        ({"drop": ["p1", "p2", "p3", "p4"]}, ParameterError, "drop leaves no problem of 4"),
        ({"decimal": "·"}, ParameterError, "decimal must be one of"),
    ],
)
def test_names_that_are_not_there(options: dict[str, object], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        read(TABLE, **options)


def test_decimal_commas() -> None:
    text = "problem;A;B\np1;0,8327;0,5\np2;1;-3,5e-1\n"
    assert read(text, decimal=",").values.tolist() == [[0.8327, 0.5], [1, -0.35]]
    assert read(text).values.tolist() == [[0.8327, 0.5], [1, -0.35]]
    assert "or pass decimal=','" in refused(text, decimal=".")
    assert "or pass decimal=','" in refused(text.replace("0,5", "0.5"))
    assert "no thousands separators" in refused("problem;A;B\np1;1,327;12,500\n")  # 1.327 or 1327?
    assert "has a point, where the decimal sign is a comma" in refused(text.replace("0,5", "0.5"), decimal=",")
    assert read("problem\tA,1\tB\np1\t0,5\t2\n", decimal=",").algorithms == ("A,1", "B")
    with pytest.raises(ParameterError, match="decimal is for text and workbooks"):
        bo.read_scores({"A": [1.0], "B": [2.0]}, "lower", decimal=",")


def test_the_refusal_names_a_call_that_works() -> None:
    text = "question,passage,model,run,points\nq1,x,A,1,1\nq1,x,B,1,0\nq2,x,A,1,0\nq2,x,B,1,1\n"
    unusual = read(text.replace("question", "item"))
    assert (unusual.n_problems, dict(unusual.read_as.columns)["score"]) == (2, "points")
    melted = pd.DataFrame({"place": list("aabb"), "clf": ["Random Forest", "SVM"] * 2, "hits": [1.0, 2.0, 2.5, 1.5]})
    with pytest.raises(ReadingError, match="layout='long', problem='place', algorithm='clf', score='hits'"):
        bo.read_scores(melted, "higher")
    assert read("Data Set;Solver;F1\nx;A;1\nx;B;2\n").algorithms == ("A", "B")
    assert "'accuracy' and 'f1' could all be the score column" in refused("task,learner,accuracy,f1\nx,A,1,2\n")


def test_a_data_frame_with_a_column_called_read() -> None:
    frame = pd.DataFrame({"problem": ["x"], "read": [1.0], "write": [2.0]})
    assert bo.read_scores(io.StringIO(frame.to_csv(index=False)), "lower").algorithms == ("read", "write")
    assert bo.read_scores(frame, "lower").algorithms == ("read", "write")


def test_a_compressed_file_is_read_as_what_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scores.tsv.gz"
    path.write_bytes(gzip.compress(TABLE.replace(",", "\t").encode()))
    scores = bo.read_scores(path, "lower")
    assert scores.algorithms == ("A", "B", "C")
    assert scores.source_sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert read(gzip.compress(b'[{"A": 1, "B": 2}]')).values.tolist() == [[1, 2]]
    assert "cannot be unpacked (gzip)" in refused(gzip.compress(TABLE.encode())[:-20])
    monkeypatch.setattr(files, "LARGEST_UNPACKED", 1 << 20)
    assert "once unpacked; unpack it first" in refused(gzip.compress(b"0" * (2 << 20)))


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("lines", "most"),
    [(1 << 18, 8 << 20), pytest.param(2 << 20, 60 << 20, marks=pytest.mark.slow)],  # it was 37 and 300 MB
)
def test_a_small_archive_of_empty_lines_takes_little_memory(lines: int, most: int) -> None:
    """100 kB of gzip, a hundred million empty lines, took 9 GB and minutes."""
    packed = gzip.compress(b"problem,A,B\np1,1,2\n" + b"\n" * lines + b"p2,1,2\n")
    tracemalloc.start()
    try:
        scores = read(packed)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert scores.problems == ("p1", "p2")
    assert peak < most


def test_the_command_line_says_what_to_type(tmp_path: Path) -> None:
    """A name with a space, in the words of a shell; the advice works."""
    path = tmp_path / "scores.csv"
    path.write_text(with_row("Avg. rank", "1,2,3"))
    run = CliRunner()
    refusal = run.invoke(main, ["compare", str(path), "--better", "higher"])
    assert "--drop 'Avg. rank'" in " ".join(refusal.stderr.split())
    assert run.invoke(main, ["compare", str(path), "--better", "higher", "--drop", "Avg. rank"]).exit_code == 0


def test_the_library_names_no_option_of_the_command_line() -> None:
    page = report.render(bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE"), "txt")
    assert "Columns left out to fit the page" in " ".join(page.split())
    assert "--look width" not in page


def test_the_guess_counts_names_of_all_lines() -> None:
    """Three places and two classifiers, of which one is in the first line only."""
    rows = "x,A,1\ny,B,2\nz,B,3"
    assert "Name it with problem='place', algorithm='clf', score='hits'" in refused(
        f"place,clf,hits\n{rows}\n", layout="long"
    )


def test_one_column_of_texts_among_scores_may_be_left_out() -> None:
    assert read("problem,A,B,C,note\nP1,1,2,3,x\n").read_as.roles[0].column == "note"
    message = refused("problem,A,B,C,area\nP1,1,2,3,x\n")
    assert message.endswith("A column that is no algorithm is left out with drop='area'")
    assert "layout='long'" in refused("problem,A,note,more\nP1,1,x,y\n")


@pytest.mark.parametrize("asked", [True, False])
def test_a_column_of_clusters_that_was_asked_for_is_not_to_be_dropped(asked: bool) -> None:
    text = "problem,algorithm,score,cluster\nP1,A,1,x\nP1,B,2,y\n"
    message = refused(text, **{"cluster": "cluster"} if asked else {})
    assert message.endswith("name the column with cluster=") == asked
    assert message.endswith("or leave the column out with drop='cluster'") != asked


@pytest.mark.parametrize("place", ["first", "last"])
def test_means_and_medians_of_any_digits_and_sizes_are_seen(place: str) -> None:
    """Most tables are let pass by their first column, no summary is."""
    rng = np.random.default_rng(5)
    for case in range(60):
        n, digits, size = int(rng.integers(8, 30)), int(rng.integers(1, 6)), 10.0 ** int(rng.integers(-3, 7))
        scores = np.round(rng.lognormal(0.0, 1.0, size=(n, 6)) * size, digits + 3)
        summary = np.round((np.mean, np.median)[case % 2](scores, axis=0), digits + 3)
        rows = np.vstack([summary, scores] if place == "first" else [scores, summary])
        lines = [f"r{i}," + ",".join(map(repr, row)) for i, row in enumerate(rows.tolist())]
        with pytest.raises(ReadingError, match="of each column"):
            bo.read_scores(io.StringIO("\n".join(["dataset,A,B,C,D,E,F", *lines])), "lower")
