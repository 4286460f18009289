"""From ChangePoints to the format-free Document, to JSON, and to columns."""

import math
from collections.abc import Sequence
from typing import Any

from bakeoff import numerals
from bakeoff.history import BenchmarkHistory, ChangePoints, LevelStep
from bakeoff.report import methods, sections
from bakeoff.report.data import asked, finite, origin, plain_data
from bakeoff.report.document import Document, Figure, Section, Sheets, Table, numeric, tabulate, words
from bakeoff.report.methods import joined, software, text

SCHEMA = "bakeoff.history/1"


def verdict(found: ChangePoints) -> str:
    """What changed, and when last."""
    benchmarks = numerals.count(len(found.series), "benchmark")
    versions = numerals.count(found.scores.n_algorithms, "version")
    unable = [each for each in found.series if each.verdict == "cannot tell"]
    if not found.steps:
        if len(unable) == len(found.series):
            return f"Nothing can be told of {benchmarks} in {versions}: the history is too short."
        return f"No change of level shown in {benchmarks} over {versions}."
    changed = list(dict.fromkeys(step.problem for step in found.steps))
    if len(found.steps) == 1:
        return f"{_sentence(found, found.steps[0])}."
    worse = sum(step.worse for step in found.steps)
    last = found.steps[-1]
    worst = max((s for s in found.steps if s.worse), key=lambda s: _extent(found, s), default=last)
    also = "" if last.worse or worst is last else f". The largest for the worse: {_sentence(found, worst)}"
    return (
        f"{numerals.count(len(found.steps), 'change')} of level ({worse} for the worse) in {len(changed)} of "
        f"{benchmarks} over {versions}; the latest: {_sentence(found, last)}{also}."
    )


def _extent(found: ChangePoints, step: LevelStep) -> float:
    return abs(math.log(step.change)) if found.scale == "ratio" else abs(step.change)


def _sentence(found: ChangePoints, step: LevelStep) -> str:
    """``sort is worse from v41 on: 1.23 times the level before (95 % 1.2 to 1.3)``"""
    how = "worse" if step.worse else "better"
    end = "" if step.low is None else f" ({numerals.percent(found.confidence_level)} {_interval(found, step)})"
    size = (
        f"{_size(found, step.change)} the level before" if found.scale == "ratio" else f"by {_size(found, step.change)}"
    )
    return f"{numerals.plain(step.problem)} is {how} from {numerals.plain(step.version)} on: {size}{end}"


def _size(found: ChangePoints, change: float) -> str:
    return f"{numerals.significant(change, 4)} times" if found.scale == "ratio" else numerals.significant(change, 4)


def _interval(found: ChangePoints, step: LevelStep) -> str:
    if step.low is None or step.high is None:
        return numerals.MISSING
    return f"{numerals.significant(step.low, 4)} to {numerals.significant(step.high, 4)}"


def document(found: ChangePoints, command: str | None = None) -> Document:
    """Steps, the histories, and what they rest on."""
    said = _methods(found)
    title = (
        f"History of {numerals.count(len(found.series), 'benchmark')} over "
        f"{numerals.count(found.scores.n_algorithms, 'version')}"
    )
    return Document(
        title=title,
        verdict=verdict(found),
        basis=_basis(found),
        sections=sections.present(
            sections.one_block("steps", "Changes of level", steps(found), "steps"),
            sections.figure("Diagram", Figure(found, "Values by version, with the level of each segment.")),
            Section("histories", "Histories", (histories(found),)),
            sections.cautions(found.cautions),
            sections.methods(said),
            sections.references(methods.cited(said)),
            sections.provenance(found.scores, command),
        ),
        on_screen=("steps", "histories", "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def _basis(found: ChangePoints) -> str:
    how = "all permutations" if found.method == "exact" else f"{found.n_resamples} permutations"
    return (
        f"Largest standardised rank sum over splits, {how} of the versions, the same for all benchmarks; "
        f"α = {found.alpha:g} for any alarm at one look; levels of at least {found.min_segment} versions."
    )


def steps(found: ChangePoints) -> Table | None:
    """A row per step, by version."""
    if not found.steps:
        return None
    what = "factor" if found.scale == "ratio" else "difference"
    return tabulate(
        "steps",
        "Changes of level, by version",
        (
            words("version", "from", lambda s: numerals.plain(s.version)),
            words("problem", "benchmark", lambda s: numerals.plain(s.problem)),
            words("how", "", lambda s: "worse" if s.worse else "better"),
            numeric("change", what, lambda s: numerals.significant(s.change, 4), strong=True),
            numeric("interval", "interval", lambda s: _interval(found, s), rank=1),
            numeric("before", "before", lambda s: numerals.significant(s.before, 4), rank=2),
            numeric("after", "after", lambda s: numerals.significant(s.after, 4), rank=3),
            numeric("pvalue", "p", lambda s: numerals.pvalue(s.pvalue)),
        ),
        found.steps,
        strong=lambda s: s.worse,
        note=(
            "Before, after: medians of the two levels. Factor or difference: Hodges–Lehmann, with the interval of the "
            "rank-sum test, which takes the place of the step as known. p: adjusted over benchmarks, or over the parts "
            "that were searched again together."
        ),
    )


def histories(found: ChangePoints) -> Table:
    """A row per benchmark."""
    rows: Sequence[BenchmarkHistory] = sorted(
        found.series, key=lambda each: 2.0 if each.pvalue is None else each.pvalue
    )
    return tabulate(
        "histories",
        "Benchmarks, those with the clearest change first",
        (
            words("problem", "benchmark", lambda s: numerals.plain(s.problem)),
            numeric("n", "versions", lambda s: str(s.n)),
            numeric("levels", "levels", lambda s: str(len(s.segments))),
            numeric("level", "latest level", _latest),
            numeric("statistic", "M", lambda s: _or_missing(s.statistic), rank=1),
            numeric("pvalue", "p", lambda s: numerals.MISSING if s.pvalue is None else numerals.pvalue(s.pvalue)),
            words("verdict", "verdict", lambda s: s.verdict),
        ),
        rows[: sections.LISTED],
        strong=lambda s: s.verdict == "changed",
        folded=len(rows) > sections.WHOLE,
    )


def _latest(series: BenchmarkHistory) -> str:
    return numerals.significant(series.segments[-1][2], 4) if series.segments else numerals.MISSING


def _or_missing(value: float | None) -> str:
    return numerals.MISSING if value is None else numerals.significant(value, 4)


def _methods(found: ChangePoints) -> Any:
    how = (
        "all permutations of the versions"
        if found.method == "exact"
        else f"{found.n_resamples} random permutations of the versions"
    )
    size = "of logarithms " if found.scale == "ratio" else ""
    said = (
        f"The histories of {numerals.count(len(found.series), 'benchmark')} over "
        f"{numerals.count(found.scores.n_algorithms, 'version')} (medians of the runs of a version) were searched for "
        "changes of level by the largest standardised rank sum over all splits with at least "
        f"{numerals.count(found.min_segment, 'version')} on either side [@pettitt1979]. Its p-value is from {how}, the "
        "same for all benchmarks, and the largest statistic of any benchmark [@westfallyoung1993]: if versions are "
        f"exchangeable while nothing changes, the probability of any false alarm at one look is at most "
        f"{found.alpha:g}. Looking again after each new version has it again each time. Parts of a history with a "
        "change were searched again [@scottknott1974], Holm's procedure [@holm1979] holding over the parts of a level. "
        f"Sizes are two-sample Hodges–Lehmann estimates {size}with the interval of the rank-sum test "
        "[@hodgeslehmann1963]."
    )
    return joined(text(said), software())


def to_dict(found: ChangePoints, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "better": found.scores.better,
        "alpha": found.alpha,
        "min_segment": found.min_segment,
        "scale": found.scale,
        "method": found.method,
        "n_resamples": found.n_resamples,
        "confidence_level": found.confidence_level,
        "steps": plain_data(list(found.steps)),
        "series": plain_data(list(found.series)),
    }
    whence = origin(found.scores, found.cautions, methods.cited(_methods(found)), command)
    return finite(content | whence | asked(found))


def sheets(found: ChangePoints) -> Sheets:
    """A row per benchmark; the steps beside."""
    keys = ("problem", "n", "statistic", "pvalue", "split", "verdict")
    shown = ("problem", "version", "previous", "change", "low", "high", "before", "after", "pvalue", "level", "worse")
    return Sheets(
        pairs={key: [getattr(each, key) for each in found.series] for key in keys},
        ranking=[shown, *(tuple(getattr(step, key) for key in shown) for step in found.steps)],
        cautions=found.cautions,
    )
