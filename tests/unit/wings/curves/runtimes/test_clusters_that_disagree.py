"""The order counts clusters: their counts are shown, and a majority of problems against them is said."""

import numpy as np

import bakeoff as bo


def table(lost: int) -> bo.Scores:
    """16 clusters of 7: a wins 4 : 3 in all but ``lost`` of them, where b wins every problem."""
    a_wins = np.array([[True] * 4 + [False] * 3] * (16 - lost) + [[False] * 7] * lost).ravel()
    times = np.where(a_wins[:, None], [1.0, 2.0], [2.0, 1.0])
    return bo.Scores(times, ["a", "b"], better="lower", clusters=np.repeat(np.arange(16), 7).astype(str).tolist())


def test_a_verdict_against_the_majority_of_problems_is_said() -> None:
    found = bo.runtimes(table(3), 10, n_resamples=100)
    (pair,) = found.pairs
    assert (pair.verdict, pair.units_won, pair.units_lost, pair.wins, pair.losses) == ("a better", 13, 3, 52, 60)
    assert "13 clusters against 3, 52 problems against 60, 0 tied" in found.verdict
    assert "clusters-disagree" in {caution.code for caution in found.cautions}
    turned = found.pair("b", "a")
    assert (turned.units_won, turned.units_lost) == (3, 13)


def test_nothing_is_said_where_both_agree() -> None:
    found = bo.runtimes(table(0), 10, n_resamples=100)
    assert found.pairs[0].verdict == "a better"
    assert "clusters-disagree" not in {caution.code for caution in found.cautions}
