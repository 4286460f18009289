"""The lower tail of a sum of whole numbers, each counted or not by a fair coin, without counting every sum.

With T = Σ r_i B_i, the tilted probabilities p_i = 1/(1 + e^(−θ r_i)), θ < 0, K(θ) = Σ log((1 + e^(θ r_i))/2) and
φ(u) = Π (1 − p_i + p_i e^(iu r_i)), the generating function on the circle |x| = e^θ, divided by 1 − x, gives

    P(T ≤ w) = e^(K(θ) − θw) g,  g = (1/2π) ∫ φ(u) e^(−iuw) / (1 − e^(θ + iu)) du  over (−π, π):

Daniels (1954, Ann. Math. Statist. 25, 631–650) chooses θ so that the tilted mean is w, which leaves an integral that
hardly cancels, however small the tail. Near the mean θ is kept from the pole at 0. What a finite sum leaves out is
bounded, each part by 1e-13 of the tail (θ' = −θ, m the tilted mean):

* The midpoint rule with N nodes is the sum of g at w + jN. Those above w are at most e^(−θ'N)/P(T ≤ w) of g; those
  below are Chernoff's bound of P_θ(T ≤ w − N), exp(−(m − w + N)²/(2 Σ r² p)).
* Nodes are left out where |φ| ≤ ``_NEGLIGIBLE``. With a = 4p(1 − p), −2 log|φ(u)| = −Σ log(1 − a sin²(ur/2)) is at
  least S(u) = Σ (y + y²/2), y = a sin²(ur/2), a cosine polynomial of degree 2R, R = max r, found on a grid by one
  Fourier transform. Between neighbours the root of S changes by at most R·sqrt(max S) times their distance (Bernstein
  and Szegő). So no peak is missed: where few ranks are odd, say, there is one at u = π.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.ranks import Ints
from bakeoff.scores import Array

Complex = npt.NDArray[np.complex128]

_NEGLIGIBLE = 72.0  # −2 log|φ| of nodes left out: 2e-16; the factor beside φ is about 1 on average, g at least 0.005
_SMALL = 34.0  # −log of the relative error
_POLE = 2.0  # standard deviations of T times the least −θ
_MOST_NODES = 1024
_LONGEST = 1 << 19  # largest value for which the grid is worth its while


@dataclass(frozen=True, slots=True, eq=False)
class _Circle:
    """Points e^(iu), u = 2π·places/size: angles are reduced in whole numbers, as near u = π they grow to 10^6."""

    places: Ints
    size: int

    def turned(self, times: int | Ints) -> Complex:
        """e^(iu·times); of many times one row each."""
        turns = np.multiply.outer(times, self.places) % self.size
        turns -= self.size * (2 * turns > self.size)
        return np.asarray(np.exp(turns * (1j * math.tau / self.size)))

    def powers(self, values: Ints) -> Complex:
        """(values, nodes), each of two factors."""
        block = math.isqrt(int(values[-1])) + 1
        high, low = np.divmod(values, block)
        steps = np.arange(block, dtype=np.int64)
        turned_steps = self.turned(steps * block)[high]
        turned_steps *= self.turned(steps)[low]
        return turned_steps


@dataclass(frozen=True, slots=True, eq=False)
class CoinSum:
    """T for values that occur ``counts`` times each; the values (d,) are positive whole numbers, ascending."""

    values: Ints
    counts: Ints

    @classmethod
    def of(cls, steps: Ints) -> CoinSum:
        """The sum of all of them, ascending."""
        return cls(*np.unique(steps, return_counts=True))

    def log_lower(self, w: int) -> float | None:
        """log P(T ≤ w) for w below the mean; None where peaks are too many, as with few values or far out."""
        r, c = self.values.astype(np.float64), self.counts.astype(np.float64)
        largest = int(self.values[-1])
        if largest > _LONGEST:
            return None
        theta = min(_saddle(r, c, w), -_POLE / math.sqrt(float(np.sum(c * r * r)) / 4.0))
        ratios = np.exp(theta * r)
        p = ratios / (1.0 + ratios)
        exponent = float(np.sum(c * (np.log1p(ratios) - math.log(2.0)))) - theta * w
        mean, squares = float(np.sum(c * r * p)), float(np.sum(c * r * r * p))
        # g is at least about 1/(4·sqrt(θ² Σ r² p) + 4)
        depth = math.log(4.0 * math.sqrt(theta * theta * squares) + 4.0)
        above = (_SMALL - exponent + depth) / -theta
        below = w - mean + math.sqrt(2.0 * (_SMALL + depth) * squares)
        n_nodes = 2 * (int(max(above, below)) // 2 + 1)
        n_wanted = _nodes(self.values, c * 4.0 * p * (1.0 - p), c * (4.0 * p * (1.0 - p)) ** 2, n_nodes)
        if n_wanted is None:
            return None
        circle = _Circle(2 * n_wanted + 1, 2 * n_nodes)
        poles = -np.expm1(theta + 1j * math.pi / n_nodes * circle.places)
        inner = self._characteristic(p, circle) * circle.turned(-w) / poles
        g = 2.0 * float(np.sum(inner.real)) / n_nodes
        return exponent + math.log(g) if g > 0.0 else None

    def _characteristic(self, p: Array, nodes: _Circle) -> Complex:
        """(nodes,) φ."""
        factors = nodes.powers(self.values)
        factors *= p[:, None]
        factors += (1.0 - p)[:, None]
        product, counts = np.ones(len(nodes.places), dtype=np.complex128), self.counts
        while True:  # factors to the powers of their counts, bit by bit
            odd = counts & 1 == 1
            product *= factors.prod(axis=0) if odd.all() else factors[odd].prod(axis=0)
            counts = counts >> 1
            left = counts > 0
            if not left.any():
                return product
            factors, counts = factors[left], counts[left]
            factors *= factors


def _saddle(r: Array, c: Array, w: int) -> float:
    """θ with the tilted mean w. The mean is convex in θ < 0, so Newton's steps come down from 0 and do not pass it."""
    theta = 0.0
    for _ in range(60):
        ratios = np.exp(theta * r)
        p = ratios / (1.0 + ratios)
        excess, slope = float(np.sum(c * r * p)) - w, float(np.sum(c * r * r * p * (1.0 - p)))
        if excess * excess <= 1e-2 * slope:
            break
        theta -= excess / slope
    return theta


def _nodes(values: Ints, a: Array, squares: Array, n_nodes: int) -> Ints | None:
    """The nodes k of n, (k + ½)·2π/n in (0, π), where |φ| may not be negligible; None if they are too many.

    ``a`` = Σ 4p(1 − p) of each value, ``squares`` the same of its square.
    """
    degree = 2 * int(values[-1])
    size = 1 << (16 * degree - 1).bit_length()
    weights = np.zeros(degree + 1)
    weights[values] = a / 2.0 + squares / 4.0
    weights[2 * values] -= squares / 16.0
    level = float(np.sum(a / 2.0 + squares * (3.0 / 16.0)))
    lower = np.fft.rfft(weights, size).real
    np.subtract(level, lower, out=lower)  # S at 2πj/size
    slack = math.pi / size * degree / 2.0 * math.sqrt(float(np.sum(a + squares / 2.0)))
    open_cells = np.flatnonzero(lower < (math.sqrt(_NEGLIGIBLE) + slack) ** 2)
    # cell j reaches half a step to either side: k + ½ from (j − ½)·n/size to (j + ½)·n/size
    starts = np.ceil((open_cells - 0.5) * n_nodes / size - 0.5).astype(np.int64)
    stops = np.ceil((open_cells + 0.5) * n_nodes / size - 0.5).astype(np.int64)
    starts, stops = np.maximum(starts, 0), np.minimum(stops, n_nodes // 2)
    widths = np.maximum(stops - starts, 0)
    total = int(widths.sum())
    if total > _MOST_NODES:
        return None
    return np.repeat(starts - (np.cumsum(widths) - widths), widths) + np.arange(total)
