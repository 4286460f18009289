"""Joint posterior probabilities of a list of statements, from the first statement that fails in each draw.

The first i statements all hold in a draw if and only if the first failure comes later. One number per draw thus gives
the joint probability of every initial part of the list, and statements after the first failure need not be evaluated.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.nulls.tails import drawn_share, share_error
from bakeoff.randomness import chunk_size, in_chunks
from bakeoff.scores import Array

Ints = npt.NDArray[np.int64]
Margins = Callable[[npt.NDArray[np.intp] | slice, slice], Array]
"""(rows of the draws, columns of the list) -> margins; statement c holds in draw r where the margin is positive."""
Draw = Callable[[np.random.Generator, int], tuple[Margins, Array]]
"""(stream, size) -> margins, and (size,) the weight of the prior atom, in the unit of the margins."""

BLOCK = 64  # statements evaluated before draws that have failed are dropped
SURE = 1e-10  # statements whose error probabilities sum to less are not drawn
CERTAIN = 4.0  # standard errors between a joint probability and 1 − gamma for a decision


@dataclass(frozen=True, slots=True, kw_only=True)
class JointProbabilities:
    """For each initial part of the list, the probability that all of its statements hold."""

    probability: Array  # (m,) never increasing
    standard_error: Array  # (m,) of the draws; 0 where known exactly
    low: Array  # (m,) Bonferroni and Fréchet bounds
    high: Array

    def n_accepted(self, level: float, most: int) -> int:
        """Length of the longest initial part, at most ``most``, with joint probability above ``level``."""
        return int(np.count_nonzero(self.probability[:most] > level))

    def undecided(self, level: float, most: int) -> bool:
        """Whether more draws might change the number of accepted statements."""
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
    toward: Ints,
) -> Ints:
    """(m + 1,) number of draws in which each statement is the first to fail; last, in which none fails.

    Only statements ``columns[0] <= c < columns[1]`` are evaluated. ``never`` marks pairs without any win or loss,
    whose margin is exactly zero. ``toward``: (m,) 0 for the prior at equality, −1 and +1 for a prior ranking that
    contradicts or supports the statement. ``n_numbers``: random numbers per draw.
    """
    first, last = columns

    def work(stream: np.random.Generator, size: int) -> Ints:
        margins, prior = draw(stream, size)
        failures = np.zeros(len(never) + 1, dtype=np.int64)
        alive: npt.NDArray[np.intp] = np.arange(size)
        for start in range(first, last, BLOCK):
            block = slice(start, min(start + BLOCK, last))
            rows = slice(None) if len(alive) == size else alive
            margins_of_block = margins(rows, block)
            failed = _failed(margins_of_block, prior[rows, None], toward[block])
            failed &= ~(never & (toward == 0))[block]
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


def _failed(margins: Array, prior: Array, toward: Ints) -> npt.NDArray[np.bool_]:
    """A statement holds if its margin plus the prior's contribution is positive."""
    if not toward.any():
        return margins <= 0
    return np.where(toward < 0, margins <= prior, margins < -prior)


def joint_probabilities(
    failures: Ints,
    never: npt.NDArray[np.bool_],
    single: Array,
    toward: int = 0,
    exact: npt.NDArray[np.bool_] | None = None,
) -> JointProbabilities:
    """Joint probabilities from counts of first failures, clipped to the bounds implied by ``single``.

    ``single`` (m,): the probabilities e_j that each statement *fails*, ``exact`` unless some were drawn. Then
    1 − Σ_j≤i e_j <= joint_i <= 1 − max_j≤i e_j (Bonferroni, Fréchet). Clipping an estimate to an interval that contains
    the true value cannot increase its error. None is above the smallest probability, drawn or not.
    """
    n_draws = int(failures.sum())
    held = n_draws - np.cumsum(failures[:-1])
    # a pair without any win or loss is decided by an independent fair coin
    coins = np.ldexp(1.0, -np.minimum(np.cumsum(never), 1000)) if toward == 0 else np.ones(len(never))
    # statements that cannot fail in a draw hold in all of them, known without drawing
    sure = np.logical_and.accumulate((never & (toward == 0)) | ((single == 0.0) & (exact is None)))
    share = np.where(sure, 1.0, drawn_share(held, n_draws)) * coins
    error = coins * share_error(held / n_draws, n_draws)
    low, most = np.maximum(0.0, 1.0 - np.cumsum(single)), 1.0 - np.maximum.accumulate(single)
    high = most
    if exact is not None:
        low = np.where(np.logical_and.accumulate(exact), low, 0.0)
        high = 1.0 - np.maximum.accumulate(np.where(exact, single, 0.0))
    low = np.minimum(low, high)  # rounding
    return JointProbabilities(
        probability=np.clip(share, low, most), standard_error=np.minimum(error, (high - low) / 2), low=low, high=high
    )


def n_sure(single: Array) -> int:
    """Number of statements at the head of the list whose error probabilities sum to at most ``SURE``."""
    return int(np.count_nonzero(np.cumsum(single) <= SURE))
