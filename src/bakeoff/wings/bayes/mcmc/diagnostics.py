"""Convergence diagnostics of Markov chains, and their effective sample sizes.

Rank-normalised split R-hat and effective sample sizes of Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021),
Bayesian Analysis 16, 667–718. ``draws`` is (n_chains, n_draws) of one quantity throughout.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import integer
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution
from bakeoff.nulls.tails import share_error
from bakeoff.scores.cells import Array
from bakeoff.special import ndtri

LARGEST_RHAT = 1.01  # above it the chains disagree (Vehtari et al. 2021)
LEAST_ESS = 400  # below it neither R-hat nor the errors below can be relied on (ibid.)
LEAST_LENGTH = 50  # draws per chain: R-hat is noise in shorter ones
MOST_NUMBERS = 1 << 24  # draws times parameters, at most, when a sampler extends its chains
LONGEST = 16  # times as many draws as requested, at most
REFERENCE = "Vehtari et al. (2021), Bayesian Analysis 16, 667–718"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """The quality with which one parameter has been sampled."""

    parameter: str  # of the model
    rhat: float  # 1 if all chains agree
    ess_bulk: float  # effective sample size for the centre
    ess_tail: float  # for the 5 and 95 per cent points


def check_chains(n_chains: object) -> int:
    """At least 2, so that chains can be compared."""
    return integer("n_chains", n_chains, 2, 1000)


def draws_per_chain(n_draws: int, n_chains: int) -> int:
    return max(LEAST_LENGTH, -(-n_draws // n_chains))


def gives_up(drawn: int, requested: int, n_parameters: int) -> bool:
    """Whether sampling ends before convergence: after 16 times the draws requested, or at the limit of memory."""
    return drawn >= max(requested, min(LONGEST * requested, MOST_NUMBERS // n_parameters))


def diagnose(parameter: str, draws: Array) -> Diagnostic:
    return Diagnostic(parameter=parameter, rhat=rhat(draws), ess_bulk=ess_bulk(draws), ess_tail=ess_tail(draws))


def good_enough(diagnostics: Sequence[Diagnostic]) -> bool:
    return all(d.rhat <= LARGEST_RHAT and min(d.ess_bulk, d.ess_tail) >= LEAST_ESS for d in diagnostics)


def convergence_caution(diagnostics: Sequence[Diagnostic]) -> tuple[Caution, ...]:
    """One caution naming the worst parameter, or none."""
    if good_enough(diagnostics):
        return ()
    worst = max(diagnostics, key=lambda d: (d.rhat > LARGEST_RHAT, LEAST_ESS / min(d.ess_bulk, d.ess_tail), d.rhat))
    of_worst: dict[str, Any] = {
        "parameter": worst.parameter,
        "rhat": worst.rhat,
        "ess_bulk": min(worst.ess_bulk, worst.ess_tail),
    }
    return (caution_of("not-converged", "sampler", largest_rhat=LARGEST_RHAT, least_ess=LEAST_ESS, **of_worst),)


def rhat(draws: Array) -> float:
    """The larger of the R-hat of the ranks (location) and of the folded ranks (spread)."""
    halves = _split(draws)
    folded = np.abs(halves - np.median(halves))
    return max(_plain_rhat(_normal_scores(halves)), _plain_rhat(_normal_scores(folded)))


def ess_bulk(draws: Array) -> float:
    """Effective sample size of the rank-normalised draws."""
    return _ess(_normal_scores(_split(draws)))


def ess_tail(draws: Array) -> float:
    """The smaller effective sample size of the indicators of the lowest and of the highest 5 per cent."""
    halves = _split(draws)
    low, high = np.quantile(halves, (0.05, 0.95))
    return min(_ess((halves <= low).astype(float)), _ess((halves <= high).astype(float)))


def ess_mean(draws: Array) -> float:
    """Effective sample size for the mean of the draws themselves; for probabilities, of an indicator."""
    return _ess(_split(draws))


def error_of_mean(draws: Array) -> float:
    """Monte Carlo standard error of the mean of all draws."""
    return float(np.std(draws)) / math.sqrt(ess_mean(draws))


def error_of_share(draws: Array) -> float:
    """Monte Carlo standard error of a probability, from an indicator; not 0 where all draws agree (after Jeffreys)."""
    return max(error_of_mean(draws), float(share_error(np.mean(draws), draws.size)))


def _split(draws: Array) -> Array:
    """Each chain in two halves, so that a drift within a chain shows; a middle draw of odd chains is left out."""
    half = draws.shape[1] // 2
    return np.concatenate((draws[:, :half], draws[:, draws.shape[1] - half :]))


def _normal_scores(draws: Array) -> Array:
    """Φ⁻¹((r − 3/8)/(S + 1/4)) of the mid-ranks r of all S draws together (ibid.)."""
    _, place, count = np.unique(draws, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    ranks = (last - (count - 1) / 2.0)[place.reshape(-1)]
    return np.asarray(ndtri((ranks - 0.375) / (draws.size + 0.25))).reshape(draws.shape)


def _plain_rhat(draws: Array) -> float:
    """√(((N−1)/N W + B/N)/W), W the mean variance within chains, B/N the variance of their means."""
    n = draws.shape[1]
    within = float(np.mean(np.var(draws, axis=1, ddof=1)))
    between = float(np.var(np.mean(draws, axis=1), ddof=1))
    if (np.ptp(draws, axis=1) == 0).all():  # from the draws themselves: means of equal numbers are rounded
        return 1.0 if np.ptp(draws) == 0 else math.inf
    return math.sqrt((n - 1) / n + between / within)


def _ess(draws: Array) -> float:
    """S/τ with τ = 1 + 2 Σ ρ_t summed by Geyer's initial monotone sequence.

    At most S log₁₀ S, as there; draws that never change count as independent.
    """
    m, n = draws.shape
    size = m * n
    if np.ptp(draws) == 0:
        return float(size)
    covariance = _autocovariance(draws).mean(axis=0)
    within = covariance[0] * n / (n - 1)
    total = within * (n - 1) / n + float(np.var(np.mean(draws, axis=1), ddof=1))
    rho = 1.0 - (within - covariance) / total
    rho[0] = 1.0
    pairs = rho[: n - n % 2].reshape(-1, 2).sum(axis=1)
    stop = int(np.argmax(pairs <= 0)) if (pairs <= 0).any() else len(pairs)
    kept = np.minimum.accumulate(pairs[:stop])
    tail = max(0.0, float(rho[2 * stop])) if 2 * stop < n else 0.0
    tau = max(-1.0 + 2.0 * float(kept.sum()) + tail, 1.0 / math.log10(size))
    return float(size / tau)


def _autocovariance(draws: Array) -> Array:
    """(m, n) with divisor n at every lag, by the Fourier transform of the padded chains."""
    n = draws.shape[1]
    centred = draws - draws.mean(axis=1, keepdims=True)
    length = 1 << (2 * n - 1).bit_length()
    power = np.abs(np.fft.rfft(centred, length)) ** 2
    return np.asarray(np.fft.irfft(power, length)[:, :n] / n)
