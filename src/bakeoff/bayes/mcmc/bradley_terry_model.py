"""Bradley–Terry with Davidson's ties: log posterior, gradient, curvature, mode; several data sets at once.

    P(i beats j) : P(j beats i) : P(tie)  =  e^((θ_i − θ_j)/2) : e^((θ_j − θ_i)/2) : e^η        (Davidson 1970)

With η = −∞ it is the model of Bradley & Terry (1952). The prior gives each algorithm s wins and s losses against an
opponent of strength 0 (Mease 2003, s = 1), and makes the share of ties between equals, e^η/(2 + e^η), uniform. The
log posterior is concave: a multinomial logit. x = (θ_1 … θ_k, η), without η if ties are not modelled.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from bakeoff.bayes.mcmc.newton import find_maximum
from bakeoff.scores.cells import Array

BLOCK = 1 << 20  # numbers in one (chains, k, k) array


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """g data sets: one for all chains, or one for each."""

    balance: Array  # (g, k) (wins − losses)/2, ties aside
    games: Array  # (g, k, k) symmetric
    tied: Array | None  # (g,) number of ties; None: no η
    strength: float  # s of the prior

    @property
    def dimension(self) -> int:
        return int(self.balance.shape[-1]) + (self.tied is not None)


def contest(wins: Array, ties: Array, strength: float, model_ties: bool) -> Contest:
    """From (g, k, k) counts; ties that are not modelled are half a win for each."""
    if not model_ties:
        wins = wins + ties / 2
    return Contest(
        balance=(wins.sum(axis=2) - wins.sum(axis=1)) / 2,
        games=wins + np.swapaxes(wins, 1, 2) + (ties if model_ties else 0.0),
        tied=ties.sum(axis=(1, 2)) / 2 if model_ties else None,
        strength=strength,
    )


def value_and_gradient(data: Contest, x: Array) -> tuple[Array, Array]:
    """(c,) log posterior up to a constant and (c, d) its gradient, at (c, d) points; in blocks of bounded memory."""
    value, gradient = np.empty(len(x)), np.empty_like(x)
    for data_part, part in _blocks(data, len(x)):
        value[part], gradient[part] = _value(data_part, x[part]), _gradient(data_part, x[part])
    return value, gradient


def gradient_of(data: Contest, x: Array) -> Array:
    """The gradient alone, which needs no logarithms: what the inner steps of a trajectory ask for."""
    gradient = np.empty_like(x)
    for data_part, part in _blocks(data, len(x)):
        gradient[part] = _gradient(data_part, x[part])
    return gradient


def _blocks(data: Contest, c: int) -> Iterator[tuple[Contest, slice]]:
    step = max(1, BLOCK // data.games.shape[-1] ** 2)
    for first in range(0, c, step):
        part = slice(first, first + step)
        yield data if len(data.games) == 1 or step >= c else _part(data, part), part


def _part(data: Contest, p: slice) -> Contest:
    tied = None if data.tied is None else data.tied[p]
    return Contest(balance=data.balance[p], games=data.games[p], tied=tied, strength=data.strength)


def _value(data: Contest, x: Array) -> Array:
    k = data.games.shape[-1]
    theta, s = x[:, :k], data.strength
    _, total, top = _pair_weights(data, x)
    # ln(e^(d/2) + e^(−d/2) + e^η) is ln(total) − (θ_i + θ_j)/2 + top, summed over games
    met = data.games.sum(axis=2)
    value = (data.balance * theta + 0.5 * met * (theta - top)).sum(axis=1)
    value -= 0.5 * (data.games * np.log(total)).sum(axis=(1, 2))
    value += s * (theta - 2.0 * np.logaddexp(0.0, theta)).sum(axis=1)
    if data.tied is not None:
        eta = x[:, k]
        value += data.tied * eta + eta - 2.0 * np.logaddexp(np.log(2.0), eta)
    return np.asarray(value)


def _gradient(data: Contest, x: Array) -> Array:
    """Σ_j n_ij (P(i beats j) − P(j beats i)) is win_i Σ_j n_ij/total_ij − Σ_j win_j n_ij/total_ij; ties alike."""
    k = data.games.shape[-1]
    win, total, _ = _pair_weights(data, x)
    rate = data.games / total
    push = win * rate.sum(axis=2) - np.einsum("cij,cj->ci", rate, win)
    gradient = np.empty_like(x)
    gradient[:, :k] = data.balance - 0.5 * push + data.strength * (1.0 - 2.0 * expit(x[:, :k]))
    if data.tied is not None:
        root, share = np.sqrt(win), expit(x[:, k] - np.log(2.0))
        drawn = _tie_weight(x) * (root * np.einsum("cij,cj->ci", rate, root)).sum(axis=1)
        gradient[:, k] = data.tied - 0.5 * drawn + 1.0 - 2.0 * share
    return gradient


def _pair_terms(data: Contest, x: Array) -> tuple[Array, Array]:
    """(c, k, k): P(i beats j) − P(j beats i), and P(tie); 0 if ties are not modelled."""
    win, total, _ = _pair_weights(data, x)
    push = (win[:, :, None] - win[:, None, :]) / total
    if data.tied is None:
        return push, np.zeros_like(push)
    root = np.sqrt(win)
    return push, _tie_weight(x)[:, None, None] * root[:, :, None] * root[:, None, :] / total


def _pair_weights(data: Contest, x: Array) -> tuple[Array, Array, Array]:
    """(c, k) weights of a win, e^(θ − top); (c, k, k) of win, loss and tie together; and top (c, 1), the largest θ.

    k exponentials instead of k². Strengths more than e^600 below the best count as e^600 below.
    """
    k = data.games.shape[-1]
    top = x[:, :k].max(axis=1, keepdims=True)
    root = np.exp(np.maximum(x[:, :k] - top, -600.0) / 2.0)
    win = root * root
    if data.tied is None:
        return win, win[:, :, None] + win[:, None, :], top
    total = (_tie_weight(x)[:, None] * root)[:, :, None] * root[:, None, :]
    total += win[:, :, None]
    total += win[:, None, :]
    return win, total, top


def _tie_weight(x: Array) -> Array:
    return np.asarray(np.exp(np.minimum(x[:, -1], 600.0)))


def curvature(data: Contest, x: Array) -> Array:
    """(c, d, d) minus the Hessian: sums over games of the covariance of ((win − loss)/2, tie)."""
    k = data.games.shape[-1]
    push, tie = _pair_terms(data, x)
    spread = data.games * ((1.0 - tie) / 4.0 - (push / 2.0) ** 2)
    out = np.zeros((*x.shape, x.shape[1]))
    weight = expit(x[:, :k])
    out[:, :k, :k] = -spread
    diagonal = np.arange(k)
    out[:, diagonal, diagonal] = spread.sum(axis=2) - spread[:, diagonal, diagonal]
    out[:, diagonal, diagonal] += 2.0 * data.strength * weight * (1.0 - weight)
    if data.tied is not None:
        share = expit(x[:, k] - np.log(2.0))
        out[:, :k, k] = out[:, k, :k] = -(data.games * push * tie).sum(axis=2) / 2.0
        out[:, k, k] = (data.games * tie * (1.0 - tie)).sum(axis=(1, 2)) / 2.0 + 2.0 * share * (1.0 - share)
    return out


def find_mode(data: Contest) -> Array:
    """(g, d) the posterior mode."""
    start = np.zeros((len(data.balance), data.dimension))
    return find_maximum(start, lambda x: value_and_gradient(data, x), lambda x: curvature(data, x))
