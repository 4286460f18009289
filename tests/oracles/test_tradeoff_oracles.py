"""Quality and cost of two algorithms: numbers by SciPy's t-tests, and P(Pareto-optimal) where it is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo

A = np.array([0.81, 0.74, 0.92, 0.66, 0.88, 0.79, 0.71, 0.95, 0.83, 0.77])
B = np.array([0.80, 0.75, 0.91, 0.67, 0.86, 0.80, 0.71, 0.94, 0.84, 0.75])
RATIOS = np.array([1.2, 1.1, 1.3, 1.25, 1.15, 1.2, 1.1, 1.35, 1.2, 1.15])


def quality() -> bo.Scores:
    return bo.Scores(np.column_stack([A, B]), ["a", "b"], better="higher")


def cost() -> bo.Scores:
    return bo.Scores(np.column_stack([np.ones(10), RATIOS]), ["a", "b"], better="lower")


def test_golden_numbers() -> None:
    found = bo.tradeoff({"quality": quality(), "cost": cost()}, {"quality": 0.01, "cost": "5%"})
    pair = found.pair("a", "b")
    assert pair.p_not_worse["quality"] == pytest.approx(0.0047313343, abs=5e-11)
    assert pair.p_better["quality"] == pytest.approx(0.2339349032, abs=5e-11)
    assert pair.p_better["cost"] == pytest.approx(6.92475164e-06, rel=1e-9)
    assert pair.p_better_tradeoff == pytest.approx(0.0047313343, abs=5e-11)
    assert found.position("b").means[1].mean == pytest.approx(1.1975432090, abs=5e-11)
    assert (pair.verdict, found.frontier, found.dominated) == ("a better trade-off", ("a",), ("b",))
    assert found.position("b").dominated_by == ("a",)
    assert found.pair("b", "a").p_better_tradeoff == 1.0


def test_pvalues_by_scipy() -> None:
    found = bo.tradeoff({"quality": quality(), "cost": cost()}, {"quality": 0.01, "cost": "5%"})
    logs = np.log(RATIOS)
    pair, back = found.pair("a", "b"), found.pair("b", "a")
    assert pair.p_not_worse["quality"] == pytest.approx(stats.ttest_1samp(A - B, -0.01, alternative="greater").pvalue)
    assert back.p_better["quality"] == pytest.approx(stats.ttest_1samp(B - A, 0, alternative="greater").pvalue)
    expected = stats.ttest_1samp(logs, -np.log(1.05), alternative="greater").pvalue
    assert pair.p_not_worse["cost"] == pytest.approx(expected)
    in_one = min(1.0, 2 * min(back.p_better.values()))
    assert back.p_better_in_one == in_one
    assert back.p_better_tradeoff == max(*back.p_not_worse.values(), in_one)
    assert pair.adjusted == pytest.approx(2 * pair.p_better_tradeoff)


def test_probability_of_pareto_optimality_of_two_problems() -> None:
    """Two problems: the weight of the first is uniform on (0, 1), and so is the share in which a mean is larger."""
    quality = bo.Scores([[1.0, 0.0], [0.0, 3.0]], ["a", "b"], better="higher")  # a has more where w > 3/4
    cost = bo.Scores([[1.0, 2.0], [2.0, 1.0]], ["a", "b"], better="lower")  # a costs less where w > 1/2
    found = bo.tradeoff({"quality": quality, "cost": cost}, {"quality": 0.1, "cost": 0.1}, n_draws=40_000, rng=1)
    # a is optimal unless b has more and costs less, w < 1/2; b unless a has both, w > 3/4: the same weights for both
    for name, expected in (("a", 0.5), ("b", 0.75)):
        error = np.sqrt(expected * (1 - expected) / 40_000)
        assert abs(found.position(name).p_pareto - expected) <= 4 * error


def test_right_and_wrong_answers() -> None:
    """Agreement on all of n questions: Tango's statistic is √(nm/(1 − m)), and nobody is shown to be alike within m.

    By t the p of "worse by 0.01" was 0. McNemar's exact test is SciPy's binomial test of the deciding answers.
    """
    same = np.repeat([[1.0, 1.0], [0.0, 0.0]], 15, axis=0)
    seconds = np.array([1.0, 2.0]) * (1 + np.arange(30.0)[:, None] / 30)
    pair = _with_seconds(same, seconds, 0.01).pair("a", "b")
    assert pair.p_not_worse["right"] == pytest.approx(stats.norm.sf(np.sqrt(30 * 0.01 / 0.99)), rel=1e-12)
    assert pair.verdict == "not shown"
    apart = same.copy()
    apart[:5, 1], apart[29, 1] = 0.0, 1.0  # 5 won, 1 lost
    pair = _with_seconds(apart, seconds, 0.1).pair("a", "b")
    assert pair.p_better["right"] == pytest.approx(stats.binomtest(5, 6, alternative="greater").pvalue)
    assert pair.p_not_worse["right"] < 0.05


def _with_seconds(right: np.ndarray, seconds: np.ndarray, margin: float) -> bo.Tradeoff:
    given = {"right": bo.Scores(right, ["a", "b"], better="higher")}
    return bo.tradeoff(
        given | {"seconds": bo.Scores(seconds, ["a", "b"], better="lower")}, {"right": margin, "seconds": "5%"}
    )


def test_differences_that_do_not_vary() -> None:
    """Sign flips: all 2^10 choices give less. A number that is the same on all problems is known."""
    level = np.arange(1.0, 11.0)
    measured = bo.Scores(np.column_stack([level, level + 1]), better="lower")
    size = bo.Scores([[3.0, 4.0]] * 10, better="lower")
    found = bo.tradeoff({"measured": measured, "size": size}, {"measured": 0.5, "size": "1%"})
    pair = found.pair(0, 1)
    assert (pair.p_better["measured"], pair.p_not_worse["measured"]) == (0.5**10, 0.5**10)
    assert (pair.p_better["size"], pair.p_not_worse["size"]) == (0.0, 0.0)
    assert {"no-variation"} <= {caution.code for caution in found.cautions}
    assert found.pair(1, 0).p_not_worse == {"measured": 1.0, "size": 1.0}


@pytest.mark.parametrize("clusters", [None, [f"c{i // 2}" for i in range(60)]])
def test_agreement_on_all_problems_is_no_proof_of_likeness(clusters: list[str] | None) -> None:
    """Scores of 0, ½ and 1: a is worse by 1 on 2 % of problems, so worse by the margin. 30 problems miss that in half.

    Then all differences are 0, and sign flips about the margin said "not worse" with p = 2^−30. (1 − 0.02)^30 = 0.55.
    """
    rng = np.random.default_rng(5)
    each = 1 if clusters is None else 2
    b = np.repeat(rng.integers(0, 3, 30) / 2, each)
    b[:each], b[-each:] = 0.0, 1.0
    seconds = np.array([1.0, 1.5]) * rng.lognormal(0, 0.1, (30 * each, 2))

    def judged(right: np.ndarray, top: float = 1.0) -> bo.Tradeoff:
        given = {"right": bo.Scores(top * right, ["a", "b"], better="higher", clusters=clusters)}
        given["seconds"] = bo.Scores(seconds, ["a", "b"], better="lower", clusters=clusters)
        return bo.tradeoff(given, {"right": 0.02 * top, "seconds": "5%"}, n_draws=100)

    found = judged(np.column_stack([b, b]))
    assert found.pair("a", "b").p_not_worse["right"] == pytest.approx(0.98**30)
    assert found.pair("a", "b").verdict == "not shown"
    assert "no-variation" in {caution.code for caution in found.cautions}
    ahead = judged(np.column_stack([b + 0.5, b])).pair("a", "b")
    assert ahead.p_not_worse["right"] == ahead.p_better["right"] == 0.5**30


def test_answers_in_percent_are_answers() -> None:
    """0 and 100 is 0 and 1 on another scale: the same p-values, and means in percent."""
    rng = np.random.default_rng(6)
    right = rng.integers(0, 2, (30, 2)).astype(float)
    right[:25, 1] = right[:25, 0]
    seconds = np.array([1.0, 1.5]) * rng.lognormal(0, 0.1, (30, 2))
    one, hundred = (_with_seconds(top * right, seconds, 0.05 * top) for top in (1.0, 100.0))
    for a, b in (("a", "b"), ("b", "a")):
        assert one.pair(a, b).p_not_worse == pytest.approx(hundred.pair(a, b).p_not_worse, rel=1e-12)
        assert one.pair(a, b).p_better == hundred.pair(a, b).p_better
    means = [[p.means[0] for p in found.positions] for found in (one, hundred)]
    assert [100 * m.mean for m in means[0]] == pytest.approx([m.mean for m in means[1]])
    assert [100 * m.interval[1] for m in means[0]] == pytest.approx([m.interval[1] for m in means[1]])


def test_unequal_clusters_are_said() -> None:
    """At 0.05 t over 10 clusters of 2 to 30 alike problems rejects in 0.13 of tables; (Σm)²/Σm² = 81²/1471 = 4.5."""
    sizes = [2, 2, 2, 3, 3, 4, 5, 10, 20, 30]
    rng = np.random.default_rng(7)

    def said_by(given: list[int]) -> int:
        clusters = [f"c{i}" for i, size in enumerate(given) for _ in range(size)]
        table = bo.Scores(rng.lognormal(size=(len(clusters), 2)), better="lower", clusters=clusters)
        trade = bo.tradeoff({"x": table, "y": table}, {"x": 0.2, "y": 0.2}, n_draws=100)
        times = bo.runtimes(table, 50.0, n_resamples=100)
        said = [c for found in (trade, times) for c in found.cautions if c.code == "unequal"]
        assert all("worth only 4.5 of equal size" in c.text for c in said)
        return len(said)

    assert said_by(sizes) == 2
    assert said_by([4] * 10) == 0
