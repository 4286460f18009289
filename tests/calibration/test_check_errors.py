"""False alarms of check() where processes have modes, or the clock is coarse: 40 benchmarks, no change, margin 5 %.

A t-test without a bound on its p-values said REGRESSED in up to 38 % of checks of three processes a side, at 1 %.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow

ALPHA, BENCHMARKS, CHECKS = 0.01, 40, 200
FIVE = 0.05
"""What five processes a side may reach: t stands from there on, and the caution ``few-processes`` says so."""


def most(level: float, trials: int) -> float:
    """Four standard errors above the level."""
    return level + 4 * math.sqrt(level * (1 - level) / trials)


def modes(rng: np.random.Generator, n: int, factor: float) -> npt.NDArray[np.float64]:
    """Each process fast or 10 % slower, with probability 1/2; noise of 0.3 %."""
    slow = np.log(1.1) * rng.integers(0, 2, (BENCHMARKS, n))
    return np.asarray(factor * np.exp(slow + 0.003 * rng.normal(size=(BENCHMARKS, n))))


def clock(rng: np.random.Generator, n: int, factor: float) -> npt.NDArray[np.float64]:
    """60 to 110 ms on a clock of 10 ms; noise of 2 %."""
    level = np.linspace(0.06, 0.11, BENCHMARKS)[:, None]
    return np.round(factor * level * np.exp(0.02 * rng.normal(size=(BENCHMARKS, n))), 2)


DESIGNS = {"modes": modes, "clock": clock}
FIRST, LAST = ("modes", False, 3), ("clock", True, 3)  # the fast ones
BETWEEN = [(name, paired, n) for name in DESIGNS for paired in (True, False) for n in (2, 3, 4, 5, 6, 8, 10, 20)]
CASES = [FIRST, *(case for case in BETWEEN if case not in (FIRST, LAST)), LAST]


def said(case: tuple[str, bool, int], checks: int, factor: float = 1.0, **options: object) -> dict[str, float]:
    """Shares of checks that regressed, and of rows that regressed, and that were OK."""
    name, paired, n = case
    rng = np.random.default_rng([n, paired, len(name)])
    counts = {"check": 0, "regressed": 0, "ok": 0, "inconclusive": 0}
    for _ in range(checks):
        old, new = DESIGNS[name](rng, n, 1.0), DESIGNS[name](rng, n, factor)
        found = bo.check(old, new, "5%", ALPHA, better="lower", paired=paired, **options)  # type: ignore[arg-type]
        counts["check"] += found.decision == "regressed"
        for row in found.rows:
            counts[row.verdict] += 1
    return {key: count / checks / (1 if key == "check" else BENCHMARKS) for key, count in counts.items()}


@pytest.mark.few(2)
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))
def test_false_alarms_without_a_change(case: tuple[str, bool, int]) -> None:
    """Corrected, of a check; uncorrected, of a row."""
    level = FIVE if case[2] == 5 else ALPHA
    assert said(case, CHECKS)["check"] <= most(level, CHECKS)
    assert said(case, CHECKS // 4, correction="none")["regressed"] <= most(ALPHA, BENCHMARKS * CHECKS // 4)


@pytest.mark.few(1)
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("n", [3, 2, 4, 5, 6, 8, 10, 20])
@pytest.mark.parametrize("paired", [False, True])
def test_both_errors_at_the_margin_where_processes_have_modes(paired: bool, n: int, strict: bool) -> None:
    """Of a row, uncorrected; two modes are no normal law, so t may err in 1.5 % where it says 1 %."""
    found = said(("modes", paired, n), CHECKS // 4, 1.0 if strict else 1.05, correction="none", strict=strict)
    for error in ("regressed",) if strict else ("regressed", "ok"):
        assert found[error] <= most(1.5 * ALPHA, BENCHMARKS * CHECKS // 4), found


@pytest.mark.few(1)
@pytest.mark.parametrize("n", [20, 5, 8])
@pytest.mark.parametrize("paired", [True, False])
def test_a_coarse_clock_decides_nothing_at_the_margin_and_a_change_beyond_its_tick(paired: bool, n: int) -> None:
    """Of a row, uncorrected. Means of rounded times are off by up to a tick: with 20 processes 19 % regressed at the
    margin, and 20 % were OK, at 1 %."""
    at_margin = said(("clock", paired, n), CHECKS // 8, 1.05, correction="none")
    assert max(at_margin["regressed"], at_margin["ok"]) <= most(ALPHA, BENCHMARKS * CHECKS // 8)
    if n == 20:
        assert said(("clock", paired, n), 5, 1.4, correction="none")["regressed"] >= 0.8


@pytest.mark.few(1)
@pytest.mark.parametrize(("few", "many"), [(3, 20), (2, 20), (4, 20), (4, 100)])
@pytest.mark.parametrize("smaller_is_new", [True, False])
def test_a_few_runs_against_many(few: int, many: int, smaller_is_new: bool) -> None:
    """With a p of at least 1/C(m + n, n), 24 % of the rows of 2 against 20 runs regressed at 1 %."""
    rng, regressed, checks = np.random.default_rng([few, many]), 0, CHECKS // 4
    for _ in range(checks):
        sides = [{f"b{i}": row for i, row in enumerate(modes(rng, n, 1.0))} for n in (many, few)]
        old, new = sides if smaller_is_new else sides[::-1]
        found = bo.check(old, new, "5%", ALPHA, "none", better="lower", strict=True)
        regressed += sum(row.verdict == "regressed" for row in found.rows)
    assert regressed <= BENCHMARKS * checks * most(ALPHA, BENCHMARKS * checks)
