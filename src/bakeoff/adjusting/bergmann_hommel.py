"""Bergmann and Hommel's correction: the most powerful of those that use only which hypotheses can be true together."""

import numpy as np

from bakeoff.adjusting import bergmann_hommel_line, bergmann_hommel_subsets
from bakeoff.adjusting.pairs import Pairs
from bakeoff.scores import Array


def bergmann_hommel(pairs: Pairs) -> Array:
    """max over exhaustive sets I holding the pair of |I| · min{p in I}, by thresholds t = min{p in I}."""
    distinct, lives = pairs.thresholds()
    k = len(lives)
    adjusted = np.empty((k, k))
    if pairs.order is not None:
        grid = np.ix_(pairs.order, pairs.order)
        adjusted[grid] = bergmann_hommel_line.adjusted_on_line(distinct, lives[grid], pairs.on)
    else:
        bergmann_hommel_subsets.refuse_large(k, "bergmann-hommel")
        most = bergmann_hommel_subsets.most_with_pair(lives)
        values = pairs.on.times(distinct, np.maximum(most, 1))
        adjusted = np.where(most > 0, values, pairs.on.zero).max(axis=2)
    return adjusted[np.triu_indices(k, 1)]
