"""Optuna's studies: made here by the installed version, and files of 5.0.0."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"
STORAGE = FILES / "optuna.db"


@pytest.fixture
def optuna(monkeypatch: pytest.MonkeyPatch) -> Any:
    import optuna as module

    module.logging.set_verbosity(module.logging.ERROR)
    return module


def study(optuna: Any, seed: int = 0, direction: str = "minimize", shift: float = 0.0, n: int = 5, **more: Any) -> Any:
    """A complete trial, then a pruned one whose last value is the lowest, a failed one, and more complete ones."""
    made = optuna.create_study(direction=direction, sampler=optuna.samplers.RandomSampler(seed=seed), **more)

    def objective(trial: Any) -> float:
        x = trial.suggest_float("x", -1, 1)
        if trial.number == 1:
            trial.report(-100.0, step=1)
            raise optuna.TrialPruned
        return float("nan") if trial.number == 2 else x * x + shift

    made.optimize(objective, n_trials=n)
    return made


def test_storage_of_optuna_5() -> None:
    """Two studies of 5 trials: 3 complete, 1 pruned at 11.84, 1 failed. One study is one run."""
    scores = bo.read_results(STORAGE)
    assert (scores.problems, scores.algorithms) == (("sphere",), ("RandomSampler", "TPESampler"))
    assert (scores.better, scores.run_kind, scores.metric) == ("lower", "seed", "value")
    assert scores.values.tolist() == [[0.6885347703579647] * 2]
    assert sorted(path.name for path in STORAGE.parent.glob("optuna.db*")) == ["optuna.db"]


def test_storage_is_only_read_and_its_path_is_quoted(tmp_path: Path) -> None:
    folder = tmp_path / "a b?mode=rw#100%"
    folder.mkdir()
    shutil.copy(STORAGE, folder / "optuna.db")
    before = (folder / "optuna.db").read_bytes()
    (folder / "optuna.db").chmod(0o444)
    assert bo.read_results(folder / "optuna.db").algorithms == ("RandomSampler", "TPESampler")
    assert (folder / "optuna.db").read_bytes() == before
    assert [path.name for path in folder.iterdir()] == ["optuna.db"]


def test_states_and_infinite_values_of_a_storage(tmp_path: Path) -> None:
    shutil.copy(STORAGE, tmp_path / "optuna.db")
    (tmp_path / "optuna.db").chmod(0o644)

    def change(*statements: str) -> None:
        with sqlite3.connect(tmp_path / "optuna.db") as storage:
            for statement in statements:
                storage.execute(statement)
        storage.close()

    complete = "trial_id in (select trial_id from trials where study_id = 1 and state = 'COMPLETE')"
    change(f"update trial_values set value_type = 'INF_NEG', value = null where {complete}")
    assert bo.read_results(tmp_path / "optuna.db").values[0, 0] == -np.inf
    change("update trials set state = 'PRUNED' where study_id = 1")
    with pytest.raises(MissingScoreError, match=r"'RandomSampler'.*\(pruned\)"):
        bo.read_results(tmp_path / "optuna.db")
    change("update trials set state = 'FAIL' where study_id = 1")
    with pytest.raises(MissingScoreError, match=r"'RandomSampler'.*\(failed\)"):
        bo.read_results(tmp_path / "optuna.db")
    change("delete from trials where study_id = 1")
    with pytest.raises(MissingScoreError, match=r"'RandomSampler'.*\(no trials\)"):
        bo.read_results(tmp_path / "optuna.db")
    change("update study_directions set direction = 'NOT_SET'")
    with pytest.raises(ParameterError, match=r"better is needed: study .* does not say"):
        bo.read_results(tmp_path / "optuna.db")
    change("alter table trial_values rename column value_type to kind")
    with pytest.raises(ReadingError, match=r"trial_values.value_type is not there.*optuna storage upgrade"):
        bo.read_results(tmp_path / "optuna.db")
    (tmp_path / "optuna.db").write_bytes(STORAGE.read_bytes()[:5000])
    with pytest.raises(ReadingError, match="cannot read"):
        bo.read_results(tmp_path / "optuna.db")


def test_another_sqlite_file_is_not_a_storage(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "mlflow.db") as other:
        other.execute("create table runs (run_uuid)")
    other.close()
    with pytest.raises(ReadingError, match="not a format that is recognised"):
        bo.read_results(tmp_path / "mlflow.db")


@pytest.mark.needs("optuna")
def test_studies_in_memory(optuna: Any) -> None:
    """The pruned trial's -100 is no result."""
    studies = {
        f"{problem}__{sampler}__{seed}": study(optuna, seed, shift=shift)
        for problem, shift in (("sphere", 0.0), ("bowl", 5.0))
        for sampler in ("random", "tpe")
        for seed in range(2)
    }
    scores = bo.read_results(studies)
    assert (scores.problems, scores.algorithms, scores.better) == (("sphere", "bowl"), ("random", "tpe"), "lower")
    assert scores.runs is not None
    assert scores.runs[1, 0].tolist() == [studies[f"bowl__random__{seed}"].best_value for seed in range(2)]
    keyed = bo.read_results({tuple(name.split("__")): found for name, found in studies.items()})
    assert np.array_equal(keyed.runs, scores.runs)
    with pytest.raises(ParameterError, match="better must be 'lower', as the file says"):
        bo.read_results(studies, better="higher")


@pytest.mark.needs("optuna")
def test_names_of_studies_may_be_user_attributes(optuna: Any) -> None:
    made = []
    for sampler in ("random", "tpe"):
        made.append(study(optuna, study_name=f"study of {sampler}", direction="maximize"))
        for key, value in (("dataset", "iris"), ("sampler", sampler), ("seed", 3)):
            made[-1].set_user_attr(key, value)
    scores = bo.read_results(made, problem="dataset", algorithm="sampler", run="seed")
    assert (scores.problems, scores.algorithms, scores.better) == (("iris",), ("random", "tpe"), "higher")
    with pytest.raises(ReadingError, match=r"study 'study of random': its name is not problem__algorithm__run"):
        bo.read_results(made)
    with pytest.raises(ParameterError, match=r"problem must be a user attribute.*got 'data'"):
        bo.read_results(made, problem="data", algorithm="sampler")


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty storage of the installed version; to make one takes a second."""
    import optuna as module

    path = tmp_path_factory.mktemp("storage") / "empty.db"
    module.storages.RDBStorage(f"sqlite:///{path}")
    return path


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*is experimental")
@pytest.mark.needs("optuna")
def test_several_objectives_need_the_name_of_one(optuna: Any, storage: Path, tmp_path: Path) -> None:
    shutil.copy(storage, tmp_path / "two.db")
    url = f"sqlite:///{tmp_path / 'two.db'}"
    for sampler in ("random", "tpe"):
        made = optuna.create_study(directions=["minimize", "maximize"], study_name=f"zdt__{sampler}__0", storage=url)
        made.set_metric_names(["seconds", "accuracy"])
        for i in range(3):
            made.add_trial(optuna.trial.create_trial(values=[1.0 + i, 0.5 + i / 10]))
    file = tmp_path / "two.db"
    with pytest.raises(ParameterError, match=r"metric must be one of seconds, accuracy: .* has 2 objectives"):
        bo.read_results(file)
    found = bo.read_results(file, metric="accuracy")
    assert (found.better, found.values.tolist()) == ("higher", [[0.7, 0.7]])
    assert bo.read_results(file, metric="values_0").better == "lower"
    loaded = [optuna.load_study(study_name=f"zdt__{name}__0", storage=url) for name in ("random", "tpe")]
    assert bo.read_results(loaded, metric="accuracy").values.tolist() == [[0.7, 0.7]]
    frames = {each.study_name: each.trials_dataframe() for each in loaded}
    assert bo.read_results(frames, better="lower", metric="seconds").values.tolist() == [[1.0, 1.0]]
    with pytest.raises(ParameterError, match=r"metric must be one of seconds, accuracy, .*got 'loss'"):
        bo.read_results(file, metric="loss")


@pytest.mark.slow
@pytest.mark.needs("optuna")
def test_infeasible_trials_are_not_the_best(optuna: Any, storage: Path, tmp_path: Path) -> None:
    shutil.copy(storage, tmp_path / "limits.db")
    url = f"sqlite:///{tmp_path / 'limits.db'}"
    for sampler in ("random", "tpe"):
        made = optuna.create_study(study_name=f"p__{sampler}__0", storage=url)
        for value, limit in ((1.0, 0.5), (2.0, -0.5)):
            made.add_trial(optuna.trial.create_trial(value=value, system_attrs={"constraints": [limit]}))
    assert bo.read_results(tmp_path / "limits.db").values.tolist() == [[2.0, 2.0]]
    loaded = [optuna.load_study(study_name=f"p__{name}__0", storage=url) for name in ("random", "tpe")]
    assert bo.read_results(loaded).values.tolist() == [[2.0, 2.0]]
    frames = {each.study_name: each.trials_dataframe() for each in loaded}
    assert bo.read_results(frames, better="lower").values.tolist() == [[2.0, 2.0]]


@pytest.mark.needs("optuna")
def test_frames_have_neither_direction_nor_name(optuna: Any, tmp_path: Path) -> None:
    file = FILES / "optuna_trials_dataframe.csv"
    named = {"sphere__random__0": file, "sphere__tpe__0": file}
    with pytest.raises(ParameterError, match="better is needed: study 'sphere__random__0' does not say"):
        bo.read_results(named)
    scores = bo.read_results(named, better="lower")
    assert scores.values.tolist() == [[0.6885347703579647] * 2]
    # of 3 complete trials; the pruned one has 11.84, and would be the best of a maximisation
    assert bo.read_results(named, better="higher").values.tolist() == [[8.734847268876132] * 2]
    with pytest.raises(ReadingError, match="say of which problem and algorithm it is"):
        bo.read_results(file, better="lower")
    frames = {f"sphere__{name}__0": study(optuna).trials_dataframe() for name in ("a", "b")}
    best = study(optuna).best_value
    assert bo.read_results(frames, better="lower").values.tolist() == [[best, best]]


@pytest.mark.needs("optuna")
def test_best_within_a_budget(optuna: Any) -> None:
    studies = {f"sphere__{name}__0": study(optuna, n=8) for name in ("a", "b")}
    first = next(iter(studies.values())).trials[0].value
    assert bo.read_results(studies, metric="value@3").values.tolist() == [[first, first]]
    assert bo.read_results(studies, metric="value@3").metric == "value@3"
    with pytest.raises(ReadingError, match="has 8 trials, fewer than the 9 of 'value@9'"):
        bo.read_results(studies, metric="value@9")


def test_a_labelled_storage_is_of_one_algorithm(tmp_path: Path) -> None:
    for sampler in ("random", "tpe"):
        shutil.copy(STORAGE, tmp_path / f"{sampler}.db")
        (tmp_path / f"{sampler}.db").chmod(0o644)
        with sqlite3.connect(tmp_path / f"{sampler}.db") as storage:
            storage.execute("update studies set study_name = 'sphere__' || study_id")
        storage.close()
    scores = bo.read_results({name: tmp_path / f"{name}.db" for name in ("random", "tpe")})
    assert (scores.algorithms, scores.problems) == (("random", "tpe"), ("sphere",))
    assert scores.runs is not None
    assert scores.runs.shape == (1, 2, 2)
