"""The Plackett–Luce model: log posterior, gradient, curvature, mode; latent times of tied algorithms.

    P(first, second, …)  =  Π_j λ_(j) / Σ_{l ≥ j} λ_(l),   λ/Σλ ~ Dirichlet(s, …, s)      (Luce 1959, Plackett 1975)

The same order is that of independent exponential times with rates λ. A tied set T in front of others C stands for all
orders of T: P(all times of T before all of C). Given those times, which are drawn (Caron & Doucet 2012), a member of T
was exposed for its own time and each of C until the last of T, and the log posterior of θ = log λ is

    Σ (w_i + s) θ_i − k s log Σ λ_i − Σ_j log Σ_{l ≥ j} λ_(l) − Σ λ_i x_i − (Σ θ_i)²/(2k)

over single places j, with w_i how often i was ahead and x_i its exposure in tied sets. It is concave. The last term
gives the common level of all θ, of which orders say nothing, a normal distribution.
"""

from collections.abc import Sequence

import numpy as np

from bakeoff.dataclass import dataclass, field
from bakeoff.scores.cells import Array
from bakeoff.wings.bayes.mcmc.rankings import ABSENT, RankingBlock, Rankings, TiedSets

NEWTON_STEPS = 100
LARGEST = 600.0  # of θ: beyond, sums of rates overflow
NO_RATE = 1e-300
TRIES, FEW = 5, 1 << 15  # candidates at once for the latent times of few tied algorithms: fewer calls
START = 10  # steps towards the mode of a latent time, where none is known yet
FARTHEST = 700.0  # of a rate times a time: beyond, the event is certain


@dataclass(slots=True, kw_only=True, eq=False)
class PlackettLuce:
    """A log posterior; with ties, given the latent times that were drawn last."""

    rankings: Rankings
    strength: float  # s
    exposure: Array | None = None  # (k, c) x, of the latent times
    _tangents: dict[tuple[int, int], Array] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        return self.rankings.k

    def value_and_gradient(self, x: Array) -> tuple[Array, Array]:
        value, gradient = self._of_single_places(x, [block.single for block in self.rankings.blocks])
        if self.exposure is not None:
            late = np.exp(np.minimum(x.T, LARGEST)) * self.exposure
            value, gradient = value - late.sum(axis=0), gradient - late.T
        return value, gradient

    def gradient(self, x: Array) -> Array:
        theta = np.minimum(x.T, LARGEST)
        rate, rows, seen = np.exp(theta), _rows(theta), np.zeros_like(theta)
        for block in self.rankings.blocks:
            behind = _behind(block, rows)
            seen += _exposed(block, np.divide(block.single, behind, out=behind))
        return self._gradient(theta, rate, seen if self.exposure is None else seen + self.exposure)

    def _of_single_places(self, x: Array, counts: Sequence[Array]) -> tuple[Array, Array]:
        k, s = self.rankings.k, self.strength
        theta = np.minimum(x.T, LARGEST)
        rate, rows, seen = np.exp(theta), _rows(theta), np.zeros_like(theta)
        value = ((self.rankings.ahead + s)[:, None] * theta).sum(axis=0)
        value -= k * s * np.log(rate.sum(axis=0)) + theta.sum(axis=0) ** 2 / (2 * k)
        for block, count in zip(self.rankings.blocks, counts, strict=True):
            behind = _behind(block, rows)
            value -= np.einsum("pbc,pbz->c", np.log(behind), count)
            seen += _exposed(block, np.divide(count, behind, out=behind))
        return value, self._gradient(theta, rate, seen)

    def _gradient(self, theta: Array, rate: Array, seen: Array) -> Array:
        k, s = self.rankings.k, self.strength
        gain = (self.rankings.ahead + s)[:, None] - theta.sum(axis=0) / k
        return np.asarray((gain - rate * (seen + k * s / rate.sum(axis=0))).T)

    def curvature(self, theta: Array) -> Array:
        """(k, k) minus the Hessian at one point (k,), given the mean of the latent exposures."""
        whole = self._curvature(theta, [block.single for block in self.rankings.blocks])
        return whole if self.exposure is None else whole + np.diag(np.exp(theta) * self.exposure.mean(axis=1))

    def _curvature(self, theta: Array, counts: Sequence[Array]) -> Array:
        k = self.rankings.k
        share = np.exp(theta - theta.max())
        share /= share.sum()
        prior = k * self.strength * (np.diag(share) - np.outer(share, share)) + 1.0 / k
        return prior + _curvature(self.rankings, theta, counts)

    def rough_mode(self) -> Array:
        """(k,) the posterior mode, by Newton's method; with ties, of Breslow's approximation: a place to start from."""
        counts, x = [block.rough for block in self.rankings.blocks], np.zeros((1, self.rankings.k))
        value, gradient = self._of_single_places(x, counts)
        for _ in range(NEWTON_STEPS):  # a step that does not climb enough is halved
            step = np.linalg.solve(self._curvature(x[0], counts)[None], gradient[..., None])[..., 0]
            climb = (step * gradient).sum(axis=1)
            if (climb < 1e-20).all():
                break
            for _ in range(30):
                new, slope = self._of_single_places(x + step, counts)
                if (new >= value + 1e-4 * climb - 1e-12 * np.abs(value)).all():
                    break
                step /= 2.0
                climb /= 2.0
            x, value, gradient = x + step, new, slope
        return np.asarray(x[0])

    def draw_times(self, stream: np.random.Generator, x: Array) -> None:
        """New latent times of the tied sets, given strengths (c, k)."""
        rows = _rows(x.T)
        drawn = np.zeros((self.rankings.k, len(x)))
        for number, block in enumerate(self.rankings.blocks):
            if not block.tied:
                continue
            behind = _behind(block, rows)
            own, last = np.zeros_like(behind), np.zeros_like(behind)
            for which, tied in enumerate(block.tied):
                rest = _flat(behind)[tied.behind]
                tangent = self._tangents.get((number, which))
                times, self._tangents[number, which] = _times(stream, tied, rows, rest, tangent)
                real = tied.members <= self.rankings.k
                _flat(own)[tied.places[real]] = times[real]
                _flat(last)[tied.behind] = times.max(axis=0)
            drawn += _gathered(block, np.add.accumulate(last, axis=0) + own)
        self.exposure = drawn


def first_places(model: PlackettLuce, stream: np.random.Generator, x: Array) -> tuple[Array, Array, Array]:
    """First places of each algorithm, as seen, expected, and drawn again; each (k, c), given strengths (c, k).

    Of tied ones one is drawn as first, given the strengths. Problems on which all are tied are left out.
    """
    rankings, rows = model.rankings, _rows(x.T)
    k, c = rankings.k, len(x)
    best = rankings.levels == rankings.levels.min(axis=1, keepdims=True)
    decided = best.sum(axis=1) < (rankings.levels != ABSENT).sum(axis=1)
    alone = decided & (best.sum(axis=1) == 1)
    seen = np.repeat((rankings.counts[alone, None] * best[alone]).sum(axis=0).astype(float)[:, None], c, axis=1)
    for block in rankings.blocks:
        behind = _behind(block, rows) if block.tied else None
        for tied in block.tied:
            assert behind is not None
            b = block.order.shape[1]
            place = tied.places[0]
            ahead = (block.order < k).cumsum(axis=0)[place // b, place % b]  # 1 where the set is the first
            front = TiedSets(members=tied.members[:, ahead == 1], places=tied.places, behind=tied.behind[ahead == 1])
            if not front.behind.size:
                continue
            rest = _flat(behind)[front.behind]
            times, _ = _times(stream, front, rows, rest, None)
            times[front.members > k] = np.inf
            winner = front.members[times.argmin(axis=0), np.arange(len(rest))[:, None]]
            np.add.at(seen, (winner, np.arange(c)), 1.0)
    expected, again = np.zeros((k, c)), np.zeros((k, c))
    patterns, which = np.unique(rankings.levels[decided] != ABSENT, axis=0, return_inverse=True)
    for pattern, many in zip(patterns, np.bincount(which.ravel(), rankings.counts[decided]), strict=True):
        share = np.where(pattern[:, None], rows[:k], 0.0)
        share = share / share.sum(axis=0)
        expected += many * share
        again += stream.multinomial(int(many), share.T).T
    return seen, expected, again


# --- blocks ------------------------------------------------------------------------------------------------------


def _rows(theta: Array) -> Array:
    """(k + 2, c) rates by algorithm; of one that is absent, and of none (whose event is certain)."""
    c = theta.shape[1]
    rates = np.maximum(np.exp(np.minimum(theta, LARGEST)), NO_RATE)
    return np.vstack([rates, np.zeros((1, c)), np.full((1, c), np.inf)])


def _flat(values: Array) -> Array:
    """(places, problems, c) with the first two axes as one; a view."""
    return values.reshape(-1, values.shape[-1])


def _behind(block: RankingBlock, rows: Array) -> Array:
    """(k, b, c) the rate of all from a place to the last one."""
    rows_behind = rows.take(block.order, axis=0)
    for place in range(len(rows_behind) - 2, -1, -1):
        rows_behind[place] += rows_behind[place + 1]
    return rows_behind


def _gathered(block: RankingBlock, by_place: Array) -> Array:
    """(k, c) the sum over problems of what stands at the place of each algorithm."""
    return np.asarray(np.einsum("pbc->pc", _flat(by_place).take(block.index, axis=0)))


def _exposed(block: RankingBlock, rate: Array) -> Array:
    """(k, c) for each algorithm the sum over all places up to its own, and over problems; ``rate`` is overwritten."""
    for place in range(1, len(rate)):
        rate[place] += rate[place - 1]
    return _gathered(block, rate)


def _curvature(rankings: Rankings, theta: Array, counts: Sequence[Array]) -> Array:
    """Σ over places of count · (diag(p) − p pᵀ), p the shares of those that are left there."""
    k = rankings.k
    rows, rate = _rows(theta[:, None]), np.exp(theta)
    own, both = np.zeros((k, 1)), np.zeros((k, k))
    for block, count in zip(rankings.blocks, counts, strict=True):
        behind, b = _behind(block, rows), block.order.shape[1]
        own += _exposed(block, count / behind)
        squares = np.add.accumulate(count / behind**2, axis=0)[:, :, 0]
        place = block.index // b
        for i in range(k):
            met = np.minimum(place[i], place)
            both[i] += squares[met, np.arange(b)].sum(axis=1)
    return np.diag(rate * own[:, 0]) - rate[:, None] * rate * both


# --- ties --------------------------------------------------------------------------------------------------------


def _times(
    stream: np.random.Generator, tied: TiedSets, rows: Array, rest: Array, tangent: Array | None
) -> tuple[Array, Array]:
    """(m, G, c) times of the members of tied sets, all before the first of ``rest`` (G, c), the rate behind them.

    In units of 1/rest the time M of that first one has density ∝ e^(−M) Π (1 − e^(−r_i M)), r_i = λ_i/rest. The
    logarithm of the product is concave in log M, so its tangent at any point, of slope q, is an upper bound: M is drawn
    from Gamma(q + 1) and accepted with the ratio of product and bound, above 1/3 where the point is near the mode.
    Members then are exponential, cut at M. Returned beside them: a better point for the next time.
    """
    with np.errstate(over="ignore"):
        ratio = (rows[tied.members] / rest).reshape(len(tied.members), -1)
    at = np.ones(rest.size) if tangent is None else tangent.ravel()
    for _ in range(START if tangent is None else 0):
        at = _nearer(ratio, at)[0]
    better, product, slope = _nearer(ratio, at)
    bound = product - slope * np.log(at)
    waiting = np.empty(ratio.shape[1])
    left, tries = np.arange(ratio.shape[1]), TRIES if ratio.size < FEW else 1
    while left.size:
        drawn = stream.standard_gamma(slope[left] + 1.0, (tries, left.size))
        gap = _log_product(ratio[:, None, left], drawn) - bound[left] - slope[left] * np.log(drawn)
        taken = -stream.standard_exponential(drawn.shape) < gap
        first, done = taken.argmax(axis=0), taken.any(axis=0)
        waiting[left[done]] = drawn[first[done], np.flatnonzero(done)]
        left = left[~done]
    times = _cut_times(stream, rows[tied.members], (waiting / rest.ravel()).reshape(rest.shape))
    return times, better.reshape(rest.shape)


def _log_product(ratio: Array, at: Array) -> Array:
    """Σ log(1 − e^(−r_i M))."""
    with np.errstate(over="ignore"):
        return np.asarray(np.log(-np.expm1(-np.clip(ratio * at, NO_RATE, FARTHEST))).sum(axis=0))


def _nearer(ratio: Array, at: Array) -> tuple[Array, Array, Array]:
    """A step of Newton's towards the mode, 1 + slope = M; and, where it started, the same and its slope in log M.

    The slope is Σ y/(e^y − 1), y = r_i M, convex and falling: from the left the steps never go too far.
    """
    with np.errstate(over="ignore"):
        y = np.clip(ratio * at, NO_RATE, FARTHEST)
    less = -np.expm1(-y)
    share = y * (1.0 - less) / less
    slope, bend = share.sum(axis=0), (share * (1.0 - y - share)).sum(axis=0) / at
    better = np.clip(at + (1.0 + slope - at) / (1.0 - np.minimum(bend, 0.0)), 1.0, len(ratio) + 1.0)
    return better, np.log(less).sum(axis=0), slope


def _cut_times(stream: np.random.Generator, rate: Array, most: Array) -> Array:
    """(m, G, c) exponential with these rates, given that they are below ``most`` (G, c); 0 for an infinite rate."""
    with np.errstate(over="ignore"):
        inside = -np.expm1(-np.minimum(rate * most, FARTHEST))
        return np.asarray(-np.log1p(-stream.random(rate.shape) * inside) / rate)
