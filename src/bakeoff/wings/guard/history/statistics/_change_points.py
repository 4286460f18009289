"""change_points(): did a benchmark change its level in the history of a program, when, and by how much?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import ClassVar, Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import N_RESAMPLES, choice, draw_count, integer, probability
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, ParameterError, ScoreError, counted, listing, plain
from bakeoff.randomness import generator, integer_seed, root_of
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.runs import process_of
from bakeoff.scores.source_cautions import direction_doubtful
from bakeoff.special import ndtri
from bakeoff.takes_table import takes_table
from bakeoff.wings.guard.history.statistics.prewhitening import all_prewhitened, step_of_means
from bakeoff.wings.guard.history.statistics.segmentation import (
    Search,
    SingleNulls,
    Split,
    midranks,
    search,
    segment_bounds,
    serial_products,
    shift_between,
    takes_all,
)

Scale = Literal["ratio", "difference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelStep:
    """A change of level between two neighbouring versions."""

    problem: str
    version: str  # the first one of the new level
    previous: str  # the last one of the old level
    place: int  # of ``version`` among all versions, from 0
    statistic: float  # of the test of the step
    pvalue: float  # adjusted over all benchmarks (first level), or over the segments tested with it
    level: int  # 1: searched in the whole history; 2: within a part of it; …
    before: float  # medians of the two segments, in the unit of the scores
    after: float  # level after the step
    change: float  # Hodges–Lehmann, after against before: a factor (scale "ratio") or a difference
    low: float | None  # None: the segments are too short for an interval of this level
    high: float | None  # high end of the change's interval
    worse: bool  # whether the new level is worse
    commit: str = ""  # of that version, if it is known

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends of the change's interval, if there is one."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkHistory:
    """The history of one benchmark."""

    problem: str
    n: int  # versions that have it
    statistic: float | None  # None: too short
    pvalue: float | None  # of any change, adjusted over all benchmarks
    split: int | None  # where the statistic is largest: versions before it
    verdict: Literal["changed", "no change shown", "cannot tell"]  # what is shown of the benchmark's level
    autocorrelation: float | None  # of neighbouring versions, by which a serial history was prewhitened; else None
    segments: tuple[tuple[str, str, float], ...]  # first and last version, and median, of each level


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChangePoints(Reportable):
    """The result of :func:`bakeoff.change_points`."""

    kind: ClassVar[str] = "history"

    scores: Scores  # benchmarks × versions, in the order of the versions
    alpha: float
    min_segment: int  # versions that a level holds at least
    scale: Scale
    method: Literal["exact", "permutation"]  # where p-values come from
    serial: bool  # whether versions resemble their neighbours, so that histories were prewhitened
    n_resamples: int
    rng: int | None
    confidence_level: float  # of the intervals of changes
    commits: Mapping[str, str] | None  # of the versions, where they are known
    series: tuple[BenchmarkHistory, ...]  # one entry per benchmark
    steps: tuple[LevelStep, ...]  # by version, then benchmark
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()

    @property
    def worse_now(self) -> tuple[LevelStep, ...]:
        """The latest step of each benchmark, where that is for the worse."""
        latest = {step.problem: step for step in self.steps}
        return tuple(step for step in latest.values() if step.worse)

    @property
    def decision(self) -> str:
        """ "difference" if a level changed, "cannot tell" if every history is too short, or "none"."""
        verdicts = {one.verdict for one in self.series}
        if "changed" in verdicts:
            return "difference"
        return "cannot tell" if verdicts <= {"cannot tell"} else "none"

    @property
    def request(self) -> Mapping[str, object]:
        """The arguments of the call."""
        names = ("alpha", "min_segment", "scale", "method", "serial", "n_resamples", "rng", "confidence_level")
        return {name: getattr(self, name) for name in (*names, "commits")}


SPREAD_LEVEL, SPREAD_RESAMPLES = 0.05, 999  # of the test for a change of spread
WANDERS = 0.05  # level of the tests for autocorrelation, all benchmarks together


@takes_table
def change_points(
    scores: Scores,
    *,
    alpha: float = 0.05,
    min_segment: int = 3,
    scale: Literal["auto", "ratio", "difference"] = "auto",
    method: Literal["auto", "exact", "permutation"] = "auto",
    serial: bool = False,
    n_resamples: int = N_RESAMPLES,
    rng: int | np.random.Generator | None = None,
    confidence_level: float = 0.95,
    commits: Mapping[str, str] | None = None,
) -> ChangePoints:
    """Did any benchmark change its level in this history, at which version, and by how much?

    Use it on a record of past versions (nightly builds, releases). Not to judge one new version, nor for a slow trend,
    which is no step.

    Parameters
    ----------
    scores : Scores
        (n_benchmarks, n_versions), the versions in order of time; of several runs the median counts, of iterations the
        median of the processes' medians. Versions that lack a benchmark are left out of its history.
    alpha : float
        Probability of any alarm, over all benchmarks, in a history without change.
    min_segment : int
        A level holds for at least so many versions; shorter spikes are no change.
    scale : {"auto", "ratio", "difference"}
        Of the size of a step; "auto" is "ratio" where all scores are above 0.
    method : {"auto", "exact", "permutation"}
        Of the p-values: "exact" takes all permutations (up to 8 versions), "permutation" draws some.
    serial : bool
        Whether versions resemble their neighbours, as nights do on a machine that is slow for a week. Each history is
        then searched less ρ times the version before. The size of a step is that of means (of logarithms), with an
        interval where both levels have 11 versions.
    n_resamples : int
        Permutations drawn.
    rng : int or Generator, optional
        Seed or Generator of the permutations; seed 0 if absent.
    confidence_level : float
        Of the interval of each step.
    commits : mapping, optional
        {version: commit}; absent: as the files said that were read.

    Returns
    -------
    ChangePoints
        ``.steps`` (version, change, low, high, pvalue, worse …) and ``.series`` (pvalue, verdict, segments …).

    Raises
    ------
    ScoreError, ParameterError
        Fewer versions than two segments; infinite scores; ratios of scores that are not above 0.

    Notes
    -----
    M is the largest standardised rank sum over splits (Pettitt 1979). It is compared with permutations of the versions,
    the same for all benchmarks. The test is exact if versions are exchangeable while nothing changes, so not with
    autocorrelation; with serial=True it is approximate, if noise is an AR(1) series. Parts of a changed history are
    searched again (Holm). Intervals assume that the place of the step is known. See docs/how-to/history.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> history = bo.Scores([[10, 11, 9, 10.5, 14, 15, 13, 16]], [f"v{i}" for i in range(8)], better="lower")
    >>> found = bo.change_points(history, min_segment=2)
    >>> found.steps[0].version, round(found.steps[0].pvalue, 7), round(found.steps[0].change, 2)
    ('v4', 0.0285714, 1.44)
    """
    scores = check_scores(scores, holes=True)
    alpha, level = probability("alpha", alpha), probability("confidence_level", confidence_level)
    h, n_resamples = integer("min_segment", min_segment, 1), draw_count("n_resamples", n_resamples, 99)
    choice("scale", scale, ("auto", "ratio", "difference"))
    choice("method", method, ("auto", "exact", "permutation"))
    table, total = run_medians(scores), scores.n_algorithms
    known = _commits(scores, commits)
    used, exact = _scale(table, scale), _is_exact(method, total)
    seed = integer_seed(rng)
    stream = generator(seed)
    series = {i: row[~np.isnan(row)] for i, row in enumerate(table)}
    lag = int(serial)  # the first version has no neighbour to be compared with
    rows = {i: table[i] for i in _long_enough(series, h, lag, total)}
    rho: dict[int, float] = {}
    if serial:
        rows, rho = all_prewhitened(_costs(table, used), list(rows), h)
    searched = search(rows, h, alpha, exact, n_resamples, stream)
    splits = {i: [replace(split, place=split.place + lag) for split in each] for i, each in searched.splits.items()}
    first = {i: (statistic, place + lag, pvalue) for i, (statistic, place, pvalue) in searched.first.items()}
    versions = {i: np.flatnonzero(~np.isnan(table[i])).tolist() for i in series}
    steps = [
        replace(step, commit=known.get(step.version, ""))
        for i in rows
        for step in _steps(scores, i, versions[i], series[i], splits[i], used, level, rho.get(i))
    ]
    histories = tuple(
        _history(scores, i, versions[i], series[i], splits.get(i, []), first.get(i), i in searched.able, rho.get(i))
        for i in series
    )
    return ChangePoints(
        scores=scores,
        alpha=alpha,
        min_segment=h,
        scale=used,
        method="exact" if exact else "permutation",
        serial=serial,
        n_resamples=n_resamples,
        rng=seed,
        confidence_level=level,
        commits=known or None,
        series=histories,
        steps=tuple(sorted(steps, key=lambda step: (step.place, step.problem))),
        cautions=(
            *([doubtful] if (doubtful := direction_doubtful(scores.metric, scores.better)) else []),
            *_cautions(histories, alpha, searched),
            *_of_spread(
                {histories[i].problem: _deviations(searched, i, used, serial) for i in rows if splits[i]},
                h,
                generator(seed),
            ),
        ),
    )


def _long_enough(series: Mapping[int, Array], h: int, lag: int, total: int) -> list[int]:
    fewest = 2 * h + lag
    rows = [i for i, values in series.items() if len(values) >= fewest]
    if not rows:
        of = f"two levels of min_segment={h} each{', and one before them' * lag}"
        raise ScoreError(f"must have at least {fewest} versions of a benchmark ({of}); got {total}", parameter="scores")
    return rows


def _commits(scores: Scores, commits: Mapping[str, str] | None) -> dict[str, str]:
    """The commit of each version, as it is said here or was in the files."""
    if commits is None:
        return dict(scores.read_as.commits) if scores.read_as is not None else {}
    if strange := [name for name in commits if name not in scores.algorithms]:
        rule = f"names {strange[0]!r}, which is no version; there are {listing(scores.algorithms)}"
        raise ParameterError(rule, parameter="commits")
    return {str(name): str(commit) for name, commit in commits.items()}


def run_medians(scores: Scores) -> Array:
    """(n_benchmarks, n_versions): the median over runs, of iterations of the processes' medians; NaN where none."""
    table = np.array(scores.medians)
    if scores.run_kind == "iteration" and scores.runs is not None and scores.run_ids is not None:
        for i, j in np.argwhere(scores.n_runs > 1).tolist():
            processes: dict[str, list[float]] = {}
            for name, value in zip(scores.run_ids[i, j], scores.runs[i, j].tolist(), strict=True):
                if name is not None and value == value:
                    processes.setdefault(process_of(str(name)), []).append(value)
            table[i, j] = np.median([np.median(values) for values in processes.values()])
    if np.isinf(table).any():
        raise ScoreError("has infinite scores, of which a history has no level; leave them out", parameter="scores")
    return table


def _is_exact(method: str, total: int) -> bool:
    exact = takes_all(total) if method == "auto" else method == "exact"
    if exact and not takes_all(total):
        raise ParameterError(f'"exact" takes up to 8 versions; got {total}; say "permutation"', parameter="method")
    return exact


def _scale(table: Array, scale: str) -> Scale:
    positive = bool((table[~np.isnan(table)] > 0).all())
    if scale == "ratio" and not positive:
        raise ParameterError('"ratio" needs scores above 0; say "difference"', parameter="scale")
    return "ratio" if scale == "ratio" or (scale == "auto" and positive) else "difference"


def _costs(values: Array, scale: str) -> Array:
    """Scores on the scale on which levels differ by a number."""
    return np.log(values) if scale == "ratio" else values


def _steps(
    scores: Scores,
    row: int,
    versions: list[int],
    values: Array,
    splits: list[Split],
    scale: str,
    level: float,
    rho: float | None,
) -> list[LevelStep]:
    steps, ratio = [], scale == "ratio"
    for ((low, cut), (_, high)), split in zip(pairwise(segment_bounds(splits, len(values))), splits, strict=True):
        before, after = values[low:cut], values[cut:high]
        x, y = _costs(before, scale), _costs(after, scale)
        shift = shift_between(x, y, level) if rho is None else step_of_means(x, y, rho, level)
        change, least, most = (math.exp(x) if ratio and x is not None else x for x in shift)
        assert change is not None
        larger = change > (1.0 if scale == "ratio" else 0.0)
        steps.append(
            LevelStep(
                problem=scores.problems[row],
                version=scores.algorithms[versions[cut]],
                previous=scores.algorithms[versions[cut - 1]],
                place=versions[cut],
                statistic=split.statistic,
                pvalue=split.pvalue,
                level=split.level,
                before=float(np.median(before)),
                after=float(np.median(after)),
                change=change,
                low=least,
                high=most,
                worse=larger == (scores.better == "lower"),
            )
        )
    return steps


def _history(
    scores: Scores,
    row: int,
    versions: list[int],
    values: Array,
    splits: list[Split],
    first: tuple[float, int, float] | None,
    able: bool,
    rho: float | None,
) -> BenchmarkHistory:
    names = [scores.algorithms[j] for j in versions]
    statistic, place, pvalue = first or (None, None, None)
    parts = segment_bounds(splits, len(values)) if len(values) else []
    return BenchmarkHistory(
        problem=scores.problems[row],
        n=len(values),
        statistic=statistic,
        pvalue=pvalue,
        split=place,
        verdict="changed" if splits else "no change shown" if able else "cannot tell",
        segments=tuple((names[low], names[high - 1], float(np.median(values[low:high]))) for low, high in parts),
        autocorrelation=rho,
    )


def _cautions(histories: tuple[BenchmarkHistory, ...], alpha: float, searched: Search) -> Iterator[Caution]:
    unable = [plain(each.problem) for each in histories if each.verdict == "cannot tell"]
    if unable:
        few, of = (counted(len(each), "benchmark") for each in (unable, histories))
        yield caution_of("out-of-reach", "history", benchmarks=few, names=listing(unable), alpha=alpha, of=of)
    wavy = [
        i
        for i in searched.series
        if _autocorrelated(searched.series[i], searched.splits[i], WANDERS / len(searched.series))
    ]
    if wavy:
        yield caution_of("dependence", "history", names=listing([plain(histories[i].problem) for i in wavy]))


def _deviations(searched: Search, row: int, scale: Scale, serial: bool) -> Array:
    """Deviations of versions from the mean of their level, larger by √(n/(n − 1)), as that follows its n versions."""
    costs = searched.series[row] if serial else _costs(searched.series[row], scale)
    parts = [costs[low:high] for low, high in segment_bounds(searched.splits[row], len(costs))]
    return np.concatenate([np.abs(x - x.mean()) * math.sqrt(len(x) / max(len(x) - 1, 1)) for x in parts])


def _of_spread(deviations: dict[str, Array], h: int, rng: np.random.Generator) -> list[Caution]:
    """Name benchmarks whose level changed, and whose deviations from the levels changed their own level."""
    nulls = SingleNulls(h=h, n_resamples=SPREAD_RESAMPLES, root=root_of(rng))
    noisy = [plain(name) for name, values in deviations.items() if nulls.test(values)[2] <= SPREAD_LEVEL]
    if not noisy:
        return []
    return [caution_of("spread-changed", names=listing(noisy))]


def _autocorrelated(values: Array, splits: list[Split], level: float) -> bool:
    """Whether versions within the segments follow their neighbours."""
    products = [serial_products(midranks(values[low:high])) for low, high in segment_bounds(splits, len(values))]
    above, variance = (sum(side) for side in zip(*products, strict=True))
    return len(values) >= 10 and variance > 0.0 and above >= -float(ndtri(level)) * math.sqrt(variance)
