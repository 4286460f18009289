"""Joint posterior probabilities of a list of statements: the first one that fails, draw by draw.

The first i statements all hold in a draw exactly if its first failure comes later, so one number per draw gives the
joint probability of every beginning of the list, and a draw that has failed needs no further work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.bayes.dirichlet.weights import chunk_size
from bakeoff.randomness import in_chunks
from bakeoff.scores import Array

Ints = npt.NDArray[np.int64]
Margins = Callable[[npt.NDArray[np.intp] | slice, slice], Array]
"""(rows of the draws, columns of the list) -> margins; statement c holds in draw r where the margin is positive."""
Draw = Callable[[np.random.Generator, int], tuple[Margins, Array]]
"""(stream, size) -> margins, and (size,) what the prior atom weighs, in the unit of the margins."""

BLOCK = 64  # statements looked at before the draws that have failed are left out
SURE = 1e-10  # statements that fail together with a smaller probability than this are not looked at
CERTAIN = 4.0  # standard errors between a joint probability and 1 − gamma that make a decision


@dataclass(frozen=True, slots=True, kw_only=True)
class JointProbabilities:
    """Of each beginning of the list: the probability that all of it holds."""

    probability: Array  # (m,) never increasing
    standard_error: Array  # (m,) of the draws; 0 where known exactly
    low: Array  # (m,) Bonferroni's and Fréchet's bounds, which no draw can leave
    high: Array

    def n_accepted(self, level: float, most: int) -> int:
        """How many statements, at most ``most``, keep the joint probability above ``level``."""
        return int(np.count_nonzero(self.probability[:most] > level))

    def undecided(self, level: float, most: int) -> bool:
        """Whether more draws might move the end of the accepted statements."""
        end = self.n_accepted(level, most)
        return any(self._open(i, level) for i in (end - 1, end) if 0 <= i < most)

    def _open(self, i: int, level: float) -> bool:
        if self.low[i] > level or self.high[i] <= level:
            return False
        return bool(abs(self.probability[i] - level) <= CERTAIN * self.standard_error[i])


def count_failures(
    draw: Draw,
    n_numbers: int,
    n_draws: int,
    rng: np.random.Generator,
    *,
    columns: tuple[int, int],
    never: npt.NDArray[np.bool_],
    toward: int = 0,
) -> Ints:
    """(m + 1,) in how many draws each statement is the first to fail; last, in how many none does.

    Only statements ``columns[0] <= c < columns[1]`` are looked at. ``never`` marks pairs without any win or loss,
    whose margin is exactly zero. ``toward``: 0 for the prior at equality, −1 and +1 for a prior ranking that
    contradicts or supports every statement. ``n_numbers``: random numbers per draw.
    """
    first, last = columns

    def work(stream: np.random.Generator, size: int) -> Ints:
        margins, prior = draw(stream, size)
        failures = np.zeros(len(never) + 1, dtype=np.int64)
        alive: npt.NDArray[np.intp] = np.arange(size)
        for start in range(first, last, BLOCK):
            block = slice(start, min(start + BLOCK, last))
            rows = slice(None) if len(alive) == size else alive
            found = margins(rows, block)
            failed = _failed(found, prior[rows, None], toward)
            if toward == 0:
                failed &= ~never[block]
            lost = failed.any(axis=1)
            failures += np.bincount(failed[lost].argmax(axis=1) + start, minlength=len(failures))
            alive = alive[~lost]
            if not len(alive):
                break
        failures[-1] += len(alive)
        return failures

    total = np.zeros(len(never) + 1, dtype=np.int64)
    for part in in_chunks(work, n_draws, chunk_size(n_numbers + BLOCK), rng):
        total += part
    return total


def _failed(margins: Array, prior: Array, toward: int) -> npt.NDArray[np.bool_]:
    """A statement holds if its margin and the prior's push are above zero together."""
    if toward == 0:
        return margins <= 0
    return margins <= prior if toward < 0 else margins < -prior


def joint_probabilities(
    failures: Ints, never: npt.NDArray[np.bool_], single: Array | None, toward: int = 0
) -> JointProbabilities:
    """Joint probabilities from counted first failures, brought within the bounds that ``single`` gives.

    ``single`` (m,) are the exact probabilities of the statements that each *fails*, if they are known:
    1 − Σ_j≤i e_j <= joint_i <= 1 − max_j≤i e_j (Bonferroni, Fréchet). To move an estimate into an interval that
    holds the truth can only bring it nearer.
    """
    n_draws = int(failures.sum())
    held = n_draws - np.cumsum(failures[:-1])
    # a pair without any win or loss is decided by a fair coin of its own
    coins = np.ldexp(1.0, -np.minimum(np.cumsum(never), 1000)) if toward == 0 else np.ones(len(never))
    share = held / n_draws * coins
    a, b = held + 0.5, n_draws - held + 0.5  # Jeffreys: not 0 when every draw agrees
    error = coins * np.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)))
    if single is None:
        return JointProbabilities(
            probability=share, standard_error=error, low=np.zeros(len(share)), high=np.ones(len(share))
        )
    low = np.maximum(0.0, 1.0 - np.cumsum(single))
    high = 1.0 - np.maximum.accumulate(single)
    low = np.minimum(low, high)  # rounding
    return JointProbabilities(
        probability=np.clip(share, low, high), standard_error=np.minimum(error, (high - low) / 2), low=low, high=high
    )


def n_sure(single: Array) -> int:
    """How many statements at the head of the list fail together with less than ``SURE`` probability."""
    return int(np.count_nonzero(np.cumsum(single) <= SURE))
