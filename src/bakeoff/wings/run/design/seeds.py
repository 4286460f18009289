"""The seeds of all random streams, derived from the experiment's seed and the purpose of each stream.

A stream does not depend on the worker, the clock, the attempt or the order of events: a repeated run sees the same
numbers anywhere, and different algorithms, problems and repetitions see independent ones.
"""

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
    """The sort key of a problem in the draw: random, and independent of which other problems there are."""
    return keyed_seed(experiment_seed, "order", problem_name)


def order_of_draw(experiment_seed: int, problem_names: Sequence[str]) -> list[int]:
    """The problems, by number, in the order in which they are drawn."""
    return sorted(
        range(len(problem_names)), key=lambda i: (place_in_draw(experiment_seed, problem_names[i]), problem_names[i])
    )


def resampling_seed(experiment_seed: int, problem_name: str, algorithm_name: str, n_runs: int) -> int:
    """Seed of the bootstrap samples of an algorithm's first ``n_runs`` runs on a problem."""
    return keyed_seed(experiment_seed, "boot", problem_name, algorithm_name, n_runs)


def hexadecimal(seed: int) -> str:
    """A seed as stored: SQLite has no 128-bit integers."""
    return f"{seed:032x}"
