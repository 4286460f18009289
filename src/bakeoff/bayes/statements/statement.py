"""Directional statements "a is better than b", and what is shared by everything that accepts them jointly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.bayes.statements.partial_order import PartialOrder
from bakeoff.errors import Caution, TooLargeError, counted, listing
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array, Scores

REFERENCE = "Benavoli et al. (2015), section 5.3"
MOST_ALGORITHMS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One directional statement about a pair, at its place in the list."""

    better: str
    worse: str
    probability: float  # that this statement holds
    standard_error: float  # of the probability; 0: exact
    joint: float  # probability that this and every statement before it hold
    joint_standard_error: float  # of the draws; 0: exact
    accepted: bool
    verdict: str  # "accepted", "not accepted"; over all prior rankings also "indeterminate"
    wins: int  # of ``better``
    losses: int
    ties: int
    probability_bounds: tuple[float, float] | None = None  # over all prior rankings; None if not asked for
    joint_bounds: tuple[float, float] | None = None


def by_name(scores: Scores) -> npt.NDArray[np.intp]:
    """Columns by name, so that the order of columns changes nothing."""
    return np.array(sorted(range(scores.n_algorithms), key=scores.algorithms.__getitem__), dtype=np.intp)


def pairs_of(k: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """All pairs a < b, by a and then b."""
    return np.triu_indices(k, 1)


def pair_signs(costs: Array, scales: Array | None) -> npt.NDArray[np.int8]:
    """(n, m) for every pair of columns a < b: +1 where a is better, −1 where b is, 0 for a tie.

    Exact, or within the tie tolerance of each pair's own ``scales`` where the costs are means over runs.
    """
    n, k = costs.shape
    signs = np.empty((n, k * (k - 1) // 2), dtype=np.int8)
    done = 0
    for a in range(k - 1):
        one, others = costs[:, a : a + 1], costs[:, a + 1 :]
        found = (one < others).view(np.int8) - (one > others).view(np.int8)
        if scales is not None:
            tolerance = tie_tolerance(np.maximum(scales[:, a : a + 1], scales[:, a + 1 :]))
            with np.errstate(over="ignore", invalid="ignore"):
                found[np.abs(others - one) <= tolerance] = 0
        signs[:, done : done + k - 1 - a] = found
        done += k - 1 - a
    return signs


def most_probable_first(errors: Array, margins: Array, better: Array, worse: Array) -> npt.NDArray[np.intp]:
    """The order of the list: probability, then margin, then names (their places in the alphabet)."""
    return np.lexsort((worse, better, -np.asarray(margins), errors))


def refuse_too_many(n_algorithms: int, most: int, what: str) -> None:
    if n_algorithms > most:
        raise TooLargeError(
            f"{what}: at most {most} algorithms, {most * (most - 1) // 2} pairs, can be compared jointly; got "
            f"{n_algorithms}. Select those that matter: scores.select(algorithms=[…])."
        )


def accepted_pairs(statements: Iterable[Statement], names: Sequence[str]) -> list[tuple[int, int]]:
    place = {name: i for i, name in enumerate(names)}
    return [(place[s.better], place[s.worse]) for s in statements if s.accepted]


def order_cautions(found: PartialOrder) -> list[Caution]:
    """Cycles, and paths in the drawing that no statement covers."""
    cautions = []
    if found.cycles:
        cautions.append(
            Caution(
                code="cycle",
                text="The accepted statements go round in a circle: "
                + "; ".join(listing(cycle) for cycle in found.cycles)
                + ". Each is better than another of its group in more than half of all problems; none of them is "
                "best. In a drawing they are one group.",
                reference=REFERENCE,
            )
        )
    if found.implied:
        cautions.append(
            Caution(
                code="path-is-no-statement",
                text=f"A chain of accepted statements connects {counted(found.implied, 'pair')} about which no "
                "statement is accepted: that a beats b and b beats c does not say that a beats c.",
                reference=REFERENCE,
            )
        )
    return cautions


def undecided_caution(n_draws: int, level: float) -> Caution:
    return Caution(
        code="joint-undecided",
        text=f"After {n_draws} draws a joint probability is within 4 standard errors of 1 − gamma = {level:g}: with "
        "other draws the last statement might be accepted or not. More draws (n_draws) or another gamma decide.",
        reference=REFERENCE,
    )


def tied_caution(never: int) -> Caution:
    return Caution(
        code="always-tied",
        text=f"{counted(never, 'pair')} tied on every problem: the probability is 1/2 by symmetry, such a statement "
        "is never accepted, and in a joint probability it counts as a fair coin of its own.",
        reference="Benavoli et al. (2015), section 6",
    )
