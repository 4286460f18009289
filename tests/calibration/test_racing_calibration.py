"""How often do the rules with a promise lose a best candidate, looking after every block of five problems?

The promise is at most 5 % whatever the field; an independent prototype measured 0 to 2 % in these rows (2000 races).
The pass band is the promise and three standard errors; two candidates are enumerated exactly in tests/oracles. Rules
without a promise are compared with exact numbers.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import special

from bakeoff.nulls.tails import binomial_sf
from bakeoff.randomness import streams
from bakeoff.wings.run.racing.rules.e_dominance import DominanceRace
from bakeoff.wings.run.racing.rules.e_sign import SignRace
from bakeoff.wings.run.racing.rules.rule import for_problems, make_rule
from benchmarks.races import race, race_errors
from benchmarks.races.simulated import run_race

METHODS = ("e-sign", "e-choose")
ROWS = {
    "null q=2": {"n_candidates": 2},
    "null q=10": {"n_candidates": 10},
    "null q=30": {"n_candidates": 30},
    "2 tied best + 8 at .60": {"n_candidates": 10, "n_best": 2, "chance": 0.60},
    "5 tied best + 5 at .75": {"n_candidates": 10, "n_best": 5, "chance": 0.75},
    "unique best, 9 at .52": {"n_candidates": 10, "n_best": 1, "chance": 0.52},
    "unique best, 29 at .55": {"n_candidates": 30, "n_best": 1, "chance": 0.55},
    "null q=10, n <= 1500": {"n_candidates": 10, "n_problems": 1500},
    "null q=10, heavy tails": {"n_candidates": 10, "noise": "t2"},
}
RACES, FAST = 200, 25


def band(races: int) -> float:
    return 0.05 + 3 * math.sqrt(0.05 * 0.95 / races)


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("row", ROWS)
def test_a_best_candidate_is_rarely_lost(row: str, method: str) -> None:
    found = race_errors(method, **ROWS[row], repetitions=RACES, rng=11)  # type: ignore[arg-type]
    assert found.lost <= band(RACES), found


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_best_candidate_is_rarely_lost_in_a_few_races(method: str) -> None:
    for row in ("null q=10", "5 tied best + 5 at .75"):
        found = race_errors(method, **{**ROWS[row], "n_problems": 200}, repetitions=FAST, rng=12)  # type: ignore[arg-type]
        assert found.lost <= band(FAST), found


@pytest.mark.exhaustive
def test_all_bests_at_once_under_strict() -> None:
    found = race_errors("e-sign", 10, repetitions=RACES, strict=True, rng=13)
    assert found.any_lost <= band(RACES), found


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 25, 50, 128])
@pytest.mark.parametrize("method", METHODS)
def test_few_problems_and_bold_bets(method: str, n: int) -> None:
    """The fewer problems, the larger the bets; looked at after every one."""
    found = race_errors(method, 10, n_problems=n, block=1, repetitions=600, rng=n)
    assert found.lost <= band(600), found


@pytest.mark.slow
def test_some_best_one_of_several_is_lost_more_often() -> None:
    """As the guarantee says: it is for one given best candidate, not for all of them."""
    found = race_errors("e-sign", 30, repetitions=100, rng=19)
    assert found.lost <= band(100)
    assert found.any_lost > 0.15


@pytest.mark.slow
def test_clusters_break_the_guarantee_and_cluster_means_keep_it() -> None:
    """20 clusters of 25 problems, effects three times the noise, random order: docs/trust/racing.md has more races."""
    races, lost, kept = 200, 0, 0
    for seed in range(races):
        rng = np.random.default_rng(seed)
        effects = 3.0 * rng.normal(size=(20, 2))
        costs = rng.permutation(np.repeat(effects, 25, axis=0) + rng.normal(size=(500, 2)))
        for which, table in enumerate((costs, effects + rng.normal(size=(20, 2)) / 5.0)):
            rule = make_rule("e-sign", 2, **for_problems("e-sign", len(table)))
            run_race(rule, table, 5)
            lost += which == 0 and 0 not in rule.alive
            kept += which == 1 and 0 not in rule.alive
    assert lost / races > 0.15
    assert kept / races <= band(races)


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(("q", "chance"), [(2, 0.6), (5, 0.6), (10, 0.6), (10, 0.75)])
def test_the_claim_about_the_chosen_one_is_rarely_wrong(q: int, chance: float) -> None:
    """One best beats every other with probability .6 or more, so that choosing another one makes the claim wrong."""
    races, wrong = 300, 0
    shift = math.sqrt(2.0) * float(special.ndtri(chance)) + 1e-9
    for stream, _ in zip(streams(np.random.default_rng(q)), range(races), strict=False):
        costs = stream.normal(size=(600, q)) + np.where(np.arange(q) == 0, 0.0, shift)
        rule = make_rule("e-choose", q, **for_problems("e-choose", 600))
        run_race(rule, costs, 5)
        wrong += 0 not in rule.alive or rule.chosen not in (None, 0)
    assert wrong / races <= band(races)


@pytest.mark.slow
def test_the_claim_about_everybody_without_any_best_candidate() -> None:
    """A circle of three at 2/3: whoever is chosen is beaten with .667 by somebody, so "nobody" is wrong."""
    races, claimed = 300, 0
    rows = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0]])
    for seed in range(races):
        rule = make_rule("e-choose", 3, tolerance=0.65)
        run_race(rule, rows[np.random.default_rng(seed).integers(0, 3, 600)], 5)
        claimed += "no other candidate" in rule.claim
    assert claimed / races <= band(races)


@pytest.mark.slow
def test_equal_candidates_do_not_race_for_ever() -> None:
    """An independent implementation of e-choose needed 314 problems for ten equal candidates."""
    used = []
    for seed in range(60):
        rule = make_rule("e-choose", 10)
        run_race(rule, np.random.default_rng(seed).normal(size=(1500, 10)), 5)
        assert rule.chosen is not None
        used.append(rule.n_problems)
    assert np.mean(used) == pytest.approx(314, abs=30)


@pytest.mark.exhaustive
def test_f_race_of_two_loses_the_best_as_often_as_it_must() -> None:
    """Exact: one of two is removed at the first look at which the leader's sign test rejects; each with half of
    that probability. The one-sided walk alone would be .2533 (n <= 500), see tests/oracles.
    """
    law, lost = {0: 1.0}, 0.0  # wins of the other one
    for look in range(1, 101):
        n, ahead = 5 * look, {}
        for wins, p in law.items():
            for more in range(6):
                ahead[wins + more] = ahead.get(wins + more, 0.0) + p * math.comb(5, more) / 32
        law = {}
        for wins, p in ahead.items():
            if binomial_sf(max(wins, n - wins), n)[0] < 0.05:
                lost += p * (wins > n - wins)
            else:
                law[wins] = p
    assert lost == pytest.approx(0.2502, abs=0.004)  # the prototype: .258 of 2000 races
    races = 1000
    found = race_errors("f-race-sign", 2, gate=False, repetitions=races, rng=14)
    assert abs(found.lost - lost) <= 4 * math.sqrt(lost * (1 - lost) / races), (found, lost)


@pytest.mark.slow
def test_equivalence_keeps_the_best_among_survivors_and_equivalents() -> None:
    """Measured beside the promise: the true best is not called equivalent to one outside the margin."""
    races, wrong = 60, 0
    for stream, _ in zip(streams(np.random.default_rng(15)), range(races), strict=False):
        rule = SignRace(3, equivalence=0.05, margin=0.15)
        means = np.array([0.0, 0.6, 0.6])  # the first one wins with P = .66
        for _ in range(60):
            if len(rule.alive) > 1:
                rule.observe(stream.normal(means, 1.0, (10, 3))[:, rule.alive])
        wrong += any(e.candidate == 0 for e in rule.eliminations)
    assert wrong / races <= 0.1 + 3 * math.sqrt(0.09 / races)


@pytest.mark.slow
def test_candidates_dominated_by_nobody_stay() -> None:
    """Everybody equal in two metrics that are correlated: nobody is dominated."""
    races, lost = 150, 0
    for stream, _ in zip(streams(np.random.default_rng(16)), range(races), strict=False):
        rule = DominanceRace(6, n_metrics=2)
        for _ in range(50):
            if len(rule.alive) > 1:
                shared = stream.normal(size=(5, 6, 1))
                rule.observe((shared + 0.5 * stream.normal(size=(5, 6, 2)))[:, rule.alive])
        lost += 0 not in rule.alive
    assert lost / races <= band(races)


@pytest.mark.slow
def test_who_is_left_of_twenty_in_two_metrics() -> None:
    """The prototype, 100 races: 3.6 dominated by nobody, 8.3 left, 0 of them lost, .55 of the evaluations."""
    left, spent = [], []
    for stream, _ in zip(streams(np.random.default_rng(17)), range(40), strict=False):
        means = stream.uniform(size=(20, 2))
        rule, evaluations = DominanceRace(20, n_metrics=2), 0
        while rule.n_problems < 600 and len(rule.alive) > 1:
            evaluations += 5 * len(rule.alive)
            rule.observe(stream.normal(means[rule.alive], 0.5, (5, len(rule.alive), 2)))
        best = [i for i in range(20) if not np.any(np.all(means < means[i], axis=1))]
        assert set(best) <= set(rule.alive.tolist())
        left.append(len(rule.alive))
        spent.append(evaluations / 12_000)
    for found, wanted in ((left, 8.3), (spent, 0.55)):
        error = np.std(found) * math.sqrt(1 / 40 + 1 / 100)
        assert np.mean(found) == pytest.approx(wanted, abs=4 * error)


def test_the_experiment_of_the_paper_runs_and_finds_the_best() -> None:
    """No ordering of the rules is asserted: those of MAE depend on the gate and on what M counts."""
    for method in ("e-sign", "e-rank", "f-race-sign", "f-race-mean-ranks", "irace", "wilcoxon", "bayes"):
        found = race(method, 4, 0.1, rounds=30, repetitions=5, rng=17)
        assert 0.0 < found.iterations <= 1.0
        assert found.mae <= 1.0
        assert 1.0 <= found.n_survivors <= 4.0
        assert found == race(method, 4, 0.1, rounds=30, repetitions=5, rng=17)


@pytest.mark.slow
def test_iterations_of_a_gate_free_f_race() -> None:
    """An independent prototype of the same reading, 200 races: ITER .65 at q = 30, ρ = 1."""
    found = race("f-race-sign", 30, 1.0, gate=False, repetitions=60, rng=18)
    assert found.iterations == pytest.approx(0.65, abs=max(0.05, 4 * found.iterations_error))
