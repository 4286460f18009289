"""Profiles of several algorithms: bands of whole curves, and the test of two."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

ALPHA = 0.05
Floats = NDArray[np.float64]

# --- profiles ---------------------------------------------------------------------------------------------------------


def swapped(clustered: bool, ties: bool) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        codes = np.repeat(np.arange(9), 2) if clustered else np.arange(18)
        lead = rng.normal(size=(9, 2))[codes] if clustered else 0.0
        values = np.exp(rng.normal(size=(18, 1)) + lead + rng.normal(size=(18, 2)))
        scores = bo.Scores(np.ceil(values) if ties else values, better="lower", clusters=codes.tolist())
        found = bo.profile(scores, n_resamples=299)
        return int(found.swap is not None and found.swap.pvalue <= ALPHA), 1

    return count


FACTORS = np.array([1.0, 1.2, 2.0, 8.0])


def ratios_of(rng: Generator, n: int, ties: bool, codes: NDArray[np.int64] | None = None) -> Floats:
    values = rng.lognormal(size=(n, 1)) * rng.lognormal(size=(n, 4))
    if codes is not None:  # the problems of a cluster are copies
        values = values[codes]
    values = values * FACTORS
    return np.asarray(np.ceil(values) if ties else values)


@cache
def many_ratios(ties: bool) -> Floats:
    """(400 000, 4) sorted ratios to the best, which stand for all problems."""
    values = ratios_of(np.random.default_rng(1), 400_000, ties)
    return np.asarray(np.sort(values / values.min(axis=1, keepdims=True), axis=0))


def profile_band(n: int, ties: bool = False, sizes: tuple[int, ...] = ()) -> Callable[[Generator], Outcome]:
    """Of each of the four curves at all τ of the table."""

    def count(rng: Generator) -> Outcome:
        codes = np.repeat(np.arange(len(sizes)), sizes) if sizes else None
        values = ratios_of(rng, n, ties, codes)
        labels = None if codes is None else codes.tolist()
        found = bo.profile(bo.Scores(values, better="lower", clusters=labels), n_resamples=199)
        truth = np.stack([np.searchsorted(many_ratios(ties)[:, j], found.tau, side="right") for j in range(4)]) / 4e5
        return int(((found.lower > truth + 1e-3) | (found.upper < truth - 1e-3)).any(axis=1).sum()), 4

    return count


PROFILES = (
    *(
        Row(
            f"profile: band, {said}",
            "`bo.profile`, band of a whole curve",
            f"four algorithms, {said}",
            "coverage",
            1 - ALPHA,
            profile_band(n, **how),
        )
        for said, n, how in (
            ("8 problems", 8, {}),
            ("25 problems", 25, {}),
            ("25 problems, scores in few steps", 25, {"ties": True}),
            ("40 problems in 10 clusters of copies", 10, {"sizes": (4,) * 10}),
            ("44 problems in 10 clusters of 2 to 10 copies", 10, {"sizes": (2, 2, 2, 4, 4, 4, 6, 6, 10, 10)}),
            ("62 clusters, two of 50 copies, 60 of 1", 62, {"sizes": (50, 50, *(1,) * 60)}),
            ("20 clusters of 100/rank copies", 20, {"sizes": tuple(max(1, 100 // i) for i in range(1, 21))}),
        )
    ),
    *(
        Row(
            f"profile: swap, {said}",
            "`bo.profile`, p of two profiles",
            f"two exchangeable algorithms, {said}",
            "error",
            ALPHA,
            swapped(clustered, ties),
        )
        for said, clustered, ties in (
            ("18 problems", False, False),
            ("18 problems, whole numbers", False, True),
            ("9 clusters of 2", True, False),
        )
    ),
)


def families(rng: Generator, sizes: NDArray[np.int64]) -> Floats:
    """One family in six has 30 problems, and the reversed order."""
    parts = []
    for size in sizes.tolist():
        noise = np.sqrt(0.5) * (rng.normal(size=(1, 3)) + rng.normal(size=(size, 3)))
        parts.append(np.exp(noise) * ([1.0, 2.0, 4.0] if size == 1 else [4.0, 2.0, 1.0]))
    return np.concatenate(parts)


@cache
def many_families() -> Floats:
    values = families(np.random.default_rng(1), np.where(np.arange(24_000) % 6, 1, 30))
    return np.asarray(np.sort(values / values.min(axis=1, keepdims=True), axis=0))


def band_of_families(count_of: int) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        sizes = np.where(rng.random(count_of) < 1 / 6, 30, 1)
        labels = np.repeat(np.arange(count_of), sizes).tolist()
        found = bo.profile(bo.Scores(families(rng, sizes), better="lower", clusters=labels), n_resamples=199)
        many = many_families()
        truth = np.stack([np.searchsorted(many[:, j], found.tau, side="right") for j in range(3)]) / len(many)
        missed = ((found.lower > truth + 1e-3) | (found.upper < truth - 1e-3)).any(axis=1)
        return int(missed.sum()), 3, int(cautioned(found, "unequal (clusters)"))

    return count


FAMILIES = tuple(
    Row(
        f"profile: band, {n} very unequal families",
        "`bo.profile`, band of a whole curve",
        f"{n} families, one in six of 30 problems with the reversed order, the others of one problem",
        "coverage",
        1 - ALPHA,
        band_of_families(n),
        ends="unequal (clusters)",
    )
    for n in (8, 12, 20)
)

ROWS = (*PROFILES, *FAMILIES)
