"""Evidence of races, where a plan ends in the middle of a block, and of clusters, by who wins."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.run.racing.pair_evidence import GRID
from bakeoff.wings.run.racing.rules.e_choose import ChooseRace
from bakeoff.wings.run.racing.rules.e_sign import SignRace


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
    evidence = rule._not_beaten
    assert evidence[0, 1] > 0 > evidence[1, 0]


@pytest.mark.parametrize(("n", "said"), [(11, "a given best candidate"), (12, "no other candidate beats")])
def test_a_claim_about_all_others_needs_more_evidence(n: int, said: str) -> None:
    """Of two, one wins every problem: the mean of 1.5^n, 1.25^n and 1.125^n is above 2/0.05 from n = 12 on."""
    scores = bo.Scores(np.tile([0.0, 1.0], (60, 1)), better="lower")
    assert (1.5**n + 1.25**n + 1.125**n > 3 * 40) == (n == 12)
    assert said in bo.race.replay(scores, "e-choose", block=n).claim


def test_of_several_that_are_not_beaten_the_one_with_most_wins_is_chosen() -> None:
    """The first two beat each other as often; the second beats the third on more problems, and the fourth always."""
    n = 3000
    i = np.arange(n)
    first, second = (i % 2).astype(float), ((i + 1) % 2).astype(float)
    third = np.where(i % 10 == 0, 0.5, 2.0)
    third = np.where(i % 20 == 0, second + 0.1, third)
    rule = ChooseRace(4, 0.05)
    rule.observe(np.column_stack([third + 2, first, second, third]))
    wins = [int(np.sum(third > x)) for x in (first, second)]
    assert rule.chosen == 1 + int(np.argmax(wins))
    assert wins[0] != wins[1]
