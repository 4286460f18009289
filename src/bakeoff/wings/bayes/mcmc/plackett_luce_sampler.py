"""The posterior of Plackett–Luce strengths: Hamiltonian Monte Carlo, and between its moves new times of tied sets."""

from itertools import pairwise

import numpy as np

from bakeoff.nulls.tails import drawn_share
from bakeoff.scores.cells import Array
from bakeoff.wings.bayes.mcmc.diagnostics import (
    Diagnostic,
    diagnose,
    draws_per_chain,
    error_of_share,
    gives_up,
    good_enough,
)
from bakeoff.wings.bayes.mcmc.plackett_luce_model import PlackettLuce, first_places

# Hamiltonian Monte Carlo, all chains at once, in coordinates where the curvature at the mode is 1.
#
# For log posteriors that are concave with their steepest curvature not far above that at the mode, so that one step
# size
# fits all (Neal 2011, Handbook of Markov Chain Monte Carlo, chapter 5). Trajectories have random lengths.


WARM_UP = 60  # moves, twice: to lose the starting values, and to measure the tails
STEP = 0.6  # leapfrog step at dimension 1; it shrinks like d^(−1/4), which keeps the acceptance rate
TRAJECTORY = (1.0, 2.2)  # lengths; a quarter turn of a Gaussian is π/2
LONGEST_STRETCH = 6.0
FULL = 0.85  # share of moves with the full step; the others, with a quarter of it, leave corners of high curvature


class PlackettLuceSampler:
    """Chains and the coordinates they move in: x = mode + S z with S Sᵀ the inverse curvature at the mode.

    With ties each move is one given latent times, which are then drawn again.
    """

    def __init__(self, stream: np.random.Generator, model: PlackettLuce, n_chains: int) -> None:
        self.stream, self.model, self.has_ties = stream, model, model.rankings.has_ties
        mode = np.round(model.rough_mode(), 6)
        if self.has_ties:
            model.draw_times(stream, np.repeat(mode[None], n_chains, axis=0))
        self.set_coordinates(mode)
        self.step = STEP * model.dimension**-0.25
        self.z = stream.standard_normal((n_chains, model.dimension))
        self.value, self.slope = self._look(self.z)
        self.stretch = 1.0  # of the trajectories

    def set_coordinates(self, mode: Array) -> None:
        """Rounded, they do not depend on how many threads a linear algebra library uses.

        ``mode`` (k,) need not be exact: any is right, a good one is fast.
        """
        self.mode = mode[None]
        lower = np.linalg.cholesky(self.model.curvature(mode)[None])
        self.scale = np.swapaxes(np.linalg.inv(lower), 1, 2).astype(np.float32).astype(np.float64)

    @property
    def x(self) -> Array:
        """(c, d) where the chains are."""
        return self._from(self.z)

    def _from(self, z: Array) -> Array:
        return np.asarray(self.mode + np.einsum("...ij,...j->...i", self.scale, z))

    def _look(self, z: Array) -> tuple[Array, Array]:
        value, gradient = self.model.value_and_gradient(self._from(z))
        return value, self._turned(gradient)

    def _turned(self, gradient: Array) -> Array:
        return np.asarray(np.einsum("...ij,...i->...j", self.scale, gradient))

    def warm_up(self) -> None:
        """Warm up; then stretch the trajectories to the widest coordinate, where tails are longer than a
        Gaussian's (an algorithm that never lost: its strength is bounded by the prior alone).

        With ties the rough mode may be far off: warm up, measure the curvature where the chains are, and again. Given
        latent times the tails are short: long trajectories would only go to and fro.
        """
        for _ in range(WARM_UP):
            self.move()
        squares = np.zeros(self.z.shape[1])
        for _ in range(WARM_UP):
            self.move()
            squares += (self.z**2).mean(axis=0)
        self.stretch = float(np.clip(np.sqrt(squares.max() / WARM_UP), 1.0, LONGEST_STRETCH))
        if not self.has_ties:
            return
        x = self.x
        self.set_coordinates(np.round(x.mean(axis=0), 6))
        where = np.asarray(np.linalg.solve(self.scale[0], (x - self.mode).T).T, dtype=np.float64)
        self.z = np.round(where, 6)  # as in set_coordinates
        self.value, self.slope = self._look(self.z)
        self.stretch = 1.0
        for _ in range(WARM_UP):
            self.move()

    def move(self) -> None:
        """One trajectory of every chain, accepted or not."""
        stream = self.stream
        if self.has_ties:
            self.model.draw_times(stream, self.x)
            self.value, self.slope = self._look(self.z)
        length = self.stretch * stream.uniform(*TRAJECTORY)
        stride = self.step if stream.random() < FULL else self.step / 4
        steps = max(1, round(length / stride))
        step = length / steps
        momentum = stream.standard_normal(self.z.shape)
        energy = self.value - 0.5 * (momentum**2).sum(axis=1)
        with np.errstate(over="ignore", invalid="ignore"):  # where a trajectory goes astray, which is not accepted
            z, slope, value = self.z, self.slope, self.value
            momentum = momentum + 0.5 * step * slope
            for _ in range(steps - 1):
                z = z + step * momentum
                momentum = momentum + step * self._turned(self.model.gradient(self._from(z)))
            z = z + step * momentum
            value, slope = self._look(z)
            momentum = momentum + 0.5 * step * slope
            gain = value - 0.5 * (momentum**2).sum(axis=1) - energy
            accept = -stream.standard_exponential(len(z)) < gain
        self.z = np.where(accept[:, None], z, self.z)
        self.slope = np.where(accept[:, None], slope, self.slope)
        self.value = np.where(accept, value, self.value)


CHECKED = 1000  # draws


def sample_plackett_luce(
    stream: np.random.Generator, model: PlackettLuce, names: tuple[str, ...], n_draws: int, n_chains: int
) -> tuple[Array, tuple[Diagnostic, ...]]:
    """(c, draws, k) log strengths that sum to 0, and a diagnostic for each; more until diagnostics are good."""
    sampler = PlackettLuceSampler(stream, model, n_chains)
    sampler.warm_up()
    block, kept = draws_per_chain(n_draws, n_chains), []
    while True:
        for _ in range(block):
            sampler.move()
            kept.append(sampler.x - sampler.x.mean(axis=1, keepdims=True))
        draws = np.stack(kept, axis=1)
        diagnostics = tuple(diagnose(name, draws[:, :, i]) for i, name in enumerate(names))
        if good_enough(diagnostics) or gives_up(draws.shape[1] * n_chains, n_draws, model.dimension):
            return draws, diagnostics
        block = len(kept)  # doubled


def predictive_check(stream: np.random.Generator, model: PlackettLuce, draws: Array) -> float | None:
    """The share of draws whose first places lie as far from the expected ones as those that were seen.

    By two distances, of which the rarer one counts, twice: that of Freeman and Tukey, Σ(√seen − √expected)², and
    |Σ(seen − expected) θ|, by which first places depend on strengths more, or less, than the other places do. Strengths
    are drawn from the posterior (Gelman, Meng & Stern 1996). None where no problem says who is first.
    """
    c, n, k = draws.shape
    those = np.unique(np.linspace(0, n - 1, max(1, CHECKED // c)).astype(int))
    x = np.ascontiguousarray(draws[:, those].reshape(-1, k))
    seen, expected, again = first_places(model, stream, x)
    if not expected.any():
        return None
    each = [((np.sqrt(places) - np.sqrt(expected)) ** 2).sum(axis=0) for places in (seen, again)]
    slope = [np.abs(((places - expected) * x.T).sum(axis=0)) for places in (seen, again)]
    rarer = min(int((drawn >= away).sum()) for away, drawn in (each, slope))
    return min(1.0, 2.0 * (1 + rarer) / (1 + len(x)))


# What draws of log strengths say about pairs: who is stronger, who wins the next time.


BLOCK = 1 << 20  # numbers in one (draws, k, k) array


def pair_probabilities(theta: Array) -> tuple[Array, Array, Array]:
    """(k, k) each: P(stronger); P(beats next time) and its error, of a mean over chains; diagonals 0."""
    c, n, k = theta.shape
    stronger, means, squares = np.zeros((k, k)), np.zeros((k, k)), np.zeros((k, k))
    step = max(1, BLOCK // (k * k))
    for chain in range(c):
        of_chain = np.zeros((k, k))
        for first in range(0, n, step):
            part = theta[chain, first : first + step]
            d = part[:, :, None] - part[:, None, :]
            lost = np.exp(-np.abs(d))  # weights relative to the stronger one's
            stronger += (d > 0).sum(axis=0)
            of_chain += (np.where(d > 0, 1.0, lost) / (1.0 + lost)).sum(axis=0)
        away = of_chain / n - means
        means += away / (chain + 1)
        squares += away * (of_chain / n - means)
    errors = np.sqrt(squares / (c - 1) / c)
    stronger = drawn_share(stronger, c * n)
    for matrix in (stronger, means, errors):
        np.fill_diagonal(matrix, 0.0)
    return stronger, means, errors


def largest_share_error(theta: Array, best: Array) -> float:
    """The largest error of p_best, and of p_stronger between neighbours in mean strength."""
    ranked = np.argsort(theta.mean(axis=(0, 1)))
    errors = [error_of_share(best[:, :, i]) for i in range(theta.shape[2])]
    for i, j in pairwise(ranked):
        errors.append(error_of_share((theta[:, :, i] > theta[:, :, j]).astype(float)))
    return max(errors)
