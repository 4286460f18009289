"""The verdicts about a pair; a margin adds three of them. Bounds of its p-values, where scores are missing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Verdict = (
    Literal["a better", "b better", "no difference shown", "cannot tell", "depends on the missing scores"]
    | Literal["practically equal", "a not worse", "b not worse"]
)

DECIDED = ("a better", "b better")

OF_MARGIN = (
    *("p_equal", "p_a_not_worse", "p_b_not_worse"),
    *("adjusted_equal", "adjusted_a_not_worse", "adjusted_b_not_worse"),
)
"""What a pair has if there is a margin."""


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
