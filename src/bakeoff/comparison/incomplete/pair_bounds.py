"""p-values of a pair over all completions of an incomplete table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


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

    smallest: float
    largest: float
    adjusted: Mapping[str, tuple[float, float]]
    kind: Literal["exact", "bound"]
    n_missing: int
