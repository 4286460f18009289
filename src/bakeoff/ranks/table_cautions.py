"""What a reader must know of the table itself before quoting anything computed from it."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, by_severity, counted, listing
from bakeoff.ranks import Ints, doubled_ranks, tie_tolerance
from bakeoff.ranks.cluster_cautions import looks_clustered
from bakeoff.ranks.process_cautions import input_cautions
from bakeoff.scores import Array, Scores
from bakeoff.scores.cells import unequal_pairs
from bakeoff.scores.run_pairing import unpaired_problems
from bakeoff.scores.run_status import failures, listed_failures

LIKE_PROBLEMS = 10.0
"""Times as much as columns, rows differ in scale where they are problems: of games, errors, times."""
OFTEN = 0.05
"""Share of problems with ties from which lost digits would matter."""
NEIGHBOURS = 20
"""In the order of its scores, an algorithm is held against so many next ones to see what ties come from."""
FEW_VALUES = 10
"""Up to so many different scores in a table, they are answers, grades or counts, and ties are no rounding."""


def table_cautions(scores: Scores, ranks: Ints | None = None) -> list[Caution]:
    """Of the table itself, before any test; ``ranks``: the doubled ones, if they are known."""
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
    return caution_of("one-problem", "table") if scores.n_problems == 1 else None


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
    one = caution_of("one-problem", "table")
    if one in cautions:
        cautions = [caution for caution in cautions if caution == one or caution.code != "one-problem"]
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
    """How many times the smallest the largest range of scores is, of rows (1) or of columns (0)."""
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
OF_TIMES = (
    "On a problem, shares and means of few runs are more often at an end than those of many. Equal solvers are then "
    "declared different too often: by shares solved, by penalised means of few problems, by the order of tied times."
)
OF_PROFILES = (
    "Cells with few runs and cells with many have different distributions. Curves of equal algorithms then differ, and "
    "the swap test of two algorithms shows a difference too often."
)
WITHIN_PROBLEMS = (
    "The null hypothesis is that the runs of both have the same distribution on the problem. If only their medians are "
    "equal, + and − are too frequent if the one with fewer runs spreads more, and too rare if it spreads less."
)


def unequal_runs(scores: Scores, consequence: str = OF_MEANS) -> Caution | None:
    """Of a pair one algorithm has more runs nearly everywhere, with this consequence."""
    return unequal_counts(scores.n_runs, scores.algorithms, consequence)


def unequal_counts(counts: npt.NDArray[np.int64], algorithms: Sequence[str], consequence: str) -> Caution | None:
    """The same of ``counts`` (n, k) of runs."""
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
    """Of the problems that are left: where a failure does not count as the worst, other runs stand for it."""
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
    """Of each column the unit of the last decimal digit that any of its scores has; 0 if they have twelve or more."""
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
