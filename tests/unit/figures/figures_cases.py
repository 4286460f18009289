"""Comparisons made by hand for the tests of figures: any verdicts, any names, without running a test."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

import bakeoff as bo
from bakeoff.analyses.compare.statistics import Comparison, Pair

ALIKE, UNKNOWN = "no difference shown", "cannot tell"
NAMES = (
    *("A", "SVM", "Random forest (default)", "IPOP-CMA-ES", '<b>&"x"\'', "a_b%$#", "back\\slash {x}", "~^|`--`"),
    *(
        "算法一号",
        "🚀 rocket 👩\u200d🔬",
        "éàü – ß",
        "Ωμέγα",
        "Алгоритм Щ",
        "tab\tnew\nline",
        "\x00\x1b[31m",
        "\u202edlrow",
    ),
    *(
        "\uffff",
        "",
        "  two  spaces ",
        "x" * 80,
        "the same long beginning of a name, v1",
        "the same long beginning of a name, v2",
    ),
    *("%comment", "]]>", "a,,b", "?`!`", "[0,1]", "$\\alpha$", "x;", "&amp;"),
)


def comparison(
    mean_ranks: Sequence[float],
    verdict: Callable[[int, int], str],
    *,
    names: Sequence[str] | None = None,
    control: int | None = None,
    n: int = 10,
    **fields: Any,
) -> Comparison:
    """A Comparison with these mean ranks and verdicts; groups by the definition (maximal sets, brute force)."""
    k = len(mean_ranks)
    scores = bo.Scores(np.zeros((n, k)), names, better="lower")
    family = [(a, b) for a in range(k) for b in range(a + 1, k)]
    if control is not None:
        family = [(control, b) for b in range(k) if b != control]
    verdicts = {pair: verdict(*pair) for pair in family}
    alike = {pair for pair, words in verdicts.items() if words in (ALIKE, UNKNOWN)}
    groups = () if control is not None else _groups(list(mean_ranks), alike)
    values: dict[str, Any] = {
        "scores": scores,
        "alpha": 0.05,
        "control": None if control is None else scores.algorithms[control],
        "omnibus": SimpleNamespace(name="iman-davenport"),
        "ranking": "friedman",
        "mean_ranks": np.array(mean_ranks, dtype=float),
        "pairwise": "mean-ranks",
        "posthoc": ("holm",),
        "primary": "holm",
        "pairs": tuple(_pair(scores.algorithms[a], scores.algorithms[b], w) for (a, b), w in verdicts.items()),
        "groups": tuple(tuple(scores.algorithms[j] for j in group) for group in groups),
        "steps": (),
        "choices": (),
        "cautions": (),
    }
    absent = {field.name: None for field in dataclasses.fields(Comparison)}
    return Comparison(**(absent | values | fields))


def by_distance(mean_ranks: Sequence[float], critical: float) -> Callable[[int, int], str]:
    """Verdicts as a single critical difference gives them."""

    def verdict(a: int, b: int) -> str:
        distance = mean_ranks[b] - mean_ranks[a]
        return ALIKE if abs(distance) <= critical else "a better" if distance > 0 else "b better"

    return verdict


def with_cd(mean_ranks: Sequence[float], critical: float, **fields: Any) -> Comparison:
    return comparison(mean_ranks, by_distance(mean_ranks, critical), critical_difference=critical, **fields)


def _pair(a: str, b: str, verdict: str) -> Pair:
    return Pair(
        a=a, b=b, statistic=0.0, pvalue=0.5, log_pvalue=math.log(0.5), adjusted={"holm": 0.5}, verdict=verdict,  # type: ignore[arg-type]
        effect=None, wins=0, ties=0, losses=0, rank_biserial=None,
    )  # fmt: skip


def _groups(mean_ranks: list[float], alike: set[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Maximal cliques, by growing sets one algorithm at a time and keeping the maximal ones."""
    order = sorted(range(len(mean_ranks)), key=mean_ranks.__getitem__)
    found: list[frozenset[int]] = []
    for j in order:
        grown = [frozenset(i for i in group if (min(i, j), max(i, j)) in alike) | {j} for group in found]
        found = _maximal([*found, *grown, frozenset({j})])
    place = {j: i for i, j in enumerate(order)}
    return sorted((tuple(sorted(g, key=place.__getitem__)) for g in found), key=lambda g: [place[j] for j in g])


def _maximal(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    unique = list(dict.fromkeys(groups))
    return [g for g in unique if not any(g < other for other in unique)]


@lru_cache
def random_comparison(seed: int) -> Comparison:
    """Any size from 2 to 40, ties, odd names, with or without control, any verdicts or those of a distance."""
    rng = np.random.default_rng(seed)
    k = int(rng.choice([2, 3, 4, 5, 7, 9, 12, 13, 20, 24, 25, 31, 40]))
    step = rng.choice([0.5, 0.1, 0.01])
    ranks = (1 + np.floor(rng.random(k) * (k - 1) / step) * step).tolist() if rng.random() > 0.1 else [(k + 1) / 2] * k
    names = [f"A{j}" for j in range(k)]
    if rng.random() < 0.7:
        for j, i in zip(rng.permutation(k), rng.permutation(len(NAMES)), strict=False):
            names[j] = NAMES[i]
    control = int(rng.integers(k)) if rng.random() < 0.4 else None
    fields: dict[str, Any] = {"names": names, "control": control}
    if rng.random() < 0.2:
        fields |= {"ranking": "aligned", "pairwise": "aligned"}
        ranks = [10 * x for x in ranks]
    critical = float(rng.random() * k)
    style = rng.random()
    if style < 0.4:
        return with_cd(ranks, critical, primary="bonferroni" if control is not None else "nemenyi", **fields)
    if style < 0.6:
        return comparison(ranks, by_distance(ranks, critical), **fields)
    density = rng.random()
    table = rng.random((k, k))
    kinds = rng.integers(0, 3, size=(k, k))

    def anything(a: int, b: int) -> str:
        return ALIKE if table[a, b] < density else ("a better", "b better", UNKNOWN)[kinds[a, b]]

    return comparison(ranks, anything, **(fields | {"pairwise": "wilcoxon"}))
