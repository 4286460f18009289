"""CSV files that are recognised by their header, and every pitfall of each (see docs/how-to/formats.md)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError
from frames import FRAMES

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"


def csv(name: str) -> pd.DataFrame:
    return pd.read_csv(FILES / name)


def automl(**columns: Any) -> pd.DataFrame:
    """Two frameworks, two tasks of different types, two folds."""
    rows = [
        {"id": t, "task": t, "framework": f, "constraint": "1h4c", "fold": k, "type": kind, "result": r, "metric": m}
        for t, kind, m, r in (("adult", "binary", "auc", 0.9), ("iris", "multiclass", "neg_logloss", -0.1))
        for f in ("RF", "TPOT")
        for k in (0, 1)
    ]
    frame = pd.DataFrame(rows).assign(info="", acc=0.95, logloss=0.3, training_duration=60.0)
    return frame.assign(**columns)


def test_automl_benchmark_failures_have_their_reason() -> None:
    with pytest.raises(MissingScoreError, match=r"'iris', algorithm 'TPOT'.*\(TimeoutError: Interrupting thread\)"):
        bo.read_results(FILES / "automlbenchmark_results.csv")


def test_automl_benchmark_result_is_always_higher() -> None:
    """`neg_logloss` is already turned round; the column `logloss` is not."""
    file = csv("automlbenchmark_results.csv").query("framework == 'RandomForest'")
    both = pd.concat([file, file.assign(framework="other")])
    scores = bo.read_results(both)
    assert (scores.better, scores.metric, scores.run_kind) == ("higher", "neg_logloss", "split")
    assert scores.runs is not None
    assert scores.runs[0, 0].tolist() == [-0.126, -0.201]
    raw = bo.read_results(both, metric="logloss")
    assert raw.better == "lower"
    assert raw.values.tolist() == [[pytest.approx(0.1635), pytest.approx(0.1635)]]


def test_automl_benchmark_metrics_differ_by_task() -> None:
    with pytest.raises(ParameterError, match=r"metric must be one of auc, neg_logloss, or result: .* only ranks"):
        bo.read_results(automl())
    every = bo.read_results(automl(), metric="result")
    assert (every.problems, every.better, every.metric) == (("adult", "iris"), "higher", "result")
    assert bo.read_results(automl(), metric="auc").problems == ("adult",)
    times = bo.read_results(automl(), metric="training_duration")
    assert (times.problems, times.better) == (("adult", "iris"), "lower")
    with pytest.raises(ParameterError, match=r"metric must be one of .*got 'acuracy'"):
        bo.read_results(automl(), metric="acuracy")


def test_automl_benchmark_constraints_are_algorithms() -> None:
    long = pd.concat([automl(), automl(constraint="4h8c")])
    names = ("RF/1h4c", "TPOT/1h4c", "RF/4h8c", "TPOT/4h8c")
    assert bo.read_results(long, metric="auc").algorithms == names


def test_automl_benchmark_refuses_what_occurs_twice() -> None:
    with pytest.raises(ReadingError, match=r"4 measurements occur more than once.*run '0'"):
        bo.read_results(pd.concat([automl(), automl()]), metric="auc")


def test_tabarena_errors_are_better_lower_and_never_below_0() -> None:
    scores = bo.read_results(FILES / "tabarena_results.csv")
    assert (scores.better, scores.metric, scores.algorithms) == ("lower", "metric_error", ("RF", "GBM"))
    assert scores.runs is not None
    assert scores.runs[0].tolist() == [[0.05, 0.06], [0.04, 0.07]]
    table = csv("tabarena_results.csv")
    with pytest.raises(ReadingError, match=r"row 1: metric_error is -0\.05; it is an error"):
        bo.read_results(table.assign(metric_error=-0.05))
    assert bo.read_results(table, metric="time_train_s").better == "lower"
    folds = bo.read_results(table.rename(columns={"task": "dataset"}).assign(fold=table["seed"], seed=0))
    assert folds.run_kind == "split"


def test_tabarena_must_be_dense() -> None:
    """A method without a task is a missing score, not a smaller table."""
    table = csv("tabarena_results.csv")
    more = pd.concat([table, table.query("method == 'RF'").assign(task="wine")])
    with pytest.raises(MissingScoreError, match="problem 'wine', algorithm 'GBM'"):
        bo.read_results(more)
    mixed = pd.concat([table.assign(metric="rmse"), table.assign(task="wine", metric="auc")])
    with pytest.raises(ParameterError, match="rmse error, auc error, or metric_error: the metric differs"):
        bo.read_results(mixed)


@pytest.mark.parametrize("frame", FRAMES)
def test_openml_folds_are_the_runs(frame: Callable[[pd.DataFrame], Any]) -> None:
    scores = bo.read_results(frame(csv("openml_list_evaluations.csv")))
    assert (scores.problems, scores.better, scores.metric) == (("59",), "higher", "predictive_accuracy")
    assert scores.algorithms == ("sklearn.RF(1)", "weka.J48(2)")
    assert scores.runs is not None
    assert scores.runs[0].tolist() == [[0.93, 0.97], [0.94, 0.94]]
    assert scores.run_kind == "split"


def test_openml_lists_are_lists_or_text_and_repeats_nest() -> None:
    table = csv("openml_list_evaluations.csv")
    as_lists = table.assign(values=[[0.93, 0.97], [0.94, None]])
    with pytest.raises(MissingScoreError, match=r"'weka.J48\(2\)', run '1'"):
        bo.read_results(as_lists)
    nested = bo.read_results(table.assign(values=["[[0.9, 0.8], [0.7, nan]]"] * 2), missing="available")
    assert nested.run_ids is not None
    assert nested.run_ids[0, 0].tolist() == ["0/0", "0/1", "1/0"]  # nan is a missing score
    with pytest.raises(ReadingError, match=r"row 1, column 'values': not a list"):
        bo.read_results(table.assign(values="0.9;0.8"))


def test_openml_mean_is_no_score_beside_folds() -> None:
    table = csv("openml_list_evaluations.csv")
    with pytest.raises(ReadingError, match=r"row 2: has no values, only the mean of its folds"):
        bo.read_results(table.assign(values=["[0.93, 0.97]", ""]))
    means = bo.read_results(table.drop(columns="values"))
    assert (means.values.tolist(), means.runs) == ([[0.95, 0.94]], None)


def test_openml_several_setups_and_uploads_must_be_chosen() -> None:
    table = csv("openml_list_evaluations.csv")
    setups = pd.concat([table, table.head(1).assign(run_id=3, setup_id=13)])
    with pytest.raises(ReadingError, match=r"2 setups of 'sklearn.RF\(1\)' on problem '59': setup_id 11, 13; the best"):
        bo.read_results(setups)
    chosen = bo.read_results(setups, algorithm="flow_name,setup_id")
    assert chosen.algorithms == ("sklearn.RF(1)/11", "weka.J48(2)/12", "sklearn.RF(1)/13")
    uploads = pd.concat([table, table.head(1).assign(run_id=3)])
    with pytest.raises(ReadingError, match=r"2 uploads of .*run_id 1, 3"):
        bo.read_results(uploads)


def test_openml_direction_is_that_of_the_function() -> None:
    table = csv("openml_list_evaluations.csv").drop(columns="values")
    for function, better in (("mean_absolute_error", "lower"), ("area_under_roc_curve", "higher")):
        assert bo.read_results(table.assign(function=function)).better == better
    with pytest.raises(ParameterError, match="better is needed"):
        bo.read_results(table.assign(function="my_function"))
    millis = bo.read_results(table.assign(function="usercpu_time_millis"))
    assert (millis.better, millis.values.tolist()) == ("lower", [[0.00095, 0.00094]])


def test_jmetal_has_many_indicators_in_one_file() -> None:
    file = FILES / "jmetal_QualityIndicatorSummary.csv"
    with pytest.raises(ParameterError, match="metric must be one of HV, Time"):
        bo.read_results(file)
    scores = bo.read_results(file, metric="HV")
    assert (scores.better, scores.values.tolist()) == ("higher", [[0.659, 0.661]])
    table = csv("jmetal_QualityIndicatorSummary.csv").query("IndicatorName == 'HV'")
    for name in ("IGD", "IGD+", "EP", "GD", "SPREAD", "Time"):
        assert bo.read_results(table.assign(IndicatorName=name)).better == "lower"
    with pytest.raises(ParameterError, match="better is needed"):
        bo.read_results(table.assign(IndicatorName="R2"))


def test_aeon_algorithm_and_metric_are_in_the_name_of_the_file(tmp_path: Path) -> None:
    text = (FILES / "aeon_HC2_accuracy.csv").read_text()
    (tmp_path / "HC2_accuracy.csv").write_text(text)
    (tmp_path / "my_method_accuracy.csv").write_text(text.replace("0.91", "0.92"))
    scores = bo.read_results(tmp_path)
    assert (scores.algorithms, scores.metric, scores.better) == (("HC2", "my_method"), "accuracy", "higher")
    assert (scores.problems, scores.run_kind) == (("ACSF1", "Adiac"), "split")
    assert scores.runs is not None
    assert scores.runs[0].tolist() == [[0.91, 0.8, 0.83], [0.92, 0.8, 0.83]]
    for metric, better in (("nll", "lower"), ("auroc", "higher"), ("balacc", "higher"), ("f1", "higher")):
        named = []
        for estimator in "AB":
            named.append(tmp_path / f"{estimator}_{metric}.csv")
            named[-1].write_text(text)
        assert bo.read_results(named).better == better
    (tmp_path / "A_mine.csv").write_text(text)
    with pytest.raises(ParameterError, match="better is needed"):
        bo.read_results({"A": tmp_path / "A_mine.csv"})


def test_aeon_problem_sets_differ_and_blanks_are_missing(tmp_path: Path) -> None:
    text = (FILES / "aeon_HC2_accuracy.csv").read_text()
    (tmp_path / "A_accuracy.csv").write_text(text)
    (tmp_path / "B_accuracy.csv").write_text(text.replace("Adiac", "Beef"))
    with pytest.raises(MissingScoreError, match=r"'Adiac', algorithm 'B'; problem 'Beef', algorithm 'A'"):
        bo.read_results(tmp_path)
    both = bo.read_results(tmp_path, missing="drop")
    assert (both.problems, both.dropped) == (("ACSF1",), ("Adiac", "Beef"))
    (tmp_path / "B_accuracy.csv").write_text(text.replace(",0.83", ","))
    with pytest.raises(MissingScoreError, match=r"'ACSF1', algorithm 'B', run '2' \(no value\)"):
        bo.read_results(tmp_path)


def test_rliable_matrices_are_runs_by_tasks() -> None:
    five, six = (np.loadtxt(FILES / f"rliable_scores_{n}x10.csv", delimiter=",") for n in (5, 6))
    memory = bo.read_results({"A": five, "B": six}, better="higher")
    assert memory.runs is not None
    assert memory.runs.shape == (10, 2, 6)
    assert memory.runs[3, 1].tolist() == six[:, 3].tolist()
    assert memory.runs[3, 0, :5].tolist() == five[:, 3].tolist()
    files = {"A": FILES / "rliable_scores_5x10.csv", "B": FILES / "rliable_scores_6x10.csv"}
    scores = bo.read_results(files, "rliable", "higher")
    assert np.array_equal(scores.runs, memory.runs, equal_nan=True)
    with pytest.raises(ParameterError, match="better is needed"):
        bo.read_results({"A": five, "B": six})
    with pytest.raises(ReadingError, match=r"A table of problems and algorithms needs none: bo\.read_scores"):
        bo.read_results(files)  # bare numbers have no signature


def test_a_label_stands_before_several_algorithms_and_is_the_only_one() -> None:
    file = FILES / "tabarena_results.csv"
    scores = bo.read_results({"old": file, "new": file})
    assert scores.algorithms == ("old/RF", "old/GBM", "new/RF", "new/GBM")


def test_what_a_table_cannot_be(tmp_path: Path) -> None:
    table = csv("tabarena_results.csv")
    with pytest.raises(ReadingError, match=r"row 1, column 'metric_error': 'x' is not a number"):
        bo.read_results(table.assign(metric_error="x"))
    with pytest.raises(ReadingError, match=r"row 1: task is empty, and with it the problem"):
        bo.read_results(table.assign(task=None))
    with pytest.raises(ParameterError, match=r"problem must be a column.*got 'tasks'; did you mean 'task'"):
        bo.read_results(table, problem="tasks")
    (tmp_path / "wide.csv").write_text((FILES / "tabarena_results.csv").read_text() + "RF,iris,2,0.1,1,1,1\n")
    with pytest.raises(ReadingError, match="row 5: has more fields than the header"):
        bo.read_results(tmp_path / "wide.csv")


OLD_AMLB = """id,task,framework,fold,result,mode,version,params,tag,utc,duration,models,seed,info,acc,auc,logloss
x/1,two,good,0,0.9,aws,1,,s,2019,1,1,1,,0.9,0.9,
x/1,two,good,1,0.95,aws,1,,s,2019,1,1,1,,0.8,0.95,
x/1,two,bad,0,0.6,aws,1,,s,2019,1,1,1,,0.5,0.6,
x/1,two,bad,1,,aws,1,,s,2019,1,1,1,Error: out of memory,,,
x/2,many,good,0,0.1,aws,1,,s,2019,1,1,1,,0.9,,0.1
x/2,many,good,1,0.2,aws,1,,s,2019,1,1,1,,0.9,,0.2
x/2,many,bad,0,1.5,aws,1,,s,2019,1,1,1,,0.5,,1.5
x/2,many,bad,1,1.75,aws,1,,s,2019,1,1,1,,0.5,,1.75
"""
"""The layout of 2019, made up: no column says the metric, and log loss is not turned round."""


def test_results_of_2019_take_metric_and_direction_from_the_column_that_the_result_equals(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(OLD_AMLB)
    scores = bo.read_results(file, metric="result", missing="available")
    assert scores.better == "higher"
    assert dict(zip(scores.algorithms, scores.values.T.tolist(), strict=True)) == {
        "good": pytest.approx([0.925, -0.15]),
        "bad": pytest.approx([0.6, -1.625]),
    }
    with pytest.raises(ParameterError, match="metric must be one of auc, neg_logloss, or result"):
        bo.read_results(file, missing="available")
    assert bo.read_results(file, metric="neg_logloss").problems == ("many",)


def test_a_result_that_equals_no_column_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(OLD_AMLB.replace("x/2,many,good,1,0.2", "x/2,many,good,1,0.3"))
    with pytest.raises(ReadingError, match="task 'many': no column metric, and result equals none of"):
        bo.read_results(file, metric="result")
