"""Maximum likelihood of log strengths, plain or with Firth's penalty, for many tables of wins at once.

With θ the log strengths and d = θ_i − θ_j, a battle of i and j has the outcomes "i wins", "j wins" and "tie" with
weights e^{d/2}, e^{−d/2} and e^η: Davidson (1970), η = log ν; without e^η: Bradley & Terry (1952), where a tie is half
a win of both. The model is an exponential family in (θ, η), so that Fisher scoring is Newton's method, and the penalty
of Firth (1993), ½ log det I, adds to the score of a pair ½ tr(I⁻¹ ∂I), a sum of third cumulants.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, listing
from bakeoff.scores import Array
from bakeoff.wings.boards.ratings._read_battles import Battles, Places

MOST_STEPS = 200
CLOSE = 1e-11  # of the largest step
NEAR = 1e-8  # the same, after the last one
FARTHEST = 2.0  # that one step goes
TINY = 1e-13  # of the information, which keeps it regular


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BradleyTerryFit:
    """The fit of B tables."""

    theta: Array  # (B, k), each row sums to 0
    eta: Array | None  # (B,)
    covariance: Array  # (B, q, q) of θ (rows sum to 0) and, last, η
    log_likelihood: Array  # (B,) without the penalty
    converged: npt.NDArray[np.bool_]  # (B,)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _State:
    """At some θ and η."""

    win: Array  # (B, k, k) P(row beats column)
    tie: Array
    inverse: Array  # (B, q, q) of the information with the direction of all ones made regular
    log_likelihood: Array
    objective: Array
    score: Array  # (B, q)


def fitted(wins: Array, ties: Array, davidson: bool, firth: bool) -> BradleyTerryFit:
    """``wins`` and ``ties`` are (B, k, k); all algorithms are linked by battles, directly or through others."""
    if not davidson:
        wins, ties = wins + ties / 2, np.zeros_like(ties)
    b, k = wins.shape[:2]
    q = k + davidson
    at = np.zeros((b, q))
    if davidson:
        drawn, games = ties.sum(axis=(1, 2)) / 2, wins.sum(axis=(1, 2)) + ties.sum(axis=(1, 2)) / 2
        at[:, -1] = np.log((drawn + 0.5) / (games - drawn + 1.0) * 2.0)
    state = _state(at, wins, ties, davidson, firth)
    moving = np.ones(b, dtype=bool)
    for _ in range(MOST_STEPS):
        step = np.einsum("bij,bj->bi", state.inverse, state.score)
        size = np.abs(step).max(axis=1)
        moving = size > CLOSE
        if not moving.any():
            break
        step *= np.minimum(1.0, FARTHEST / np.maximum(size, 1e-300))[:, None] * moving[:, None]
        new = _state(at + step, wins, ties, davidson, firth)
        if firth:  # with few battles the penalty curves as much as the likelihood, and Newton's steps go too far
            before, after = ((step * each.score).sum(axis=1) for each in (state, new))
            beyond = after < -before / 10
            if beyond.any():
                step[beyond] *= (before[beyond] / (before - after)[beyond])[:, None]
                new = _state(at + step, wins, ties, davidson, firth)
        for _ in range(30):  # of penalised likelihoods Newton's steps are approximate
            slack = 1e-9 * (1.0 + np.abs(state.objective))
            worse = ~(new.objective >= state.objective - slack)
            if not worse.any():
                break
            step[worse] /= 2.0
            new = _state(at + step, wins, ties, davidson, firth)
        at, state = at + step, new
    covariance = state.inverse.copy()
    covariance[:, :k, :k] -= 1.0 / k
    return BradleyTerryFit(
        theta=at[:, :k] - at[:, :k].mean(axis=1, keepdims=True),
        eta=at[:, k] if davidson else None,
        covariance=covariance,
        log_likelihood=state.log_likelihood,
        converged=~moving | (size < NEAR),
    )


def _state(at: Array, wins: Array, ties: Array, davidson: bool, firth: bool) -> _State:
    b, k = wins.shape[:2]
    games = wins + wins.transpose(0, 2, 1) + ties
    d = at[:, :k, None] - at[:, None, :k]
    log_z = np.logaddexp(d / 2, -d / 2)
    if davidson:
        log_z = np.logaddexp(log_z, at[:, k, None, None])
    win = np.exp(d / 2 - log_z)
    lose = win.transpose(0, 2, 1)
    tie = np.exp(at[:, k, None, None] - log_z) if davidson else np.zeros_like(win)
    log_likelihood = (wins * (d / 2 - log_z)).sum(axis=(1, 2))
    expected = games * (win + tie / 2)
    score = np.zeros((b, k + davidson))
    score[:, :k] = (wins + ties / 2 - expected).sum(axis=2)
    spread = games * ((win + lose) / 4 - ((win - lose) / 2) ** 2)
    information = np.zeros((b, k + davidson, k + davidson))
    diagonal = np.arange(k)
    information[:, :k, :k] = 1.0 / k - spread
    information[:, diagonal, diagonal] = 1.0 / k + spread.sum(axis=2) - spread[:, diagonal, diagonal]
    if davidson:
        log_likelihood += (ties * (at[:, k, None, None] - log_z)).sum(axis=(1, 2)) / 2
        score[:, k] = (ties - games * tie).sum(axis=(1, 2)) / 2
        mixed = (games * tie * (lose - win) / 2).sum(axis=2)
        information[:, :k, k] = information[:, k, :k] = mixed
        information[:, k, k] = (games * tie * (1 - tie)).sum(axis=(1, 2)) / 2
    every = np.arange(k + davidson)
    information[:, every, every] += TINY  # where a step went too far, no outcome is open
    inverse = np.linalg.inv(information)
    objective = log_likelihood
    if firth:
        objective = log_likelihood + np.linalg.slogdet(information)[1] / 2
        score = score + _firth(games, win, lose, tie, inverse, davidson)
    return _State(win=win, tie=tie, inverse=inverse, log_likelihood=log_likelihood, objective=objective, score=score)


def _firth(games: Array, win: Array, lose: Array, tie: Array, inverse: Array, davidson: bool) -> Array:
    """½ tr(I⁻¹ ∂I)."""
    b, k = win.shape[:2]
    own = inverse[:, np.arange(k), np.arange(k)]
    h_tt = own[:, :, None] + own[:, None, :] - 2 * inverse[:, :k, :k]
    h_tz = inverse[:, :k, k, None] - inverse[:, None, :k, k] if davidson else np.zeros(())
    h_zz = inverse[:, k, k, None, None] if davidson else np.zeros(())
    of_d, of_eta = firth_terms(win, lose, tie, h_tt, h_tz, h_zz)
    score = np.zeros((b, k + davidson))
    score[:, :k] = (games * of_d).sum(axis=2) / 2
    if davidson:
        score[:, k] = (games * of_eta).sum(axis=(1, 2)) / 4
    return score


def firth_terms(win: Array, lose: Array, tie: Array, h_tt: Array, h_tz: Array, h_zz: Array) -> tuple[Array, Array]:
    """Terms of a battle, for d and for η: the leverages times the third cumulants of (±½ or 0, tie or not)."""
    m, away = (win - lose) / 2, 1 - tie
    ttt = win * (0.5 - m) ** 3 - lose * (0.5 + m) ** 3 - tie * m**3
    ttz = -tie * (win * (0.5 - m) ** 2 + lose * (0.5 + m) ** 2) + tie * away * m**2
    tzz = tie**2 * (win * (0.5 - m) - lose * (0.5 + m)) - tie * away**2 * m
    zzz = tie * away * (1 - 2 * tie)
    return h_tt * ttt + 2 * h_tz * ttz + h_zz * tzz, h_tt * ttz + 2 * h_tz * tzz + h_zz * zzz


def strongly_connected(wins: Array, ties: Array) -> npt.NDArray[np.bool_]:
    """(B,): is every algorithm linked to every other both ways by a win or a tie? Only then is the estimate finite."""
    return _reachable((wins + ties) > 0)


def bounded(wins: Array, ties: Array, davidson: bool) -> npt.NDArray[np.bool_]:
    """(B,): is the plain estimate finite?

    With Davidson's parameter the strengths and η may also grow together: if there are ties, and some strengths of which
    each winner has at least 1 more than the loser, and two that tied differ by at most 1. There are none exactly if the
    graph with lengths −1 from winner to loser and 1 between those that tied has a cycle of negative length.
    """
    connected = strongly_connected(wins, ties)
    if not davidson:
        return connected
    k = wins.shape[1]
    length = np.where(wins > 0, -1.0, np.where(ties > 0, 1.0, np.inf))
    negative = np.zeros(len(wins), dtype=bool)
    for via in range(k):
        if negative.all():  # as where many met: known after a few
            break
        length = np.maximum(np.minimum(length, length[:, :, via, None] + length[:, None, via, :]), -4.0 * k)
        negative |= (length[:, np.arange(k), np.arange(k)] < 0).any(axis=1)
    return np.asarray(connected & negative & (ties > 0).any(axis=(1, 2)))


def linked(wins: Array, ties: Array) -> npt.NDArray[np.bool_]:
    """(B,): did all algorithms meet, directly or through others?"""
    games = wins + ties
    return _reachable((games + games.transpose(0, 2, 1)) > 0)


def _reachable(edges: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    k = edges.shape[1]
    reach = (edges | np.eye(k, dtype=bool)).astype(np.float32)
    for _ in range(max(1, int(np.ceil(np.log2(k))))):
        reach = (reach @ reach > 0).astype(np.float32)
    return np.asarray((reach > 0).all(axis=(1, 2)))


# Strengths beside effects of covariates: the likelihood row by row, and errors that hold within clusters.
#
# With d = θ_i − θ_j + β·z, a battle has the outcomes "i wins", "j wins" and "tie" with weights e^{d/2}, e^{−d/2} and
# e^η, as in ``fitted``; z are differences between the two sides. Without z, β this is that fit.


MOST_ROW_STEPS = 100
KNOWN = 1e-10  # smallest eigenvalue of the information, scaled to a diagonal of ones
EXACT = 500  # clusters that are left out one by one, the largest; of the others the first-order change is taken
_ROWS = 1 << 16  # at once, of leverages


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rows:
    """The design X (m, k + p) of d, with outcomes, and the estimate's state at some (θ, β, η)."""

    x: sparse.csr_array
    counts: Array  # (m, 3)
    k: int
    davidson: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _RowState:
    log_likelihood: float
    objective: float
    score: Array  # (q,)
    information: Array  # (q, q), the direction of all ones made regular
    residuals: tuple[Array, Array]  # (m,) of d and of η: observed less expected
    weights: tuple[Array, Array, Array]  # (m,) variances and covariance of these: dd, dη, ηη


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowFit:
    fit: BradleyTerryFit  # its covariance is of θ, β and, last, η
    firth: bool
    finite: bool  # is the plain estimate?
    rows: _Rows
    state: _RowState


def scales_of(battles: Battles) -> Array:
    """(p,) root mean squares over battles, without a mean, as which side is first is arbitrary; 1 of indicators."""
    z, n = battles.differences, battles.counts.sum(axis=1)
    indicator = np.isin(z, (-1.0, 0.0, 1.0)).all(axis=0)
    return np.where(indicator, 1.0, np.sqrt(n @ z**2 / n.sum()))


def fitted_by_row(battles: Battles, davidson: bool, penalty: str) -> RowFit:
    """``penalty``: as of ``ratings``."""
    rows, firth = _rows_of(battles, davidson), penalty == "firth"
    fit, state, reached = _climbed(rows, firth=firth)
    finite = firth or reached
    if penalty == "none" and not finite:
        raise ParameterError(
            "must be 'auto' or 'firth' here: algorithms and covariates predict some outcomes without an exception, so "
            "that the estimate is infinite without a penalty; got 'none'",
            parameter="penalty",
        )
    if not finite:
        fit, state, _ = _climbed(rows, firth=True)
    return RowFit(fit=fit, firth=firth or not finite, finite=finite, rows=rows, state=state)


def _rows_of(battles: Battles, davidson: bool) -> _Rows:
    k, m = len(battles.algorithms), len(battles.first)
    sides = sparse.csr_array(
        (
            np.concatenate([np.ones(m), -np.ones(m)]),
            (np.tile(np.arange(m), 2), np.concatenate([battles.first, battles.second])),
        ),
        shape=(m, k),
    )
    z = battles.differences / scales_of(battles)
    x = sparse.csr_array(sparse.hstack([sides, sparse.csr_array(z)]))
    counts = battles.counts
    if not davidson:
        counts = np.column_stack([counts[:, :2] + counts[:, 2:] / 2, np.zeros(m)])
    rows = _Rows(x=x, counts=counts, k=k, davidson=davidson)
    if _least_eigenvalue(_gram(rows, counts.sum(axis=1))) < KNOWN:
        raise ParameterError(
            f"cannot be told apart from the strengths, or from each other ({listing(battles.covariates)}): each is "
            "determined by who met whom, or by other covariates. Leave one out",
            parameter="covariates",
        )
    return rows


def _gram(rows: _Rows, weights: Array) -> Array:
    """XᵀWX with 1/k in the block of strengths, which sum to 0."""
    gram = np.asarray((rows.x.T @ rows.x.multiply(weights[:, None]).tocsr()).todense())
    gram[: rows.k, : rows.k] += 1.0 / rows.k
    return gram


def _least_eigenvalue(information: Array) -> float:
    own = np.sqrt(np.maximum(np.diagonal(information), 1e-300))
    return float(np.linalg.eigvalsh(information / own / own[:, None])[0])


def _climbed(rows: _Rows, *, firth: bool) -> tuple[BradleyTerryFit, _RowState, bool]:
    """Newton's method, steps halved where the (penalised) likelihood falls. Without an end the plain estimate is
    infinite: the information of some direction vanishes.
    """
    n = rows.counts.sum(axis=0)
    at = np.zeros(rows.x.shape[1] + rows.davidson)
    if rows.davidson:
        at[-1] = np.log((n[2] + 0.5) / (n[0] + n[1] + 1.0) * 2.0)
    state, size, known = _row_state(rows, at, firth), np.inf, True
    for _ in range(MOST_ROW_STEPS):
        known = firth or _least_eigenvalue(state.information) > KNOWN
        if not known:
            break
        step = np.linalg.solve(state.information, state.score)
        size = float(np.abs(step).max())
        if size <= CLOSE:
            break
        step *= min(1.0, FARTHEST / size)
        new = _row_state(rows, at + step, firth)
        for _ in range(30):
            if new.objective >= state.objective - 1e-9 * (1.0 + abs(state.objective)):
                break
            step /= 2.0
            new = _row_state(rows, at + step, firth)
        at, state = at + step, new
    k, q = rows.k, rows.x.shape[1]
    inverse = np.full(state.information.shape, np.inf)
    if known:
        inverse[:] = np.linalg.inv(state.information)
    inverse[:k, :k] -= 1.0 / k
    theta = np.concatenate([at[:k] - at[:k].mean(), at[k:q]])
    fit = BradleyTerryFit(
        theta=theta[None],
        eta=at[None, -1] if rows.davidson else None,
        covariance=inverse[None],
        log_likelihood=np.array([state.log_likelihood]),
        converged=np.array([size < NEAR]),
    )
    return fit, state, known and size < NEAR


def _row_state(rows: _Rows, at: Array, firth: bool) -> _RowState:
    x, q, davidson = rows.x, rows.x.shape[1], rows.davidson
    d = x @ at[:q]
    log_z = np.logaddexp(d / 2, -d / 2)
    if davidson:
        log_z = np.logaddexp(log_z, at[q])
    win, lose = np.exp(d / 2 - log_z), np.exp(-d / 2 - log_z)
    tie = np.exp(at[q] - log_z) if davidson else np.zeros_like(win)
    won, lost, tied = rows.counts.T
    n, mean = won + lost + tied, (win - lose) / 2
    residuals = (won - lost) / 2 - n * mean, tied - n * tie
    weights = n * ((win + lose) / 4 - mean**2), -n * tie * mean, n * tie * (1 - tie)
    score, information = np.zeros(q + davidson), np.zeros((q + davidson, q + davidson))
    score[:q], information[:q, :q] = x.T @ residuals[0], _gram(rows, weights[0])
    log_likelihood = float(((won - lost) * d / 2 - n * log_z).sum())
    if davidson:
        log_likelihood += float(tied.sum() * at[q])
        score[q] = residuals[1].sum()
        information[:q, q] = information[q, :q] = x.T @ weights[1]
        information[q, q] = weights[2].sum()
    objective = log_likelihood
    if firth:
        objective += float(np.linalg.slogdet(information)[1]) / 2
        inverse = np.linalg.inv(information)
        leverages = _leverages(x, inverse[:q, :q])
        crossed = x @ inverse[:q, q] if davidson else np.zeros_like(d)
        last = inverse[q, q] if davidson else np.zeros(())
        of_d, of_eta = firth_terms(win, lose, tie, leverages, crossed, last)
        score[:q] += x.T @ (n * of_d) / 2
        if davidson:
            score[q] += float((n * of_eta).sum()) / 2
    return _RowState(
        log_likelihood=log_likelihood,
        objective=objective,
        score=score,
        information=information,
        residuals=residuals,
        weights=weights,
    )


def _leverages(x: sparse.csr_array, inverse: Array) -> Array:
    """(m,) xᵀ I⁻¹ x of each row."""
    parts = [x[start : start + _ROWS] for start in range(0, x.shape[0], _ROWS)]
    return np.concatenate([np.asarray(part.multiply(part @ inverse).sum(axis=1)).ravel() for part in parts])


def jackknife(fitted: RowFit, cluster: Places) -> Array:
    """(q, q) jackknife over clusters, (G − 1)/G Σ δ_g δ_gᵀ, δ_g = (I − I_g)⁻¹ s_g being one Newton step without g
    (CR3: Bell and McCaffrey 2002; MacKinnon, Nielsen and Webb 2023), of the information I and the score s_g of g.
    """
    x, davidson = fitted.rows.x, fitted.rows.davidson
    (of_d, of_eta), (dd, de, ee) = fitted.state.residuals, fitted.state.weights
    scores = sparse.csr_array(x.multiply(of_d[:, None]))
    if davidson:
        scores = sparse.csr_array(sparse.hstack([scores, sparse.csr_array(of_eta[:, None])]))
    sizes = np.bincount(cluster)
    groups, q = len(sizes), scores.shape[1]
    belongs = sparse.csr_array(
        (np.ones(len(cluster)), (cluster, np.arange(len(cluster)))), shape=(groups, len(cluster))
    )
    sums = sparse.csr_array(belongs @ scores)
    information = fitted.state.information
    heavy = np.sort(np.argsort(-sizes, kind="stable")[:EXACT])
    light = np.setdiff1d(np.arange(groups), heavy)
    inverse = np.linalg.inv(information)
    inner = sums[light]
    total = inverse @ np.asarray((inner.T @ inner).todense()) @ inverse
    order = np.argsort(cluster, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    for g in heavy.tolist():
        mine = order[starts[g] : starts[g + 1]]
        own, part = np.zeros((q, q)), x[mine].toarray()
        own[: part.shape[1], : part.shape[1]] = part.T @ (part * dd[mine, None])
        if davidson:
            own[:-1, -1] = own[-1, :-1] = part.T @ de[mine]
            own[-1, -1] = ee[mine].sum()
        change = np.linalg.solve(information - (1 - 1e-6) * own, sums[[g]].toarray()[0])
        total += np.outer(change, change)
    return np.asarray(total * (groups - 1) / groups)
