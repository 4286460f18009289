"""Cautions for a reader of several metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.designed import of_means, weights_decide
from bakeoff.errors import Caution, by_severity, counted, listing
from bakeoff.means.assumptions import long_tails
from bakeoff.means.cautions import BY_SIGNS, skewed_differences, strata_cautions
from bakeoff.means.contributions import contribution_cautions
from bakeoff.means.moments import suite_moments
from bakeoff.means.strata import Stratum
from bakeoff.places import load
from bakeoff.ranks import cautions
from bakeoff.ranks.cautions import looks_clustered, one_process
from bakeoff.scores.margins import beyond_scores
from bakeoff.scores.source_cautions import direction_doubtful, dropped, of_files, runs_as_algorithms, tasks_left_out
from bakeoff.wings.boards.tradeoff.statistics.intersection_union import MetricTests, is_binary, is_known
from bakeoff.wings.boards.tradeoff.statistics.results import TradeoffPair
from bakeoff.wings.boards.tradeoff.statistics.tables import MetricTable


def tradeoff_cautions(
    metric_tables: Sequence[MetricTable],
    tables: Sequence[MetricTable],
    tests: Sequence[MetricTests],
    pairs: Sequence[TradeoffPair],
    strata: Sequence[Stratum],
    unit: str,
) -> tuple[Caution, ...]:
    """Caution of the tables as they came, the number of independent units, and what t does not see."""
    scores = tables[0].scores
    alone = [one_process(table.scores) for table in metric_tables]
    cautions = [*dict.fromkeys(caution for caution in alone if caution), *_of_tables(metric_tables)]
    for one in metric_tables:
        if not one.margin.relative:
            cautions += beyond_scores(one.scores, one.margin.value, f"margin of {one.name}")
    if not all(is_binary(table, strata) for table in tables):
        cautions += strata_cautions(strata, unit)
    if scores.clusters is not None and unit == "problem":
        cautions.append(caution_of("dependence", "metrics"))
    for table in tables:
        cautions += _of_contributions(table)
    known = [table.name for table in tables if is_known(table) and not is_binary(table, strata)]
    if known:
        cautions.append(caution_of("no-variation", "metric", names=listing(known)))
    n = sum(s.n_clusters for s in strata)
    units: dict[str, Any] = {"n_clusters": n, "count": counted(n, unit)}
    for table, test in zip(tables, tests, strict=True):
        names = listing(f"{scores.algorithms[a]} and {scores.algorithms[b]}" for a, b in test.unvaried)
        if test.unvaried:
            cautions.append(caution_of("no-variation", "metric-differences", name=table.name, names=names, **units))
    return tuple(by_severity([*cautions, *_of_tails(tables, pairs, strata, unit)]))


def _of_contributions(table: MetricTable) -> list[Caution]:
    """Caution of small classes, and of a metric near the end of its range."""
    if table.own_strata is None:
        return []
    s = table.scores
    moments = suite_moments(s.values, s.scales, table.own_strata)
    estimates = zip(s.algorithms, moments.means.tolist(), moments.errors.tolist(), strict=True)
    return contribution_cautions(s, list(estimates), table.own_strata)


def _of_tables(tables: Sequence[MetricTable]) -> list[Caution]:
    """Caution of each table, once where several say the same."""
    by_text: dict[tuple[str, str], tuple[Caution, list[str]]] = {}
    checks = (
        runs_as_algorithms,
        of_files,
        cautions.transposed,
        cautions.not_paired,
        dropped,
        cautions.filled,
        cautions.failed_runs,
        cautions.different_versions,
        looks_clustered,
    )
    record = load("analyses:by_function")()["bo.tradeoff"]
    for table in tables:
        decided = weights_decide(table.scores, record, of_means(table.scores))
        source = (decided, direction_doubtful(table.name, table.scores.better), tasks_left_out(table.scores))
        uneven = cautions.unequal_runs(table.scores, cautions.OF_LOGARITHMS) if table.margin.relative else None
        for caution in filter(None, (*source, uneven, *(check(table.scores) for check in checks))):
            by_text.setdefault((caution.name, caution.text), (caution, []))[1].append(table.name)
    return [_named(caution, names, len(tables)) for caution, names in by_text.values()]


def _named(caution: Caution, metrics: Sequence[str], of: int) -> Caution:
    if len(metrics) == of:
        return caution
    return replace(caution, text=f"{listing(metrics)}: {caution.text}")


def _of_tails(
    tables: Sequence[MetricTable], pairs: Sequence[TradeoffPair], strata: Sequence[Stratum], unit: str
) -> list[Caution]:
    """Caution of pairs in that order whose tail lets t say too much: differences of measured metrics, not of shares."""
    cautions = []
    tested = [table for table in tables if not is_binary(table, strata) and not table.contributed]
    once = sorted({tuple(sorted((p.a, p.b))) for p in pairs})
    for table in tested:
        s = table.measured
        at = {name: j for j, name in enumerate(s.algorithms)}
        a, b = (np.array([at[name] for name in side]) for side in zip(*once, strict=True))
        tails = long_tails(s.values, (a, b) if s.better == "higher" else (b, a), strata, len(tested))
        ordered = [pair if tail < 0 else pair[::-1] for pair, tail in zip(once, tails.tolist(), strict=True) if tail]
        names = [f"{first} and {second}" for first, second in ordered]
        if names:
            errs = 'the one-sided t-test says "better" or "not worse" too often if the long tail is on the second '
            errs += "side. Standard lognormal differences err at 5 % in 15 % of tables with 30 problems, 11 % with 100."
            instead = f"Rare large differences may be missing here: get more problems. {BY_SIGNS}"
            if not table.margin.relative:
                instead += " A margin as a percentage compares logarithms, whose tails are shorter."
            cautions += skewed_differences(names, f"{unit}s", errs, instead, table.name)
    return cautions
