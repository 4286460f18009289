"""Shaffer's corrections: Holm's, multiplied by the number of hypotheses that can still be true.

If A = B and B = C then A = C: the true hypotheses are the pairs within the blocks of a partition of the algorithms.
"""

import numpy as np

from bakeoff.adjusting import bergmann_hommel_line, bergmann_hommel_subsets
from bakeoff.adjusting.classical import running_max
from bakeoff.adjusting.pairs import Pairs
from bakeoff.adjusting.shaffer_counts import most_true
from bakeoff.scores import Array


def shaffer(pairs: Pairs) -> Array:
    """(m,) max over j ≤ i of t_j·p_j; t_j = the most hypotheses that can be true when j − 1 of them are false."""
    p = pairs.upper
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = running_max(pairs.on.times(p[order], most_true(len(pairs.matrix))))
    return adjusted


def shaffer_dynamic(pairs: Pairs) -> Array:
    """The same with the most hypotheses that can be true when exactly those with smaller p are false."""
    distinct, lives = pairs.thresholds()
    if pairs.order is not None:
        count = bergmann_hommel_line.line(lives[np.ix_(pairs.order, pairs.order)]).prefix[:, -1]
    else:
        bergmann_hommel_subsets.refuse_large(len(lives), "shaffer-dynamic")
        count = bergmann_hommel_subsets.most_within(lives)
    steps = running_max(pairs.on.times(distinct, count))
    return steps[lives[np.triu_indices(len(lives), 1)] - 1]
