"""From an InterquartileMean to the format-free Document, to JSON, and to columns."""

import numpy as np

from bakeoff import numerals
from bakeoff.report import sections
from bakeoff.report.document import (
    ColumnSpec,
    Figure,
    Section,
    Table,
    Text,
    equal_column,
    interval_column,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.methods import joined, sample, software, text
from bakeoff.report.reporting import SIZES, Reporting, Rows, ends, rows_of, sheet_columns
from bakeoff.wings.boards.iqm.statistics import AggregateEstimate, AggregatePair, InterquartileMean
from bakeoff.wings.boards.pair_table import listed_pairs, pairs_table


@sections.unless_one_process
def verdict(result: InterquartileMean) -> str:
    """The best interquartile mean, and how many differences are shown."""
    best = _ordered(result)[0]
    first = numerals.name_list([each.algorithm for each in _ordered(result) if each.iqm == best.iqm])
    iqm, low, high = numerals.equal_decimals([best.iqm, *best.interval])
    interval = f"{numerals.percent(1 - result.alpha)} interval {low} to {high}"
    if best.interval[0] == best.interval[1]:
        interval = "without an interval, as the middle half of its runs is one value"
    shown, m = sum(pair.verdict.endswith("better") for pair in result.pairs), len(result.pairs)
    pairs = "the one pair" if m == 1 else numerals.count(m, "pair")
    differ = f"no difference is shown in {pairs}"
    if all(pair.verdict == "cannot tell" for pair in result.pairs):
        differ = "this experiment cannot tell whether any differ"
    if shown:
        differ = f"{numerals.count(shown, 'difference')} {'is' if shown == 1 else 'are'} shown in {pairs}"
    return f"The best interquartile mean is that of {first}: {iqm} ({interval}); {differ}."


def _ordered(result: InterquartileMean) -> list[AggregateEstimate]:
    sign = -1 if result.scores.better == "higher" else 1
    return sorted(result.estimates, key=lambda each: sign * each.iqm)


def _basis(result: InterquartileMean) -> str:
    n = numerals.count(result.scores.n_problems, "problem")
    claim = (
        f"for these {n}: only runs vary"
        if result.over == "runs"
        else f"for problems like these {result.scores.n_problems}, and their runs"
    )
    how = "Winsorized variances and Student's t"
    if result.interval == "percentile":
        how = f"percentiles of {result.n_resamples} resamples"
    return f"Intervals {claim}; by {how}; pairs by Holm's correction, α = {result.alpha:g}."


def _seen(two: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if two is None or two[0] == two[1] else two


def aggregates(result: InterquartileMean) -> Table:
    """One row per algorithm, the best first."""
    rows = _ordered(result)
    shown: list[ColumnSpec[AggregateEstimate]] = [
        text_column("algorithm", "algorithm", lambda each: numerals.plain(each.algorithm)),
        equal_column("iqm", "IQM", rows, lambda each: each.iqm, strong=True),
        interval_column("interval", "interval", rows, lambda each: _seen(each.interval)),
        equal_column("mean", "mean", rows, lambda each: each.mean, rank=2, in_paper=True),
        equal_column("median", "median", rows, lambda each: each.median, rank=3),
    ]
    legend = "IQM: mean of all runs without the lowest and the highest quarter. Median: of the means of problems."
    if int(result.scores.n_runs.min()) < int(result.scores.n_runs.max()):
        legend = legend.replace(".", "; the runs of a problem share its weight.", 1)
    if result.interval == "percentile":
        shown.append(
            interval_column("median_interval", "its interval", rows, lambda each: _seen(each.median_interval), rank=5)
        )
    if result.goal is not None:
        goal = result.goal
        shown.append(equal_column("gap", "gap", rows, lambda each: each.optimality_gap, rank=4))
        legend += f" Gap: mean shortfall from {goal:g}."
    return tabulate("aggregates", "Over all problems and runs, best first", shown, rows, note=legend)


def aggregate_pairs(result: InterquartileMean) -> Table:
    """Pairs in order of their p-values, of each the better one first unless it is the control."""
    ordered = sorted(result.pairs, key=lambda pair: pair.pvalue)
    turns = result.control is None
    listed = listed_pairs(ordered, lambda pair: turns and pair.difference < 0)
    shown: list[ColumnSpec[AggregatePair]] = [
        equal_column("difference", "difference", listed, lambda pair: pair.difference),
        interval_column("interval", "interval", listed, lambda pair: _seen(pair.interval), rank=2, in_paper=True),
        number_column("p", "adjusted p", lambda pair: numerals.pvalue(pair.adjusted, alpha=result.alpha)),
        number_column("improvement", "P(a better)", lambda pair: numerals.decimals(pair.p_improvement, 3), rank=3),
        interval_column("range", "its interval", listed, lambda p: p.p_improvement_interval, digits=3, rank=4),
    ]
    note = (
        "Difference of interquartile means, positive where a is better, on the same problems. Intervals: for each pair "
        "by itself. P(a better): for one run of each on a problem, with ties counting one half."
    )
    return pairs_table(ordered, listed, shown, "better", note)


def _methods(result: InterquartileMean) -> Text:
    unit = "clusters of problems" if result.scores.clusters is not None else "problems"
    vary = f"over {unit}, runs included" if result.over != "runs" else "over runs of the same problems"
    if result.interval == "t":
        how = (
            f"Intervals and tests use the Winsorized variance of the trimmed mean [@tukeymclaughlin1963] {vary}, and "
            "Student's t"
        )
    else:
        how = f"Intervals are percentiles of {result.n_resamples} bootstrap samples {vary}"
    paragraph = (
        f"Algorithms were compared by interquartile means of all runs of all problems [@agarwal2021]. {how}; "
        "differences were taken on the same problems, and p-values corrected by Holm's procedure [@holm1979]; "
        f"α = {result.alpha:g}."
    )
    return joined(sample(result.scores), text(paragraph), software())


def _body(result: InterquartileMean) -> list[Section | None]:
    return [
        sections.figure("Means", Figure(result, "Interquartile means with intervals", key="means"), "means-figure"),
        Section("aggregates", "Aggregates", (aggregates(result),)),
        Section("pairs", "Pairs", (aggregate_pairs(result),)),
    ]


def _second(result: InterquartileMean) -> Rows:
    gap = ("optimality gap", lambda each: np.nan if each.optimality_gap is None else each.optimality_gap)
    return rows_of(_ordered(result), "algorithm", ("IQM", "iqm"), *ends("interval"), "mean", "median", gap)


_OF_PAIRS = ("a", "b", "difference", "standard_error", "df", "pvalue", "adjusted", "verdict", "p_improvement")

REPORT = Reporting[InterquartileMean](
    verdict=verdict,
    basis=_basis,
    body=_body,
    on_screen=("aggregates", "pairs"),
    methods=_methods,
    keys=(*SIZES, "control", "over", "interval", "alpha", "goal", "n_resamples", "estimates", "pairs"),
    main=lambda result: sheet_columns(result.pairs, *_OF_PAIRS, *ends("interval")),
    second=_second,
)
