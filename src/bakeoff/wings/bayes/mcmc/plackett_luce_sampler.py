"""The posterior of Plackett–Luce strengths: Hamiltonian Monte Carlo, and between its moves new times of tied sets."""

import numpy as np

from bakeoff.scores.cells import Array
from bakeoff.wings.bayes.mcmc.diagnostics import Diagnostic, diagnose, draws_per_chain, gives_up, good_enough
from bakeoff.wings.bayes.mcmc.hamiltonian_sampler import WARM_UP, HamiltonianSampler
from bakeoff.wings.bayes.mcmc.plackett_luce_model import PlackettLuce, first_places

CHECKED = 1000  # draws


class PlackettLuceSampler(HamiltonianSampler):
    """Chains; with ties each move is one given latent times, which are then drawn again."""

    def __init__(self, stream: np.random.Generator, model: PlackettLuce, n_chains: int) -> None:
        self.model = model
        mode = np.round(model.rough_mode(), 6)
        if model.rankings.has_ties:
            model.draw_times(stream, np.repeat(mode[None], n_chains, axis=0))
        super().__init__(stream, model, mode[None], model.curvature(mode)[None], n_chains)

    def move(self) -> None:
        if self.model.rankings.has_ties:
            self.model.draw_times(self.stream, self.x)
            self.look_again()
        super().move()

    def warm_up(self) -> None:
        """With ties the rough mode may be far off: warm up, measure the curvature where the chains are, and again.

        Given latent times the tails are short: long trajectories would only go to and fro.
        """
        super().warm_up()
        if self.model.rankings.has_ties:
            x = self.x
            mode = np.round(x.mean(axis=0), 6)
            self.set_coordinates(mode[None], self.model.curvature(mode)[None])
            where = np.asarray(np.linalg.solve(self.scale[0], (x - self.mode).T).T, dtype=np.float64)
            self.z = np.round(where, 6)  # as in set_coordinates
            self.look_again()
            self.stretch = 1.0
            for _ in range(WARM_UP):
                self.move()


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
    """How often first places drawn from the model lie as far from the expected ones as those that were seen.

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
