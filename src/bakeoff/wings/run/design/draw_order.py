"""Seeds of the runs, clusters of the problems, and the order in which problems are drawn."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, UnknownNameError, listing
from bakeoff.scores.cells import problem_labels

# The seeds of all random streams, derived from the experiment's seed and the purpose of each stream.
#
# A stream does not depend on the worker, the clock, the attempt or the order of events: a repeated run sees the same
# numbers anywhere, and different algorithms, problems and repetitions see independent ones.


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


def resampling_seed(experiment_seed: int, problem_name: str, algorithm_name: str, n_runs: int) -> int:
    """Seed of the bootstrap samples of an algorithm's first ``n_runs`` runs on a problem."""
    return keyed_seed(experiment_seed, "boot", problem_name, algorithm_name, n_runs)


def hexadecimal(seed: int) -> str:
    """A seed as stored: SQLite has no 128-bit integers."""
    return f"{seed:032x}"


Given = Mapping[str, object] | Iterable[object] | str | None


def given_labels(what: str, labels: Given, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """One label per problem: by name, in the order of the problems, or a pattern that is looked for in their names.

    ``what``: clusters or tasks.
    """
    if isinstance(labels, str):
        return _by_pattern(what, labels, names)
    if isinstance(labels, Mapping):
        for name in labels:
            if name not in names:
                rule = f": no problem is called {name!r}{did_you_mean(str(name), names)}"
                raise UnknownNameError(rule, parameter=what)
        labels = [labels.get(name) for name in names]
    return problem_labels(what, labels, names)


def _by_pattern(what: str, pattern: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Label each name by what the first group of the pattern, or else all of it, matches."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ParameterError(f"must be a regular expression: {error}; got {pattern!r}", parameter=what) from None
    matches = [compiled.search(name) for name in names]
    lacking = [repr(name) for name, match in zip(names, matches, strict=True) if match is None]
    if lacking:
        raise ParameterError(f": {pattern!r} matches nothing in {listing(lacking)}", parameter=what)
    return tuple(match.group(1 if compiled.groups else 0) or "" for match in matches if match is not None)


def drawn_order(seed: int, names: Sequence[str], clusters: Mapping[str, str] | None) -> list[int]:
    """The problems, by number, in the order in which they are drawn: cluster after cluster, if there are any."""
    order = sorted(range(len(names)), key=lambda i: (place_in_draw(seed, names[i]), names[i]))
    if clusters is None:
        return order
    return sorted(order, key=lambda i: (place_in_draw(seed, f"cluster {clusters[names[i]]}"), clusters[names[i]]))


def several_in_one(clusters: Mapping[str, str] | None) -> dict[str, str] | None:
    """None unless some cluster has several problems."""
    if clusters is None or len(set(clusters.values())) == len(clusters):
        return None
    return dict(clusters)
