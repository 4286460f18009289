"""Comparisons made by hand, so that the tests of reports rest on the result types alone."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff.analyses.compare.statistics import Choice, Comparison, Effect, Interval, Pair, Step
from bakeoff.errors import Caution
from bakeoff.scores import Scores

NAMES = ("PSO", "SaDE", "a|b & <c>", "=1+2", "100%_$x#")


@dataclass(frozen=True, kw_only=True)
class Omnibus:
    """What an omnibus result offers."""

    name: str = "iman-davenport"
    statistic: float = 5.3351
    df: tuple[float, ...] = (8.0, 192.0)
    pvalue: float = 4.5e-6
    log_pvalue: float = math.log(4.5e-6)
    method: str = "f"
    ties: str = "corrected"
    n_tied: int = 1
    n_problems: int = 25
    confidence_interval: Any = None


def pair(a: str, b: str, **changes: Any) -> Pair:
    """A pair that differs clearly, a better."""
    values: dict[str, Any] = {
        "a": a,
        "b": b,
        "statistic": 3.2,
        "pvalue": 0.0014,
        "log_pvalue": math.log(0.0014),
        "adjusted": {"holm": 0.0112, "finner": 0.0098},
        "verdict": "a better",
        "effect": Effect(estimate=0.25, low=0.125, high=0.5, confidence_level=0.95),
        "wins": 20,
        "ties": 1,
        "losses": 4,
        "rank_biserial": 0.71,
    }
    values |= changes
    effect = values["effect"]
    if effect is not None and "interval" not in values:
        values["interval"] = Interval(low=effect.low, high=effect.high, confidence_level=0.95, each_level=0.95)
    return Pair(**values)


def comparison(names: tuple[str, ...] = NAMES, control: str | None = None, **changes: Any) -> Comparison:
    """Algorithms in the order of their mean ranks; the first one beats the last one, the rest is open."""
    k, n = len(names), 25
    values = np.arange(n * k, dtype=np.float64).reshape(n, k) / 7.0
    scores = Scores(values, algorithms=names, better="lower")
    family = [(names[i], names[j]) for i in range(k) for j in range(i + 1, k)]
    if control is not None:
        family = [(control, name) for name in names if name != control]
    open_pair = {"verdict": "no difference shown", "adjusted": {"holm": 0.7, "finner": 0.6}, "pvalue": 0.3}
    first, last = names[0], names[-1]
    pairs = [pair(a, b) if {a, b} == {first, last} and a == first else pair(a, b, **open_pair) for a, b in family]
    result: dict[str, Any] = {
        "scores": scores,
        "alpha": 0.05,
        "control": control,
        "recipe": None,
        "omnibus": Omnibus(),
        "companion": Omnibus(name="friedman", statistic=36.373, df=(8.0,), pvalue=1.5e-5, log_pvalue=math.log(1.5e-5)),
        "ranking": "friedman",
        "mean_ranks": np.arange(1.0, k + 1),
        "pairwise": "mean-ranks",
        "posthoc": ("holm", "finner"),
        "primary": "holm",
        "pairs": tuple(pairs),
        "groups": () if control is not None else (tuple(names[:-1]), tuple(names[1:])),
        "critical_difference": None,
        "contrasts": np.subtract.outer(np.arange(k), np.arange(k)) / 8.0,
        "kendall_w": 0.182,
        "steps": (),
        "choices": (Choice(parameter="pairwise", value="mean-ranks", reason="follows the omnibus test"),),
        "cautions": (Caution(code="ties", text="Scores are tied in 1 of 25 problems.", reference="Derrac"),),
    }
    return Comparison(**{**result, **changes})


def step(**changes: Any) -> Step:
    """The gate of a recipe."""
    values: dict[str, Any] = {"name": "quade", "title": "Quade test", "outcome": "F = 6.6.", "passed": True}
    return Step(**{**values, "result": None, **changes})
