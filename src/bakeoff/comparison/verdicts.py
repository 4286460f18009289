"""The verdicts about a pair; a margin adds three of them."""

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
