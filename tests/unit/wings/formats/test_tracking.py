"""Tables of tracked runs. mlflow_search_runs_3.17.2.csv: mlflow 3.17.2's search_runs().to_csv()."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError
from frames import FRAMES

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"
MLFLOW = FILES / "mlflow_search_runs_3.17.2.csv"
COLUMNS = {"problem": "params.dataset", "algorithm": "params.model", "run": "params.seed"}
PAGE = """Start Time,Duration,Run ID,Name,Source Type,Source Name,User,Status,dataset,model,seed,score
"2026-11-22 17:08:30","1.2s","b2","x","LOCAL","t.py","u","FINISHED","iris","svm","0","'-0.5"
"2026-11-22 17:08:29","1.2s","a1","x","LOCAL","t.py","u","FINISHED","iris","rf","0","'-0.25"
"""


def frame() -> pd.DataFrame:
    """As mlflow.search_runs() has it in memory: parameters are text."""
    return pd.read_csv(MLFLOW, dtype={"params.seed": str}, parse_dates=["start_time", "end_time"])


def test_mlflow_failed_run_and_a_cell_that_was_never_run() -> None:
    file = FILES / "mlflow_search_runs.csv"
    with pytest.raises(MissingScoreError, match=r"'iris', algorithm 'svm', run '0' \(failed\); problem 'wine', algo"):
        bo.read_results(file, better="higher", **COLUMNS)
    table = pd.read_csv(file, dtype={"params.seed": str})
    scores = bo.read_results(table[table["params.model"] != "svm"], better="higher", **COLUMNS)
    assert (scores.algorithms, scores.problems, scores.metric) == (("rf", "gbm"), ("iris", "wine"), "val_accuracy")


@pytest.mark.parametrize("made", [lambda _: MLFLOW, *FRAMES])
def test_mlflow_runs(made: Callable[[pd.DataFrame], Any]) -> None:
    scores = bo.read_results(
        made(frame()), better="higher", metric="metrics.val_accuracy", **COLUMNS, missing="available"
    )
    assert (scores.problems, scores.algorithms) == (("iris", "wine"), ("rf", "svm"))
    assert (scores.run_kind, scores.better, scores.metric) == ("seed", "higher", "metrics.val_accuracy")
    assert scores.runs is not None
    assert scores.runs[0, 0].tolist() == [0.9, 0.91, 0.92]  # the last value that was logged, not the first, 0.1
    assert scores.runs[1, 1, :2].tolist() == [0.82, 0.84]  # that of the killed run, 0.83, is no score
    assert scores.run_ids is not None
    assert scores.run_ids[1, 1].tolist() == ["0", "2", None]


def test_mlflow_runs_that_did_not_finish_are_named() -> None:
    """A run that is still running has a value already, and it is not its last."""
    with pytest.raises(MissingScoreError) as caught:
        bo.read_results(MLFLOW, better="higher", metric="val_accuracy", **COLUMNS)
    for said in ("'svm', run '2' (failed)", "'rf', run '2' (running)", "(3 in all)"):
        assert said in str(caught.value)


def test_mlflow_says_nothing_of_direction_problem_algorithm_or_metric() -> None:
    with pytest.raises(ParameterError, match="better is needed: the file does not say"):
        bo.read_results(MLFLOW, metric="val_accuracy", **COLUMNS)
    with pytest.raises(ParameterError, match=r"problem is needed: .*params\.dataset, params\.model"):
        bo.read_results(MLFLOW, better="higher")
    with pytest.raises(ParameterError, match=r"algorithm is needed"):
        bo.read_results(MLFLOW, better="higher", problem="params.dataset")
    with pytest.raises(ParameterError, match=r"metric must be one of val_loss, val_accuracy"):
        bo.read_results(MLFLOW, better="higher", **COLUMNS)
    with pytest.raises(ParameterError, match=r"metric must be a column.*did you mean"):
        bo.read_results(MLFLOW, better="higher", metric="metrics.val_acuracy", **COLUMNS)


def test_mlflow_prefixes_may_be_left_out_and_columns_joined() -> None:
    short = {"problem": "dataset", "algorithm": "model,mlflow.source.type", "run": "seed"}
    scores = bo.read_results(MLFLOW, better="higher", metric="val_accuracy", **short, missing="available")
    assert scores.algorithms == ("rf/LOCAL", "svm/LOCAL")


def test_mlflow_repetitions_need_a_column_that_tells_them_apart() -> None:
    two = {"problem": "params.dataset", "algorithm": "params.model"}
    with pytest.raises(ReadingError, match=r"3 runs are of problem 'iris', algorithm 'rf': .*\(finished\).*run='start"):
        bo.read_results(MLFLOW, better="higher", metric="val_accuracy", **two)
    as_started = bo.read_results(
        MLFLOW, better="higher", metric="val_accuracy", **two, run="start_time", missing="available"
    )
    assert as_started.runs is not None
    assert as_started.runs[0, 0].tolist() == [0.9, 0.91, 0.92]  # the file has the newest first
    assert as_started.run_kind is None
    twice = pd.concat([frame(), frame().tail(1).assign(run_id="again")])
    with pytest.raises(
        ReadingError, match=r"2 runs are of problem 'iris', algorithm 'rf', run '0': .*again \(finished"
    ):
        bo.read_results(twice, better="higher", metric="val_accuracy", **COLUMNS)


def test_mlflow_run_without_the_parameter_is_not_dropped() -> None:
    parent = pd.concat([frame(), frame().tail(1).assign(run_id="parent", **{"params.dataset": None})])
    with pytest.raises(ReadingError, match=r"params.dataset is empty, and with it the problem"):
        bo.read_results(parent, better="higher", metric="val_accuracy", **COLUMNS)


def test_mlflow_page_has_no_prefixes_and_an_apostrophe_before_a_minus_sign(tmp_path: Path) -> None:
    """Header and quoting as mlflow 3.17.2's page writes them (runInfosToCsv)."""
    (tmp_path / "runs.csv").write_text(PAGE)
    with pytest.raises(ParameterError, match=r"metric is needed: .*does not tell from parameters.*seed, score"):
        bo.read_results(tmp_path / "runs.csv", better="higher", problem="dataset", algorithm="model")
    scores = bo.read_results(
        tmp_path / "runs.csv", better="higher", problem="dataset", algorithm="model", run="seed", metric="score"
    )
    assert (scores.algorithms, scores.values.tolist()) == (("rf", "svm"), [[-0.25, -0.5]])


WANDB = {"problem": "dataset", "algorithm": "model", "run": "seed"}


def two_models(runs: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([runs, runs.assign(model="svm")])


def test_wandb_crashed_runs() -> None:
    both = two_models(pd.read_csv(FILES / "wandb_runs.csv"))
    with pytest.raises(MissingScoreError, match=r"'iris', algorithm 'rf', run '1' \(crashed\)"):
        bo.read_results(both, better="higher", metric="val_acc", **WANDB)


def test_wandb_tells_config_and_summary_not_apart() -> None:
    with pytest.raises(ParameterError, match=r"metric is needed: .*val_acc"):
        bo.read_results(FILES / "wandb_runs.csv", better="higher", **WANDB)


def test_wandb_runtime_is_seconds_and_lower() -> None:
    table = pd.read_csv(FILES / "wandb_runs.csv").assign(State="finished")
    both = pd.concat([table, table.assign(model="svm", Runtime=[70, 80])])
    times = bo.read_results(both, metric="Runtime", **WANDB)
    assert (times.better, times.values.tolist()) == ("lower", [[32.0, 75.0]])
    with pytest.raises(ParameterError, match="better is needed"):
        bo.read_results(both, metric="val_acc", **WANDB)
    with pytest.raises(MissingScoreError, match=r"'rf', run '1' \(no value\)"):
        bo.read_results(both, metric="val_acc", better="higher", **WANDB)


@pytest.mark.few(1)
@pytest.mark.parametrize("made", FRAMES)
def test_frames_of_every_library_are_read(made: Callable[[pd.DataFrame], Any]) -> None:
    """Of searches, studies and runs, as pandas, polars and pyarrow hold them; None, NaN and NaT are no values."""
    search = pd.read_csv(FILES / "sklearn_cv_results.csv").query("param_max_depth > 0")
    search = search.assign(params=[{"max_depth": 1}, {"max_depth": 3}])
    found = bo.read_results({"iris": made(search), "wine": made(search)}, metric="acc")
    assert (found.problems, found.algorithms) == (("iris", "wine"), ("{'max_depth': 1}", "{'max_depth': 3}"))
    trials = made(pd.read_csv(FILES / "optuna_trials_dataframe.csv"))
    studies = bo.read_results({("p", "a", 0): trials, ("p", "b", 0): trials}, better="lower")
    assert (studies.algorithms, studies.values[0, 0]) == (("a", "b"), 0.6885347703579647)
    runs = made(two_models(pd.read_csv(FILES / "wandb_runs.csv")))
    with pytest.raises(MissingScoreError, match=r"run '1' \(crashed\)"):
        bo.read_results(runs, better="higher", metric="val_acc", **WANDB)
    tasks = made(pd.read_csv(FILES / "automlbenchmark_results.csv"))
    with pytest.raises(MissingScoreError, match="TimeoutError"):
        bo.read_results(tasks)


def test_the_refusal_names_the_columns_that_are_called_after_a_problem_and_an_algorithm(tmp_path: Path) -> None:
    file = tmp_path / "runs.csv"
    file.write_text(
        "run_id,experiment_id,status,artifact_uri,start_time,end_time,metrics.acc,params.seed,params.dataset,params.model\n"
        + "".join(
            f"{d}{m},0,FINISHED,x,1,2,0.{i}{j},0,{d},{m}\n" for i, d in enumerate("xyz") for j, m in enumerate("AB")
        )
    )
    with pytest.raises(
        ParameterError, match=r"problem='params\.dataset', algorithm='params\.model', run='params\.seed'"
    ):
        bo.read_results(file, better="higher")
    named = {"problem": "params.dataset", "algorithm": "params.model", "run": "params.seed"}
    assert bo.read_results(file, better="higher", metric="acc", **named).problems == ("x", "y", "z")
