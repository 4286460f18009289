"""The question of an experiment and its answer: Table 2 of the paper, the tests of the house, what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import bakeoff as bo
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.wings.run.analysis.analyse import analyse
from bakeoff.wings.run.analysis.results import (
    ExperimentAnalysis,
    bootstrap_means,
    normal_quantiles,
    normality_checks,
    skewness,
    standardized,
)
from bakeoff.wings.run.design.settings import DEFAULT, Question, planned_problems
from bakeoff.wings.run.sequential.interim_looks import compared_scores
from oracles.published import cells, rows

TABLE = cells("campelo_table2")
PHI = np.array([float(TABLE[name, "phi"]) for name in rows("campelo_table2")])


def ask(**changes: Any) -> Question:
    from dataclasses import replace

    return replace(DEFAULT, **changes)


def of_phis(phi: np.ndarray, **changes: Any) -> ExperimentAnalysis:
    """A sample of differences as it is: the first column against zero."""
    scores = bo.Scores(np.column_stack([phi, np.zeros(len(phi))]), ["a", "b"], better="higher")
    return analyse(scores, ask(**changes), len(phi))


def test_table_2_of_the_paper() -> None:
    """Campelo & Takahashi (2019), section 5.1: printed mean -0.379, CI [-0.517, -0.242], p 2.90e-6, df 33.

    From the phis as printed: t -5.62572, p 2.908e-6, CI [-.51662, -.24220], d -.965, Shapiro-Wilk p .136 (R 4.2.2).
    """
    found = of_phis(PHI)
    pair = found.pair
    assert pair.effect is not None
    assert pair.effect.estimate == pytest.approx(-0.37941, abs=5e-6)
    assert (pair.effect.low, pair.effect.high) == pytest.approx((-0.51662, -0.24220), abs=5e-6)
    assert pair.effect.standardized == pytest.approx(-0.965, abs=5e-4)
    assert pair.test is not None
    assert pair.test.statistic == pytest.approx(-5.62572, abs=5e-6)
    assert pair.pvalue == pair.adjusted == pytest.approx(2.908e-6, abs=5e-10)
    assert pair.verdict == "b better"
    assert pair.checks is not None
    assert pair.checks.shapiro is not None
    assert pair.checks.shapiro.pvalue == pytest.approx(0.136, abs=5e-4)
    assert np.array_equal(pair.checks.ordered, np.sort(PHI))
    assert found.correction == "none"
    profile = found.power_profile  # 80 % at d = 0.495028 with 34 problems, and 0.807778 at the planned 0.5
    assert profile.detectable == pytest.approx(0.495028, abs=5e-7)
    assert profile.power == pytest.approx(0.807778, abs=5e-7)
    assert "b is better than a" in str(found)


def test_the_same_by_percent_differences_of_scores() -> None:
    """x̄_a = 10 on every problem and x̄_b = 10(1 + φ): the percent differences are φ."""
    phi = PHI[PHI > -0.99]
    scores = bo.Scores(np.column_stack([np.full(len(phi), 10.0), 10 * (1 + phi)]), ["a", "b"], better="lower")
    one, other = analyse(scores, ask(differences="percent"), len(phi)), of_phis(phi)
    assert one.pair.differences == pytest.approx(phi, abs=1e-14)
    assert one.pair.pvalue == pytest.approx(other.pair.pvalue, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("better", ["lower", "higher"])
def test_the_answer_is_that_of_the_tests_of_the_house(test: str, alternative: str, better: str) -> None:
    rng = np.random.default_rng(1)
    tests = {"t": bo.paired_t, "wilcoxon": bo.wilcoxon, "sign": bo.sign_test}
    for _ in range(20):
        values = rng.integers(0, 5, size=(rng.integers(2, 20), 2)).astype(float)  # with ties
        scores = bo.Scores(values, ["a", "b"], better=better)  # type: ignore[arg-type]
        found = analyse(scores, ask(test=test, alternative=alternative), len(values)).pair
        expected = tests[test](scores, "a", "b", alternative=alternative)  # type: ignore[operator]
        assert found.pvalue == found.adjusted == expected.pvalue
        if found.effect is not None:
            assert found.effect.low <= found.effect.estimate <= found.effect.high
        if found.pvalue <= 0.05 and alternative == "greater":
            assert found.verdict == "a better"


def test_holm_over_pairs_and_a_control() -> None:
    rng = np.random.default_rng(2)
    scores = bo.Scores(rng.normal(size=(15, 4)) + np.array([0, 0.5, 1, 3]), ["w", "x", "y", "z"], better="lower")
    every = analyse(scores, ask(), 15)
    assert [(p.a, p.b) for p in every.pairs] == [
        ("w", "x"), ("w", "y"), ("w", "z"), ("x", "y"), ("x", "z"), ("y", "z"),
    ]  # fmt: skip
    raw = np.array([p.pvalue for p in every.pairs])
    assert [p.adjusted for p in every.pairs] == pytest.approx(bo.adjust(raw, "holm"))
    assert every.correction == "holm"
    control = analyse(scores, ask(control="y"), 15)
    assert [(p.a, p.b) for p in control.pairs] == [("y", "w"), ("y", "x"), ("y", "z")]
    assert control.power_profile.n_comparisons == 3
    assert control.pairs[2].verdict == "a better"


def test_percent_references() -> None:
    values = np.array([[2.0, 3.0, 7.0], [4.0, 2.0, 0.0]])
    scores = bo.Scores(values, ["a", "b", "c"], better="lower")
    grand = compared_scores(scores, ask(differences="percent"))
    assert grand.values == pytest.approx(values / np.array([[4.0], [2.0]]))
    control = compared_scores(scores, ask(differences="percent", control="b"))
    assert control.values == pytest.approx(values / np.array([[3.0], [2.0]]))


def test_problems_without_percent_differences_are_counted_and_told() -> None:
    scores = bo.Scores([[1.0, 2.0], [-1.0, 2.0], [2.0, 3.0], [0.0, 1.0]], ["a", "b"], better="lower")
    found = analyse(scores, ask(differences="percent"), 4)
    assert (found.n_problems, found.n_dropped) == (2, 2)
    assert found.pair.problems == ("P1", "P3")
    assert "left-out (undefined-differences)" in [c.name for c in found.cautions]
    none = analyse(bo.Scores([[-1.0, 2.0]], ["a", "b"], better="lower"), ask(differences="percent"), 1)
    assert (none.n_problems, none.pair.verdict, none.pair.pvalue) == (0, "cannot tell", None)
    assert none.cautions[0].code == "not-computed"


def test_one_problem_and_equal_differences_are_no_crash() -> None:
    assert of_phis(np.array([0.3])).pair.verdict == "cannot tell"
    same = of_phis(np.full(6, 0.3))
    assert same.pair.effect is not None
    assert same.pair.effect.standardized is None
    assert "no-variation" in [c.code for c in same.cautions]
    nothing = of_phis(np.zeros(6))
    assert (nothing.pair.pvalue, nothing.pair.verdict) == (1.0, "no difference shown")
    huge = of_phis(np.array([1e308, 2.0, -1e308, 5.0]))
    assert huge.pair.pvalue is not None


def test_signs_bear_infinite_scores_and_others_say_so() -> None:
    scores = bo.Scores([[1.0, math.inf], [2.0, 3.0], [math.inf, math.inf], [1.0, 2.0]], ["a", "b"], better="lower")
    signs = analyse(scores, ask(test="sign"), 4).pair
    assert signs.differences.tolist() == [1.0, 1.0, 0.0, 1.0]
    assert signs.checks is None
    assert analyse(scores, ask(test="t"), 4).pair.verdict == "cannot tell"


def test_the_share_of_wins_has_the_exact_interval() -> None:
    """R 4.2.2: binom.test(8, 10)$conf.int -> 0.4439045 0.9747893; alternative="greater" -> 0.4930987 1."""
    phi = np.array([1.0] * 8 + [-1.0] * 2 + [0.0] * 3)
    both, one = (of_phis(phi, test="sign", alternative=x).pair.effect for x in ("two-sided", "greater"))
    assert both is not None
    assert one is not None
    assert (both.estimate, both.low, both.high) == pytest.approx((0.8, 0.4439045, 0.9747893), abs=5e-8)
    assert (one.low, one.high) == pytest.approx((0.4930987, 1.0), abs=5e-8)


def test_skewed_differences_are_a_caution_and_no_other_test() -> None:
    found = of_phis(np.exp(np.random.default_rng(3).normal(size=60)) - 1)
    assert found.pair.test is not None
    assert found.pair.test.method == "t"
    assert "skew" in [c.code for c in found.cautions]
    assert "low-power" in [c.code for c in of_phis(np.array([0.5, -0.4, 0.1, 0.2, -0.3, 0.2, -0.1, 0.3])).cautions]


# --- checks -----------------------------------------------------------------------------------------------------


def test_bootstrap_means_follow_their_law() -> None:
    """Mean x̄ and variance Σ(x − x̄)²/n² exactly; 4 standard errors over 20 000 draws."""
    x = np.array([1.0, 2.0, 4.0, 9.0])
    means = bootstrap_means(x, 20_000, np.random.default_rng(0))
    sd = math.sqrt(float(np.mean((x - x.mean()) ** 2)) / 4)
    assert means.mean() == pytest.approx(x.mean(), abs=4 * sd / math.sqrt(20_000))
    assert means.std() == pytest.approx(sd, rel=4 / math.sqrt(40_000))


def test_checks_are_reproducible_and_read_only() -> None:
    one, same = normality_checks(PHI, 5), normality_checks(PHI, 5)
    assert np.array_equal(one.bootstrap_means, same.bootstrap_means)
    assert len(one.bootstrap_means) == 999
    assert not one.ordered.flags.writeable
    assert bootstrap_means(np.array([1e308, 1e308]), 99, np.random.default_rng(0)).tolist() == [1e308] * 99


def test_normal_quantiles_and_skewness() -> None:
    # R 4.2.2: qnorm(ppoints(5)), qnorm(ppoints(12))[1]
    assert normal_quantiles(5) == pytest.approx([-1.1797611, -0.4972006, 0.0, 0.4972006, 1.1797611], abs=5e-8)
    assert normal_quantiles(12)[0] == pytest.approx(-1.7316644, abs=5e-8)
    assert skewness(np.array([1.0, 2.0, 6.0])) == pytest.approx(1.457862967, abs=1e-9)  # R: sqrt(6) m3 / m2^1.5
    assert skewness(np.array([1.0, 1.0, 1.0])) is None


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=12))
def test_any_differences_have_checks_without_nan(x: list[float]) -> None:
    found = normality_checks(np.array(x), 0, 20)
    assert np.all(np.isfinite(found.ordered))
    assert np.all(np.isfinite(found.bootstrap_means))
    assert standardized(np.array(x)) is None or math.isfinite(standardized(np.array(x)))  # type: ignore[arg-type]


# --- settings ---------------------------------------------------------------------------------------------------


def zero(problem: float, rng: np.random.Generator) -> float:
    return 0.0


def value(problem: float, rng: np.random.Generator) -> float:
    return problem + rng.normal()


def experiment(**changes: Any) -> bo.Experiment:
    given: dict[str, Any] = {"better": "lower", "seed": 1, **changes}
    return bo.Experiment({"zero": zero, "value": value}, {f"p{i}": float(i) for i in range(40)}, **given)


def test_settings_are_settled_before_the_first_run() -> None:
    assert experiment().question == DEFAULT
    assert experiment(on_failure="worst").question.test == "sign"
    with_control = experiment(repetitions={"se": 0.5, "nmax": 50, "control": "value", "differences": "percent"})
    assert (with_control.question.control, with_control.question.differences) == ("value", "percent")
    assert experiment(test="wilcoxon").spec_hash != experiment().spec_hash


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"test": "student"}, "test must be one of"),
        ({"on_failure": "worst", "test": "t"}, "say test='sign'"),
        ({"on_failure": "worst", "differences": "percent"}, "no percent differences"),
        ({"alternative": "both"}, "alternative must be one of"),
        ({"control": "vaule"}, "did you mean 'value'"),
        ({"alpha": 0}, "alpha must be"),
        ({"effect_size": -1}, "effect_size must be"),
        ({"sequential": "always"}, "sequential must be one of"),
        ({"sequential": "anytime", "alternative": "less"}, "two-sided"),
        ({"repetitions": {"se": 1, "nmax": 50}, "differences": "percent"}, "say it in repetitions only"),
        ({"repetitions": {"se": 1, "nmax": 50}, "control": "zero"}, "say control in repetitions only"),
        ({"n_problems": "plan", "effect_size": 0.2}, "takes 199 problems, and there are 40"),
    ],
)
def test_what_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        experiment(**changes)


def test_an_unknown_setting_has_a_hint() -> None:
    with pytest.raises(WrongTypeError, match="did you mean 'sequential'"):
        experiment(sequentail="group")


def test_the_planned_number_of_problems() -> None:
    """34 for d = 0.5 (33.367 unrounded); with looks at 1/2, 3/4 and 1 the inflation is 1.0238, so 35."""
    assert planned_problems(DEFAULT, 2) == experiment(n_problems="plan").n_problems == 34
    assert planned_problems(ask(sequential="group"), 2) == 35
    assert planned_problems(ask(alternative="greater"), 2) == planned_problems(ask(alternative="less"), 2) == 27
    assert planned_problems(ask(sequential="anytime"), 2) == 49


@pytest.mark.slow
def test_a_run_has_the_analysis_and_fixed_designs_know_percent_and_control() -> None:
    result = bo.run(experiment(runs=3, alternative="greater"))
    assert result.analysis.pair.verdict == "a better"
    assert result.analysis.n_problems == result.n_problems == 40
    assert [e.difference for e in result.estimates] == pytest.approx(result.analysis.pair.differences)
    percent = bo.run(experiment(runs=2, differences="percent", control="value"))
    kept = {e.problem: e.difference for e in percent.estimates if e.difference is not None}
    assert dict(zip(percent.analysis.pair.problems, percent.analysis.pair.differences, strict=True)) == pytest.approx(
        kept
    )
    assert percent.differences == "percent"
    assert bo.compare(result.scores).pairs[0].a == "zero"


def lognormal(factor: float) -> Any:
    return lambda problem, rng: factor * float(rng.lognormal(0.0, 0.3))


@pytest.mark.parametrize(("factor", "share"), [(0.55, 1.43), (1.5, 0.87)])
def test_the_papers_formula_is_cautioned_in_a_run_as_in_a_plan(factor: float, share: float) -> None:
    """One problem: the paper's error is ``share`` times the right one, which the bootstrap agrees with."""
    errors = {}
    for method in ("paper", "corrected", "bootstrap"):
        options: dict[str, Any] = {"se": 0.1, "nmax": 100, "n0": 30, "differences": "percent", "method": method}
        algorithms = {"a": lognormal(1.0), "b": lognormal(factor)}
        run = bo.run(bo.Experiment(algorithms, {"p": 1.0}, better="lower", seed=1, repetitions=options))
        codes = [caution.code for caution in run.cautions]
        assert codes.count("papers-formula") == (method == "paper")
        plan = bo.plan.repetitions(
            run.scores, 0.05, difference="percent", form="paper" if method == "paper" else "corrected"
        )
        assert ("papers-formula" in [caution.code for caution in plan.cautions]) == (method == "paper")
        errors[method] = run.estimates[0].standard_error * np.sqrt(run.n_runs)
    assert errors["paper"] / errors["corrected"] == pytest.approx(share, rel=0.12)
    assert errors["bootstrap"] / errors["corrected"] == pytest.approx(1, rel=0.12)


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
@pytest.mark.slow_cases("sign")
def test_cannot_tell_is_when_no_outcome_could(test: str) -> None:
    """Two-sided the smallest p of n problems is 2/2ⁿ: 0.0625 for 5, 0.03125 for 6, 0.0078 for 8 and 0.0039 for 9."""
    mixed = np.array([1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0, 9.0])
    for n, alpha, verdict in ((5, 0.05, "cannot tell"), (6, 0.05, "no difference shown"), (8, 0.005, "cannot tell"),
                              (9, 0.005, "no difference shown")):  # fmt: skip
        found = of_phis(mixed[:n], test=test, alpha=alpha)
        assert found.pair.verdict == verdict
        assert ("out-of-reach" in [c.code for c in found.cautions]) == (verdict == "cannot tell")
    rows = np.column_stack([mixed[:6], -mixed[:6], mixed[:6] * 2])
    three = analyse(bo.Scores(rows, better="lower"), ask(test=test), 6)  # 3 · 0.03125 > 0.05
    assert {p.verdict for p in three.pairs} == {"cannot tell"}
