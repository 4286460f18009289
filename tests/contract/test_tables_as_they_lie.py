"""Tables as people publish them: keys of several columns, means with spreads, titles, matrices without names."""

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bakeoff as bo
from bakeoff.errors import ReadingError
from bakeoff.scores import Scores


def read(text: str, **options: object) -> Scores:
    return bo.read_scores(io.StringIO(text), "higher", **options)  # type: ignore[arg-type]


KEYS = "space,dataset,seed,method,acc\n" + "".join(
    f"s{s},{d},{r},{m},{s + d + r + (m == 'b')}\n" for s in (1, 2) for d in (1, 2) for r in (0, 1) for m in "ab"
)


def test_a_problem_named_by_several_columns() -> None:
    found = read(KEYS, problem="space,dataset")
    assert found.problems == ("s1/1", "s1/2", "s2/1", "s2/2")
    assert found.values[:, 0].tolist() == [2.5, 3.5, 3.5, 4.5]
    assert read(KEYS, problem="space, dataset, seed").n_problems == 8
    assert read(KEYS, problem="space,dataset", cluster="space").clusters == ("s1", "s1", "s2", "s2")
    frame = pd.read_csv(io.StringIO(KEYS))
    assert bo.read_scores(frame, "higher", problem="space,dataset").problems == found.problems
    with pytest.raises(ReadingError, match="no column 'space,data'"):
        read(KEYS, problem="space,data")
    wide = "task,n,a,b\nx,10,1,2\nx,20,3,4\ny,10,5,6\n"
    assert read(wide, problem="task,n").problems == ("x/10", "x/20", "y/10")


@pytest.mark.needs("polars")
def test_a_problem_of_a_lazy_frame_named_by_several_columns() -> None:
    import polars as pl

    frame = pl.read_csv(io.StringIO(KEYS)).lazy()
    assert bo.read_scores(frame, "higher", problem="space,dataset").problems == ("s1/1", "s1/2", "s2/1", "s2/2")


def test_means_with_spreads() -> None:
    found = read("dataset,a,b\nx,91.71±10.30,90.2 ± 1\ny,80+/-2,81\n")
    assert found.values.tolist() == [[91.71, 90.2], [80, 81]]
    caution = next(c for c in bo.compare(found).cautions if c.name == "averaged (spreads)")
    assert "3 cells" in caution.text
    assert not any(c.name == "averaged (spreads)" for c in bo.compare(read("dataset,a,b\nx,1,2\ny,2,3\n")).cautions)


@pytest.mark.parametrize("title", ["Results", "Results;;", "Table 2\n\n"])
def test_a_title_above_a_text(title: str) -> None:
    assert read(f"{title}\ndataset;a;b\nx;1;2\ny;3;4\n").values.tolist() == [[1, 2], [3, 4]]


def test_european_numbers_where_nothing_else_is_meant() -> None:
    assert read("dataset;a;b\nx;0,91;0,80\ny;1;0,75\n").values.tolist() == [[0.91, 0.8], [1, 0.75]]
    assert read("dataset\ta\tb\nx\t1,5\t1,250\n").values.tolist() == [[1.5, 1.25]]
    assert read('dataset,a,b\nx,"0,912","0,801"\n').values.tolist() == [[0.912, 0.801]]


def test_a_matrix_without_a_header(tmp_path: Path) -> None:
    found = read("0.1,0.2\n0.2,0.3\n0.5,0.1\n", no_header=True)
    assert (found.values.tolist(), found.algorithms) == ([[0.1, 0.2], [0.2, 0.3], [0.5, 0.1]], ("A1", "A2"))
    found = read("# made by hand\nx,0.1,0.2\ny,0.2,0.3\n", no_header=True)
    assert (found.values.tolist(), found.problems) == ([[0.1, 0.2], [0.2, 0.3]], ("x", "y"))
    np.savetxt(tmp_path / "m.txt", [[1.5, 2.5], [3.5, 4.5]])
    assert bo.read_scores(tmp_path / "m.txt", "lower", no_header=True).values.tolist() == [[1.5, 2.5], [3.5, 4.5]]
    with pytest.raises(ReadingError, match="line 2, column 3"):
        read("x,0.1,0.2\ny,0.2,oops\n", no_header=True)
    with pytest.raises(ReadingError, match="no_header=True"):
        read("0.1,0.2\n0.2,0.3\n")


def test_the_refusal_of_repeats_names_the_column_that_tells_them_apart() -> None:
    with pytest.raises(ReadingError, match=r"The repeats differ in .*problem='dataset,"):
        read(KEYS.replace("seed", "size"))
    rows = "".join(f"{t},{n},{m},{n + (m == 'b')}.5,{i}\n" for i, t in enumerate("xyz") for n in (1, 2) for m in "ab")
    text = "task,num_simulations,method,score,id\n" + rows
    with pytest.raises(ReadingError, match=r"differ in 'num_simulations': say ") as error:
        read(text)
    assert "problem='task,num_simulations' if it is part of the problem" in str(error.value)
    assert "or algorithm='method,num_simulations'" in str(error.value)
    assert read(text, problem="task,num_simulations").n_problems == 6
    assert read(text, algorithm="method,num_simulations").algorithms == ("a/1", "b/1", "a/2", "b/2")
    with pytest.raises(ReadingError, match=r"differ in 'run_id': say run='run_id'\."):
        read(text.replace("num_simulations", "run_id"), run=None, score="score")
    with pytest.raises(ReadingError, match=r"differ in 'evaluations': .*bakeoff curves"):
        read(text.replace("num_simulations", "evaluations"))
    with pytest.raises(ReadingError, match="For runs, add a run column"):
        read("task,method,score\nx,a,1\nx,a,2\nx,b,3\n")
