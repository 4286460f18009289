"""Evidence of races, where a plan ends in the middle of a block, and of clusters, by who wins."""

import numpy as np
import pytest

from bakeoff.racing.pair_evidence import GRID
from bakeoff.racing.rules.e_choose import ChooseRace
from bakeoff.racing.rules.e_sign import SignRace


def lost(n: int) -> float:
    """The evidence of n problems that are all lost: the mean of (1 + step)^n over the grid of steps."""
    return float(np.mean((1 + np.asarray(GRID)) ** n))


@pytest.mark.parametrize(("left", "block", "idle"), [(5, 2, 2), (5, 5, 5), (5, 100, 5)])
def test_the_most_evidence_that_a_plan_can_give(left: int, block: int, idle: int) -> None:
    """The leader's account is idle in the first block, which ends with the plan at the latest."""
    most = SignRace(4, 0.05).log_most(left, block)
    assert most == pytest.approx(np.log(lost(left) * (0.5 + 0.5 / lost(idle))), rel=1e-12)


def test_who_wins_every_cluster_is_shown_not_to_be_beaten() -> None:
    rule = ChooseRace(2, 0.05, tolerance=0.75)
    rule.take_clusters()
    for _ in range(3):
        rule.observe(np.array([[0.0, 1.0], [0.2, 0.9]]), [2])
    evidence = rule._evidence_of_not_beaten()
    assert evidence[0, 1] > 0 > evidence[1, 0]
