"""The rank-sum test of two samples against R, SciPy and all arrangements, and the table of problems built on it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo

# R 4.2, exactRankTests 0.8-35: wilcox.exact(x, y) and alternative = "less"; our own enumeration gives the same
R_EXACT = [
    ((12, 15, 15, 18, 20), (15, 19, 21, 22, 25), 4.0, 0.0873015873016, 0.84),
    ((3, 4, 4, 5, 6), (4, 4, 5, 5, 7), 9.0, 0.492063492063, 0.64),
    ((101, 103, 104, 108, 109), (90, 91, 95, 99, 100), 25.0, 0.00793650793651, 0.0),
]


@pytest.mark.parametrize(("x", "y", "u", "p", "a12"), R_EXACT)
def test_as_r_has_it(x: tuple[int, ...], y: tuple[int, ...], u: float, p: float, a12: float) -> None:
    found = bo.mann_whitney(x, y)
    assert found.statistic == u
    assert found.pvalue == pytest.approx(p, abs=1e-12)
    assert bo.mann_whitney(y, x).pvalue == pytest.approx(p, abs=1e-12)
    scores = bo.Scores([[x, y]], better="lower")
    (cell,) = bo.per_problem(scores).cells
    assert (cell.pvalue, cell.a12) == (pytest.approx(p, abs=1e-12), pytest.approx(a12, abs=1e-15))


def test_one_side_as_r_has_it() -> None:
    assert bo.mann_whitney(*R_EXACT[0][:2], alternative="less").pvalue == pytest.approx(0.0436507936508, abs=1e-12)


def enumerated(x: Any, y: Any) -> tuple[float, float, float]:
    """P(W ≤ w), P(W ≥ w) over all choices of the first sample."""
    ranks, m = stats.rankdata(np.concatenate([x, y])), len(x)
    sums = np.array([ranks[list(chosen)].sum() for chosen in itertools.combinations(range(len(ranks)), m)])
    w = ranks[:m].sum()
    return float(np.mean(sums <= w)), float(np.mean(sums >= w)), float(w)


@pytest.mark.slow
def test_as_all_arrangements_have_it() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        m, n = rng.integers(1, 7, 2)
        x, y = (rng.integers(0, rng.integers(1, 9), size).astype(float) for size in (m, n))
        lower, upper, _ = enumerated(x, y)
        assert bo.mann_whitney(x, y).pvalue == pytest.approx(min(1.0, 2 * min(lower, upper)), abs=1e-13)
        assert bo.mann_whitney(x, y, "greater").pvalue == pytest.approx(upper, abs=1e-13)
        assert bo.mann_whitney(x, y, "less").pvalue == pytest.approx(lower, abs=1e-13)


@pytest.mark.parametrize(("m", "n"), [(3, 40), (30, 30), (50, 20)])
def test_as_scipy_has_it_without_ties(m: int, n: int) -> None:
    rng = np.random.default_rng(m)
    x, y = rng.normal(size=m), rng.normal(size=n) + 0.5
    for alternative in ("two-sided", "less", "greater"):
        theirs = stats.mannwhitneyu(x, y, alternative=alternative, method="exact").pvalue
        assert bo.mann_whitney(x, y, alternative, "exact").pvalue == pytest.approx(theirs, rel=1e-9)


@pytest.mark.slow
def test_the_normal_law_as_scipy_has_it() -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        x, y = rng.integers(0, 9, 15).astype(float), rng.integers(0, 12, 25).astype(float)
        for alternative in ("two-sided", "less", "greater"):
            theirs = stats.mannwhitneyu(x, y, alternative=alternative, method="asymptotic").pvalue
            assert bo.mann_whitney(x, y, alternative, "normal").pvalue == pytest.approx(theirs, rel=1e-10)


def test_large_samples_take_the_normal_law_and_agree_with_the_exact_one() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=400), rng.normal(size=700) + 0.1
    assert bo.mann_whitney(x, y).method == "normal"
    x, y = rng.normal(size=80), rng.normal(size=80) + 0.3
    exact, normal = (bo.mann_whitney(x, y, method=m).pvalue for m in ("exact", "normal"))
    assert exact == pytest.approx(normal, rel=0.02)


def test_infinite_runs_are_ordered_and_tie() -> None:
    inf = float("inf")
    assert bo.mann_whitney([1, 2, inf], [3, inf, inf]).pvalue == bo.mann_whitney([1, 2, 9], [3, 9, 9]).pvalue
    assert bo.mann_whitney([1, 1], [1, 1, 1], method="normal").pvalue == 1.0


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([], [1.0], "x has no values"),
        ([1.0], [2.0, float("nan")], r"y has missing scores \(NaN\): y\[1\]"),
        ([[1.0, 2.0]], [1.0], "x must be one-dimensional, a list of scores; got shape"),
    ],
)
def test_refusals_name_the_sample(x: Any, y: Any, message: str) -> None:
    with pytest.raises(bo.BakeoffError, match=message):
        bo.mann_whitney(x, y)


def test_exactness_has_a_limit() -> None:
    with pytest.raises(bo.BakeoffError, match="limited to 1000 observations; got 1200"):
        bo.mann_whitney(np.arange(600.0), np.arange(600.0), method="exact")


# --- the table of problems --------------------------------------------------------------------------------------


def test_five_runs_cannot_tell_on_seven_problems() -> None:
    """2/C(10, 5) = .0079, and 7·.0079 > .05: nothing that five runs show could pass Holm's correction."""
    runs = np.stack([np.arange(5.0) + 10.0 * np.arange(2)[:, None]] * 7)
    found = bo.per_problem(bo.Scores(runs, better="lower"))
    assert found.counts == {("A1", "A2"): (0, 0, 0, 7)}
    assert [c.code for c in found.cautions] == ["out-of-reach"]
    six = bo.per_problem(bo.Scores(runs[:6], better="lower"))
    assert six.counts == {("A1", "A2"): (6, 0, 0, 0)}
    assert six.cautions == ()


def test_turning_the_direction_turns_the_signs() -> None:
    rng = np.random.default_rng(8)
    runs = rng.normal(size=(9, 4, 12)) + np.arange(4)[None, :, None]
    low, high = (bo.per_problem(bo.Scores(runs, better=better)) for better in ("lower", "higher"))
    turned = {"+": "-", "-": "+", "=": "=", "?": "?"}
    assert [turned[c.verdict] for c in low.cells] == [c.verdict for c in high.cells]
    assert [c.pvalue for c in low.cells] == [c.pvalue for c in high.cells]


def test_the_direction_is_that_of_the_ranks_not_of_the_means() -> None:
    """PlatEMO #90: one bad run moves the mean, not the verdict."""
    a = [*range(10, 39), 10_000]
    b = list(range(60, 90))
    (cell,) = bo.per_problem(bo.Scores([[a, b]], better="lower")).cells
    assert np.mean(a) > np.mean(b)
    assert cell.verdict == "+"


def test_every_cell_as_the_test_and_the_correction_have_it() -> None:
    rng = np.random.default_rng(9)
    scores = bo.Scores(rng.integers(0, 9, (8, 3, 10)).astype(float), better="higher")
    for correction in ("holm", "fdr-bh", "none"):
        found = bo.per_problem(scores, control="A2", correction=correction)
        for other in ("A1", "A3"):
            cells = [c for c in found.cells if c.b == other]
            b = scores.algorithms.index(other)
            assert scores.runs is not None
            raw = [bo.mann_whitney(scores.runs[i, 1], scores.runs[i, b]).pvalue for i in range(8)]
            adjusted = raw if correction == "none" else bo.adjust(raw, correction).tolist()
            assert [c.pvalue for c in cells] == raw
            assert [c.adjusted for c in cells] == adjusted


def test_paired_runs_are_tested_as_pairs() -> None:
    rng = np.random.default_rng(4)
    runs = rng.normal(size=(5, 1, 12)) * 10 + rng.normal(size=(5, 2, 12)) + np.array([0.0, 1.5])[None, :, None]
    scores = bo.Scores(runs, better="lower")
    found = bo.per_problem(scores, paired=True)
    for i, cell in enumerate(found.cells):
        as_problems = bo.Scores(runs[i].T, better="lower")
        assert cell.pvalue == bo.wilcoxon(as_problems, 0, 1).pvalue
    assert found.counts[("A1", "A2")][0] > bo.per_problem(scores).counts[("A1", "A2")][0]


def test_unequal_numbers_of_runs() -> None:
    rows = [
        {"problem": "p", "algorithm": a, "run": r, "score": float(r + 9 * (a == "b"))}
        for a, n in (("a", 6), ("b", 4))
        for r in range(n)
    ]
    import pandas as pd

    scores = bo.read_scores(pd.DataFrame(rows), better="lower")
    (cell,) = bo.per_problem(scores).cells
    assert cell.pvalue == pytest.approx(2 / 210)
    with pytest.raises(bo.BakeoffError, match="has 6 of 'a' and 4 of 'b'"):
        bo.per_problem(scores, paired=True)


def test_one_run_per_cell_is_refused() -> None:
    with pytest.raises(bo.BakeoffError, match="scores has one run per cell"):
        bo.per_problem(bo.datasets.load("demsar_2006"))


def test_the_leading_group() -> None:
    rng = np.random.default_rng(11)
    runs = rng.normal(size=(1, 3, 20)) + np.array([0.0, 0.1, 5.0])[None, :, None]
    found = bo.per_problem(bo.Scores(runs, ["a", "b", "c"], ["p"], better="lower"))
    assert found.leaders == {"p": ("a", "b")}
    assert bo.per_problem(bo.Scores(runs, better="lower"), control=0).leaders == {}
