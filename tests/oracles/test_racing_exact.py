"""Races by exact enumeration: no simulation, no error bars.

Numbers called golden come from an independent prototype of the same definitions (dynamic programming over wins), as
the comments say; the enumerations here are written anew and must meet them.
"""

from __future__ import annotations

import copy
import itertools
import math

import numpy as np
import pytest

from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.pair_evidence import log_pair_evidence, win_confidence
from bakeoff.wings.run.racing.record import e_bh
from bakeoff.wings.run.racing.rules.e_sign import SignRace
from bakeoff.wings.run.racing.rules.equivalence import EquivalenceTest
from bakeoff.wings.run.racing.rules.f_race import SignFieldRace, sign_pvalue
from bakeoff.wings.run.racing.rules.rule import Rule
from benchmarks.races.rules.e_rank import RankRace


def first_passage(crosses: Array, p: float, every: int = 1) -> tuple[float, float]:
    """P(a walk of wins is ever at (w, l) with ``crosses``) and the mean time of those that are.

    ``crosses[n]`` (n + 1,) says after how many wins of n; looked at after each ``every`` problems.
    """
    law, total, when = np.ones(1), 0.0, 0.0
    for n in range(1, len(crosses)):
        law = np.append(law * (1 - p), 0.0) + np.append(0.0, law * p)
        if n % every == 0:
            stopped = float(law[crosses[n]].sum())
            law[crosses[n]] = 0.0
            total += stopped
            when += n * stopped
    return total, when / total if total else math.nan


def crossings(function: object, limit: float, horizon: int) -> list[np.ndarray]:
    assert callable(function)
    found = []
    for n in range(horizon + 1):
        w = np.arange(n + 1)
        found.append(np.asarray(function(w, n - w) >= limit))
    return found


@pytest.fixture(scope="module")
def pair_crossings() -> list[np.ndarray]:
    return crossings(log_pair_evidence, math.log(20), 1500)


@pytest.mark.slow
def test_crossing_twenty_and_the_power_to_do_so(pair_crossings: list[np.ndarray]) -> None:
    """Golden: P(sup E >= 20) by n = 500 and 1500 at p = 1/2, and power by 1500 / mean n at p = .55, .6, .7, .9."""
    assert first_passage(pair_crossings[:501], 0.5)[0] == pytest.approx(0.02520, abs=5.1e-6)  # type: ignore[arg-type]
    assert first_passage(pair_crossings, 0.5)[0] == pytest.approx(0.03139, abs=5.1e-6)  # type: ignore[arg-type]
    for p, power, mean in ((0.55, 0.884, 621), (0.6, 1.0, 197), (0.7, 1.0, 50), (0.9, 1.0, 13)):
        found = first_passage(pair_crossings, p)  # type: ignore[arg-type]
        assert found[0] == pytest.approx(power, abs=5.1e-4)
        if p > 0.55:
            assert found[1] == pytest.approx(mean, abs=0.51)


@pytest.mark.few(1)
@pytest.mark.parametrize(("horizon", "golden"), [(100, 0.1536), (500, 0.2533), (1500, 0.3173)])
def test_a_sign_test_looked_at_every_five_problems(horizon: int, golden: float) -> None:
    """Golden: a one-sided sign test at .05, repeated after every 5 problems, ever rejects a true hypothesis."""
    rejects = [sign_pvalue(np.arange(n + 1), n - np.arange(n + 1)) < 0.05 for n in range(horizon + 1)]
    assert first_passage(rejects, 0.5, every=5)[0] == pytest.approx(golden, abs=5.1e-5)  # type: ignore[arg-type]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("method", "horizon", "simulated"), [("e-sign", 500, 0.011), ("e-rank", 500, 0.012), ("e-sign", 1500, 0.017)]
)
def test_two_equal_candidates(method: str, horizon: int, simulated: float) -> None:
    """P(the first of two equal ones is ever removed), looks after every 5 problems; the prototype simulated 2000 races.

    With two candidates each is the other's leader: e-rank is E(w, l) itself, and e-sign half of it and half of
    E(w, l)/E(first block).
    """
    lost = 0.0
    for first in range(6):  # wins of the other one in the first block
        law = {first: math.comb(5, first) / 32}
        start = {"e-sign": float(log_pair_evidence(first, 5 - first)), "e-rank": math.inf}[method]
        mine = {"e-sign": float(log_pair_evidence(5 - first, first)), "e-rank": math.inf}[method]
        for n in range(5, horizon + 1, 5):
            if n > 5:
                ahead: dict[int, float] = {}
                for w, p in law.items():
                    for more in range(6):
                        ahead[w + more] = ahead.get(w + more, 0.0) + p * math.comb(5, more) / 32
                law = ahead
            w = np.array(list(law))
            against = stake(log_pair_evidence(w, n - w), start if n > 5 or start == math.inf else 0.0) >= 20
            other = stake(log_pair_evidence(n - w, w), mine if n > 5 or mine == math.inf else 0.0) >= 20
            lost += sum(p for p, out in zip(law.values(), against.tolist(), strict=True) if out)
            law = {x: p for x, p, out in zip(law, law.values(), (against | other).tolist(), strict=True) if not out}
    assert lost <= 0.05
    assert lost == pytest.approx(simulated, abs=4 * math.sqrt(simulated / 2000))


def stake(log_e: Array, log_first: float) -> Array:
    """Half on the pair, half on the leader, who is followed after the first block; or all on the pair."""
    e = np.exp(np.minimum(log_e, 100.0))
    if log_first == math.inf:
        return np.asarray(e)
    follow = np.exp(np.minimum(log_e - log_first, 100.0)) if log_first else np.ones_like(e)
    return np.asarray((e + follow) / 2)


@pytest.mark.slow
def test_f_race_of_two_is_that_test() -> None:
    """The rule removes the loser at the first look at which the sign test of the leader rejects, and not before."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        rule = SignFieldRace(2, gate=False)
        wins = n = 0
        while len(rule.alive) == 2 and n < 200:
            sign = rng.random(5) < 0.5
            rule.observe(np.column_stack([~sign, sign]).astype(float))
            wins, n = wins + int(sign.sum()), n + 5
            best = max(wins, n - wins)
            p = sum(math.comb(n, w) for w in range(best, n + 1)) / 2**n
            assert (len(rule.alive) == 1) == (p < 0.05)


@pytest.mark.slow
def test_cost_of_equivalence() -> None:
    """Golden: claims by n = 3000 at p = .50, .51, .53, the false ones at .55, and when on average."""
    test = EquivalenceTest(2, 0.05)
    calls = crossings(test.log_evidence, math.log(test.threshold), 3000)
    for p, golden in ((0.50, 0.996), (0.51, 0.968), (0.53, 0.432)):
        assert first_passage(calls, p)[0] == pytest.approx(golden, abs=5.1e-4)  # type: ignore[arg-type]
    assert first_passage(calls, 0.55)[0] == pytest.approx(0.0258, abs=5.1e-5)  # type: ignore[arg-type]
    assert first_passage(calls, 0.50)[1] == pytest.approx(1047, abs=0.51)  # type: ignore[arg-type]
    many = EquivalenceTest(100, 0.05)
    found = first_passage(crossings(many.log_evidence, math.log(many.threshold), 3000), 0.5)  # type: ignore[arg-type]
    assert found[0] == pytest.approx(0.881, abs=5.1e-4)
    assert found[1] == pytest.approx(2086, abs=0.51)


# --- E[E] = 1: with eliminations, with latecomers ------------------------------------------------------------------


PERMUTATIONS = {m: [np.array(p, dtype=float) for p in itertools.permutations(range(m))] for m in (2, 3, 4)}


def expectations(rule: Rule, depth: int, admits: int) -> tuple[Array, float]:
    """Every order of the candidates equally likely on every problem: mean of every candidate's last E, and the
    probability that candidate 0 is removed. A newcomer is let in, for a reason in the data, at most ``admits`` times.
    """
    ends: dict[int, float] = {}
    lost = 0.0

    def walk(at: Rule, left: int, spare: int, p: float, frozen: dict[int, float]) -> None:
        nonlocal lost
        if left == 0 or len(at.alive) < 2:
            values = dict(zip(at.alive.tolist(), at.evidence.tolist(), strict=True)) | frozen
            for i in range(3):
                ends[i] = ends.get(i, 0.0) + p * values.get(i, 1.0)
            lost += p * (0 not in at.alive)
            return
        orders = PERMUTATIONS[len(at.alive)]
        for order in orders:
            then = copy.deepcopy(at)
            gone = then.observe(order[None, :])
            kept = frozen | {e.candidate: e.evidence for e in gone}
            more = spare
            if spare and order[0] == 0:
                then.admit()
                more -= 1
            walk(then, left - 1, more, p / len(orders), kept)

    walk(rule, depth, admits, 1.0, {})
    return np.array([ends[i] for i in range(3)]), lost


@pytest.mark.parametrize("rule", [SignRace, RankRace])
def test_evidence_has_mean_one_with_a_latecomer(rule: type[SignRace] | type[RankRace]) -> None:
    """Nobody differs: however a newcomer is let in, every E keeps the mean 1."""
    means, lost = expectations(rule(2, 1e-9), 4, 1)
    assert means == pytest.approx(np.ones(3), abs=1e-12)
    assert lost == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("rule", [SignRace, RankRace])
@pytest.mark.parametrize("alpha", [0.3, 0.6])
def test_stopped_evidence_and_the_chance_of_loss(rule: type[SignRace] | type[RankRace], alpha: float) -> None:
    """With eliminations: the mean of the stopped E is at most 1, and P(0 is removed) <= α, exactly."""
    for admits in (0, 1):
        means, lost = expectations(rule(3 - admits, alpha), 4, admits)
        assert np.all(means <= 1.0 + 1e-12)
        assert lost <= alpha + 1e-12
        assert alpha < 0.5 or lost > 0.0


@pytest.mark.slow
def test_the_accounts_are_divided_and_never_grow() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        race = SignRace(int(rng.integers(2, 6)), 0.3)
        for _ in range(12):
            before = race.evidence.copy()
            if rng.random() < 0.3:
                m = len(race.alive)
                lone = m == 1
                race.admit(int(rng.integers(1, 3)))
                assert np.all(race.evidence[:m] >= before - 1e-12 if lone else np.isclose(race.evidence[:m], before))
                assert race.evidence[m:] == pytest.approx(1.0)
                assert np.all(np.diag(race.accounts) == 0.0)
            if len(race.alive) > 1:
                race.observe(np.round(rng.normal(size=(int(rng.integers(1, 5)), len(race.alive))) * 2))


def test_a_lone_survivor_stakes_again_what_was_against_it() -> None:
    race = SignRace(2, 0.05)
    while len(race.alive) == 2:
        race.observe(np.array([[1.0, 2.0]]))
    follow, unstaked = float(race.follow[0]), float(race._unstaked[0])
    assert race.admit() == [2]
    assert race.evidence[0] == pytest.approx(follow / 2 + unstaked / 2)
    assert race.alive.tolist() == [0, 2]


# --- lists and intervals ------------------------------------------------------------------------------------------


def test_e_bh_by_its_definition() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        q, alpha = int(rng.integers(1, 9)), float(rng.choice([0.05, 0.2, 0.5]))
        e = np.round(np.exp(rng.normal(1, 2, q)), 1)
        largest = max([k for k in range(1, q + 1) if sum(e >= q / (alpha * k)) >= k], default=0)
        wanted = e >= q / (alpha * largest) if largest else np.zeros(q, dtype=bool)
        assert e_bh(e, alpha).tolist() == wanted.tolist()


@pytest.mark.slow
def test_confidence_sequence_for_wins() -> None:
    """The interval is where the mixture's likelihood ratio is below 1/α; the truth is ever outside with P <= α."""
    from scipy import special

    for w, l in ((0, 0), (5, 0), (0, 9), (30, 12), (400, 380)):  # noqa: E741
        low, high = win_confidence(w, l, 0.05)
        for p in (low, high):
            if 0 < p < 1:
                log_e = special.betaln(1 + w, 1 + l) - w * math.log(p) - l * math.log1p(-p)
                assert log_e == pytest.approx(math.log(20), abs=1e-9)
        assert low <= (w / (w + l) if w + l else 0.5) <= high
    outside = [
        np.array(
            [not win_confidence(w, n - w, 0.2)[0] <= 0.4 <= win_confidence(w, n - w, 0.2)[1] for w in range(n + 1)]
        )
        for n in range(41)
    ]
    missed = first_passage(outside, 0.4)[0]  # type: ignore[arg-type]
    assert 0.02 < missed <= 0.2
