"""A comparison as JSON, the keys of the contract in their order, and as columns."""

import math
from typing import Any

import numpy as np

from bakeoff.comparison import Comparison, Pair, score_table
from bakeoff.comparison.detectable import POWER
from bakeoff.comparison.results import Choice, Step
from bakeoff.comparison.verdicts import OF_MARGIN
from bakeoff.report.comparison import sentences
from bakeoff.report.comparison.methods import cited_keys
from bakeoff.report.data import Keys, asked, finite, origin, plain_data
from bakeoff.report.document import Sheets
from bakeoff.report.scores.document import grids
from bakeoff.report.scores.table import MOST
from bakeoff.scores.margins import Margin

SCHEMA = "bakeoff.compare/1"
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
    Step: ("name", "title", "outcome", "passed"),
    Choice: ("parameter", "value", "reason"),
}
OF_MARGIN_KEYS: Keys = {
    **KEYS,
    Comparison: (*KEYS[Comparison], "margin"),
    Pair: (*KEYS[Pair], *OF_MARGIN),
    Margin: ("value", "scale", "given", "tests"),
}
"""With a margin."""

_EVIDENCE = ("a", "b", "statistic", "pvalue", "log_pvalue")
_TEST = ("name", "statistic", "df", "pvalue", "log_pvalue", "method", "ties", "n_tied", "confidence_interval")


def to_dict(comparison: Comparison, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want of a comparison, under the keys of the contract."""
    c, s = comparison, comparison.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": sentences.verdict(c),
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        **plain_data(c, KEYS if c.margin is None else OF_MARGIN_KEYS),
        "omnibus": _test(c.omnibus),
        "companion": None if c.companion is None else _test(c.companion),
        "mean_ranks": dict(zip(s.algorithms, map(float, c.mean_ranks), strict=True)),
        "means": dict(zip(s.algorithms, map(float, c.means), strict=True)),
    }
    if c.unit == "cluster":
        content["n_clusters"] = c.n_rows
    effect, level = c.detectable, c.level
    said = {"effect": effect, "power": POWER, "level": level, "sentence": sentences.detectable_sentence(c)}
    content["detectable"] = None if effect is None else said
    if c.missing:
        _with_missing(content, c)
    found = finite(content | origin(s, c.cautions, cited_keys(c), command))
    return found | asked(c)


def _with_missing(content: dict[str, Any], c: Comparison) -> None:
    """What an incomplete table has beside the keys of a complete one."""
    holes = c.scores.holes
    cells = [[c.scores.problems[i], c.scores.algorithms[j]] for i, j in np.argwhere(holes).tolist()]
    counts = dict(zip(c.scores.algorithms, holes.sum(axis=0).tolist(), strict=True))
    content["missing"] = {"analysis": c.missing, "cells": cells, "per_algorithm": counts}
    for said, pair in zip(content["pairs"], c.pairs, strict=True):
        said["n_problems"] = pair.n_problems
        if pair.bounds is not None:
            said["bounds"] = plain_data(pair.bounds)
    for key in ("means", "mean_ranks"):
        content[key] = {name: None if math.isnan(x) else x for name, x in content[key].items()}


def _test(test: Any) -> dict[str, Any]:
    """An omnibus test: what it has of the keys; whole degrees of freedom as whole numbers."""
    found = {key: plain_data(value) for key in _TEST if (value := getattr(test, key, None)) is not None}
    return found | {"df": [int(x) if float(x).is_integer() else float(x) for x in test.df]}


def sheets(comparison: Comparison) -> Sheets:
    """A row per pair; the algorithms, best first; the table of scores."""
    mean_ranks = sorted(zip(comparison.mean_ranks.tolist(), comparison.scores.algorithms, strict=True))
    ranking: list[tuple[Any, ...]] = [("algorithm", "mean_rank"), *((name, mean) for mean, name in mean_ranks)]
    table = score_table(comparison.scores, control=comparison.control)
    shown = grids(table) if comparison.scores.values.size <= MOST else ()
    return Sheets(pairs=pair_columns(comparison), ranking=ranking, cautions=comparison.cautions, grids=shown)


def pair_columns(comparison: Comparison) -> dict[str, list[Any]]:
    """One entry per pair, in the order of ``comparison.pairs``; None for what could not be computed.

    Columns: a, b, statistic, pvalue, log_pvalue, one ``adjusted_METHOD`` per correction, verdict, effect, effect_low,
    effect_high (by itself), interval_low, interval_high (of all at once), rank_biserial, wins, ties, losses; with a
    margin, before rank_biserial, p_equal and the like.
    """
    pairs = comparison.pairs
    columns: dict[str, list[Any]] = {key: [getattr(p, key) for p in pairs] for key in _EVIDENCE}
    for method in comparison.posthoc:
        columns[f"adjusted_{method}"] = [p.adjusted[method] for p in pairs]
    columns["verdict"] = [p.verdict for p in pairs]
    for column, key in (("effect", "estimate"), ("effect_low", "low"), ("effect_high", "high")):
        columns[column] = [None if p.effect is None else getattr(p.effect, key) for p in pairs]
    for column, key in (("interval_low", "low"), ("interval_high", "high")):
        columns[column] = [None if p.interval is None else getattr(p.interval, key) for p in pairs]
    if comparison.margin is not None:
        columns |= {key: [getattr(p, key) for p in pairs] for key in OF_MARGIN}
    columns |= {key: [getattr(p, key) for p in pairs] for key in ("rank_biserial", "wins", "ties", "losses")}
    if comparison.missing:
        columns["n_problems"] = [p.n_problems for p in pairs]
    if comparison.missing == "bounds":
        columns["smallest_pvalue"] = [None if p.bounds is None else p.bounds.smallest for p in pairs]
        columns["bound"] = [None if p.bounds is None else p.bounds.kind for p in pairs]
    return columns
