"""Strengths beside effects of covariates: the likelihood row by row, and errors that hold within clusters.

With d = θ_i − θ_j + β·z, a battle has the outcomes "i wins", "j wins" and "tie" with weights e^{d/2}, e^{−d/2} and e^η,
as in ``fit``; z are differences between the two sides. Without z, β this is that fit.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, listing
from bakeoff.scores import Array
from bakeoff.wings.boards.ratings.statistics.battles import Battles, Places
from bakeoff.wings.boards.ratings.statistics.fit import CLOSE, FARTHEST, NEAR, BradleyTerryFit, firth_terms

MOST_STEPS = 100
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
class _State:
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
    state: _State


def scales_of(battles: Battles) -> Array:
    """(p,) root mean squares over battles, without a mean, as which side is first is arbitrary; 1 of indicators."""
    z, n = battles.differences, battles.counts.sum(axis=1)
    assert z is not None
    indicator = np.isin(z, (-1.0, 0.0, 1.0)).all(axis=0)
    return np.where(indicator, 1.0, np.sqrt(n @ z**2 / n.sum()))


def fitted_by_row(battles: Battles, davidson: bool, penalty: str) -> RowFit:
    """``penalty``: as of ``ratings``."""
    assert battles.differences is not None
    rows = _rows_of(battles, davidson)
    fit, state, finite = _climbed(rows, firth=False) if penalty != "firth" else (None, None, True)
    if penalty == "none" and not finite:
        raise ParameterError(
            "must be 'auto' or 'firth' here: algorithms and covariates predict some outcomes without an exception, so "
            "that the estimate is infinite without a penalty; got 'none'",
            parameter="penalty",
        )
    firth = penalty == "firth" or not finite
    if firth:
        fit, state, _ = _climbed(rows, firth=True)
    assert fit is not None
    assert state is not None
    return RowFit(fit=fit, firth=firth, finite=finite, rows=rows, state=state)


def _rows_of(battles: Battles, davidson: bool) -> _Rows:
    assert battles.differences is not None
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


def _climbed(rows: _Rows, *, firth: bool) -> tuple[BradleyTerryFit, _State, bool]:
    """Newton's method, steps halved where the (penalised) likelihood falls. Without an end the plain estimate is
    infinite: the information of some direction vanishes.
    """
    n = rows.counts.sum(axis=0)
    at = np.zeros(rows.x.shape[1] + rows.davidson)
    if rows.davidson:
        at[-1] = np.log((n[2] + 0.5) / (n[0] + n[1] + 1.0) * 2.0)
    state, size, known = _state(rows, at, firth), np.inf, True
    for _ in range(MOST_STEPS):
        known = firth or _least_eigenvalue(state.information) > KNOWN
        if not known:
            break
        step = np.linalg.solve(state.information, state.score)
        size = float(np.abs(step).max())
        if size <= CLOSE:
            break
        step *= min(1.0, FARTHEST / size)
        new = _state(rows, at + step, firth)
        for _ in range(30):
            if new.objective >= state.objective - 1e-9 * (1.0 + abs(state.objective)):
                break
            step /= 2.0
            new = _state(rows, at + step, firth)
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


def _state(rows: _Rows, at: Array, firth: bool) -> _State:
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
    return _State(
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
