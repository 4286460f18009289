"""Cautions for a reader of a leaderboard."""

from __future__ import annotations

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted, listing
from bakeoff.means.assumptions import unit_skewness
from bakeoff.means.cautions import skewed_differences
from bakeoff.scores import Scores
from bakeoff.scores.pair_family import family_of
from bakeoff.wings.boards.evaluate.statistics import Evaluation
from bakeoff.wings.boards.evaluate.statistics.cautions import skewed_pairs
from bakeoff.wings.boards.evaluate.statistics.table import EvaluationTable, ranked_table
from bakeoff.wings.boards.leaderboard.statistics.results import Winner

RULED = 2 / 3  # of all squared differences, by so few problems
FEWEST = 10  # problems, for this to be said
TAILED = 0.15
"""|γ|/√G below which a winner's interval at 95 % misses its mean in 6 % at most."""
OTHER_WAYS = " by='mean-rank' has no such tails; logarithms of the scores have shorter ones."


def leaderboard_cautions(judged: Evaluation, by: str, winner: Winner) -> list[Caution]:
    """Caution of the choice of a winner, and of means that few problems rule."""
    scores, cautions = judged.scores, []
    if winner.tied:
        cautions.append(caution_of("winner-tied", names=listing([winner.algorithm, *winner.tied])))
    if judged.unit == "run":
        return cautions
    table = ranked_table(judged)
    if table.of_predictions:
        return cautions
    tail = _tail_towards_worse(table) if winner.method in ("hybrid", "simultaneous") else 0.0
    if tail > 0 and tail**2 > max(TAILED**2 * judged.n_clusters, 6 / judged.n_clusters):  # √(6/G): of normal scores
        units, hint = counted(judged.n_clusters, judged.unit), OTHER_WAYS if by == "mean" else ""
        cautions.append(caution_of("skew", "winner", skewness=tail, units=units, hint=hint))
    if by == "mean":
        a, b = (np.array(side) for side in zip(*family_of(scores.n_algorithms, None), strict=True))
        errs = "ranks and candidates rely on tests of means, which need symmetric differences. In simulations where "
        errs += "algorithms sometimes fail, all of them held in 50 to 94 % of tables instead of 95 %."
        instead = "by='mean-rank' asks who is ahead on most problems, whatever the tails."
        cautions += skewed_differences(skewed_pairs(table, judged.pairs, (a, b)), f"{judged.unit}s", errs, instead)
    rulers = _ruling(scores) if by == "mean" else 0
    if rulers:
        few, which = counted(rulers, "problem"), "has" if rulers == 1 else "have"
        cautions.append(caution_of("scales-differ", "squares", problems=few, n_problems=scores.n_problems, which=which))
    return cautions


def _tail_towards_worse(table: EvaluationTable) -> float:
    """Skewness of what units add to the algorithms' means, on average, positive where the long tail is bad.

    Of all algorithms and not of the winner, whose own sample hardly shows the tail: that is why it won.
    """
    skewness = unit_skewness(-table.oriented, table.strata)
    return float(skewness[~np.isnan(skewness)].mean()) if not np.isnan(skewness).all() else 0.0


def _ruling(scores: Scores) -> int:
    """Count the problems, a tenth of them or fewer, that hold two thirds of Σ (x_ij − x̄_i)²; 0 if none do."""
    n = scores.n_problems
    if n < FEWEST:
        return 0
    largest = float(np.max(np.abs(scores.values)))
    if largest == 0:
        return 0
    values = scores.values / largest
    away = values - values.mean(axis=1, keepdims=True)
    away[np.ptp(values, axis=1) <= 1e-14] = 0.0  # equal but for rounding
    squares = np.sort((away**2).sum(axis=1))[::-1]
    total = float(squares.sum())
    if total == 0:
        return 0
    needed = int(np.searchsorted(np.cumsum(squares), RULED * total)) + 1
    return needed if needed <= max(1, n // 10) else 0
