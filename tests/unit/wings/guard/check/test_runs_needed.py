"""How many runs a side would do: the number beside INCONCLUSIVE (N20), against the plan's and by repeated checks."""

import math
import re

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.wings.guard.check.statistics import Check
from bakeoff.wings.guard.check.statistics.contrasts import pairs_needed


def power(n: int, sd: float, distance: float, level: float) -> float:
    """Of the one-sided paired t, by SciPy's noncentral distribution."""
    return float(stats.nct.sf(stats.t.isf(level, n - 1), n - 1, distance / sd * math.sqrt(n)))


@pytest.mark.parametrize("level", [0.05, 0.01, 0.001])
@pytest.mark.parametrize("ratio", [0.01, 0.5, 1.0, 2.3, 6.0])
def test_the_least_number_with_power(level: float, ratio: float) -> None:
    (n,) = pairs_needed(np.array([ratio]), np.array([1.0]), level).astype(int).tolist()
    assert power(n, ratio, 1.0, level) >= 0.8 - 1e-6
    assert n == 5 or power(n - 1, ratio, 1.0, level) < 0.8 + 1e-6
    assert n == max(5, bo.plan.instances(1.0 / ratio, level, 0.8, "greater").n)


def test_beyond_a_thousand_runs_the_normal_distribution_is_near_enough() -> None:
    (n,) = pairs_needed(np.array([20.0]), np.array([1.0]), 0.01).tolist()
    assert n == pytest.approx(bo.plan.instances(1 / 20, 0.01, 0.8, "greater").n, rel=2e-3)


def test_nothing_to_detect_is_never_detected() -> None:
    assert pairs_needed(np.array([1.0, 1.0]), np.array([0.0, np.inf]), 0.05).tolist() == [np.inf, 5.0]


def gate(sd: float, factor: float, n: int, rng: np.random.Generator, paired: bool = False) -> Check:
    old, new = ({"sort": np.exp(rng.normal(math.log(f), sd, n))} for f in (1.0, factor))
    return bo.check(old, new, "5%", better="lower", level="problem", paired=paired)


def test_what_would_do_stands_beside_inconclusive() -> None:
    result = gate(0.05, 1.02, 8, np.random.default_rng(3))
    assert result.decision == "inconclusive"
    n = result.diagnostics.runs_needed
    assert n is not None
    assert n > 8
    logs = [np.log(side) for side in (result.scores.runs[0, 0], result.scores.runs[0, 1])]
    sd = math.sqrt(sum(np.var(side, ddof=1) for side in logs))
    distance = math.log(1.10) - math.log(1.05)
    assert power(n, sd, distance, 0.01) >= 0.8 > power(n - 1, sd, distance, 0.01)
    assert f"With this noise, {n} runs per side detect 10 %." in result.verdict
    assert result.to_dict()["diagnostics"]["runs_needed"] == n
    assert bo.verify(result).ok


def test_one_run_a_side_says_how_to_get_the_noise() -> None:
    result = bo.check({"sort": [1.0]}, {"sort": [1.02]}, "5%", better="lower", level="problem")
    assert result.decision == "inconclusive"
    assert result.diagnostics.runs_needed is None
    assert (
        "Measure each side at least five times, in turn: the check then reports how many runs are enough."
        in result.verdict
    )
    known = bo.check({"sort": [1.0]}, {"sort": [1.02]}, "5%", better="lower", level="problem", run_sd=0.02)
    assert known.diagnostics.runs_needed == bo.plan.instances(
        (math.log(1.1) - math.log(1.05)) / (0.02 * math.sqrt(2)), 0.01, 0.8, "greater"
    ).n  # fmt: skip


def test_decided_checks_and_margins_of_zero_say_nothing() -> None:
    rng = np.random.default_rng(1)
    assert gate(0.001, 1.0, 8, rng).diagnostics.runs_needed is None
    none = bo.check({"p": [1.0, 1.1, 1.2]}, {"p": [1.0, 1.15, 1.1]}, 0, better="lower", level="problem")
    assert (none.decision, none.diagnostics.runs_needed) == ("inconclusive", None)
    steep = bo.check({"p": [1.0, 1.4, 0.7]}, {"p": [0.8, 1.3, 0.7]}, "60%", better="higher", level="problem")
    assert "inf" not in steep.verdict  # nothing falls by 120 %


@pytest.mark.slow
@pytest.mark.parametrize("paired", [False, True])
def test_so_many_runs_detect_twice_the_margin(paired: bool) -> None:
    """400 checks of a build that is 10 % slower; the band is four standard errors."""
    rng, sd = np.random.default_rng(11), 0.04
    distance = math.log(1.10) - math.log(1.05)
    n = int(pairs_needed(np.array([sd * math.sqrt(2)]), np.array([distance]), 0.01)[0])
    share = np.mean([gate(sd, 1.10, n, rng, paired).decision == "regressed" for _ in range(400)])
    assert share >= 0.8 - 4 * 0.02


def test_no_fewer_are_advised_than_the_caution_about_few_asks_for() -> None:
    rng = np.random.default_rng(1)
    result = gate(0.02, 1.03, 3, rng)
    assert result.decision == "inconclusive"
    assert result.diagnostics.runs_needed == 6
    assert "too-few (processes)" in {caution.name for caution in result.cautions}


def test_an_improvement_is_called_one() -> None:
    """It read "worse by less than 5 %, if at all" (N21)."""
    result = gate(0.02, 0.8, 10, np.random.default_rng(1))
    assert result.rows[0].improved
    assert re.fullmatch(
        r"OK: on sort, new is better than the baseline \(\+[\d.]+ %, 99 % bounds \+[\d.]+ % and \+[\d.]+ %\)\.",
        result.verdict,
    )
