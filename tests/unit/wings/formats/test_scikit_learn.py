"""scikit-learn's searches and cross-validations: made here by the installed version, and files of 1.9.1."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError
from bakeoff.wings.formats.source_file import SourceFile

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"


@pytest.fixture(scope="module")
def searches() -> dict[str, Any]:
    """A fitted search on each of two data sets."""
    from sklearn import datasets, model_selection as selection
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0)
    folds = selection.KFold(3, shuffle=True, random_state=1)
    grid = {"max_depth": [1, 3]}
    return {
        name: selection.GridSearchCV(tree, grid, cv=folds).fit(*load(return_X_y=True))
        for name, load in (("iris", datasets.load_iris), ("wine", datasets.load_wine))
    }


@pytest.mark.slow
@pytest.mark.needs("sklearn")
def test_cv_results_in_memory(searches: dict[str, Any]) -> None:
    results = {name: search.cv_results_ for name, search in searches.items()}
    scores = bo.read_results(results)
    assert (scores.problems, scores.algorithms) == (("iris", "wine"), ("{'max_depth': 1}", "{'max_depth': 3}"))
    assert (scores.run_kind, scores.better, scores.metric) == ("split", "higher", "score")
    assert scores.runs is not None
    assert scores.runs[1, 0].tolist() == [float(results["wine"][f"split{i}_test_score"][0]) for i in range(3)]
    assert np.allclose(scores.values[:, 1], [search.cv_results_["mean_test_score"][1] for search in searches.values()])
    fitted = bo.read_results(searches)
    frames = bo.read_results({name: pd.DataFrame(found) for name, found in results.items()})
    for other in (fitted, frames, bo.read_results(results, algorithm="param_max_depth")):
        assert np.array_equal(other.runs, scores.runs)
    assert bo.read_results(results, algorithm="param_max_depth").algorithms == ("1", "3")
    with pytest.raises(ParameterError, match=r"algorithm must be of param_max_depth; got 'depth'"):
        bo.read_results(results, algorithm="depth")


@pytest.mark.slow
@pytest.mark.needs("sklearn")
def test_cv_results_as_files(searches: dict[str, Any], tmp_path: Path) -> None:
    in_memory = bo.read_results({name: search.cv_results_ for name, search in searches.items()})
    for name, search in searches.items():
        pd.DataFrame(search.cv_results_).to_csv(tmp_path / f"{name}.csv")
    assert np.array_equal(bo.read_results(tmp_path).runs, in_memory.runs)
    assert bo.read_results(tmp_path).problems == ("iris", "wine")
    for name, search in searches.items():
        (tmp_path / f"{name}.csv").unlink()
        pd.DataFrame(search.cv_results_).drop(columns="param_max_depth").to_json(tmp_path / f"{name}.json")
    assert np.allclose(bo.read_results(tmp_path).runs, in_memory.runs)


@pytest.mark.slow
@pytest.mark.needs("sklearn")
def test_cross_validate_in_memory_and_as_json(tmp_path: Path) -> None:
    from sklearn import datasets, model_selection as selection
    from sklearn.tree import DecisionTreeClassifier as tree

    found = {
        name: {
            depth: selection.cross_validate(
                tree(max_depth=int(depth), random_state=0),
                *load(return_X_y=True),
                cv=selection.KFold(3, shuffle=True, random_state=1),
                scoring=["accuracy", "neg_log_loss"],
                return_train_score=True,
            )
            for depth in ("1", "3")
        }
        for name, load in (("iris", datasets.load_iris), ("wine", datasets.load_wine))
    }
    scores = bo.read_results(found, metric="neg_log_loss")
    assert (scores.better, scores.problems, scores.algorithms) == ("higher", ("iris", "wine"), ("1", "3"))
    assert scores.runs is not None
    assert (scores.runs <= 0).all()  # as the scorer turned it round
    assert scores.runs[1, 1].tolist() == found["wine"]["3"]["test_neg_log_loss"].tolist()
    times = bo.read_results(found, metric="fit_time")
    assert times.better == "lower"
    with pytest.raises(ParameterError, match="metric must be one of accuracy, neg_log_loss: the file has several"):
        bo.read_results(found)
    plain = {p: {a: {k: v.tolist() for k, v in r.items()} for a, r in inner.items()} for p, inner in found.items()}
    (tmp_path / "all.json").write_text(json.dumps(plain))
    assert np.array_equal(bo.read_results(tmp_path / "all.json", metric="neg_log_loss").runs, scores.runs)
    for problem, inner in plain.items():
        for algorithm, result in inner.items():
            (tmp_path / f"{problem}__{algorithm}.json").write_text(json.dumps(result))
    (tmp_path / "all.json").unlink()
    files = bo.read_results(tmp_path, metric="neg_log_loss")
    assert (files.problems, files.algorithms) == (("iris", "wine"), ("1", "3"))
    assert np.array_equal(files.runs, scores.runs)


@pytest.mark.slow
def test_files_of_scikit_learn_1_9_1() -> None:
    """Two scorers; the candidate max_depth = -1 could not be fitted: its mean and rank look like those of the last."""
    file = FILES / "sklearn_cv_results.csv"
    with pytest.raises(ParameterError, match="metric must be one of acc, nll"):
        bo.read_results(file)
    with pytest.raises(MissingScoreError, match=r"\{'max_depth': -1\}\", run '0' \(failed\)"):
        bo.read_results(file, metric="nll")
    table = pd.read_csv(file).query("param_max_depth > 0")
    scores = bo.read_results({"iris": table}, metric="nll")
    assert (scores.problems, scores.better) == (("iris",), "higher")
    assert scores.runs is not None
    assert scores.runs[0, 0, 0] == -0.515738003883678
    with pytest.raises(ParameterError, match="cv_results_ has the mean time of the splits only"):
        bo.read_results(file, metric="mean_fit_time")
    splits = FILES / "sklearn_cross_validate.json"
    both = bo.read_results({"iris__rf": splits, "iris__svm": splits}, metric="accuracy")
    assert (both.problems, both.algorithms) == (("iris",), ("rf", "svm"))
    assert both.runs is not None
    assert both.runs[0, 0].tolist() == [0.98, 0.96, 0.98]


def test_the_rows_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once per column, a file of ten thousand columns took seven seconds."""
    starts = []
    records = SourceFile.records

    def counted(file: SourceFile) -> Any:
        starts.append(file.path)
        return records(file)

    monkeypatch.setattr(SourceFile, "records", counted)
    (tmp_path / "s.csv").write_text("params,split0_test_a,split1_test_a,mean_test_a\nx,1,2,1.5\ny,2,3,2.5\n")
    assert bo.read_results(tmp_path / "s.csv", better="higher").values.tolist() == [[1.5, 2.5]]
    assert len(starts) <= 2


@pytest.mark.needs("sklearn")
def test_failed_fits_are_no_scores(searches: dict[str, Any]) -> None:
    results = {name: dict(search.cv_results_) for name, search in searches.items()}
    results["wine"]["split1_test_score"] = np.array([np.nan, 0.9])
    with pytest.raises(MissingScoreError, match=r"'wine', algorithm \"\{'max_depth': 1\}\", run '1' \(failed\)"):
        bo.read_results(results)


@pytest.mark.needs("sklearn")
def test_halving_search_is_refused(searches: dict[str, Any]) -> None:
    results = {"iris": {**searches["iris"].cv_results_, "iter": np.array([0, 1]), "n_resources": np.array([20, 40])}}
    with pytest.raises(ReadingError, match="halving search scores its candidates on different numbers of samples"):
        bo.read_results(results)


@pytest.mark.needs("sklearn")
def test_one_data_set_is_no_claim_over_problems(searches: dict[str, Any]) -> None:
    """compare says why; the test of two algorithms on the folds of one data set corrects what they share."""
    scores = bo.read_results({"iris": searches["iris"].cv_results_})
    result = bo.compare(scores)
    assert result.pair(*scores.algorithms).verdict == "cannot tell"
    assert "The table has only one data set, seen through folds" in str(result).replace("\n  ", " ")
    assert 0 <= bo.resampled_t(scores, *scores.algorithms, test_fraction=1 / 3).pvalue <= 1


def test_what_is_neither(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="dict: not a format that is recognised"):
        bo.read_results({"iris": {"rf": {"test_score": [1, 2]}}})
    (tmp_path / "x.json").write_text('{"fit_time": [1], "score": [2]}')
    with pytest.raises(ReadingError, match="neither cv_results_ nor what cross_validate returns"):
        bo.read_results(tmp_path / "x.json")
