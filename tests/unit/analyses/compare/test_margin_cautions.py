"""When a margin's cautions are there, when they are not, and what they say."""

from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.compare.statistics.cautions import range_of_scales, scales_differ
from bakeoff.analyses.compare.statistics.margins.one_sided import (
    OneSided,
    least_pvalue,
    one_sided_tests,
    unseen_beyond,
    within_margin,
)
from bakeoff.paired.many_pairs import Columns


def codes(found: Any) -> set[str]:
    return {caution.code for caution in found.cautions}


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("size", [1.0, 0.0])
def test_a_mean_beyond_the_margin_is_pointed_out_on_its_side_only(side: int, size: float) -> None:
    """Of a claim of "not worse", and of "practically equal": the mean lies beyond the margin if ``size`` is 1."""
    place = np.arange(30)
    x = np.full(30, 5.0)
    y = x + 0.002 * (-1.0) ** place * (1 + place / 30) + side * np.where(place < 3, size, 0.0)
    found = bo.compare(bo.Scores(np.column_stack([x, y]), ["x", "y"], better="lower"), margin=0.01)
    assert (found.pairs[0].verdict, found.pairs[0].test) == ("practically equal", "wilcoxon")
    assert ("margin-of-the-median" in codes(found)) == (size == 1.0)


def test_a_difference_in_units_of_the_scores_says_nothing_of_a_margin_in_percent() -> None:
    """Scores of 5000 that differ by .1 %, which is 5."""
    y = 5000.0 * (1.001 + 0.0001 * np.sin(np.arange(30)))
    found = bo.compare(bo.Scores(np.column_stack([np.full(30, 5000.0), y]), better="lower"), margin="1%", alpha=0.01)
    claims = [found.pairs[0].adjusted_a_not_worse, found.pairs[0].adjusted_b_not_worse]
    assert max(claim if claim is not None else 1.0 for claim in claims) < 0.01


def test_many_pairs_need_more_problems_that_differ_and_more_unseen() -> None:
    """45 independent pairs of 30 problems were wrong in 12 % of tables at the margin, where one more unseen problem was
    added for four times the pairs, and 15 that differ were enough."""
    assert [unseen_beyond(0.05 / m, 40) for m in (1, 4, 9, 15, 45)] == [2, 3, 5, 5, 7]
    assert [unseen_beyond(0.05 / m, 60) for m in (1, 4, 9, 15, 45)] == [2, 3, 4, 4, 5]
    d = np.where(np.arange(40) < 16, 0.1 + np.arange(40) / 1000, 0.0)
    columns = Columns(costs=np.stack([np.zeros(40), d]), scales=np.ones((2, 40)))
    least, most = (one_sided_tests(columns, [(0, 1)], 5.0, "t", 0.05 / m)[0].equal for m in (3, 4))
    assert least < 1e-6
    assert most == 1.0
    rng = np.random.default_rng(1)
    costs = np.c_[np.zeros(40), np.where(np.arange(40)[:, None] < 16, rng.uniform(0.1, 0.2, (40, 4)), 0.0)]
    few = bo.compare(bo.Scores(costs, better="lower"), control=0, margin=5.0)
    (text,) = [caution.text for caution in few.cautions if caution.name == "too-few (margin-differences)"]
    assert "fewer than 18 others" in text
    assert "too-few" not in codes(bo.compare(bo.Scores(costs[:, :4], better="lower"), control=0, margin=5.0))


@pytest.mark.parametrize("side", [1, -1])
def test_a_claim_of_one_side_may_be_contradicted_too(side: int) -> None:
    """By signed ranks x is not worse (side 1): it is better 27 times by a little, and worse three times by much."""
    y = 5.0 + side * np.where(np.arange(30) < 3, -1.0, 0.05 + 0.001 * np.arange(30))
    found = bo.compare(bo.Scores(np.column_stack([np.full(30, 5.0), y]), ["x", "y"], better="lower"), margin=0.01)
    (pair,) = found.pairs
    shown = [(p or 0.0) <= 0.05 for p in (pair.adjusted_a_not_worse, pair.adjusted_b_not_worse)]
    assert shown == [side == 1, side == -1]
    assert "margin-of-the-median" in codes(found)


@pytest.mark.parametrize("turned", [False, True])
def test_a_p_equal_to_alpha_shows_it(turned: bool) -> None:
    """The smallest p of four problems is 1/16: of both sides, and of one."""
    table = np.array([[1.0, 1.01], [2.0, 1.99], [3.0, 3.02], [4.0, 3.97]])
    far = np.column_stack([table[:, 0], table[:, 0] + [0.2, 0.3, -0.05, 0.4]])
    for values, verdict in ((table, "practically equal"), (far, "b not worse" if turned else "a not worse")):
        scores = bo.Scores(values[:, ::-1] if turned else values, better="lower")
        found = bo.compare(scores, margin=0.1, alpha=0.0625, pairwise="wilcoxon")
        assert found.pairs[0].verdict == verdict


def test_no_interval_of_four_problems_reaches_its_level() -> None:
    level = np.array([0.1, 0.2, 0.3, 0.4])
    few = bo.equivalence(level, [0.101, 0.202, 0.299, 0.403], margin=0.01, better="lower")
    assert codes(few) == {"out-of-reach", "interval-below-level"}
    (text,) = (caution.text for caution in few.cautions if caution.code == "interval-below-level")
    assert "0.9" in text
    five = bo.equivalence([*level, 0.5], [*level + 0.001, 0.502], margin=0.01, better="lower")
    assert codes(five) == set()  # 1 − 2/2⁵ = 0.9375


@pytest.mark.parametrize(
    ("k", "said"), [(2, "is 0.0625, above α"), (3, "is 0.0625, times 3 for as many pairs, above α = 0.05")]
)
def test_the_smallest_p_of_a_margin_counts_the_pairs(k: int, said: str) -> None:
    values = np.random.default_rng(0).normal(size=(4, k))
    found = bo.compare(bo.Scores(values, better="lower"), margin=0.5, pairwise="wilcoxon")
    (text,) = (caution.text for caution in found.cautions if caution.name == "out-of-reach (margin)")
    assert said in text


def test_a_few_problems_carry_a_mean_though_none_is_tied() -> None:
    """39 differences of .06 and 5 of 1: "smaller than the margin of .26" stood beside a mean without an interval."""
    level = np.arange(44.0)
    y = level + np.where(np.arange(44) < 5, 1.0, 0.06)
    for options in ({}, {"pairwise": "t"}):
        found = bo.compare(bo.Scores(np.c_[level, y], better="lower"), margin=0.26, **options)  # type: ignore[arg-type]
        assert (found.pairs[0].p_equal, "too-few" in codes(found)) == (1.0, True)
    y = level + np.r_[np.full(24, 0.06), np.linspace(0.0, 0.3, 20)]
    steady = bo.compare(bo.Scores(np.c_[level, y], better="lower"), margin=1.0)
    assert "too-few" not in codes(steady)


def test_more_pairs_allow_for_more_that_was_not_seen() -> None:
    """The p-value of a pair grows with the pairs beside it: each may err less often."""
    d = np.r_[np.zeros(20), np.tile([0.5, 1.0, -0.5, -1.0], 10)]
    two = bo.compare(bo.Scores(np.c_[0 * d, d], better="lower"), margin=0.6)
    four = bo.compare(bo.Scores(np.c_[0 * d, d, d + 3, d + 9], better="lower"), margin=0.6, control=0)
    assert 0 < (two.pairs[0].p_equal or 0) < (four.pairs[0].p_equal or 0) < 1
    alone = bo.equivalence(bo.Scores(np.c_[0 * d, d], better="lower"), 0, 1, margin=0.6, test="t", alpha=0.05 / 3)
    assert alone.pvalue == pytest.approx(four.pairs[0].p_equal)


def test_equivalence_of_means_says_what_compare_says_of_means() -> None:
    rng = np.random.default_rng(5)
    level, long = rng.normal(size=40), rng.lognormal(0, 2, 40)
    asked = {"margin": 3.0, "test": "t", "better": "lower"}
    assert codes(bo.equivalence(level, level + long, **asked)) == {"skew"}  # type: ignore[call-overload]
    assert codes(bo.equivalence(level, level + rng.normal(size=40), **asked)) == set()  # type: ignore[call-overload]
    assert codes(bo.equivalence(level[:12], rng.normal(size=12), **asked)) == {"too-few"}  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("n", "test", "least"), [(1, "t", 1.0), (2, "t", 0.0), (1, "wilcoxon", 0.5), (4, "wilcoxon", 1 / 16)]
)
def test_the_least_p_of_one_side(n: int, test: str, least: float) -> None:
    assert least_pvalue(n, test) == least


def test_a_mean_asked_for_is_not_there_because_of_ties() -> None:
    """Untied differences, a few of them large, tested by t."""
    x = np.linspace(4.9, 5.3, 24)
    few_large = 0.02 * np.random.default_rng(1).exponential(0.2, 24) ** 2
    found = bo.equivalence(x, x + few_large, margin=0.05, test="t", better="lower")
    (caution,) = (caution for caution in found.cautions if caution.code == "skew")
    assert caution.text.startswith("Differences of x – y look skewed over problems: t-tests ")
    assert "because of ties" not in caution.text


@pytest.mark.parametrize("side", [1, -1])
def test_an_interval_inside_the_margin_ends_a_tie_below_it(side: int) -> None:
    """Nine differences at the margin, which are dropped, the others below it: scores of 1e6 have digits of 1.9e-9."""
    x = 1e6 + 10.0 * np.arange(16)
    d = np.array([1.0] * 9 + [0.0, -0.25, 0.25, -0.5, 0.5, 0.125, -0.125])
    found = bo.equivalence(x, x + side * d, margin=1.0, better="lower", alpha=0.1)
    assert (found.verdict, found.test) == ("practically equal", "wilcoxon")
    end = found.interval[1] if side == 1 else -found.interval[0]
    assert 1.0 - end == pytest.approx(16 * np.spacing(1e6), rel=1e-3)


@pytest.mark.parametrize(("ranges", "decades"), [([1.0], 0.0), ([1.0, 1000.0], 2.4), ([5.0, 5.0, 5.0], 0.0)])
def test_two_problems_have_a_range_of_scales(ranges: list[float], decades: float) -> None:
    """The 10th and the 90th percentile of two lie a tenth of the way inside: 0.8 of three decades."""
    scores = bo.Scores([[0.0, size, size / 2] for size in ranges], better="lower")
    assert range_of_scales(scores.values) == pytest.approx(decades, abs=1e-12)
    assert bool(scales_differ(scores.values, "wilcoxon")) == (decades > 2)


@pytest.mark.parametrize(
    ("a", "b", "estimate", "kept"),
    [
        (0.2, 0.01, 0.9, (0.2, 0.01)),
        (0.2, 0.01, 1.0, (0.2, 1.0)),
        (0.2, 0.6, 2.0, (0.2, 0.6)),
        (0.01, 0.2, -1.0, (1.0, 0.2)),
        (0.6, 0.2, -2.0, (0.6, 0.2)),
    ],
)
def test_nothing_is_shown_on_the_side_of_an_estimate_at_the_margin(
    a: float, b: float, estimate: float, kept: tuple[float, float]
) -> None:
    found = within_margin(OneSided(a=a, b=b, log_a=np.log(a), log_b=np.log(b)), estimate, 1.0)
    assert (found.a, found.b) == kept
    assert (found.log_a, found.log_b) == pytest.approx(np.log(kept), abs=1e-15)


def test_a_margin_in_percent_beside_effects_in_percent() -> None:
    """0.1 % more, of a margin of 1 %: the estimate lies within, and the claim stands."""
    x, noise = np.full(30, 5000.0), np.random.default_rng(0).normal(size=(2, 30))
    scores = bo.Scores(np.column_stack([x + noise[0], 1.001 * x + noise[1]]), better="lower")
    (pair,) = bo.compare(scores, margin="1%", effect="percent").pairs
    claims = [pair.adjusted_a_not_worse, pair.adjusted_b_not_worse]
    assert max(claim if claim is not None else 1.0 for claim in claims) < 1e-6


def exponential(seed: int, n: int = 30) -> bo.Scores:
    """The second worse by exponential differences of mean 1."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=n)
    return bo.Scores(np.column_stack([base, base + rng.exponential(1, n)]), list("xy"), better="lower")


@pytest.mark.parametrize(("n", "seen"), [(15, 0.6), (30, 0.9)])
def test_a_claim_of_signed_ranks_about_skewed_differences_is_cautioned(n: int, seen: float) -> None:
    """ "Not worse by 1" is false of the mean in a fifth of such tables; about the typical difference it is true."""
    claimed = cautioned = 0
    for seed in range(60):
        scores = exponential(seed, n)
        pair = (found := bo.compare(scores, margin=1)).pairs[0]
        same = bo.equivalence(scores, "x", "y", 1)
        assert codes(same) & MEAN_UNSAID == codes(found) & MEAN_UNSAID
        if pair.p_b_not_worse is not None and pair.p_b_not_worse <= 0.05:
            claimed, cautioned = claimed + 1, cautioned + bool(codes(found) & MEAN_UNSAID)
            assert "typical difference (Hodges–Lehmann)" in found.verdict
    assert claimed >= 4
    assert cautioned >= seen * claimed


MEAN_UNSAID = {"skew", "margin-of-the-median"}


def test_symmetric_differences_and_tables_without_a_claim_are_not() -> None:
    rng = np.random.default_rng(1)
    scores = bo.Scores(rng.normal(size=(30, 2)), better="lower")
    assert bo.compare(scores, margin=1).pairs[0].adjusted_equal is not None
    assert not codes(bo.compare(scores, margin=1)) & MEAN_UNSAID
    assert not codes(bo.compare(exponential(0), margin=0.001)) & {"margin-of-the-median"}


@pytest.mark.parametrize(
    ("scores", "options", "test"),
    [
        (exponential(1), {}, "wilcoxon"),
        (exponential(1), {"pairwise": "t"}, "t"),
        (bo.Scores(np.tile([[1.0, 1.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], (10, 1)), better="higher"), {}, "share"),
    ],
)
def test_the_verdict_names_the_centre_that_was_tested(scores: bo.Scores, options: dict[str, Any], test: str) -> None:
    found = bo.compare(scores, margin=0.9, **options)
    assert found.margin is not None
    assert found.margin.tests == (test,)
    names = {"wilcoxon": "Hodges–Lehmann", "t": "mean difference", "share": "difference of shares"}
    claimed = bo.compare(scores, margin=0.9 if test == "share" else 30, **options).verdict
    assert names[test] in claimed
    assert not any(name in claimed.partition("). ")[2] for key, name in names.items() if key != test)
