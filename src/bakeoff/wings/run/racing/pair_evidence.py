"""Evidence on pairs that is valid at every look: from counts of wins, as an interval, and from differences.

That j beats i more often than i beats j, from counts alone:

    E(w, l) = mean over L in GRID of (1 + L)^w (1 − L)^l

after w wins and l losses of j (ties are ignored). If P(j wins | past) <= P(j loses | past) on every problem, each
factor has a mean of at most 1, so E is an e-process: P(E ever reaches c) <= 1/c, for any grid that is fixed in
advance. The default grid covers probabilities of a win from 0.515 to 0.95. Where the number N of problems is known,
only steps from 2/√N on are of use: chances of a win below 1/2 + 1/√N are not told from 1/2 in N problems.

With clusters a whole cluster is one problem, of which j won the share w and lost the share l, w + l <= 1:

    E = mean over L in GRID of Π_t (1 + L (w_t − l_t)),

whose factors are positive, as |w_t − l_t| <= 1, and have a mean of at most 1 if E(w_t | past) <= E(l_t | past).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from bakeoff import special
from bakeoff.checks import positive
from bakeoff.errors import InfiniteScoreError, ParameterError
from bakeoff.nulls.numerics import root_between
from bakeoff.scores.cells import Array

GRID = (0.03, 0.06, 0.12, 0.24, 0.48, 0.9)

Ints = npt.NDArray[np.int64]
Counts = Ints | Array  # wins; of clusters the sums of shares won
Bets = Sequence[tuple[float, float]]  # what a share won and one lost add to a factor


def horizon_grid(n_problems: int) -> tuple[float, ...]:
    """Six steps from 2/√N to 0.9 in equal ratios, to three digits: the same numbers on every machine."""
    lowest = min(2.0 / math.sqrt(n_problems), GRID[-1])
    steps = (lowest * (GRID[-1] / lowest) ** (k / 5.0) for k in range(6))
    return tuple(sorted({float(f"{step:.3g}") for step in steps}))


def checked_grid(grid: Sequence[float]) -> tuple[float, ...]:
    if not grid or not all(0.0 < step < 1.0 for step in grid):
        raise ParameterError(f"must be numbers between 0 and 1; got {grid!r}", parameter="grid")
    return tuple(grid)


def log_pair_evidence(wins: npt.ArrayLike, losses: npt.ArrayLike, grid: Sequence[float] = GRID) -> Array:
    """log E(w, l), any shape."""
    won, lost = np.broadcast_arrays(np.asarray(wins, dtype=float), np.asarray(losses, dtype=float))
    return log_grid_mean(*(won * np.log1p(step) + lost * np.log1p(-step) for step in grid))


def log_grid_mean(*logs: Array) -> Array:
    """log of the mean of exponentials, without overflow."""
    largest = logs[0]
    for log in logs[1:]:
        largest = np.maximum(largest, log)
    total = sum((np.exp(log - largest) for log in logs), start=np.zeros_like(largest))
    return np.asarray(largest + np.log(total / len(logs)))


def log_likelihood_ratio(wins: npt.ArrayLike, losses: npt.ArrayLike, points: Iterable[float], edge: float) -> Array:
    """log of the mean over p in ``points`` of (p/edge)^w ((1 − p)/(1 − edge))^l."""
    won, lost = np.broadcast_arrays(np.asarray(wins, dtype=float), np.asarray(losses, dtype=float))
    return log_grid_mean(*(won * math.log(p / edge) + lost * math.log((1.0 - p) / (1.0 - edge)) for p in points))


class ShareEvidence:
    """log of the mean over bets (u, v) of Π_t (1 + u w_t + v l_t), of shares won and lost in clusters, by pairs."""

    def __init__(self, bets: Bets, shape: tuple[int, ...]) -> None:
        self._bets = bets
        self._logs = np.zeros((len(self._bets), *shape))

    def add(self, won: Array, lost: Array) -> None:
        """One cluster: the shares of its problems won and lost."""
        for log, (up, down) in zip(self._logs, self._bets, strict=True):
            log += np.log1p(up * won + down * lost)

    @property
    def log(self) -> Array:
        return log_grid_mean(*self._logs)

    def keep(self, keep: npt.NDArray[np.bool_]) -> None:
        self._logs = self._logs[..., keep, :][..., keep]

    def widen(self, n: int) -> None:
        self._logs = np.pad(self._logs, [(0, 0)] * (self._logs.ndim - 2) + [(0, n), (0, n)])


def even_bets(grid: Sequence[float]) -> Bets:
    """For "j wins more than it loses": 1 + L(w − l)."""
    return [(step, -step) for step in grid]


def ratio_bets(points: Iterable[float], edge: float) -> Bets:
    """The likelihood ratio of p to ``edge``, p/edge for a win and (1 − p)/(1 − edge) for a loss, made linear in shares.

    Under P >= edge > p, which is E(l)/(1 − edge) <= E(w)/edge, a factor has the mean
    1 + (edge − p)(E(l)/(1 − edge) − E(w)/edge) <= 1.
    """
    return [(p / edge - 1.0, (1.0 - p) / (1.0 - edge) - 1.0) for p in points]


class PairTable:
    """A function of two counts, by default log E, tabulated on demand: a look-up is cheaper for 10 000 pairs."""

    def __init__(self, function: Callable[[npt.ArrayLike, npt.ArrayLike], Array] = log_pair_evidence) -> None:
        self._function = function
        self._table = np.zeros((0, 0))

    def __call__(self, wins: Counts, losses: Counts) -> Array:
        """log E(w, l), or the other function, of whole numbers."""
        needed = max(int(wins.max(initial=0)), int(losses.max(initial=0))) + 1
        if needed > _LARGEST:
            return self._function(wins, losses)
        if needed > len(self._table):
            size = min(_LARGEST, max(64, 2 * needed))
            counts = np.arange(size)
            self._table = self._function(counts[:, None], counts[None, :])
        return np.asarray(self._table[wins.astype(np.int64, copy=False), losses.astype(np.int64, copy=False)])


PAIRS = PairTable()
"""Table of the default grid, shared by all races."""


@lru_cache(maxsize=4)
def pair_table(grid: tuple[float, ...]) -> PairTable:
    """The table of a grid, shared by the races with it."""
    return PAIRS if grid == GRID else PairTable(partial(log_pair_evidence, grid=grid))


_LARGEST = 2048  # 32 MB; larger counts are computed directly


# How often does a beat b, where they differ? An interval that may be looked at after every problem.
#
# The chances p that the e-process against them has not yet excluded: with w wins and l losses
#
#     e(p) = B(1 + w, 1 + l) / (p^w (1 − p)^l)
#
# is the likelihood ratio of the uniform mixture against p, an e-process under p, so by Ville's inequality the true p is
# ever outside {p: e(p) < 1/α} with probability at most α (Robbins 1970). The set is an interval around w/(w + l).
#
# With clusters w and l are sums of shares of their problems, and p is E(won)/E(won + lost) of a cluster: by convexity
#
#     (q/p)^w ((1 − q)/(1 − p))^l <= 1 + w (q/p − 1) + l ((1 − q)/(1 − p) − 1)   for w, l >= 0 with w + l <= 1,
#
# and the right side has mean 1, so e(p) is still at most an e-process.


def win_confidence(wins: float, losses: float, alpha: float) -> tuple[float, float]:
    """The ends of the interval; (0, 1) before the first win or loss."""
    if wins + losses == 0:
        return 0.0, 1.0
    limit = float(special.betaln(1.0 + wins, 1.0 + losses)) + math.log(alpha)  # inside: log p^w (1 − p)^l > limit

    def excess(p: float) -> float:
        return float(special.xlogy(wins, p) + special.xlog1py(losses, -p)) - limit

    peak = wins / (wins + losses)
    low = 0.0 if wins == 0 else root_between(excess, 0.0, peak, 1e-15 * peak)
    high = 1.0 if losses == 0 else root_between(lambda p: -excess(p), peak, 1.0, 1e-15)
    return low, high


# Evidence that may be looked at after every instance: e-processes for paired differences.
#
# An e-process is a non-negative process that starts at 1 and whose mean is at most 1 under the null hypothesis at any
# stopping time, so P(it ever reaches 1/α) <= α (Ville's inequality), however often one looks and whenever one stops.
# Every function takes the differences in their canonical order (never in order of completion) and returns the natural
# logarithm of the evidence after 1, 2, …, n of them. Positive differences favour a.


_LAMBDAS = (0.25, 0.5, 1.0, 2.0)  # the mixture of the signed-rank process


def log_e_two_point(differences: Array, effect_size: float = 0.5) -> Array:
    """Mean 0, normal, unknown variance, against |mean|/sd = d*, half the weight on each side.

    e_n = [f(t; ν, d*√n) + f(t; ν, −d*√n)] / (2 f(t; ν, 0)) = exp(−n d*²/2) ₁F₁(n/2; 1/2; n d*² u²/2)

    with f the noncentral t density, ν = n − 1 and u² = t²/(ν + t²).
    """
    positive("effect_size", effect_size)
    n, u2 = _t_paths(differences)
    half = 0.5 * n * effect_size**2
    log_e = np.array([_log_1f1(m / 2.0, z) for m, z in zip(n.tolist(), (half * u2).tolist(), strict=True)]) - half
    log_e[:1] = 0.0  # one difference says nothing without its variance
    return log_e


def log_e_sign(differences: Array) -> Array:
    """P(a better | not equal) = 1/2, uniformly mixed: e_n = 2^{W+L} B(1 + W, 1 + L); equal ones count nothing.

    Needs no assumption on the differences, but speaks about who wins more often, not about the mean.
    """
    x = _finite_or_infinite(differences)
    wins, losses = np.cumsum(x > 0), np.cumsum(x < 0)
    return np.asarray((wins + losses) * math.log(2.0) + special.betaln(1.0 + wins, 1.0 + losses))


def log_e_signed_rank(differences: Array) -> Array:
    """Differences symmetric about 0: sequential signed ranks.

    Given |x_1| … |x_i| the sign of x_i is a fair coin, so with u_i = (rank of |x_i| among the first i)/(i + 1)

    e_n = mean over λ in {±1/4, ±1/2, ±1, ±2} of Π_i exp(λ s_i u_i) / cosh(λ u_i);  an equal pair contributes 1.
    """
    x = _finite_or_infinite(differences)
    signed = np.sign(x) * _sequential_ranks(np.abs(x))
    lambdas = np.array([sign * size for size in _LAMBDAS for sign in (1.0, -1.0)])[:, None]
    exponents = lambdas * signed
    sizes = np.abs(exponents)
    log_cosh = sizes + np.log1p(np.exp(-2.0 * sizes)) - math.log(2.0)
    steps = np.where(x == 0, 0.0, exponents - log_cosh)
    return np.asarray(special.logsumexp(np.cumsum(steps, axis=1), axis=0) - math.log(len(lambdas)))


def _sequential_ranks(sizes: Array) -> Array:
    """Mid-rank of each among those up to itself, divided by their number plus one: insertion into a sorted list."""
    import bisect

    seen: list[float] = []
    ranks = np.empty(len(sizes))
    for i, size in enumerate(sizes.tolist()):
        low, high = bisect.bisect_left(seen, size), bisect.bisect_right(seen, size)
        seen.insert(high, size)
        ranks[i] = (low + high + 2) / 2.0 / (i + 2)
    return ranks


def _t_paths(differences: Array) -> tuple[Array, Array]:
    """n = 1, 2, … and u² = (Σx)² / (n Σx²), 0 while all differences are 0."""
    x = _finite_or_infinite(differences)
    if not np.all(np.isfinite(x)):
        raise InfiniteScoreError("an e-process for the mean takes finite differences; use the sign process instead")
    largest = float(np.max(np.abs(x), initial=0.0))
    x = x / largest if largest > 0 else x
    n = np.arange(1, x.size + 1, dtype=float)
    squares = np.cumsum(x * x)
    u2 = np.divide(np.cumsum(x) ** 2, n * squares, out=np.zeros(x.size), where=squares > 0)
    return n, np.minimum(u2, 1.0)


def _log_1f1(a: float, z: float) -> float:
    """log ₁F₁(a; 1/2; z) for z >= 0: every term (a)_j/(1/2)_j z^j/j! is positive, so the sum loses no digits."""
    if z == 0.0:
        return 0.0
    # a term is z (a + j) / ((j + 1/2)(j + 1)) times the one before: log-concave, the largest at the peak, no wider
    # than the root of the peak; 12 such widths to either side leave out less than rounding does
    peak = 0.5 * (z + math.sqrt(z * z + 4.0 * a * z))
    reach = 12.0 * math.sqrt(peak + 1.0) + 40.0
    j = np.arange(max(0, int(peak - reach)), int(peak + reach), dtype=float)
    terms = special.gammaln(a + j) - special.gammaln(0.5 + j) - special.gammaln(1.0 + j) + j * math.log(z)
    return float(special.logsumexp(terms) - special.gammaln(a) + special.gammaln(0.5))


def _finite_or_infinite(differences: Array) -> Array:
    x = np.asarray(differences, dtype=float)
    if x.ndim != 1 or np.any(np.isnan(x)):
        raise ParameterError("differences must be a list of numbers without NaN, in their canonical order")
    return x
