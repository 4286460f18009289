"""e-sign over clusters, against its equations in plain loops: accounts, the leader's account, thresholds."""

import numpy as np
import pytest

from bakeoff.wings.run.racing.pair_evidence import GRID
from bakeoff.wings.run.racing.rules.e_sign import SignRace


def literal(blocks: list[list[np.ndarray]], q: int, alpha: float) -> tuple[list[int], list[list[float]]]:
    """Survivors and evidence: blocks of clusters of rows of costs, lower is better."""
    alive = list(range(q))
    accounts = {(i, j): 1 / (q - 1) for i in alive for j in alive if i != j}
    follow = dict.fromkeys(alive, 1.0)
    shares: dict[tuple[int, int], list[float]] = {pair: [] for pair in accounts}  # won − lost of j over i, by cluster
    points = dict.fromkeys(alive, 0.0)
    path = []

    def e(i: int, j: int) -> float:
        return float(np.mean([np.prod([1 + step * d for d in shares[i, j]]) for step in GRID]))

    for block in blocks:
        if len(alive) == 1:
            break
        order = sorted(alive, key=lambda i: -points[i])
        before = {pair: e(*pair) for pair in accounts}
        started = any(d != 0 for found in shares.values() for d in found)
        for cluster in block:
            for i, j in accounts:
                won = sum(row[j] < row[i] for row in cluster) / len(cluster)
                lost = sum(row[j] > row[i] for row in cluster) / len(cluster)
                shares[i, j].append(won - lost)
        for pair in accounts:
            accounts[pair] *= e(*pair) / before[pair]
        for i in alive:
            leader = order[0] if order[0] != i else order[1]
            if started:
                follow[i] *= e(i, leader) / before[i, leader]
        points = {i: round(sum(sum(shares[j, i]) for j in alive if j != i), 9) for i in alive}
        evidence = {i: 0.5 * follow[i] + 0.5 * sum(accounts[i, j] for j in alive if j != i) for i in alive}
        path.append([evidence[i] for i in alive])
        out = [i for i in alive if evidence[i] >= 1 / alpha]
        if len(out) == len(alive):
            out.remove(min(out, key=lambda i: evidence[i]))
        stay = [i for i in alive if i not in out]
        for i in stay:
            freed = sum(accounts[i, j] for j in out)
            for j in stay:
                if j != i:
                    accounts[i, j] += freed / max(len(stay) - 1, 1)
        accounts = {(i, j): accounts[i, j] for i in stay for j in stay if i != j}
        shares = {pair: shares[pair] for pair in accounts}
        points = {i: round(sum(sum(shares[j, i]) for j in stay if j != i), 9) for i in stay}
        alive = stay
    return alive, path


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(12))
def test_e_sign_over_clusters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q = int(rng.integers(2, 6))
    blocks = [
        [
            np.round(rng.normal(size=(rng.integers(1, 5), q)) + rng.normal(size=q) + 0.4 * np.arange(q), 1)
            for _ in range(rng.integers(1, 4))
        ]
        for _ in range(30)
    ]
    survivors, path = literal(blocks, q, 0.05)
    rule = SignRace(q, 0.05)
    rule.take_clusters()
    for block, evidence in zip(blocks, path, strict=False):
        alive = rule.alive.copy()
        rule.observe(np.concatenate(block)[:, alive], [len(cluster) for cluster in block])
        assert rule.last_evidence == pytest.approx(evidence, rel=1e-9)
    assert rule.alive.tolist() == survivors
