"""Hamiltonian Monte Carlo, all chains at once, in coordinates where the curvature at the mode is 1.

For log posteriors that are concave with their steepest curvature not far above that at the mode, so that one step size
fits all (Neal 2011, Handbook of Markov Chain Monte Carlo, chapter 5). Trajectories have random lengths.
"""

from typing import Protocol

import numpy as np

from bakeoff.scores.cells import Array

WARM_UP = 60  # moves, twice: to lose the starting values, and to measure the tails
STEP = 0.6  # leapfrog step at dimension 1; it shrinks like d^(−1/4), which keeps the acceptance rate
TRAJECTORY = (1.0, 2.2)  # lengths; a quarter turn of a Gaussian is π/2
LONGEST_STRETCH = 6.0
FULL = 0.85  # share of moves with the full step; the others, with a quarter of it, leave corners of high curvature


class Target(Protocol):
    """A log posterior at (c, d) points, one for each chain."""

    @property
    def dimension(self) -> int: ...

    def value_and_gradient(self, x: Array) -> tuple[Array, Array]:
        """(c,) up to a constant, and (c, d)."""

    def gradient(self, x: Array) -> Array:
        """(c, d): what the inner steps of a trajectory ask for."""


class HamiltonianSampler:
    """Chains and the coordinates they move in: x = mode + S z with S Sᵀ the inverse curvature at the mode."""

    def __init__(
        self, stream: np.random.Generator, target: Target, mode: Array, curvature: Array, n_chains: int
    ) -> None:
        """``mode`` (g, d) and ``curvature`` (g, d, d) need not be exact: any are right, good ones are fast."""
        self.stream, self.target = stream, target
        self.set_coordinates(mode, curvature)
        self.step = STEP * target.dimension**-0.25
        self.z = stream.standard_normal((n_chains, target.dimension))
        self.value, self.slope = self._look(self.z)
        self.stretch = 1.0  # of the trajectories
        self.accepted = 0.0  # of the last move, averaged over chains

    def set_coordinates(self, mode: Array, curvature: Array) -> None:
        """Rounded, they do not depend on how many threads a linear algebra library uses."""
        self.mode = np.round(mode, 6)
        lower = np.linalg.cholesky(curvature)
        self.scale = np.swapaxes(np.linalg.inv(lower), 1, 2).astype(np.float32).astype(np.float64)

    @property
    def x(self) -> Array:
        """(c, d) where the chains are."""
        return self._from(self.z)

    def _from(self, z: Array) -> Array:
        return np.asarray(self.mode + np.einsum("...ij,...j->...i", self.scale, z))

    def _look(self, z: Array) -> tuple[Array, Array]:
        value, gradient = self.target.value_and_gradient(self._from(z))
        return value, self._turned(gradient)

    def _slope(self, z: Array) -> Array:
        return self._turned(self.target.gradient(self._from(z)))

    def _turned(self, gradient: Array) -> Array:
        return np.asarray(np.einsum("...ij,...i->...j", self.scale, gradient))

    def look_again(self) -> None:
        """After the target has changed."""
        self.value, self.slope = self._look(self.z)

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
