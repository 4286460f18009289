"""From p-values to the verdict about a pair, to which a margin adds three, and to groups without a difference."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.posthoc.groups import maximal_groups
from bakeoff.scores import Array
from bakeoff.scores.pair_family import Family, shown_better

Verdict = (
    Literal["a better", "b better", "no difference shown", "cannot tell", "depends on the missing scores"]
    | Literal["practically equal", "a not worse", "b not worse"]
)

DECIDED = ("a better", "b better")
DEPENDS: Verdict = "depends on the missing scores"

OF_MARGIN = (
    *("p_equal", "p_a_not_worse", "p_b_not_worse"),
    *("adjusted_equal", "adjusted_a_not_worse", "adjusted_b_not_worse"),
)
"""The fields that a pair has if there is a margin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairBounds:
    """p-values of a pair over all completions of the table: whatever numbers the missing scores are.

    Attributes
    ----------
    smallest, largest : float
        Of the raw p-value. ``Pair.pvalue`` is the largest.
    adjusted : mapping of str to (float, float)
        Smallest and largest adjusted p-value by correction, from all the smallest and all the largest raw ones.
    kind : str
        Of the raw p-values: "exact" (some completions give them) or "bound" (none gives smaller or larger ones).
    n_missing : int
        Problems on which a score of the two is missing.
    """

    smallest: float  # smallest raw p-value that the missing scores allow
    largest: float  # largest raw p-value that the missing scores allow: Pair.pvalue
    adjusted: Mapping[str, tuple[float, float]]
    kind: Literal["exact", "bound"]
    n_missing: int


def judged(
    pvalues: Array, directions: Array, reach: Array | float, alpha: float, closed: bool = False
) -> list[Verdict]:
    """A verdict per pair by its adjusted p, unless none could have reached alpha, or a recipe's gate is closed."""
    least = np.broadcast_to(reach, pvalues.shape).tolist()
    return [
        "cannot tell" if lowest > alpha else shown_better(not closed and p <= alpha, direction)
        for p, direction, lowest in zip(pvalues.tolist(), directions.tolist(), least, strict=True)
    ]


def with_evidence(undone: Sequence[bool], verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Withhold the verdict on a pair with one process a side, whatever its p-value."""
    return ["cannot tell" if none else verdict for none, verdict in zip(undone, verdicts, strict=True)]


def groups_of(
    algorithms: Sequence[str], family: Family, verdicts: Sequence[Verdict], standing: Array
) -> tuple[tuple[str, ...], ...]:
    """Largest sets without a shown difference, best first; a verdict that depends on missing scores shows none.

    ``standing``: mean ranks, or what else is lowest of the best.
    """
    k = len(algorithms)
    alike = np.ones((k, k), dtype=bool)
    a, b = np.array(family, dtype=np.intp).T
    alike[a, b] = alike[b, a] = [verdict not in DECIDED for verdict in verdicts]
    best_first = [int(j) for j in np.argsort(standing, kind="stable")]
    return tuple(tuple(algorithms[j] for j in group) for group in maximal_groups(alike, best_first))
