"""What a pilot teaches: runs for a wanted standard error, and the parts of the variance."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import InfiniteScoreError, ParameterError, ScoreError
from bakeoff.plan.pilots import weak_reference
from strategies import check_result

plan = bo.plan


def pilot(seed: int = 0, n: int = 6, k: int = 3, runs: int = 8, better: str = "lower") -> bo.Scores:
    rng = np.random.default_rng(seed)
    base = 50 + 5 * rng.normal(size=(n, 1, 1)) + rng.normal(size=(n, k, 1))
    return bo.Scores(base + rng.normal(size=(n, k, runs)) * (1 + np.arange(k))[:, None], better=better)


# --- repetitions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("control", [None, "A2"])
@pytest.mark.parametrize(("difference", "wanted"), [("simple", 0.4), ("percent", 0.008)])
def test_the_plan_reaches_the_standard_error_with_no_run_to_spare(
    control: str | None, difference: str, wanted: float
) -> None:
    scores = pilot()
    found = plan.repetitions(scores, wanted, control, difference, min_runs=1)
    check_result(found)
    assert found.planned_se.max() <= wanted * (1 + 1e-9)
    assert np.all(found.n - found.optimum < 1)
    assert found.total == found.n.sum() <= found.balanced_total
    assert found.pilot_se.shape == found.differences.shape == (6, len(found.pairs))
    assert found.pairs == (
        (("A1", "A2"), ("A1", "A3"), ("A2", "A3")) if control is None else (("A2", "A1"), ("A2", "A3"))
    )
    assert pickle.loads(pickle.dumps(found)).n.tolist() == found.n.tolist()


def test_runs_do_not_depend_on_the_order_of_rows_or_runs() -> None:
    scores = pilot()
    assert scores.runs is not None
    turned = bo.Scores(scores.runs[::-1, :, ::-1], problems=scores.problems[::-1], better="lower")
    assert plan.repetitions(turned, 0.3).n.tolist() == plan.repetitions(scores, 0.3).n.tolist()[::-1]


def test_direction_does_not_matter_for_runs() -> None:
    for difference in ("simple", "percent"):
        low, high = (plan.repetitions(pilot(better=b), 0.3, difference=difference) for b in ("lower", "higher"))
        assert low.n.tolist() == high.n.tolist()


def test_closed_forms_on_a_table() -> None:
    # s = 2 and 1: n = 2·3/.09, 1·3/.09; balanced: 5/.09 each
    scores = bo.Scores(np.array([[[8, 10, 12], [14, 15, 16]]]), better="lower")
    found = plan.repetitions(scores, 0.3, min_runs=2)
    assert found.optimum[0] == pytest.approx([200 / 3, 100 / 3], rel=1e-12)
    assert found.balanced_total == 2 * 56
    # phi = 1/2: q = (2·1.5, 1)/10, the paper's (2·√1.25, 1)/10
    corrected = plan.repetitions(scores, 0.05, difference="percent", min_runs=2)
    assert corrected.optimum.sum() == pytest.approx(64, rel=1e-12)
    paper = plan.repetitions(scores, 0.05, difference="percent", form="paper", min_runs=2)
    assert paper.optimum.sum() == pytest.approx((2 * math.sqrt(1.25) + 1) ** 2 / 0.25, rel=1e-12)
    assert "papers-formula (percent-differences)" in [c.name for c in paper.cautions]
    assert (corrected.method, paper.method, found.method) == ("corrected", "paper", "exact")


def test_an_exact_optimum_is_not_rounded_up() -> None:
    scores = bo.Scores(np.array([[[9, 10, 11], [14, 15, 16]]]), better="lower")  # s = 1 and 1: n = 2/.01 = 200 each
    assert plan.repetitions(scores, 0.1).n.tolist() == [[200, 200]]


def test_no_variation_needs_the_fewest_runs() -> None:
    scores = bo.Scores(np.array([[[5.0, 5.0], [7.0, 7.0]], [[1.0, 2.0], [3.0, 3.0]]]), better="lower")
    found = plan.repetitions(scores, 0.1)
    assert found.n.tolist() == [[20, 20], [50, 20]]
    assert {"no-variation", "too-few"} <= {c.code for c in found.cautions}


def test_skewed_runs_are_noticed_and_normal_ones_are_not() -> None:
    rng = np.random.default_rng(1)
    skewed = bo.Scores(rng.lognormal(sigma=1.2, size=(10, 3, 30)), better="lower")
    assert "skew" in [c.code for c in plan.repetitions(skewed, 0.5).cautions]
    for seed in range(20):
        assert "skew" not in [c.code for c in plan.repetitions(pilot(seed, runs=20), 0.5).cautions]


def test_references_of_percent_differences() -> None:
    near = np.array([[[1.0, -0.5, 0.9, 0.2], [5.0, 6.0, 5.5, 5.2]]])
    found = plan.repetitions(bo.Scores(near, better="lower"), 0.5, difference="percent")
    assert "near-zero (pilot-means)" in [c.name for c in found.cautions]
    assert weak_reference([1.0, 9.0], [1.0, 1.0], [9, 9])
    assert not weak_reference([1.1, 9.0], [1.0, 1.0], [9, 9])
    assert not weak_reference([1.0, 9.0], [1.0, 1.0], [9, 9], "control", 1)
    assert weak_reference([1.0, 0.5, -0.5], [1.0, 1.0, 1.0], [9, 9, 9])
    with pytest.raises(ScoreError, match=r"problem 'P1'.*positive mean"):
        plan.repetitions(bo.Scores(-np.abs(near), better="lower"), 0.5, difference="percent")


def test_what_repetitions_refuses() -> None:
    for wanted in (0, -1, math.nan, math.inf, "x", True):
        with pytest.raises(ParameterError, match="wanted_se must be a positive number"):
            plan.repetitions(pilot(), wanted)
    with pytest.raises(ParameterError, match="min_runs must be"):
        plan.repetitions(pilot(), 0.1, min_runs=0)
    with pytest.raises(ParameterError, match=r"at least 2 runs.*'P1' with 'A1'"):
        plan.repetitions(bo.Scores(np.ones((3, 2)), better="lower"), 0.1)
    with pytest.raises(ParameterError, match=r"would take .* runs of one algorithm"):
        plan.repetitions(pilot(), 1e-9)
    with pytest.raises(InfiniteScoreError, match="P1"):
        plan.repetitions(bo.Scores(np.array([[[1.0, np.inf], [1.0, 2.0]]]), better="lower"), 0.1)
    with pytest.raises(ParameterError, match="form must be 'corrected' for percent differences of all pairs"):
        plan.repetitions(pilot(), 0.1, difference="percent", form="paper")
    with pytest.raises(bo.BakeoffError, match="no algorithm is called"):
        plan.repetitions(pilot(), 0.1, "nobody")
    with pytest.raises(bo.BakeoffError, match=r"bakeoff\.Scores"):
        plan.repetitions(np.ones((2, 2, 2)), 0.1)


def test_unequal_numbers_of_runs() -> None:
    cells = np.array([[[1.0, 2.0, 3.0], [4.0, 6.0, np.nan]]])
    scores = bo.Scores.from_cells(cells, ["a", "b"], ["p"], better="lower")
    found = plan.repetitions(scores, 0.5, min_runs=1)
    assert found.pilot_se[0, 0] == pytest.approx(math.sqrt(1 / 3 + 2 / 2))
    assert found.optimum[0] == pytest.approx([(1 + math.sqrt(2)) / 0.25, math.sqrt(2) * (1 + math.sqrt(2)) / 0.25])


# --- variance components -----------------------------------------------------------------------------------------


def test_components_by_hand() -> None:
    # differences 2, 6, 10: variance 16; each cell s² = 2 over 2 runs: se² = 1 + 1 = 2
    runs = np.array([[[0, 2], [2, 4]], [[0, 2], [6, 8]], [[0, 2], [10, 12]]])
    parts = plan.variance_components(bo.Scores(runs, better="lower"), "A1", "A2")
    check_result(parts)
    assert parts.estimate == 6  # lower is better: A1 is
    assert parts.total_sd == pytest.approx(4)
    assert parts.within_sd == pytest.approx(math.sqrt(2))
    assert parts.across_sd == pytest.approx(math.sqrt(14))
    assert parts.within_share == pytest.approx(1 / 8)
    assert parts.se_now == pytest.approx(4 / math.sqrt(3))
    assert parts.se_twice_problems == pytest.approx(4 / math.sqrt(6))
    assert parts.se_twice_runs == pytest.approx(math.sqrt(15 / 3))
    assert parts.se_endless_runs == pytest.approx(math.sqrt(14 / 3))
    assert parts.runs_factor == pytest.approx(9 * 2 / 14)
    assert parts.effect_size(2.0) == pytest.approx(0.5)
    worse = plan.variance_components(bo.Scores(runs, better="higher"), "A1", "A2")
    assert worse.estimate == -6
    assert plan.variance_components(bo.Scores(runs, better="lower"), "A2", "A1").estimate == -6


def test_so_many_runs_bring_their_share_to_a_tenth() -> None:
    parts = plan.variance_components(pilot(runs=4), "A2", "A3")
    assert parts.runs_factor is not None
    assert parts.runs_factor > 1
    within = parts.within_sd**2 / parts.runs_factor
    assert within / (within + parts.across_sd**2) == pytest.approx(0.1)
    assert "times as many" in parts.advice


def test_more_problems_are_never_worse_than_as_many_more_runs() -> None:
    for seed in range(30):
        parts = plan.variance_components(pilot(seed, n=4, runs=3), 0, 1)
        assert parts.se_twice_problems <= parts.se_twice_runs * (1 + 1e-12)
        assert parts.se_endless_runs <= parts.se_twice_runs <= parts.se_now
        assert parts.across_sd >= 0


def test_percent_differences_are_of_the_first_algorithm() -> None:
    runs = np.array([[[10, 10], [15, 15]], [[20, 20], [25, 25]]])
    parts = plan.variance_components(bo.Scores(runs, better="lower"), 0, 1, "percent")
    assert parts.differences.tolist() == [0.5, 0.25]
    other = plan.variance_components(bo.Scores(runs, better="higher"), 1, 0, "percent")
    assert other.differences == pytest.approx([1 / 3, 1 / 5])
    assert parts.within_sd == 0
    assert parts.runs_factor == 1
    assert "enough of them" in parts.advice


def test_degenerate_pilots() -> None:
    same = bo.Scores(np.array([[[1.0, 1.0], [2.0, 2.0]]] * 3), better="lower")
    parts = plan.variance_components(same, 0, 1)
    assert (parts.total_sd, parts.within_share, parts.runs_factor) == (0.0, 0.0, 1.0)
    assert "do not vary at all" in parts.advice
    with pytest.raises(ParameterError, match="no effect size"):
        parts.effect_size(1.0)
    noise = np.random.default_rng(0).normal(size=(1, 2, 4)).repeat(3, axis=0)
    parts = plan.variance_components(bo.Scores(noise, better="lower"), 0, 1)
    assert parts.across_sd == 0
    assert parts.runs_factor is None
    assert "does not show whether problems differ" in parts.advice
    huge = bo.Scores(np.array([[[1e308, 0.0], [0, 1]], [[0, 1], [1e308, 0]]]), better="lower")
    assert math.isfinite(plan.variance_components(huge, 0, 1).total_sd)
    with pytest.raises(ParameterError, match="at least 2 problems"):
        plan.variance_components(same.select(problems=["P1"]), 0, 1)


@pytest.mark.slow
def test_moments_recover_the_components() -> None:
    """sigma_phi = 2, run sd 3 and 1 with 5 runs: sigma_eps² = 10/5 = 2; means over 2000 pilots of 10 problems."""
    rng = np.random.default_rng(11)
    across, within = [], []
    for _ in range(2000):
        phi = 2 * rng.normal(size=(10, 1))
        a, b = 3 * rng.normal(size=(10, 5)), phi + rng.normal(size=(10, 5))
        parts = plan.variance_components(bo.Scores(np.stack([a, b], axis=1), better="lower"), 0, 1)
        across.append(parts.differences.var(ddof=1) - parts.within_sd**2)
        within.append(parts.within_sd**2)
    for found, true in ((across, 4.0), (within, 2.0)):
        error = np.std(found, ddof=1) / math.sqrt(len(found))
        assert abs(np.mean(found) - true) < 4 * error, f"{np.mean(found):.3f} against {true} ± {4 * error:.3f}"


def test_where_problems_do_not_differ_they_do_not_help_more_than_runs() -> None:
    """Same difference everywhere: twice the problems and twice the runs both divide σ_ε/√N by √2."""
    runs = np.array([[[0.0, 2.0], [2.0, 4.0]]] * 6)
    parts = bo.plan.variance_components(bo.Scores(runs, better="lower"), 0, 1)
    assert parts.se_twice_problems == parts.se_twice_runs
    assert "equally, by 29 %" in parts.advice
    assert "most" not in parts.advice
