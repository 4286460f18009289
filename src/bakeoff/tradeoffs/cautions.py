"""What a reader of several metrics must know."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff.errors import Caution, by_severity, counted, listing
from bakeoff.means.cautions import BY_SIGNS, mean_cautions, skewed_differences
from bakeoff.means.skewness import long_tails
from bakeoff.means.strata import Stratum
from bakeoff.ranks import table_cautions
from bakeoff.ranks.cluster_cautions import looks_clustered
from bakeoff.ranks.process_cautions import one_process
from bakeoff.scores.source_cautions import direction_doubtful, runs_as_algorithms, tasks_left_out
from bakeoff.tradeoffs.intersection_union import MetricTests, is_binary, is_known
from bakeoff.tradeoffs.results import TradeoffPair
from bakeoff.tradeoffs.tables import MetricTable


def tradeoff_cautions(
    given: Sequence[MetricTable],
    tables: Sequence[MetricTable],
    tests: Sequence[MetricTests],
    pairs: Sequence[TradeoffPair],
    stratum: Stratum,
    unit: str,
) -> tuple[Caution, ...]:
    """Of the tables as they came, the number of independent units, and what t does not see."""
    scores = tables[0].scores
    alone = [one_process(table.scores) for table in given]
    found = [*dict.fromkeys(caution for caution in alone if caution), *_of_tables(given)]
    if stratum.is_clustered or not all(is_binary(table, stratum) for table in tables):
        found += mean_cautions([stratum.sizes], unit)
    if scores.clusters is not None and unit == "problem":
        text = "The problems are in clusters, which were not used: standard errors are too small if problems of a "
        text += "cluster resemble each other."
        found.append(Caution(code="clusters-ignored", text=text))
    known = [table.name for table in tables if is_known(table) and not is_binary(table, stratum)]
    if known:
        text = f"In {listing(known)} each algorithm has the same number on all problems. Differences count as known, "
        text += "with a p-value of 0 or 1: right for a size or a price, not for what was measured and did not vary."
        found.append(Caution(code="constant-scores", text=text))
    for table, test in zip(tables, tests, strict=True):
        if test.unvaried:
            names = listing(f"{scores.algorithms[a]} and {scores.algorithms[b]}" for a, b in test.unvaried)
            text = f"In {table.name} all differences of {names} are equal, which does not say how they vary: sign "
            text += (
                f"flips decide what is better, with p = 2^−{stratum.n_clusters} at the smallest, and the chance that "
            )
            text += f"{counted(stratum.n_clusters, unit)} miss rare differences as large as the range of the scores "
            text += "decides what is not worse."
            found.append(Caution(code="zero-variance", text=text))
    return tuple(by_severity([*found, *_of_tails(tables, pairs, stratum, unit)]))


def _of_tables(tables: Sequence[MetricTable]) -> list[Caution]:
    """Of each table, once where several say the same."""
    said: dict[tuple[str, str], tuple[Caution, list[str]]] = {}
    checks = (
        runs_as_algorithms,
        table_cautions.transposed,
        table_cautions.not_paired,
        table_cautions.dropped,
        table_cautions.filled,
        table_cautions.failed_runs,
        table_cautions.different_versions,
        looks_clustered,
    )
    for table in tables:
        source = (direction_doubtful(table.name, table.scores.better), tasks_left_out(table.scores))
        uneven = (
            table_cautions.unequal_runs(table.scores, table_cautions.OF_LOGARITHMS) if table.margin.relative else None
        )
        for caution in filter(None, (*source, uneven, *(check(table.scores) for check in checks))):
            said.setdefault((caution.code, caution.text), (caution, []))[1].append(table.name)
    return [_named(caution, names, len(tables)) for caution, names in said.values()]


def _named(caution: Caution, metrics: Sequence[str], of: int) -> Caution:
    if len(metrics) == of:
        return caution
    return Caution(
        code=caution.code,
        text=f"{listing(metrics)}: {caution.text}",
        severity=caution.severity,
        reference=caution.reference,
    )


def _of_tails(
    tables: Sequence[MetricTable], pairs: Sequence[TradeoffPair], stratum: Stratum, unit: str
) -> list[Caution]:
    """Of pairs that were shown: where the differences have a long tail against what was shown."""
    shown = [pair for pair in pairs if pair.verdict == "a better trade-off"]
    found = []
    for table in tables:
        s = table.measured
        if is_binary(table, stratum) or not shown:
            continue
        at = {name: j for j, name in enumerate(s.algorithms)}
        a, b = (np.array([at[name] for name in side]) for side in zip(*((p.a, p.b) for p in shown), strict=True))
        tails = long_tails(s.values, (a, b) if s.better == "higher" else (b, a), [stratum])
        names = [f"{p.a} and {p.b}" for p, tail in zip(shown, tails.tolist(), strict=True) if tail < 0]
        if names:
            errs = 'the one-sided t-test says "better", or "not worse", too often where the long tail is on the side '
            errs += "of the second one (standard lognormal differences at 5 %: 15 % with 30 problems, 11 % with 100)."
            instead = f"What is rare may be missing here: get more problems. {BY_SIGNS}"
            if not table.margin.relative:
                instead += " A margin as a percentage compares logarithms, whose tails are shorter."
            found += skewed_differences(names, f"{unit}s", errs, instead, table.name)
    return found
