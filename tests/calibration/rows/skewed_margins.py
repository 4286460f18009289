"""Skewed differences against a margin: what is claimed is about the typical difference, and a caution says so."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.special import gammaincinv

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned
from calibration.rows.skewed import ALPHA, CAUTIONED, LAWS

NAMES = ("skew (margin)", "skew (differences)", "skew (effect)", "margin-of-the-median")
TYPICAL = float(gammaincinv(2, 0.5)) / 2 - 1
"""Of exponential differences of mean 0: half the median of the sum of two, which has a gamma distribution."""


def claimed(rng: Generator, law: str, n: int, centre: float, pairwise: str | None) -> tuple[bool, bool]:
    """Is the first said to be not worse, and is it cautioned? It is worse by the margin, which is ``centre`` + 1."""
    base = rng.normal(size=n)
    worse = base + LAWS[law](rng, n) + 1
    found = bo.compare(
        bo.Scores(np.column_stack([worse, base]), better="lower"), margin=1 + centre, pairwise=pairwise, alpha=ALPHA
    )
    return bool((found.pairs[0].p_a_not_worse or 1.0) <= ALPHA), cautioned(found, *NAMES)


def errs(law: str, n: int, centre: float = 0.0, pairwise: str | None = None) -> Row:
    def count(rng: Generator) -> Outcome:
        false, warned = claimed(rng, law, n, centre, pairwise)
        return int(false), 1, int(warned)

    about = "mean" if centre == 0.0 else "typical difference (Hodges–Lehmann)"
    called = "margin=" if pairwise is None else f'pairwise="{pairwise}", margin='
    return Row(
        f"skewed margin: {law}, {n}, {about}, {pairwise or 'default'}",
        f"`bo.compare({called})`, not worse",
        f"{n} differences {law}, their {about} worse by exactly the margin",
        "error",
        ALPHA,
        count,
        ends="" if law == "normal" else NAMES[0],
    )


def says(law: str, n: int) -> Row:
    def count(rng: Generator) -> Outcome:
        false, warned = claimed(rng, law, n, 0.0, None)
        return (int(not warned), 1) if false else (0, 0)

    return Row(
        f"skewed margin cautioned: {law}, {n}",
        f"`bo.compare(margin=)`, caution `{NAMES[0]}` is missing where not worse is false of the mean",
        f"{n} differences {law}, their mean worse by exactly the margin",
        "error",
        CAUTIONED,
        count,
    )


CALLS: tuple[dict[str, Any], ...] = (
    *({"law": "normal", "n": n} for n in (15, 30)),
    *({"law": "exponential", "n": n, "pairwise": test} for n in (15, 30, 60) for test in (None, "t")),
    *({"law": "exponential", "n": n, "centre": TYPICAL} for n in (15, 30, 60)),
)
ROWS = (*(errs(**call) for call in CALLS), *(says("exponential", n) for n in (30, 60)), says("lognormal", 30))
