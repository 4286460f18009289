"""Interquartile means along the budget: rliable's values, the intervals of ``interquartile_mean``, and bands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import trim_mean

import bakeoff as bo
from bakeoff.cli import main

BUDGETS = (1.0, 2.0, 5.0, 10.0, 20.0)


def table(rng: np.random.Generator, n: int = 6, k: int = 3, runs: tuple[int, ...] = (5,)) -> list[dict[str, Any]]:
    rows = []
    for i in range(n):
        for j in range(k):
            for r in range(runs[(i + j) % len(runs)]):
                walk = i + j + np.cumsum(rng.normal(size=len(BUDGETS)))
                rows += [
                    {"problem": f"p{i}", "algorithm": f"a{j}", "run": r, "budget": b, "score": float(y)}
                    for b, y in zip(BUDGETS, walk, strict=True)
                ]
    return rows


def along(rows: list[dict[str, Any]], **options: Any) -> bo.Curves:
    known: dict[str, Any] = {
        "better": "higher",
        "best_so_far": False,
        "over": "runs",
        "interquartile": True,
        "n_resamples": 199,
    }
    return bo.curves(rows, **(known | options))


@pytest.mark.parametrize("runs", [(5,), (2,)])
def test_values_are_those_of_rliable(runs: tuple[int, ...]) -> None:
    """rliable 1.2.0, metrics.aggregate_iqm: ``scipy.stats.trim_mean(scores, proportiontocut=0.25, axis=None)``."""
    rows = table(np.random.default_rng(1), runs=runs)
    for one in along(rows).interquartile:
        for at, budget in enumerate(BUDGETS):
            scores = [r["score"] for r in rows if r["algorithm"] == one.algorithm and r["budget"] == budget]
            assert one.mean[at] == pytest.approx(trim_mean(scores, 0.25), rel=1e-12)


@pytest.mark.parametrize("runs", [(5,), (3, 4, 6)])
def test_intervals_of_a_budget_are_those_of_interquartile_mean(runs: tuple[int, ...]) -> None:
    found = along(table(np.random.default_rng(2), runs=runs))
    for at, budget in enumerate(BUDGETS):
        alone = bo.interquartile_mean(found.fixed_budget(budget), over="runs")
        for one, estimate in zip(found.interquartile, alone.estimates, strict=True):
            assert (one.low[at], one.high[at]) == pytest.approx(estimate.interval, rel=1e-9)
            assert one.band_low[at] < one.low[at] < one.mean[at] < one.high[at] < one.band_high[at]


def test_a_band_at_one_budget_is_its_interval_but_for_the_draws() -> None:
    found = along(table(np.random.default_rng(3)), grid=[20.0], n_resamples=20_000)
    for one in found.interquartile:
        assert (one.band_high - one.band_low) / (one.high - one.low) == pytest.approx(1.0, abs=0.05)


def test_neither_the_order_of_rows_nor_other_algorithms_matter() -> None:
    rows = table(np.random.default_rng(4))
    mixed = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    one, two = along(rows), along(mixed)
    of = {curve.algorithm: curve for curve in two.interquartile}
    for curve in one.interquartile:
        np.testing.assert_allclose(curve.band_low, of[curve.algorithm].band_low, rtol=1e-9)
    first = along([row for row in rows if row["algorithm"] != "a2"]).interquartile[0]
    np.testing.assert_allclose(first.band_high, one.interquartile[0].band_high, rtol=1e-9)


def test_large_and_tiny_scores_scale() -> None:
    rows = table(np.random.default_rng(5))
    usual = along(rows).interquartile[1]
    for factor in (2.0**900, 2.0**-900):
        scaled = along([row | {"score": row["score"] * factor} for row in rows]).interquartile[1]
        np.testing.assert_allclose(scaled.band_high / factor, usual.band_high, rtol=1e-12)


def test_a_middle_of_one_value_has_no_interval_and_is_cautioned() -> None:
    rows = [row | {"score": 0.0} if row["budget"] == 1 else row for row in table(np.random.default_rng(6))]
    found = along(rows)
    assert all(one.low[0] == one.high[0] == one.band_low[0] == 0 for one in found.interquartile)
    [caution] = [c for c in found.cautions if c.code == "middle-constant"]
    assert "At some budget the middle half of the runs of a0, a1, a2 is one value" in caution.text
    assert "too-few" in {c.code for c in found.cautions}


@pytest.mark.parametrize("over", ["problems", "both"])
def test_it_is_over_runs_alone(over: str) -> None:
    rows = table(np.random.default_rng(7))
    with pytest.raises(bo.errors.ParameterError, match="interquartile is over runs, and needs over='runs'"):
        along(rows, over=over)
    with pytest.raises(bo.errors.ParameterError, match="interquartile must be True or False"):
        along(rows, interquartile="yes")
    assert along(rows, interquartile=False).interquartile == ()


def test_a_report_is_computed_again_and_a_forged_band_found(tmp_path: Path) -> None:
    found, path = along(table(np.random.default_rng(8))), tmp_path / "found.json"
    found.save(path)
    assert bo.verify(path).ok
    text = path.read_text()
    value = repr(float(found.interquartile[0].band_low[2]))
    assert value in text
    path.write_text(text.replace(value, repr(float(found.interquartile[0].band_low[2]) - 0.25)))
    assert not bo.verify(path).ok


def test_the_command_prints_the_means_at_two_budgets(tmp_path: Path) -> None:
    rows, path = table(np.random.default_rng(9)), tmp_path / "runs.csv"
    path.write_text("\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]) + "\n")
    command = ["curves", str(path), "--better", "higher", "--latest", "--over", "runs", "--interquartile"]
    output = CliRunner().invoke(main, command).output
    assert "Interquartile means along the budget" in output
    assert "band at 20" in output
    refused = CliRunner().invoke(main, [part for part in command if part not in ("--over", "runs")])
    assert refused.exit_code != 0
    assert "--interquartile is over runs" in refused.output
