"""Ratings with a board for each category: ratings(read_battles(category=)); and ratings over few clusters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.random import Generator

import bakeoff as bo
from calibration.rows.covariates import misses as misses_beside_length
from calibration.rows.row import Outcome, Row

ALPHA = 0.05
Shared = Literal["", "within a category", "over categories", "with turned tastes"]
"""Battles are independent, or in clusters, each of which has strengths of its own: of one category; of several, with
one taste, or with the opposite taste in every second one."""


def battles(
    rng: Generator, sizes: Sequence[int], strengths: Any, absent: bool, ties: float, shared: Shared, clusters: int
) -> dict[str, list[Any]]:
    """``strengths`` (C, k); ``absent``: the last algorithm has no battle in the first category."""
    rows: dict[str, list[Any]] = {"a": [], "b": [], "winner": [], "topic": []}
    rows |= {"user": []} if shared else {}
    own = 0.8 * rng.normal(size=(clusters, strengths.shape[1])) if shared else np.zeros((1, strengths.shape[1]))
    for c, size in enumerate(sizes):
        k = strengths.shape[1] - (absent and c == 0)
        if shared == "within a category":
            own = 0.8 * rng.normal(size=own.shape)
        first = rng.integers(0, k, size)
        second = (first + rng.integers(1, k, size)) % k
        user = rng.integers(0, len(own), size)
        taste = own * (-1.0 if shared == "with turned tastes" and c % 2 else 1.0)
        theta = strengths[c] + taste[user]
        d = theta[np.arange(size), first] - theta[np.arange(size), second]
        weights = np.column_stack([np.exp(d / 2), np.exp(-d / 2), np.full(size, ties)])
        outcome = (rng.random((size, 1)) > np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)).sum(axis=1)
        rows["a"] += [f"A{i}" for i in first.tolist()]
        rows["b"] += [f"A{i}" for i in second.tolist()]
        rows["winner"] += [("a", "b", "tie")[i] for i in outcome.tolist()]
        rows["topic"] += [f"t{c}"] * size
        if shared:
            rows["user"] += [f"{c if shared == 'within a category' else ''}u{i}" for i in user.tolist()]
    return rows


def place(name: str | None) -> int:
    return int(str(name)[1:])


def boards_err(board: Any, truth: Any) -> bool:
    """Does any interval of a difference, or any rank, not hold in this board?"""
    at = [place(name) for name in board.algorithms]
    own = truth[at]
    missed = any(not p.interval[0] <= truth[place(p.a)] - truth[place(p.b)] <= p.interval[1] for p in board.pairs)
    ranks = [(1 + int((own > x).sum()), len(own) - int((own < x).sum())) for x in own]
    ends = zip(board.rank_intervals.tolist(), ranks, strict=True)
    return missed or any(low > first or high < last for (low, high), (first, last) in ends)


def changes_err(change: Any, strengths: Any) -> bool:
    if change.verdict == "no change shown":
        return False
    a, b = place(change.a), place(change.b)
    first, second = (strengths[place(c)][a] - strengths[place(c)][b] for c in (change.first, change.second))
    return bool(first == second if change.verdict == "distance changes" else first * second >= 0)


def misses(what: str, sizes: Sequence[int], strengths: Any, whole: bool, **how: Any) -> Callable[[Generator], Outcome]:
    """Of the boards together, or of all changes; the truth of all battles is known if ``whole``."""
    options = {"absent": False, "ties": 0.0, "shared": "", "clusters": 12} | how

    def count(rng: Generator) -> Outcome:
        table = battles(rng, sizes, strengths, **options)
        read = bo.read_battles(table, category="topic", cluster="user" if options["shared"] else None)
        found = bo.ratings(read, n_resamples=200, rng=int(rng.integers(2**31)))
        if what == "changes":
            return int(any(changes_err(change, strengths) for change in found.changes)), 1
        wrong = whole and boards_err(found, strengths[0])
        return int(wrong or any(boards_err(board, strengths[place(board.category)]) for board in found.boards)), 1

    return count


EQUAL, APART = np.zeros(4), np.array([1.0, 0.3, -0.3, -1.0])
EVEN, SPARSE = [80] * 3, [200, 60, 25, 12, 1]
TURNED = np.array([APART, APART, -APART])
DESIGNS: tuple[tuple[str, Sequence[int], Any, bool, dict[str, Any]], ...] = (
    ("no differences, 3 of 80", EVEN, np.tile(EQUAL, (3, 1)), True, {}),
    ("no differences, 200, 60, 25, 12 and 1", SPARSE, np.tile(EQUAL, (5, 1)), True, {}),
    ("four apart, 200, 60, 25, 12 and 1, some tied", SPARSE, np.tile(APART, (5, 1)), True, {"ties": 0.8}),
    ("four apart, one of them absent in one", [40, 40, 40], np.tile(APART, (3, 1)), True, {"absent": True}),
    ("four apart, turned in the last of three", EVEN, TURNED, False, {}),
    ("no differences, 12 of 20", [20] * 12, np.tile(EQUAL, (12, 1)), True, {}),
    *(
        (f"no differences, {c} clusters {shared}", [120] * 3, np.tile(EQUAL, (3, 1)), True,
         {"shared": shared, "clusters": c})
        for c in (12, 40)
        for shared in ("within a category", "over categories", "with turned tastes")
    ),
)  # fmt: skip
BY_CATEGORY = tuple(
    Row(
        f"ratings by category: {what}, {data}",
        f"`bo.ratings`, a board for each category: {words}",
        f"four algorithms, battles in categories; {data}",
        kind,
        level,
        misses(what, sizes, strengths, whole, **how),
        tables=200,
        short=10,
    )
    for data, sizes, strengths, whole, how in DESIGNS
    for what, words, kind, level in (
        ("boards", "all intervals and ranks of all boards at once", "coverage", 1 - ALPHA),
        ("changes", "any change that is not", "error", ALPHA),
    )
)
FEW = tuple(
    Row(
        f"ratings over few clusters: {what}, {n} of {m}",
        f"`bo.ratings`, {words}",
        f"five algorithms, no differences, length held equal; {n} clusters of {m}, each with its own",
        "coverage",
        1 - ALPHA,
        misses_beside_length(what, np.zeros(5), 0.0, lambda rng, n=n, m=m: [m] * n, own=0.8),
        tables=400,
        short=10,
    )
    for n, m in ((4, 40), (6, 40), (9, 15))
    for what, words in (
        ("pairs", "intervals of all pairs at once"),
        ("effect", "interval of the effect of a covariate"),
    )
)
ROWS = (*BY_CATEGORY, *FEW)
