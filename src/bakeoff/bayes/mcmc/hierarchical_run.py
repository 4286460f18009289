"""Runs the hierarchical model's sampler for as long as its diagnostics ask, and keeps what the answer needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bakeoff.bayes.mcmc.diagnostics import Diagnostic, diagnose, draws_per_chain, gives_up, good_enough
from bakeoff.bayes.mcmc.hierarchical_model import RunTable
from bakeoff.bayes.mcmc.hierarchical_sampler import start, sweep
from bakeoff.scores.cells import Array

WARM_UP = 150  # sweeps; the chains forget where they started within some tens


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled:
    """Top level (c, draws) and, over all draws, each problem's mean, standard deviation and shares; in ``unit``s."""

    centre: Array
    spread: Array
    nu: Array
    effects: Array  # (q,)
    effect_sds: Array  # (q,)
    effect_shares: Array  # (q, 3) above the rope, within, below
    diagnostics: tuple[Diagnostic, ...]


def sample(stream: np.random.Generator, table: RunTable, rope: float, n_draws: int, n_chains: int) -> Sampled:
    """At least ``n_draws`` draws from all chains together; as many more as it takes to trust them."""
    state = start(stream, table, n_chains)
    for _ in range(WARM_UP):
        sweep(stream, table, state)
    block = draws_per_chain(n_draws, n_chains)
    tops: list[Array] = []
    sums = np.zeros((4, len(table.means)))  # δ − mean, its square, above, below
    while True:
        kept = np.empty((3, n_chains, block))
        for t in range(block):
            sweep(stream, table, state)
            kept[:, :, t] = state.centre, state.log_spread, state.log_excess
            _count(sums, state.effects, table.means, rope)
        tops.append(kept)
        drawn = sum(part.shape[2] for part in tops)
        top = np.concatenate(tops, axis=2)
        found = tuple(map(diagnose, ("mean difference", "spread between problems", "degrees of freedom"), top))
        if good_enough(found) or gives_up(drawn * n_chains, n_draws, 3):
            break
        block = drawn  # doubled
    return _summary(top, sums / (drawn * n_chains), table.means, found)


def _count(sums: Array, effects: Array, means: Array, rope: float) -> None:
    away = effects - means
    sums[0] += away.sum(axis=0)
    sums[1] += (away * away).sum(axis=0)
    sums[2] += (effects > rope).sum(axis=0)
    sums[3] += (effects < -rope).sum(axis=0)


def _summary(top: Array, averages: Array, means: Array, found: tuple[Diagnostic, ...]) -> Sampled:
    away, square, above, below = averages
    return Sampled(
        centre=top[0],
        spread=np.exp(top[1]),
        nu=1.0 + np.exp(top[2]),
        effects=means + away,
        effect_sds=np.sqrt(np.maximum(square - away**2, 0.0)),
        effect_shares=np.column_stack((above, np.maximum(1.0 - (above + below), 0.0), below)),
        diagnostics=found,
    )
