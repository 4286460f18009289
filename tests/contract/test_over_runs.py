"""over="runs": problems as given, runs of them drawn again."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.means.run_means import run_means, run_pairs
from bakeoff.means.strata import drawn_runs


def runs(n: int = 6, k: int = 3, r: int = 4, seed: int = 0) -> bo.Scores:
    rng = np.random.default_rng(seed)
    return bo.Scores(np.exp(rng.normal(size=(n, k, r)) * 0.4 + np.arange(k)[:, None] * 0.3), better="lower")


def long(cells: dict[tuple[str, str], list[float | None]]) -> dict[str, list[object]]:
    """A row per run; None is a timeout."""
    rows = [(*cell, r, x, "ok" if x is not None else "timeout") for cell, xs in cells.items() for r, x in enumerate(xs)]
    return {name: [row[i] for row in rows] for i, name in enumerate(("problem", "algorithm", "run", "time", "status"))}


def ragged() -> bo.Scores:
    cells = {("p", "a"): [1, 2, 4], ("p", "b"): [3, 8], ("q", "a"): [2, 2], ("q", "b"): [1, 5, 6]}
    return bo.read_scores(long(cells), better="lower", status="status")  # type: ignore[arg-type]


# --- profiles ---------------------------------------------------------------------------------------------------------


def test_each_run_has_a_distance_and_each_problem_counts_equally() -> None:
    found = bo.profile(ragged(), over="runs")
    # the best runs are 1 and 1; a has ratios (1, 2, 4) and (2, 2), b (3, 8) and (1, 5, 6)
    assert found.at([1, 2, 4, 8]).tolist() == [
        pytest.approx([1 / 6, 1 / 3 + 1 / 2, 1, 1]),
        pytest.approx([1 / 6, 1 / 6, 1 / 4 + 1 / 6, 1]),
    ]
    assert found.solved.tolist() == [1.0, 1.0]


def test_failed_runs_count_each_by_itself() -> None:
    cells = {(p, a): [1.0, None] if a == "a" else [2.0, 3.0] for p in "pq" for a in "ab"}
    scores = bo.read_scores(long(cells), better="lower", status="status", missing="keep")  # type: ignore[arg-type]
    found = bo.profile(scores, over="runs")
    assert found.solved.tolist() == [0.5, 1.0]
    assert "2 runs" in next(c.text for c in found.cautions if c.name == "counted-as-worst (ratios)")


@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.parametrize("over", ["runs", "both", "problems"])
def test_a_distribution_of_scores_is_the_share_of_runs_that_reach_them(over: str, better: str) -> None:
    scores = bo.Scores(runs().runs - 1.5, better=better)  # type: ignore[operator,arg-type]
    found = bo.profile(scores, "score", over=over, n_resamples=99)  # type: ignore[arg-type]
    rows = scores.values[:, :, None] if over == "problems" else scores.runs
    assert rows is not None
    taus = [-9.0, -0.5, float(rows[0, 0, 0]), 0.0, 0.75, 9.0]
    reached = [(rows <= tau if better == "lower" else rows >= tau).mean(axis=(0, 2)) for tau in taus]
    assert found.at(taus) == pytest.approx(np.transpose(reached))
    assert found.at(found.tau) == pytest.approx(found.share)
    assert (np.diff(found.tau) > 0).all() == (better == "lower")
    assert found.flips == ()
    turned = bo.profile(bo.Scores(-scores.runs, better="higher" if better == "lower" else "lower"), "score", over=over)  # type: ignore[operator,arg-type]
    assert turned.tau.tolist() == (-found.tau).tolist()
    assert turned.share.tolist() == found.share.tolist()


def test_two_distributions_are_furthest_apart_at_a_score() -> None:
    found = bo.profile(
        bo.Scores([[[0.9, 0.8], [0.2, 0.3]], [[0.7, 0.9], [0.1, 0.4]]], better="higher"), "score", over="runs"
    )
    assert found.swap is not None
    assert (found.swap.statistic, found.swap.tau) == (1.0, 0.7)
    assert (
        "at τ = 0.7, where they are furthest apart, A1 reaches it on 100 % and A2 on 0 % of the runs" in found.verdict
    )


@pytest.mark.parametrize("over", ["runs", "both"])
def test_equal_runs_of_equal_numbers_are_rows_of_a_table(over: str) -> None:
    """Where every cell has as many runs, the curve is that of a table with a row per problem and run."""
    scores = runs()
    best = scores.runs.min(axis=(1, 2))  # type: ignore[union-attr]
    ratios = scores.runs / best[:, None, None]  # type: ignore[operator]
    found = bo.profile(scores, over=over)  # type: ignore[arg-type]
    for tau in (1.0, 1.5, 2.0, 4.0):
        assert found.at(tau) == pytest.approx((ratios <= tau * (1 + 1e-12)).mean(axis=(0, 2)))


def test_the_exchange_of_runs_agrees_with_all_exchanges() -> None:
    scores = ragged()
    found = bo.profile(scores, over="runs", n_resamples=20_000).swap
    assert found is not None
    ratios = [np.array([1.0, 2, 4, 3, 8]), np.array([2.0, 2, 1, 5, 6])]
    taus = np.unique(np.concatenate(ratios))

    def gap(of_a: tuple[tuple[int, ...], ...]) -> float:
        total = np.zeros(len(taus))
        for values, mine in zip(ratios, of_a, strict=True):
            a, b = values[list(mine)], np.delete(values, list(mine))
            total += (a[:, None] <= taus).mean(axis=0) - (b[:, None] <= taus).mean(axis=0)
        return float(np.abs(total).max()) / 2

    gaps = [
        gap(pair)
        for pair in itertools.product(itertools.combinations(range(5), 3), itertools.combinations(range(5), 2))
    ]
    observed = gap(((0, 1, 2), (0, 1)))
    p = np.mean([each >= observed - 1e-12 for each in gaps])
    assert found.statistic == pytest.approx(observed)
    assert found.pvalue == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / 20_000))


def test_runs_drawn_again_vary_as_their_mean_does() -> None:
    """Rao and Wu: without the rescaling the variance of a mean of r runs is (r − 1)/r of what it should be."""
    x = np.array([1.0, 4.0, 9.0])
    means = drawn_runs(3, 200_000, np.random.default_rng(1)) @ x / 3
    assert means.mean() == pytest.approx(x.mean(), rel=0.01)
    assert means.var() == pytest.approx(x.var(ddof=1) / 3, rel=0.02)


def test_curves_of_several_runs_are_counted_by_run() -> None:
    rows = [
        (p, a, r, t, 10 / t * (1 + r) * (1 + (a == "b")))
        for p in "xyz"
        for a in "ab"
        for r in range(3)
        for t in (1, 2, 5, 10)
    ]
    table = {
        name: [row[i] for row in rows] for i, name in enumerate(("problem", "algorithm", "run", "budget", "score"))
    }
    curves = bo.curves(table, better="lower")
    both, alone = (bo.profile(curves, "data", tolerance=0.2, over=over) for over in ("both", "problems"))  # type: ignore[arg-type]
    assert both.scores.n_problems == 3
    of_runs = bo.profile(curves, "data", tolerance=0.2, over="runs")
    assert both.share == pytest.approx(alone.share)
    assert of_runs.share == pytest.approx(alone.share)


@pytest.mark.parametrize("call", [bo.profile, bo.leaderboard])
def test_one_run_shows_no_variation(call: object) -> None:
    with pytest.raises(ScoreError, match=r"one run cannot show how runs vary; make more, or use over='problems'"):
        call(bo.datasets.load("demsar_2006"), over="runs")  # type: ignore[operator]
    with pytest.raises(ParameterError, match="over"):
        call(runs(), over="tasks")  # type: ignore[operator]


# --- means ------------------------------------------------------------------------------------------------------------


def test_a_pair_on_one_problem_is_welch() -> None:
    """SciPy's Welch test: statistic, degrees of freedom, p and interval."""
    scores = bo.Scores([[[3.1, 4.0, 2.2, 5.9], [1.0, 2.5, 1.7, 1.1]]], ["a", "b"], better="higher")
    pair = bo.leaderboard(scores, over="runs").pairs[0]
    a, b = scores.runs[0]  # type: ignore[index]
    welch = stats.ttest_ind(a, b, equal_var=False)
    assert (pair.statistic, pair.df, pair.pvalue) == pytest.approx((welch.statistic, welch.df, welch.pvalue), rel=1e-12)
    assert pair.adjusted == pair.pvalue
    assert pair.interval == pytest.approx(tuple(welch.confidence_interval()), rel=1e-12)
    assert pair.simultaneous == pytest.approx(pair.interval, rel=1e-12)


def test_the_error_over_problems_is_that_of_the_sum() -> None:
    scores = ragged()
    found = bo.leaderboard(scores, over="runs")
    cells = [[x[~np.isnan(x)] for x in row] for row in scores.runs]  # type: ignore[union-attr]
    for j, name in enumerate(scores.algorithms):
        parts = [np.var(row[j], ddof=1) / len(row[j]) / 4 for row in cells]
        one = found.evaluation.estimate(name)
        assert one.standard_error == pytest.approx(math.sqrt(sum(parts)), rel=1e-12)
        assert one.df == pytest.approx(
            sum(parts) ** 2 / sum(v**2 / (len(row[j]) - 1) for v, row in zip(parts, cells, strict=True))
        )


@pytest.mark.parametrize("seed", range(4))
def test_with_unequal_runs_errors_are_at_least_students(seed: int) -> None:
    """Against SciPy on one problem; three runs that happen to be alike are the larger error's case."""
    rng = np.random.default_rng(seed)
    few, many = (0.01 if seed else 5.0) * rng.normal(size=3), rng.normal(size=20)
    cells = np.full((1, 2, 20), np.nan)
    cells[0, 0, :3], cells[0, 1] = few, many
    found = bo.leaderboard(bo.Scores.from_cells(cells, ["a", "b"], ["p"], better="lower", holes=True), over="runs")
    [pair] = found.evaluation.pairs
    student, welch = (stats.ttest_ind(few, many, equal_var=equal) for equal in (True, False))
    assert abs(pair.statistic) == pytest.approx(min(abs(student.statistic), abs(welch.statistic)))
    assert pair.df == pytest.approx(min(student.df, welch.df))
    assert pair.pvalue >= max(student.pvalue, welch.pvalue) * (1 - 1e-9)


@pytest.mark.slow
def test_with_equal_variances_the_largest_t_is_the_studentized_range() -> None:
    """With 400 runs each: Tukey's q has a pooled variance, and fewer runs would show that."""
    base = np.random.default_rng(3).normal(size=400)
    base = (base - base.mean()) / base.std(ddof=1)
    found = run_means(np.stack([base, base, base])[None])
    pairs = run_pairs(
        found, (np.array([0, 0, 1]), np.array([1, 2, 2])), 0.05, [0, 1, 2], 40_000, np.random.default_rng(0)
    )
    assert pairs.critical == pytest.approx(stats.studentized_range.ppf(0.95, 3, 1197) / math.sqrt(2), abs=0.02)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_where_nothing_varies_exchanging_runs_decides(n: int) -> None:
    """Two runs against two are apart in 2 of C(4, 2) exchanges on each problem."""
    scores = bo.Scores([[[1.0, 1.0], [2.0, 2.0]]] * n, better="lower")
    found = bo.leaderboard(scores, over="runs")
    assert found.pairs[0].pvalue == pytest.approx((1 / 3) ** n)
    assert (found.pairs[0].verdict == "a better") == (n == 3)
    assert found.pairs[0].simultaneous is None
    assert "no-variation" in {c.code for c in found.cautions}
    equal = bo.leaderboard(bo.Scores(np.ones((3, 2, 2)), better="lower"), over="runs")
    assert equal.pairs[0].pvalue == 1.0


def test_three_constant_algorithms_pay_for_three_pairs() -> None:
    scores = bo.Scores([[[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]] * 4, better="lower")
    assert [p.adjusted for p in bo.leaderboard(scores, over="runs").pairs] == pytest.approx([3 / 3**4] * 3)


def test_order_of_rows_columns_and_runs_does_not_matter() -> None:
    scores = runs(5, 4, 3)
    values = scores.runs[::-1, ::-1, ::-1]  # type: ignore[index]
    turned = bo.Scores(values, scores.algorithms[::-1], scores.problems[::-1], better="lower")
    one, other = (bo.leaderboard(s, over="runs") for s in (scores, turned))
    for pair in one.pairs:
        assert pair == other.pair(pair.a, pair.b)
    assert one.winner == other.winner


@pytest.mark.slow
def test_bands_do_not_depend_on_the_order_either() -> None:
    values = np.exp(np.random.default_rng(5).normal(size=(2, 3, 40)))  # wide enough for the bootstrap to decide
    one, turned = (bo.profile(bo.Scores(v, better="lower"), over="runs") for v in (values, values[::-1, ::-1, ::-1]))
    assert turned.half_widths[::-1] == pytest.approx(one.half_widths, abs=1e-12)


def test_powers_of_ten_do_not_matter() -> None:
    one, other = (bo.leaderboard(bo.Scores(runs().runs * c, better="lower"), over="runs") for c in (1.0, 2.0**600))  # type: ignore[operator]
    assert [p.adjusted for p in one.pairs] == [p.adjusted for p in other.pairs]
    assert other.winner.value == one.winner.value * 2.0**600


@pytest.mark.parametrize("over", ["runs", "both"])
def test_the_gap_of_two_profiles_is_that_of_their_curves(over: str) -> None:
    """Where numbers of runs differ, equal distances of two runs do not cancel."""
    cells = np.random.default_rng(4).integers(1, 4, size=(5, 2, 9)).astype(float)
    cells[:, 0, 2:] = np.nan
    scores = bo.Scores.from_cells(cells, ["a", "b"], [*"pqrst"], better="lower", holes=True)
    found = bo.profile(scores, over=over)  # type: ignore[arg-type]
    assert found.swap is not None
    assert found.swap.statistic == pytest.approx(float(np.abs(found.share[0] - found.share[1]).max()))


def test_what_means_over_runs_do_not_take() -> None:
    with pytest.raises(ParameterError, match="mean-rank"):
        bo.leaderboard(runs(), over="runs", by="mean-rank")
    with pytest.raises(ParameterError, match="unit"):
        bo.leaderboard(runs(), over="runs", unit="problem")


def test_both_has_the_numbers_of_problems() -> None:
    one, other = (bo.leaderboard(runs(), over=over) for over in ("problems", "both"))  # type: ignore[arg-type]
    assert one.pairs == other.pairs
    assert str(other) != str(one)


@pytest.mark.parametrize("command", ["profile", "leaderboard"])
@pytest.mark.parametrize("over", ["runs", "both"])
def test_reports_can_be_verified(command: str, over: str, tmp_path: Path) -> None:
    report, table = tmp_path / "r.json", tmp_path / "t.csv"
    cells = {
        (p, a): list(cell)
        for p, row in zip(runs().problems, runs().runs, strict=True)
        for a, cell in zip("xyz", row.tolist(), strict=True)
    }  # type: ignore[arg-type]
    columns = long(cells)
    table.write_text("\n".join(",".join(map(str, row)) for row in (columns, *zip(*columns.values(), strict=True))))
    done = CliRunner().invoke(main, [command, str(table), "--better", "lower", "--over", over, "--report", str(report)])
    assert done.exit_code == 0, done.output
    assert "runs" in done.output
    assert bo.verify(report, table).ok
