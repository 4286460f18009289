"""Interquartile means: rliable 1.2.0's numbers, slow twins, equivariance, coverage, the command and its report."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import trim_mean, ttest_ind

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import BakeoffError, ScoreError
from bakeoff.means.strata import one_stratum
from bakeoff.means.trimmed_means import spread_over_runs, trimmed_mean
from bakeoff.wings.boards.iqm.statistics import CellRuns, resampled_aggregates

DATA = Path(__file__).parent / "data" / "formats"


def rliable_table() -> bo.Scores:
    """5 runs of one algorithm and 6 of another on 10 tasks."""
    five, six = (np.loadtxt(DATA / f"rliable_scores_{n}x10.csv", delimiter=",") for n in (5, 6))
    runs = np.full((10, 2, 6), np.nan)
    runs[:, 0, :5], runs[:, 1] = five.T, six.T
    tasks = [f"task {i}" for i in range(10)]
    return bo.Scores.from_cells(runs, ["five", "six"], tasks, better="higher")


def test_rliables_aggregates() -> None:
    found = bo.interquartile_mean(rliable_table(), over="runs")
    five = found.estimates[0]
    assert five.iqm == pytest.approx(0.35335697367921426, abs=1e-15)
    assert five.mean == pytest.approx(0.3723033198065223, abs=1e-15)
    assert five.median == pytest.approx(0.4140699756009061, abs=1e-15)
    assert five.optimality_gap == pytest.approx(0.6276966801934778, abs=1e-15)
    assert found.pairs[0].p_improvement == pytest.approx(1 - 0.6533333333333333, abs=1e-15)
    assert bo.a12(rliable_table(), "six", "five").estimate == pytest.approx(0.6533333333333333, abs=1e-15)


@pytest.mark.slow
@pytest.mark.parametrize(("over", "interval"), [("runs", (0.3018, 0.4140)), ("tasks", (0.2644, 0.4551))])
def test_rliables_percentiles(over: str, interval: tuple[float, float]) -> None:
    """50,000 resamples there and 20,000 here, each with Monte Carlo error about .001."""
    found = bo.interquartile_mean(rliable_table(), over=over, interval="percentile", n_resamples=20_000, rng=1)  # type: ignore[arg-type]
    assert found.estimates[0].interval == pytest.approx(interval, abs=0.003)


def test_the_same_seed_gives_the_same_intervals_and_another_does_not() -> None:
    """rliable ignores its random_state."""
    one, same, other = (
        bo.interquartile_mean(rliable_table(), interval="percentile", n_resamples=500, rng=seed) for seed in (7, 7, 8)
    )
    assert one.estimates == same.estimates
    assert one.estimates != other.estimates


@pytest.mark.parametrize("shape", [(3, 4), (2, 10), (10, 5), (7, 1), (5, 9)])
def test_the_slow_twin_of_the_trimmed_mean_and_its_error(shape: tuple[int, int]) -> None:
    """SciPy's trimmed mean; what the estimate loses when a run moves a little, times N − 2g."""
    rng = np.random.default_rng(shape[0])
    runs = rng.normal(size=shape)
    found = trimmed_mean(runs, cut=True)
    assert found.value == pytest.approx(trim_mean(runs.ravel(), 0.25), abs=1e-14)
    held = np.clip(runs, *np.sort(runs.ravel())[[runs.size // 4, runs.size - 1 - runs.size // 4]])
    moved = held - held.mean()
    kept = runs.size - 2 * (runs.size // 4)
    np.testing.assert_allclose(found.by_problem, moved.sum(axis=1) / kept, atol=1e-14)
    if shape[1] > 1:
        middle = np.sort(runs.ravel())[runs.size // 4 : runs.size - runs.size // 4]
        of_each = [shape[1] if shape[0] > 3 else max(2, np.isin(row, middle).sum()) for row in runs]
        slow = [h / (h - 1) * ((row - row.mean()) ** 2).sum() / kept**2 for h, row in zip(of_each, held, strict=True)]
        np.testing.assert_allclose(found.variances, slow, rtol=1e-12)


def repeated(runs: Any, shares: Any) -> tuple[float, float]:
    """Interquartile mean and mean of runs (T, R) with NaN, each repeated as often as its weight says."""
    known = ~np.isnan(runs)
    counts = known.sum(axis=1)
    n, common = int(counts.sum()), int(np.lcm.reduce(counts))
    times = n * common // counts * shares
    every = np.repeat(runs[known], np.broadcast_to(times[:, None], runs.shape)[known])
    cut = n // 4 * len(every) // n
    kept = np.sort(every)[cut : len(every) - cut]
    return float(kept.mean()), float(every.mean())


@pytest.mark.parametrize("shares", [(1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 2, 2), (5, 1, 1, 1, 1, 1)])
def test_the_slow_twin_with_weights(shares: tuple[int, ...]) -> None:
    rng = np.random.default_rng(3)
    runs = rng.normal(size=(6, 10))
    for row, count in enumerate((10, 2, 3, 6, 1, 5)):
        runs[row, count:] = np.nan
    own = np.array(shares)
    share = None if own.max() == 1 else own / own.sum()
    found = [trimmed_mean(runs, cut, share).value for cut in (True, False)]
    assert found == pytest.approx(repeated(runs, own), rel=1e-12)


def test_a_problem_with_ten_runs_counts_as_one_with_two() -> None:
    """A is ahead by 1 on six problems with 10 runs, B by 1.2 on six with 2: it was "A is better", p < 10⁻⁷."""
    rng = np.random.default_rng(0)
    runs = 0.05 * rng.normal(size=(12, 2, 10)) + np.arange(12)[:, None, None] / 100
    runs[:6, 0] += 1.0
    runs[6:, 1] += 1.2
    runs[6:, :, 2:] = np.nan
    scores = bo.Scores.from_cells(runs, ["A", "B"], [f"p{i}" for i in range(12)], better="higher")
    found = bo.interquartile_mean(scores)
    means = [e.mean for e in bo.evaluate(scores).estimates]
    assert [e.mean for e in found.estimates] == pytest.approx(means, rel=1e-12)
    assert [e.iqm for e in found.estimates] == pytest.approx(
        [repeated(runs[:, j], np.ones(12, int))[0] for j in (0, 1)], rel=1e-12
    )
    assert found.pairs[0].verdict == "no difference shown"
    assert bo.verify(found).ok
    drawn = bo.interquartile_mean(scores, interval="percentile", n_resamples=400)
    assert drawn.estimates[0].mean_interval == pytest.approx(found.estimates[0].mean_interval, abs=0.15)


@pytest.mark.parametrize("over", ["problems", "runs"])
@pytest.mark.parametrize("interval", ["t", "percentile"])
def test_weights_are_those_of_the_table(over: Any, interval: Any) -> None:
    rng = np.random.default_rng(1)
    runs = rng.normal(size=(24, 2, 3))
    runs[20:, 1] += 5
    names = [f"p{i}" for i in range(24)]
    about = {"better": "higher", "tasks": ["many"] * 20 + ["few"] * 4, "clusters": [f"c{i // 2}" for i in range(24)]}
    scores = bo.Scores.from_cells(runs, ["A", "B"], names, **about)
    for weights, shares in (("tasks", [1] * 20 + [5] * 4), ("problems", [1] * 24), ("clusters", [1] * 24)):
        table = scores.with_design(weights=weights)
        found = bo.interquartile_mean(table, over=over, interval=interval, n_resamples=200)
        for j, one in enumerate(found.estimates):
            assert (one.iqm, one.mean) == pytest.approx(repeated(runs[:, j], np.array(shares)), rel=1e-12)
            assert one.mean == pytest.approx(bo.evaluate(table).estimates[j].mean, rel=1e-12)
            assert one.interval[0] < one.iqm < one.interval[1]
        won = (runs[:, 0][:, :, None] > runs[:, 1][:, None]).mean(axis=(1, 2))
        assert found.pairs[0].p_improvement == pytest.approx(np.average(won, weights=shares), rel=1e-12)
        said = " ".join(str(found).split())
        assert f"each {weights[:-1]} counting the same" in said
        assert ("for other runs of these problems" in said) == (over == "runs")
        assert bo.verify(found).ok


def test_a_task_of_one_problem_keeps_its_weight_and_nothing_is_told() -> None:
    rng = np.random.default_rng(2)
    tasks = ["many"] * 9 + ["one"]
    scores = bo.Scores(rng.normal(size=(10, 3, 2)), better="higher", tasks=tasks)
    for interval in ("t", "percentile"):
        found = bo.interquartile_mean(scores, interval=interval, n_resamples=100)  # type: ignore[arg-type]
        assert {pair.verdict for pair in found.pairs} == {"cannot tell"}
        assert found.estimates[0].interval == (-math.inf, math.inf)
        assert "out-of-reach" in {caution.code for caution in found.cautions}
        assert str(found)
        assert bo.verify(found).ok


def test_one_run_of_each_task_has_the_error_of_tukey_and_mclaughlin() -> None:
    """SSD of the Winsorized values over h(h − 1), h − 1 degrees of freedom: of eight tasks four are kept."""
    x = np.random.default_rng(5).normal(size=(8, 2))
    found = bo.interquartile_mean(bo.Scores(x, better="higher"))
    for estimate, column in zip(found.estimates, x.T, strict=True):
        held = np.clip(column, *np.sort(column)[[2, 5]])
        assert estimate.standard_error == pytest.approx(
            math.sqrt(((held - held.mean()) ** 2).sum() / (4 * 3)), rel=1e-12
        )
        assert estimate.df == 3


@pytest.mark.slow
def test_ten_alike_algorithms_on_eight_tasks() -> None:
    """One normal run of each: T/(T − 1) and T − 1 degrees of freedom found a difference in 27 % of tables at 5 %."""
    rng, tables = np.random.default_rng(6), 120
    false = 0
    for _ in range(tables):
        x = rng.normal(size=(8, 1)) + 0.3 * rng.normal(size=(8, 10))
        found = bo.interquartile_mean(bo.Scores(x, better="higher"))
        false += any(pair.verdict != "no difference shown" for pair in found.pairs)
    assert false / tables <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / tables)


def test_the_error_over_runs_is_that_of_a_mean_where_nothing_is_cut() -> None:
    runs = np.random.default_rng(0).normal(size=(4, 6))
    found = trimmed_mean(runs, cut=False)
    assert found.variances.sum() == pytest.approx(np.mean(np.var(runs, axis=1, ddof=1) / 6) / 4, rel=1e-12)


def test_the_slow_twin_of_the_bootstrap() -> None:
    """The same runs, drawn and put together one resample at a time."""
    table = rliable_table()
    assert table.runs is not None
    about: dict[str, Any] = {
        "scores": table,
        "alpha": 0.05,
        "goal": 1.0,
        "higher": True,
        "shares": None,
        "equally": False,
    }
    strata = [one_stratum(np.arange(10))]
    own: Any = CellRuns(rows=np.arange(10), runs=table.runs, strata=strata, **about)
    drawn = resampled_aggregates(own, [0, 1], [(0, 1)], 40, np.random.default_rng(3))
    from bakeoff.randomness import streams

    stream = next(iter(streams(np.random.default_rng(3))))
    tasks = np.arange(10)[stream.integers(0, 10, (40, 10))]
    shares = [stream.random((40, 10, 6)) for _ in range(2)]
    for at in range(40):
        chosen = []
        for j, count in enumerate((5, 6)):
            chosen.append(
                [
                    [table.runs[t, j, int(u * count)] for u in shares[j][at, place][:count]]
                    for place, t in enumerate(tasks[at])
                ]
            )
            assert drawn.iqm[at, j] == pytest.approx(trim_mean(np.ravel(chosen[j]), 0.25), abs=1e-13)
        assert drawn.median[at, 0] == pytest.approx(np.median(np.mean(chosen[0], axis=1)), abs=1e-13)
        assert drawn.gap[at, 1] == pytest.approx(np.mean(np.maximum(1 - np.array(chosen[1]), 0)), abs=1e-13)
        wins = np.mean([np.greater.outer(x, y).mean() for x, y in zip(*chosen, strict=True)])
        assert drawn.improvement[at, 0] == pytest.approx(wins, abs=1e-13)


@pytest.mark.parametrize("over", ["runs", "tasks"])
@pytest.mark.parametrize("interval", ["t", "percentile"])
def test_direction_and_order_change_signs_alone(over: str, interval: str) -> None:
    rng = np.random.default_rng(1)
    runs = rng.normal(size=(6, 2, 5))
    options = {"over": over, "interval": interval, "n_resamples": 200}
    high = bo.interquartile_mean(bo.Scores(runs, better="higher"), **options)  # type: ignore[arg-type]
    low = bo.interquartile_mean(bo.Scores(-runs, better="lower"), **options)  # type: ignore[arg-type]
    assert low.pairs[0].difference == pytest.approx(high.pairs[0].difference, abs=1e-15)
    assert low.pairs[0].interval == pytest.approx(high.pairs[0].interval, abs=1e-12)
    assert low.pairs[0].p_improvement == high.pairs[0].p_improvement
    assert (high.goal, low.goal, low.estimates[0].optimality_gap) == (1.0, None, None)
    if interval == "t":
        turned = bo.interquartile_mean(bo.Scores(runs[:, ::-1], better="higher"), **options)  # type: ignore[arg-type]
        assert turned.pairs[0].difference == -high.pairs[0].difference
        assert turned.pairs[0].pvalue == pytest.approx(high.pairs[0].pvalue, rel=1e-12)


def test_the_same_tasks_make_differences_surer() -> None:
    rng = np.random.default_rng(2)
    level = rng.uniform(0, 1, (12, 1, 1))
    found = bo.interquartile_mean(bo.Scores(level + 0.02 * rng.normal(size=(12, 2, 5)), better="higher"))
    alone = math.hypot(*(estimate.standard_error for estimate in found.estimates))
    assert found.pairs[0].standard_error < alone / 5


def test_clusters_of_tasks_are_the_unit() -> None:
    rng = np.random.default_rng(3)
    runs = np.repeat(rng.normal(size=(6, 2, 1)), 3, axis=0) + 0.01 * rng.normal(size=(18, 2, 4))
    plain = bo.interquartile_mean(bo.Scores(runs, better="higher"))
    grouped = bo.interquartile_mean(bo.Scores(runs, better="higher", clusters=np.repeat(list("abcdef"), 3)))
    held = [np.unique(np.argsort(runs[:, j].ravel())[18:54] // 4) for j in (0, 1)]  # tasks with a run in the middle
    assert plain.pairs[0].df == min(len(each) for each in held) - 1
    assert grouped.pairs[0].df == min(len(np.unique(each // 3)) for each in held) - 1
    assert grouped.pairs[0].standard_error > 1.3 * plain.pairs[0].standard_error
    assert bo.verify(grouped).ok


@pytest.mark.parametrize("over", ["tasks", "runs"])
def test_the_smallest_scores_are_averaged_as_larger_ones(over: Any) -> None:
    """The goal, 1, is 10³²³ times these scores: "math range error"."""
    steps = np.random.default_rng(0).integers(1, 20, size=(12, 3, 4)).astype(float)
    tables = (bo.Scores(unit * steps, better="higher") for unit in (5e-324, 1.0))
    found, larger = (bo.interquartile_mean(table, over=over) for table in tables)
    assert [pair.pvalue for pair in found.pairs] == pytest.approx([pair.pvalue for pair in larger.pairs], rel=1e-9)
    assert [e.optimality_gap for e in found.estimates] == [1.0] * 3
    assert str(found)
    far = bo.interquartile_mean(bo.Scores(1e-300 * steps, better="higher"), over=over, goal=1e10)
    assert [pair.pvalue for pair in far.pairs] == pytest.approx([pair.pvalue for pair in larger.pairs], rel=1e-9)


def test_what_cannot_be_told() -> None:
    one = bo.Scores(np.random.default_rng(0).normal(size=(5, 2)), better="higher")
    assert bo.interquartile_mean(one).pairs[0].df == 2  # three of five are kept
    with pytest.raises(ScoreError, match="one run of 'A1' on 'P1'"):
        bo.interquartile_mean(one, over="runs")
    with pytest.raises(ScoreError, match="has one problem only"):
        bo.interquartile_mean(bo.Scores([[[1, 2], [3, 4]]], better="higher"))
    with pytest.raises(BakeoffError, match="infinite"):
        bo.interquartile_mean(bo.Scores([[[1, np.inf], [3, 4]]] * 3, better="higher"))
    equal = bo.interquartile_mean(bo.Scores([[[1, 1], [1, 1]]] * 3, better="higher"), over="runs")
    assert (equal.pairs[0].pvalue, equal.pairs[0].verdict) == (1.0, "no difference shown")


@pytest.mark.slow
def test_small_tables_of_every_kind_have_finite_answers() -> None:
    rng = np.random.default_rng(0)
    for at in range(24):
        shape = int(rng.integers(3, 9)), int(rng.integers(2, 5)), int(rng.integers(2, 7))
        values = rng.integers(0, int(rng.integers(2, 5)), shape).astype(float)
        if shape[2] > 2:
            values[:, :, -1] = np.where(rng.random(shape[:2]) < 0.4, np.nan, values[:, :, -1])
        clusters = ["x", "y", *rng.choice(["x", "y", "z"], shape[0] - 2)] if at % 3 == 0 else None
        names = [f"a{j}" for j in range(shape[1])], [f"p{i}" for i in range(shape[0])]
        scores = bo.Scores.from_cells(values, *names, better=("higher", "lower")[at % 2], clusters=clusters)  # type: ignore[arg-type]
        over, interval = ("runs", "tasks")[at // 2 % 2], ("t", "percentile")[at // 4 % 2]
        found = bo.interquartile_mean(scores, over=over, interval=interval, n_resamples=100)  # type: ignore[arg-type]
        for pair in found.pairs:
            assert np.isfinite([pair.difference, *pair.interval, *pair.p_improvement_interval]).all()
            assert 0 <= pair.pvalue <= pair.adjusted <= 1
        if at % 8 == 0:
            assert bo.verify(found).ok


def test_cautions() -> None:
    rng = np.random.default_rng(0)
    runs = rng.normal(size=(12, 2, 5))
    few = bo.interquartile_mean(bo.Scores(runs, better="higher"), over="runs", interval="percentile", n_resamples=100)
    assert [caution.code for caution in few.cautions] == ["too-few"]
    inside = bo.interquartile_mean(bo.Scores(runs, better="higher", run_kind="iteration"), over="runs")
    assert [caution.code for caution in inside.cautions] == ["one-process", "dependence"]
    runs[3] *= 1e4
    assert [caution.code for caution in bo.interquartile_mean(bo.Scores(runs, better="higher")).cautions] == [
        "scales-differ"
    ]
    assert [c.code for c in bo.interquartile_mean(bo.Scores(runs[4:], better="higher")).cautions] == ["too-few"]


@pytest.mark.slow
def test_the_command_and_its_report(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    lines = ["problem,algorithm,run,score"]
    for t in range(12):
        for j, name in enumerate(("DQN", "Ours <b>", "C51_x")):
            lines += [f"game {t},{name},{r},{rng.normal(0.3 + 0.3 * (j == 1), 0.1):.5f}" for r in range(5)]
    file = tmp_path / "runs.csv"
    file.write_text("\n".join(lines))
    reports = [tmp_path / f"r.{suffix}" for suffix in ("json", "tex", "html", "md", "csv", "xlsx", "txt")]
    words = ["iqm", str(file), "--better", "higher", "--interval", "percentile", "--resamples", "200"]
    done = CliRunner().invoke(main, words + [x for report in reports for x in ("--report", str(report))])
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("The best interquartile mean is that of Ours <b>: 0.")
    assert "2 differences are shown in 3 pairs." in " ".join(done.stdout.split())
    assert "&lt;b&gt;" in reports[2].read_text()
    assert r"C51\_x" in reports[1].read_text()
    content = json.loads(reports[0].read_text())
    assert {"agarwal2021", "holm1979"} <= set(content["references"])
    verified = CliRunner().invoke(main, ["verify", str(reports[0]), str(file)])
    assert verified.exit_code == 0, verified.output
    content["estimates"][0]["iqm"] += 0.1
    assert [x.where for x in bo.verify(content).differences] == ["estimates[0].iqm"]


@pytest.mark.slow
@pytest.mark.few(2)
@pytest.mark.parametrize(("tasks", "runs", "over"), [(10, 3, "runs"), (10, 5, "runs"), (10, 5, "tasks")])
def test_intervals_by_t_cover_also_with_few_runs(tasks: int, runs: int, over: str) -> None:
    rng = np.random.default_rng(9)

    def truth(levels: np.ndarray, spreads: np.ndarray, draws: int) -> float:
        x = levels[:, None] + spreads[:, None] * rng.standard_normal((len(levels), draws))
        return float(trim_mean(x.ravel(), 0.25))

    def levels(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        first = rng.beta(2, 2, n)
        return first, first + 0.1 + 0.1 * rng.standard_normal(n), rng.uniform(0.05, 0.2, n)

    first, second, spreads = levels(100_000)
    whole = truth(first, spreads, 10), truth(second, spreads, 10)
    held = []
    for _ in range(400):
        first, second, spreads = levels(tasks)
        true = (truth(first, spreads, 500), truth(second, spreads, 500)) if over == "runs" else whole
        x = np.stack([first, second], axis=1)[:, :, None]
        x = x + spreads[:, None, None] * rng.standard_normal((tasks, 2, runs))
        found = bo.interquartile_mean(bo.Scores(x, better="higher"), over=over)  # type: ignore[arg-type]
        (low, high), (below, above) = found.estimates[0].interval, found.pairs[0].interval
        held.append((low <= true[0] <= high, below <= true[0] - true[1] <= above))
    assert np.mean(held, axis=0) == pytest.approx(0.95, abs=4 * math.sqrt(0.05 * 0.95 / 400))


def two(values: object, **options: object) -> bo.interquartile.InterquartileMean:
    return bo.interquartile_mean(bo.Scores(np.asarray(values, float), ["a", "b"], better="higher"), **options)  # type: ignore[arg-type]


def test_a_constant_middle_half_is_no_certainty() -> None:
    """Right and wrong answers: IQMs of 1 and 0, whose Winsorized variances are 0; p was 0, the interval 1 to 1."""
    rng = np.random.default_rng(1)
    found = two((rng.random((10, 2, 5)) < [[[0.85], [0.15]]]).astype(float))
    assert [each.iqm for each in found.estimates] == [1, 0]
    assert found.pairs[0].pvalue == 1
    assert found.pairs[0].verdict == "no difference shown"
    assert "1 to 1" not in found.verdict
    assert [caution.code for caution in found.cautions] == ["middle-constant"]


@pytest.mark.parametrize(("n", "shown"), [(2, False), (5, False), (6, True)])
def test_the_same_difference_on_all_tasks(n: int, shown: bool) -> None:
    task = np.random.default_rng(0).random((n, 1, 3))
    for interval in ("t", "percentile"):
        found = two(np.concatenate([task, task + 0.1], axis=1), interval=interval)
        assert found.pairs[0].pvalue >= 2.0 ** (1 - n)
    found = two(np.concatenate([task, task + 0.1], axis=1))
    assert found.pairs[0].pvalue == 2.0 ** (1 - n)
    assert (found.pairs[0].verdict == "b better") == shown
    steady = two(np.full((n, 2, 3), 0.5) + np.array([[[0.0], [0.1]]]), over="runs")
    assert steady.pairs[0].pvalue == pytest.approx(2 / math.comb(6, 3) ** n)


def test_an_improvement_on_every_task_is_not_certain_on_others() -> None:
    rng = np.random.default_rng(2)
    runs = rng.random((4, 2, 3)) + np.array([[[0.0], [1.5]]])
    for over, n in (("tasks", 4), ("runs", 12)):
        pair = two(runs, over=over).pairs[0]
        assert pair.p_improvement == 0
        assert pair.p_improvement_interval == (0, pytest.approx(1 - 0.025 ** (1 / n)))


@pytest.mark.parametrize("exponent", [-1000, 1000])
def test_a_power_of_two_changes_the_unit_alone(exponent: int) -> None:
    runs = np.random.default_rng(3).random((6, 2, 3))
    small, large = two(runs, goal=1.0), two(np.ldexp(runs, exponent), goal=math.ldexp(1.0, exponent))
    for a, b in zip(small.estimates, large.estimates, strict=True):
        assert np.ldexp([a.iqm, *a.interval, a.mean, a.optimality_gap or 0], exponent).tolist() == [
            b.iqm, *b.interval, b.mean, b.optimality_gap
        ]  # fmt: skip
    assert small.pairs[0].pvalue == large.pairs[0].pvalue


def test_equal_best_means_are_named() -> None:
    same = np.repeat(np.random.default_rng(4).random((6, 1, 3)), 2, axis=1)
    assert two(same).verdict.startswith("The best interquartile mean is that of a and b: ")


@pytest.mark.parametrize(("tasks", "said"), [(1, False), (3, True), (9, True), (10, False)])
def test_few_tasks_are_said_over_runs_too(tasks: int, said: bool) -> None:
    """With 3 tasks of 5 exponential runs the interval of one IQM held in 81 % of tables, and nothing said so."""
    scores = bo.Scores(np.random.default_rng(1).normal(size=(tasks, 2, 5)), better="higher")
    found = bo.interquartile_mean(scores, over="runs")
    texts = [caution.text for caution in found.cautions if caution.code == "too-few"]
    assert [f"With {tasks} problem" in text for text in texts] == [True] * said


@pytest.mark.parametrize("runs", [(8, 8), (12, 20), (4, 40)])
def test_over_the_runs_of_one_task_it_is_yuen_s_test(runs: tuple[int, int]) -> None:
    """SciPy's Welch t-test of trimmed means. The degrees of freedom were those of all runs, and intervals too short."""
    rng = np.random.default_rng(5)
    a, b = (rng.standard_t(4, size=(1, n)) for n in runs)
    parts = trimmed_mean(a, True), trimmed_mean(b, True)
    spread = spread_over_runs(*parts)
    yuen = ttest_ind(a[0], b[0], equal_var=False, trim=0.25)
    assert (parts[0].value - parts[1].value) / np.sqrt(spread.variance) == pytest.approx(yuen.statistic, rel=1e-12)
    assert spread.df == pytest.approx(yuen.df, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("problems", "few"), [(2, 2), (3, 3), (7, 2)])
def test_equal_algorithms_of_few_and_many_runs_are_seldom_called_different(problems: int, few: int) -> None:
    """With 2 runs beside 20 of two problems, t called equal algorithms different in 24 % of tables."""
    rng, wrong, tables = np.random.default_rng(problems), 0, 80
    for _ in range(tables):
        runs = 3 * rng.normal(size=(problems, 1, 1)) + rng.exponential(size=(problems, 2, 20))
        runs[:, 0, few:] = np.nan
        names = [f"p{i}" for i in range(problems)]
        found = bo.interquartile_mean(bo.Scores.from_cells(runs, ["a", "b"], names, better="higher"), over="runs")
        wrong += found.decision == "difference"
    assert wrong / tables <= 0.05 + 3 * (0.05 * 0.95 / tables) ** 0.5
