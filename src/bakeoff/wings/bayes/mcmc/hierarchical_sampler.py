"""A partially collapsed Gibbs sampler for the hierarchical model, with slice sampling; O(problems) a sweep.

Student's distribution is a normal distribution whose precision is a gamma variable: δ_i | λ_i ~ N(δ₀, σ₀²/λ_i), λ_i ~
Gamma(ν/2, ν/2)
(Geweke 1993). A sweep draws ν with the λ_i moving along, then σ₀, then δ₀, all without the δ_i; then the δ_i; then ν
without the λ_i; then the λ_i; then the σ_i. Leaving out what is drawn right after keeps the law exact (van Dyk & Park
2008) and the chains moving when σ₀ is small.
"""

import math
from collections.abc import Callable

import numpy as np

from bakeoff import special
from bakeoff.dataclass import dataclass
from bakeoff.nulls.tails import drawn_share
from bakeoff.scores.cells import Array
from bakeoff.wings.bayes.mcmc.diagnostics import Diagnostic, diagnose, draws_per_chain, gives_up, good_enough
from bakeoff.wings.bayes.mcmc.hierarchical_model import LOG_EXCESS_RANGE, RunTable, log_prior_excess

# Slice sampling of one parameter, for all chains at once (Neal 2003, Annals of Statistics 31, 705–767).


LogDensity = Callable[[Array], Array]


def slice_step(
    stream: np.random.Generator,
    log_density: LogDensity,
    x: Array,
    width: float,
    low: float = -math.inf,
    high: float = math.inf,
) -> Array:
    """(c,) one new draw per chain, from the laws whose unnormalised log densities ``log_density`` gives.

    A level is drawn under the density at x, an interval of the given width laid at random about x and stepped out
    until both ends are below the level (or at the bounds), and points are drawn in it, shrinking towards x, until one
    is above (ibid., figures 3 and 5). Leaves the law unchanged whatever the width; the width sets the cost.
    """
    level = log_density(x) - stream.standard_exponential(x.shape)
    left = x - width * stream.random(x.shape)
    right = left + width
    _step_out(log_density, left, level, -width, low)
    _step_out(log_density, right, level, width, high)
    np.clip(left, low, None, out=left)
    np.clip(right, None, high, out=right)
    new = x.copy()
    waiting = np.ones(x.shape, dtype=bool)
    while waiting.any():
        proposal = left + (right - left) * stream.random(x.shape)
        inside = (log_density(np.where(waiting, proposal, new)) >= level) | (proposal == x)
        accepted = waiting & inside
        new[accepted] = proposal[accepted]
        waiting &= ~inside
        left = np.where(waiting & (proposal < x), proposal, left)
        right = np.where(waiting & (proposal > x), proposal, right)
    return new


def _step_out(log_density: LogDensity, end: Array, level: Array, step: float, bound: float) -> None:
    """Move each end outwards by steps, in place, until the density there is below the level or the bound is passed."""
    while True:
        within, at = (end > bound, np.maximum(end, bound)) if step < 0 else (end < bound, np.minimum(end, bound))
        moving = within & (log_density(at) > level)
        if not moving.any():
            return
        end[moving] += step


WARM_UP = 150  # sweeps; starting values lose their influence within some tens
WIDTH_SPREAD = 1.5  # of ln σ₀
WIDTH_EXCESS = 2.5  # of ln(ν − 1)
SMALLEST_ROOT = 1e-30  # of the cube root of a λ
LOWEST_SPREAD = -20.0  # of ln σ₀, in units of the noise: 2e-9 of it; the prior holds less than 1e-11 below


@dataclass(slots=True)
class State:
    """The state of the chains: (c,) for the top level, (c, q) for the problems."""

    centre: Array  # δ₀
    log_spread: Array  # ln σ₀
    log_excess: Array  # ln(ν − 1)
    effects: Array  # δ_i
    precisions: Array  # λ_i
    sigmas: Array  # σ_i

    @property
    def nu(self) -> Array:
        return np.asarray(1.0 + np.exp(self.log_excess))

    @property
    def spread(self) -> Array:
        return np.asarray(np.exp(self.log_spread))


def starting_state(stream: np.random.Generator, table: RunTable, n_chains: int) -> State:
    """Scattered starting points, wider than the posterior is likely to be."""
    means = np.broadcast_to(table.means, (n_chains, table.means.shape[-1]))
    sigmas = np.where(table.fixed, table.fixed_sigma, np.sqrt(table.squares / table.df))
    typical = np.mean(sigmas * np.sqrt(table.inflation), axis=-1) + np.std(means, axis=1)
    low, high = means.min(axis=1) - typical, means.max(axis=1) + typical
    bound = table.largest_mean
    return State(
        centre=np.clip(low + (high - low) * stream.random(n_chains), -bound, bound),
        log_spread=np.clip(
            np.log(typical) + stream.standard_normal(n_chains), LOWEST_SPREAD, np.log(table.largest_spread)
        ),
        log_excess=np.log(stream.gamma(2.0, 5.0, n_chains) + 0.1),
        effects=means.copy(),
        precisions=np.ones_like(means),
        sigmas=np.minimum(np.broadcast_to(sigmas, means.shape), table.largest_sigma).copy(),
    )


def gibbs_sweep(stream: np.random.Generator, table: RunTable, state: State) -> None:
    """One draw of everything, in place."""
    _draw_tails_together(stream, table, state)
    _draw_top(stream, table, state)
    _draw_tails(stream, state)
    _draw_sigmas(stream, table, state)


def _draw_tails_together(stream: np.random.Generator, table: RunTable, state: State) -> None:
    """ν given z_i, where λ_i = (1 − b + z_i √b)³, b = 2/(9ν): nearly normal z (Wilson & Hilferty 1931), fixed.

    Where the runs are noisy, ν and the λ_i say little but about each other, and would creep if drawn in turn.
    """
    noise = state.sigmas**2 * table.inflation
    distance = (table.means - state.centre[:, None]) ** 2
    square = state.spread[:, None] ** 2
    b = 2.0 / (9.0 * state.nu[:, None])
    z = (np.cbrt(state.precisions) - 1.0 + b) / np.sqrt(b)

    def root_of(log_excess: Array) -> tuple[Array, Array, Array]:
        half = (1.0 + np.exp(log_excess))[:, None] / 2.0
        b = 1.0 / (9.0 * half)
        return half, b, 1.0 - b + z * np.sqrt(b)

    def log_density(log_excess: Array) -> Array:  # gamma law of λ, times dλ/dz, times that of the means
        half, b, root = root_of(log_excess)
        possible = (root > SMALLEST_ROOT).all(axis=1)
        root = np.maximum(root, SMALLEST_ROOT)
        logs = 3.0 * np.log(root)
        variance = square * np.exp(-logs) + noise
        terms = (half - 1.0) * logs - half * root**3 + (2.0 / 3.0) * logs + 0.5 * np.log(b)
        terms = terms - 0.5 * (np.log(variance) + distance / variance)
        height = z.shape[1] * (half * np.log(half) - special.gammaln(half))[:, 0]
        return np.where(possible, height + terms.sum(axis=1) + log_prior_excess(log_excess), -np.inf)

    state.log_excess = slice_step(stream, log_density, state.log_excess, WIDTH_EXCESS, *LOG_EXCESS_RANGE)
    state.precisions = np.maximum(root_of(state.log_excess)[2], SMALLEST_ROOT) ** 3


def _draw_top(stream: np.random.Generator, table: RunTable, state: State) -> None:
    """σ₀, δ₀ given λ and σ with mean_i ~ N(δ₀, σ₀²/λ_i + σ_i²c_i); then the δ_i, normal."""
    noise = state.sigmas**2 * table.inflation
    distance = (table.means - state.centre[:, None]) ** 2

    def log_density(log_spread: Array) -> Array:  # of ln σ₀; σ₀ is uniform, hence the first term
        variance = np.exp(2.0 * log_spread)[:, None] / state.precisions + noise
        return np.asarray(log_spread - 0.5 * np.sum(np.log(variance) + distance / variance, axis=1))

    highest = float(np.log(table.largest_spread))
    state.log_spread = slice_step(stream, log_density, state.log_spread, WIDTH_SPREAD, LOWEST_SPREAD, highest)
    between = np.exp(2.0 * state.log_spread)[:, None] / state.precisions
    weights = 1.0 / (between + noise)
    total = weights.sum(axis=1)
    middle, sd = (weights * table.means).sum(axis=1) / total, 1.0 / np.sqrt(total)
    state.centre = truncated_normal(stream, middle, sd, table.largest_mean)
    share = between / (between + noise)  # of a problem's own mean; the rest is drawn towards δ₀
    expected = state.centre[:, None] + share * (table.means - state.centre[:, None])
    state.effects = expected + np.sqrt(share * noise) * stream.standard_normal(noise.shape)


def _draw_tails(stream: np.random.Generator, state: State) -> None:
    """ν given the δ_i, from the product of Student densities; then λ_i ~ Gamma((ν+1)/2, rate (ν + z²)/2)."""
    squares = ((state.effects - state.centre[:, None]) / state.spread[:, None]) ** 2
    q = squares.shape[1]

    def log_density(log_excess: Array) -> Array:
        nu = 1.0 + np.exp(log_excess)
        height = special.gammaln((nu + 1) / 2) - special.gammaln(nu / 2) - 0.5 * np.log(nu)
        tails = np.log1p(squares / nu[:, None]).sum(axis=1)
        return np.asarray(q * height - 0.5 * (nu + 1) * tails + log_prior_excess(log_excess))

    state.log_excess = slice_step(stream, log_density, state.log_excess, WIDTH_EXCESS, *LOG_EXCESS_RANGE)
    nu = state.nu[:, None]
    state.precisions = stream.standard_gamma(np.broadcast_to((nu + 1) / 2, squares.shape)) * 2.0 / (nu + squares)


def _draw_sigmas(stream: np.random.Generator, table: RunTable, state: State) -> None:
    """1/σ_i² ~ Gamma((n−1)/2, rate A/2) above 1/s̄², A = squares + (mean − δ)²/c: σ_i is uniform on (0, s̄)."""
    rate = (table.squares + (table.means - state.effects) ** 2 / table.inflation) / 2.0
    shape = np.broadcast_to(table.df / 2.0, rate.shape)
    rate = np.where(table.fixed, 1.0, rate)
    precision = stream.standard_gamma(shape) / rate
    least = table.largest_sigma**-2.0
    low = precision < least
    if low.any():  # rare: from the truncated law by its inverse
        beyond = special.gammaincc(shape[low], least * rate[low])
        edge, number = least * rate[low], int(low.sum())
        drawn = special.gammainccinv(shape[low], beyond * stream.random(number))
        drawn = np.where(np.isfinite(drawn), drawn, edge + stream.standard_exponential(number))  # so far out: its limit
        precision[low] = np.maximum(drawn / rate[low], least)
    state.sigmas = np.where(table.fixed, table.fixed_sigma, 1.0 / np.sqrt(precision))


def truncated_normal(stream: np.random.Generator, mean: Array, sd: Array, bound: float) -> Array:
    """N(mean, sd²) within ±bound, by the inverse of its distribution function on the side where it keeps its digits."""
    flip = np.where(mean < 0, -1.0, 1.0)  # then the mean is positive and the lower tail the accurate one
    low, high = special.ndtr((-bound - flip * mean) / sd), special.ndtr((bound - flip * mean) / sd)
    u = low + (high - low) * stream.random(mean.shape)
    return np.asarray(np.clip(flip * (flip * mean + sd * special.ndtri(u)), -bound, bound))


# --- chains extended until diagnostics are good --------------------------------------------------------------------


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


def sample_hierarchical(
    stream: np.random.Generator, table: RunTable, rope: float, n_draws: int, n_chains: int
) -> Sampled:
    """At least ``n_draws`` draws from all chains together; more until the diagnostics are good."""
    state = starting_state(stream, table, n_chains)
    for _ in range(WARM_UP):
        gibbs_sweep(stream, table, state)
    block = draws_per_chain(n_draws, n_chains)
    tops: list[Array] = []
    sums = np.zeros((4, len(table.means)))  # δ − mean, its square, above, below
    while True:
        kept = np.empty((3, n_chains, block))
        for t in range(block):
            gibbs_sweep(stream, table, state)
            kept[:, :, t] = state.centre, state.log_spread, state.log_excess
            away = state.effects - table.means
            for total, each in zip(sums, (away, away * away, state.effects > rope, state.effects < -rope), strict=True):
                total += each.sum(axis=0)
        tops.append(kept)
        drawn = sum(part.shape[2] for part in tops)
        top = np.concatenate(tops, axis=2)
        diagnostics = tuple(map(diagnose, ("mean difference", "spread between problems", "degrees of freedom"), top))
        if good_enough(diagnostics) or gives_up(drawn * n_chains, n_draws, 3):
            break
        block = drawn  # doubled
    n = drawn * n_chains
    beyond = drawn_share(sums[2:], n, 3 if rope > 0 else 2)
    within = 1.0 - beyond.sum(axis=0) if rope > 0 else np.zeros(len(table.means))
    shares = np.column_stack((beyond[0], within, beyond[1]))
    away, square = sums[:2] / n
    return Sampled(
        centre=top[0],
        spread=np.exp(top[1]),
        nu=1.0 + np.exp(top[2]),
        effects=table.means + away,
        effect_sds=np.sqrt(np.maximum(square - away**2, 0.0)),
        effect_shares=shares,
        diagnostics=diagnostics,
    )
