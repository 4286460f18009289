"""Cautions about the table itself, whatever is computed from it: clusters, processes, runs, scales."""

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, Severity, by_severity, counted, listing, plain
from bakeoff.ranks import Ints, doubled_ranks, tie_tolerance
from bakeoff.scores import Array, Scores
from bakeoff.scores.cells import unequal_pairs
from bakeoff.scores.clusters import Codes, cluster_sizes, effective_number
from bakeoff.scores.contents import unpaired_problems
from bakeoff.scores.runs import failures, listed_failures, single_processes
from bakeoff.scores.source_cautions import source_cautions
from bakeoff.special import chdtri, pdtrc

# Do problems look as if they came in clusters, though none were given?

LEVEL = 1e-3
"""The level of the test of rows that repeat in blocks."""
BY_CHANCE = 0.01
"""Chance with which similarity within stems, of any of the ways to cut names, is taken for more than chance."""
MOST_CUTS = 6
FEWEST_OF_A_STEM = 5
_SEPARATORS = re.compile(r"[\s_\-./:|,;@#]+")


def looks_clustered(scores: Scores, until: str = "") -> Caution | None:
    """Names share stems whose problems resemble each other, or rows of scores repeat in blocks.

    ``until`` says what does not hold until they are in clusters.
    """
    predicted = scores.predicted
    if scores.clusters is not None or scores.n_problems < 4 or scores.holes.any():
        return None
    if predicted is not None and not predicted.is_mean:  # contributions of a class resemble each other
        return None
    if cuts := tuple(_telling(list(scores.tasks or ())).values()) or stems_of(scores.problems):
        ranks = doubled_ranks(scores) / 2.0
        far, stems = max(((between_stems(ranks, codes), codes) for codes in cuts), key=lambda each: each[0])
        if far >= far_enough(len(cuts)):
            return _by_stems(scores, stems, pooled_correlation(ranks, stems), until)
    repeated = repeated_rows(scores.values) if predicted is None else None  # items may stand class by class
    return None if repeated is None else _by_blocks(scores, repeated, until)


def one_stem(scores: Scores) -> Caution | None:
    """More than half of the problems are called after one stem, whether or not they resemble each other."""
    if scores.clusters is not None or scores.tasks is not None or scores.serial:  # week 1, week 2: one series
        return None
    for codes in stems_of(scores.problems):
        sizes = cluster_sizes(codes)
        if sizes.max() >= FEWEST_OF_A_STEM and 2 * sizes.max() > len(codes):
            rows = np.flatnonzero(codes == sizes.argmax())
            return _of_one_stem(scores, [scores.problems[i] for i in rows[:2]], len(rows))
    return None


def _of_one_stem(scores: Scores, named: list[str], count: int) -> Caution:
    return caution_of("one-stem", count=count, n_problems=scores.n_problems, first=named[0], second=named[1])


@lru_cache(maxsize=4)
def stems_of(names: tuple[str, ...]) -> tuple[Codes, ...]:
    """The stem of each name, cut at each separator: ``a`` and ``a_b`` of ``a_b_1``; none where no two share one.

    Coarse ones come first, and last what stands before the last separator. A cut that joins all names, or none, says
    nothing, and neither does what all names begin with.
    """
    if not any(map(_SEPARATORS.search, names)):
        return ()
    parts = [_SEPARATORS.split(name) for name in names]
    while min(map(len, parts)) > 1 and len({part[0] for part in parts}) == 1:
        parts = [part[1:] for part in parts]
    stem, numbers = [0] * len(names), {}
    for depth in range(1, min(max(map(len, parts)), MOST_CUTS + 1)):
        places: dict[tuple[int, str], int] = {}
        stem = [
            places.setdefault((before, part[depth - 1]), len(places)) if len(part) > depth else -1 - i
            for i, (before, part) in enumerate(zip(stem, parts, strict=True))
        ]
        numbers.update(_telling(stem))
        if len(set(stem)) == len(names):
            break
    numbers.update(_telling([tuple(part[:-1]) or (name,) for part, name in zip(parts, names, strict=True)]))
    return tuple(numbers.values())


def _telling(stems: Sequence[Hashable]) -> dict[bytes, Codes]:
    """The codes of a cut that joins some names, and not all."""
    places: dict[Hashable, int] = {}
    codes = np.fromiter((places.setdefault(stem, len(places)) for stem in stems), np.int64, len(stems))
    return {codes.tobytes(): codes} if 1 < len(places) < len(stems) else {}


def far_enough(cuts: int) -> float:
    """Standard deviations beyond its mean over all orders of the rows at which the sum of squares is no chance.

    A sum of squares is at most as skewed as chi-square with one degree of freedom.
    """
    return (float(chdtri(1, BY_CHANCE / cuts)) - 1.0) / math.sqrt(2.0)


def between_stems(ranks: Array, codes: Codes) -> float:
    """Similarity within stems above its mean over all orders of the rows, in standard deviations.

    With x_i the centred ranks of problem i, the statistic is the sum of x_i·x_j/m over pairs within a stem of m, the
    part of the sum of squares between stems that varies; its moments over all n! orders are those of Mantel (1967).
    """
    n = len(ranks)
    x = ranks - ranks.mean(axis=0)
    sizes = cluster_sizes(codes).astype(np.float64)
    squares, gram = (x**2).sum(axis=1), x.T @ x
    total = float(((_sums(x, codes) ** 2).sum(axis=1) / sizes).sum() - (squares / sizes[codes]).sum())
    first = _Sums(
        entries=-float(squares.sum()),
        squares=float((gram**2).sum() - (squares**2).sum()),
        rows=float((squares**2).sum()),
    )
    second = _Sums(
        entries=n - len(sizes), squares=float(((sizes - 1) / sizes).sum()), rows=float(((sizes - 1) ** 2 / sizes).sum())
    )
    mean, variance = _moments(first, second, n)
    return (total - mean) / math.sqrt(variance) if variance > 1e-12 * mean**2 else 0.0


def _sums(x: Array, codes: Codes) -> Array:
    sums = np.zeros((int(codes.max()) + 1, x.shape[1]))
    np.add.at(sums, codes, x)
    return sums


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums of a symmetric matrix without its diagonal."""

    entries: float
    squares: float  # of the entries
    rows: float  # of the squares of row sums


def _moments(first: _Sums, second: _Sums, n: int) -> tuple[float, float]:
    """Mean and variance of Σ_{i≠j} A_ij B_π(i)π(j) over all orders π: Mantel (1967), Cancer Research 27, appendix."""
    pairs, triples = n * (n - 1), n * (n - 1) * (n - 2)
    mean = first.entries * second.entries / pairs
    apart = [s.entries**2 + 2 * s.squares - 4 * s.rows for s in (first, second)]
    square = 2 * first.squares * second.squares / pairs
    square += 4 * (first.rows - first.squares) * (second.rows - second.squares) / triples
    square += apart[0] * apart[1] / (triples * (n - 3))
    return mean, square - mean**2


def pooled_correlation(ranks: Array, codes: Codes) -> float:
    """Intraclass correlation of the ranks within problems, all algorithms together (see ``intraclass_correlation``)."""
    n, sizes = len(ranks), cluster_sizes(codes).astype(np.float64)
    x = ranks - ranks.mean(axis=0)
    between = float(((_sums(x, codes) ** 2).sum(axis=1) / sizes).sum())
    groups, all_squares = len(sizes), float((x**2).sum())
    ms_between, ms_within = between / (groups - 1), (all_squares - between) / (n - groups)
    size = (n - float((sizes**2).sum()) / n) / (groups - 1)
    return (ms_between - ms_within) / (ms_between + (size - 1) * ms_within)


def repeated_rows(values: Array) -> int | None:
    """The number of rows of scores equal to the one above them, if that is more than any order of the rows would give.

    Over all orders of the rows the expected number is Σ m(m − 1)/n, with m rows of each kind; the tail is Poisson's.
    """
    n = len(values)
    same = int((values[1:] == values[:-1]).all(axis=1).sum())
    if same < 2:
        return None
    kinds = Counter(row.tobytes() for row in values)
    expected = sum(m * (m - 1) for m in kinds.values()) / n
    return same if len(kinds) > 1 and float(pdtrc(same - 1, expected)) <= LEVEL else None


ADVICE = (
    "If such problems share a source (one function in several dimensions, folds of one data set), p-values are too "
    "small and intervals too narrow. Give each problem a label, the same for those that belong together: "
    "cluster={column}."
)


def _by_stems(scores: Scores, codes: Codes, correlation: float, until: str) -> Caution:
    n, groups = scores.n_problems, int(codes.max()) + 1
    first = np.flatnonzero(cluster_sizes(codes) > 1)[0]
    a, b = (scores.problems[i] for i in np.flatnonzero(codes == first)[:2])
    worth = max(1, round(effective_number(codes, correlation)))
    task = dict(scores.read_as.columns).get("task")
    advice = ADVICE.format(column=repr(task) if task else "COLUMN")
    return caution_of(
        "dependence",
        "names",
        n=n,
        groups=groups,
        a=a,
        b=b,
        correlation=correlation,
        worth=worth,
        advice=advice,
        until=until,
    )


def _by_blocks(scores: Scores, repeated: int, until: str) -> Caution:
    advice = ADVICE.format(column="COLUMN")
    return caution_of(
        "dependence", "blocks", repeated=repeated, n_problems=scores.n_problems, advice=advice, until=until
    )


REFERENCE = (
    "Mantel (1967), Cancer Research 27, 209–220; Eldridge, Ashby & Kerry (2006), Int. J. Epidemiol. 35, 1292–1300"
)


# Iterations and benchmarks of one process share its state: they say nothing of another process.

Pair = TypeVar("Pair", bound=Any)  # a record with a, b and verdict


def input_cautions(scores: Scores) -> list[Caution]:
    """Cautions above every verdict: on processes behind the scores, names of problems, and how they were read."""
    return [*filter(None, (one_process(scores), one_stem(scores))), *source_cautions(scores)]


def one_process(scores: Scores) -> Caution | None:
    """Algorithms measured in one process: "stop" where no pair is without one of them."""
    lone = single_processes(scores)
    if not lone.any():
        return None
    names = [plain(name) for name, one in zip(scores.algorithms, lone, strict=True) if one]
    return one_process_caution(
        f"One process a side on every problem ({listing(names)}){_hosts(scores)}",
        "Neither iterations nor benchmarks inside a process say it",
        ": bakeoff check judges them, and bakeoff time runs commands in turn",
        "stop" if int((~lone).sum()) < 2 else "warning",
    )


def one_process_caution(who: str, inside: str, way: str, severity: Severity) -> Caution:
    """``who`` has one; ``inside``: what does not make up for it, or nothing; ``way``: how to go on."""
    shared = f" {inside}: they share its memory layout and its host." if inside else ""
    return caution_of("one-process", severity=severity, who=who, shared=shared, way=way)


def _hosts(scores: Scores) -> str:
    named = {} if scores.hosts is None else dict(zip(scores.algorithms, scores.hosts, strict=True))
    known = {name: host for name, host in named.items() if host}
    if len(set(known.values())) < 2:
        return ""
    return f", on different hosts ({listing(f'{plain(name)}: {plain(host)}' for name, host in known.items())})"


def dependent_runs(run_kind: str | None, about: str) -> list[Caution]:
    """Warn of runs that share their data, or their process; ``about`` is the object."""
    kinds = {"split": "splits of the same data", "iteration": "iterations of one process"}
    return [caution_of("dependence", about, what=kinds[run_kind])] if run_kind in kinds else []


def without_evidence(scores: Scores, family: Sequence[tuple[int, int]]) -> npt.NDArray[np.bool_]:
    """(m,): of each pair of columns, does a side have one process alone?"""
    lone = single_processes(scores)
    return np.array([bool(lone[a] or lone[b]) for a, b in family])


def alone_undecided(scores: Scores, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """The pairs, "cannot tell" where a side has one process alone."""
    lone = {name for name, one in zip(scores.algorithms, single_processes(scores), strict=True) if one}
    return tuple(replace(p, verdict="cannot tell") if lone & {p.a, p.b} else p for p in pairs)


# What a reader must know of the table itself before quoting anything computed from it.

LIKE_PROBLEMS = 10.0
"""Times as much as columns, rows differ in scale where they are problems: of games, errors, times."""
OFTEN = 0.05
"""Share of problems with ties from which lost digits would matter."""
NEIGHBOURS = 20
"""In the order of its scores, an algorithm is held against so many next ones to see what ties come from."""
FEW_VALUES = 10
"""Up to so many different scores in a table, they are answers, grades or counts, and ties are no rounding."""


def table_cautions(scores: Scores, ranks: Ints | None = None) -> list[Caution]:
    """Cautions on the table itself, before any test; ``ranks``: the doubled ones, if they are known."""
    unpaired, clustered, of_input = not_paired(scores), looks_clustered(scores), input_cautions(scores)
    cautions = (
        one_problem(scores),
        *of_input,
        transposed(scores),
        unpaired,
        unequal_runs(scores),
        filled(scores),
        failed_runs(scores),
        different_versions(scores),
        infinite(scores),
        overflowing(scores),
        tied(scores.values, doubled_ranks(scores) if ranks is None else ranks),
        nearly_tied(scores),
        clustered,
    )
    return [caution for caution in cautions if caution]


def one_problem(scores: Scores) -> Caution | None:
    about = "folds" if scores.run_kind == "split" and scores.runs is not None else "table"
    return caution_of("one-problem", about) if scores.n_problems == 1 else None


_OF_UNITS = ("too-few (units)", "too-few (clusters)", "too-few (differing-problems)")
_OF_ALGORITHMS = ("too-few (problems)", "too-few (mean-ranks)")
_OF_TESTS = ("out-of-reach (control)", "out-of-reach (problems)", "out-of-reach (common-problems)")
_EQUAL = ("nothing-differs (ranks)", "nothing-differs (anova)", "nothing-differs (scores)")
IMPLIED = {
    "one-problem": (
        *(*_OF_TESTS, *_OF_ALGORITHMS, *_OF_UNITS, "out-of-reach (experiment)", "low-power", "ties (scores)"),
        *("omnibus-not-rejected", "gate-closed", "rough (f)", "no-variation (errors)", "assumes-all-alike"),
        *("not-checked (pool)", "interval-below-level"),
        *("certainty (prior-rankings)", "certainty (problems)", "certainty (clusters)"),
    ),
    "one-process": ("pool-dependent (verdicts)", "not-checked (pool)"),
    **dict.fromkeys(
        _EQUAL,
        (
            *(*_OF_UNITS, "omnibus-not-rejected", "gate-closed", "nothing-differs (pair)"),
            *("ties (rounded-scores)", "ties (scores)"),
        ),
    ),
    **dict.fromkeys(_OF_TESTS, _OF_ALGORITHMS),
    "out-of-reach (experiment)": ("low-power",),
    "one-stem": ("dependence (names)", "dependence (blocks)"),
}
"""Names and codes that need not be said beside a graver caution, because they follow from that."""


def without_repetition(all_cautions: Iterable[Caution]) -> tuple[Caution, ...]:
    """The gravest first, each once, without those that follow from another one."""
    cautions = list(dict.fromkeys(all_cautions))
    stated = {name for caution in cautions for name in (caution.code, caution.name)}
    implied = {name for reason in stated & set(IMPLIED) for name in IMPLIED[reason]}
    whole = [caution for caution in cautions if caution.name in ("one-problem (table)", "one-problem (folds)")]
    if whole:
        cautions = [caution for caution in cautions if caution in whole or caution.code != "one-problem"]
    return tuple(by_severity(caution for caution in cautions if not {caution.code, caution.name} & implied))


def transposed(scores: Scores) -> Caution | None:
    """More algorithms than problems, unless somebody says that, or rows differ in scale like problems."""
    n, k = scores.values.shape
    if k <= n or n == 1 or scores.read_as.rows is not None or scores.read_as.numbered:
        return None
    if _largest_spread(scores.values, 1) > LIKE_PROBLEMS * _largest_spread(scores.values, 0):
        return None
    return caution_of(
        "doubtful-reading", "rows", k=k, algorithms=_first(scores.algorithms), n=n, problems=_first(scores.problems)
    )


def _largest_spread(values: Array, axis: int) -> float:
    """The largest range of scores over the smallest, of rows (1) or of columns (0)."""
    with np.errstate(invalid="ignore", over="ignore"):
        ranges = np.ptp(values, axis=axis)
    ranges = ranges[np.isfinite(ranges) & (ranges > 0)]
    return float(ranges.max() / ranges.min()) if ranges.size else 1.0


def _first(names: Sequence[str], limit: int = 3) -> str:
    return ", ".join(names[:limit]) + (" …" if len(names) > limit else "")


INDEPENDENT = ("seed", "answer", "process", "iteration")


def not_paired(scores: Scores) -> Caution | None:
    """Runs that should be the same for all algorithms, as folds are, and have different identifiers."""
    rows = [] if scores.run_kind in INDEPENDENT else unpaired_problems(scores)
    if not rows:
        return None
    names = listing(scores.problems[i] for i in rows)
    where = "the problem" if scores.n_problems == 1 else f"{len(rows)} of {scores.n_problems} problems"
    return caution_of(
        "not-paired", "runs", severity="warning" if scores.run_kind == "split" else "note", where=where, names=names
    )


OF_MEANS = (
    "A mean of few runs and a mean of many have different distributions: if runs are skewed, the mean of few falls "
    "more often on one side. Two equal algorithms are then declared different too often, above all by signs and ranks."
)
OF_LOGARITHMS = (
    "On average the logarithm of a mean of few runs is smaller than that of a mean of many. With a margin as a "
    "percentage, one of two equal algorithms is then declared better too often."
)
WITHIN_PROBLEMS = (
    "The null hypothesis is that the runs of both have the same distribution on the problem. If only their medians are "
    "equal, + and − are too frequent if the one with fewer runs spreads more, and too rare if it spreads less."
)


def unequal_runs(scores: Scores, consequence: str = OF_MEANS) -> Caution | None:
    """Warn if one algorithm of a pair has more runs nearly everywhere, with this consequence."""
    counts, algorithms = scores.n_runs, scores.algorithms
    uneven = unequal_pairs(counts)
    if not uneven:
        return None
    a, b = uneven[0]
    more, fewer = (f"{algorithms[j]} has {counts[:, j].sum()}" for j in (a, b))
    others = f", and likewise in {len(uneven) - 1} more of the pairs" if len(uneven) > 1 else ""
    runs = f"Numbers of runs differ between algorithms: {more} in all, {fewer}{others}."
    return caution_of("unequal", "runs", said=runs, consequence=consequence)


def filled(scores: Scores) -> Caution | None:
    if not scores.filled:
        return None
    cells = listing(f"{problem} / {algorithm}" for problem, algorithm in scores.filled)
    return caution_of(
        "counted-as-worst", "missing-scores", scores=counted(len(scores.filled), "missing score"), cells=cells
    )


def failed_runs(scores: Scores) -> Caution | None:
    """Warn that other runs stand for a failed one, where a failure does not count as the worst."""
    if scores.filled or not failures(scores.status):
        return None
    return caution_of("left-out", "runs", status=listed_failures(scores.status))


def different_versions(scores: Scores) -> Caution | None:
    if not scores.differing:
        return None
    return caution_of(
        "left-out", "versions", problems=counted(len(scores.differing), "problem"), names=listing(scores.differing)
    )


def infinite(scores: Scores) -> Caution | None:
    count = int(np.isinf(scores.values).sum())
    if not count:
        return None
    return caution_of("infinite", "scores", scores=counted(count, "score"))


def has_differences(values: Array) -> bool:
    """Are all scores, and all differences within a problem, finite numbers?"""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(values.max(axis=1) - values.min(axis=1)).all())


def overflowing(scores: Scores) -> Caution | None:
    if has_differences(scores.values) or np.isinf(scores.values).any():
        return None
    return caution_of("infinite", "overflow")


def tied(values: Array, ranks: Ints) -> Caution | None:
    n, k = ranks.shape
    rows = int((np.sort(ranks, axis=1) != 2 * np.arange(1, k + 1)).any(axis=1).sum())
    if not rows or rows < OFTEN * n:
        return None
    if (distinct := _few_values(values)) is not None and n * k >= 5 * len(distinct):
        shown = ", ".join(f"{value:g}" for value in distinct)
        return caution_of("ties", "scores", shown=shown, rows=rows, n=n)
    return caution_of("ties", "rounded-scores", rows=rows, n=n) if _may_be_rounded(values) else None


def _may_be_rounded(values: Array) -> bool:
    """Are scores one last digit apart at least half as often as tied?

    Rounding to digits d ties two scores whose difference D is near 0, and sets twice as many one digit apart:
    with a density f of D, P(tied) = f(0) 10⁻ᵈ and P(one apart) = 2 f(0) 10⁻ᵈ. Shares of a finite test set, copies
    and optima that were reached are tied without such neighbours.
    """
    order = np.argsort(values, axis=1)
    lined = np.take_along_axis(values, order, axis=1)
    units = np.broadcast_to(_last_digits(values), values.shape)
    units = np.take_along_axis(units, order, axis=1)
    tied = apart = 0
    with np.errstate(invalid="ignore", over="ignore"):
        for lag in range(1, min(values.shape[1], NEIGHBOURS + 1)):
            gaps = lined[:, lag:] - lined[:, :-lag]
            tied += int((gaps == 0.0).sum())
            apart += int(((gaps > 0.0) & (gaps <= 1.5 * np.maximum(units[:, lag:], units[:, :-lag]))).sum())
    return 2 * apart >= tied


def _last_digits(values: Array) -> Array:
    """The unit of the last decimal digit that any score of a column has; 0 if they have twelve or more."""
    units = np.zeros(values.shape[1])
    finite = np.where(np.isfinite(values), values, 0.0)
    for digits in range(12)[::-1]:
        with np.errstate(over="ignore", invalid="ignore"):  # scores near the largest number have no such digits
            units[(np.abs(np.round(finite, digits) - finite) <= 1e-12 * np.abs(finite)).all(axis=0)] = 10.0**-digits
    return units


def _few_values(values: Array) -> Array | None:
    """The different scores of the table in order, if they are few."""
    distinct = np.unique(values[:1000])  # most tables have more in their first rows
    if len(distinct) > FEW_VALUES:
        return None
    distinct = np.unique(values)
    return distinct if len(distinct) <= FEW_VALUES else None


def nearly_tied(scores: Scores) -> Caution | None:
    """Single scores are compared exactly; differences in the last bits are probably no differences."""
    if scores.runs is not None:
        return None
    values, chunk = scores.values, 8192  # a chunk stays in the processor's cache
    rows = np.flatnonzero(np.concatenate([_last_bits(values[i : i + chunk]) for i in range(0, len(values), chunk)]))
    if not rows.size:
        return None
    return caution_of(
        "near-ties", problems=counted(rows.size, "problem"), names=listing(scores.problems[i] for i in rows)
    )


def _last_bits(values: Array) -> npt.NDArray[np.bool_]:
    """(n,) do two scores of the problem differ by no more than the tolerance of derived quantities?"""
    ordered = np.sort(values, axis=1)
    finite = np.isfinite(ordered[:, 1:]) & np.isfinite(ordered[:, :-1])
    low, high = np.where(finite, ordered[:, :-1], 0.0), np.where(finite, ordered[:, 1:], 1.0)
    with np.errstate(over="ignore"):
        gap = high - low
    near = finite & (gap > 0) & (gap <= tie_tolerance(np.maximum(np.abs(low), np.abs(high))))
    return np.asarray(near.any(axis=1))
