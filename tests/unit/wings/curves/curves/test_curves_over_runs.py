"""Curves over runs of given problems: against a literal version, in any order of rows, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2, kstest, norm, ttest_ind

import bakeoff as bo
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.wings.curves.curves.statistics import curve_tests
from bakeoff.wings.curves.curves.statistics.curve_tests import MeanCurve
from bakeoff.wings.verify._verify import verify

Rows = dict[str, list[Any]]


def table(n: int = 4, r: int = 5, budgets: int = 6, lead: float = 0.0, seed: int = 1, cut: int = 0) -> Rows:
    """Of A, B and C; ``cut`` takes so many runs from the first cell."""
    rng, rows = np.random.default_rng(seed), []
    for i in range(n):
        for j, name in enumerate("ABC"):
            for run in range(r - (cut if i == j == 0 else 0)):
                walk = 10 * i + lead * j + np.cumsum(rng.normal(size=budgets))
                rows += [(f"p{i}", name, run, b + 1, float(y)) for b, y in enumerate(walk)]
    names = ("problem", "algorithm", "run", "budget", "score")
    return {name: [row[k] for row in rows] for k, name in enumerate(names)}


def over_runs(rows: Rows, **more: Any) -> bo.Curves:
    options: dict[str, Any] = {"better": "lower", "best_so_far": False, "over": "runs", "n_resamples": 199} | more
    return bo.curves(rows, **options)


def literal(rows: Rows, a: str, b: str, budget: int) -> tuple[float, float, list[float]]:
    """Difference of the means over the problems, its t, and the degrees of freedom of both at every budget."""
    cells: dict[tuple[str, str, int], list[float]] = {}
    for problem, name, _, at, score in zip(*rows.values(), strict=True):
        cells.setdefault((problem, name, at), []).append(score)
    problems, budgets = sorted(set(rows["problem"])), sorted(set(rows["budget"]))

    def moments(name: str, at: int) -> tuple[float, float, float]:
        runs = [cells[problem, name, at] for problem in problems]
        parts = [np.var(x, ddof=1) / len(x) / len(problems) ** 2 for x in runs]
        df = sum(parts) ** 2 / sum(part**2 / (len(x) - 1) for part, x in zip(parts, runs, strict=True))
        return float(np.mean([np.mean(x) for x in runs])), float(sum(parts)), float(df)

    (mean_a, var_a, _), (mean_b, var_b, _) = moments(a, budget), moments(b, budget)
    pairs = [(cells[problem, a, budget], cells[problem, b, budget]) for problem in problems]
    student = 0.0
    if any(len(x) != len(y) for x, y in pairs):
        for x, y in pairs:
            within = (len(x) - 1) * np.var(x, ddof=1) + (len(y) - 1) * np.var(y, ddof=1)
            student += within / (len(x) + len(y) - 2) * (1 / len(x) + 1 / len(y)) / len(problems) ** 2
    least = [min(moments(name, at)[2] for at in budgets) for name in (a, b)]
    return mean_b - mean_a, (mean_b - mean_a) / max(var_a + var_b, student) ** 0.5, least


@pytest.mark.parametrize("cut", [0, 2])
def test_means_and_t_are_those_of_a_literal_version(cut: int) -> None:
    rows = table(cut=cut)
    found = over_runs(rows)
    for pair in found.pairs:
        for i in range(6):
            difference, t, _ = literal(rows, pair.a, pair.b, i + 1)
            assert pair.difference[i] == pytest.approx(difference, rel=1e-9)
            assert pair.statistic[i] == pytest.approx(t, rel=1e-9)


def test_one_problem_one_budget_one_pair_is_nearly_welchs_test() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=8), 1.5 + 3 * rng.normal(size=8)
    rows = {"problem": ["p"] * 16, "algorithm": ["A"] * 8 + ["B"] * 8, "run": [*range(8)] * 2, "budget": [1] * 16}
    [pair] = over_runs(rows | {"score": [*x, *y]}, n_resamples=99_999, grid=[1.0]).pairs
    welch = float(ttest_ind(x, y, equal_var=False).pvalue)
    assert float(pair.pvalue[0]) == pytest.approx(welch, rel=1e-6)
    assert float(pair.adjusted[0]) == pytest.approx(
        welch, abs=0.01
    )  # drawn, errors at most 0.002, and of two variances


@pytest.mark.parametrize("seed", [0, 1])
def test_rows_in_any_order_give_the_same_answer(seed: int) -> None:
    rows = table(n=3, r=4)
    order = np.random.default_rng(seed).permutation(len(rows["score"]))
    mixed = {name: [column[i] for i in order] for name, column in rows.items()}
    again = over_runs(mixed)
    for one in over_runs(rows).pairs:
        two = again.pair(one.a, one.b)
        np.testing.assert_array_equal(one.adjusted, two.adjusted)
        np.testing.assert_array_equal(one.statistic, two.statistic)


@pytest.mark.slow
def test_a_drawn_variance_is_as_variable_as_its_degrees_of_freedom_say() -> None:
    rows = np.random.default_rng(1).normal(size=(40, 3))
    for df in (2.5, 30.0):
        curve = curve_tests.MeanCurve(variances=(rows**2).sum(axis=0), df=df, factor=rows)
        curves, variances = curve.drawn(np.random.default_rng(2), 40_000)
        np.testing.assert_allclose(curves.var(axis=0), curve.variances, rtol=0.05)
        np.testing.assert_allclose(variances.mean(axis=0), curve.variances, rtol=0.05)
        np.testing.assert_allclose(variances.var(axis=0) / curve.variances**2, 2 / df, rtol=0.1)
        assert (variances >= 0).all()


def test_a_lead_is_shown_of_other_runs_of_these_problems() -> None:
    found = over_runs(table(lead=20.0))
    assert found.decision == "difference"
    assert found.verdict.endswith("from budget 1 to 6, for other runs of these problems.")
    assert found.unit == "run"
    assert found.n_units == 20
    assert found.request["unit"] is None
    turned = over_runs(table(lead=20.0), better="higher").pairs[0]
    assert turned.verdict == "B better from budget 1 to 6"
    assert bo.curves(table(), better="lower", over="both").verdict.endswith(
        "for other problems with runs of their own."
    )


def test_runs_that_never_vary_are_told_apart_where_exchanging_them_rarely_would() -> None:
    """Each pair of four problems is separated so in (2/C(10, 5))⁴ of all exchanges; 18 pairs and budgets."""

    def constant(rows: Rows) -> bo.Curves:
        return over_runs(rows | {"score": [float("ABC".index(name)) for name in rows["algorithm"]]})

    found = constant(table())
    assert found.decision == "difference"
    assert found.pair("B", "A").verdict == "A better from budget 1 to 6"
    assert found.pair("A", "B").pvalue == pytest.approx([(2 / 252) ** 4] * 6)
    assert found.pair("A", "B").adjusted == pytest.approx([18 * (2 / 252) ** 4] * 6)
    assert "no-variation" in [caution.code for caution in found.cautions]
    few = constant(table(n=1, r=3))  # 18 · 2/C(6, 3) is above 1
    assert few.decision == "none"
    assert few.pair("A", "B").pvalue == pytest.approx([0.1] * 6)


def test_equal_runs_that_never_vary_do_not_differ() -> None:
    rows = table(r=7)
    found = over_runs(rows | {"score": [0.1] * len(rows["score"])})
    assert found.decision == "none"
    assert all((pair.pvalue == 1).all() for pair in found.pairs)


def test_runs_that_share_a_process_are_cautioned(tmp_path: Path) -> None:
    rows = table()
    found = over_runs(rows | {"run_kind": ["iteration"] * len(rows["score"])})
    assert "dependence" in [caution.code for caution in found.cautions]
    found.save(path := tmp_path / "curves.json")
    assert verify(path).ok
    assert "dependence" not in [caution.code for caution in over_runs(rows).cautions]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ParameterError, match="over='runs' counts runs"):
        over_runs(table(), unit="problem")
    with pytest.raises(ParameterError, match="must be 'mean' with over='runs'"):
        over_runs(table(), cell="median")
    with pytest.raises(ScoreError, match="one run of 'A' on 'p0'"):
        over_runs(table(cut=4))
    with pytest.raises(ParameterError, match="over"):
        over_runs(table(), over="run")


def test_a_report_is_verified_from_its_runs(tmp_path: Path) -> None:
    over_runs(table(lead=2.0)).save(path := tmp_path / "curves.json")
    assert verify(path).ok


def test_errors_are_drawn_as_those_of_so_few_runs() -> None:
    """V̂ ν/V is χ² with ν degrees of freedom, exactly up to 20 of them."""
    rows = np.random.default_rng(2).normal(size=(16, 1))
    curve = MeanCurve.of(rows, (rows**2).sum(axis=0), np.array([15.0]))
    curves, variances = curve.drawn(np.random.default_rng(3), 20_000)
    assert kstest(15 * variances[:, 0] / curve.variances[0], chi2(15).cdf).pvalue > 0.01
    assert kstest(curves[:, 0] / np.sqrt(curve.variances[0]), norm.cdf).pvalue > 0.01
