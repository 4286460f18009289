"""The power that a plan for a margin promises, simulated through bo.equivalence and bo.compare."""

import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow


@pytest.mark.exhaustive
def test_one_pair_among_others() -> None:
    """Two algorithms are equal, the third is far beyond the margin: the plan's worst case of Holm over three pairs."""
    plan = bo.plan.instances(margin=0.6, n_algorithms=3)
    rng, tables, shown = np.random.default_rng(2), 300, 0
    for _ in range(tables):
        scores = rng.normal(0.0, 0.5**0.5, (plan.n, 3)) + np.array([0.0, 0.0, 3.0])
        result = bo.compare(bo.Scores(scores, ["x", "y", "far"], better="higher"), margin=0.6, pairwise="t")
        pair = next(pair for pair in result.pairs if {pair.a, pair.b} == {"x", "y"})
        shown += pair.adjusted_equal <= 0.05
    assert shown / tables >= plan.power - 4 * (plan.power * (1 - plan.power) / tables) ** 0.5
