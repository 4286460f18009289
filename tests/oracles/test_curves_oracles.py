"""bo.curves against enumeration, and against its definitions computed run by run."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

import bakeoff as bo

Floats = NDArray[np.float64]
# eight problems at four budgets; all 256 flips enumerated by a separate program
DIFFERENCES = (
    *((1, 2, 3, 4), (-1, 1, 2, 2), (0, 1, 3, 5), (2, 1, 1, 3)),
    *((-2, -1, 1, 2), (1, 0, 2, 1), (-1, 2, 4, 3), (0, -2, -1, 1)),
)


def as_records(differences: Floats | tuple[tuple[int, ...], ...]) -> list[dict[str, object]]:
    return [
        {"problem": f"p{i}", "algorithm": name, "budget": t + 1, "score": float(d) if name == "A" else 0.0}
        for i, row in enumerate(differences)
        for name in "AB"
        for t, d in enumerate(row)
    ]


def test_golden_numbers_of_all_flips() -> None:
    found = bo.curves(as_records(DIFFERENCES), better="higher", best_so_far=False)
    [pair] = found.pairs
    assert found.exact
    assert pair.statistic == pytest.approx([0, 1, 3.41565, 5.273596], abs=1e-5)
    assert list(pair.pvalue) == [1, 0.46875, 0.03125, 0.0078125]
    assert list(pair.adjusted) == [1, 0.6875, 0.0703125, 0.015625]
    assert pair.verdict == "A better at budget 4, no difference shown before"
    assert pair.segments == ((4.0, 4.0, "a"),)


def test_single_step_golden_numbers() -> None:
    """The first step of step-down is the maximum over all budgets; the others are at most that."""
    d = np.array(DIFFERENCES, dtype=float)
    t = np.array([abs(statistic(column)) for column in d.T])
    maxima = [max(abs(statistic(column)) for column in (d * np.array(s)[:, None]).T) for s in signs_of(8)]
    single = [float(np.mean([m >= x - 1e-12 for m in maxima])) for x in t]
    assert single == [1, 0.8046875, 0.078125, 0.015625]
    pair = bo.curves(as_records(DIFFERENCES), better="higher", best_so_far=False).pairs[0]
    assert (pair.adjusted <= np.array(single)).all()


def signs_of(n: int) -> list[tuple[int, ...]]:
    return list(itertools.product((1, -1), repeat=n))


def statistic(d: Floats) -> float:
    mean, sd = d.mean(), d.std(ddof=1)
    if mean == 0:
        return 0.0
    return float(mean / (sd / math.sqrt(len(d)))) if sd > 0 else math.copysign(math.inf, mean)


def test_step_down_of_three_algorithms_is_that_of_enumeration() -> None:
    """Westfall and Young's Algorithm 4.1, one flip and one hypothesis after the other."""
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 5, (6, 3, 4)).astype(float)
    rows = [
        {"problem": i, "algorithm": j, "budget": t + 1, "score": scores[i, j, t]}
        for i in range(6)
        for j in range(3)
        for t in range(4)
    ]
    found = bo.curves(rows, problem="problem", algorithm="algorithm", better="lower", best_so_far=False)
    pairs = [(0, 1), (0, 2), (1, 2)]
    d = np.stack([scores[:, b] - scores[:, a] for a, b in pairs], axis=1).reshape(6, -1)
    observed = np.array([abs(statistic(column)) for column in d.T])
    flipped = np.array([[abs(statistic(c)) for c in (d * np.array(s)[:, None]).T] for s in signs_of(6)])
    order = np.argsort(-observed, kind="stable")
    adjusted, largest = np.empty(len(order)), 0.0
    for place, h in enumerate(order):
        rest = order[place:]
        largest = max(largest, float(np.mean(flipped[:, rest].max(axis=1) >= observed[h] - 1e-9)))
        adjusted[h] = largest
    own = (flipped >= observed - 1e-9).mean(axis=0)
    assert np.concatenate([p.adjusted for p in found.pairs]) == pytest.approx(adjusted, abs=1e-12)
    assert np.concatenate([p.pvalue for p in found.pairs]) == pytest.approx(own, abs=1e-12)


def irregular(seed: int = 0) -> list[dict[str, object]]:
    """Runs with budgets of their own, scores that go up and down."""
    rng = np.random.default_rng(seed)
    rows: list[dict[str, object]] = []
    for i in range(5):
        runs = int(rng.integers(1, 4))
        for name in ("A", "B", "C"):
            for r in range(runs):
                at = np.unique(np.append(rng.integers(2, 40, 12), [1, 40 + int(rng.integers(0, 5))]))
                for b in at.tolist():
                    score = round(float(rng.normal() - math.log(b)), 3)
                    rows.append({"problem": f"p{i}", "algorithm": name, "run": r, "evals": b, "score": score})
    return rows


def run_value(rows: list[dict[str, object]], key: tuple[object, ...], t: float, best: bool) -> float:
    own = [(r["evals"], r["score"]) for r in rows if (r["problem"], r["algorithm"], r["run"]) == key]
    seen = [score for b, score in sorted(own) if b <= t]  # type: ignore[operator]
    return float(min(seen) if best else seen[-1])  # type: ignore[type-var, arg-type]


@pytest.mark.parametrize("best", [True, False])
def test_curves_are_right_continuous_steps(best: bool) -> None:
    """Slow twin: each run, each budget, by its definition; rows in any order."""
    rows = irregular()
    shuffled = [rows[i] for i in np.random.default_rng(1).permutation(len(rows))]
    found = bo.curves(rows, better="lower", best_so_far=best)
    other = bo.curves(shuffled, better="lower", best_so_far=best)
    assert found.t[0] == 1
    assert found.t[-1] == 40 or found.t[-1] > 40
    keys = {(r["problem"], r["algorithm"], r["run"]) for r in rows}
    names = found.table.problems, found.table.algorithms
    for i, j in itertools.product(range(5), range(3)):
        own = sorted(k for k in keys if (k[0], k[1]) == (names[0][i], names[1][j]))
        for place in (0, 7, len(found.t) // 2, len(found.t) - 1):
            t = float(found.t[place])
            mean = np.mean([run_value(rows, k, t, best) for k in own])
            assert found.table.values[i, j, place] == pytest.approx(mean, rel=1e-12)
    at = {(p, a): k for k, (p, a) in enumerate(itertools.product(other.table.problems, other.table.algorithms))}
    flat = other.table.values.reshape(15, -1)
    mine = np.array([flat[at[p, a]] for p in names[0] for a in names[1]])
    assert np.allclose(mine, found.table.values.reshape(15, -1), rtol=1e-12)


def test_runs_of_equal_budgets_take_the_fast_path_to_the_same_curves() -> None:
    rng = np.random.default_rng(2)
    rows = [
        {"problem": f"p{i}", "algorithm": a, "run": r, "budget": b, "score": float(rng.normal())}
        for i in range(3)
        for a in "AB"
        for r in range(2)
        for b in (1, 2, 4, 8)
    ]
    fast = bo.curves(rows, better="higher", grid=[1, 3, 4, 7.5])
    more = [*rows, {"problem": "p0", "algorithm": "A", "run": 0, "budget": 9, "score": 0.0}]  # not alike any more
    slow = bo.curves(more, better="higher", grid=[1, 3, 4, 7.5])
    assert (fast.table.values == slow.table.values).all()
    slow_latest = bo.curves(more, better="higher", grid=[1, 3, 4, 7.5], best_so_far=False)
    fast_latest = bo.curves(rows, better="higher", grid=[1, 3, 4, 7.5], best_so_far=False)
    assert (fast_latest.table.values == slow_latest.table.values).all()


def test_area_is_the_mean_height_of_the_steps() -> None:
    """Score 5 from 1, 3 from 10, 2 from 100 (the end): half of the logarithm at 5, half at 3."""
    rows = [
        {"problem": p, "algorithm": a, "budget": b, "score": s + 1.0 * (a == "B")}
        for p in "xy"
        for a in "AB"
        for b, s in ((1, 5.0), (10, 3.0), (100, 2.0))
    ]
    assert bo.curves(rows, better="lower").area.values[0] == pytest.approx([4, 5])
    linear = bo.curves(rows, better="lower", spacing="linear")
    assert linear.area.values[0, 0] == pytest.approx((9 * 5 + 90 * 3) / 99)


def hits() -> list[dict[str, object]]:
    """Problem x: A reaches 1 after 10 and 30 of 100 evaluations; B once after 40, once never in 100. y: A, B never."""
    runs = {
        ("x", "A", 1): [(1, 9.0), (10, 1.0), (100, 0.5)],
        ("x", "A", 2): [(1, 8.0), (30, 0.9), (100, 0.9)],
        ("x", "B", 1): [(1, 9.0), (40, 1.0), (100, 1.0)],
        ("x", "B", 2): [(1, 9.0), (50, 2.0), (100, 2.0)],
        ("y", "A", 1): [(1, 9.0), (10, 3.0), (80, 3.0)],
        ("y", "A", 2): [(1, 9.0), (10, 0.2), (100, 0.2)],
        ("y", "B", 1): [(1, 9.0), (90, 1.0), (100, 1.0)],
        ("y", "B", 2): [(1, 9.0), (10, 3.0), (100, 3.0)],
    }
    return [
        {"problem": p, "algorithm": a, "run": r, "evaluations": b, "score": s}
        for (p, a, r), records in runs.items()
        for b, s in records
    ]


def test_expected_running_time_by_hand() -> None:
    """On y, one run of A had 80 evaluations: B's success after 90 comes too late to count."""
    found = bo.curves(hits(), better="lower")
    assert found.caps(1.0) == (100, 80)
    time = found.running_time(1.0, rng=1)
    assert time.successes.tolist() == [[2, 1], [1, 0]]
    assert time.values.tolist() == [[20, 140], [90, math.inf]]
    assert time.pooled.tolist() == [(10 + 30 + 80 + 10) / 3, (40 + 100 + 160) / 1]
    assert (time.interval[:, 0] <= time.pooled).all()
    assert (time.pooled <= time.interval[:, 1]).all()


def test_fixed_target_and_fixed_budget_are_scores() -> None:
    found = bo.curves(hits(), better="lower")
    times = found.fixed_target(1.0)
    assert (times.better, times.unit) == ("lower", "evaluations")
    assert times.status is not None
    assert times.status.tolist() == [[["ok", "ok"], ["ok", "timeout"]], [["ok", "timeout"], ["timeout", "timeout"]]]
    assert times.runs is not None
    assert times.runs[0, 0].tolist() == [10, 30]
    assert times.runs[1, 0, 0] == 10
    assert found.fixed_target(1.0, cap=25).status.tolist()[0] == [["ok", "timeout"], ["timeout", "timeout"]]  # type: ignore[union-attr]
    at = found.fixed_budget(35)
    assert at.runs is not None
    assert at.runs.tolist() == [[[1.0, 0.9], [9.0, 9.0]], [[3.0, 0.2], [9.0, 3.0]]]
    assert bo.compare(at).pairs[0].a == "A"
