"""The partial order given by a list of "a is better than b": levels for drawing, cycles, edges without redundant ones.

Pairwise statements need not be transitive: a > b, b > c and c > a can all be probable at once, when every problem has
an order of its own. Algorithms that form a cycle are collapsed into one group; between groups the relation is a
partial order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Relation = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialOrder:
    """A relation with its cycles collapsed; everything is in the order of the names given."""

    edges: tuple[tuple[str, str], ...]  # transitive reduction; a cycle is represented by its first name
    maximal: tuple[str, ...]  # none outside their own cycle is stated to be better
    levels: tuple[tuple[str, ...], ...]  # 0: the maximal ones; else one below the lowest of those that are better
    cycles: tuple[tuple[str, ...], ...]  # groups of two or more that are better than one another
    implied: int  # pairs, in no cycle together, that a path connects though no statement does


def partial_order(names: Sequence[str], pairs: Sequence[tuple[int, int]]) -> PartialOrder:
    """The partial order of statements (better, worse), given by position in ``names``."""
    k = len(names)
    stated = np.zeros((k, k), dtype=bool)
    for better, worse in pairs:
        stated[better, worse] = True
    reach = closure(stated)
    group = groups(reach)
    heads = np.unique(group)
    between = reach[np.ix_(heads, heads)] & ~np.eye(len(heads), dtype=bool)
    level = _levels(between)[np.searchsorted(heads, group)]
    first = [names[head] for head in heads.tolist()]
    members = [_named(names, group == head) for head in heads]
    return PartialOrder(
        edges=tuple((first[i], first[j]) for i, j in np.argwhere(reduction(between)).tolist()),
        maximal=_named(names, level == 0),
        levels=tuple(_named(names, level == v) for v in range(int(level.max()) + 1)),
        cycles=tuple(member_group for member_group in members if len(member_group) > 1),
        implied=int((reach & ~stated & (group[:, None] != group)).sum()),
    )


def _named(names: Sequence[str], chosen: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(names[i] for i in np.flatnonzero(chosen).tolist())


def closure(relation: Relation) -> Relation:
    """Which can be reached from which (Warshall 1962); an element reaches itself only through a cycle."""
    reach = relation.copy()
    for middle in range(len(reach)):
        before = np.flatnonzero(reach[:, middle])
        if len(before):
            reach[before] |= reach[middle]
    return reach


def groups(reach: Relation) -> npt.NDArray[np.int64]:
    """(k,) the first member of everyone's strongly connected component, itself if it is in no cycle."""
    mutual = (reach & reach.T) | np.eye(len(reach), dtype=bool)
    return np.asarray(np.argmax(mutual, axis=1), dtype=np.int64)


def reduction(reach: Relation) -> Relation:
    """The fewest edges with the same paths, of a transitively closed relation without cycles (unique: Aho 1972)."""
    counts = reach.astype(np.float32)  # whole numbers below 2^24 are exact
    return np.asarray(reach & ~(counts @ counts > 0.5))


def _levels(reach: Relation) -> npt.NDArray[np.int64]:
    """(g,) length of the longest path that ends here, of a transitively closed relation without cycles."""
    level = np.zeros(len(reach), dtype=np.int64)
    for i in np.argsort(reach.sum(axis=0), kind="stable"):  # better ones first: they are below fewer others
        above = np.flatnonzero(reach[:, i])
        if len(above):
            level[i] = level[above].max() + 1
    return level
