"""What a dominance graph shows: the accepted statements as blocks of algorithms and the edges between them.

Algorithms of a cycle are one block. So are algorithms that stand in the same relations to all others: their edges
would coincide, and graphs of thirty algorithms stay readable.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.errors import counted
from bakeoff.figures.geometry.metrics import printable
from bakeoff.wings.bayes import JointComparison
from bakeoff.wings.bayes.statements.partial_order import closure, groups, reduction
from bakeoff.wings.bayes.statements.wording import at_least, chance, chance_phrase

Relation = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Algorithms drawn in one box; ``cycle``: the statements among them form a cycle."""

    members: tuple[int, ...]
    cycle: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """From the better block to the worse one, by position in ``blocks``."""

    better: int
    worse: int
    probability: float  # the smallest of the statements between the two
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Joint statements as their diagrams need them."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    stated: Relation  # (k, k) the accepted statements
    blocks: tuple[Block, ...]
    edges: tuple[Edge, ...]
    levels: tuple[int, ...]  # of each block: 0 where no other is stated to be better
    implied: int  # pairs connected by a path but by no statement
    caption: str

    @property
    def k(self) -> int:
        return len(self.names)

    @property
    def n_levels(self) -> int:
        return max(self.levels) + 1


def order_of(joint: JointComparison) -> Order:
    """Read the result of ``bayes.compare``."""
    names = tuple(joint.algorithms)
    place = {name: i for i, name in enumerate(names)}
    k = len(names)
    stated = np.zeros((k, k), dtype=bool)
    probability = np.full((k, k), np.inf)
    for s in joint.statements:
        if s.accepted:
            i, j = place[s.better], place[s.worse]
            stated[i, j] = True
            probability[i, j] = s.probability if s.probability_bounds is None else s.probability_bounds[0]
    reach = closure(stated)
    blocks = _blocks(reach)
    first = [block.members[0] for block in blocks]
    between = reach[np.ix_(first, first)] & ~np.eye(len(first), dtype=bool)
    labels = tuple(printable(name) for name in names)
    edges = [_edge(blocks, labels, probability, i, j) for i, j in np.argwhere(reduction(between)).tolist()]
    return Order(
        names=names,
        labels=labels,
        stated=stated,
        blocks=tuple(blocks),
        edges=tuple(edges),
        levels=tuple(_levels(between)),
        implied=_implied(stated, reach, blocks),
        caption=_caption(joint, int(stated.sum())),
    )


def _blocks(reach: Relation) -> list[Block]:
    """In the order of their first members."""
    group = groups(reach)
    places: dict[Any, list[int]] = {}
    for i, head in enumerate(group.tolist()):
        cycle = bool(reach[i, i])
        key = (head,) if cycle else (reach[i].tobytes(), reach[:, i].tobytes())
        places.setdefault(key, []).append(i)
    return [Block(members=tuple(places[key]), cycle=len(key) == 1) for key in places]


def _edge(blocks: list[Block], labels: tuple[str, ...], probability: npt.NDArray[np.float64], i: int, j: int) -> Edge:
    better, worse = blocks[i].members, blocks[j].members
    smallest = float(probability[np.ix_(better, worse)].min())
    many = len(better) * len(worse) > 1
    who = f"{_names(labels, better)} better than {_names(labels, worse)}"
    return Edge(better=i, worse=j, probability=smallest, hint=f"{who}: {'at least ' if many else ''}{chance(smallest)}")


def _names(labels: tuple[str, ...], members: tuple[int, ...]) -> str:
    shown = [labels[i] for i in members[:6]]
    return ", ".join(shown) + (f" and {len(members) - 6} more" if len(members) > 6 else "")


def _levels(reach: Relation) -> list[int]:
    """The length of the longest path that ends at each block."""
    level = [0] * len(reach)
    for i in np.argsort(reach.sum(axis=0), kind="stable").tolist():
        level[i] = max((level[j] + 1 for j in np.flatnonzero(reach[:, i]).tolist()), default=0)
    return level


def _implied(stated: Relation, reach: Relation, blocks: list[Block]) -> int:
    """Pairs connected by a path of edges but by no statement."""
    apart = np.ones_like(stated)
    for block in blocks:
        apart[np.ix_(block.members, block.members)] = False
    return int((reach & ~stated & apart).sum())


def _caption(joint: JointComparison, accepted: int) -> str:
    """Sizes, the number of accepted statements, and their joint probability."""
    n, k = joint.n_problems, len(joint.algorithms)
    sizes = f"{k} algorithms on {counted(n, 'problem')}"
    if not accepted:
        return f"{sizes}: no statement is accepted at joint probability {1 - joint.gamma:g}."
    level = 1 - joint.gamma
    exact = joint.joint_standard_error == 0
    together = "holds" if accepted == 1 else "hold together"
    if joint.joint_bounds is None:
        held, whose = chance_phrase(float(joint.joint), level, exact=exact), ""
    else:
        held = f"P {at_least(joint.joint_bounds[0], level, exact=exact)}"
        whose = " All probabilities are the lowest over all prior rankings."
    return f"{sizes}; {counted(accepted, 'statement')} {together}, {held} (above {level:g} was asked for).{whose}"


def graph_notes(order: Order) -> str:
    """What the boxes mean, and what the lines do not."""
    notes = []
    if any(len(block.members) > 1 and not block.cycle for block in order.blocks):
        notes.append("One box: no order stated among its members, the same relations to all others.")
    if any(block.cycle for block in order.blocks):
        notes.append("Dashed box: a cycle; each is better than another member.")
    if order.implied:
        notes.append(f"{counted(order.implied, 'pair')} joined only by a path, not by a statement.")
    return "".join(f" {note}" for note in notes)
