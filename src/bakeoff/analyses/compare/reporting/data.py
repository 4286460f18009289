"""A comparison as JSON, the keys of the contract in their order, and as columns."""

import math
from functools import partial
from typing import Any

import numpy as np

from bakeoff.analyses.compare.reporting import sentences
from bakeoff.analyses.compare.statistics import Comparison, Pair
from bakeoff.analyses.compare.statistics.limits import read_later
from bakeoff.analyses.compare.statistics.reach import POWER
from bakeoff.analyses.compare.statistics.results import Choice, Step
from bakeoff.analyses.compare.statistics.sizes import PairColumns
from bakeoff.analyses.compare.statistics.verdicts import OF_MARGIN
from bakeoff.report.data import Keys, plain_data
from bakeoff.report.json_rows import JsonRows
from bakeoff.report.reporting import SIZES, sheet_columns, values_of
from bakeoff.scores.margins import Margin

KEYS: Keys = {
    Comparison: (
        *("alpha", "control", "recipe", "primary", "posthoc", "pairwise", "standard_error", "transform"),
        *("effect", "intervals", "unit"),
        *("omnibus", "companion", "kendall_w"),
        *("ranking", "mean_ranks", "critical_difference", "pairs", "groups", "contrasts", "steps", "choices"),
    ),
    Pair: (
        *("a", "b", "statistic", "pvalue", "log_pvalue", "adjusted", "verdict", "effect", "interval"),
        *("wins", "ties", "losses", "rank_biserial", "test"),
    ),
    Step: ("name", "title", "outcome", "passed", "table"),
    Choice: ("parameter", "value", "reason"),
}
OF_MARGIN_KEYS: Keys = {
    **KEYS,
    Comparison: (*KEYS[Comparison], "margin"),
    Pair: (*KEYS[Pair], *OF_MARGIN),
    Margin: ("value", "scale", "given", "tests"),
}
"""With a margin."""
WITH_HOLES: dict[str, tuple[str, ...]] = {"": (), "common": ("n_problems",), "bounds": ("n_problems", "bounds")}
"""What pairs of an incomplete table have as well, by what is done about it."""


def content(c: Comparison) -> dict[str, Any]:
    """Return what JSON says of a comparison, under the keys of the contract."""
    s, keys = c.scores, dict(KEYS if c.margin is None else OF_MARGIN_KEYS)
    keys[Pair] = (*keys[Pair], *WITH_HOLES[c.missing])
    known: dict[str, Any] = {
        **values_of(c, SIZES),
        **{
            name: _rows(c, keys) if name == "pairs" else plain_data(getattr(c, name), keys) for name in keys[Comparison]
        },
        "omnibus": _test(c.omnibus),
        "companion": None if c.companion is None else _test(c.companion),
        "mean_ranks": dict(zip(s.algorithms, map(float, c.mean_ranks), strict=True)),
        "means": dict(zip(s.algorithms, map(float, c.means), strict=True)),
    }
    if c.unit == "cluster":
        known["n_clusters"] = c.n_rows
    effect, level = c.detectable, c.level
    detectable = {"effect": effect, "power": POWER, "level": level, "sentence": sentences.detectable_sentence(c)}
    known["detectable"] = None if effect is None else detectable
    if c.missing:
        _with_missing(known, c)
    return known


def _rows(c: Comparison, keys: Keys) -> Any:
    """The pairs: of a large family they are written one after the other."""
    columns: PairColumns | None = getattr(c.pairs[0], "_columns", None)
    if columns is None or not read_later(len(c.pairs)) or c.missing:
        return plain_data(c.pairs, keys)
    block = partial(columns.block, keys[Pair])
    return JsonRows(records=c.pairs, keys=keys, plain=partial(plain_data, keys=keys), columns=block)


_TEST = ("name", "statistic", "df", "pvalue", "log_pvalue", "method", "ties", "n_tied", "confidence_interval")


def _with_missing(content: dict[str, Any], c: Comparison) -> None:
    """Add what an incomplete table has beside the keys of a complete one."""
    holes = c.scores.holes
    cells = [[c.scores.problems[i], c.scores.algorithms[j]] for i, j in np.argwhere(holes).tolist()]
    counts = dict(zip(c.scores.algorithms, holes.sum(axis=0).tolist(), strict=True))
    content["missing"] = {"analysis": c.missing, "cells": cells, "per_algorithm": counts}
    for key in ("means", "mean_ranks"):
        content[key] = {name: None if math.isnan(x) else x for name, x in content[key].items()}


def _test(test: Any) -> dict[str, Any]:
    """An omnibus test: what it has of the keys; whole degrees of freedom as whole numbers."""
    fields = {key: plain_data(value) for key in _TEST if (value := getattr(test, key, None)) is not None}
    return fields | {"df": [int(x) if float(x).is_integer() else float(x) for x in test.df]}


def pair_columns(comparison: Comparison) -> dict[str, list[Any]]:
    """One entry per pair, in the order of ``comparison.pairs``; None for what could not be computed.

    Columns: a, b, statistic, pvalue, log_pvalue, one ``adjusted_METHOD`` per correction, verdict, effect, effect_low,
    effect_high (by itself), interval_low, interval_high (of all at once), rank_biserial, wins, ties, losses; with a
    margin, before rank_biserial, p_equal and the like.
    """
    c = comparison
    bounds = (("smallest_pvalue", "bounds.smallest"), ("bound", "bounds.kind")) if c.missing == "bounds" else ()
    return sheet_columns(
        c.pairs,
        *("a", "b", "statistic", "pvalue", "log_pvalue"),
        *((f"adjusted_{name}", partial(_adjusted, name)) for name in c.posthoc),
        *("verdict", ("effect", "effect.estimate"), ("effect_low", "effect.low"), ("effect_high", "effect.high")),
        *(("interval_low", "interval.low"), ("interval_high", "interval.high")),
        *(OF_MARGIN if c.margin is not None else ()),
        *("rank_biserial", "wins", "ties", "losses"),
        *(("n_problems",) if c.missing else ()),
        *bounds,
    )


def _adjusted(method: str, pair: Pair) -> float:
    return pair.adjusted[method]
