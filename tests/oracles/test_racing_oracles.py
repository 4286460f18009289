"""The anytime-valid races: closed forms, exact enumeration, and a twin that follows the definitions in loops."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff.errors import BakeoffError
from bakeoff.wings.run.racing.pair_evidence import GRID, PairTable, log_pair_evidence
from bakeoff.wings.run.racing.rules.e_sign import SignRace
from benchmarks.races.rules.e_rank import RankRace


def evidence(wins: int, losses: int) -> float:
    return math.exp(float(log_pair_evidence(wins, losses)))


def test_golden_numbers() -> None:
    """After straight wins; means under p = 1/2 and p = 0.45 over all outcomes."""
    straight = [evidence(w, 0) for w in (3, 5, 6, 7, 8, 10)]
    assert straight == pytest.approx([2.62, 6.51, 10.96, 19.07, 33.96, 113.06], abs=5.1e-3)
    for n, low in ((1, 0.969500), (5, 0.864748), (12, 0.730638)):
        means = [
            sum(math.comb(n, w) * p**w * (1 - p) ** (n - w) * evidence(w, n - w) for w in range(n + 1))
            for p in (0.5, 0.45)
        ]
        assert means[0] == pytest.approx(1.0, abs=1e-12)
        assert means[1] == pytest.approx(low, abs=5.1e-7)


@pytest.mark.parametrize(("horizon", "printed"), [(100, 0.01614)])  # 500 and 1500: test_racing_exact
def test_crossing_twenty_is_rare_however_often_one_looks(horizon: int, printed: float) -> None:
    """Exact: the paths of wins − losses that have not yet crossed, carried on one problem at a time."""
    alive, crossed = np.ones(1), 0.0  # by number of wins
    for n in range(1, horizon + 1):
        alive = (np.append(alive, 0.0) + np.append(0.0, alive)) / 2
        wins = np.arange(n + 1)
        over = log_pair_evidence(wins, n - wins) >= math.log(20)
        crossed += float(alive[over].sum())
        alive[over] = 0.0
    assert crossed == pytest.approx(printed, abs=5.1e-6)


@pytest.mark.slow
def test_the_table_is_the_formula() -> None:
    rng = np.random.default_rng(0)
    table = PairTable()
    for top in (3, 40, 900, 3000):
        w, l = rng.integers(0, top, (2, 50))  # noqa: E741
        assert table(w, l) == pytest.approx(log_pair_evidence(w, l), rel=1e-13)


class TwinSign:
    """e-sign in loops, with plain products."""

    def __init__(self, q: int) -> None:
        self.alive = list(range(q))
        self.account = {(i, j): 1 / (q - 1) for i in range(q) for j in range(q) if i != j}
        self.follow = dict.fromkeys(range(q), 1.0)
        self.w = {(i, j): 0 for i in range(q) for j in range(q)}
        self.blocks = 0

    def pair(self, i: int, j: int) -> float:
        """Evidence that j beats i."""
        w, l = self.w[j, i], self.w[i, j]  # noqa: E741
        return sum((1 + s) ** w * (1 - s) ** l for s in GRID) / len(GRID)

    def observe(self, block: dict[int, list[float]]) -> list[int]:
        points = {i: sum(self.w[i, j] - self.w[j, i] for j in self.alive) for i in self.alive}
        order = sorted(self.alive, key=lambda i: (-points[i], i))
        old = {(i, j): self.pair(i, j) for i in self.alive for j in self.alive if i != j}
        for t in range(len(block[self.alive[0]])):
            for i in self.alive:
                for j in self.alive:
                    self.w[i, j] += block[i][t] < block[j][t]
        for i in self.alive:
            for j in self.alive:
                if i != j:
                    self.account[i, j] *= self.pair(i, j) / old[i, j]
            if self.blocks and sum(self.w.values()):
                leader = order[0] if order[0] != i else order[1]
                self.follow[i] *= self.pair(i, leader) / old[i, leader]
        self.blocks += 1
        value = {i: self.evidence(i) for i in self.alive}
        gone = [i for i in self.alive if value[i] >= 20]
        if len(gone) == len(self.alive):
            gone.remove(min(self.alive, key=lambda i: (value[i], i)))
        stay = [i for i in self.alive if i not in gone]
        for i in stay:
            freed = sum(self.account[i, j] for j in gone)
            for j in stay:
                if j != i:
                    self.account[i, j] += freed / (len(stay) - 1)
        self.alive = stay
        return gone

    def evidence(self, i: int) -> float:
        return self.follow[i] / 2 + sum(self.account[i, j] for j in self.alive if j != i) / 2


@pytest.mark.few(14)
@pytest.mark.parametrize("seed", range(40))
def test_sign_race_as_its_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q = int(rng.integers(2, 7))
    race, twin = SignRace(q), TwinSign(q)
    strength = rng.normal(size=q) * rng.choice([0.0, 0.5, 2.0])
    for _ in range(25):
        if len(race.alive) < 2:
            break
        block = np.round(rng.normal(strength, 1, (int(rng.integers(1, 7)), q)) * rng.choice([1, 4]))
        if not block.any() or len(np.unique(block)) == 1:
            continue
        gone = race.observe(block[:, race.alive])
        assert [g.candidate for g in gone] == twin.observe({i: block[:, i].tolist() for i in range(q)})
        assert race.alive.tolist() == twin.alive
        assert race.evidence == pytest.approx([twin.evidence(i) for i in twin.alive], rel=1e-10)


class TwinRank:
    """e-rank in loops."""

    def __init__(self, q: int) -> None:
        self.alive = list(range(q))
        self.factors = {i: [1.0] * len(GRID) for i in range(q)}
        self.seen: list[list[float]] = []

    @staticmethod
    def rank(row: list[float], i: int, alive: list[int]) -> float:
        return 1 + sum(row[j] < row[i] for j in alive) + (sum(row[j] == row[i] for j in alive) - 1) / 2

    def observe(self, block: list[list[float]]) -> list[int]:
        m = len(self.alive)
        total = {i: sum(self.rank(row, i, self.alive) for row in self.seen) for i in self.alive}
        order = sorted(self.alive, key=lambda i: (total[i], i))
        for row in block:
            for i in self.alive:
                r = self.rank(row, i, self.alive)
                if self.seen:
                    leader = order[0] if order[0] != i else order[1]
                    d = (r - self.rank(row, leader, self.alive)) / (m - 1)
                else:
                    d = (r - (m + 1) / 2) / ((m - 1) / 2)
                self.factors[i] = [f * (1 + s * d) for f, s in zip(self.factors[i], GRID, strict=True)]
        self.seen = self.seen + block
        value = {i: sum(self.factors[i]) / len(GRID) for i in self.alive}
        gone = [i for i in self.alive if value[i] >= 20]
        if len(gone) == m:
            gone.remove(min(self.alive, key=lambda i: (value[i], i)))
        self.alive = [i for i in self.alive if i not in gone]
        return gone


@pytest.mark.few(14)
@pytest.mark.parametrize("seed", range(40))
def test_rank_race_as_its_twin(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    q = int(rng.integers(2, 7))
    race, twin = RankRace(q), TwinRank(q)
    strength = rng.normal(size=q) * rng.choice([0.0, 0.5, 2.0])
    for _ in range(25):
        if len(race.alive) < 2:
            break
        block = np.round(rng.normal(strength, 1, (int(rng.integers(1, 7)), q)) * rng.choice([1, 4]))
        gone = race.observe(block[:, race.alive])
        assert [g.candidate for g in gone] == twin.observe(block.tolist())
        assert race.evidence == pytest.approx([sum(twin.factors[i]) / len(GRID) for i in twin.alive], rel=1e-10)


@pytest.mark.parametrize("rule", [SignRace, RankRace])
def test_somebody_always_stays(rule: type[SignRace] | type[RankRace]) -> None:
    race = rule(3)
    cycle = np.array([[1.0, 2, 3], [2, 3, 1], [3, 1, 2]])
    for _ in range(300):
        if len(race.alive) == 3:
            race.observe(cycle)
    assert len(race.alive) >= 1
    clear = rule(5)
    while len(clear.alive) > 1:
        clear.observe(np.arange(5.0)[clear.alive][None, :])
        assert clear.n_problems < 100
    assert clear.alive.tolist() == [0]
    clear.observe(np.array([[1.0]]))  # nobody left to lose against
    assert [e.reason for e in clear.eliminations] == ["worse"] * 4


@pytest.mark.parametrize("rule", [SignRace, RankRace])
def test_a_failed_run_loses_and_failures_tie(rule: type[SignRace] | type[RankRace]) -> None:
    race = rule(3)
    for _ in range(30):
        if 2 in race.alive.tolist():
            race.observe(np.array([[1.0, 1.0, math.inf]])[:, race.alive])
    assert race.alive.tolist() == [0, 1]
    with pytest.raises(BakeoffError):
        race.observe(np.array([[1.0, math.nan]]))
    with pytest.raises(BakeoffError):
        race.observe(np.array([[1.0, 2.0, 3.0]]))
    with pytest.raises(BakeoffError):
        rule(1)
    with pytest.raises(BakeoffError):
        rule(3, alpha=1.0)
