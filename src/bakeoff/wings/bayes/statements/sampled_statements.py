"""Statements whose probabilities are estimated from draws: their directions, and how many hold jointly."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, TooLargeError, counted
from bakeoff.nulls.tails import drawn_share, share_error
from bakeoff.scores import Array, Scores, read_only
from bakeoff.wings.bayes.statements.joint_probability import Ints, joint_probabilities
from bakeoff.wings.bayes.statements.statement import (
    Statement,
    joint_fields,
    most_probable_first,
    tied_caution,
    undecided_caution,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampledPairs:
    """The facts about each pair (a, b) before drawing; all arrays are (m,)."""

    scores: Scores
    columns: npt.NDArray[np.intp]  # in the alphabetical order of their names
    first: npt.NDArray[np.intp]  # a, by position in ``columns``
    second: npt.NDArray[np.intp]
    known: Array  # exact probability that a is better, NaN: to be drawn
    never: npt.NDArray[np.bool_]  # tied under all weights
    shares: Array  # exact posterior mean of P(a beats b) + ½ P(tie)
    counts: Ints  # (m, 3) wins of a, losses, ties


MOST_BITS = 4_000_000_000  # 500 MB


class PackedSigns:
    """(draws, m): whether each margin was positive, one bit each."""

    def __init__(self, m: int, n_draws: int) -> None:
        if m * n_draws > MOST_BITS:
            raise TooLargeError(
                f": at most {MOST_BITS // m} for {counted(m, 'pair')} of algorithms, so that memory is bounded; "
                f"got {n_draws}",
                parameter="n_draws",
            )
        self.m = m
        self.packed: list[npt.NDArray[np.uint8]] = []
        self.n_draws = 0

    def add(self, margins: Array) -> None:
        """(size, m); unless a pair is always tied, a margin of 0 has probability 0."""
        self.packed.append(np.packbits(margins > 0, axis=1))
        self.n_draws += len(margins)

    def share(self) -> Array:
        """(m,) probability that a margin is positive, never 0 or 1."""
        total = np.zeros(self.m)
        for part in self.packed:
            total += np.unpackbits(part, axis=1, count=self.m).sum(axis=0)
        return drawn_share(total, self.n_draws)

    def first_failures(
        self, at: npt.NDArray[np.intp], turned: npt.NDArray[np.bool_], never: npt.NDArray[np.bool_]
    ) -> Ints:
        """(m + 1,) number of draws in which each listed statement is the first to fail; last: none fails."""
        counts = np.zeros(self.m + 1, dtype=np.int64)
        for part in self.packed:
            holds = np.unpackbits(part, axis=1, count=self.m).astype(bool)[:, at] != turned
            failed = np.column_stack([~holds & ~never, np.ones(len(holds), dtype=bool)])
            counts += np.bincount(failed.argmax(axis=1), minlength=self.m + 1)
        return counts


def accept_statements(
    pairs: SampledPairs, signs: PackedSigns, level: float
) -> tuple[dict[str, Any], tuple[Caution, ...]]:
    """Accept the longest initial list whose joint probability is above ``level``.

    Returns the fields of a result that say so, with the probability of each pair in column order, and cautions.
    """
    drawn = signs.share()
    up = np.where(pairs.never, 0.5, np.where(np.isnan(pairs.known), drawn, pairs.known))
    error_of = np.where(pairs.never | ~np.isnan(pairs.known), 0.0, share_error(drawn, signs.n_draws))
    turned = up < 0.5
    better, worse = np.where(turned, pairs.second, pairs.first), np.where(turned, pairs.first, pairs.second)
    errors = np.where(turned, up, 1.0 - up)
    margins = np.where(turned, 0.5 - pairs.shares, pairs.shares - 0.5)
    at = most_probable_first(errors, margins, better, worse)
    never = pairs.never[at]
    failures = signs.first_failures(at, turned[at], never)
    joint = joint_probabilities(failures, never, errors[at], exact=error_of[at] == 0.0)
    names = [pairs.scores.algorithms[column] for column in pairs.columns]
    most = int(np.count_nonzero(errors < 0.5))
    accepted = joint.n_accepted(level, most)
    counts = np.where(turned[:, None], pairs.counts[:, [1, 0, 2]], pairs.counts)[at]
    statements = tuple(
        Statement(
            better=names[better[c]],
            worse=names[worse[c]],
            probability=float(1.0 - errors[c]),
            standard_error=float(error_of[c]),
            joint=float(joint.probability[i]),
            joint_standard_error=float(joint.standard_error[i]),
            accepted=i < accepted,
            verdict="accepted" if i < accepted else "not accepted",
            wins=int(counts[i, 0]),
            losses=int(counts[i, 1]),
            ties=int(counts[i, 2]),
        )
        for i, c in enumerate(at.tolist())
    )
    fields, about_order = joint_fields(pairs.scores.algorithms, statements)
    cautions = [tied_caution(int(never.sum()))] if never.any() else []
    if joint.undecided(level, most):
        cautions.append(undecided_caution(signs.n_draws, level))
    fields |= {
        "p_better": _square(pairs, up, 1.0 - up, 0.5),
        "p_better_standard_error": _square(pairs, error_of, error_of, 0.0),
    }
    return fields, (*cautions, *about_order)


def _square(pairs: SampledPairs, up: Array, down: Array, diagonal: float) -> Array:
    """(k, k) in column order."""
    k, columns = len(pairs.columns), pairs.columns
    square = np.full((k, k), diagonal)
    square[columns[pairs.first], columns[pairs.second]] = up
    square[columns[pairs.second], columns[pairs.first]] = down
    return read_only(square)
