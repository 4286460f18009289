"""Cautions about tests and effects that are means, and about effects beside verdicts.

A mean beside t has Student's interval, and so has A12 of several runs. A mean that stands there because of ties has an
interval with room for problems that were not seen (``tied_means``), which is enough for tails up to a lognormal's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bakeoff.analyses.compare.statistics.limits import read_later
from bakeoff.analyses.compare.statistics.results import Pair
from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass
from bakeoff.effects.tied_means import FEWEST
from bakeoff.errors import Caution, listing
from bakeoff.means.assumptions import long_tails
from bakeoff.means.cautions import mean_cautions, skewed_differences
from bakeoff.means.strata import one_stratum
from bakeoff.scores import Array, Scores
from bakeoff.scores.pair_family import Family

NAMED = 5
"""Pairs in a caution."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShownMean:
    """A pair whose effect is a mean with an interval."""

    name: str
    values: Array  # what it is the mean of, one for each unit
    tied: bool  # it stands there because of ties


def of_pairs(code: str, about: str, names: Sequence[str], most: int = NAMED, **values: Any) -> list[Caution]:
    """The caution about these pairs, of which it names the first; nothing about none."""
    return [caution_of(code, about, names=listing(names, most), **values)] if names else []


def tested_means(scores: Scores, family: Family, unit: str) -> list[Caution]:
    """Cautions about t-tests of all pairs of a table, a row per unit."""
    a, b = np.array(family, dtype=np.intp).T
    tails = long_tails(scores.values, (a, b), [one_stratum(np.arange(scores.n_problems))])
    skewed = [family[i] for i in np.flatnonzero(tails).tolist()]
    names = [f"{scores.algorithms[a]} – {scores.algorithms[b]}" for a, b in skewed]
    return [*mean_cautions([np.ones(scores.n_problems, dtype=np.int64)], unit), *skewed_differences(names, f"{unit}s")]


def shown_means(means: Sequence[ShownMean], unit: str = "problem") -> list[Caution]:
    """Cautions about effects that are means; pairs may have different problems in common."""
    if not means:
        return []
    n, m = max(len(one.values) for one in means), len(means)
    columns = np.zeros((n, m + 1))
    for i, one in enumerate(means):
        largest = float(np.abs(one.values).max())
        scaled = one.values / largest if largest > 0.0 else one.values
        columns[: len(scaled), i] = scaled - scaled.mean()
    tails = long_tails(columns, (np.arange(m), np.full(m, m)), [one_stratum(np.arange(n))])
    skewed = [means[i] for i in np.flatnonzero(tails).tolist()]
    fewest = min(len(one.values) for one in means)
    cautions = mean_cautions([np.ones(fewest, dtype=np.int64)], unit)
    cautions += skewed_differences([one.name for one in skewed if not one.tied], f"{unit}s")
    return cautions + of_pairs("skew", "effect", [one.name for one in skewed if one.tied])


def doubtful_sizes(pairs: Sequence[Pair]) -> list[Caution]:
    """Pairs whose effect says that the other one is better than the verdict does, or has no interval; of large families
    none is read."""
    if read_later(len(pairs)):
        return []
    sides, against, few = {"a better": 1.0, "b better": -1.0}, list[str](), list[str]()
    for pair in pairs:
        if (effect := pair.effect) is not None:
            above_null = effect.estimate - (0.5 if effect.scale == "a12" else 0.0)
            if sides.get(pair.verdict, 0.0) * above_null < 0.0:
                against.append(f"{pair.a} – {pair.b}")
            if effect.kind == "mean" and pair.test != "t" and effect.low == -math.inf:
                few.append(f"{pair.a} – {pair.b}")
    return [
        *of_pairs("effect-against-verdict", "", against),
        *of_pairs("too-few", "differing-problems", few, fewest=FEWEST),
    ]
