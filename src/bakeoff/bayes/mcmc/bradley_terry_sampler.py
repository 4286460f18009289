"""The posterior of Bradley–Terry strengths, by Hamiltonian Monte Carlo."""

from dataclasses import dataclass

import numpy as np

from bakeoff.bayes.mcmc.bradley_terry_model import Contest, curvature, find_mode, gradient_of, value_and_gradient
from bakeoff.bayes.mcmc.diagnostics import Diagnostic, diagnose, draws_per_chain, gives_up, good_enough
from bakeoff.bayes.mcmc.hamiltonian_sampler import HamiltonianSampler
from bakeoff.scores.cells import Array


@dataclass(frozen=True, slots=True)
class _Strengths:
    """The model as the sampler asks for it."""

    data: Contest

    @property
    def dimension(self) -> int:
        return self.data.dimension

    def value_and_gradient(self, x: Array) -> tuple[Array, Array]:
        return value_and_gradient(self.data, x)

    def gradient(self, x: Array) -> Array:
        return gradient_of(self.data, x)


class Sampler(HamiltonianSampler):
    """Chains for one data set, or one chain for each of several."""

    def __init__(self, stream: np.random.Generator, data: Contest, n_chains: int) -> None:
        mode = np.round(find_mode(data), 6)
        super().__init__(stream, _Strengths(data), mode, curvature(data, mode), n_chains)


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
        diagnostics = tuple(diagnose(name, draws[:, :, i]) for i, name in enumerate(names))
        if good_enough(diagnostics) or gives_up(draws.shape[1] * n_chains, n_draws, data.dimension):
            return draws, diagnostics
        block = len(kept)  # doubled
