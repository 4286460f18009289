"""e-choose beside its definition in loops and fractions, and, for two candidates, every path of wins added up."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from bakeoff.errors import BakeoffError
from bakeoff.wings.run.racing.pair_evidence import GRID
from bakeoff.wings.run.racing.rules.e_choose import ChooseRace, log_not_beaten
from bakeoff.wings.run.racing.rules.rule import make_rule


class TwinChoose:
    """The definitions of docs/trust/racing.md in loops, plain products over problems; the tolerance is a fraction."""

    def __init__(self, q: int, alpha: float, tolerance: Fraction) -> None:
        self.q, self.alpha, self.tolerance = q, alpha, tolerance
        self.alive = list(range(q))
        self.account = {(i, j): 1 / (q - 1) for i in range(q) for j in range(q) if i != j}
        self.follow = dict.fromkeys(range(q), 1.0)
        self.duels: dict[tuple[int, int], list[int]] = {(i, j): [] for i in range(q) for j in range(q) if i != j}
        self.chosen: int | None = None
        self.everybody = False

    def pair(self, i: int, j: int) -> float:
        """Evidence that j beats i more often than not."""
        return sum(math.prod(1 + step * s for s in self.duels[i, j]) for step in GRID) / len(GRID)

    def not_beaten(self, c: int, j: int) -> Fraction:
        """Evidence against "j beats c with probability ``tolerance`` or more"."""
        tau, total = self.tolerance, Fraction(0)
        for p in (1 - tau, Fraction(1, 2), (tau + Fraction(1, 2)) / 2):
            product = Fraction(1)
            for s in self.duels[c, j]:
                product *= {1: p / tau, -1: (1 - p) / (1 - tau), 0: Fraction(1)}[s]
            total += product
        return total / 3

    def observe(self, block: dict[int, list[float]]) -> list[int]:
        points = {i: -sum(sum(self.duels[i, j]) for j in self.alive if j != i) for i in self.alive}
        order = sorted(self.alive, key=lambda i: (-points[i], i))
        begun = any(s for duel in self.duels.values() for s in duel)
        pairs = [(i, j) for i in self.alive for j in self.alive if i != j]
        old = {pair: self.pair(*pair) for pair in pairs}
        for i, j in pairs:  # +1: j beat i
            self.duels[i, j] += [(y < x) - (x < y) for x, y in zip(block[i], block[j], strict=True)]
        for i, j in pairs:
            self.account[i, j] *= self.pair(i, j) / old[i, j]
        for i in self.alive:
            if begun:
                leader = order[0] if order[0] != i else order[1]
                self.follow[i] *= self.pair(i, leader) / old[i, leader]
        value = {i: self.evidence(i) for i in self.alive}
        gone = [i for i in self.alive if value[i] >= 2 / self.alpha]
        if len(gone) == len(self.alive):
            gone.remove(min(self.alive, key=lambda i: (value[i], i)))
        stay = [i for i in self.alive if i not in gone]
        for i in stay:
            freed = sum(self.account[i, j] for j in gone)
            for j in stay:
                if j != i:
                    self.account[i, j] += freed / (len(stay) - 1)
        self.alive = stay
        enough = 2 * (self.q - 1) / self.alpha
        able = [c for c in stay if all(self.not_beaten(c, j) >= enough for j in stay if j != c)]
        if able:
            score = {c: -sum(sum(self.duels[c, j]) for j in stay if j != c) for c in able}
            self.chosen = min(able, key=lambda c: (-score[c], c))
            self.everybody = all(self.not_beaten(self.chosen, j) >= enough for j in range(self.q) if j != self.chosen)
        return gone

    def evidence(self, i: int) -> float:
        return self.follow[i] / 2 + sum(self.account[i, j] for j in self.alive if j != i) / 2


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(30))
def test_e_choose_as_its_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q = int(rng.integers(2, 6))
    tau = Fraction(int(rng.choice([3, 7, 4])), int(rng.choice([5]) if seed % 3 else 10)) if seed % 2 else Fraction(3, 4)
    tau = min(max(tau, Fraction(3, 5)), Fraction(4, 5))
    race, twin = ChooseRace(q, 0.2, tolerance=float(tau)), TwinChoose(q, 0.2, tau)
    strength = rng.normal(size=q) * rng.choice([0.0, 0.3, 1.0])
    for _ in range(30):
        if len(race.alive) < 2 or race.next_size(5) == 0:
            break
        block = np.round(rng.normal(strength, 1, (int(rng.integers(1, 7)), q)) * 2)
        gone = race.observe(block[:, race.alive])
        assert [g.candidate for g in gone] == twin.observe({i: block[:, i].tolist() for i in range(q)})
        assert race.alive.tolist() == twin.alive
        assert race.evidence == pytest.approx([twin.evidence(i) for i in twin.alive], rel=1e-10)
        assert race.chosen == twin.chosen
    if race.chosen is not None:
        assert ("no other candidate beats" in race.claim) == twin.everybody
        assert f"with probability {float(tau):g} or more" in race.claim
    else:
        assert race.claim == ""


def test_the_factors_have_mean_one_at_the_edge_and_less_beyond() -> None:
    """E[U] after n problems is 1 at P = τ, exactly, and at most 1 for every P >= τ."""
    for tau in (0.55, 0.6, 0.75, 0.95):
        for p in (tau, (tau + 1) / 2, 0.999):
            for n in (1, 4, 12):
                w = np.arange(n + 1)
                weights = np.array([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in w.tolist()])
                mean = float(weights @ np.exp(log_not_beaten(tau)(w, n - w)))
                assert mean == pytest.approx(1.0, abs=1e-12) if p == tau else mean < 1.0


def two(p: float, horizon: int, block: int, alpha: float = 0.05, tau: float = 0.6) -> tuple[float, float, float]:
    """Exact, for two candidates of which b beats a with probability p: P(b eliminated), P(a chosen, b not eliminated)
    and P(the race ends by ``horizon``), by adding up all paths of wins of b. Written from the definitions.
    """

    def pair(w: int, l: int) -> float:  # noqa: E741
        return sum((1 + s) ** w * (1 - s) ** l for s in GRID) / len(GRID)

    def not_beaten(w: int, l: int) -> float:  # noqa: E741
        points = (1 - tau, 0.5, (tau + 0.5) / 2)
        return sum((x / tau) ** w * ((1 - x) / (1 - tau)) ** l for x in points) / 3

    lost = wrong = ended = 0.0
    step = [math.comb(block, k) * p**k * (1 - p) ** (block - k) for k in range(block + 1)]
    for first in range(block + 1):
        law = {first: step[first]}
        start_b, start_a = pair(block - first, first), pair(first, block - first)
        for n in range(block, horizon + 1, block):
            if n > block:
                ahead: dict[int, float] = {}
                for w, mass in law.items():
                    for k, chance in enumerate(step):
                        ahead[w + k] = ahead.get(w + k, 0.0) + mass * chance
                law = ahead
            going = {}
            for w, mass in law.items():
                against_b, against_a = pair(n - w, w), pair(w, n - w)
                if n > block:
                    against_b, against_a = (against_b + against_b / start_b) / 2, (against_a + against_a / start_a) / 2
                else:
                    against_b, against_a = (against_b + 1) / 2, (against_a + 1) / 2
                if against_b >= 2 / alpha:
                    lost += mass
                elif against_a >= 2 / alpha:
                    ended += mass
                else:
                    able = [not_beaten(w, n - w) >= 2 / alpha, not_beaten(n - w, w) >= 2 / alpha]  # a, b
                    if any(able):
                        a_chosen = able[0] and (not able[1] or n - w >= w)  # ties: a comes first
                        wrong, ended = wrong + mass * a_chosen, ended + mass
                    else:
                        going[w] = mass
            law = going
    return lost, wrong, ended + lost


def test_exact_errors_of_two_candidates() -> None:
    """At the edge, P = .6, b is best and a must not be chosen; an independent simulation found .008 wrong claims."""
    lost, wrong, ended = two(0.6, 600, 5)
    assert lost + wrong <= 0.05
    assert (lost, wrong) == pytest.approx((0.00012, 0.0088), abs=5.1e-5)
    assert ended > 0.99
    null = two(0.5, 600, 5)
    assert null[0] <= 0.025
    assert null[2] > 0.999  # equal candidates: the race ends all the same


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.6, 0.5])
def test_the_rule_meets_the_exact_errors(p: float) -> None:
    rng = np.random.default_rng(5)
    lost = wrong = 0
    races = 400
    for _ in range(races):
        rule = make_rule("e-choose", 2)
        while rule.next_size(5) and len(rule.alive) == 2 and rule.n_problems < 300:
            b = rng.random(5) < p
            rule.observe(np.column_stack([b, ~b]).astype(float))
        out = any(e.candidate == 1 for e in rule.eliminations)
        lost += out
        wrong += rule.chosen == 0 and not out
    exact = two(p, 300, 5)
    for found, chance in ((lost, exact[0]), (wrong, exact[1])):
        assert abs(found / races - chance) <= 4 * math.sqrt(max(chance * (1 - chance), 1e-3) / races)


def test_what_it_refuses() -> None:
    for options in ({"tolerance": 0.5}, {"tolerance": 1.0}, {"strict": True}):
        with pytest.raises(BakeoffError, match=next(iter(options))):
            make_rule("e-choose", 3, **options)
    with pytest.raises(BakeoffError, match="divides alpha among a fixed number"):
        make_rule("e-choose", 3).admit()
