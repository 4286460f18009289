"""Effects and intervals of compare(): the effect follows the test and the ties; no verdict narrows an interval."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.compare.reporting import effects
from bakeoff.analyses.compare.statistics.results import Interval
from bakeoff.paired.shares import share_difference

WON = ("a better", "b better")


def tables(seed: int, kind: str) -> bo.Scores:
    rng = np.random.default_rng([seed, len(kind)])
    n, k = int(rng.integers(6, 30)), int(rng.integers(2, 5))
    shift = rng.normal(size=k) * rng.choice([0.0, 0.7])
    x = rng.normal(size=(n, k)) + shift
    x = {
        "normal": x,
        "tenths": np.round(x, 1),
        "whole": np.round(x),
        "right or wrong": (x > 0).astype(float),
        "skewed": rng.exponential(size=(n, k)) ** 2 * np.exp(shift),
        "failures": np.where(rng.random((n, k)) < 0.05, np.inf, x),
    }[kind]
    return bo.Scores(x, better="lower")


CALLS: tuple[dict[str, Any], ...] = (
    {},
    {"control": 0},
    {"pairwise": "sign"},
    {"pairwise": "sign-without-ties", "posthoc": "hommel"},
    {"pairwise": "mean-ranks"},
    {"pairwise": "t", "posthoc": "holm"},
    {"posthoc": "fdr-bh", "control": 0},
    {"effect": "a12"},
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "tenths", "whole", "right or wrong", "skewed", "failures"])
def test_intervals_agree_with_verdicts(kind: str) -> None:
    """0 (of A12: one half) lies outside only where a difference is declared; never a width of 0."""
    for seed in range(4):
        s = tables(seed, kind)
        for options in CALLS:
            if kind == "failures" and options.get("pairwise") == "t":
                continue
            for p in bo.compare(s, **options).pairs:
                if p.effect is None:
                    continue
                assert p.interval is not None
                null = 0.5 if options.get("effect") == "a12" else 0.0
                assert p.interval.low <= null <= p.interval.high or p.verdict in WON, (options, p)
                assert p.interval.low <= p.effect.estimate <= p.interval.high
                assert p.interval.low < p.interval.high
                assert p.interval.low <= p.effect.low
                assert p.interval.high >= p.effect.high


@pytest.mark.slow
def test_right_and_wrong_answers_have_a_difference_of_shares() -> None:
    """U-A1, simulated as described: 800 answers of three models; the effect was 0 [0, 0] beside 'better'."""
    rng = np.random.default_rng(1)
    s = bo.Scores((rng.random((800, 3)) < [0.6825, 0.6725, 0.5625]).astype(float), list("gmx"), better="higher")
    result = bo.compare(s)
    assert result.means == pytest.approx(s.values.mean(axis=0), abs=1e-15)
    pair = result.pairs[1]
    assert pair.verdict == "a better"
    assert pair.effect is not None
    assert pair.interval is not None
    assert pair.effect.kind == "share"
    assert pair.effect.estimate == pytest.approx(result.means[0] - result.means[2], abs=1e-15)
    assert 0.0 < pair.interval.low < pair.effect.low < pair.effect.estimate < pair.effect.high < pair.interval.high
    report = result.to_dict()
    assert report["means"]["g"] == result.means[0]
    assert report["pairs"][1]["interval"]["low"] == pair.interval.low


def test_tango_as_published() -> None:
    """Fagerland, Lydersen & Laake (2014), Statistics in Medicine 33, 2850: 1, 1, 7, 12; −0.517 to −0.026."""
    estimate, low, high = share_difference(1, 7, 21, 0.95)
    assert (round(estimate, 3), round(low, 3), round(high, 3)) == (-0.286, -0.517, -0.026)
    estimate, low, high = share_difference(0, 0, 30, 0.95)
    z = 1.959963984540054
    assert (low, high) == pytest.approx((-z * z / (30 + z * z), z * z / (30 + z * z)), abs=1e-11)


@pytest.mark.slow
def test_tango_is_the_score_test_inverted() -> None:
    """Slow twin: the restricted maximum likelihood by search, |z| at both ends equal to the quantile."""
    rng = np.random.default_rng(8)
    for _ in range(40):
        n = int(rng.integers(5, 60))
        b, c, ties = rng.multinomial(n, rng.dirichlet([1, 1, 2])).tolist()
        _, low, high = share_difference(b, c, n, 0.95)
        for end in (low, high):
            if abs(end) > 1 - 1e-6:
                continue
            grid = np.linspace(max(0.0, -end), (1 - end) / 2, 200_001)[1:-1]  # the share lost, given the difference
            with np.errstate(divide="ignore", invalid="ignore"):
                likelihood = (
                    b * np.log(grid + end) + c * np.log(grid) + (ties * np.log(1 - 2 * grid - end) if ties else 0.0)
                )
            if b == 0 or c == 0:
                continue  # the maximum may lie on the edge of the grid
            q = grid[np.nanargmax(likelihood)]
            z = (b - c - n * end) / math.sqrt(n * (2 * q + end * (1 - end)))
            assert abs(z) == pytest.approx(1.96, abs=2e-3)


def test_the_effect_follows_the_test() -> None:
    rng = np.random.default_rng(2)
    s = bo.Scores(rng.normal(size=(20, 3)), better="lower")
    for options, kind in (
        ({}, "hodges-lehmann"),
        ({"pairwise": "mean-ranks"}, "hodges-lehmann"),
        ({"pairwise": "sign"}, "median"),
        ({"pairwise": "t"}, "mean"),
        ({"omnibus": "anova"}, "mean"),
        ({"effect": "a12"}, "a12"),
    ):
        assert {p.effect.kind for p in bo.compare(s, **options).pairs if p.effect} == {kind}, options
    for digits, kind in ((1, "hodges-lehmann"), (0, "mean")):  # a few ties; more than a fifth
        pair = bo.compare(bo.Scores(np.round(s.values[:, :2], digits), better="lower")).pairs[0]
        assert (pair.ties / 20 > 0.2) == (kind == "mean")
        assert pair.effect is not None
        assert pair.effect.kind == kind


@pytest.mark.slow
def test_mean_and_tukey_intervals_are_those_of_the_tests() -> None:
    rng = np.random.default_rng(4)
    s = bo.Scores(rng.normal(size=(12, 4)) + np.array([0, 0.5, 1, 2]), better="lower")
    each = 1 - 0.05 / 6
    for p in bo.compare(s, pairwise="t", posthoc="bonferroni").pairs:
        single, joint = bo.paired_t(s, p.a, p.b), bo.paired_t(s, p.a, p.b, confidence_level=each)
        assert p.effect is not None
        assert p.interval is not None
        assert (p.effect.estimate, p.effect.low, p.effect.high) == (single.estimate, single.low, single.high)
        assert (p.interval.low, p.interval.high) == pytest.approx((joint.low, joint.high), rel=1e-12)
        assert not p.interval.at_verdict
    tukey = bo.tukey(s)
    for p in bo.compare(s, omnibus="anova", posthoc="tukey").pairs:
        i, j = s.index(p.a), s.index(p.b)
        assert p.interval is not None
        assert (p.interval.low, p.interval.high) == (tukey.low[i, j], tukey.high[i, j])
        assert not p.interval.at_verdict  # the test's own: nothing to set


def test_intervals_on_other_scales() -> None:
    rng = np.random.default_rng(5)
    x = np.exp(rng.normal(size=(25, 2)) * 0.2 + np.arange(25)[:, None]) * np.array([1.0, 1.5])
    s = bo.Scores(x, ["fast", "slow"], better="lower")
    logs = bo.compare(s, effect="log-ratio").pairs[0]
    percent = bo.compare(s, effect="percent").pairs[0]
    assert logs.effect is not None
    assert percent.effect is not None
    expected = bo.hodges_lehmann(bo.Scores(np.log(x), better="lower"), 0, 1)
    assert logs.effect.estimate == pytest.approx(expected.estimate, abs=1e-12)
    assert percent.effect.estimate == pytest.approx(100 * math.expm1(expected.estimate), rel=1e-12)
    assert 30 < percent.effect.estimate < 70  # the slow one takes half as much again
    turned = percent.effect.turned
    assert turned.estimate == pytest.approx(100 * math.expm1(-expected.estimate), rel=1e-12)
    assert turned.turned.low == pytest.approx(percent.effect.low, rel=1e-12)
    wins = bo.compare(s, effect="a12").pairs[0]
    assert wins.effect is not None
    assert wins.effect.estimate == bo.a12(s, 0, 1).estimate
    runs = bo.Scores(rng.normal(size=(12, 2, 5)) + np.array([[[0], [0.5]]]), better="lower")
    many = bo.compare(runs, effect="a12").pairs[0]
    assert many.effect is not None
    assert many.effect.estimate == pytest.approx(bo.a12(runs, 0, 1).estimate, abs=1e-15)
    for name in ("percent", "log-ratio"):
        with pytest.raises(bo.BakeoffError, match=f"effect '{name}' needs scores above 0.*'P1'.*'A2' is -1"):
            bo.compare(bo.Scores([[1.0, -1.0], [2.0, 3.0]], better="lower"), effect=name)  # type: ignore[arg-type]
    with pytest.raises(bo.BakeoffError, match="intervals must be one of 'simultaneous', 'single'"):
        bo.compare(s, intervals="both")  # type: ignore[arg-type]


def test_single_intervals_on_request() -> None:
    s = bo.datasets.load("garcia_2010")
    one = bo.compare(s, intervals="single")
    for p in one.pairs:
        assert p.effect is not None
        assert p.interval is not None
        assert (p.interval.low, p.interval.high) == (p.effect.low, p.effect.high)
        hl = bo.hodges_lehmann(s, p.a, p.b)
        assert (p.effect.low, p.effect.high) == (hl.low, hl.high)
    assert "each by itself, not adjusted for multiplicity" in effects.legend(one, "the first")
    both = bo.compare(s)
    assert "simultaneous over all 6 pairs (Bonferroni, each 99.17 %)" in effects.legend(both, "the first")
    assert [p.effect for p in both.pairs] == [p.effect for p in one.pairs]


def test_an_interval_is_bonferronis_whatever_a_stepwise_verdict_says() -> None:
    """Five of six pairs differ by Bergmann–Hommel, not all by Bonferroni: these are marked."""
    s = bo.datasets.load("garcia_2010")
    result, marked = bo.compare(s), 0
    for p in result.pairs:
        assert p.interval is not None
        alone = bo.hodges_lehmann(s, p.a, p.b, confidence_level=1 - 0.05 / 6)
        assert (p.interval.low, p.interval.high) == (alone.low, alone.high)
        beyond = p.verdict in WON and alone.low <= 0 <= alone.high
        assert effects.written(p, "hodges-lehmann").endswith("]*") == beyond
        marked += beyond
    assert marked == 1
    assert "“*”: the interval includes no difference; the test, which decides, excludes it." in effects.legend(
        result, "the first"
    )


def test_no_mark_where_intervals_say_what_the_verdicts_say() -> None:
    assert "*" not in effects.legend(bo.compare(bo.datasets.load("garcia_2010"), posthoc="bonferroni"), "the first")


def test_few_problems_leave_simultaneous_intervals_unbounded() -> None:
    rng = np.random.default_rng(6)
    result = bo.compare(bo.Scores(rng.normal(size=(6, 4)), better="lower"))
    assert [c.code for c in result.cautions if c.code.startswith("interval")] == ["interval-below-level"]
    for p in result.pairs:
        assert p.interval is not None
        assert (p.interval.low, p.interval.high) == (-math.inf, math.inf)
        assert p.effect is not None
        assert p.effect.confidence_level == 0.95
    assert result.to_dict()["pairs"][0]["interval"]["low"] is None


def test_one_infinite_difference_leaves_an_effect() -> None:
    """U-B6: only inf − inf is undefined."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=(20, 2)) + np.array([0.0, 3.0])
    x[4, 1] = np.inf
    pair = bo.compare(bo.Scores(x, better="lower")).pairs[0]
    assert pair.effect is not None
    assert pair.effect.estimate == bo.hodges_lehmann(bo.Scores(x, better="lower"), 0, 1).estimate
    x[4, 0] = np.inf
    assert bo.compare(bo.Scores(x, better="lower")).pairs[0].effect is None


def test_an_end_of_the_test_itself_at_no_difference_is_printed_as_such() -> None:
    """Shifts as near to 0 as can be are not rejected, 0 itself is: not 1.776×10⁻¹⁵."""
    open_end = Interval(low=1.776e-15, high=0.0245, confidence_level=0.95, each_level=0.998)
    assert effects.shown_interval(open_end) == "(0, 0.0245]"
    assert effects.shown_interval(open_end.turned) == "[−0.0245, 0)"


def test_the_level_of_a_single_pair_is_the_one_that_five_problems_reach() -> None:
    five = np.array([[1.0, 1.3], [2.0, 2.1], [3.0, 3.6], [4.0, 4.2], [5.0, 5.7]])
    (pair,) = bo.compare(bo.Scores(five, better="lower")).pairs
    assert pair.interval is not None
    assert (pair.interval.confidence_level, pair.interval.each_level) == (0.9375, 0.9375)  # 1 − 2/2⁵
