"""What a reader of a leaderboard must know."""

from __future__ import annotations

import numpy as np

from bakeoff.errors import Caution, counted, listing
from bakeoff.leaderboards.results import Winner
from bakeoff.scores import Scores

RULED = 0.5  # of all squared differences, by so few problems
FEWEST = 10  # problems, for this to be said
AKM = "Andrews, Kitagawa & McCloskey (2024), Quarterly J. Economics 139, 305–358"


def leaderboard_cautions(scores: Scores, by: str, winner: Winner) -> list[Caution]:
    """Of the choice of a winner, and of means that few problems rule."""
    found = []
    if winner.tied:
        text = f"{listing([winner.algorithm, *winner.tied])} have the same best value; the first of them in the "
        text += "table's order stands for the winner. The law of a winner has no width at a tie: the interval is the "
        text += "one that covers all algorithms at once, and the estimate allows for the median of their largest error."
        found.append(Caution(code="winner-tied", text=text, reference=AKM))
    rulers = _ruling(scores) if by == "mean" else 0
    if rulers:
        text = f"{counted(rulers, 'problem')} of {scores.n_problems} {'has' if rulers == 1 else 'have'} more than half "
        text += "of all squared differences between algorithms: means over problems are theirs. Where the size of "
        text += "scores differs between problems, by='mean-rank' counts each problem alike."
        found.append(Caution(code="few-problems-rule", text=text))
    return found


def _ruling(scores: Scores) -> int:
    """How many problems, a tenth of them or fewer, hold more than half of Σ (x_ij − x̄_i)²; 0 if there are none."""
    n = scores.n_problems
    if n < FEWEST:
        return 0
    largest = float(np.max(np.abs(scores.values)))
    if largest == 0:
        return 0
    values = scores.values / largest
    squares = np.sort(((values - values.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))[::-1]
    total = float(squares.sum())
    if total == 0:
        return 0
    needed = int(np.searchsorted(np.cumsum(squares), RULED * total)) + 1
    return needed if needed <= max(1, n // 10) else 0
