"""Where mean ranks and majorities disagree: the best mean rank is beaten by another, or majorities run in a circle.

"Best" by mean rank (Borda) depends on who else is in the table; "beaten by nobody more often than not" (Condorcet) does
not, but there may be no such algorithm. Both are reported where the posterior is sure of it.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, listing
from bakeoff.scores import Array
from bakeoff.wings.bayes.statements.sign_statements import SignStatements

MOST_IN_CYCLES = 300  # algorithms; with more, circles are looked for among those with the best mean ranks


def sure_majorities(listed: SignStatements, k: int, level: float) -> npt.NDArray[np.bool_]:
    """(k, k): the row beats the column more often than not with probability above ``level``, by signs."""
    sure = (listed.failing() < 1.0 - level) & ~listed.never
    majorities = np.zeros((k, k), dtype=bool)
    majorities[listed.better[sure], listed.worse[sure]] = True
    return majorities


def best_is_beaten(
    algorithms: Sequence[str], mean_ranks: Array, beats: npt.NDArray[np.bool_], level: float
) -> tuple[Caution, ...]:
    """Whether the algorithm with the best mean rank is beaten more often than not by one with a worse."""
    best = int(np.argmin(mean_ranks))
    rivals = [j for j in np.flatnonzero(beats[:, best]).tolist() if mean_ranks[j] > mean_ranks[best]]
    if not rivals:
        return ()
    shown = listing(f"{algorithms[j]!r} ({mean_ranks[j]:.2f})" for j in sorted(rivals, key=mean_ranks.__getitem__))
    return (
        caution_of(
            "mean-rank-conflict",
            "statements",
            algorithms=algorithms[best],
            mean_ranks=mean_ranks[best],
            level=level,
            shown=shown,
        ),
    )


def majority_circle(
    algorithms: Sequence[str], mean_ranks: Array, beats: npt.NDArray[np.bool_], level: float
) -> tuple[Caution, ...]:
    """Whether a beats b, b beats c and c beats a, each with probability above ``level``."""
    chosen = np.sort(np.argsort(mean_ranks, kind="stable")[:MOST_IN_CYCLES])
    inner = beats[np.ix_(chosen, chosen)]
    circles = (inner.astype(np.float32) @ inner.astype(np.float32)) * inner.T
    if not circles.any():
        return ()
    a, c = (int(i) for i in np.unravel_index(int(np.argmax(circles > 0)), circles.shape))
    b = int(np.argmax(inner[a] & inner[:, c]))
    one, two, three = (repr(algorithms[chosen[i]]) for i in (a, b, c))
    n = round(float(circles.sum()) / 3.0)
    more = f" There are {n} such cycles." if n > 1 else ""
    return (caution_of("cycle", "majorities", one=one, two=two, three=three, level=level, more=more),)
