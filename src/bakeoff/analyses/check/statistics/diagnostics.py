"""What may be wrong with all measurements together: a common shift, a drift, alarms in one direction only."""

import numpy as np

from bakeoff.analyses.check.statistics.contrasts import welch
from bakeoff.analyses.check.statistics.judgement import BaselineSide, Judgement
from bakeoff.analyses.check.statistics.margins import Rules
from bakeoff.analyses.check.statistics.results import Diagnostics
from bakeoff.nulls.tails import t_two_sided
from bakeoff.scores import Array, Scores

PAIRS = "pairs"  # what drifts for both sides alike cancels in their differences
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
    )


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
