"""ChangePoints as the format-free Document, as JSON, and as columns."""

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from bakeoff import numerals
from bakeoff.report import sections
from bakeoff.report.document import (
    Figure,
    Section,
    Table,
    equal_column,
    interval_column,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.methods import joined, software, text
from bakeoff.report.reporting import Reporting, rows_of, sheet_columns
from bakeoff.wings.guard.history.statistics import BenchmarkHistory, ChangePoints, LevelStep

_SHORT = 10  # characters of a commit


def verdict(result: ChangePoints) -> str:
    """Say what changed, and when last."""
    benchmarks = numerals.count(len(result.series), "benchmark")
    versions = numerals.count(result.scores.n_algorithms, "version")
    unable = [each for each in result.series if each.verdict == "cannot tell"]
    if not result.steps:
        if len(unable) == len(result.series):
            return f"There is no verdict on {benchmarks} in {versions}: the history is too short."
        return f"No change of level shown in {benchmarks} over {versions}."
    changed = list(dict.fromkeys(step.problem for step in result.steps))
    if len(result.steps) == 1:
        return f"{_sentence(result, result.steps[0])}."
    worse = sum(step.worse for step in result.steps)
    last = result.steps[-1]
    worst = max((s for s in result.steps if s.worse), key=lambda s: _extent(result, s), default=last)
    also = "" if last.worse or worst is last else f". The largest for the worse: {_sentence(result, worst)}"
    return (
        f"{numerals.count(len(result.steps), 'change')} of level ({worse} for the worse) in {len(changed)} of "
        f"{benchmarks} over {versions}; the latest: {_sentence(result, last)}{also}."
    )


def _extent(result: ChangePoints, step: LevelStep) -> float:
    return abs(math.log(step.change)) if result.scale == "ratio" else abs(step.change)


def _sentence(result: ChangePoints, step: LevelStep) -> str:
    """``sort is worse from v41 on: 1.23 times the level before (95 % 1.2 to 1.3)``"""
    how = "worse" if step.worse else "better"
    interval = " to ".join(numerals.significant(x, 4) for x in step.ends or ())
    end = f" ({numerals.percent(result.confidence_level)} {interval})" if interval else ""
    size = _size(result, step.change)
    size = f"{size} the level before" if result.scale == "ratio" else f"by {size}"
    return f"{numerals.plain(step.problem)} is {how} from {numerals.plain(step.version)} on: {size}{end}"


def _size(result: ChangePoints, change: float) -> str:
    return f"{numerals.significant(change, 4)} times" if result.scale == "ratio" else numerals.significant(change, 4)


def _basis(result: ChangePoints) -> str:
    how = "all permutations" if result.method == "exact" else f"{result.n_resamples} permutations"
    of = "what the version before does not explain" if result.serial else "the versions"
    return (
        f"Largest standardised rank sum over splits, {how} of {of}, the same for all benchmarks; "
        f"α = {result.alpha:g} for any alarm at one look; levels of at least {result.min_segment} versions."
    )


def steps(result: ChangePoints) -> Table | None:
    """A row per step, by version."""
    if not result.steps:
        return None
    what = "factor" if result.scale == "ratio" else "difference"
    level = numerals.percent(result.confidence_level)
    return tabulate(
        "steps",
        "Changes of level, by version",
        (
            text_column("version", "from", lambda s: numerals.plain(s.version)),
            *([text_column("commit", "commit", _commit)] if any(s.commit for s in result.steps) else []),
            text_column("problem", "benchmark", lambda s: numerals.plain(s.problem)),
            text_column("how", "", lambda s: "worse" if s.worse else "better"),
            equal_column("change", what, result.steps, lambda s: s.change, strong=True),
            interval_column("interval", f"{level} interval", result.steps, attrgetter("ends"), rank=1),
            equal_column("before", "before", result.steps, lambda s: s.before, rank=2),
            equal_column("after", "after", result.steps, lambda s: s.after, rank=3),
            number_column("pvalue", "p", lambda s: numerals.pvalue(s.pvalue)),
        ),
        result.steps,
        strong=lambda s: s.worse,
        note=(
            f"Before, after: medians of the two levels. Factor or difference: {_SIZES[result.serial]}, given the place "
            "of the step. P: adjusted over benchmarks, or over the parts searched again together."
        ),
    )


_SIZES = {
    False: "Hodges–Lehmann, with the interval of the rank-sum test",
    True: "of the means, with Welch's interval over independent averages of both levels",
}


def _commit(step: LevelStep) -> str:
    return numerals.plain(step.commit[:_SHORT]) if step.commit else numerals.MISSING


def histories(result: ChangePoints) -> Table:
    """A row per benchmark."""
    rows: Sequence[BenchmarkHistory] = sorted(
        result.series, key=lambda each: 2.0 if each.pvalue is None else each.pvalue
    )
    return tabulate(
        "histories",
        "Benchmarks, clearest change first",
        (
            text_column("problem", "benchmark", lambda s: numerals.plain(s.problem)),
            number_column("n", "versions", lambda s: str(s.n)),
            number_column("levels", "levels", lambda s: str(len(s.segments))),
            equal_column("level", "latest level", rows, lambda s: s.segments[-1][2] if s.segments else None),
            equal_column("statistic", "M", rows, lambda s: s.statistic, rank=1),
            *([equal_column("rho", "ρ", rows, lambda s: s.autocorrelation, rank=2)] if result.serial else []),
            number_column("pvalue", "p", lambda s: numerals.MISSING if s.pvalue is None else numerals.pvalue(s.pvalue)),
            text_column("verdict", "verdict", lambda s: s.verdict),
        ),
        rows[: sections.LISTED],
        strong=lambda s: s.verdict == "changed",
        folded=len(rows) > sections.WHOLE,
    )


_PREWHITENED = (
    ", less ρ times the version before: ρ is the lag-1 autocorrelation of ranks around the two levels of the best "
    "split, without its bias, and at least the median of all benchmarks [@serinaldi2016]"
)
_PROMISE = {
    False: "If versions are exchangeable while nothing changes, a false alarm at one look has a probability of at most",
    True: "If noise is an autoregressive series of order one, a false alarm at one look has a probability of about",
}


def _sizes(result: ChangePoints) -> str:
    of, level = "of logarithms " if result.scale == "ratio" else "", numerals.percent(result.confidence_level)
    if result.serial:
        averages = "independent averages, prewhitened cosines, of both levels [@lazarus2018;@andrews1992]"
        return f"differences of means {of}with Welch's {level} interval over {averages}"
    return (
        f"two-sample Hodges–Lehmann estimates {of}with the {level} interval of the rank-sum test [@hodgeslehmann1963]"
    )


def _methods(result: ChangePoints) -> Any:
    how = "all permutations" if result.method == "exact" else f"{result.n_resamples} random permutations"
    paragraph = (
        f"The histories of {numerals.count(len(result.series), 'benchmark')} over "
        f"{numerals.count(result.scores.n_algorithms, 'version')} (medians of the runs of a version) were searched "
        f"for changes of level{_PREWHITENED * result.serial}. The statistic is the largest standardised rank sum over "
        f"all splits with at least {numerals.count(result.min_segment, 'version')} on either side [@pettitt1979]. Its "
        f"p-value is from {how} of the versions, the same for all benchmarks, and the largest statistic of any "
        f"benchmark [@westfallyoung1993]. {_PROMISE[result.serial]} {result.alpha:g}. Each further look, after a new "
        "version, has that probability again. Parts of a history with a change were searched again [@scottknott1974], "
        f"with Holm's procedure [@holm1979] over the parts of a level. Sizes are {_sizes(result)}."
    )
    return joined(text(paragraph), software())


def _title(result: ChangePoints) -> str:
    versions = numerals.count(result.scores.n_algorithms, "version")
    return f"History of {numerals.count(len(result.series), 'benchmark')} over {versions}"


def _body(result: ChangePoints) -> list[Section | None]:
    return [
        sections.one_block("steps", "Changes of level", steps(result), "steps"),
        sections.figure("Diagram", Figure(result, "Values by version, with the level of each segment.")),
        Section("histories", "Histories", (histories(result),)),
    ]


_OF_CHANGE = ("change", "low", "high", "before", "after", "pvalue", "level", "worse")

REPORT = Reporting[ChangePoints](
    schema="bakeoff.history/1",
    title=_title,
    verdict=verdict,
    basis=_basis,
    body=_body,
    on_screen=("steps", "histories"),
    methods=_methods,
    keys=(
        *("scores.better", "alpha", "min_segment", "scale", "method", "serial", "n_resamples", "confidence_level"),
        *("steps", "series"),
    ),
    main=lambda result: sheet_columns(result.series, "problem", "n", "statistic", "pvalue", "split", "verdict"),
    second=lambda result: rows_of(result.steps, "problem", "version", "previous", *_OF_CHANGE, "commit"),
)
