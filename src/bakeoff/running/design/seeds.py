"""Every random stream of an experiment, from the experiment's seed and the name of what it is for.

A stream never depends on the worker, the clock, the attempt, or the order in which things happen; so a run that is
repeated anywhere sees the same numbers, and two algorithms or two problems never see each other's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

SEED_BYTES = 16


def keyed_seed(*key: int | str) -> int:
    """128 bits from the blake2b digest of the key as canonical JSON."""
    text = json.dumps(key, separators=(",", ":"), ensure_ascii=False)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=SEED_BYTES).digest(), "big")


def seed_of(experiment_seed: int, problem_name: str, algorithm_name: str, repetition: int) -> int:
    """Seed of run ``repetition`` (0, 1, …) of an algorithm on a problem; a retry has the same."""
    return keyed_seed(experiment_seed, "run", problem_name, algorithm_name, repetition)


def place_in_draw(experiment_seed: int, problem_name: str) -> int:
    """Problems are drawn in the order of these: at random, and each one independently of which others there are."""
    return keyed_seed(experiment_seed, "order", problem_name)


def order_of_draw(experiment_seed: int, problem_names: Sequence[str]) -> list[int]:
    """The problems, by number, in the order in which they are drawn."""
    return sorted(
        range(len(problem_names)),
        key=lambda i: (place_in_draw(experiment_seed, problem_names[i]), problem_names[i]),
    )


def resampling_seed(experiment_seed: int, problem_name: str, algorithm_name: str, n_runs: int) -> int:
    """Of the bootstrap samples of an algorithm's first ``n_runs`` runs: redrawn only when a run has been added."""
    return keyed_seed(experiment_seed, "boot", problem_name, algorithm_name, n_runs)


def hexadecimal(seed: int) -> str:
    """How a seed is stored: SQLite has no 128-bit numbers."""
    return f"{seed:032x}"
