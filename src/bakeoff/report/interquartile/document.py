"""From an InterquartileMean to the format-free Document, to JSON, and to columns."""

from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.interquartile import AggregateEstimate, AggregatePair, InterquartileMean
from bakeoff.report import methods, sections
from bakeoff.report.data import asked, finite, origin, plain_data
from bakeoff.report.document import Document, Figure, Section, Sheets, Shown, Table, Text, numeric, tabulate, words
from bakeoff.report.methods import joined, sample, software, text

SCHEMA = "bakeoff.interquartile-mean/1"
LISTED = 40  # pairs that a page shows


@sections.unless_one_process
def verdict(found: InterquartileMean) -> str:
    """The best interquartile mean, and how many differences are shown."""
    best = _ordered(found)[0]
    first = numerals.name_list([each.algorithm for each in _ordered(found) if each.iqm == best.iqm])
    iqm, low, high = numerals.alike([best.iqm, *best.interval])
    interval = f"{numerals.percent(1 - found.alpha)} interval {low} to {high}"
    if best.interval[0] == best.interval[1]:
        interval = "without an interval, as the middle half of its runs is one value"
    shown, m = sum(pair.verdict.endswith("better") for pair in found.pairs), len(found.pairs)
    pairs = "the one pair" if m == 1 else numerals.count(m, "pair")
    differ = f"no difference is shown in {pairs}"
    if shown:
        differ = f"{numerals.count(shown, 'difference')} {'is' if shown == 1 else 'are'} shown in {pairs}"
    return f"The best interquartile mean is that of {first}: {iqm} ({interval}); {differ}."


def _ordered(found: InterquartileMean) -> list[AggregateEstimate]:
    sign = -1 if found.scores.better == "higher" else 1
    return sorted(found.estimates, key=lambda each: sign * each.iqm)


def document(found: InterquartileMean, command: str | None = None) -> Document:
    """Aggregates, then pairs."""
    said = _methods(found)
    return Document(
        title=sections.sizes(found.scores),
        verdict=verdict(found),
        basis=_basis(found),
        sections=sections.present(
            sections.figure("Means", Figure(found, "Interquartile means with intervals", key="means"), "means-figure"),
            Section("aggregates", "Aggregates", (aggregates(found),)),
            Section("pairs", "Pairs", (aggregate_pairs(found),)),
            sections.cautions(found.cautions),
            sections.methods(said),
            sections.references(methods.cited(said)),
            sections.provenance(found.scores, command),
        ),
        on_screen=("aggregates", "pairs", "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def _basis(found: InterquartileMean) -> str:
    n = numerals.count(found.scores.n_problems, "task")
    claim = (
        f"for these {n}: only runs vary"
        if found.over == "runs"
        else f"for tasks like these {found.scores.n_problems}, and their runs"
    )
    how = "Winsorized variances and Student's t"
    if found.interval == "percentile":
        how = f"percentiles of {found.resamples} resamples"
    return f"Intervals {claim}; by {how}; pairs by Holm's correction, α = {found.alpha:g}."


def _interval(two: tuple[float, float] | None) -> str:
    return numerals.MISSING if two is None or two[0] == two[1] else ", ".join(numerals.alike(list(two)))


def aggregates(found: InterquartileMean) -> Table:
    """One row per algorithm, the best first."""
    shown: list[Shown[AggregateEstimate]] = [
        words("algorithm", "algorithm", lambda each: numerals.plain(each.algorithm)),
        numeric("iqm", "IQM", lambda each: numerals.score(each.iqm), strong=True),
        words("interval", "interval", lambda each: _interval(each.interval)),
        numeric("mean", "mean", lambda each: numerals.score(each.mean), rank=2, in_paper=True),
        numeric("median", "median", lambda each: numerals.score(each.median), rank=3),
    ]
    legend = "IQM: mean of all runs without the lowest and the highest quarter. Median: of the means of tasks."
    if found.interval == "percentile":
        shown.append(words("median_interval", "its interval", lambda each: _interval(each.median_interval), rank=5))
    if found.goal is not None:
        goal = found.goal
        shown.append(
            numeric(
                "gap",
                "gap",
                lambda each: numerals.MISSING if each.optimality_gap is None else numerals.score(each.optimality_gap),
                rank=4,
            )
        )
        legend += f" Gap: mean shortfall from {goal:g}."
    return tabulate("aggregates", "Over all tasks and runs, the best first", shown, _ordered(found), note=legend)


def _improvement(pair: AggregatePair) -> str:
    return ", ".join(numerals.decimals(x, 3) for x in pair.p_improvement_interval)


def aggregate_pairs(found: InterquartileMean) -> Table:
    """Pairs in order of their p-values."""
    ordered = sorted(found.pairs, key=lambda pair: pair.pvalue)

    def winner(pair: AggregatePair) -> str:
        named = {"a better": numerals.plain(pair.a), "b better": numerals.plain(pair.b)}
        return named.get(pair.verdict, numerals.MISSING)

    shown: list[Shown[AggregatePair]] = [
        words("a", "a", lambda pair: numerals.plain(pair.a)),
        words("b", "b", lambda pair: numerals.plain(pair.b)),
        numeric("difference", "difference", lambda pair: numerals.score(pair.difference)),
        words("interval", "interval", lambda pair: _interval(pair.interval), rank=2, in_paper=True),
        numeric("p", "adjusted p", lambda pair: numerals.pvalue(pair.adjusted, alpha=found.alpha)),
        numeric("improvement", "P(a better)", lambda pair: numerals.decimals(pair.p_improvement, 3), rank=3),
        words("range", "its interval", _improvement, rank=4),
        words("verdict", "better", winner),
    ]
    left = max(len(ordered) - LISTED, 0)
    note = (
        "Difference of interquartile means, positive where a is better, on the same tasks. Intervals: of each pair by "
        "itself. P(a better): of one run of each on a task, ties one half."
    )
    return tabulate(
        "pairs",
        "Pairs, the surest first",
        shown,
        ordered[:LISTED],
        strong=lambda pair: pair.verdict != "no difference shown",
        note=note + (f" {left} more pairs are in JSON and CSV." if left else ""),
    )


def _methods(found: InterquartileMean) -> Text:
    unit = "clusters of tasks" if found.scores.clusters is not None else "tasks"
    vary = f"over {unit}, runs included" if found.over == "tasks" else "over runs of the same tasks"
    if found.interval == "t":
        how = (
            f"Intervals and tests use the Winsorized variance of the trimmed mean [@tukeymclaughlin1963] {vary}, and "
            "Student's t"
        )
    else:
        how = f"Intervals are percentiles of {found.resamples} bootstrap samples {vary}"
    said = (
        f"Algorithms were compared by interquartile means of all runs of all tasks [@agarwal2021]. {how}; differences "
        f"were taken on the same tasks, and p-values corrected by Holm's procedure [@holm1979]; α = {found.alpha:g}."
    )
    return joined(sample(found.scores), text(said), software())


def to_dict(found: InterquartileMean, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    s = found.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        "control": found.control,
        "over": found.over,
        "interval": found.interval,
        "alpha": found.alpha,
        "goal": found.goal,
        "resamples": found.resamples,
        "estimates": plain_data(list(found.estimates)),
        "pairs": plain_data(list(found.pairs)),
    }
    whence = origin(s, found.cautions, methods.cited(_methods(found)), command)
    return finite(content | whence | asked(found))


def sheets(found: InterquartileMean) -> Sheets:
    """A row per pair; the aggregates as the ranking."""
    keys = ("a", "b", "difference", "standard_error", "df", "pvalue", "adjusted", "verdict", "p_improvement")
    columns: dict[str, list[Any]] = {key: [getattr(pair, key) for pair in found.pairs] for key in keys}
    columns["low"] = [pair.interval[0] for pair in found.pairs]
    columns["high"] = [pair.interval[1] for pair in found.pairs]
    listed: list[tuple[Any, ...]] = [("algorithm", "IQM", "low", "high", "mean", "median", "optimality gap")]
    listed += [
        (each.algorithm, each.iqm, *each.interval, each.mean, each.median, np.nan if gap is None else gap)
        for each in _ordered(found)
        for gap in [each.optimality_gap]
    ]
    return Sheets(pairs=columns, ranking=listed, cautions=found.cautions)
