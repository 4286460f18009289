"""An error of 0 is no evidence: where nothing varies t has p = 1, with a caution, never 0."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo

LEVEL = np.linspace(0.1, 0.9, 10)[:, None]
SHIFTED = bo.Scores(np.hstack([LEVEL, LEVEL + 0.25, LEVEL**2]), ["a", "b", "c"], better="higher")


def test_compare_by_t() -> None:
    """It said "b is better than a (p < 10⁻³⁰⁰)"."""
    result = bo.compare(SHIFTED.select(["a", "b"]), pairwise="t")
    assert (result.pairs[0].pvalue, result.pairs[0].verdict) == (1.0, "no difference shown")
    assert result.pairs[0].interval is not None
    assert result.pairs[0].interval.low <= 0.0 <= result.pairs[0].interval.high


def test_compare_names_the_pairs() -> None:
    result = bo.compare(SHIFTED, pairwise="t")
    assert [pair.pvalue == 1.0 for pair in result.pairs] == [True, False, False]
    assert [c.text[:30] for c in result.cautions if c.code == "no-variation"] == ["All differences of a – b are e"]
    assert bo.verify(result).ok


@pytest.mark.parametrize("pairwise", ["wilcoxon", "sign"])
def test_tests_that_need_no_error_say_nothing_of_it(pairwise: str) -> None:
    assert "no-variation" not in {c.code for c in bo.compare(SHIFTED, pairwise=pairwise).cautions}


@pytest.mark.parametrize("name", ["paired_t", "cluster_t"])
@pytest.mark.parametrize("apart", [0.0, 0.25])
def test_of_two(name: str, apart: float) -> None:
    found = getattr(bo, name)(LEVEL[:, 0], LEVEL[:, 0] - apart, better="higher")
    assert (found.pvalue, found.log_pvalue, found.low, found.high) == (1.0, 0.0, -np.inf, np.inf)
    assert [caution.code for caution in found.cautions] == ["no-variation"]


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("factor", [1.0, 1.06, 2.0])
def test_check_of_runs_that_do_not_differ(factor: float, paired: bool) -> None:
    """Multiples of one another, up to the last bits: they said REGRESSED at p = 0, or OK."""
    times = np.random.default_rng(1).lognormal(0, 0.1, 8).round(3) if paired else np.full(8, 0.3)
    found = bo.check([times], [factor * times], "5%", better="lower", paired=paired)
    (row,) = found.rows
    assert (row.verdict, row.pvalue, row.p_ok, row.interval) == ("inconclusive", 1.0, 1.0, (-1.0, np.inf))
    assert "equal-runs" in {caution.code for caution in found.cautions}
    count = bo.check([times], [factor * times], "5%", better="lower", paired=paired, run_sd=1e-3)
    assert count.decision == ("ok" if factor < 1.05 else "regressed")
