"""A margin of scores of two values, and of means: no claim from agreement alone, none against the effect shown."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.errors import ParameterError, ScoreError

WON = np.r_[np.ones(10), np.zeros(90)]


def table(*columns: object, better: str = "higher") -> bo.Scores:
    return bo.Scores(np.column_stack(columns).astype(float), better=better)  # type: ignore[arg-type,call-overload]


def shares(n: int, a: float, b: float, seed: int, top: float = 1.0) -> bo.Scores:
    rng = np.random.default_rng(seed)
    return table(*(top * (rng.random(n) < share) for share in (a, b)))


@pytest.mark.parametrize("options", [{}, {"pairwise": "t"}, {"pairwise": "mcnemar"}])
def test_twenty_agreements_exclude_nothing_of_5_points(options: dict[str, str]) -> None:
    """It said "practically equal (p < 10⁻³⁰⁰)"."""
    one = table([1] * 20, [1] * 20)
    two = table([1] * 20, [1] * 20, [1] * 19 + [0])
    for scores in (one, two):
        result = bo.compare(scores, margin=0.05, **options)  # type: ignore[arg-type]
        assert (result.pairs[0].p_equal or 0) > 0.3
        assert result.pairs[0].verdict in ("no difference shown", "cannot tell")
    assert "no-variation" in {c.code for c in bo.compare(one, margin=0.05, **options).cautions}  # type: ignore[arg-type]


@pytest.mark.parametrize("top", [1.0, 100.0, 7.5])
@pytest.mark.parametrize("options", [{}, {"pairwise": "t"}])
def test_ten_points_are_not_smaller_than_five(top: float, options: dict[str, str]) -> None:
    """It said "better by 10" and "smaller than the margin of 5 (p = 1.06×10⁻¹⁰)"."""
    result = bo.compare(table(top * WON, 0 * WON), margin=0.05 * top, **options)  # type: ignore[arg-type]
    assert (result.pairs[0].adjusted_equal or 0.0) > 0.9
    assert "smaller than" not in result.verdict
    assert result.margin is not None
    assert result.margin.tests == ("share",)
    assert bo.verify(result).ok


def test_the_names_of_the_two_values_do_not_matter() -> None:
    found = [bo.compare(shares(60, 0.8, 0.7, 1, top), margin=0.1 * top).pairs[0] for top in (1.0, 100.0)]
    assert found[0].p_equal == pytest.approx(found[1].p_equal)
    assert found[0].effect is not None
    assert found[1].effect is not None
    assert (found[0].effect.kind, found[1].effect.kind) == ("share", "share")
    assert 100.0 * found[0].effect.low == pytest.approx(found[1].effect.low)


@pytest.mark.parametrize("cost", [2.6, 2.0, 0.5])
def test_the_cost_of_the_only_failure_is_no_scale(cost: float) -> None:
    """(0, cost) was taken for wrong and right: an interval of −0.2 to 0.4 where failures cost 10 and come on a tenth of
    the problems held their mean of 1 in no table with one failure, and a margin of 1 was "shown"."""
    found = bo.compare(bo.Scores(np.c_[np.zeros(30), np.r_[cost, np.zeros(29)]], better="lower"), margin=0.4)
    (pair,) = found.pairs
    assert pair.effect is not None
    assert (pair.effect.kind, pair.effect.low, pair.effect.high) == ("mean", -math.inf, math.inf)
    assert pair.p_equal == 1.0
    assert {"too-few"} <= {caution.code for caution in found.cautions}
    assert bo.verify(found).ok


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.0, 100.0), (-1.0, 1.0)])
def test_one_wrong_answer_among_right_ones_is_an_answer(low: float, high: float) -> None:
    values = np.full((30, 2), high)
    values[0, 1] = low
    (pair,) = bo.compare(bo.Scores(values, better="higher")).pairs
    assert pair.effect is not None
    assert pair.effect.kind == "share"


def test_a_table_of_one_value_says_nothing_of_its_scale() -> None:
    """It had an interval of ±0.11, as if scores were 0 or 1."""
    (pair,) = bo.compare(bo.Scores(np.zeros((30, 2)), better="lower")).pairs
    assert pair.effect is not None
    assert (pair.effect.estimate, pair.effect.low, pair.effect.high) == (0.0, -math.inf, math.inf)


def test_two_that_never_fail_beside_others_are_no_right_answers() -> None:
    """Two columns of zeros in a table of costs."""
    costs = np.where(np.arange(60) % 3 == 0, np.arange(60) + 0.5, 0.0)
    found = bo.compare(bo.Scores(np.c_[np.zeros((60, 2)), costs], better="lower"))
    first = found.pairs[0]
    assert (first.a, first.b) == ("A1", "A2")
    assert first.effect is not None
    assert (first.effect.kind, first.effect.high) == ("mean", math.inf)


def test_a_percentage_measures_the_quotient_of_the_two_values() -> None:
    values = 1.0 + shares(60, 0.8, 0.7, 1).values
    one, ten = (bo.compare(bo.Scores(x, better="higher"), margin="10%").pairs[0] for x in (values, 10.0 * values))
    assert one.p_equal == pytest.approx(ten.p_equal)


def test_points_are_not_called_a_share() -> None:
    assert "on average by 10 (95 % interval" in bo.compare(table(100 * WON, 0 * WON)).verdict
    assert "by a share of 0.1 (95 % interval" in bo.compare(table(WON, 0 * WON)).verdict


def test_equivalence_is_compare() -> None:
    scores = shares(80, 0.9, 0.85, 3)
    for test in ("wilcoxon", "t"):
        alone = bo.equivalence(scores, 0, 1, 0.15, test)  # type: ignore[arg-type]
        assert alone.pvalue == bo.compare(scores, margin=0.15, pairwise=test).pairs[0].p_equal
        assert alone.test == "share"
        assert (alone.interval[0] > -0.15 and alone.interval[1] < 0.15) == (alone.pvalue <= 0.05)


@pytest.mark.slow
def test_shares_that_are_equal_are_found_equal() -> None:
    for n, least in ((400, 7), (1000, 10)):
        found = [bo.compare(shares(n, 0.9, 0.9, seed), margin=0.07, pairwise="t").pairs[0] for seed in range(10)]
        assert sum(pair.verdict == "practically equal" for pair in found) >= least


@pytest.mark.slow
def test_clusters_are_no_single_answers() -> None:
    rng = np.random.default_rng(5)
    scores = bo.Scores(
        (rng.random((200, 2)) < 0.9).astype(float), better="higher", clusters=np.repeat(np.arange(40), 5)
    )
    result = bo.compare(scores, margin=0.1)
    assert result.margin is not None
    assert "share" not in result.margin.tests
    alone = bo.compare(scores, margin=0.1, unit="problem")
    assert alone.margin is not None
    assert alone.margin.tests == ("share",)


def test_many_ties_are_tested_by_the_mean_that_is_shown() -> None:
    """Grades 10 points apart: "smaller than the margin of 5" in 97 % of tables by signed ranks."""
    rng = np.random.default_rng(2)
    grade = rng.choice([0.5, 1.0], 200)
    new = np.where(rng.random(200) < 0.2, grade - 0.5, grade)
    result = bo.compare(table(grade, new), margin=0.05)
    assert result.margin is not None
    assert result.margin.tests == ("t",)
    assert (result.pairs[0].adjusted_equal or 0.0) > 0.9
    assert "t-tests of each pair against the margin" in " ".join(str(report.render(result, "md")).split())


def test_few_problems_carry_no_claim_of_a_mean() -> None:
    rng = np.random.default_rng(4)
    cost = np.where(rng.random(60) < 0.1, rng.exponential(10, 60), 0.0) + 0.1
    for options in ({}, {"pairwise": "t"}):
        result = bo.compare(table(np.full(60, 0.1), cost, better="lower"), margin=10, **options)  # type: ignore[arg-type]
        assert result.pairs[0].p_equal == 1.0
        assert "too-few (margin-differences)" in {c.name for c in result.cautions}
    steady = bo.compare(table(rng.normal(size=60), rng.normal(size=60)), margin=10)
    assert "too-few (margin-differences)" not in {c.name for c in steady.cautions}


def test_the_analysis_of_variance_shows_means_and_tests_them() -> None:
    """80 problems 3 apart and 20 that are 50 apart: better by 12.4 on average, and "smaller than the margin of 5"."""
    rng = np.random.default_rng(6)
    level, apart = rng.random(100), np.r_[np.full(80, 3.0), np.full(20, 50.0)] + rng.random(100)
    result = bo.compare(table(level + apart, level), margin=5, omnibus="anova")
    assert result.margin is not None
    assert result.margin.tests == ("t",)
    assert "smaller than" not in result.verdict


def test_no_claim_against_the_estimate() -> None:
    """22 of 30 problems exactly at the margin are dropped by signed ranks; the other eight lie below it."""
    level = np.linspace(0, 1, 30)
    apart = np.r_[np.full(22, 5.0), np.linspace(1, 4, 8)]
    result = bo.compare(table(level + apart, level), margin=5)
    effect = result.pairs[0].effect
    assert effect is not None
    assert effect.estimate == pytest.approx(5.0)
    assert result.pairs[0].adjusted_equal == 1.0


# --- no report contradicts itself -----------------------------------------------------------------------------------


def drawn(rng: np.random.Generator, n: int, k: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """A table of a random kind: two values, grades, ties, skew, costs, modes, decimals, normal, constant distances."""
    kind = rng.integers(0, 9)
    shift = rng.choice([0.0, 0.05, 0.2], k)
    if kind == 0:
        low, high = rng.choice([0.0, 1.0, -1.0]), rng.choice([2.0, 100.0])
        return np.where(rng.random((n, k)) < rng.choice([0.5, 0.9, 0.97, 1.0], k), high, low)
    if kind == 1:
        return rng.choice([0.0, 0.5, 1.0], (n, 1), p=[0.1, 0.2, 0.7]) * (rng.random((n, k)) > shift)
    if kind == 2:
        return np.round(rng.normal(0, 1, (n, 1)) + rng.normal(0, 0.4, (n, k)) + 3 * shift)
    if kind == 3:
        return np.exp(rng.normal(0, 1, (n, 1))) + np.where(rng.random((n, k)) < 0.15, rng.exponential(3, (n, k)), 0.0)
    if kind == 4:
        return rng.exponential(1, (n, 1)) + rng.lognormal(0, 1.5, (n, k)) * (1 + shift)
    if kind == 5:
        return rng.random((n, 1)) + np.where(rng.random((n, k)) < 0.2, 5.0, 0.3) * shift
    if kind == 6:
        return np.round(1 + rng.random((n, 1)) + rng.choice([-0.1, 0.0, 0.1], (n, k)), 1)
    if kind == 7:
        return np.round(1 + rng.random((n, 1)), 1) + rng.choice([0.0, 0.3], k)
    return rng.normal(5, 1, (n, 1)) + rng.normal(0, 0.3, (n, k)) + shift


def contradiction(seed: int) -> str:
    """What a report of a random table says twice; empty where it does not."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(6, 60)), int(rng.choice([2, 2, 3]))
    values = drawn(rng, n, k)
    clusters = rng.integers(0, max(3, n // 3), n) if rng.random() < 0.2 else None
    scores = bo.Scores(values, better=str(rng.choice(["lower", "higher"])), clusters=clusters)  # type: ignore[call-overload]
    spread = float(np.abs(values[:, 0] - values[:, 1]).mean()) or 1.0
    relative = bool((values > 0).all()) and rng.random() < 0.3
    margin: float | str = f"{rng.choice([1, 5, 20])}%" if relative else float(f"{spread * rng.choice([0.3, 1, 3]):.2g}")
    tests = ["wilcoxon", "t", "t", "sign", "mcnemar"]  # the last two only of two values
    options = {"pairwise": str(rng.choice(tests))} if rng.random() < 0.7 else {"omnibus": "anova"}
    if options == {"omnibus": "anova"} and rng.random() < 0.3:
        options["posthoc"] = "tukey"
    if relative and rng.random() < 0.5:
        options["effect"] = "percent"
    if rng.random() < 0.3 and "posthoc" not in options:
        options["control"] = scores.algorithms[0]
    try:
        result = bo.compare(scores, margin=margin, **options)  # type: ignore[arg-type]
    except ParameterError as error:
        return "" if error.parameter in ("margin", "pairwise") else str(error)
    except ScoreError:
        assert options["pairwise"] == "mcnemar"
        return ""
    assert result.margin is not None
    limit = result.margin.value
    for pair in result.pairs:
        small = pair.adjusted_equal is not None and pair.adjusted_equal <= result.alpha
        if small and pair.effect is not None and pair.effect.scale in ("percent", result.margin.scale):
            size = abs(pair.effect.estimate)
            size = abs(np.log1p(pair.effect.estimate / 100.0)) if pair.effect.scale == "percent" else size
            if size >= limit or (pair.effect.kind == "mean" and math.isinf(pair.effect.low)):
                return f"{seed}: {pair.a} {pair.b} {pair.effect} {pair.verdict}, margin {margin}"
        worse = {"a not worse": -1.0, "b not worse": 1.0}.get(pair.verdict)
        comparable = worse and pair.effect is not None and pair.effect.scale == result.margin.scale
        if comparable and worse * pair.effect.estimate >= limit:
            return f"{seed}: {pair.a} {pair.b} {pair.effect} {pair.verdict}, margin {margin}"
        if pair.pvalue == 0.0 or pair.p_equal == 0.0:
            return f"{seed}: {pair.a} {pair.b} p {pair.pvalue}, {pair.p_equal}"
    for kind in ("txt", "md"):
        said = re.search(
            r"by (?:a share of )?(−?[\d.]+)\b[^.]*\. The difference is smaller", report.render(result, kind)
        )
        if said and not relative and float(said[1]) >= limit * (1 + 1e-9):
            return f"{seed}: {said[0]}, margin {margin}"
    return ""


@pytest.mark.slow
def test_no_report_contradicts_itself() -> None:
    assert [said for seed in range(100) if (said := contradiction(seed))] == []


@pytest.mark.exhaustive
def test_no_report_of_thousands_contradicts_itself() -> None:
    assert [said for seed in range(1000, 4000) if (said := contradiction(seed))] == []
