"""Draws of the mean ranks themselves, as the tests and twins look at them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bakeoff.wings.bayes.dirichlet.mean_ranks import RankPosteriorInput, weighted_means


def mean_rank_draws(
    given: RankPosteriorInput, n_draws: int, rng: np.random.Generator, threads: int | None = None
) -> Iterator[np.ndarray]:
    """Chunks (size, k) of the k mean ranks, each row summing to k(k + 1)/2."""
    centre = given.k + 1
    atoms, prior_atom = (given.deviations + centre) / 2.0, (given.prior + centre) / 2.0
    return weighted_means(atoms, prior_atom, given.strength, n_draws, rng, threads)


def all_mean_rank_draws(given: RankPosteriorInput, n_draws: int, rng: np.random.Generator) -> np.ndarray:
    """(n_draws, k)."""
    return np.concatenate(list(mean_rank_draws(given, n_draws, rng)))
