"""Hamiltonian Monte Carlo for the strengths, all chains at once, in coordinates where the mode's curvature is 1.

The log posterior is concave with its steepest curvature not far above that at the mode, so one step size fits all
(Neal 2011, Handbook of Markov Chain Monte Carlo, chapter 5). Trajectories have random lengths.
"""

import numpy as np

from bakeoff.bayes.mcmc.bradley_terry_model import Contest, curvature, find_mode, gradient_of, value_and_gradient
from bakeoff.bayes.mcmc.diagnostics import Diagnostic, diagnose, draws_per_chain, gives_up, good_enough
from bakeoff.scores.cells import Array

WARM_UP = 60  # moves, twice: to lose the starting values, and to measure the tails
STEP = 0.6  # leapfrog step at dimension 1; it shrinks like d^(−1/4), which keeps the acceptance rate
TRAJECTORY = (1.0, 2.2)  # lengths; a quarter turn of a Gaussian is π/2
LONGEST_STRETCH = 6.0
FULL = 0.85  # share of moves with the full step; the others, with a quarter of it, leave corners of high curvature


class Sampler:
    """Chains and the coordinates they move in: x = mode + S z with S Sᵀ the inverse curvature at the mode."""

    def __init__(self, stream: np.random.Generator, data: Contest, n_chains: int) -> None:
        self.stream, self.data = stream, data
        # any mode and S are right; rounded, they do not depend on how many threads a linear algebra library uses
        self.mode = np.round(find_mode(data), 6)
        lower = np.linalg.cholesky(curvature(data, self.mode))
        self.scale = np.swapaxes(np.linalg.inv(lower), 1, 2).astype(np.float32).astype(np.float64)
        self.step = STEP * data.dimension**-0.25
        self.z = stream.standard_normal((n_chains, data.dimension))
        self.value, self.slope = self._look(self.z)
        self.stretch = 1.0  # of the trajectories
        self.accepted = 0.0  # of the last move, averaged over chains

    @property
    def x(self) -> Array:
        """(c, d) where the chains are."""
        return self._from(self.z)

    def _from(self, z: Array) -> Array:
        return np.asarray(self.mode + np.einsum("...ij,...j->...i", self.scale, z))

    def _look(self, z: Array) -> tuple[Array, Array]:
        value, gradient = value_and_gradient(self.data, self._from(z))
        return value, self._turned(gradient)

    def _slope(self, z: Array) -> Array:
        return self._turned(gradient_of(self.data, self._from(z)))

    def _turned(self, gradient: Array) -> Array:
        return np.asarray(np.einsum("...ij,...i->...j", self.scale, gradient))

    def warm_up(self) -> None:
        """Warm up; then stretch the trajectories to the widest coordinate, where tails are longer than a
        Gaussian's (an algorithm that never lost: its strength is bounded by the prior alone)."""
        for _ in range(WARM_UP):
            self.move()
        squares = np.zeros(self.z.shape[1])
        for _ in range(WARM_UP):
            self.move()
            squares += (self.z**2).mean(axis=0)
        self.stretch = float(np.clip(np.sqrt(squares.max() / WARM_UP), 1.0, LONGEST_STRETCH))

    def move(self) -> None:
        """One trajectory of every chain, accepted or not."""
        stream = self.stream
        length = self.stretch * stream.uniform(*TRAJECTORY)
        wanted = self.step if stream.random() < FULL else self.step / 4
        steps = max(1, round(length / wanted))
        step = length / steps
        momentum = stream.standard_normal(self.z.shape)
        energy = self.value - 0.5 * (momentum**2).sum(axis=1)
        z, slope, value = self.z, self.slope, self.value
        momentum = momentum + 0.5 * step * slope
        for _ in range(steps - 1):
            z = z + step * momentum
            momentum = momentum + step * self._slope(z)
        z = z + step * momentum
        value, slope = self._look(z)
        momentum = momentum + 0.5 * step * slope
        gain = value - 0.5 * (momentum**2).sum(axis=1) - energy
        accept = -stream.standard_exponential(len(z)) < gain
        self.z = np.where(accept[:, None], z, self.z)
        self.slope = np.where(accept[:, None], slope, self.slope)
        self.value = np.where(accept, value, self.value)
        self.accepted = float(accept.mean())


def sample_strengths(
    stream: np.random.Generator, data: Contest, names: tuple[str, ...], n_draws: int, n_chains: int
) -> tuple[Array, tuple[Diagnostic, ...]]:
    """(c, draws, d) with the strengths centred at 0, and a diagnostic for each; more until diagnostics are good."""
    sampler = Sampler(stream, data, n_chains)
    sampler.warm_up()
    block, kept = draws_per_chain(n_draws, n_chains), []
    k = data.games.shape[-1]
    while True:
        for _ in range(block):
            sampler.move()
            x = sampler.x
            x[:, :k] -= x[:, :k].mean(axis=1, keepdims=True)
            kept.append(x)
        draws = np.stack(kept, axis=1)
        found = tuple(diagnose(name, draws[:, :, i]) for i, name in enumerate(names))
        if good_enough(found) or gives_up(draws.shape[1] * n_chains, n_draws, data.dimension):
            return draws, found
        block = len(kept)  # doubled
