"""Pairing is checked: runs belong together by their names, in whatever order they come."""

from __future__ import annotations

import io
import json
import math
import pickle

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, ScoreError

RNG = np.random.default_rng(6)
RUNS = RNG.normal(size=(6, 3, 5)).round(3)


def long_table(name: object = None, shuffled: bool = False) -> str:
    """Six problems, three algorithms, five runs; ``name(i, j, r)`` of each run."""
    rows = [
        f"p{i},{'xyz'[j]},{r if name is None else name(i, j, r)},{RUNS[i, j, r]}"  # type: ignore[operator]
        for i in range(6)
        for j in range(3)
        for r in range(5)
    ]
    if shuffled:
        rows = [rows[i] for i in np.random.default_rng(1).permutation(len(rows))]
    return "\n".join(["problem,algorithm,run,score", *rows])


def read(text: str, **options: str) -> bo.Scores:
    return bo.read_scores(io.StringIO(text), "lower", **options)  # type: ignore[arg-type]


def not_paired(result: object) -> list[bo.Caution]:
    return [caution for caution in result.cautions if caution.code == "not-paired"]  # type: ignore[attr-defined]


def test_the_column_of_runs_is_kept() -> None:
    s = read(long_table(lambda i, j, r: f"fold {r}"))
    assert s.run_ids is not None
    assert s.run_ids.shape == (6, 3, 5)
    assert s.run_ids[2, 1].tolist() == [f"fold {r}" for r in range(5)]
    part = s.select(["z", "x"], ["p4", "p1"])
    assert part.run_ids is not None
    assert part.run_ids[0, 1].tolist() == [f"fold {r}" for r in range(5)]
    assert pickle.loads(pickle.dumps(s)).run_ids.tolist() == s.run_ids.tolist()
    assert bo.read_scores(RUNS, "lower").run_ids is None
    report = bo.compare(s).to_dict()
    assert report["scores"]["run_ids"] == [f"fold {r}" for r in range(5)]
    assert not_paired(bo.compare(s)) == []


def test_other_folds_for_one_algorithm_are_a_caution() -> None:
    s = read(long_table(lambda i, j, r: r + 5 * (j == 1 and i > 2)))
    (caution,) = not_paired(bo.compare(s))
    assert caution.text.startswith("On 3 of 6 problems the algorithms have runs with different names (p3, p4, p5).")
    assert caution.severity == "note"
    report = json.loads(json.dumps(bo.compare(s).to_dict()))
    assert bo.verify(report).ok
    report["scores"]["run_ids"] = report["scores"]["run_ids"][0][0]
    assert any("cautions" in difference.where for difference in bo.verify(report).differences)


@pytest.mark.parametrize(("kind", "severity"), [("split", ["warning"]), (None, ["note"]), ("seed", []), ("answer", [])])
def test_what_a_run_is_decides(kind: str | None, severity: list[str]) -> None:
    ids = [[[f"{a}{r}" for r in range(5)] for a in "xyz"] for _ in range(6)]
    s = bo.Scores(RUNS, better="lower", run_ids=ids, run_kind=kind)
    assert [caution.severity for caution in not_paired(bo.compare(s))] == severity
    assert s.select(["A1", "A2"]).run_kind == kind
    assert bo.verify(json.loads(json.dumps(bo.compare(s).to_dict()))).ok


def test_a_lacking_run_is_another_one_of_splits_only() -> None:
    runs = RUNS.copy()
    runs[1, 0, 2] = math.nan
    for kind, number in ((None, 0), ("split", 1)):
        s = bo.Scores(runs, better="lower", missing="keep", run_ids=list("abcde"), run_kind=kind)
        assert s.run_ids is not None
        assert s.run_ids[1, 0].tolist() == ["a", "b", "d", "e", None]
        assert len(not_paired(bo.compare(s))) == number


def test_runs_are_paired_by_name_and_not_by_place() -> None:
    order = np.random.default_rng(2).permutation(5)
    ids = np.array([[list("abcde")] * 3] * 6, dtype=object)
    runs = RUNS.copy()
    runs[:, 1], ids[:, 1] = RUNS[:, 1][:, order], np.array(list("abcde"), dtype=object)[order]
    plain = bo.Scores(RUNS, better="lower", run_ids=list("abcde"))
    turned = bo.Scores(runs, better="lower", run_ids=ids)
    for function in (
        lambda s: bo.per_problem(s, paired=True).cells,
        lambda s: bo.resampled_t(s, 0, 1, 0.2, problem=3).pvalue,
        lambda s: bo.bayes.correlated_t(s, 0, 1, folds=5, problem=3).p_better,
    ):
        assert function(plain) == function(turned)
    blind = bo.Scores(runs, better="lower")
    assert bo.resampled_t(blind, 0, 1, 0.2, problem=3).pvalue != bo.resampled_t(plain, 0, 1, 0.2, problem=3).pvalue
    shuffled = read(long_table(shuffled=True)).select(["x", "y", "z"], [f"p{i}" for i in range(6)])
    found = bo.per_problem(shuffled, paired=True).cells
    assert [c.pvalue for c in found] == [c.pvalue for c in bo.per_problem(plain, paired=True).cells]


def test_pairing_runs_that_do_not_belong_together_is_refused() -> None:
    s = read(long_table(lambda i, j, r: r + 5 * (j == 1 and i == 4)))
    said = r"on problem 'p4' only one of 'x' and 'y' has the run '0'"
    for function in (
        lambda: bo.per_problem(s, paired=True),
        lambda: bo.resampled_t(s, "x", "y", 0.2, problem="p4"),
        lambda: bo.bayes.correlated_t(s, "x", "y", folds=5, problem="p4"),
    ):
        with pytest.raises(ScoreError, match=said):
            function()
    assert bo.resampled_t(s, "x", "y", 0.2, problem="p1").n_runs == 5
    assert len(bo.per_problem(s).cells) == 18


@pytest.mark.parametrize("policy", ["available", "keep", "worst", "drop"])
def test_names_stay_with_their_runs_where_scores_are_missing(policy: str) -> None:
    text = long_table().replace(f"p2,y,1,{RUNS[2, 1, 1]}", "p2,y,1,NA")
    s = read(text, missing=policy)
    assert s.run_ids is not None
    if policy == "drop":
        assert (s.n_problems, s.run_ids.shape) == (5, (5, 3, 5))
        return
    expected = ["0", "1", "2", "3", "4"] if policy == "worst" else ["0", "2", "3", "4", None]
    assert s.run_ids[2, 1].tolist() == expected


def test_what_is_no_identity_is_refused() -> None:
    with pytest.raises(ScoreError, match="run_ids must have the shape of the scores"):
        bo.Scores(RUNS, better="lower", run_ids=["a", "b"])
    with pytest.raises(ParameterError, match=r"run_kind must be one of 'seed', 'split'.*did you mean 'split'"):
        bo.Scores(RUNS, better="lower", run_kind="splits")
    one = bo.Scores(RUNS[:, :, 0], better="lower", run_ids=[["h1", "h1", "h2"]] * 6, run_kind="split")
    assert len(not_paired(bo.compare(one))) == 1
