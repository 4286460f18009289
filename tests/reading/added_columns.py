"""Columns that people keep beside scores: none is a score, an algorithm or a problem unless somebody says so."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from reading.known_roles import FRACTIONS, Column, Rng, Table, as_number, one

TRUTHS = ("y", "y_true", "truth", "target", "label", "gold", "actual", "observed", "expected")
AVERAGES = ("average", "Average", "Mean", "AVG", "Overall", "Avg.", "mean score")
OF_PROBLEMS = (
    *("n", "n_features", "num_classes", "size", "n_samples", "row_count", "features", "classes", "edges", "optimum"),
    *("lower_bound", "time_limit", "year", "n_reviews", "dim", "seq_len", "num_clauses", "tokens"),
)
OF_ALGORITHMS = ("Params (B)", "n_params", "year", "size", "context_length", "votes", "rank")
UNKNOWN = ("zeta", "Q7", "omicron", "foo", "val2")
COUNTERS = ("index", "Unnamed: 0", "level_0", "id", "no", "row", "i", "t", "")
STATUSES = ("status", "success", "solved", "feasible", "converged", "ok", "valid")
FAILURES = ("timed_out", "failed", "crashed")
TIMES = ("time", "runtime", "seconds", "cpu_time", "wall", "duration", "wall_time")
GROUPS = ("suite", "family", "category", "subset", "difficulty")
SETTINGS = ("k", "lr", "parameter", "alpha", "depth", "batch_size")
SPREADS = ("std", "sd", "se", "ci", "lower", "upper", "{score}_std", "{score}_sd")


Values = tuple[str, list[Any]]


def truth(table: Table, rng: Rng) -> Values | None:
    """What was to be predicted: one value per question, of the kind of the predictions, or text."""
    if table.layout == "turned" or not next(iter(table.cells))[0].startswith("q0"):
        return None
    written: Any = bool if table.kind == "truth values" else int
    if table.layout == "long" and rng.random() < 0.4:
        written = "AB".__getitem__
    return one(rng, TRUTHS), _by_problem(table, lambda: written(int(rng.random() < 0.5)))


def average(table: Table, rng: Rng) -> Values | None:
    """Of each row: exact, rounded or weighted."""
    if table.layout == "long" or table.nameless or table.missing:
        return None
    block = np.array([[as_number(x) for x in c.values] for c in table.columns if c.role == "scores"])
    weights = rng.uniform(0.5, 2, len(block)) if rng.random() < 0.3 else np.ones(len(block))
    means = np.average(block, axis=0, weights=weights)
    if rng.random() < 0.5:
        means = means.round(2 if np.nanmax(means) < 10 else 1)
    values = means.tolist()
    return one(rng, AVERAGES), [f"{x:.2f}%" for x in values] if table.kind == "percent signs" else values


def description(table: Table, rng: Rng) -> Values | None:
    """Whole numbers that describe the problem of a row, or its algorithm, by a name that says so."""
    turned = table.layout == "turned"
    size = one(rng, (10, 300, 5000))
    name = one(rng, OF_ALGORITHMS if turned else OF_PROBLEMS)
    if name == "year":
        return name, _constant(table, rng, lambda: int(rng.integers(1985, 2025)))
    return name, _constant(table, rng, lambda: int(rng.integers(2, 3 + size)))


def unknown(table: Table, rng: Rng) -> Values | None:
    """Whole numbers among fractions, by a name that says nothing."""
    if table.kind not in FRACTIONS:
        return None
    size = one(rng, (10, 300, 5000))
    return one(rng, UNKNOWN), _constant(table, rng, lambda: int(rng.integers(2, 3 + size)))


def _constant(table: Table, rng: Rng, draw: Callable[[], int]) -> list[Any]:
    """One value for each problem, or for each algorithm where these are rows; never one for all, nor in sequence."""
    of: dict[str, int] = {}
    for problem, algorithm, _ in table.keys:
        of.setdefault(problem or algorithm, draw())
    values = list(of.values())
    if len(set(values)) == 1 or all(b - a == 1 for a, b in pairwise(values)):
        of[next(iter(of))] += 3
    return [of[problem or algorithm] for problem, algorithm, _ in table.keys]


def _by_problem(table: Table, draw: Callable[[], Any]) -> list[Any]:
    of: dict[str, Any] = {}
    for problem, _, _ in table.keys:
        if problem not in of:
            of[problem] = draw()
    return [of[problem] for problem, _, _ in table.keys]


def group(table: Table, rng: Rng) -> Values | None:
    """A word that several problems share."""
    if table.layout == "turned" or table.nameless:
        return None
    words = one(rng, (("small", "large"), ("easy", "medium", "hard"), ("north", "south", "east")))
    return one(rng, GROUPS), _by_problem(table, lambda: one(rng, words))


def setting(table: Table, rng: Rng) -> Values | None:
    """What an algorithm was run with; each has its own."""
    if table.layout == "wide":
        return None
    of: dict[str, int] = {}
    for _, algorithm, _ in table.keys:
        of.setdefault(algorithm, one(rng, (1, 3, 10, 50)))
    name = one(rng, SETTINGS[:3] if table.layout == "turned" else SETTINGS)  # a number that only its name tells apart
    return name, [of[key[1]] / 100 if name in ("lr", "alpha") else of[key[1]] for key in table.keys]


def counter(table: Table, rng: Rng) -> Values | None:
    """The number of the row, from 0 or 1 on."""
    if table.nameless:
        return None
    first = int(rng.integers(2))
    return one(rng, COUNTERS), list(range(first, first + len(table.keys)))


def status(table: Table, rng: Rng) -> Values | None:
    """How each run ended: some failed in half of the tables."""
    if table.layout != "long":
        return None
    good = np.ones(len(table.keys), dtype=bool)
    if rng.random() < 0.5:
        good[rng.permutation(len(good))[: int(rng.integers(1, 4))]] = False
    name = one(rng, STATUSES + FAILURES)
    form = one(rng, ("bool", "int", "word"))
    values = good ^ (name in FAILURES)
    if form == "word" and name in ("status", "valid", "ok"):
        return name, [("timeout", "ok")[x] for x in good.tolist()]
    return name, (values.astype(int) if form == "int" else values).tolist()


def time(table: Table, rng: Rng) -> Values | None:
    """Seconds beside another score."""
    if table.layout != "long" or table.kind == "times":
        return None
    return one(rng, TIMES), (10 ** rng.normal(1, 0.7, len(table.keys))).round(3).tolist()


def spread(table: Table, rng: Rng) -> Values | None:
    """The standard deviation or an end of an interval beside a mean."""
    if table.kind not in ("accuracies", "percents", "errors", "times") or table.missing:
        return None
    if table.layout == "long":
        score = next(c for c in table.columns if c.role == "score")
        name = one(rng, SPREADS).format(score=score.name)
    else:
        score = one(rng, [c for c in table.columns if c.role == "scores"])
        name = f"{score.name}{one(rng, ('_std', '_sd', ' std', '.se'))}"
    values = np.array([as_number(x) for x in score.values])
    if name in ("lower", "upper"):
        return name, (values * rng.uniform(*((0.9, 0.99) if name == "lower" else (1.01, 1.1)), len(values))).tolist()
    return name, (values * rng.uniform(0.01, 0.1, len(values))).round(6).tolist()


ADDED: dict[str, Callable[[Table, Rng], Values | None]] = {
    "truth": truth,
    "average": average,
    "description": description,
    "unknown description": unknown,
    "counter": counter,
    "status": status,
    "time": time,
    "spread": spread,
    "group": group,
    "setting": setting,
}


def with_added(table: Table, rng: Rng) -> Table | None:
    """With a column of a kind that suits the table, at any place; None where its name is that of another one."""
    made = {kind: values for kind, make in ADDED.items() if (values := make(table, rng))}
    kind = one(rng, [*made, *(["truth"] * 3 if "truth" in made else [])])
    name, values = made[kind]
    if name.lower() in map(str.lower, table.names):
        return None
    at = 0 if name == "" or (kind == "counter" and rng.random() < 0.5) else int(rng.integers(len(table.columns) + 1))
    if at == 0 and table.names[0] == "":  # a column without a name names rows, if it is the first one
        at = 1
    return table.with_column(Column(name, tuple(values), "added", kind), at)


def holds_failures(column: Column) -> bool:
    """Did some runs fail, so that the scores beside them do not count?"""
    return column.kind == "status" and len(set(column.values)) > 1
