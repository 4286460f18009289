"""What a reader of a leaderboard must know."""

from __future__ import annotations

import math

import numpy as np

from bakeoff.errors import Caution, counted, listing
from bakeoff.evaluation import Evaluation
from bakeoff.evaluation.table import evaluation_table
from bakeoff.leaderboards.results import Winner
from bakeoff.means.skewness import long_tails
from bakeoff.scores import Scores
from bakeoff.scores.pair_family import family_of

RULED = 2 / 3  # of all squared differences, by so few problems
FEWEST = 10  # problems, for this to be said
LONG_TAIL = (
    0.15  # mean skewness/√G: below it the winner's 95 % interval held in 94 % or more, normal tables are below it
)
AKM = "Andrews, Kitagawa & McCloskey (2024), Quarterly J. Economics 139, 305–358"


def leaderboard_cautions(judged: Evaluation, by: str, winner: Winner) -> list[Caution]:
    """Of the choice of a winner, and of means that few problems rule."""
    scores, found = judged.scores, []
    if winner.tied:
        text = f"{listing([winner.algorithm, *winner.tied])} have the same best value; the one with the largest "
        text += "standard error, or else the first, stands for the winner. The law of a winner has no width at a tie: "
        text += "the interval is the one that covers all algorithms at once, and the estimate allows for the median of "
        text += "their largest error."
        found.append(Caution(code="winner-tied", text=text, reference=AKM))
    tail = _tail_towards_worse(judged) if winner.method in ("hybrid", "simultaneous") else 0.0
    if tail > max(
        LONG_TAIL * math.sqrt(judged.n_clusters), math.sqrt(6 / judged.n_clusters)
    ):  # √(6/G): of a normal law
        units = counted(judged.n_clusters, judged.unit)
        text = f"Scores have a long tail towards worse ones (mean skewness {tail:.2g} over {units}). The winner is one "
        text += "that missed it, and its interval holds less often than it says: in simulations of such tables a 95 % "
        text += "interval held in 75 to 92 %. Ranks and candidates hold if all algorithms have such a tail alike, and "
        text += "less often if some have one and others none."
        if by == "mean":
            text += " by='mean-rank' has no such tails; logarithms of the scores have shorter ones."
        found.append(Caution(code="winner-skewed", text=text))
    skewed = _skewed_pairs(judged) if by == "mean" else []
    if skewed:
        text = f"Differences of {listing(skewed)} have a long tail to one side, as where an algorithm sometimes fails. "
        text += (
            "Ranks and candidates rest on tests of means, which are right for symmetric differences: in simulations "
        )
        text += "of such tables all of them held in 50 to 94 %, for 95 %. by='mean-rank' asks who is ahead on most "
        text += "problems, and no tail rules its answer."
        found.append(Caution(code="skewed-differences", text=text))
    rulers = _ruling(scores) if by == "mean" else 0
    if rulers:
        text = f"{counted(rulers, 'problem')} of {scores.n_problems} {'has' if rulers == 1 else 'have'} more than two "
        text += "thirds of all squared differences between algorithms: means over problems are theirs. Where the size "
        text += "of scores differs between problems, by='mean-rank' counts each problem alike."
        found.append(Caution(code="few-problems-rule", text=text))
    return found


def _tail_towards_worse(found: Evaluation) -> float:
    """Skewness of the algorithms' sums over independent units, their mean, positive where the long tail is bad.

    Of all algorithms and not of the winner, whose own sample hardly shows the tail: that is why it won.
    """
    table = evaluation_table(found.scores, None, "fixed", found.unit)
    sums = table.strata[0].sums(table.oriented.mean(axis=0) - table.oriented)
    spread = np.sqrt((sums**2).mean(axis=0))
    some = spread > 1e-12 * np.max(spread, initial=0.0)
    return float(((sums[:, some] / spread[some]) ** 3).mean()) if some.any() else 0.0


def _skewed_pairs(found: Evaluation) -> list[str]:
    table = evaluation_table(found.scores, None, "fixed", found.unit)
    family = family_of(found.scores.n_algorithms, None)
    a, b = (np.array(side) for side in zip(*family, strict=True))
    names = found.scores.algorithms
    telling = np.flatnonzero(long_tails(table.oriented, (a, b), table.strata))
    return [f"{names[a[i]]} and {names[b[i]]}" for i in telling.tolist()]


def _ruling(scores: Scores) -> int:
    """How many problems, a tenth of them or fewer, hold two thirds of Σ (x_ij − x̄_i)²; 0 if none do."""
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
