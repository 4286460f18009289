"""Two or three sides as one table: may they be compared, and what does each of them lack?"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.errors import ScoreError, counted, listing, plain
from bakeoff.scores import Scores
from bakeoff.scores.design import Weights
from bakeoff.scores.read_as import ReadAs
from bakeoff.wings.guard.check.statistics.run_set import ROUNDS, RunSet, Series
from bakeoff.words import positions_in_time

NEW = "new"
LABELS = ("clusters", "tasks")
FACTS = {
    "metric": "metric",
    "unit": "unit",
    "better": "direction",
    "run_kind": "kind of run",
    "tool": "tool",
    "machine": "machine",
}
"""What must not differ between two sides, and how an error calls it."""
PAIRS_LEAST = 4
"""By chance, a random order has one side first in each of so many pairs once in eight times."""
NOTED = ("tool_version",)
"""What may differ, and is a caution then."""
DIFFERENT = ("tool", "benchmarks", "machine")
"""What the user may allow to differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide:
    """A table in which problems without a measurement are holes, and its ``context`` for a request."""

    scores: Scores
    named: bool  # the runs of all sides have names
    paired: bool
    always_first: str  # the side whose run was first in each pair, where pairs were measured one after the other
    context: Mapping[str, Any]


def side_by_side(
    baselines: Mapping[str, RunSet], new: RunSet, allowed: Sequence[str], weights: Weights | None, serial: bool = False
) -> SideBySide:
    """One column per baseline, in order, and "new"; problems of the baselines first. ``serial``: rows in time."""
    noted: list[str] = []
    for name, baseline in baselines.items():
        noted += _compatible(name, baseline, new, allowed)
    sides = {**baselines, NEW: new}
    problems = list(dict.fromkeys(problem for side in sides.values() for problem in side.series))
    failed = {problem: series.failure for problem, series in new.series.items() if series.failure}
    of_baselines = [item for baseline in baselines.values() for item in baseline.series.items()]
    before = {problem: series.failure for problem, series in of_baselines if series.failure}
    series = [[_kept(side, problem, name == NEW) for name, side in sides.items()] for problem in problems]
    _require_common(series, problems, failed, before)
    most = max(len(each.values) for row in series for each in row)
    cells = np.full((len(problems), len(sides), max(most, 1)), np.nan)
    ids = np.full(cells.shape, None, dtype=object)
    for i, row in enumerate(series):
        for j, each in enumerate(row):
            cells[i, j, : len(each.values)] = each.values
            ids[i, j, : len(each.ids)] = each.ids
    clusters, tasks = ({p: x for side in sides.values() for p, x in getattr(side, of).items()} for of in LABELS)
    chosen = weights or next((side.weights for side in sides.values() if side.weights is not None), None)
    groups = {side.weighted_as for side in sides.values()}
    weighted = groups.pop() if len(groups) == 1 else ()
    scores = Scores.from_cells(
        cells,
        list(sides),
        problems,
        better=new.better,
        holes=True,
        unscored=True,
        metric=new.metric,
        clusters=[clusters.get(problem, problem) for problem in problems] if clusters else None,
        tasks=[tasks.get(problem) for problem in problems] if tasks else None,
        order=positions_in_time("", problems),
        serial=serial,
        weights=chosen or ("problems" if "problems" in weighted[1:] else None),
        run_ids=ids if any(each.ids for row in series for each in row) else None,
        run_kind="process" if new.run_kind == "iteration" else new.run_kind,
        read_as=ReadAs(
            rows="scores",
            weighted_as=weighted,
            left_out=tuple(_left_out(sides.values()).items()),
            n_files=sum(side.n_files for side in sides.values()),
            not_taken=tuple(f"{name}: {file}" for name, side in sides.items() for file in side.not_taken),
        ),
    )
    return SideBySide(
        scores=scores,
        named=all(side.named for side in sides.values()),
        paired=_is_paired(series, list(sides.values())),
        always_first=_always_first(baselines, new),
        context={
            "failed": failed,
            "failed_before": before,
            "noted": list(dict.fromkeys(noted)),  # facts that differ, as sentences
            "iterations": max(each.iterations for row in series for each in row),
        },
    )


def _left_out(sides: Iterable[RunSet]) -> dict[str, int]:
    """The most problems of a task that a side could not give."""
    counts: dict[str, int] = {}
    for side in sides:
        for task, count in side.left_out.items():
            counts[task] = max(count, counts.get(task, 0))
    return counts


def _kept(side: RunSet, problem: str, is_new: bool) -> Series:
    """A problem of which one run failed has failed in new; in a baseline its other runs count."""
    series = side.series.get(problem, Series())
    return Series() if is_new and series.failure else series


def _require_common(
    series: Sequence[Sequence[Series]], problems: Sequence[str], failed: Mapping[str, str], before: Mapping[str, str]
) -> None:
    """Something measured on both sides, or a failure of new on what the baseline measured: that is an answer, too."""
    for problem, row in zip(problems, series, strict=True):
        if any(each.values for each in row[:-1]) and (row[-1].values or problem in failed):
            return
    if before:
        texts = [f"{plain(problem)}: {text}" for problem, text in before.items()]
        why = f"the baseline itself failed ({listing(texts, 3, '; ')})"
    else:
        old = [problem for problem, row in zip(problems, series, strict=True) if row[0].values]
        new = [problem for problem, row in zip(problems, series, strict=True) if row[-1].values]
        why = f"the baseline has {_named(old)}, new has {_named(new)}"
    raise ScoreError(f"has no problem that can be compared with the baseline: {why}", parameter=NEW)


def _named(names: Sequence[str]) -> str:
    return listing([repr(name) for name in names], 3) if names else "none"


def _compatible(name: str, baseline: RunSet, new: RunSet, allowed: Sequence[str]) -> list[str]:
    """Sentences about what differs and may; an error about what must not."""
    noted = []
    for fact in (*FACTS, *NOTED):
        old, now = _fact(baseline, fact), _fact(new, fact)
        if old is None or now is None or old == now:
            continue
        if fact in NOTED or fact in allowed:
            what = FACTS.get(fact, "version of the tool")
            noted.append(f"The {what} differs: {plain(old)} in {name}, {plain(now)} in new.")
            continue
        if fact == "machine" and not _is_timing(new):
            continue
        hint = f"; allow_different={fact!r} compares them all the same" if fact in DIFFERENT else ""
        raise ScoreError(
            f"cannot be compared with {name}: the {FACTS[fact]} differs, {plain(old)!r} there and {plain(now)!r} in "
            f"new{hint}",
            parameter=NEW,
        )
    return noted + _versions(name, baseline, new, allowed)


def _versions(name: str, baseline: RunSet, new: RunSet, allowed: Sequence[str]) -> list[str]:
    """A benchmark or question that changed is another one."""
    changed = [p for p, version in new.versions.items() if baseline.versions.get(p, version) != version]
    if not changed:
        return []
    which = f"{counted(len(changed), 'problem')} changed since {name} ({listing(map(plain, changed))})"
    if "benchmarks" in allowed:
        return [f"The code or text of {which}."]
    rule = f"cannot be compared: the code or text of {which}; allow_different='benchmarks' compares them all the same"
    raise ScoreError(rule, parameter=NEW)


def _fact(side: RunSet, fact: str) -> str | None:
    if fact in ("metric", "unit", "better", "run_kind"):
        value = getattr(side, fact)
        return None if value is None else str(value)
    return side.facts.get(fact)


def _is_timing(side: RunSet) -> bool:
    return side.run_kind in ("process", "iteration")


def _is_paired(series: Iterable[Sequence[Series]], sides: Sequence[RunSet]) -> bool:
    """Runs of two sides belong together where files say which: the same names, two of them at least, and half of those
    of the side that has fewer.
    """
    if not all(side.named for side in sides) or len({side.facts.get(ROUNDS) for side in sides}) > 1:
        return False
    rows = [[each for each in row if each.values] for row in series if row[-1].values]
    together = [row for row in rows if len(row) > 1]
    return bool(together) and all(
        _mostly_shared(set(each.ids), set(row[-1].ids)) for row in together for each in row[:-1]
    )


def _always_first(baselines: Mapping[str, RunSet], new: RunSet) -> str:
    """By the times of files, of pairs that do not overlap: copies and downloads have times that say nothing."""
    if len(baselines) > 1:
        return ""
    ((name, old),) = baselines.items()
    pairs = sorted(
        (sorted((time, new.made[run])), time < new.made[run]) for run, time in old.made.items() if run in new.made
    )
    ends = [time for times, _ in pairs for time in times]
    apart = all(a < b for a, b in pairwise(ends))
    if len(pairs) < PAIRS_LEAST or not apart or len({first for _, first in pairs}) > 1:
        return ""
    return name if pairs[0][1] else NEW


def _mostly_shared(old: set[str], new: set[str]) -> bool:
    common = len(old & new)
    return common >= 2 and 2 * common >= min(len(old), len(new))
