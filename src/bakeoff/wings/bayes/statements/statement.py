"""Directional statements "a is better than b", the partial order they give, and their fields and cautions."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import choice
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, counted, listing
from bakeoff.ranks import Ints, tie_tolerance
from bakeoff.scores import Array, Scores
from bakeoff.wings.bayes.dirichlet.mean_ranks import check_ranking

# The partial order given by a list of "a is better than b": levels for drawing, cycles, edges without redundant ones.
#
# Pairwise statements need not be transitive: a > b, b > c and c > a can all be probable at once, when every problem has
# an order of its own. Algorithms that form a cycle are collapsed into one group; between groups the relation is a
# partial order.


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
    """The relation of what can be reached from what (Warshall 1962); an element reaches itself only through a cycle."""
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


REFERENCE = "Benavoli et al. (2015), section 5.3"
STATEMENT_PRIORS = ("flat", "exchangeable", "ignorance", "equal")
StatementPrior = Literal["flat", "exchangeable", "ignorance", "equal"] | Sequence[str]


def statement_prior(prior: StatementPrior | None, scores: Scores) -> tuple[str, Ints | None]:
    """The prior in force, by default exchangeable from three algorithms on; of a "ranking" also the places."""
    if prior is None:
        return ("exchangeable" if scores.n_algorithms > 2 else "flat"), None
    if isinstance(prior, str) and (prior in STATEMENT_PRIORS or prior not in scores.algorithms):
        return choice("prior", prior, STATEMENT_PRIORS), None
    return "ranking", check_ranking(scores, prior, f"one of {', '.join(map(repr, STATEMENT_PRIORS))}, or ")


def best_first(scores: Scores, places: Ints | None) -> tuple[str, ...] | None:
    """The names of a prior ranking."""
    return None if places is None else tuple(scores.algorithms[j] for j in np.argsort(places))


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One directional statement about a pair, in a list sorted by probability."""

    better: str  # the algorithm called better
    worse: str  # the algorithm called worse
    probability: float  # that this statement holds
    standard_error: float  # of the probability; 0: exact
    joint: float  # probability that this statement and all before it hold
    joint_standard_error: float  # of the draws; 0: exact
    accepted: bool  # whether it is among those that hold at once with probability 1 − gamma
    verdict: str  # "accepted" | "not accepted" | "indeterminate": it depends on the prior | "cannot tell"
    wins: int  # problems where the better one is better
    losses: int  # problems where the worse one is better
    ties: int
    probability_bounds: tuple[float, float] | None = None  # over all prior rankings; None: not requested
    joint_bounds: tuple[float, float] | None = None  # of joint, or None
    certain_bounds: tuple[float, float] | None = (
        None  # with clusters: over priors of one cluster, if none contradicts it
    )
    """By interval arithmetic; None without."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointStatements:
    """Fields common to all results that accept statements jointly."""

    algorithms: tuple[str, ...]
    statements: tuple[Statement, ...]  # one per pair, most probable first
    joint: float  # probability that all accepted statements hold; 1 if there are none
    joint_standard_error: float  # of the draws; 0: exact
    n_accepted: int  # statements accepted
    order: tuple[tuple[str, str], ...]  # (better, worse): accepted statements without those that a path implies
    maximal: tuple[str, ...]  # no other algorithm is shown to be better
    levels: tuple[tuple[str, ...], ...]  # for drawing, best first
    cycles: tuple[tuple[str, ...], ...]  # sets of algorithms whose statements contradict each other
    gamma: float
    prior_strength: float
    n_draws: int
    n_problems: int
    n_dropped: int  # problems dropped when the scores were read
    method: str  # "exact" | "Monte Carlo"
    cautions: tuple[Caution, ...]
    n_clusters: int | None = None  # the independent draws, if scores have clusters; otherwise problems are


def joint_fields(
    algorithms: tuple[str, ...], statements: tuple[Statement, ...]
) -> tuple[dict[str, Any], list[Caution]]:
    """The fields of ``JointStatements`` that follow from the statements, and cautions about their order."""
    order = partial_order(algorithms, accepted_pairs(statements, algorithms))
    n_accepted = sum(s.accepted for s in statements)
    last = last_accepted(statements) if n_accepted else None
    fields = {
        "algorithms": algorithms,
        "statements": statements,
        "joint": last.joint if last else 1.0,
        "joint_standard_error": last.joint_standard_error if last else 0.0,
        "n_accepted": n_accepted,
        "order": order.edges,
        **{name: getattr(order, name) for name in ("maximal", "levels", "cycles")},
    }
    return fields, _order_cautions(order)


def last_accepted(statements: Sequence[Statement]) -> Statement:
    """The accepted one whose ``joint`` is that of all accepted ones; there must be one."""
    return next(s for s in reversed(statements) if s.accepted)


def columns_by_name(scores: Scores) -> npt.NDArray[np.intp]:
    """Columns sorted by name, so that results do not depend on the order of columns."""
    return np.array(sorted(range(scores.n_algorithms), key=scores.algorithms.__getitem__), dtype=np.intp)


def pair_signs(costs: Array, scales: Array | None) -> npt.NDArray[np.int8]:
    """(n, m) for every pair of columns a < b: +1 where a is better, −1 where b is, 0 for a tie.

    Comparisons are exact; where costs are means over runs, within the tie tolerance of each pair's ``scales``.
    """
    n, k = costs.shape
    signs = np.empty((n, k * (k - 1) // 2), dtype=np.int8)
    done = 0
    for a in range(k - 1):
        one, others = costs[:, a : a + 1], costs[:, a + 1 :]
        directions = (one < others).view(np.int8) - (one > others).view(np.int8)
        if scales is not None:
            tolerance = tie_tolerance(np.maximum(scales[:, a : a + 1], scales[:, a + 1 :]))
            with np.errstate(over="ignore", invalid="ignore"):
                directions[np.abs(others - one) <= tolerance] = 0
        signs[:, done : done + k - 1 - a] = directions
        done += k - 1 - a
    return signs


def most_probable_first(
    errors: Array, margins: Array, better: npt.NDArray[np.intp], worse: npt.NDArray[np.intp]
) -> npt.NDArray[np.intp]:
    """Sorted by probability, then margin, then names (as alphabetical positions)."""
    return np.lexsort((worse, better, -np.asarray(margins), errors))


def accepted_pairs(statements: Iterable[Statement], names: Sequence[str]) -> list[tuple[int, int]]:
    place = {name: i for i, name in enumerate(names)}
    return [(place[s.better], place[s.worse]) for s in statements if s.accepted]


def _order_cautions(order: PartialOrder) -> list[Caution]:
    """Cautions about cycles, and about paths between algorithms without an accepted statement."""
    cautions = []
    if order.cycles:
        cautions.append(caution_of("cycle", "statements", names="; ".join(listing(cycle) for cycle in order.cycles)))
    if order.implied:
        cautions.append(caution_of("path-is-no-statement", pairs=counted(order.implied, "pair")))
    return cautions


def undecided_caution(n_draws: int, level: float) -> Caution:
    return caution_of("sampled", "statements", n_draws=n_draws, level=level)


def tied_caution(never: int) -> Caution:
    return caution_of("nothing-differs", "statements", pairs=counted(never, "pair"))
