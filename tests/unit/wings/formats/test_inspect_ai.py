"""Inspect's logs. The files of tests/oracles/data/formats/inspect were written by inspect_ai 0.3.285."""

import io
import json
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, MissingPackageError, MissingScoreError, ParameterError, ReadingError
from bakeoff.wings.formats import inspect_ai, json_entries

FILES = Path(__file__).parents[3] / "oracles" / "data" / "formats"
LOGS = {name: str(FILES / "inspect" / f"mockllm_{name}.json") for name in "ab"}
EVAL = next((FILES / "inspect").glob("*.eval"))
FRAME = FILES / "inspect_samples_df.csv"


def log(file: Path, change: Callable[[dict[str, Any]], None], name: str = "a") -> str:
    content = json.loads(Path(LOGS[name]).read_text())
    change(content)
    file.write_text(json.dumps(content))
    return str(file)


def values(content: dict[str, Any], *found: object) -> None:
    """Scores of the samples, one after the other."""
    for sample, value in zip(content["samples"], found, strict=False):
        sample["scores"]["includes"]["value"] = value


def test_the_real_logs() -> None:
    scores = bo.read_results(list(LOGS.values()), cluster="metadata.passage")
    assert scores.algorithms == ("mockllm/a", "mockllm/b")
    assert scores.problems == tuple(f"toy/q{i}" for i in range(6))
    assert (scores.better, scores.run_kind, scores.metric) == ("higher", "answer", "includes")
    assert scores.clusters == ("toy/p0", "toy/p0", "toy/p1", "toy/p1", "toy/p2", "toy/p2")
    assert scores.run_ids is not None
    assert scores.run_ids[0, 0].tolist() == ["1", "2", "3"]
    reduced = json.loads(Path(LOGS["a"]).read_text())["reductions"][0]["samples"]
    assert scores.values[:, 0] == pytest.approx([each["value"] for each in reduced], abs=1e-15)


@pytest.mark.needs("zstandard")
def test_the_eval_file_has_the_same_scores_as_its_samples() -> None:
    """(a) A ZIP file whose members are compressed by method 93."""
    scores = bo.read_results({"a": LOGS["a"], "eval": str(EVAL)}, cluster="passage")
    with zipfile.ZipFile(EVAL) as archive, EVAL.open("rb") as raw:
        assert {info.compress_type for info in archive.infolist()} == {93}
        members = [n for n in archive.namelist() if n.startswith("samples/")]
        answers = [inspect_ai._member(archive, raw, name) for name in members]
    for sample in answers:
        place = scores.problems.index(f"toy/{sample['id']}")
        assert scores.runs is not None
        assert scores.runs[place, 1, sample["epoch"] - 1] == (sample["scores"]["includes"]["value"] == "C")


def test_without_zstandard_the_eval_file_is_refused_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect_ai, "installed", lambda name: False)
    with pytest.raises(MissingPackageError, match=r"install zstandard.*inspect log convert --to json"):
        bo.read_results({"a": LOGS["a"], "eval": str(EVAL)})


@pytest.mark.needs("zstandard")
def test_a_log_that_was_not_closed_is_read_from_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "open.eval"
    with zipfile.ZipFile(EVAL) as archive, EVAL.open("rb") as raw, zipfile.ZipFile(path, "w") as cut:
        for name in ("_journal/start.json", "_journal/summaries/1.json"):
            cut.writestr(name, json.dumps(inspect_ai._member(archive, raw, name)))
    with pytest.raises(BakeoffError, match=r"better is needed|2 algorithms|missing"):
        bo.read_results(path)
    assert bo.read_results({"a": LOGS["a"], "open": str(path)}).n_runs.tolist() == [[3, 3]] * 6


def test_big_logs_are_read_value_by_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """(b) Twin: json.loads of the whole; cut at every place by small blocks."""
    rng = random.Random(1)
    content = {
        "a": [1, "x]", {"b": '\\"}'}],
        "samples": [{"id": i, "text": "é\\" * rng.randrange(9)} for i in range(20)],
        "n": 12.5e3,
        "none": [],
        "empty": {},
    }
    whole = [(k, e) for k, v in content.items() for e in (v if k in ("samples", "none") else [v])]  # type: ignore[attr-defined]
    for block in (1, 2, 3, 7, 64, 10_000):
        monkeypatch.setattr(json_entries, "BLOCK", block)
        for indent in (None, 1):
            text = io.StringIO(json.dumps(content, indent=indent))
            assert list(json_entries.json_members(text, "samples", "none")) == whole
    for wrong in ("", "[1]", '{"a": 1', '{"a": tru}', '{"a" 1}', '{"samples": [1 2]}', '{"a": 1,}'):
        with pytest.raises(ValueError, match=r"\S"):
            list(json_entries.json_members(io.StringIO(wrong), "samples"))


def test_logs_with_an_error(tmp_path: Path) -> None:
    """(c) No results; with samples, the answers that were not given are missing, without any there is nothing."""

    def stopped(content: dict[str, Any]) -> None:
        content["status"] = "error"
        content["error"] = {"message": "out of credit"}
        del content["results"], content["samples"][4:]

    half = log(tmp_path / "half.json", stopped)
    with pytest.raises(MissingScoreError, match=r"'toy/q0', algorithm 'half', run '2' \(not run\)"):
        bo.read_results({"half": half, "b": LOGS["b"]})

    def nothing(content: dict[str, Any]) -> None:
        stopped(content)
        content["samples"] = []

    none = log(tmp_path / "none.json", nothing)
    with pytest.raises(ReadingError, match=r"status 'error' and no scores.*out of credit.*eval-retry"):
        bo.read_results([none, none])
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in "ab":
        shutil.copy(LOGS[name], folder)
    log(folder / "first_try.json", stopped)
    assert bo.read_results(folder).n_runs.tolist() == [[3, 3]] * 6  # a retry has all of its samples


def test_samples_with_an_error_have_no_score(tmp_path: Path) -> None:
    def fail(content: dict[str, Any]) -> None:
        content["samples"][0] |= {"error": {"message": "boom"}, "scores": {}}
        content["samples"][1] |= {"limit": {"type": "time", "limit": 9}, "scores": {}}

    with pytest.raises(MissingScoreError, match=r"q0.*run '1' \(failed\).*q1.*run '1' \(timeout\)"):
        bo.read_results({"a": log(tmp_path / "a.json", fail), "b": LOGS["b"]})


def test_the_order_of_samples_does_not_matter(tmp_path: Path) -> None:
    """(d) By epoch, not by id."""
    reverse = log(tmp_path / "reverse.json", lambda content: content["samples"].reverse())
    scores = bo.read_results({"a": LOGS["a"], "same": reverse})
    assert scores.values[:, 0].tolist() == scores.values[:, 1].tolist()


def test_unscored_samples_are_missing_not_wrong(tmp_path: Path) -> None:
    """(e) NaN, null, or no score at all."""
    unscored = log(tmp_path / "a.json", lambda content: values(content, float("nan"), None))
    with pytest.raises(MissingScoreError, match=r"q0'.*\(unscored\).*q1'.*\(unscored\)"):
        bo.read_results({"a": unscored, "b": LOGS["b"]})


def test_grades_and_what_is_none(tmp_path: Path) -> None:
    """(f) C 1, P 0.5, I and N 0; what Inspect cannot read is missing here, and 0 there."""
    graded = log(tmp_path / "a.json", lambda content: values(content, "C", "P", "I", "N", True, "0.25"))
    scores = bo.read_results({"a": graded, "b": LOGS["b"]})
    assert scores.runs is not None
    assert scores.runs[:, 0, 0].tolist() == [1, 0.5, 0, 0, 1, 0.25]
    odd = log(tmp_path / "odd.json", lambda content: values(content, "maybe"))
    with pytest.raises(MissingScoreError, match=r"no number: 'maybe'"):
        bo.read_results({"a": odd, "b": LOGS["b"]})


def test_mappings_are_metrics_of_their_own(tmp_path: Path) -> None:
    def several(content: dict[str, Any]) -> None:
        values(content, *[{"style": 0.5, "fact": i % 2} for i in range(18)])
        content["results"]["scores"] = []

    files = {name: log(tmp_path / f"{name}.json", several, name) for name in "ab"}
    with pytest.raises(ParameterError, match="metric must be one of includes/style, includes/fact"):
        bo.read_results(files)
    with pytest.raises(ParameterError, match="better is needed"):  # Inspect says nothing of numbers
        bo.read_results(files, metric="includes/fact")
    scores = bo.read_results(files, metric="includes/fact", better="higher")
    assert scores.values[:, 0].tolist() == [0, 1] * 3


def test_frames(tmp_path: Path) -> None:
    """(g) samples_df() has no model: from a column of the user's, or evals_df()."""
    joined = bo.read_results(FRAME, cluster="passage")
    logs = bo.read_results(list(LOGS.values()), cluster="passage")
    for name in logs.algorithms:
        i, j = joined.algorithms.index(name), logs.algorithms.index(name)
        assert joined.runs is not None
        assert logs.runs is not None
        assert joined.runs[:, i].tolist() == logs.runs[:, j].tolist()
    assert joined.clusters == logs.clusters
    frame = pd.read_csv(FRAME)
    samples, evals = tmp_path / "samples.csv", tmp_path / "evals.csv"
    frame.drop(columns=["model", "task_name"]).to_csv(samples, index=False)
    frame[["eval_id", "model", "task_name"]].drop_duplicates().to_csv(evals, index=False)
    with pytest.raises(ReadingError, match=r"no column model. Give the CSV of evals_df"):
        bo.read_results(samples)
    assert bo.read_results([str(samples), str(evals)]).values.tolist() == joined.values.tolist()
    assert bo.read_results(frame).values.tolist() == joined.values.tolist()
    with pytest.raises(ReadingError, match="means only"):
        bo.read_results(evals)


def test_two_settings_of_one_model(tmp_path: Path) -> None:
    def hot(content: dict[str, Any]) -> None:
        content["eval"] |= {"eval_id": "x", "task_args": {"shots": 5}, "created": "2026-11-22T00:00:00"}

    other = log(tmp_path / "hot.json", hot)
    with pytest.raises(ReadingError, match="both of 'mockllm/a', but differ in task_args"):
        bo.read_results([LOGS["a"], other])
    assert bo.read_results([LOGS["a"], other], algorithm="model,task_args").algorithms[1] == "mockllm/a/shots=5"

    def again(content: dict[str, Any]) -> None:
        content["eval"] |= {"eval_id": "x", "created": "2026-11-22T00:00:00"}

    more = log(tmp_path / "more.json", again)
    assert bo.read_results([LOGS["a"], more, LOGS["b"]]).n_runs.tolist() == [[6, 3]] * 6


def test_a_copy_of_a_log_counts_once(tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    shutil.copy(LOGS["a"], copy)
    assert bo.read_results([LOGS["a"], str(copy), LOGS["b"]]).n_runs.tolist() == [[3, 3]] * 6


def test_wrong_keys_and_cut_files(tmp_path: Path) -> None:
    with pytest.raises(
        ParameterError, match=r"cluster must be a key of the metadata of every sample \(passage\); got 'book'"
    ):
        bo.read_results(LOGS, cluster="book")
    cut = tmp_path / "cut.json"
    cut.write_text(Path(LOGS["a"]).read_text()[:-200])
    with pytest.raises(ReadingError, match="is the file complete"):
        bo.read_results(cut)
    half = tmp_path / "half.eval"
    half.write_bytes(EVAL.read_bytes()[:20_000])
    with pytest.raises(ReadingError, match="is it complete"):
        bo.read_results(half)


def test_clusters_of_two_tasks_stay_apart(tmp_path: Path) -> None:
    def second(content: dict[str, Any]) -> None:
        content["eval"] |= {"eval_id": "second", "task_id": "second", "task": "other"}

    files = [*LOGS.values(), *(log(tmp_path / f"{name}.json", second, name) for name in "ab")]
    scores = bo.read_results(files, cluster="passage")
    assert set(scores.clusters or ()) == {f"{task}/p{i}" for task in ("toy", "other") for i in range(3)}
