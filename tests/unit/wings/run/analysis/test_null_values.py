"""Null values and log ratios of an experiment: units, words, what is refused, and what a store belongs to."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import NotANumberError, ParameterError, StoreError
from bakeoff.plan.differences import DIFFERENCES, KINDS
from bakeoff.wings.run.analysis.analyse import analyse
from bakeoff.wings.run.design.settings import Question
from bakeoff.wings.run.run.reporting.sentences import basis
from bakeoff.wings.run.store.contents import read_store
from bakeoff.wings.run.verification import verify_store

PROBLEMS = {f"p{i}": 10.0 ** (i % 3) for i in range(12)}


def new(problem: float, rng: np.random.Generator) -> float:
    return problem * math.exp(rng.normal(-0.4, 0.3))


def old(problem: float, rng: np.random.Generator) -> float:
    return problem * math.exp(rng.normal(0.0, 0.5))


def experiment(**options: Any) -> bo.Experiment:
    how: dict[str, Any] = {"better": "lower", "seed": 1, **options}
    if "repetitions" not in how:
        how.setdefault("runs", 6)
    return bo.Experiment({"new": new, "old": old}, PROBLEMS, **how)


def of_differences(x: list[float], **question: Any) -> Any:
    scores = bo.Scores(np.column_stack([x, np.zeros(len(x))]), ["a", "b"], better="higher")
    return analyse(scores, Question(**question), len(x))


@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_null_value_is_as_good_as_other_scores_of_the_first(test: Any, alternative: Any) -> None:
    """Whole numbers, so that the shifted scores have the same ties; the interval stays where it is."""
    rng = np.random.default_rng(5)
    for better, sign in (("lower", 1.0), ("higher", -1.0)):
        values = rng.integers(0, 9, size=(15, 2)).astype(float)
        moved = values + np.array([2.0 * sign, 0.0])
        ask: dict[str, Any] = {"test": test, "alternative": alternative}
        tables = [bo.Scores(x, ["a", "b"], better=better) for x in (values, moved)]  # type: ignore[arg-type]
        found = analyse(tables[0], Question(null_value=2.0, **ask), 15).pair
        other = analyse(tables[1], Question(**ask), 15).pair
        assert found.pvalue == pytest.approx(other.pvalue, rel=1e-9)
        if test != "sign":
            plain = analyse(tables[0], Question(**ask), 15).pair
            assert found.effect is not None
            assert plain.effect is not None
            assert (found.effect.estimate, found.effect.low, found.effect.high) == (
                plain.effect.estimate, plain.effect.low, plain.effect.high,
            )  # fmt: skip


def test_units_of_the_null_value() -> None:
    """A share of the first algorithm's mean; a ratio of geometric means, whatever the scale of the problems."""
    values = np.array([[1.0, 1.1], [20.0, 22.5], [300.0, 320.0], [4.0, 4.6], [50.0, 56.0]])
    scores = bo.Scores(values, ["a", "b"], better="lower")
    percent = analyse(scores, Question(differences="percent", null_value=0.1), 5).pair
    shares = (values[:, 1] - values[:, 0]) / values[:, 0]
    assert percent.pvalue == pytest.approx(
        bo.paired_t(shares, np.zeros(5), better="higher", null_value=0.1).pvalue, rel=1e-9
    )
    ratio = analyse(scores, Question(differences="log-ratio", null_value=1.1), 5).pair
    scaled = bo.Scores(values * np.array([[7.0], [0.01], [3.0], [1e6], [1e-9]]), ["a", "b"], better="lower")
    again = analyse(scaled, Question(differences="log-ratio", null_value=1.1), 5).pair
    assert ratio.effect is not None
    assert again.effect is not None
    assert ratio.pvalue == pytest.approx(again.pvalue, rel=1e-9)
    assert ratio.effect.estimate == pytest.approx(np.exp(np.log(values[:, 1] / values[:, 0]).mean()), rel=1e-12)
    turned = analyse(
        bo.Scores(values, ["a", "b"], better="higher"), Question(differences="log-ratio", null_value=1 / 1.1), 5
    ).pair
    assert turned.effect is not None
    assert turned.pvalue == pytest.approx(ratio.pvalue, rel=1e-9)
    assert turned.effect.estimate == pytest.approx(1 / ratio.effect.estimate, rel=1e-12)


def test_scores_that_are_the_null_value_apart_are_ties() -> None:
    """0.3 − 0.1 is not 0.2 in binary: neither a win nor a loss comes of that."""
    x = [0.1 * i + 0.2 for i in range(10)]
    scores = bo.Scores(np.column_stack([x, [0.1 * i for i in range(10)]]), ["a", "b"], better="higher")
    for test in ("sign", "wilcoxon", "t"):
        pair = analyse(scores, Question(test=test, null_value=0.2), 10).pair  # type: ignore[arg-type]
        assert pair.pvalue == 1.0
    table = dict(zip([f"p{i}" for i in range(10)], x, strict=True))
    solvers = {"a": lambda p, rng: table[p], "b": lambda p, rng: table[p] - 0.2}
    for ranks in ("wilcoxon", "sign"):
        asked: dict[str, Any] = {"test": ranks, "null_value": 0.2, "sequential": "anytime"}
        result = bo.run(bo.Experiment(solvers, list(table), better="higher", seed=1, **asked))
        assert result.analysis.pair.pvalue == 1.0


def test_neither_is_better_is_the_null_value_of_each_kind() -> None:
    """0, or the ratio 1, is what is tested anyway: the same question, and the same store."""
    for kind in DIFFERENCES:
        equal = Question(differences=kind, null_value=KINDS[kind].equal)  # type: ignore[arg-type]
        assert equal == Question(differences=kind)  # type: ignore[arg-type]
        assert equal.about_equality
    assert experiment(null_value=0).spec_hash == experiment().spec_hash
    assert json.loads(experiment().spec_json)["format"] == 2
    assert "null_value" not in json.loads(experiment().spec_json)["question"]
    assert json.loads(experiment(null_value=0.1).spec_json)["format"] == 3
    assert json.loads(experiment(differences="log-ratio").spec_json)["format"] == 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"differences": "log-ratio", "null_value": 0}, "a ratio above 0: 1 says that neither is better"),
        ({"differences": "log-ratio", "null_value": -1.0}, "a ratio above 0"),
        ({"differences": "percent", "null_value": "5%"}, "a fraction, 0.05 for 5 %"),
        ({"null_value": math.inf}, "in score units"),
        ({"null_value": True}, "in score units"),
    ],
)
def test_null_values_that_are_none(options: dict[str, Any], words: str) -> None:
    with pytest.raises((ParameterError, NotANumberError), match=words) as error:
        experiment(**options)
    assert error.value.parameter == "null_value"


def test_what_a_log_ratio_or_a_null_value_is_refused_with() -> None:
    for policy in (0.0, -3.0, "worst"):
        with pytest.raises(ParameterError, match="on_failure"):
            experiment(differences="log-ratio", on_failure=policy, test="sign")
    with pytest.raises(ParameterError, match=r"null_value=0\.5: a race"):
        bo.race(experiment(null_value=0.5, runs=1))
    with pytest.raises(ParameterError, match="'log-ratio': a race compares scores as they are"):
        bo.race(experiment(differences="log-ratio", runs=1))
    with pytest.raises(ParameterError, match="method='paper' differs from 'corrected' for percent"):
        bo.Repetitions(se=0.1, nmax=100, differences="log-ratio", method="paper")


@pytest.mark.parametrize("design", [{"runs": 3}, {"repetitions": {"se": 0.3, "nmax": 60, "differences": "log-ratio"}}])
def test_a_score_without_a_logarithm_leaves_no_verdict(design: dict[str, Any]) -> None:
    """Leaving the problem out would take the best result of one algorithm away."""
    solvers = {"exact": lambda p, rng: 0.0 if p == "p3" else 1 + rng.random(), "other": lambda p, rng: 2 + rng.random()}
    result = bo.run(
        bo.Experiment(solvers, [f"p{i}" for i in range(8)], better="lower", seed=1, differences="log-ratio", **design)
    )
    pair = result.analysis.pair
    assert (result.decision, pair.pvalue, result.n_problems) == ("cannot tell", None, 8)
    assert "needs scores above 0; one is 0" in pair.failure
    assert "'simple' differences" in pair.failure
    assert "problem 'p3'" in pair.failure
    assert {e.problem: e.reason for e in result.estimates}["p3"] == "error"
    assert "not-computed (test)" in [c.name for c in result.analysis.cautions]
    median = bo.Repetitions(se=5.0, nmax=60, differences="log-ratio", statistic="median")
    some = {"a": lambda p, rng: rng.integers(0, 9) or 0.5, "b": lambda p, rng: 2 + rng.random()}
    assert bo.run(bo.Experiment(some, [1, 2, 3, 4], better="lower", seed=1, repetitions=median)).decision != ""


def test_a_score_without_a_logarithm_stops_no_sequential_experiment() -> None:
    solvers = {"a": lambda p, rng: 0.0 if p == "p3" else 1 + rng.random(), "b": lambda p, rng: 9 + rng.random()}
    problems = [f"p{i}" for i in range(16)]
    for how in ("group", "anytime"):
        result = bo.run(
            bo.Experiment(solvers, problems, better="lower", seed=1, sequential=how, differences="log-ratio")
        )
        assert result.decision == "cannot tell"


WORDS = [
    ({"null_value": -0.4}, [0.0, 0.1, 0.2, 0.1], "differs from −0.4: it is above, 0.1 (positive: a is better)."),
    ({"null_value": 0.4}, [0.0, 0.1, 0.2, 0.1], "differs from 0.4: it is below, 0.1 (positive: a is better)."),
    ({"null_value": 0.05, "alternative": "greater"}, [0.3, 0.31, 0.32, 0.33], "is above 0.05, 0.315"),
    ({"null_value": 0.1}, [0.0, 0.1, 0.2, 0.1], "was not shown to differ from 0.1."),
    (
        {"null_value": 0.1, "test": "sign"},
        [0.0, 0.3],
        "cannot tell whether the median difference between a and b is 0.1",
    ),
]


@pytest.mark.parametrize(("asked", "x", "words"), WORDS)
def test_the_sentence_says_what_was_tested(asked: dict[str, Any], x: list[float], words: str) -> None:
    from bakeoff.wings.run.run.reporting.sentences import _decided

    assert words in _decided(of_differences(x, **asked))


def test_below_a_null_value_is_not_worse() -> None:
    """μ̂ = 0.1 is below 0.4, and a is better all the same: no verdict says that b is."""
    found = of_differences([0.0, 0.1, 0.2, 0.1], null_value=0.4)
    assert found.pair.verdict == "below the null value"
    assert "a and b: below the null value" in str(found)
    assert of_differences([0.0, 0.1, 0.2, 0.1], null_value=0.1).pair.verdict == "null value possible"


def test_report_json_and_methods() -> None:
    result = bo.run(experiment(differences="log-ratio", null_value=1.05, alternative="greater"))
    assert result.verdict.startswith("The mean ratio between new and old is above × 1.05, × ")
    assert "one-sided (the mean ratio is above × 1.05)" in basis(result)
    data = result.to_dict()
    assert data["question"]["null_value"] == 1.05
    pair = data["pairs"][0]
    assert pair["verdict"] == "above the null value"
    assert pair["effect"]["kind"] == "mean ratio"
    logs = np.array(list(pair["differences"].values()))
    assert pair["effect"]["estimate"] == pytest.approx(math.exp(logs.mean()), rel=1e-12)
    assert [e.difference for e in result.estimates] == pytest.approx(logs, rel=1e-9)
    assert result.decision == "difference"
    power = bo.plan.power(12, 0.5, alternative="greater")
    assert result.analysis.power_profile.power == power  # of μ₀ + d


@pytest.mark.parametrize("kind", DIFFERENCES)
@pytest.mark.parametrize("design", ["fixed", "adaptive", "bootstrap", "group", "anytime"])
def test_a_store_belongs_to_its_null_value(tmp_path: Path, kind: str, design: str) -> None:
    """Resumed to the same digest, verified, and refused with another value."""
    store = tmp_path / "runs.sqlite"
    null = 1.05 if kind == "log-ratio" else 0.05
    asked: dict[str, Any] = {"null_value": null}
    if design in ("adaptive", "bootstrap"):
        method = "auto" if design == "adaptive" else design
        asked["repetitions"] = {"se": 0.2, "nmax": 60, "differences": kind, "method": method, "resamples": 99}
    else:
        asked |= {"differences": kind, "sequential": None if design == "fixed" else design}
    first = bo.run(experiment(**asked), store=store)
    assert bo.run(experiment(**asked), store=store).digest == first.digest
    assert verify_store(store).findings == ()
    assert read_store(store).spec["question"]["null_value"] == null
    with pytest.raises(StoreError, match="null_value"):
        bo.run(experiment(**{**asked, "null_value": null + 0.1}), store=store)
    with pytest.raises(StoreError, match="null_value"):
        bo.run(experiment(**{k: v for k, v in asked.items() if k != "null_value"}), store=store)


def test_toml(tmp_path: Path) -> None:
    (tmp_path / "solver.py").write_text("def f(problem, rng):\n    return 1.0 + rng.random()\n", encoding="utf-8")
    text = 'better = "lower"\nseed = 1\nruns = 2\nnull_value = 1.1\ndifferences = "log-ratio"\n'
    text += '[algorithms]\na = { python = "solver:f" }\nb = { python = "solver:f" }\n[problems.values]\np = 1\nq = 2\n'
    (tmp_path / "e.toml").write_text(text, encoding="utf-8")
    read = bo.Experiment.from_toml(tmp_path / "e.toml")
    assert (read.question.null_value, read.question.differences) == (1.1, "log-ratio")
    assert read.question.null_difference == pytest.approx(math.log(1.1))


def test_a_plan_of_runs_for_log_ratios() -> None:
    """(s₁ + s₂)²/se² runs, of the logarithms' sds; in the ratio s₁ : s₂."""
    runs = np.exp(np.array([[[-2.0, 0.0, 2.0], [4.0, 5.0, 6.0]]]))
    planned = bo.plan.repetitions(bo.Scores(runs, better="lower"), 0.3, difference="log-ratio", min_runs=2)
    assert planned.n.tolist() == [[67, 34]]
    assert planned.differences[0, 0] == pytest.approx(5.0)
    parts = bo.plan.variance_components(
        bo.Scores(np.concatenate([runs, 3 * runs, runs * np.array([1.0, 2.0])[:, None]]), better="lower"),
        0, 1, difference="log-ratio",
    )  # fmt: skip
    assert parts.differences == pytest.approx([5.0, 5.0, 5.0 + math.log(2)])
    with pytest.raises(bo.errors.ScoreError, match=r"problem 'P1'.*above 0"):
        bo.plan.repetitions(bo.Scores(runs - 1.0, better="lower"), 0.3, difference="log-ratio")
