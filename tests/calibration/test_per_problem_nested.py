"""Single problems judged by runs inside runs: seeds are the units, however many episodes each has."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo

TABLES, SEEDS, EPISODES = 400, 8, 20


def false_signs(outer: bool) -> int:
    """Tables of two equal algorithms with a + or −; seeds differ three times as much as the episodes of one."""
    rng, false = np.random.default_rng(5), 0
    keys = [(s, e) for s in range(SEEDS) for e in range(EPISODES)]
    for _ in range(TABLES):
        columns: dict[str, list[object]] = {name: [] for name in ("problem", "algorithm", "seed", "episode", "score")}
        for name in "ab":
            of_seeds = 3 * rng.normal(size=SEEDS)
            for seed, episode in keys:
                row = ("p", name, f"s{seed}", f"e{episode}", of_seeds[seed] + rng.normal())
                for column, value in zip(columns.values(), row, strict=True):
                    column.append(value)
        if not outer:
            columns["seed"] = [f"{s} {e}" for s, e in zip(columns["seed"], columns.pop("episode"), strict=True)]
        scores = bo.read_scores(columns, better="higher", run="seed,episode" if outer else "seed")
        found = bo.per_problem(scores)
        assert scores.n_runs.max() == (SEEDS if outer else SEEDS * EPISODES)
        false += found.cells[0].verdict in "+-"
        if outer:
            assert "each run the mean over episode" in " ".join(str(found).split())
    return false


@pytest.mark.slow
def test_seeds_are_the_units_of_episodes() -> None:
    assert false_signs(outer=True) / TABLES <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / TABLES)


@pytest.mark.slow
def test_episodes_taken_as_runs_err_in_most_tables() -> None:
    assert false_signs(outer=False) / TABLES > 0.5
