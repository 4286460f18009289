"""Do problems look as if they came in clusters, though none were given?"""

import math
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import chdtri, pdtrc

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution
from bakeoff.ranks import doubled_ranks
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes, cluster_sizes, effective_number

LEVEL = 1e-3
"""Of the test that rows repeat in blocks."""
BY_CHANCE = 0.01
"""Chance with which similarity within stems, of any of the ways to cut names, is taken for more than chance."""
MOST_CUTS = 6
FEWEST_OF_A_STEM = 5
_SEPARATORS = re.compile(r"[\s_\-./:|,;@#]+")


def looks_clustered(scores: Scores, until: str = "") -> Caution | None:
    """Names share stems whose problems resemble each other, or rows of scores repeat in blocks.

    ``until`` says what does not hold until they are in clusters.
    """
    if scores.clusters is not None or scores.n_problems < 4 or scores.holes.any():
        return None
    tasks = [name.split("/", 1)[0] for name in scores.problems] if scores.read_as.by_task else []
    if cuts := tuple(_telling(tasks).values()) or stems_of(scores.problems):
        ranks = doubled_ranks(scores) / 2.0
        far, stems = max(((between_stems(ranks, codes), codes) for codes in cuts), key=lambda each: each[0])
        if far >= far_enough(len(cuts)):
            return _by_stems(scores, stems, pooled_correlation(ranks, stems), until)
    repeated = repeated_rows(scores.values)
    return None if repeated is None else _by_blocks(scores, repeated, until)


def one_stem(scores: Scores) -> Caution | None:
    """More than half of the problems are called after one stem, whether or not they resemble each other."""
    if scores.clusters is not None:
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
    """Whose stem each name has, cut at each separator: ``a`` and ``a_b`` of ``a_b_1``; none where no two share one.

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
    """How far similarity within stems is above its mean over all orders of the rows, in standard deviations.

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
    """Of a symmetric matrix without its diagonal."""

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
    """How many rows of scores equal the one above them, if that is more than equal rows in any order would be.

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
