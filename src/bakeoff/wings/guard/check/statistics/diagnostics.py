"""What may be wrong with all measurements together: a common shift, a drift, alarms in one direction only."""

import numpy as np

from bakeoff.nulls.tails import t_two_sided
from bakeoff.scores import Array, Scores
from bakeoff.wings.guard.check.statistics.contrasts import pairs_needed, welch
from bakeoff.wings.guard.check.statistics.judgement import BaselineSide, Judgement
from bakeoff.wings.guard.check.statistics.margins import Rules
from bakeoff.wings.guard.check.statistics.results import SUITE, Diagnostics

PAIRS = "pairs"  # what drifts for both sides alike cancels in their differences
FEW_RUNS = 6  # below, where a process is fast or slow as a whole, false alarms are several times as frequent
HALVES = 6  # runs of which a first and a second half are worth comparing
DRIFT_LEVEL = 0.01


def diagnosed(scores: Scores, judgement: Judgement, rules: Rules) -> Diagnostics:
    """Of the first baseline where there are several."""
    side = judgement.sides[0]
    estimates = side.contrasts.estimate + (side.shift if rules.center else 0.0)
    if not len(estimates):
        return Diagnostics(improved=0, regressed=0, median_effect=None, worse=0, measured=0, drift={})
    median = float(rules.scale.effect(float(np.median(estimates))))
    names = {PAIRS: side.new - side.old} if rules.pair else {side.against: side.old, "new": side.new}
    drifts = {name: _drift(runs) for name, runs in names.items()} if scores.run_kind != "answer" else {}
    return Diagnostics(
        improved=judgement.improved,
        regressed=judgement.worse,
        median_effect=median,
        worse=int(np.sum(estimates > 0)),
        measured=len(estimates),
        drift={name: float(rules.scale.effect(change)) for name, change in drifts.items() if change is not None},
        runs_needed=_runs_needed(scores, judgement, rules),
    )


def _runs_needed(scores: Scores, judgement: Judgement, rules: Rules) -> int | None:
    """The most over the problems without a verdict, by their noise and at the level that Holm's procedure begins with.

    None: no margin to double, a test that stops by itself, or too few runs are not what keeps a verdict away.
    """
    if rules.level == SUITE or judgement.test not in ("t", "z") or rules.theta == 0.0:
        return None
    undecided = {(r.against, r.problem) for r in judgement.rows if r.verdict == "inconclusive" and r.pvalue is not None}
    tested = sum(row.pvalue is not None for row in judgement.rows)
    level = rules.alpha if rules.correction == "none" else rules.alpha / max(tested, 1)
    most = 0
    for side in judgement.sides:
        problems = [scores.problems[i] for i in side.rows]
        runs = np.array([(~np.isnan(costs)).sum(axis=1) for costs in (side.old, side.new)], dtype=np.float64)
        margins = rules.thetas(problems)
        beyond = np.array([rules.scale.theta_twice(rules.margin_of(problem)) for problem in problems]) - margins
        known = np.array([(side.against, problem) in undecided for problem in problems]) & (side.contrasts.error > 0)
        if not known.any():
            continue
        # the error of m and n runs a side is s √(1/m + 1/n); of a pair s √2
        sd = side.contrasts.error * np.sqrt(2.0 / (1.0 / runs).sum(axis=0))
        needed = pairs_needed(sd[known], (beyond + (margins if rules.strict else 0.0))[known], level)
        more = needed[np.isfinite(needed) & (needed > runs.min(axis=0)[known])]
        most = max(most, int(more.max(initial=0.0)))
    return max(most, FEW_RUNS) if most else None


def _drift(runs: Array) -> float | None:
    """Second half less first half of the runs, each the mean over problems of what it deviates; None if not shown."""
    count = (~np.isnan(runs)).sum(axis=1)
    most = int(count.min()) if len(count) else 0
    if most < HALVES or count.max() != most:
        return None
    kept = runs[:, :most]
    means = (kept - kept.mean(axis=1, keepdims=True)).mean(axis=0)
    half = most // 2
    halves = welch(means[None, :half], means[None, most - half :])
    error, df, change = float(halves.error[0]), float(halves.df[0]), float(halves.estimate[0])
    if not error > 0.0:
        return None
    return change if t_two_sided(change / error, df)[0] <= DRIFT_LEVEL else None


def common_shift(side: BaselineSide, rules: Rules) -> bool:
    """Nine of ten problems, of ten or more, moved in one direction, and half of them by half the margin."""
    estimates = side.contrasts.estimate
    if len(estimates) < 10 or rules.center:
        return False
    median = float(np.median(estimates))
    same = float(np.mean(np.sign(estimates) == np.sign(median)))
    return same >= 0.9 and abs(median) >= rules.theta / 2.0
