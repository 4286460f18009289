"""The fewest runs on one problem for which every compared pair is known to a wanted standard error.

Minimise Σ_k n_k subject to Σ_k q_pk²/n_k ≤ se*² for every pair p, with the coefficients of
:mod:`bakeoff.plan.pilots.standard_errors`. The optima are real numbers; an algorithm without variation gets 0.
"""

import numpy as np

from bakeoff.errors import ParameterError
from bakeoff.plan.pilots.standard_errors import ErrorTerms
from bakeoff.scores import Array

TOLERANCE = 1e-4  # relative gap between the runs found and a lower bound of the optimum: a hundredth of a percent
MOST_ROUNDS = 5_000


def counts_for(terms: ErrorTerms, wanted_se: float, simple: bool, control: int = 0) -> Array:
    """(k,) real numbers of runs n^opt: closed forms for ``simple`` differences, else the convex problem itself."""
    k = terms.coefficients.shape[1]
    with np.errstate(over="ignore"):
        q = terms.coefficients / wanted_se
        squares = q * q
    if not np.all(np.isfinite(squares)):
        rule = f"must be larger: {wanted_se!r} would take more than 1e308 runs"
        raise ParameterError(rule, parameter="wanted_se")
    if k == 2:
        return _two(q[0])
    with_control = len(terms.pairs) == k - 1 and all(i == control for i, _ in terms.pairs)
    if simple:
        s = np.max(q, axis=0)
        return simple_against_control(s, control) if with_control else simple_all_pairs(s)
    return against_control(squares, control) if with_control else balanced_design(squares)


def _two(q: Array) -> Array:
    """n_i = q_i·(q_1 + q_2), total (q_1 + q_2)²: (9) to (11) of Campelo & Takahashi (2019) solved."""
    return q * np.sum(q)


def simple_against_control(s: Array, control: int = 0) -> Array:
    """Simple differences with the control c, sds in units of se*, S² = Σ_{i≠c} s_i².

    n_c = s_c(s_c + S), n_i = s_i²(s_c + S)/S, total (s_c + S)²: all constraints bind, and Lagrange's condition makes
    n_c/s_c² and 1/S agree.
    """
    others = np.delete(s, control)
    spread = float(np.sqrt(np.sum(others**2)))
    own = float(s[control])
    if spread == 0:
        counts = np.zeros_like(s)
        counts[control] = own**2
        return counts
    counts = s**2 * (own + spread) / spread
    counts[control] = own * (own + spread)
    return counts


def simple_all_pairs(s: Array) -> Array:
    """Simple differences of all pairs, sds in units of se*: each algorithm may have error variance s²/n ≤ ½,
    or the noisiest one more than that and every other one less.

    Let S² = Σ s_i² over all but the noisiest. If s_max² > S², others get b = S/(S + s_max) of the variance:
    n_i = s_i²/b, n_max = s_max²/(1 − b), total (s_max + S)²; otherwise n_i = 2·s_i².
    """
    noisiest = int(np.argmax(s))
    top = float(s[noisiest])
    spread = float(np.sqrt(np.sum(np.delete(s, noisiest) ** 2)))
    if top <= spread:
        return 2.0 * s**2
    if spread == 0:
        return s**2
    counts = s**2 * (spread + top) / spread
    counts[noisiest] = top * (spread + top)
    return counts


def against_control(squares: Array, control: int = 0) -> Array:
    """Any differences with the control, (k − 1, k) squares in units of se*²: one-dimensional.

    Given x = 1/n_c, the others follow: n_i = B_i/(1 − A_i·x) with A_i, B_i the squares of the control and of i in
    their pair. The total 1/x + Σ n_i(x) is convex on (0, 1/max A); its slope
    −1/x² + Σ A_i·B_i/(1 − A_i·x)² is bisected.
    """
    a = squares[:, control]
    b = np.sum(np.delete(squares, control, axis=1), axis=1)  # each row has one other entry
    own = _own_share(a, b)
    counts = np.empty(squares.shape[1])
    if own == 0:  # a control without variation needs no runs: the others carry the whole error
        counts[control], rest = 0.0, b
    else:
        left = 1 - a * own
        counts[control], rest = 1 / own, np.divide(b, left, out=np.zeros_like(b), where=b > 0)
    counts[np.arange(len(counts)) != control] = rest
    return counts


def _own_share(a: Array, b: Array) -> float:
    """x = 1/n_c where the total is least; 0 stands for a control that needs no runs."""
    top = float(np.max(a, initial=0.0))
    if top == 0:
        return 0.0
    a, b = a / top, b / top  # x in units of 1/max A: between 0 and 1
    low, high = 0.0, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        with np.errstate(over="ignore"):
            rising = np.sum(a * b * (middle / (1 - a * middle)) ** 2) > 1
        low, high = (low, middle) if rising else (middle, high)
    return (high if not np.any(a * b > 0) else low) / top


def balanced_design(squares: Array) -> Array:
    """Any set of pairs, (n_pairs, k) squares in units of se*²; algorithms may enter every pair.

    The dual is max over weights u on the pairs (Σ u = 1) of (Σ_k √(uᵀT)_k)², concave, and n_k = √(uᵀT)_k·Σ_l √(uᵀT)_l.
    The factor f_p = Σ_k T_pk/√(uᵀT)_k / Σ_l √(uᵀT)_l is the pair's error variance in units of the wanted one: 1 at the
    optimum wherever u_p > 0, and at most 1 everywhere, so its excess bounds the gap. The weights follow
    u_p ← u_p·f_p², which is exact in one step where pairs share no algorithm. The n's are then
    raised by the largest factor: the wanted standard error holds for every pair, converged or not.
    """
    used = np.any(squares > 0, axis=0)
    t = squares[:, used]
    counts = np.zeros(squares.shape[1])
    if not t.size:
        return counts
    u = np.full(len(t), 1 / len(t))
    for _ in range(MOST_ROUNDS):
        root = np.sqrt(u @ t)
        factor = (t / root).sum(axis=1) / root.sum()
        if factor.max() <= 1 + TOLERANCE:
            break
        u = u * factor**2
        u /= u.sum()
    root = np.sqrt(u @ t)
    design = root * root.sum()
    counts[used] = design * float(np.max((t / design).sum(axis=1)))
    return counts
