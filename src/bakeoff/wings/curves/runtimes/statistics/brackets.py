"""Brackets by hardness: problems that somebody solved and on which somebody took long, after Achterberg and Wunderling.

Hardness is that of the slowest run of all algorithms, so that no algorithm is favoured by the choice of the problems
(of the times of one alone the others would profit). An unsolved run counts as slower than any time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bakeoff.wings.curves.runtimes.statistics.penalties import Penalised, column_mean
from bakeoff.wings.curves.runtimes.statistics.results import Bracket
from bakeoff.wings.curves.runtimes.statistics.times import RunTimes

MOST = 5


def brackets(runs: RunTimes, names: Sequence[str], penalised: Penalised) -> tuple[Bracket, ...]:
    """All problems that somebody solved, then those of at least 1, 10, 100 … as far as these are others."""
    hardness = np.nanmax(runs.times, axis=(1, 2))
    solved = runs.solved.any(axis=(1, 2))
    finite = hardness[solved & np.isfinite(hardness) & (hardness > 0)]
    if not len(finite):
        return ()
    powers = range(math.floor(math.log10(finite.min())), math.floor(math.log10(finite.max())) + 1)
    made: list[Bracket] = []
    for least in (0.0, *(10.0**power for power in powers)):
        rows = np.flatnonzero(solved & (hardness >= least))
        if made and len(rows) == made[-1].n_problems:
            continue
        logs = None if penalised.logs is None else penalised.logs[rows]
        made.append(
            Bracket(
                least=least,
                n_problems=len(rows),
                solved={name: math.fsum(runs.shares[rows, j].tolist()) for j, name in enumerate(names)},
                sgm={}
                if logs is None
                else {name: penalised.unlogged(column_mean(logs[:, j])) for j, name in enumerate(names)},
            )
        )
    return tuple(made if len(made) <= MOST else [made[0], *made[1 - MOST :]])
