"""HELM's run folders and MTEB's result files. Samples typed with the keys of the projects' sources, not tool output."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"
HELM = FILES / "helm" / "toy_model=m_a"


def two_runs(folder: Path) -> Path:
    """The run folder, and that of another model with the answers the other way round."""
    shutil.copytree(HELM, folder / "toy_model=m_a")
    shutil.copytree(HELM, folder / "toy_model=m_b")
    spec = folder / "toy_model=m_b" / "run_spec.json"
    spec.write_text(spec.read_text().replace("m_a", "m_b"))
    path = folder / "toy_model=m_b" / "per_instance_stats.json"
    content = json.loads(path.read_text())
    for instance in content:
        for each in instance["stats"]:
            each["mean"] = 1 - each["mean"]
    path.write_text(json.dumps(content))
    return folder


def test_helm_trials_are_answers(tmp_path: Path) -> None:
    scores = bo.read_results(two_runs(tmp_path))
    assert scores.algorithms == ("org/m_a", "org/m_b")
    assert scores.problems == ("toy/id1", "toy/id2", "toy/id3")
    assert scores.runs is not None
    assert scores.runs[:, 0].tolist() == [[1, 0], [0, 1], [1, 0]]
    assert (scores.run_kind, scores.better, scores.metric) == ("answer", "higher", "exact_match")
    means = [each["mean"] for each in json.loads((HELM / "stats.json").read_text())]
    assert scores.values[:, 0].mean() == pytest.approx(means[0], abs=1e-12)


def test_helm_keeps_the_test_split_without_perturbations(tmp_path: Path) -> None:
    two_runs(tmp_path)
    for name in "ab":
        path = tmp_path / f"toy_model=m_{name}" / "per_instance_stats.json"
        content = json.loads(path.read_text())
        extra = json.loads(json.dumps(content))
        for instance in extra:
            instance["perturbation"] = {"name": "robustness"}
        for instance in content:
            other = json.loads(json.dumps(instance["stats"][0]))
            other["name"]["split"] = "valid"
            changed = json.loads(json.dumps(instance["stats"][0]))
            changed["name"]["perturbation"] = {"name": "robustness"}
            instance["stats"] += [other, changed]
        path.write_text(json.dumps(extra + content))
    assert bo.read_results(tmp_path).n_runs.tolist() == [[2, 2]] * 3


def test_helm_means_only_are_refused(tmp_path: Path) -> None:
    two_runs(tmp_path)
    for path in tmp_path.glob("*/per_instance_stats.json"):
        path.unlink()
    with pytest.raises(ReadingError, match=r"needs per_instance_stats.json"):
        bo.read_results(tmp_path)


def test_helm_direction_of_other_metrics(tmp_path: Path) -> None:
    for path in two_runs(tmp_path).glob("*/per_instance_stats.json"):
        path.write_text(path.read_text().replace("exact_match", "logprob"))
    with pytest.raises(ParameterError, match="better is needed"):
        bo.read_results(tmp_path)


def mteb(folder: Path, model: str, **change: Any) -> Path:
    path = folder / "results" / model / "0123456789abcdef" / "BornholmBitextMining.json"
    path.parent.mkdir(parents=True)
    content = json.loads((FILES / "mteb_task.json").read_text()) | change
    path.write_text(json.dumps(content))
    (path.parent / "model_meta.json").write_text('{"name": "x"}')
    return path


def test_mteb_main_scores(tmp_path: Path) -> None:
    for model in ("org__a", "org__b"):
        mteb(tmp_path, model)
    scores = bo.read_results(tmp_path)
    assert scores.algorithms == ("org__a", "org__b")
    assert scores.problems == ("BornholmBitextMining/test/default", "BornholmBitextMining/test/other")
    assert scores.values[:, 0].tolist() == [0.2968, 0.35]
    assert (scores.better, scores.metric, scores.runs) == ("higher", "main_score", None)
    assert bo.read_results(tmp_path, metric="accuracy", better="higher").values[:, 0].tolist() == [0.36, 0.4]
    with pytest.raises(ParameterError, match="better is needed"):
        bo.read_results(tmp_path, metric="accuracy")
    with pytest.raises(ParameterError, match="none has 'map'"):
        bo.read_results(tmp_path, metric="map")


def test_mteb_tasks_are_clusters_of_their_languages(tmp_path: Path) -> None:
    for model in "ab":
        first = mteb(tmp_path, model)
        (first.parent / "Other.json").write_text(first.read_text().replace("BornholmBitextMining", "Other"))
    scores = bo.read_results(tmp_path)
    assert scores.clusters == ("BornholmBitextMining",) * 2 + ("Other",) * 2


def test_mteb_legacy_files(tmp_path: Path) -> None:
    legacy = FILES / "mteb_legacy.json"
    scores = bo.read_results({"a": str(legacy), "b": str(legacy)})
    assert scores.problems == ("AfriSentiLangClassification/test/default",)
    assert scores.values.tolist() == [[0.682, 0.682]]
    content = json.loads(legacy.read_text())
    content["test"] = {"hau": {"main_score": 0.5}, "ibo": {"main_score": 0.4}, "evaluation_time": 3.0}
    (tmp_path / "l.json").write_text(json.dumps(content))
    scores = bo.read_results({"a": str(tmp_path / "l.json"), "b": str(tmp_path / "l.json")})
    assert [name.split("/")[-1] for name in scores.problems] == ["hau", "ibo"]


def test_mteb_experiments_are_runs(tmp_path: Path) -> None:
    """Classification keeps its ten draws: their mean is not taken where they are in the file."""
    draws = [{"accuracy": 0.3 + i / 100, "f1": 0.2} for i in range(10)]
    test = [{"hf_subset": "default", "main_score": 0.345, "accuracy": 0.345, "f1": 0.2, "scores_per_experiment": draws}]
    for model in "ab":
        mteb(tmp_path, model, scores={"test": test})
    scores = bo.read_results(tmp_path)
    assert scores.n_runs.tolist() == [[10, 10]]
    assert scores.run_kind == "split"
    assert scores.values[0, 0] == pytest.approx(0.345)


def test_mteb_scales_and_revisions(tmp_path: Path) -> None:
    percent = {"test": [{"hf_subset": "default", "main_score": 29.7}]}
    for model, change in (("a", {}), ("b", {"scores": percent})):
        mteb(tmp_path / "scales", model, **change)
    with pytest.raises(ReadingError, match="others percentages"):
        bo.read_results(tmp_path / "scales")
    for model, change in (("a", {}), ("b", {"dataset_revision": "other"})):
        mteb(tmp_path / "revisions", model, **change)
    with pytest.raises(ReadingError, match="different versions"):
        bo.read_results(tmp_path / "revisions")
    missing = {"test": [{"hf_subset": "default", "main_score": None}, {"hf_subset": "other", "main_score": 0.1}]}
    for model, change in (("a", {}), ("b", {"scores": missing})):
        mteb(tmp_path / "missing", model, **change)
    with pytest.raises(MissingScoreError, match=r"'b' \(no score\)"):
        bo.read_results(tmp_path / "missing")
