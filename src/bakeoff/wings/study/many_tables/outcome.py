"""What a procedure says of each of many tables."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.scores import Array

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestOutcome:
    """Of t tables. ``family``: adjusted p-values of all pairs that are tested together; None where there is but one.

    A Bayesian decision has twice the smaller of the two posterior probabilities for its p-value.
    """

    pvalue: Array  # (t,) of the pair, adjusted where the procedure tests a family; of the table for an omnibus test
    rejected: Flags  # (t,) is the pair (the table) found different?
    family: Array | None = None  # (pairs, t)
    decided: Flags | None = None  # (pairs, t) which of the family are found different

    @classmethod
    def of_pvalues(cls, pvalue: Array, alpha: float) -> "TestOutcome":
        """A test by itself."""
        return cls(pvalue=pvalue, rejected=pvalue <= alpha)

    @classmethod
    def of_family(cls, adjusted: Array, place: int, alpha: float, reachable: bool = True) -> "TestOutcome":
        """Adjusted p-values; nothing is found different where the design could not have reached alpha."""
        decided = (adjusted <= alpha) & reachable
        return cls(pvalue=adjusted[place], rejected=decided[place], family=adjusted, decided=decided)
