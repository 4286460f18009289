"""Do problems look as if they came in clusters, though none were given?"""

import math
import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
from scipy.special import pdtrc

from bakeoff.errors import Caution
from bakeoff.ranks import doubled_ranks
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes, cluster_sizes, codes_of, effective_number

LEVEL = 1e-3
"""Of the test that rows repeat in blocks."""
FAR = 4.0
"""Standard deviations beyond its mean over all orders of the rows at which the sum of squares between stems is no
chance. A sum of squares is at most as skewed as chi-square with one degree of freedom, which is beyond in 1.0 %."""
_LAST_PART = re.compile(r"[\s_\-./:|,;@#]+[^\s_\-./:|,;@#]+$")


def looks_clustered(scores: Scores) -> Caution | None:
    """Names share stems whose problems resemble each other, or rows of scores repeat in blocks."""
    if scores.clusters is not None or scores.n_problems < 4 or scores.holes.any():
        return None
    stems = stems_of(scores.problems)
    if stems is not None:
        ranks = doubled_ranks(scores) / 2.0
        if between_stems(ranks, stems) >= FAR:
            return _by_stems(scores, stems, pooled_correlation(ranks, stems))
    repeated = repeated_rows(scores.values)
    return None if repeated is None else _by_blocks(scores, repeated)


def stems_of(names: tuple[str, ...]) -> Codes | None:
    """Whose stem each name has: what is before its last separator (``F1`` of ``F1_d10``); None without any to test."""
    stems = [_LAST_PART.sub("", name) for name in names]
    codes = codes_of(stem if stem and stem != name else f"\0{name}" for stem, name in zip(stems, names, strict=True))
    groups = int(codes.max()) + 1
    return codes if 1 < groups < len(names) else None


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
    found = np.zeros((int(codes.max()) + 1, x.shape[1]))
    np.add.at(found, codes, x)
    return found


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
    "cluster=COLUMN."
)


def _by_stems(scores: Scores, codes: Codes, correlation: float) -> Caution:
    n, groups = scores.n_problems, int(codes.max()) + 1
    first = np.flatnonzero(cluster_sizes(codes) > 1)[0]
    a, b = (scores.problems[i] for i in np.flatnonzero(codes == first)[:2])
    worth = max(1, round(effective_number(codes, correlation)))
    return Caution(
        code="looks-clustered",
        text=f"The names of the {n} problems have {groups} stems (as {a} and {b}), and problems with one stem resemble "
        f"each other: the intraclass correlation of the ranks is {correlation:.2f}, so that they tell about as much as "
        f"{worth} independent ones. {ADVICE}",
        reference=REFERENCE,
    )


def _by_blocks(scores: Scores, repeated: int) -> Caution:
    return Caution(
        code="looks-clustered",
        text=f"{repeated} of {scores.n_problems} rows of scores are equal to the row above them, more "
        f"than by chance: values repeat in blocks. {ADVICE} If they are copies, leave them out.",
        reference=REFERENCE,
    )


REFERENCE = (
    "Mantel (1967), Cancer Research 27, 209–220; Eldridge, Ashby & Kerry (2006), Int. J. Epidemiol. 35, 1292–1300"
)
