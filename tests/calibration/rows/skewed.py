"""Differences that are skewed: how often a test of their mean errs, and in how many tables a caution says so."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

ALPHA, CODE = 0.05, "skew (differences)"
NAMES = ("skew (differences)", "skew (effect)", "skew (margin)", "skew (experiment)")
CAUTIONED = 0.1
"""Tables without a caution where t errs in 7.5 % or more, and with one where differences are normal."""
Floats = NDArray[np.float64]
Law = Callable[[Generator, Any], Floats]


def failures(share: float) -> Law:
    """Costs of failures beside a steady cost of the same mean."""

    def drawn(rng: Generator, size: Any) -> Floats:
        costs = np.where(rng.random(size) < share, rng.exponential(1 / share, size), 0.0)
        return costs - 1 + 0.1 * rng.normal(size=size)

    return drawn


def mixed(*parts: tuple[float, float], noise: float) -> Law:
    """Normal noise, and with these (probabilities, costs) a cost: a cap, say."""

    def drawn(rng: Generator, size: Any) -> Floats:
        each = sum(cost * (rng.random(size) < p) - cost * p for p, cost in parts)
        return np.asarray(each + noise * rng.normal(size=size))

    return drawn


def outliers(rng: Generator, size: Any) -> Floats:
    """Normal noise, and on 5 % exponential costs of 20 times its spread."""
    return np.asarray(rng.normal(size=size) + (rng.random(size) < 0.05) * rng.exponential(20, size) - 1.0)


LAWS: dict[str, Law] = {
    "normal": lambda rng, size: rng.normal(size=size),
    "t3": lambda rng, size: rng.standard_t(3, size=size),
    "exponential": lambda rng, size: rng.exponential(size=size) - 1,
    "lognormal, σ = ½": lambda rng, size: rng.lognormal(sigma=0.5, size=size) - math.exp(0.125),
    "lognormal": lambda rng, size: rng.lognormal(size=size) - math.exp(0.5),
    "chi-squared, 1 df": lambda rng, size: rng.chisquare(1, size=size) - 1,
    **{f"failures of {share} %": failures(share / 100) for share in (2, 5, 10)},
    "gamma, shape 2": lambda rng, size: rng.gamma(2, size=size) - 2,
    "β(1, 4)": lambda rng, size: rng.beta(1, 4, size=size) - 0.2,
    "normal, 5 % of them 4 sd worse": mixed((0.05, 4.0), noise=1.0),
    "normal, 5 % exponential costs": outliers,
    "3 % at a cap of 20 sd": mixed((0.03, 20.0), noise=1.0),
    "10 % at a cap of 50 sd, 2 % of the other's": mixed((0.1, 50.0), (0.02, -50.0), noise=1.0),
}
"""Each of mean 0."""


def table(rng: Generator, law: str, n: int, k: int = 2) -> bo.Scores:
    base = rng.normal(size=(n, 1))
    return bo.Scores(np.column_stack([base, base + LAWS[law](rng, (n, k - 1))]), better="lower")


def by_paired_t(rng: Generator, law: str, n: int) -> tuple[bool, object]:
    found = bo.paired_t(table(rng, law, n), 0, 1)
    return found.pvalue <= ALPHA, found


def by_compare(rng: Generator, law: str, n: int) -> tuple[bool, object]:
    """Four algorithms of one mean against a control."""
    found = bo.compare(table(rng, law, n, 4), control=0, pairwise="t", omnibus="friedman", alpha=ALPHA)
    return any(pair.verdict in ("a better", "b better") for pair in found.pairs), found


def by_evaluate(rng: Generator, law: str, n: int) -> tuple[bool, object]:
    found = bo.evaluate(table(rng, law, n, 3), control=0, n_resamples=999)
    return any(pair.verdict != "no difference shown" for pair in found.pairs), found


def by_leaderboard(rng: Generator, law: str, n: int) -> tuple[bool, object]:
    found = bo.leaderboard(table(rng, law, n), n_resamples=999)
    return len(found.candidates) < 2, found


def by_check(rng: Generator, law: str, n: int) -> tuple[bool, object]:
    """A mean that is worse by the margin, and the tail on the side of lower costs of the new build."""
    base = rng.normal(size=n)
    scores = bo.Scores(np.column_stack([base, base + 1 - LAWS[law](rng, n)]), ["old", "new"], better="lower")
    found = bo.check(scores, scores, 1.0, ALPHA, label=("old", "new"), scale="difference", level="suite")
    return found.decision == "regressed", found


def by_tradeoff(rng: Generator, law: str, n: int) -> tuple[bool, object]:
    """Worse by the margin in x, with a tail to worse scores, and far better in y."""
    base, fast = rng.normal(size=n), rng.normal([0.0, 9.0], size=(n, 2))
    worse = bo.Scores(np.column_stack([base + 1 + LAWS[law](rng, n), base]), better="lower")
    found = bo.tradeoff({"x": worse, "y": bo.Scores(fast, better="lower")}, {"x": 1.0, "y": 1.0}, n_draws=100)
    return found.pairs[0].p_better_tradeoff <= ALPHA, found


def by_curves(rng: Generator, law: str, n: int) -> tuple[bool, object]:
    values = table(rng, law, n).values
    p, a, b = (index.ravel() for index in np.indices((n, 2, 2)))
    rows = {"problem": p, "algorithm": a, "budget": 1 + b, "score": values[p, a] * (1 + b)}
    found = bo.curves(rows, better="lower", best_so_far=False, n_resamples=399)
    return bool(found.pairs[0].segments), found


def by_cluster_t(rng: Generator, law: str, n: int) -> tuple[bool, object]:
    """Clusters of 1 to 5 problems; what is skewed is common to a cluster."""
    codes = np.repeat(np.arange(n), np.resize([1, 2, 3, 4, 5], n))
    d = LAWS[law](rng, n)[codes]
    clusters = [f"c{code}" for code in codes]
    found = bo.cluster_t(bo.Scores(np.column_stack([d, 0 * d]), better="lower", clusters=clusters), 0, 1)
    return found.pvalue <= ALPHA, found


Door = Callable[[Generator, str, int], tuple[bool, object]]
DOORS: dict[str, tuple[Door, str, str]] = {
    "paired_t": (by_paired_t, "`bo.paired_t`, p ≤ 5 %", "two of one mean"),
    "compare": (by_compare, '`bo.compare(pairwise="t", control=0)`, any verdict', "four of one mean"),
    "evaluate": (by_evaluate, "`bo.evaluate(control=0)`, any verdict", "three of one mean"),
    "leaderboard": (by_leaderboard, "`bo.leaderboard`, one of two is no candidate", "two of one mean"),
    "check": (by_check, '`bo.check(level="suite")`, REGRESSED', "worse by the margin"),
    "tradeoff": (by_tradeoff, "`bo.tradeoff`, a better trade-off", "worse by the margin in one of two metrics"),
    "curves": (by_curves, "`bo.curves`, anything shown", "two of one mean at two budgets"),
    "cluster_t": (by_cluster_t, "`bo.cluster_t`, p ≤ 5 %", "two of one mean, clusters of 1 to 5"),
}
SYMMETRIC = ("normal", "t3")
LARGE = (
    *((law, n) for law in ("exponential", "lognormal", "chi-squared, 1 df", "failures of 10 %") for n in (30, 60, 120)),
    *(("failures of 5 %", n) for n in (60, 120)),
    ("failures of 2 %", 120),
    ("lognormal, σ = ½", 60),
    *(("normal, 5 % exponential costs", n) for n in (60, 120)),
    ("3 % at a cap of 20 sd", 120),
    ("10 % at a cap of 50 sd, 2 % of the other's", 60),
)
"""Where t errs in 7.5 % or more, one-sided at least, and nine of ten samples show why: see UNSEEN."""
RARE = {("failures of 2 %", 30): 0.02, ("failures of 2 %", 60): 0.02, ("failures of 5 %", 30): 0.05}
RARE |= {("normal, 5 % exponential costs", 30): 0.05}
RARE |= {("3 % at a cap of 20 sd", n): 0.03 for n in (30, 60)}
"""Of tables with 30 problems 21 % are without any failure of 5 %: {cell: share of problems with a failure}."""
SLIGHT = (("lognormal, σ = ½", 30), ("normal, 5 % of them 4 sd worse", 30))
"""What the most powerful test against normal samples, location and scale unknown, sees at 10 % in 87 and 65 %."""
UNSEEN = (*RARE, *SLIGHT)
"""Where no test can say so in nine of ten."""
SHORT = (("gamma, shape 2", 30), ("β(1, 4)", 30), ("10 % at a cap of 50 sd, 2 % of the other's", 30))
"""Where the caution falls short of nine in ten, and the most powerful test does not: it sees 90, 99 and 98 %, by the
end at which β(1, 4) begins, and by outliers. Two failures against one look symmetric; a test that takes symmetric
outliers for skewness would caution heavy tails, too."""
MIXED = ("gamma, shape 2", "β(1, 4)", *(law for law in LAWS if law.startswith(("normal, ", "3 %", "10 %"))))


def errs(door: str, law: str, n: int) -> Row:
    test, call, equal = DOORS[door]

    def count(rng: Generator) -> Outcome:
        false, found = test(rng, law, n)
        return int(false), 1, int(cautioned(found, *NAMES))

    return Row(
        name=f"skewed: {door}, {law}, {n}",
        door=call,
        data=f"{equal}; {n} {'clusters' if door == 'cluster_t' else 'problems'}, differences {law}",
        kind="error",
        level=ALPHA,
        count=count,
        short=0 if door in ("tradeoff", "curves", "compare") else 20,
        ends="" if law in SYMMETRIC else CODE,
    )


def says(door: str, law: str, n: int) -> Row:
    """Is it said where it is to be said, and only there?"""
    test, call, equal = DOORS[door]

    def count(rng: Generator) -> Outcome:
        return int(cautioned(test(rng, law, n)[1], *NAMES) == (law == "normal")), 1

    return Row(
        name=f"cautions: {door}, {law}, {n}",
        door=f"{call.partition(',')[0]}, caution `{CODE}` is {'there' if law == 'normal' else 'missing'}",
        data=f"{equal}; {n} {'clusters' if door == 'cluster_t' else 'problems'}, differences {law}",
        kind="error",
        level=CAUTIONED,
        count=count,
        short=0 if door in ("tradeoff", "curves", "compare") else 50,
    )


EVERYWHERE = (("normal", 30), ("exponential", 30), ("failures of 5 %", 60))
OTHERS = [door for door in DOORS if door != "paired_t"]
ROWS = (
    *(errs("paired_t", law, n) for law in LAWS for n in (30, 60, 120)),
    *(errs(door, law, n) for door in OTHERS for law, n in EVERYWHERE),
    *(
        errs(door, *cell)
        for door in ("check", "tradeoff")
        for cell in (("lognormal, σ = ½", 30), ("lognormal, σ = ½", 60))
    ),
    *(errs("check", law, n) for law in MIXED for n in (30, 60)),
    *(says("paired_t", *cell) for cell in (*(("normal", n) for n in (30, 60, 120)), *LARGE)),
    *(says(door, *cell) for door in OTHERS for cell in EVERYWHERE),
)
