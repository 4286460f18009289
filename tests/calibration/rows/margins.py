"""Claims that a difference is smaller than a margin: check, equivalence, compare(margin=)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.means import FEW, SIZES, in_clusters
from calibration.rows.row import Outcome, Row, cautioned

ALPHA, MARGIN = 0.05, 0.5
Floats = NDArray[np.float64]
Draw = Callable[[Generator, tuple[int, ...]], Floats]
SYMMETRIC: dict[str, Draw] = {
    "normal": lambda rng, size: rng.normal(0, 0.6, size),
    "t with 2 df": lambda rng, size: 0.3 * rng.standard_t(2, size),
    "uniform": lambda rng, size: rng.uniform(-1, 1, size),
    "with ties": lambda rng, size: np.round(rng.normal(0, 0.5, size), 1),  # also with the margin
    "of three values": lambda rng, size: rng.choice([-0.5, 0.0, 0.5], size, p=[0.2, 0.6, 0.2]),
}

# --- one pair at the margin -------------------------------------------------------------------------------------------


def equivalence(law: str, n: int, test: Literal["wilcoxon", "t"], claim: str) -> Row:
    def count(rng: Generator) -> Outcome:
        better = np.round(rng.uniform(5, 9, n), 1)
        worse = better + MARGIN + SYMMETRIC[law](rng, (n,))
        found = bo.equivalence(worse, better, margin=MARGIN, better="lower", test=test)
        p = found.pvalue if claim == "equal" else found.p_a_not_worse
        return int(p <= ALPHA), 1

    return Row(
        f"equivalence: {claim}, {test}, {law}, {n}",
        f'`bo.equivalence(test="{test}")`, {claim}',
        f"worse by exactly the margin, {n} differences symmetric about it: {law}",
        "error",
        ALPHA,
        count,
        tables=6000,
    )


PAIRS = (
    *(equivalence(law, n, "wilcoxon", "not worse") for law in SYMMETRIC for n in (5, 12, 30)),
    *(equivalence(law, 12, "wilcoxon", "equal") for law in ("normal", "of three values")),
    *(equivalence(law, n, "t", "not worse") for law in ("normal", "t with 2 df") for n in (3, 12, 30)),
)

# --- right or wrong, and grades ---------------------------------------------------------------------------------------


def answers(n: int, right: tuple[float, ...], unit: float = 1.0, pairwise: str | None = None) -> Row:
    """Shares that differ by exactly the margin from the first; answers that agree as far as they can."""
    margin = unit * (right[0] - right[1])

    def count(rng: Generator) -> Outcome:
        asked = rng.random((n, 1)) if len(right) == 2 else rng.random((n, len(right)))
        table = bo.Scores(unit * (asked < np.array(right)), better="higher")
        kinds: dict[str, Any] = {} if pairwise is None else {"pairwise": pairwise}
        found = bo.compare(table, control=0, margin=margin, **kinds)
        return int(any((pair.adjusted_equal or 1.0) <= ALPHA for pair in found.pairs)), 1

    called = "margin=" if pairwise is None else f'pairwise="{pairwise}", margin='
    shares = " and ".join(f"{share:g}" for share in right)
    return Row(
        f"margin: answers {shares}, {n}, 0 and {unit:g}, {pairwise or 'default'}",
        f"`bo.compare({called})`, any pair smaller than the margin",
        f"{n} questions, scores 0 and {unit:g}, right with {shares}: the margin apart",
        "error",
        ALPHA,
        count,
    )


def grades(rng: Generator) -> Outcome:
    """0, ½ and 1; ten points apart, which is the margin: whole steps on a fifth of the problems."""
    d = rng.choice([0.0, 0.5], size=40, p=[0.8, 0.2])
    first = rng.choice([0.0, 0.5], size=40)
    found = bo.compare(bo.Scores(np.c_[first + d, first], better="higher"), margin=0.1)
    said = found.pairs[0].verdict == "practically equal" or (found.pairs[0].adjusted_equal or 1.0) <= ALPHA
    return int(said), 1, int(cautioned(found, "margin-of-the-median", "too-few (margin-differences)"))


ANSWERS = (
    answers(20, (1.0, 0.95)),
    answers(30, (0.99, 0.94)),
    answers(30, (0.99, 0.94), pairwise="t"),
    answers(30, (0.99, 0.94), unit=100),
    answers(50, (0.9, 0.8)),
    answers(20, (1.0, 0.95, 0.95)),
    Row(
        "margin: grades, 40",
        "`bo.compare(margin=)`, smaller than the margin",
        "40 problems graded 0, ½ or 1, means the margin apart",
        "error",
        ALPHA,
        grades,
    ),
)


def mostly_zero(n: int, k: int, share: float, pairwise: str) -> Row:
    """With two unseen problems whatever the number of pairs, .10 of tables of ten and .35 of 45 pairs were wrong; with
    one more whenever the error is quartered, .12 of 45 pairs with 30 problems."""
    margin = share * math.exp(0.5)

    def count(rng: Generator) -> Outcome:
        costs = np.where(rng.random((n, k - 1)) < share, rng.lognormal(0, 1, (n, k - 1)), 0.0)
        table = bo.Scores(np.c_[np.zeros(n), costs], better="lower")
        found = bo.compare(table, control=0, pairwise=pairwise, margin=margin)
        of_means = [pair for pair in found.pairs if pair.effect is not None and pair.effect.kind == "mean"]
        return int(any((pair.adjusted_equal or 1.0) <= ALPHA for pair in of_means)), 1

    return Row(
        f"margin: mostly zero, {n} x {k}, {share:g}, {pairwise}",
        f'`bo.compare(pairwise="{pairwise}", margin=)`, any pair smaller than the margin',
        f"{n} problems; one of {k} algorithms never costs anything, the others lognormally on {share:.0%} of them, on "
        "average the margin",
        "error",
        ALPHA,
        count,
        short=50 if k < 20 else 0,
    )


MOSTLY_ZERO = (
    *(
        mostly_zero(n, k, share, pairwise)
        for n, k, share in ((30, 5, 0.6), (60, 10, 0.5), (100, 5, 0.3))
        for pairwise in ("t", "wilcoxon")
    ),
    *(mostly_zero(n, 46, share, "wilcoxon") for n, share in ((30, 0.7), (40, 0.6))),
)

# --- a family at the margin -------------------------------------------------------------------------------------------


def family(law: str) -> Callable[[Generator], Outcome]:
    """Two groups exactly a margin apart: none of the pairs between them is equal, and no worse one "not worse"."""
    shift = np.array([0.0, MARGIN, 0.0, MARGIN])

    def count(rng: Generator) -> Outcome:
        noise = np.round(
            SYMMETRIC[law](rng, (20, 4)) * 0.15, 2
        )  # small: equal pairs are found, which is the worst case
        table = bo.Scores(np.round(rng.uniform(5, 9, (20, 1)), 1) + noise + shift, better="lower")
        for pair in bo.compare(table, margin=MARGIN, posthoc="holm").pairs:
            a, b = (table.algorithms.index(name) for name in (pair.a, pair.b))
            worse = pair.adjusted_a_not_worse if shift[a] > shift[b] else pair.adjusted_b_not_worse
            if shift[a] != shift[b] and worse is not None and worse <= ALPHA:
                return 1, 1
        return 0, 1

    return count


FAMILY = tuple(
    Row(
        f"margin: two groups the margin apart, {law}",
        "`bo.compare(margin=)`, any false not worse",
        f"4 algorithms in two groups exactly the margin apart, 20 problems, differences {law}",
        "error",
        ALPHA,
        family(law),
    )
    for law in ("normal", "t with 2 df", "with ties")
)

# --- check ------------------------------------------------------------------------------------------------------------


def suite(sizes: str, said: str) -> Row:
    table = in_clusters(SIZES[sizes], 0.5)

    def count(rng: Generator) -> Outcome:
        drawn = table(rng)
        scores = bo.Scores(drawn.values - [0.0, 0.5], ["old", "new"], better="higher", clusters=drawn.clusters)
        found = bo.check(scores, scores, 0.5, ALPHA, label=("old", "new"), scale="difference", level="suite")
        return int(found.rows[0].verdict == said), 1

    return Row(
        f"check: {said} at the margin, clusters {sizes}",
        f'`bo.check(level="suite")`, {said.upper()}',
        f"the mean is worse by exactly the margin; clusters {sizes}, normal, intraclass correlation 0.5",
        "error",
        ALPHA,
        count,
    )


def processes(
    what: str, noise: Draw, slower: float, said: str, each: bool = False, **options: Any
) -> Callable[[Generator], Outcome]:
    """Ten benchmarks, eight processes of each build; ``each``: per benchmark, else any of them."""

    def count(rng: Generator) -> Outcome:
        times = np.exp(noise(rng, (10, 2, 8)) + np.array([0.0, math.log1p(slower)])[:, None])
        scores = bo.Scores.from_cells(times, ["old", "new"], [f"p{i}" for i in range(10)], better="lower")
        rows = bo.check(scores, scores, "5%", ALPHA, label=("old", "new"), **options).rows
        false = [row.verdict == said for row in rows]
        return (sum(false), len(false)) if each else (int(any(false)), 1)

    return count


NOISES: dict[str, Draw] = {
    "lognormal times": lambda rng, size: rng.normal(0, 0.02, size),
    "heavy tails (t with 2 df)": lambda rng, size: 0.02 * rng.standard_t(2, size),
    "times in whole ticks": lambda rng, size: np.round(rng.normal(0, 0.02, size), 2),
}
CHECKS = (
    *(suite(sizes, said) for sizes in FEW for said in ("regressed", "ok")),
    *(
        Row(
            f"check: {said} at the margin, {noise}, {test}",
            f'`bo.check(test="{test}")`, {whose}',
            f"10 benchmarks slower by exactly the margin of 5 %, 8 processes each; {noise}",
            "error",
            ALPHA,
            processes(said, NOISES[noise], 0.05, said, each=said == "ok", test=test),
        )
        for noise in NOISES
        for test in ("t", "rank")
        for said, whose in (("regressed", "any benchmark REGRESSED"), ("ok", "a benchmark OK"))
    ),
)

ROWS = (*PAIRS, *ANSWERS, *MOSTLY_ZERO, *FAMILY, *CHECKS)
