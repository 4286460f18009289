"""Every racing rule beside a transcription of its definition in loops and scalars, on random races with ties."""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.pair_evidence import GRID
from bakeoff.wings.run.racing.rules.bayes import BayesRace, EllipsoidGate
from bakeoff.wings.run.racing.rules.e_dominance import DominanceRace
from bakeoff.wings.run.racing.rules.equivalence import EquivalenceTest, Indistinguishable
from bakeoff.wings.run.racing.rules.f_race import block_ranks
from bakeoff.wings.run.racing.rules.rule import Rule, make_rule
from benchmarks.races.rules import STUDIED

Costs = list[list[float]]  # problems × candidates


def random_race(seed: int, ties: bool = True) -> tuple[int, Callable[[], Array]]:
    rng = np.random.default_rng(seed)
    q = int(rng.integers(2, 7))
    strength = rng.normal(size=q) * rng.choice([0.0, 0.5, 2.0])
    grain = float(rng.choice([1.0, 4.0])) if ties else 1e6

    def block() -> Array:
        return np.asarray(np.round(rng.normal(strength, 1.0, (int(rng.integers(1, 7)), q)) * grain) / 4.0)

    return q, block


def follow(rule: Rule, blocks: Callable[[], Array], twin: Callable[[Costs, list[int]], list[int]], most: int) -> int:
    """The same candidates leave after each block; how many did."""
    seen: Costs = []
    for _ in range(most):
        if len(rule.alive) < 2:
            break
        block = blocks()
        seen += block.tolist()
        alive = rule.alive.tolist()
        gone = [left.candidate for left in rule.observe(block[:, rule.alive])]
        assert sorted(gone) == sorted(twin(seen, alive))
    return len(rule.eliminations)


def ranks(row: list[float], alive: list[int]) -> dict[int, float]:
    """m is best, ties share."""
    return {
        i: 1 + sum(row[j] > row[i] for j in alive if j != i) + sum(row[j] == row[i] for j in alive if j != i) / 2
        for i in alive
    }


def rank_sums(seen: Costs, alive: list[int]) -> dict[int, float]:
    found = dict.fromkeys(alive, 0.0)
    for row in seen:
        for i, rank in ranks(row, alive).items():
            found[i] += rank
    return found


def leader_of(points: dict[int, float]) -> int:
    return min(points, key=lambda i: (-points[i], i))


def chi2_sf(x: float, df: int) -> float:
    return float(mpmath.gammainc(mpmath.mpf(df) / 2, mpmath.mpf(x) / 2, mpmath.inf, regularized=True))


def gate(seen: Costs, alive: list[int]) -> bool:
    n, m = len(seen), len(alive)
    sums = rank_sums(seen, alive)
    q = 12 / (n * m * (m + 1)) * sum((r - n * (m + 1) / 2) ** 2 for r in sums.values())
    return chi2_sf(q, m - 1) < 0.05


def counts(seen: Costs, i: int, j: int) -> tuple[int, int]:
    """How often i beats j, and j beats i."""
    return sum(row[i] < row[j] for row in seen), sum(row[j] < row[i] for row in seen)


@pytest.mark.slow
@pytest.mark.parametrize("gated", [True, False])
def test_f_race_with_the_sign_test(gated: bool) -> None:
    def twin(seen: Costs, alive: list[int]) -> list[int]:
        if gated and not gate(seen, alive):
            return []
        leader = leader_of(rank_sums(seen, alive))
        gone = []
        for i in alive:
            if i != leader:
                w, l = counts(seen, leader, i)  # noqa: E741
                half = (len(seen) - w - l) // 2
                n = w + l + 2 * half
                if sum(math.comb(n, x) for x in range(w + half, n + 1)) / 2**n < 0.05:
                    gone.append(i)
        return gone

    left = 0
    for seed in range(60):
        q, blocks = random_race(seed)
        left += follow(make_rule("f-race-sign", q, gate=gated), blocks, twin, 12)
    assert left > 60


@pytest.mark.slow
@pytest.mark.parametrize("gated", [True, False])
def test_f_race_with_mean_ranks(gated: bool) -> None:
    def twin(seen: Costs, alive: list[int]) -> list[int]:
        if gated and not gate(seen, alive):
            return []
        n, m = len(seen), len(alive)
        sums = rank_sums(seen, alive)
        leader = leader_of(sums)
        limit = 1.6448536269514722  # z of .95
        return [i for i in alive if (sums[leader] - sums[i]) / n / math.sqrt(m * (m + 1) / (6 * n)) > limit]

    left = 0
    for seed in range(60):
        q, blocks = random_race(1000 + seed)
        left += follow(make_rule("f-race-mean-ranks", q, gate=gated), blocks, twin, 12)
    assert left > 60


def signed_rank_p(d: list[float]) -> float:
    """One-sided, of positive d; zeros split, an odd one dropped; exact up to 30 non-zero differences."""
    zeros = sum(x == 0 for x in d)
    kept = zeros - zeros % 2
    sizes = sorted(abs(x) for x in d if x != 0)
    values = [x for x in d if x != 0]
    if not values:
        return 1.0
    rank = {s: kept + (2 * sizes.index(s) + sizes.count(s) + 1) / 2 for s in set(sizes)}
    signed = [math.copysign(rank[abs(x)], x) for x in values]
    minus = -sum(r for r in signed if r < 0)
    if len(values) <= 30:
        ways = {0.0: 1}
        for r in map(abs, signed):
            more = dict(ways)
            for total, number in ways.items():
                more[total + r] = more.get(total + r, 0) + number
            ways = more
        return sum(number for total, number in ways.items() if total <= minus) / 2 ** len(values)
    z = sum(signed) / math.sqrt(sum(r * r for r in signed))
    return math.erfc(z / math.sqrt(2)) / 2


@pytest.mark.slow
def test_wilcoxon_race() -> None:
    def twin(seen: Costs, alive: list[int]) -> list[int]:
        leader = leader_of({i: -math.fsum(row[i] for row in seen) for i in alive})  # quarters: exact
        return [i for i in alive if i != leader and signed_rank_p([row[i] - row[leader] for row in seen]) < 0.05]

    left = 0
    for seed in range(30):
        q, blocks = random_race(2000 + seed)
        left += follow(make_rule(STUDIED["wilcoxon"], q), blocks, twin, 10)
        q, blocks = random_race(2500 + seed, ties=False)
        left += follow(make_rule(STUDIED["wilcoxon"], q), blocks, twin, 10)
    assert left > 60


@pytest.mark.slow
def test_irace() -> None:
    def twin(seen: Costs, alive: list[int]) -> list[int]:
        n, m = len(seen), len(alive)
        sums = rank_sums(seen, alive)
        leader = leader_of(sums)
        if m == 2:
            other = alive[1] if alive[0] == leader else alive[0]
            return [other] if 2 * signed_rank_p([row[other] - row[leader] for row in seen]) < 0.05 else []
        if not gate(seen, alive) or n == 1:
            return []
        squares = sum(r * r for row in seen for r in ranks(row, alive).values())
        df = (n - 1) * (m - 1)
        spread = math.sqrt(2 * max(0.0, n * squares - sum(r * r for r in sums.values())) / df)
        gone = []
        for i in alive:
            behind = sums[leader] - sums[i]
            if behind > 0:
                # P(T > t) of Student's law by the incomplete beta function, DLMF 8.17
                x = 0.0 if spread < 1e-6 else df / (df + (behind / spread) ** 2)
                if float(mpmath.betainc(df / 2, 0.5, 0, x, regularized=True)) < 0.05:
                    gone.append(i)
        return gone

    left = 0
    for seed in range(60):
        q, blocks = random_race(3000 + seed)
        left += follow(make_rule(STUDIED["irace"], q), blocks, twin, 10)
    assert left > 60


def bayes_twin(draws: int, guard: bool, s: float, seed: int) -> Callable[[Costs, list[int]], list[int]]:
    """Statements by decreasing probability while they hold together in more than 95 % of the draws."""
    rng = np.random.default_rng(seed)
    atom = rng.standard_gamma(s, draws).tolist() if guard else [0.0] * draws
    weights: list[list[float]] = []

    def twin(seen: Costs, alive: list[int]) -> list[int]:
        while len(weights) < len(seen):
            weights.append(rng.standard_exponential(draws).tolist())
        statements = []
        for j in alive:
            for i in alive:
                w, l = counts(seen, j, i)  # noqa: E741
                against = l + (s if guard else 0)
                wrong = float(mpmath.betainc(w, against, 0, 0.5, regularized=True)) if w * against else float(w == 0)
                if w > l and wrong < 0.05:  # the marginal probability is exact, and no smaller than the joint one
                    statements.append((wrong, l - w, j, i))
        holding = [True] * draws
        losers: list[int] = []
        for _, _, j, i in sorted(statements):
            for b in range(draws):
                s_b = sum(g[b] * ((row[j] < row[i]) - (row[i] < row[j])) for g, row in zip(weights, seen, strict=True))
                holding[b] = holding[b] and s_b > atom[b]
            if sum(holding) / draws <= 0.95:
                break
            losers.append(i)
        gone = sorted(set(losers))
        if len(gone) == len(alive):
            gone.remove(leader_of(rank_sums(seen, alive)))
        return gone

    return twin


@pytest.mark.parametrize("guard", [True, False])
def test_bayesian_race(guard: bool) -> None:
    left = 0
    for seed in range(12):
        q, blocks = random_race(4000 + seed)
        rule = BayesRace(q, gate="none", guard=guard, indistinguishable=None, n_draws=100, rng=seed)
        left += follow(rule, blocks, bayes_twin(100, guard, 1.0, seed), 5)
    assert left > 8


def test_the_gate_of_the_bayesian_race() -> None:
    """Equation 19 with the sums written out; F⁻¹ by R: qf(.95, m − 1, n − m + 1)."""
    quantile = {(1, 9): 5.117355, (2, 8): 4.458970, (3, 7): 4.346831}  # R 4.2.2: qf(.95, 1, 9) and so on
    for seed in range(40):
        rng = np.random.default_rng(seed)
        m, n, s = int(rng.integers(2, 5)), 10, float(rng.choice([0.5, 1.0, 2.0]))
        costs = np.round(rng.normal(np.arange(m) * rng.choice([0.0, 0.5]), 1.0, (n, m)) * 3)
        gate = EllipsoidGate(m, s)
        gate.add(block_ranks(costs[:4]))
        gate.add(block_ranks(costs[4:]))
        r = [list(ranks(row, list(range(m))).values()) for row in costs.tolist()]
        r.append([(m + 1) / 2] * m)
        p = [1 / (s + n)] * n + [s / (s + n)]
        mu = [sum(w * row[i] for w, row in zip(p, r, strict=True)) for i in range(m)]
        sigma = [
            [
                (sum(w * row[i] * row[j] for w, row in zip(p, r, strict=True)) - mu[i] * mu[j]) / (s + n + 1)
                for j in range(m - 1)
            ]
            for i in range(m - 1)
        ]
        d = mpmath.matrix([mu[i] - (m + 1) / 2 for i in range(m - 1)])
        statistic = float((d.T * mpmath.lu_solve(mpmath.matrix(sigma), d))[0])
        assert gate.statistic(n) == pytest.approx(statistic, rel=1e-9)
        limit = quantile[m - 1, n - m + 1] * (n - 1) * (m - 1) / (n - m + 1)
        assert gate.rejects(n, 0.05) == (statistic > limit)


@pytest.mark.slow
def test_probability_of_being_indistinguishable() -> None:
    """By two-dimensional integration of the Dirichlet density; without ties and prior it is a Beta probability."""
    found = Indistinguishable(0.95, 0.05, 1.0)
    for w, l, t in ((30, 25, 3), (210, 190, 0), (6, 4, 60)):  # noqa: E741

        def inner(theta: mpmath.mpf, w: int = w, l: int = l) -> mpmath.mpf:  # noqa: E741
            c = min(mpmath.mpf(1), mpmath.mpf("0.1") / (1 - theta))
            return mpmath.betainc(w, l, (1 - c) / 2, (1 + c) / 2, regularized=True)

        a, b = t + 1, w + l
        centre = a / (a + b)
        sd = math.sqrt(a * b / (a + b + 1)) / (a + b)
        edges = [max(0.0, centre - 9 * sd), centre, min(1.0, centre + 9 * sd), min(1.0, centre + 30 * sd)]
        exact = mpmath.quad(
            lambda x, a=a, b=b, inner=inner: x ** (a - 1) * (1 - x) ** (b - 1) / mpmath.beta(a, b) * inner(x),
            sorted(set(edges)),
        )
        assert found.posterior(w, l, t) == pytest.approx(
            float(exact), rel=1e-9 if t < 60 else 1e-6
        )  # there is a kink at θ = .9
        assert found.posterior(l, w, t) == found.posterior(w, l, t)
    assert found.posterior(0, 0, 9) == 1.0


def test_equivalence_is_its_definition() -> None:
    """The definition with scalars, and what leaves: pairs by decreasing evidence, the worse rank of each."""
    rng = np.random.default_rng(0)
    test = EquivalenceTest(4, 0.05)
    for _ in range(200):
        w, l = (int(x) for x in rng.integers(0, 300, 2))  # noqa: E741
        plus = sum((p / 0.55) ** w * ((1 - p) / 0.45) ** l for p in (0.48, 0.50, 0.52)) / 3
        minus = sum((p / 0.45) ** w * ((1 - p) / 0.55) ** l for p in (0.48, 0.50, 0.52)) / 3
        assert math.exp(test.log_evidence(w, l)) == pytest.approx(min(plus, minus), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("weak", [False, True])
def test_dominance(weak: bool) -> None:
    """E_i = mean over all opponents of min over metrics; an opponent's share is frozen when it leaves."""
    left = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        q, k = int(rng.integers(2, 6)), int(rng.integers(1, 4))
        rule = DominanceRace(q, n_metrics=k, weak=weak)
        strength = rng.normal(size=(q, k)) * rng.choice([0.0, 1.5])
        w = np.zeros((k, q, q))
        frozen = dict.fromkeys(range(q), 0.0)
        alive = list(range(q))
        for _ in range(14):
            if len(alive) < 2:
                break
            block = np.round(rng.normal(strength, 1.0, (5, q, k)) * 3)
            gone = [e.candidate for e in rule.observe(block[:, rule.alive])]
            for row in block:
                for metric in range(k):
                    for i in alive:
                        for j in alive:
                            w[metric, i, j] += row[i, metric] < row[j, metric]

            def share(i: int, j: int, w: Array = w, k: int = k) -> float:
                """e(j dominates i)."""
                better = [sum((1 + s) ** w[m, j, i] * (1 - s) ** w[m, i, j] for s in GRID) / 6 for m in range(k)]
                if not weak:
                    return float(min(better))
                points = [(1 + s) / 2 for s in (-0.05, 0.0, *GRID)]
                worse = [
                    sum((p / 0.45) ** w[m, j, i] * ((1 - p) / 0.55) ** w[m, i, j] for p in points) / 8 for m in range(k)
                ]
                return float(min(min(worse), sum(better) / k))

            value = {i: (frozen[i] + sum(share(i, j) for j in alive if j != i)) / (q - 1) for i in alive}
            assert rule.last_evidence == pytest.approx([value[i] for i in alive], rel=1e-9)
            out = [i for i in alive if value[i] >= 20]
            if len(out) == len(alive):
                out.remove(min(alive, key=lambda i: (value[i], i)))
            assert gone == out
            stay = [i for i in alive if i not in out]
            for i in stay:
                frozen[i] += sum(share(i, j) for j in out)
            alive, left = stay, left + len(out)
    assert left > 8


@pytest.mark.parametrize("method", STUDIED)
def test_a_rule_shown_the_same_blocks_again_decides_the_same(method: str) -> None:
    rng = np.random.default_rng(5)
    costs = rng.normal(np.arange(6) * 0.3, 1.0, (80, 6))
    found = []
    for _ in range(2):
        rule = make_rule(STUDIED[method], 6)
        at = 0
        while at < 80 and len(rule.alive) > 1 and (size := rule.next_size(5)):
            rule.observe(costs[at : at + size][:, rule.alive])
            at += size
        found.append((rule.eliminations, rule.evidence.tolist()))
    assert found[0] == found[1]
