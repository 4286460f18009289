"""How often statements of the Bayesian list are false, and how many true ones it makes, beside other lists.

A statement "a is better than b" is true if a is better than b with probability above 1/2 on a problem drawn at random.
Each table is judged through the public door by five lists: the recipe ``benavoli-2015`` (the joint list, flat prior,
only if the Bayesian Friedman test rejects), the joint list alone, the one with the exchangeable prior that is the
default, all statements whose own probability exceeds 0.95, and sign tests corrected by Holm's procedure at 0.05.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

import bakeoff as bo

SEED, TABLES, GAMMA = 2015, 400, 0.05
LISTS = ("recipe", "flat", "exchangeable", "each by itself", "Holm")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Tables of ``n`` problems; the scores of ``algorithms`` are ``noise`` around ``truth``."""

    truth: str  # "equal", "two groups", "steps"
    noise: str  # "normal", "skewed", "two values"
    algorithms: int
    n: int

    @property
    def means(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Of each algorithm, in standard deviations; lower is better."""
        k = self.algorithms
        return {"equal": np.zeros(k), "two groups": 0.5 * (np.arange(k) >= (k + 1) // 2), "steps": 0.2 * np.arange(k)}[
            self.truth
        ]

    def drawn(self, rng: Generator) -> bo.Scores:
        """A table. The chance that two values differ from 1/2 grows with the mean."""
        shape = (self.n, self.algorithms)
        if self.noise == "two values":
            values = (rng.random(shape) < 0.5 + 0.25 * self.means).astype(np.float64)
        else:
            noise = rng.normal(size=shape) if self.noise == "normal" else rng.exponential(size=shape)
            values = self.means + noise
        return bo.Scores(values, better="lower")


def cells() -> Iterator[Cell]:
    """Three truths, tables small and large; skewed scores and two values for five algorithms on 30 problems."""
    for truth in ("equal", "two groups", "steps"):
        for k, n in ((3, 10), (3, 30), (5, 30), (5, 100), (8, 30)):
            yield Cell(truth=truth, noise="normal", algorithms=k, n=n)
        for noise in ("skewed", "two values"):
            yield Cell(truth=truth, noise=noise, algorithms=5, n=30)


def stated(scores: bo.Scores, rng: Generator) -> dict[str, set[tuple[str, str]]]:
    """{list: its statements (better, worse)}."""
    flat = bo.bayes.compare(scores, prior="flat", gamma=GAMMA, rng=rng)
    joint = {(s.better, s.worse) for s in flat.statements if s.accepted}
    shrunk = bo.bayes.compare(scores, gamma=GAMMA, rng=rng)
    tested = bo.compare(scores, pairwise="sign", posthoc="holm", alpha=GAMMA)
    return {
        "recipe": joint if bo.bayes.friedman(scores, gamma=GAMMA).rejected else set(),
        "flat": joint,
        "exchangeable": {(s.better, s.worse) for s in shrunk.statements if s.accepted},
        "each by itself": {(s.better, s.worse) for s in flat.statements if s.probability > 1.0 - GAMMA},
        "Holm": {(p.a, p.b) if p.verdict == "a better" else (p.b, p.a) for p in tested.pairs if "better" in p.verdict},
    }


def measure(cell: Cell, tables: int = TABLES) -> Row:
    """Of each list, the tables in which it makes a false statement, and the mean number of true ones."""
    rng = np.random.default_rng([SEED, *(ord(letter) for letter in repr(cell))])
    false, true = dict.fromkeys(LISTS, 0), dict.fromkeys(LISTS, 0)
    for _ in range(tables):
        scores = cell.drawn(rng)
        mean = dict(zip(scores.algorithms, cell.means.tolist(), strict=True))
        for name, statements in stated(scores, rng).items():
            right = sum(mean[better] < mean[worse] for better, worse in statements)
            false[name] += right < len(statements)
            true[name] += right
    about = {"truth": cell.truth, "noise": cell.noise, "algorithms": cell.algorithms, "n": cell.n, "tables": tables}
    return about | {"false": false, "true": {name: round(count / tables, 3) for name, count in true.items()}}
