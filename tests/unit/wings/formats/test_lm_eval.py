"""lm-eval's folders. The files of tests/oracles/data/formats/lm_eval were written by lm_eval 0.4.13 (model "dummy")."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError
from bakeoff.wings.formats.lm_eval import _at_the_ends, sample_of
from lm_eval_folder import TIME, line, model

REAL = Path(__file__).parents[3] / "oracles" / "data" / "formats" / "lm_eval"
LATER = "2026-11-22T09-00-00.000001"


def questions(*right: float, filter: str = "none") -> list[dict[str, Any]]:
    return [line(i, filter=filter, acc=value) for i, value in enumerate(right)]


def test_the_real_folder() -> None:
    scores = bo.read_results({"a": str(REAL), "b": str(REAL)}, metric="acc", cluster="doc.passage")
    assert scores.problems == tuple(f"toy_mc/{i}" for i in range(12))
    assert scores.values[:, 0].tolist() == [0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1]
    assert (scores.better, scores.run_kind, scores.metric, scores.algorithms) == ("higher", "answer", "acc", ("a", "b"))
    assert scores.clusters == tuple(f"toy_mc/p{i // 3}" for i in range(12))
    assert scores.values[:, 0].mean() == pytest.approx(0.6666666666666666, abs=1e-15)  # acc,none of results_*.json


def test_names_are_those_of_the_results_file(tmp_path: Path) -> None:
    model(tmp_path, "org__a", {"t": questions(1, 0)}, model_name="org/a")
    model(tmp_path, "org__b", {"t": questions(0, 0)})
    (tmp_path / "org__b" / f"results_{TIME}.json").unlink()
    scores = bo.read_results(tmp_path, better="higher")
    assert scores.algorithms == ("org/a", "org__b")  # without a results file, the folder


def test_four_answers_have_one_score() -> None:
    """(a) repeats: 4 puts four answers in resps, and the filter keeps one of them: K is 1, not 4."""
    scores = bo.read_results({"a": str(REAL), "b": str(REAL)}, metric="exact_match,take1")
    first = json.loads(next(REAL.glob("samples_toy_gen*")).read_text().splitlines()[0])
    assert len(first["resps"][0]) == 4
    assert scores.runs is None
    assert scores.values.tolist() == [[0, 0]] * 12


def test_filters_are_metrics_of_their_own(tmp_path: Path) -> None:
    """(b) One line per question and filter."""
    for name in "ab":
        lines = [
            line(i, filter=f, exact_match=float(f == "flexible-extract"))
            for i in range(3)
            for f in ("strict-match", "flexible-extract")
        ]
        model(tmp_path, name, {"gsm8k": lines}, higher={"exact_match": True})
    for name, value in (("strict-match", 0), ("flexible-extract", 1)):
        scores = bo.read_results(tmp_path, metric=f"exact_match,{name}")
        assert scores.values.tolist() == [[value, value]] * 3
    with pytest.raises(ParameterError, match="metric must be one of exact_match,strict-match, exact_match,flexible"):
        bo.read_results(tmp_path)
    with pytest.raises(ParameterError, match="metric must say the filter: one of exact_match,strict-match; exact_mat"):
        bo.read_results(tmp_path, metric="exact_match")


@pytest.mark.parametrize(("metric", "value"), [("f1", [1, 0]), ("perplexity", -3.2), ("bleu", ["a", "b"])])
def test_metrics_of_the_corpus_are_refused(tmp_path: Path, metric: str, value: object) -> None:
    """(c) A question has none of its own. Of perplexity, a sample has its log-likelihood, which is better higher."""
    for name in "ab":
        lines = [line(i, **{"acc": 1.0, metric: value}) for i in range(3)]
        model(tmp_path, name, {"t": lines}, higher={metric: metric != "perplexity"})
    assert bo.read_results(tmp_path).metric == "acc"
    with pytest.raises(ReadingError, match=f"{metric} is computed from all questions together"):
        bo.read_results(tmp_path, metric=metric)
    alone = {"t": [line(i, **{metric: value}) for i in range(3)]}
    model(tmp_path / "alone", "a", alone)
    with pytest.raises(ReadingError, match=f"{metric} is computed from all"):
        bo.read_results(tmp_path / "alone")


def test_two_settings_of_one_model_are_told_apart(tmp_path: Path) -> None:
    """(d) model_name says nothing of model_args or the number of shots."""
    for i, (time, kind) in enumerate(((TIME, "float16"), (LATER, "bfloat16"))):
        model(tmp_path, "m", {"t": questions(1, i)}, time=time, config={"model": "hf", "model_args": {"dtype": kind}})
    with pytest.raises(
        ReadingError, match=r"both of 'm', but differ in config.model_args: 'dtype=float16' and 'dtype=b"
    ):
        bo.read_results(tmp_path)
    scores = bo.read_results(tmp_path, algorithm="config.model_args.dtype")
    assert dict(zip(scores.algorithms, scores.values.T.tolist(), strict=True)) == {
        "float16": [1, 0],
        "bfloat16": [1, 1],
    }
    files = {kind: str(tmp_path / "m" / f"samples_t_{time}.jsonl") for kind, time in (("x", TIME), ("y", LATER))}
    assert bo.read_results(files, better="higher").algorithms == ("x", "y")
    for i, time in enumerate((TIME, LATER)):
        model(tmp_path / "shots", "m", {"t": questions(1, i)}, time=time, **{"n-shot": {"t": 5 * i}})
    with pytest.raises(ReadingError, match=r"differ in n-shot.t: '0' and '5'"):
        bo.read_results(tmp_path / "shots")
    with pytest.raises(ParameterError, match=r"algorithm must be a key of the file \(.*model_name.*\); got 'nonsense'"):
        bo.read_results(tmp_path, algorithm="nonsense")


def test_one_label_for_two_models(tmp_path: Path) -> None:
    model(tmp_path, "a", {"t": questions(1, 0)})
    model(tmp_path, "b", {"t": questions(1, 0)}, time=LATER)
    with pytest.raises(ReadingError, match=r"both of 'x', but differ in model_name: 'a' and 'b'"):
        bo.read_results({"x": str(tmp_path)})


def test_several_files_of_one_model_are_answers_to_the_same_questions(tmp_path: Path) -> None:
    for name in "ab":
        for i, time in enumerate((TIME, LATER)):
            config = {"random_seed": i, "model_args": ""}
            model(tmp_path, name, {"t": questions(1, i, float(name == "a"))}, time=time, config=config)
    scores = bo.read_results(tmp_path)
    assert scores.runs is not None
    assert scores.runs[:, 0].tolist() == [[1, 1], [0, 1], [1, 1]]
    assert scores.run_kind == "answer"
    assert scores.run_ids is not None
    assert scores.run_ids[0, 0].tolist() == [TIME, LATER]


def test_means_of_tasks_only(tmp_path: Path) -> None:
    """Refused, as the questions are what a comparison needs; by problem='task' they are what they are."""
    for name in "ab":
        model(tmp_path, name, {}, groups={"g": {}}, group_subtasks={"g": ["t", "u"], "t": []})
        path = tmp_path / name / f"results_{TIME}.json"
        header = json.loads(path.read_text())
        header["results"] = {task: {"alias": task, "acc,none": 0.5, "acc_stderr,none": 0.1} for task in ("g", "t", "u")}
        header["higher_is_better"] = {task: {"acc": True} for task in ("g", "t", "u")}
        path.write_text(json.dumps(header))
    with pytest.raises(ReadingError, match=r"needs each question. Run it again with --log_samples.*problem='task'"):
        bo.read_results(tmp_path)
    scores = bo.read_results(tmp_path, problem="task")
    assert (scores.problems, scores.better, scores.metric) == (("t", "u"), "higher", "acc")
    with pytest.raises(ParameterError, match="problem must be 'task'"):
        bo.read_results(tmp_path, problem="doc")


def test_old_results_and_lighteval(tmp_path: Path) -> None:
    """(e) Keys without a comma (before 0.4); lighteval's synthetic task "all" is no task."""
    old = {"results": {"arc": {"acc": 0.4, "acc_stderr": 0.01}, "boolq": {"acc": 0.7, "acc_stderr": 0.01}}}
    light = {
        "config_general": {"model_name": "m"},
        "results": {
            "harness|gsm8k|5": {"acc": 0.2, "acc_stderr": 0.1},
            "harness|arc|25": {"acc": 0.3, "acc_stderr": 0.1},
            "all": {"acc": 0.25, "acc_stderr": 0.1},
        },
    }
    for name, content in (("old", old), ("light", light)):
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(content))
        with pytest.raises(ReadingError, match="--log_samples"):
            bo.read_results({"a": str(path), "b": str(path)})
        scores = bo.read_results({"a": str(path), "b": str(path)}, better="higher", problem="task")
        assert scores.problems == tuple(task for task in content["results"] if task != "all")  # type: ignore[attr-defined]


def test_old_results_of_several_models_in_one_folder(tmp_path: Path) -> None:
    """EleutherAI/pythia: the file is called after the model, and the metric has a direction."""
    for name, acc in (("pythia-1b", 0.4), ("pythia-12b", 0.6)):
        results = {task: {"acc": acc, "acc_stderr": 0.01, "ppl": 9.0} for task in ("arc", "boolq")}
        (tmp_path / f"{name}.json").write_text(json.dumps({"results": results, "config": {"model": "hf"}}))
    scores = bo.read_results(tmp_path, problem="task", metric="acc")
    assert scores.algorithms == ("pythia-12b", "pythia-1b")
    assert scores.values.tolist() == [[0.6, 0.4], [0.6, 0.4]]
    assert (scores.better, bo.read_results(tmp_path, problem="task", metric="ppl").better) == ("higher", "lower")


def test_samples_of_older_versions(tmp_path: Path) -> None:
    """Before 0.4.5: no list of metrics and no filter, the scores before the hashes."""
    for name in "ab":
        lines = questions(1, 0, 1)
        for each in lines:
            acc = each.pop("acc")
            hashes = {key: each.pop(key) for key in ("doc_hash", "prompt_hash", "target_hash")}
            del each["filter"], each["metrics"]
            each |= {"acc": acc} | hashes
        model(tmp_path, name, {"t": lines})
    assert bo.read_results(tmp_path).values[:, 0].tolist() == [1, 0, 1]


def test_a_limit_makes_a_subset(tmp_path: Path) -> None:
    """(f) What one model was not asked is missing, and said to be."""
    model(tmp_path, "full", {"t": questions(1, 0, 1)})
    model(tmp_path, "part", {"t": questions(1, 0)}, config={"limit": 2.0})
    with pytest.raises(MissingScoreError, match="problem 't/2', algorithm 'part'"):
        bo.read_results(tmp_path)
    assert bo.read_results(tmp_path, missing="drop").dropped == ("t/2",)


def test_other_questions_under_the_same_number(tmp_path: Path) -> None:
    model(tmp_path, "a", {"t": questions(1, 0, 1)})
    other = questions(0, 1, 1)
    other[1]["doc_hash"] = "f" * 64
    model(tmp_path, "b", {"t": other})
    scores = bo.read_results(tmp_path)
    assert (scores.problems, scores.differing) == (("t/0", "t/2"), ("t/1",))
    assert scores.values.tolist() == [[1, 0], [1, 1]]
    assert bo.compare(scores).to_dict()["scores"]["differing"] == ["t/1"]
    for each in other:
        each["doc_hash"] = "e" * 64
    model(tmp_path, "b", {"t": other})
    with pytest.raises(ReadingError, match="every problem was measured in different versions"):
        bo.read_results(tmp_path)


def test_a_question_that_occurs_twice(tmp_path: Path) -> None:
    """(g) Two documents with one hash are two problems."""
    for name in "ab":
        model(tmp_path, name, {"t": [line(0, hashed="a" * 64, acc=1.0), line(1, hashed="a" * 64, acc=0.0)]})
    scores = bo.read_results(tmp_path)
    assert scores.problems == ("t/0", "t/1")
    assert scores.dropped == ()


def test_a_line_twice_is_refused(tmp_path: Path) -> None:
    for name in "ab":
        model(tmp_path, name, {"t": [*questions(1, 0), line(0, acc=1.0)]})
    with pytest.raises(ReadingError, match="2 measurements occur more than once"):
        bo.read_results(tmp_path)


def test_tasks_as_clusters(tmp_path: Path) -> None:
    for name in "ab":
        model(tmp_path, name, {"t": questions(1, 0), "u": questions(0, 1)})
    scores = bo.read_results(tmp_path)
    assert scores.problems == ("t/0", "t/1", "u/0", "u/1")
    assert scores.clusters is None  # these tasks; bo.evaluate(…, suites="prefix") counts them equally
    assert bo.read_results(tmp_path, cluster="task").clusters == ("t", "t", "u", "u")
    assert bo.read_results(tmp_path, cluster="passage").clusters == ("t/p0", "t/p0", "u/p0", "u/p0")
    with pytest.raises(ParameterError, match=r"cluster must be a key of every sample \(doc.question, doc.passage\)"):
        bo.read_results(tmp_path, cluster="doc.book")


def test_directions_that_differ_between_tasks(tmp_path: Path) -> None:
    for name in "ab":
        out = model(tmp_path, name, {"t": questions(1, 0), "u": questions(0, 1)}) / f"results_{TIME}.json"
        header = json.loads(out.read_text())
        header["higher_is_better"]["u"]["acc"] = False
        out.write_text(json.dumps(header))
    with pytest.raises(ReadingError, match="of some lower is better, of others higher"):
        bo.read_results(tmp_path)


def test_scores_that_are_no_numbers_are_missing(tmp_path: Path) -> None:
    model(tmp_path, "a", {"t": questions(1, float("nan"), 1)})
    model(tmp_path, "b", {"t": [line(0, acc=None), line(1, acc=True), line(2, acc=False)]})
    with pytest.raises(
        MissingScoreError, match=r"'t/0', algorithm 'b' \(no score\).*'t/1', algorithm 'a' \(not a number"
    ):
        bo.read_results(tmp_path)


def test_a_file_that_was_cut_off(tmp_path: Path) -> None:
    out = model(tmp_path, "a", {"t": questions(1, 0)}) / f"samples_t_{TIME}.jsonl"
    out.write_text(out.read_text()[:-40])
    with pytest.raises(ReadingError, match="line 2: not JSON"):
        bo.read_results(tmp_path)


TRICKY = st.sampled_from(
    [
        '"',
        "\\",
        '\\"',
        ', "filter": "',
        '"doc_id": 7',
        '{"doc_id": 1, "',
        "}",
        "]}",
        '"metrics": ["acc"]',
        "é",
        "\x1f",
        "",
    ]
)
TEXT = st.lists(TRICKY, max_size=4).map("".join)
JSON = st.recursive(
    TEXT | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT | st.just("filter"), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.slow
@settings(max_examples=150)
@given(doc=JSON, target=TEXT, filtered=TEXT, metric=TEXT, value=st.none() | st.booleans() | st.floats() | JSON, at=JSON)
def test_the_ends_of_a_line_say_what_the_line_says(
    doc: Any, target: str, filtered: str, metric: str, value: Any, at: Any
) -> None:
    """Fast path and its slow twin, json.loads of the whole line; None: the twin is used."""
    plain = line(3, filter=filtered, **{metric: value, "acc": 1.0})
    plain |= {"doc": doc, "target": target, "resps": [at]}
    for ascii_only in (True, False):
        text = json.dumps(plain, ensure_ascii=ascii_only)
        for written in (text + "\n", text[:-1] + ', "filter": "x"}', json.dumps({"a": plain})):
            found = _at_the_ends(written.encode())
            if found is not None:
                twin = sample_of(json.loads(written))
                assert repr(found) == repr(twin)
    assert _at_the_ends(json.dumps(line(3, acc=1.0)).encode()) is not None


def test_real_lines_take_the_fast_path() -> None:
    for path in REAL.glob("samples_*"):
        for text in path.read_bytes().splitlines():
            found = _at_the_ends(text)
            assert found is not None
            assert found == sample_of(json.loads(text))
            assert np.isfinite(list(found.scores.values())).all()


WRITTEN = REAL.with_name("lm_eval_writer_0.4.13")
"""By EvaluationTracker.save_results_aggregated and save_results_samples of lm_eval 0.4.13, from made-up samples:
NumPy's numbers, two filters, an f1 of the corpus, a document with quotation marks, braces and a line separator."""


def test_what_the_real_writer_makes_of_numpy_numbers_and_odd_documents() -> None:
    right = [[1, 1], [0, 0], [1, 0], [1, 1], [0, 0], [1, 0]]
    for metric in ("acc", "exact_match,strict-match", "exact_match,flexible-extract"):
        scores = bo.read_results(WRITTEN, metric=metric, cluster="doc.book")
        assert scores.values.tolist() == right
        assert scores.algorithms == ("org/a", "org/b")
        assert scores.clusters == tuple(f"{name.split('/')[0]}/b{i // 2}" for i, name in enumerate(scores.problems))
        assert (scores.better, scores.differing) == ("higher", ())
        assert bo.read_results(WRITTEN, metric=metric).values.tolist() == right
    with pytest.raises(ReadingError, match="f1 is computed from all questions together"):
        bo.read_results(WRITTEN, metric="f1")
    fast = [_at_the_ends(text) for path in WRITTEN.rglob("samples_trivia*") for text in path.read_bytes().split(b"\n")]
    assert sum(found is not None for found in fast) == 24
