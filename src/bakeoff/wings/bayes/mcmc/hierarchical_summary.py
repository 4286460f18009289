"""From draws of the hierarchical model's top level to the probabilities it reports, and what to warn about."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted, listing
from bakeoff.nulls.tails import drawn_share
from bakeoff.paired.run_differences import RunSummary
from bakeoff.scores.cells import Array
from bakeoff.special import stdtr
from bakeoff.wings.bayes.mcmc.diagnostics import convergence_caution, draws_per_chain, error_of_mean, error_of_share
from bakeoff.wings.bayes.mcmc.hierarchical_sampler import Sampled

FEW_PROBLEMS = 5

Triple = tuple[float, float, float]


def nothing_differs(q: int, rope: float, n_draws: int, n_chains: int) -> Sampled:
    """Every run of a equals that of b: the limit of the model as all differences shrink towards 0."""
    zeros = np.zeros((n_chains, draws_per_chain(n_draws, n_chains)))
    share = [0.5, 0.0, 0.5] if rope == 0 else [0.0, 1.0, 0.0]
    return Sampled(
        centre=zeros,
        spread=zeros,
        nu=zeros + np.inf,
        effects=np.zeros(q),
        effect_sds=np.zeros(q),
        effect_shares=np.tile(share, (q, 1)),
        diagnostics=(),
    )


def next_shares(sampled: Sampled, rope: float) -> Array:
    """(c, draws, 3): the next problem's probability above the rope, within it and below, for every draw."""
    if not sampled.diagnostics:  # nothing differs
        return np.broadcast_to(sampled.effect_shares[0], (*sampled.centre.shape, 3)).copy()
    better = stdtr(sampled.nu, (sampled.centre - rope) / sampled.spread)
    worse = stdtr(sampled.nu, (-rope - sampled.centre) / sampled.spread)
    if rope == 0:
        return np.stack((better, np.zeros_like(better), 1.0 - better), axis=2)
    return np.stack((better, np.maximum(1.0 - (better + worse), 0.0), worse), axis=2)


def largest(shares: Array, rope: float, point: bool) -> tuple[Triple, float]:
    """The share of draws in which each region has the most probability, and the largest Monte Carlo error of them.

    Regions that tie (only where nothing differs) divide the draw.
    """
    top = shares == shares.max(axis=2, keepdims=True)
    p, errors = _shares_of(top / top.sum(axis=2, keepdims=True), rope, point)
    return p, max(errors)


def average_shares(centre: Array, rope: float, point: bool) -> tuple[Triple, Triple]:
    """P(δ₀ > rope), P(|δ₀| ≤ rope), P(δ₀ < −rope), and their errors; an exact 0 without a rope is half for each."""
    within = np.abs(centre) <= rope
    won = np.stack([centre > rope, within, centre < -rope], axis=2).astype(np.float64)
    if rope == 0:
        won[..., [0, 2]] += within[..., None] / 2
        won[..., 1] = 0.0
    return _shares_of(won, rope, point)


def mean_triple(shares: Array) -> tuple[Triple, Triple]:
    """Means of the shares of all draws, and their Monte Carlo errors."""
    means = shares.reshape(-1, 3).mean(axis=0).tolist()
    return _triple(means), _triple([error_of_mean(shares[..., region]) for region in range(3)])


def _shares_of(won: Array, rope: float, point: bool) -> tuple[Triple, Triple]:
    """(c, draws, 3) outcomes -> probabilities and errors; exact where the posterior is a point."""
    counts = won.reshape(-1, 3).sum(axis=0)
    n = won[..., 0].size
    if point:
        return _triple((counts / n).tolist()), (0.0, 0.0, 0.0)
    p, errors = drawn_share(counts, n, 3 if rope > 0 else 2), [error_of_share(won[..., region]) for region in range(3)]
    if rope == 0:
        p[1] = errors[1] = 0.0
    return _triple(p.tolist()), _triple(errors)


def _triple(three: Sequence[float]) -> Triple:
    better, within, worse = three
    return better, within, worse


def hierarchical_cautions(
    names: Sequence[str], problems: Sequence[RunSummary], order: npt.NDArray[np.intp], sampled: Sampled
) -> tuple[Caution, ...]:
    """Cautions that a reader must know; ``problems`` are in ``order``, ``names`` in the table's."""
    if not sampled.diagnostics:
        return (caution_of("nothing-differs", "runs", problems=counted(len(problems), "problem")),)
    out = list(convergence_caution(sampled.diagnostics))
    flat = [names[k] for k, p in sorted(zip(order.tolist(), problems, strict=True)) if p.sd == 0]
    if flat:
        out.append(
            caution_of("no-variation", "runs-on-problems", problems=counted(len(flat), "problem"), names=listing(flat))
        )
    if len(problems) < FEW_PROBLEMS:
        out.append(caution_of("too-few", "known-problems", problems=counted(len(problems), "problem")))
    return tuple(out)
