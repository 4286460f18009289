"""Bradley–Terry as the user meets it: what it holds, order and symmetry, refusals, cautions."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.bayes._bradley_terry import bradley_terry
from bakeoff.bayes.mcmc.win_table import WinTable, count_wins
from bakeoff.errors import ParameterError, ScoreError, TooLargeError, WrongTypeError

WINS = [[0, 9, 12, 6], [3, 0, 8, 5], [1, 4, 0, 5], [2, 4, 6, 0]]
TIES = [[0, 1, 0, 2], [1, 0, 3, 0], [0, 3, 0, 1], [2, 0, 1, 0]]
NAMES = ["d", "b", "a", "c"]
DRAWS = 800


@pytest.fixture(scope="module")
def found():
    return bradley_terry(WinTable(WINS, TIES, NAMES), n_draws=DRAWS)


@pytest.mark.slow
def test_what_it_holds(found):
    k = 4
    assert found.strengths.sum() == pytest.approx(0, abs=1e-12)
    assert found.p_best.sum() == pytest.approx(1)
    off = ~np.eye(k, dtype=bool)
    assert (found.p_stronger + found.p_stronger.T)[off] == pytest.approx(np.ones(12))
    assert (found.p_beats + found.p_beats.T + found.p_tie)[off] == pytest.approx(np.ones(12))
    assert (found.p_tie == found.p_tie.T).all()
    for matrix in (found.p_stronger, found.p_beats, found.p_tie):
        assert not np.diagonal(matrix).any()
    assert (found.intervals[:, 0] < found.strengths).all()
    assert (found.strengths < found.intervals[:, 1]).all()
    assert found.draws.shape == (found.n_draws, k)
    assert found.draws.mean(axis=0) == pytest.approx(found.strengths)
    assert [d.parameter for d in found.diagnostics] == [f"the strength of {n}" for n in NAMES] + ["the tie parameter"]
    assert all(d.rhat < 1.01 and d.ess_bulk > 400 for d in found.diagnostics)
    assert (found.method, found.n_games, found.n_ties, found.n_problems) == ("davidson", 72, 7, None)
    assert found.tie_interval[0] < found.tie_share < found.tie_interval[1]
    assert not found.cautions
    for array in (found.draws, found.p_best, found.p_beats, found.p_stronger, found.p_tie, found.intervals, found.sds):
        assert not array.flags.writeable


@pytest.mark.slow
def test_order_of_algorithms_and_seed(found):
    turn = [2, 0, 3, 1]
    table = WinTable(np.array(WINS)[np.ix_(turn, turn)], np.array(TIES)[np.ix_(turn, turn)], [NAMES[i] for i in turn])
    other = bradley_terry(table, n_draws=DRAWS)
    assert (other.p_best == found.p_best[turn]).all()
    assert other.strengths == pytest.approx(found.strengths[turn], abs=1e-14)
    assert (other.p_beats == found.p_beats[np.ix_(turn, turn)]).all()
    assert [d.rhat for d in other.diagnostics[:4]] == [found.diagnostics[i].rhat for i in turn]
    table = WinTable(WINS, TIES, NAMES)
    one, two, three = (
        bradley_terry(table, n_draws=400, rng=r).p_best for r in (7, np.random.default_rng(7), np.random.default_rng(8))
    )
    assert (one == two).all()
    assert (one != three).any()


@pytest.mark.slow
def test_ties():
    without = bradley_terry(WinTable(WINS, algorithms=NAMES), n_draws=400)
    assert (without.method, without.tie_share, without.tie_interval) == ("bradley-terry", None, None)
    assert not without.p_tie.any()
    split = bradley_terry(WinTable(WINS, TIES, NAMES), n_draws=400, ties="split")
    halves = bradley_terry(WinTable(np.array(WINS) + np.array(TIES) / 2, algorithms=NAMES), n_draws=400)
    assert (split.p_best == halves.p_best).all()
    assert split.n_ties == 7
    asked = bradley_terry(WinTable(WINS, algorithms=NAMES), n_draws=400, ties="davidson")
    assert asked.method == "davidson"
    assert 0 < asked.tie_share < 0.1
    only = bradley_terry(WinTable(np.zeros((3, 3)), 5 - 5 * np.eye(3)), n_draws=DRAWS)
    assert only.tie_share > 0.7
    assert only.p_best == pytest.approx(np.full(3, 1 / 3), abs=6 * only.standard_error)


@pytest.mark.slow
def test_equal_algorithms_get_equal_chances():
    found = bradley_terry(WinTable([[0, 5, 5], [5, 0, 5], [5, 5, 0]]), n_draws=4000)
    assert found.p_best == pytest.approx(np.full(3, 1 / 3), abs=4 * found.standard_error)
    assert found.p_stronger[0, 1] == pytest.approx(0.5, abs=4 * found.standard_error)


@pytest.mark.slow
def test_scores_are_counted_by_problem():
    values = [[1, 2, 2], [1, 3, math.inf], [0.5, 0.5, math.inf], [4, 3, 5]]
    s = bo.Scores(values, ["x", "y", "z"], better="lower")
    table = count_wins(s)
    assert table.wins.tolist() == [[0, 2, 4], [1, 0, 3], [0, 0, 0]]
    assert table.ties.tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    found = bradley_terry(s, n_draws=400)
    assert (found.n_problems, found.n_games, found.method) == (4, 12, "davidson")
    assert [c.code for c in found.cautions] == ["dependent-games"]
    negated = bo.Scores([[-v for v in row] for row in values], ["x", "y", "z"], better="higher")
    assert (bradley_terry(negated, n_draws=400).p_best == found.p_best).all()


@pytest.mark.slow
def test_cautions():
    apart = np.zeros((4, 4))
    apart[0, 1] = apart[1, 0] = apart[2, 3] = apart[3, 2] = 3
    (caution,) = bradley_terry(WinTable(apart), n_draws=400).cautions
    assert caution.code == "not-connected"
    assert "A1, A2; A3, A4" in caution.text
    won = bradley_terry(WinTable([[0, 5, 5], [0, 0, 3], [0, 2, 0]]), n_draws=400)
    assert [c.code for c in won.cautions] == ["one-sided"]
    assert "A1" in won.cautions[0].text
    assert np.isfinite(won.draws).all()


@pytest.mark.slow
def test_wide_prior_and_separation_still_settles():
    found = bradley_terry(WinTable([[0, 20], [0, 0]]), prior_strength=0.2, n_draws=400)
    assert found.p_stronger[0, 1] > 0.99
    assert all(d.rhat <= 1.01 for d in found.diagnostics)


@pytest.mark.slow
def test_a_prior_too_weak_to_be_sampled_is_refused():
    """With s = 1e-6 the winner of 3 games of 3 was called stronger with probability 0.31, with 1e-16 it crashed."""
    table = WinTable([[0, 3], [0, 0]])
    for s in (0.0199, 1e-6, 1e-16, 1e-300):
        with pytest.raises(ParameterError, match=r"at least 0\.02 here where some algorithms never lost"):
            bradley_terry(table, prior_strength=s)
    assert bradley_terry(table, prior_strength=0.02, n_draws=800).p_stronger[0, 1] > 0.98


@pytest.mark.slow
def test_games_that_bound_every_strength_need_hardly_a_prior():
    """A tie or a loss links both ways; through others too."""
    ring = WinTable([[0, 3, 0], [0, 0, 2], [1, 0, 0]])
    weak, weaker = (bradley_terry(ring, prior_strength=s, n_draws=2000) for s in (1e-4, 1e-8))
    assert weak.strengths == pytest.approx(weaker.strengths, abs=0.1)
    assert not weaker.cautions
    tied = WinTable([[0, 3], [0, 0]], ties=[[0, 1], [1, 0]])
    assert bradley_terry(tied, prior_strength=1e-6, n_draws=800).p_stronger[0, 1] > 0.9
    for games in (ring, tied):
        with pytest.raises(ParameterError, match="at least 1e-09 here:"):
            bradley_terry(games, prior_strength=1e-12)


def test_refusals():
    table = WinTable(WINS)
    with pytest.raises(ParameterError, match="prior_strength must be larger than 0"):
        bradley_terry(table, prior_strength=0)
    with pytest.raises(ParameterError, match="'davidson'"):
        bradley_terry(table, ties="david")
    with pytest.raises(ParameterError, match="n_chains"):
        bradley_terry(table, n_chains=1)
    with pytest.raises(WrongTypeError, match="WinTable"):
        bradley_terry(WINS)
    with pytest.raises(TooLargeError, match="300"):
        bradley_terry(WinTable(np.ones((301, 301)) - np.eye(301)))
    for wins, ties, match in (
        ([[0, 1]], None, "square"),
        ([[0]], None, "at least 2"),
        ([[0, -1], [1, 0]], None, "counts"),
        ([[0, math.nan], [1, 0]], None, "counts"),
        ([[0, math.inf], [1, 0]], None, "counts"),
        ([[1, 1], [1, 0]], None, "meet itself"),
        ([[0, 0], [0, 0]], None, "no game"),
        ([[0, 1], [1, 0]], [[0, 1], [2, 0]], "symmetric"),
        ([[0, 1], [1, 0]], np.zeros((3, 3)), "shape of wins"),
    ):
        with pytest.raises((ScoreError, ParameterError), match=match):
            WinTable(wins, ties)
    with pytest.raises(ScoreError, match="repeated"):
        WinTable([[0, 1], [1, 0]], algorithms=["a", "a"])
    given = np.array([[0.0, 2], [1, 0]])
    WinTable(given)
    given[0, 1] = 3  # the input is copied and stays the caller's
