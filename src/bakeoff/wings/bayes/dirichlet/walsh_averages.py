"""Shares of the Walsh averages (z_i + z_j)/2 above and below a rope, under random weights w_i w_j, in O(n) per draw.

A sum x_i + x_j has the sign of its larger member. With x sorted by size and T_i = w_1 + … + w_i,

    Σ_ij w_i w_j I[x_i + x_j > 0] = Σ_{x_i > 0} (w_i² + 2 w_i T_{i−1}) = Σ_{x_i > 0} (T_i² − T_{i−1}²),

positive members standing first among those of equal size. x = z − rope counts what is above the rope, x = −z − rope
what is below. Sizes are tied as in the signed-rank test, so that only whole numbers are compared. With clusters the
weight of a cluster is spread evenly over its problems.
"""

import threading

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass, replace
from bakeoff.paired.differences import Differences, doubled_signed_ranks
from bakeoff.randomness import chunk_size, in_chunks
from bakeoff.ranks import Ints, refuse_overflow, tie_tolerance
from bakeoff.scores import Array
from bakeoff.wings.bayes.dirichlet.shares import Triple
from bakeoff.wings.bayes.dirichlet.weights import ClusterRows, alike, rows_by_content

MOST_KEPT = 1_000_000  # draws kept on a result (24 MB); beyond, they are only counted
FEW = 128  # draws side by side (thousands of problems) below which a loop over problems costs more than it saves

Half = tuple[int, int, int]  # better, equivalent, worse, in halves of a draw


@dataclass(frozen=True, slots=True)
class Side:
    """The part beyond one edge of the rope: the weights in order of |x|, and the runs of positive x among them."""

    signs: Ints  # (m,) of x, in the order of the weights
    order: Ints  # (m,)
    starts: Ints  # (r,) first place of each run
    ends: Ints  # (r,) first place after it


@dataclass(frozen=True, slots=True)
class WalshPosteriorInput:
    """Both sides and the prior: everything the posterior of the three shares depends on."""

    above: Side
    below: Side
    n: int
    strength: float
    rope: float
    clusters: ClusterRows | None  # of the n differences, in the order in which they have weights
    atoms: "WalshPosteriorInput | None" = None  # the same with equal differences once, if there are many
    counts: Ints | None = None  # (n,) how many of each there are

    @property
    def wins(self) -> int:
        return int(np.sum(self.above.signs[: self.n] > 0))

    @property
    def losses(self) -> int:
        return int(np.sum(self.below.signs[: self.n] > 0))

    @property
    def possible(self) -> tuple[bool, bool, bool]:
        """Whether the share better, equivalent, worse can be the largest: one beyond the rope needs a problem."""
        return bool((self.above.signs > 0).any()), self.rope > 0, bool((self.below.signs > 0).any())

    @property
    def certain(self) -> Triple | None:
        """The probabilities where one share is always the largest; for rope 0 also where both are always 0."""
        above, below = self.above.signs > 0, self.below.signs > 0
        if self.rope == 0 and not (above.any() and below.any()):
            better = 0.5 + 0.5 * bool(above.any()) - 0.5 * bool(below.any())
            return better, 0.0, 1.0 - better
        if above.all() or below.all():
            return float(above.all()), 0.0, float(below.all())
        return None if above.any() or below.any() else (0.0, 1.0, 0.0)


def walsh_input(
    differences: Differences, strength: float, rope: float, codes: npt.NDArray[np.int64] | None = None
) -> WalshPosteriorInput:
    """From differences (positive: a better); the prior is one more difference, 0, at the end. ``codes``: clusters."""
    prior = [0.0] if strength > 0 else []
    order = _by_content(differences)
    clusters = None
    if codes is not None and len(np.unique(codes)) < len(codes):
        place = np.empty(len(order), dtype=np.int64)  # among the different contents
        values, scales = differences.values[order], differences.scales[order]
        place[order] = np.cumsum(np.append(False, (np.diff(values) != 0) | (np.diff(scales) != 0)))
        clusters = rows_by_content(codes, place)
        order = clusters.rows

    def of(rows: npt.NDArray[np.intp]) -> WalshPosteriorInput:
        z, scales = (np.concatenate([each[rows], prior]) for each in (differences.values, differences.scales))
        return WalshPosteriorInput(_side(z, scales, rope), _side(-z, scales, rope), len(rows), strength, rope, clusters)

    data = of(order)
    first, counts = alike(np.column_stack([differences.values, differences.scales])[order])
    if clusters is not None or counts is None:
        return data
    atoms = np.argsort(first)  # as their problems stand
    return replace(data, atoms=of(order[first[atoms]]), counts=counts[atoms])


def _by_content(differences: Differences) -> npt.NDArray[np.intp]:
    """Sorted so that neither the order of rows nor an exchange of a and b gives a problem another weight."""
    turn = _turned(differences.values)
    return np.lexsort((differences.scales, turn * differences.values))


def _turned(values: Array) -> float:
    up, down = np.sort(values), np.sort(-values)
    different = np.flatnonzero(up != down)
    return -1.0 if len(different) and up[different[0]] < down[different[0]] else 1.0


def _side(z: Array, scales: Array, rope: float) -> Side:
    """Signs and order of x = z − rope; sizes of x are tied within the tolerance of the scores behind them."""
    with np.errstate(over="ignore"):
        x = z - rope
    refuse_overflow(x, "rope")
    behind = np.maximum(scales, rope)
    on_edge = np.abs(x) <= tie_tolerance(behind) if rope > 0 else z == 0
    exact = Differences(values=np.where(on_edge, 0.0, x), scales=np.where(on_edge, 0.0, behind))
    ranks = doubled_signed_ranks(exact)
    order = np.lexsort((ranks <= 0, np.abs(ranks)))  # stable: then as in the input
    positive = np.concatenate([[False], ranks[order] > 0, [False]]).astype(np.int8)
    steps = np.diff(positive)
    return Side(np.sign(ranks), order.astype(np.int64), np.flatnonzero(steps > 0), np.flatnonzero(steps < 0))


def mean_shares(data: WalshPosteriorInput) -> Triple:
    """E[share] from E[w_i w_j] = α_i (α_j + [i = j]) / (A(A + 1)), α = (1 … 1, s) and A = n + s.

    With clusters [i = j] is "in the same cluster", α_i = 1/n_i the share of its weight, and n their number.
    """
    above, below = (_mean(side, data) for side in (data.above, data.below))
    return above, max(0.0, 1.0 - (above + below)), below


def _mean(side: Side, data: WalshPosteriorInput) -> float:
    alpha = np.ones(len(side.order))
    alpha[data.n :] = data.strength
    positive = side.signs[side.order] > 0
    if data.clusters is not None:
        alpha[: data.n] = data.clusters.spread(np.ones(data.clusters.n))
        parts = [np.where(data.clusters.codes == g, alpha[: data.n], 0.0) for g in range(data.clusters.n)]
        whole = _squares(alpha[side.order], positive)
        whole += sum(_squares(np.append(part, np.zeros(len(alpha) - data.n))[side.order], positive) for part in parts)
        total = data.clusters.n + data.strength
        return min(1.0, whole / (total * (total + 1.0)))
    a = alpha[side.order]
    terms = a * (a + 1.0 + 2.0 * (np.cumsum(a) - a))
    total = data.n + data.strength
    return min(1.0, float(np.sum(terms[positive])) / (total * (total + 1.0)))


def _squares(a: Array, positive: npt.NDArray[np.bool_]) -> float:
    """Σ_ij a_i a_j I[x_i + x_j > 0]: the prior's own difference, 0 less the rope, is never above it."""
    return float(np.sum((a * (2.0 * np.cumsum(a) - a))[positive]))


def sample_shares(
    data: WalshPosteriorInput, n_draws: int, rng: np.random.Generator, threads: int | None = None
) -> tuple[Array, Half]:
    """The first draws of (better, equivalent, worse), and how often, in halves, each was the largest of all draws."""
    counts, data = data.counts, data.atoms or data
    kept = np.empty((min(n_draws, MOST_KEPT), 3))
    halves, first = np.zeros(3, dtype=np.int64), 0
    room = _Room()

    def work(stream: np.random.Generator, size: int) -> tuple[Array, Array, Array]:
        return _chunk(data, stream, size, room, counts)

    for above, below, total in in_chunks(work, n_draws, chunk_size(len(data.above.order)), rng, threads):
        halves += _largest(data.rope, above, below, total)
        rows = kept[first : first + len(above)]
        rows[:, 0] = np.minimum(1.0, above / total)[: len(rows)]
        rows[:, 2] = np.minimum(1.0, below / total)[: len(rows)]
        first += len(above)
    kept[:, 1] = np.maximum(0.0, 1.0 - (kept[:, 0] + kept[:, 2]))
    return kept, (int(halves[0]), int(halves[1]), int(halves[2]))


class _Room(threading.local):
    """Arrays that a thread uses for all its chunks: fresh memory of this size costs more than the arithmetic."""

    weights = np.empty((0, 0))
    squares = np.empty((0, 0))

    def fit(self, m: int, size: int) -> tuple[Array, Array]:
        if self.weights.shape != (m, size):
            self.weights, self.squares = np.empty((m, size)), np.zeros((m + 1, size))
        return self.weights, self.squares


def _chunk(
    data: WalshPosteriorInput, stream: np.random.Generator, size: int, room: _Room, counts: Ints | None = None
) -> tuple[Array, Array, Array]:
    """(size,) of what is above and below the rope, and of the whole, by weights that are not normalised."""
    n, above, below = data.n, data.above, data.below
    weights, squares = room.fit(len(above.order), size)
    if counts is not None:
        weights[:n] = stream.standard_gamma(counts[:, None], (n, size))
    elif data.clusters is None:
        stream.standard_exponential(out=weights[:n])
    else:
        weights[:n] = data.clusters.spread(stream.standard_exponential((size, data.clusters.n))).T
    if data.strength > 0:
        weights[n] = stream.standard_gamma(data.strength, size)
    total = weights.sum(axis=0)
    _fill_squares(above.order, weights, squares)
    better = _beyond(above, squares)
    if not np.array_equal(above.order, below.order):
        _fill_squares(below.order, weights, squares)
    return better, _beyond(below, squares), total * total


def _fill_squares(order: Ints, weights: Array, squares: Array) -> None:
    """(m + 1, size): T_i², T_0 = 0, all draws side by side."""
    if squares.shape[1] < FEW:
        np.cumsum(weights[order], axis=0, out=squares[1:])
    else:
        for i, row in enumerate(order.tolist()):
            np.add(squares[i], weights[row], out=squares[i + 1])
    squares *= squares


def _beyond(side: Side, squares: Array) -> Array:
    """Σ (T_i² − T_{i−1}²) over positive x, a run of them at a time."""
    if squares.shape[1] < FEW:
        return np.asarray((squares[side.ends] - squares[side.starts]).sum(axis=0))
    share, step = np.zeros(squares.shape[1]), np.empty(squares.shape[1])
    for start, end in zip(side.starts.tolist(), side.ends.tolist(), strict=True):
        share += np.subtract(squares[end], squares[start], out=step)
    return share


def _largest(rope: float, above: Array, below: Array, total: Array) -> Ints:
    """In halves of a draw: rope 0 compares above with below, equal ones count half for each."""
    n = len(above)
    if rope == 0:
        better = 2 * int(np.sum(above > below)) + int(np.sum(above == below))
        return np.array([better, 0, 2 * n - better])
    within = total - (above + below)
    better = 2 * int(np.sum(above > np.maximum(below, within)))
    worse = 2 * int(np.sum(below > np.maximum(above, within)))
    return np.array([better, 2 * n - better - worse, worse])
