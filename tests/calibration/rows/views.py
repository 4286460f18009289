"""Who may be the best: leaderboard (candidates, ranks, the winner's interval) and tradeoff."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

ALPHA = 0.05
Floats = NDArray[np.float64]
Noise = Literal["normal", "t3", "answers", "long tail"]
LAWS = {
    "normal": "normal",
    "t3": "t with 3 df",
    "answers": "right or wrong",
    "long tail": "lognormal, long tail towards worse",
}
NULL = np.zeros(5)
TIED = np.array([0.6, 0.6, 0.3, 0.0, 0.0])
ONE_AHEAD = np.array([0.7, 0, 0, 0, 0])


def scores_of(rng: Generator, n: int, truth: Floats, correlation: float, law: Noise, clustered: bool) -> bo.Scores:
    """Scores with these true means and unequal variances; with clusters half of the variance is theirs."""
    k = len(truth)
    if law == "answers":
        return bo.Scores((rng.random((n, k)) < truth).astype(float), better="higher")
    if law == "long tail":
        return bo.Scores(truth - (rng.lognormal(size=(n, k)) - np.exp(0.5)), better="higher")
    labels = None
    own = rng.normal(size=(n, k)) if law == "normal" else rng.standard_t(3, size=(n, k)) / np.sqrt(3)
    if clustered:
        groups = n // 3
        of = np.concatenate([np.arange(groups), rng.integers(0, groups, n - groups)])
        own = (own + rng.normal(size=(groups, k))[of]) / np.sqrt(2)
        labels = [f"c{code}" for code in of]
    noise = np.sqrt(correlation) * rng.normal(size=(n, 1)) + np.sqrt(1 - correlation) * own
    return bo.Scores(truth + np.linspace(0.8, 1.25, k) * noise, better="higher", clusters=labels)


def winner(table: Callable[[Generator], bo.Scores], truth: Floats, estimate: bool) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        found = bo.leaderboard(table(rng), n_resamples=20)  # resamples decide pairs, not the winner's interval
        true = truth[int(found.winner.algorithm[1:]) - 1]
        if estimate:
            return int(found.winner.estimate > true), 1, 0.5
        low, high = found.winner.interval
        return int(not low <= true <= high), 1, int(cautioned(found, "skew (winner)"))

    return count


def ranks(table: Callable[[Generator], bo.Scores], truth: Floats) -> Callable[[Generator], Outcome]:
    """A best one that is no candidate, or a rank outside of its interval."""
    first = {f"A{j + 1}" for j in np.flatnonzero(truth == truth.max())}

    def count(rng: Generator) -> Outcome:
        found = bo.leaderboard(table(rng), n_resamples=199)
        held = first <= set(found.candidates) and all(
            low <= 1 + (truth > truth[j]).sum() and high >= len(truth) - (truth < truth[j]).sum()
            for j, (low, high) in enumerate(found.rank_intervals[f"A{j + 1}"] for j in range(len(truth)))
        )
        return int(not held), 1

    return count


def board(
    what: Literal["winner", "estimate", "ranks"],
    n: int,
    truth: Floats,
    means: str,
    correlation: float = 0.0,
    law: Noise = "normal",
    clustered: bool = False,
    ends: str = "",
) -> Row:
    def table(rng: Generator) -> bo.Scores:
        return scores_of(rng, n, truth, correlation, law, clustered)

    said = {
        "winner": "the winner's interval",
        "estimate": "the winner's estimate is too high (median-unbiased)",
        "ranks": "all candidates and rank intervals",
    }
    extra = (f", correlation {correlation:g}" if correlation else "") + (", unequal clusters" if clustered else "")
    return Row(
        name=f"leaderboard: {what}, {means}, {LAWS[law]}{extra}, {n}",
        door=f"`bo.leaderboard`, {said[what]}",
        data=f"{n} problems, {means}; {LAWS[law]}{extra}",
        kind="stated" if what == "estimate" else "coverage",
        level=0.0 if what == "estimate" else 1 - ALPHA,
        count=ranks(table, truth) if what == "ranks" else winner(table, truth, what == "estimate"),
        ends=ends,
    )


STEPS = -0.5 * np.arange(5) * np.sqrt(0.2 / 20)
EQUAL, TWO_FIRST, NEAR = "five equal", "two share the first place", "five near each other"
BOARDS = (
    board("winner", 20, NULL, EQUAL, 0.9),
    board("winner", 20, STEPS, NEAR, 0.9),
    board("winner", 12, NULL, EQUAL),
    board("winner", 30, TIED, TWO_FIRST, 0.5),
    board("winner", 30, NULL, EQUAL, clustered=True),
    board("winner", 12, NULL, EQUAL, law="t3"),
    board("winner", 12, NULL + 0.95, "five right in 95 %", law="answers"),
    board("winner", 60, NULL + 0.8, "five right in 80 %", law="answers"),
    board("winner", 30, NULL, EQUAL, law="long tail", ends="skew (winner)"),
    board("estimate", 20, NULL, EQUAL, 0.9),
    board("estimate", 30, TIED, TWO_FIRST, 0.5),
    board("ranks", 12, NULL, EQUAL, 0.3),
    board("ranks", 30, ONE_AHEAD, "one ahead", 0.3, law="t3"),
    board("ranks", 30, TIED, TWO_FIRST, 0.3, clustered=True),
    board("ranks", 60, NULL + 0.9, "five right in 90 %", law="answers"),
    board("ranks", 30, NULL, EQUAL, law="long tail"),
)


def some_fail(rng: Generator) -> Outcome:
    """Five of one mean; two of them fail on 10 and 5 % of the problems."""
    share = np.array([0.10, 0.05, 1, 1, 1])
    costs = np.where(rng.random((30, 5)) < share, rng.exponential(1 / share, (30, 5)), 0.0)
    costs[:, 2:] = 1 + 0.1 * rng.normal(size=(30, 3))
    found = bo.leaderboard(bo.Scores(costs, better="lower"), n_resamples=199)
    held = len(found.candidates) == 5 and all(each == (1, 5) for each in found.rank_intervals.values())
    return int(not held), 1, int(cautioned(found, "skew (differences)"))


# --- tradeoff ---------------------------------------------------------------------------------------------------------


def metrics(rng: Generator, means: tuple[list[float], list[float]], correlation: float) -> dict[str, bo.Scores]:
    first = rng.normal(size=(15, len(means[0])))
    second = correlation * first + np.sqrt(1 - correlation**2) * rng.normal(size=first.shape)
    return {
        name: bo.Scores(np.array(mean) + values, better="higher")
        for name, mean, values in zip("xy", means, (first, second), strict=True)
    }


def on_the_edge(correlation: float) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        """Worse by exactly the margin in x and far better in y."""
        found = bo.tradeoff(metrics(rng, ([-1.0, 0.0], [9.0, 0.0]), correlation), {"x": 1.0, "y": 1.0}, n_draws=100)
        return int(found.pairs[0].p_better_tradeoff <= ALPHA), 1

    return count


def all_equal(what: str) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        """Margins are wide: only superiority keeps a statement away."""
        found = bo.tradeoff(metrics(rng, ([0.0] * 4, [0.0] * 4), 0.3), {"x": 9.0, "y": 9.0}, n_draws=100)
        if what == "better":
            return int(any(pair.verdict == "a better trade-off" for pair in found.pairs)), 1
        return int(any(position.adjusted <= ALPHA for position in found.positions)), 1

    return count


def answers_on_the_edge(rng: Generator) -> Outcome:
    """Of 100 questions right on 0.11 fewer, exactly the margin, and far faster."""
    drawn = rng.choice(4, size=100, p=[0.7, 0.18, 0.005, 0.115])  # both right, neither, a alone, b alone
    right = np.column_stack([(drawn == 0) | (drawn == 2), (drawn == 0) | (drawn == 3)]).astype(float)
    seconds = np.array([1.0, 9.0]) * np.exp(0.1 * rng.normal(size=(100, 2)))
    given = {"right": bo.Scores(right, better="higher"), "seconds": bo.Scores(seconds, better="lower")}
    margins: dict[str, float | str] = {"right": 0.11, "seconds": "5%"}
    return int(bo.tradeoff(given, margins, n_draws=100).pairs[0].p_better_tradeoff <= ALPHA), 1


TRADEOFFS = (
    *(
        Row(
            f"tradeoff: at the margin, correlation {correlation:g}",
            "`bo.tradeoff`, p of a better trade-off",
            f"worse by the margin in x, far better in y; 15 normal problems, correlation {correlation:g}",
            "error",
            ALPHA,
            on_the_edge(correlation),
        )
        for correlation in (-0.7, 0.0, 0.7)
    ),
    Row(
        "tradeoff: four equal, verdicts",
        "`bo.tradeoff`, any better trade-off",
        "four equal algorithms, margins wide; 15 normal problems",
        "error",
        ALPHA,
        all_equal("better"),
    ),
    Row(
        "tradeoff: four equal, frontier",
        "`bo.tradeoff`, any place on the frontier",
        "four equal algorithms, margins wide; 15 normal problems",
        "error",
        ALPHA,
        all_equal("frontier"),
    ),
    Row(
        "tradeoff: answers at the margin",
        "`bo.tradeoff`, p of a better trade-off",
        "right on 0.11 fewer of 100 questions, the margin; far faster",
        "error",
        ALPHA,
        answers_on_the_edge,
    ),
)

FAILING = Row(
    "leaderboard: ranks, two of five fail seldom, 30",
    "`bo.leaderboard`, all candidates and rank intervals",
    "30 problems, five of one mean; two fail on 10 and 5 % of the problems",
    "coverage",
    1 - ALPHA,
    some_fail,
    ends="skew (differences)",
)

ROWS = (*BOARDS, FAILING, *TRADEOFFS)
