"""Partial orders from statements, beside all-paths brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from bakeoff.wings.bayes.statements.statement import partial_order


def reachable(k: int, pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """By walking from everyone, without any matrix."""
    found = set()
    for start in range(k):
        open_, seen = [start], set()
        while open_:
            here = open_.pop()
            for a, b in pairs:
                if a == here and b not in seen:
                    seen.add(b)
                    open_.append(b)
        found |= {(start, b) for b in seen}
    return found


@pytest.mark.few(49)
@pytest.mark.parametrize("seed", range(150))
def test_random_relations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 7))
    names = [f"n{i}" for i in range(k)]
    every = list(itertools.permutations(range(k), 2))
    pairs = {p for p in every if rng.random() < rng.choice([0.1, 0.3, 0.6])}
    found = partial_order(names, sorted(pairs))
    paths = reachable(k, pairs)
    together = {i: frozenset(j for j in range(k) if j == i or {(i, j), (j, i)} <= paths) for i in range(k)}
    assert set(map(frozenset, found.cycles)) == {
        frozenset(names[i] for i in g) for g in together.values() if len(g) > 1
    }
    assert found.implied == len({(a, b) for a, b in paths - pairs if together[a] != together[b]})
    # edges: the same paths between groups, and none can be spared
    edges = {(names.index(a), names.index(b)) for a, b in found.edges}
    heads = {min(g) for g in together.values()}
    wanted = {(a, b) for a, b in paths if a in heads and b in heads and together[a] != together[b]}
    assert {(a, b) for a, b in reachable(k, edges) if a != b} == wanted
    for edge in edges:
        assert edge not in reachable(k, edges - {edge})
    maximal = {names[i] for i in range(k) if all(a in together[i] for a, b in paths if b == i)}
    assert set(found.maximal) == maximal == set(found.levels[0])
    place = {name: v for v, level in enumerate(found.levels) for name in level}
    assert set(place) == set(names)
    for a, b in paths:
        assert place[names[a]] < place[names[b]] or together[a] == together[b]
    for name, v in place.items():  # nobody stands lower than needed
        assert v == 0 or any(place[names[a]] == v - 1 for a, b in paths if names[b] == name)


def test_a_chain_keeps_only_its_links() -> None:
    found = partial_order("abc", [(0, 1), (1, 2), (0, 2)])
    assert found.edges == (("a", "b"), ("b", "c"))
    assert found.levels == (("a",), ("b",), ("c",))
    assert found.implied == 0
    assert partial_order("abc", [(0, 1), (1, 2)]).implied == 1


def test_no_statement() -> None:
    found = partial_order("ab", [])
    assert (found.edges, found.maximal, found.levels) == ((), ("a", "b"), (("a", "b"),))
