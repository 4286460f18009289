"""Recipes with a control print the tables of their papers: three rankings, and the multiple sign test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.compare.statistics import Comparison
from oracles import published


@pytest.fixture(scope="module")
def result() -> Comparison:
    return bo.compare(bo.datasets.load("derrac_cec2005"), control="DE-Exp", recipe="derrac-2011")


def table(result: Comparison, step: str) -> dict[str, tuple[Any, ...]]:
    found = next(one.table for one in result.steps if one.name == step)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("step", "pairwise"), [("iman-davenport", "mean-ranks"), ("aligned", "aligned"), ("quade", "quade")]
)
def test_each_ranking_is_that_of_its_own_comparison(result: Comparison, step: str, pairwise: str) -> None:
    columns = table(result, step)
    own = bo.compare(
        result.scores, control="DE-Exp", omnibus="friedman" if step == "iman-davenport" else step, pairwise=pairwise,
        standard_error="papers", posthoc=list(result.posthoc),
    )  # fmt: skip
    assert columns["algorithm"] == result.scores.algorithms
    assert columns["mean_rank"] == tuple(own.mean_ranks.tolist())
    for pair in own.pairs:
        row = columns["algorithm"].index(pair.b)
        assert (columns["z"][row], columns["pvalue"][row]) == (pair.statistic, pair.pvalue)
        assert {method: columns[method][row] for method in result.posthoc} == pair.adjusted
    control = columns["algorithm"].index("DE-Exp")
    assert columns["z"][control] is columns["pvalue"][control] is columns["holm"][control] is None


def test_derrac_table_11_by_one_command(result: Comparison) -> None:
    """Quade's column of those that D2 and D7 leave alone, to three decimals: the printed ranks."""
    printed = published.cells("derrac_table11")
    columns = table(result, "quade")
    for name in ("PSO", "CHC", "SS-BLX", "DE-Bin"):
        ours = columns["mean_rank"][columns["algorithm"].index(name)]
        cell = next(cell for (row, column), cell in printed.items() if name in (row, column) and "uade" in row + column)
        assert ours == pytest.approx(float(cell), abs=5e-4)


def test_counts_of_the_multiple_sign_test() -> None:
    scores = bo.datasets.load("garcia_2010")
    columns = table(bo.compare(scores, control="PDFC", recipe="garcia-2010"), "multiple-sign")
    own = bo.multiple_sign_test(scores, "PDFC")
    assert columns["algorithm"] == own.algorithms
    assert columns["wins"] == (8, 6, 4)
    assert columns["ties"] == (1, 0, 0)
    assert columns["critical_value"] == columns["printed_critical_value"] == (6, 6, 6)
    assert columns["rejected"] == tuple(own.rejected.tolist())


@pytest.mark.parametrize("suffix", ["md", "tex", "html", "json"])
def test_every_report_has_them(result: Comparison, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"r.{suffix}"
    result.save(path)
    text = path.read_text(encoding="utf-8")
    if suffix == "json":
        steps = {step["name"]: step["table"] for step in json.loads(text)["steps"]}
        assert steps["aligned"]["rom"][0] == table(result, "aligned")["rom"][0]
        assert steps["post-hoc"] is None
    else:
        for words in ("Multiple sign test: problems", "Mean ranks by each ranking", "aligned ranks", "157.16"):
            assert words in text


def test_two_algorithms_have_no_z_of_mean_ranks() -> None:
    scores = bo.Scores(np.random.default_rng(1).normal(size=(12, 2)), ["a", "b"], better="lower")
    found = bo.compare(scores, control="a", recipe="derrac-2011")
    assert next(step.table for step in found.steps if step.name == "iman-davenport") is None


def test_infinite_scores_leave_the_other_rankings_out() -> None:
    values = np.random.default_rng(1).normal(size=(12, 3))
    values[0, 1] = np.inf
    found = bo.compare(bo.Scores(values, ["a", "b", "c"], better="lower"), control="a", recipe="derrac-2011")
    tables = {step.name: step.table for step in found.steps}
    assert tables["aligned"] is tables["quade"] is None
    assert tables["iman-davenport"] is not None
