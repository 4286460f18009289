"""Sampled signs of whole clusters belong to what is in a cluster, not to its place in the table."""

import numpy as np

from bakeoff.means.sign_flips import EXACT, flips_above


def test_neither_the_order_of_clusters_nor_that_of_pairs_changes_p() -> None:
    rng = np.random.default_rng(1)
    sums = rng.normal(size=(EXACT + 4, 3)) + 0.3
    rows, columns = rng.permutation(len(sums)), np.array([2, 0, 1])
    p = flips_above(sums)
    assert (flips_above(sums[rows]) == p).all()
    assert (flips_above(sums[:, columns]) == p[columns]).all()


def test_all_signs_of_three_clusters() -> None:
    """Sums 3, 2, 1: only +++ reaches 6, of eight choices."""
    assert flips_above(np.array([[3.0], [2.0], [1.0]])).tolist() == [1 / 8]
