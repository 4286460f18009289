"""Symmetric credible regions of mean ranks and of relative effects: does "all equal" lie inside?

Both regions are ordered by depth, the squared Mahalanobis distance to the posterior mean under the posterior
covariance. The ellipsoid takes its size from the F distribution (Benavoli et al. 2015, equation 19), the exact region
from draws of the posterior. In one dimension the exact region is the equal-tail interval, as in their section 5.1.2.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from bakeoff.dataclass import dataclass, fields
from bakeoff.errors import ParameterError, counted
from bakeoff.nulls.tails import drawn_share
from bakeoff.ranks import Ints
from bakeoff.scores import Array
from bakeoff.special import betainc, betaincinv
from bakeoff.wings.bayes.dirichlet.mean_ranks import RankPosteriorInput, scatters, weighted_means
from bakeoff.wings.bayes.dirichlet.relative_effects import (
    RunSigns,
    covariance_parts,
    effect_covariance,
    first_and_second_moments,
)

# Symmetric elimination in integers: the rank and the range of a covariance, exactly.
#
# Covariances of mean ranks are whole-number matrices except for a factor, and they are singular whenever two algorithms
# always tie, all problems agree, or problems are few. Bareiss' fraction-free elimination keeps every number whole, so
# that rank, range and Mahalanobis distance have no rounding in them.


EXACT_UP_TO = 100  # algorithms; whole numbers grow with their number (100: a third of a second)
ROUNDING = 1e-10  # beyond that: what counts as zero, relative to the largest number of its kind


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LDLFactors:
    """N = L D Lᵀ on the rows ``pivots``, the first independent ones."""

    pivots: Ints  # (r,)
    lower: Array  # (r, r) L, with ones on its diagonal
    log_diagonal: Array  # (r,) natural logarithms of D
    quadratic: float | Fraction | None  # vᵀ N⁺ v; None: v has a component outside the range of N


def eliminate(matrix: list[list[int]], vector: list[int]) -> LDLFactors:
    """Eliminate in a symmetric matrix without negative directions, and v."""
    a, v = [row[:] for row in matrix], vector[:]
    rows = range(len(v))
    pivots: list[int] = []
    before = 1
    columns: list[list[int]] = []
    heights: list[tuple[int, int]] = []
    quadratic = Fraction(0)
    left = list(rows)
    while (p := next((i for i in left if a[i][i]), None)) is not None:
        pivot, row = a[p][p], a[p]
        left.remove(p)
        pivots.append(p)
        columns.append([row[i] for i in rows])
        heights.append((pivot, before))
        quadratic += Fraction(v[p] * v[p], before * pivot)
        for place, i in enumerate(left):
            factor, target = row[i], a[i]
            v[i] = (pivot * v[i] - factor * v[p]) // before
            for j in left[place:]:
                target[j] = a[j][i] = (pivot * target[j] - factor * row[j]) // before
        before = pivot
    r = len(pivots)
    lower = np.eye(r)
    for j in range(r):
        for i in range(j + 1, r):
            lower[i, j] = columns[j][pivots[i]] / heights[j][0]
    return LDLFactors(
        pivots=np.array(pivots, dtype=np.int64),
        lower=lower,
        log_diagonal=np.array([_log_ratio(*height) for height in heights], dtype=np.float64),
        quadratic=None if any(v[i] for i in left) else quadratic,
    )


def eliminate_rounded(matrix: Array, vector: Array) -> LDLFactors:
    """The same in floats, largest pivot first: for more than ``EXACT_UP_TO`` algorithms."""
    a, v = matrix.copy(), vector.copy()
    largest, length = float(np.diagonal(a).max(initial=0.0)), float(np.abs(v).max(initial=0.0))
    pivots: list[int] = []
    columns: list[Array] = []
    heights: list[float] = []
    quadratic = 0.0
    while largest > 0 and a[p := int(np.argmax(np.diagonal(a))), p] > ROUNDING * largest:
        height, column = float(a[p, p]), a[:, p] / a[p, p]
        pivots.append(p)
        heights.append(height)
        columns.append(column)
        quadratic += float(v[p] * v[p]) / height
        v -= v[p] * column
        a -= np.outer(column, a[p])
        a[p], a[:, p], v[p] = 0.0, 0.0, 0.0
    order = np.array(pivots, dtype=np.int64)
    below = np.array([column[order] for column in columns]).reshape(len(order), len(order)).T
    return LDLFactors(
        pivots=order,
        lower=np.tril(below, -1) + np.eye(len(order)),
        log_diagonal=np.log(heights),
        quadratic=quadratic if float(np.abs(v).max(initial=0.0)) <= ROUNDING * length else None,
    )


def _log_ratio(top: int, bottom: int) -> float:
    try:
        return math.log(top / bottom)
    except (OverflowError, ValueError):  # beyond the range of floats
        return math.log(top) - math.log(bottom)


REGIONS = ("ellipsoid", "exact")
STANDARD_ERRORS = 4.0  # how far the probability must be from 1 − γ for the draws to decide
MOST_DRAWS = 800_000  # drawn at most to come to a decision, unless the user asks for more


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WhitenedPosterior:
    """A posterior in coordinates in which it has mean 0 and covariance 1."""

    atoms: Array  # (n, r) the problems
    prior: Array  # (r,) the prior ranking
    null: Array  # (r,) all algorithms equal; meaningless where the depth is infinite
    depth: float  # of the null; infinite: outside the support of the posterior

    @property
    def rank(self) -> int:
        """In how many dimensions the mean ranks vary: k − 1 in ordinary tables."""
        return int(self.atoms.shape[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionTest:
    """The place of "all equal" in a region's family."""

    statistic: float  # its depth
    critical_value: float  # depth of the edge of the region of content 1 − γ
    probability: float  # content of the smallest region that holds it
    rejected: bool  # it lies outside
    standard_error: float = 0.0  # of the probability
    n_draws: int = 0
    decided: bool = True  # False: the probability is too near to 1 − γ for the draws made

    @property
    def fields(self) -> dict[str, Any]:
        """Those of a result, which has all of them but its draws."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("n_draws", "decided")}


def region_verdict(undecidable: bool, lower: RegionTest, upper: RegionTest) -> str:
    """The verdict of a region, or of the extreme ones over all prior rankings."""
    if undecidable:
        return "cannot tell"
    if lower.rejected != upper.rejected:
        return "indeterminate"
    if not (lower.decided and upper.decided):
        return "undecided"
    return "different" if lower.rejected else "no difference shown"


def whiten(data: RankPosteriorInput) -> WhitenedPosterior:
    """Whiten: z = D^(−½) L⁻¹ (x − μ) on the pivots of the covariance L D Lᵀ, whose rank is found exactly.

    The covariance is N / (4 u (s + n)² (s + n + 1)) with N = u (A + s B), see ``scatters``.
    """
    factors, unit = _eliminated(data)
    total = data.strength + data.n
    centre = data.deviations.sum(axis=0) / total + data.prior * (data.strength / total)
    logs = 0.5 * (math.log(unit) - factors.log_diagonal) + math.log(total) + 0.5 * math.log(total + 1)
    to_white = np.linalg.inv(factors.lower).T * np.exp(logs)
    points = (np.vstack([data.deviations, data.prior, np.zeros(data.k)]) - centre).astype(np.float64)
    white = points[:, factors.pivots] @ to_white
    depth = math.inf
    if factors.quadratic is not None:
        depth = _as_float(factors.quadratic / unit * (Fraction(data.strength) + data.n + 1))
    return WhitenedPosterior(atoms=white[:-2], prior=white[-2], null=white[-1], depth=depth)


def _eliminated(data: RankPosteriorInput) -> tuple[LDLFactors, int | Fraction]:
    """N = u (A + s B) and v = u (S + s d₀) eliminated, and u: s = p/q, as every float is, makes them whole."""
    sums, about_mean, about_prior = scatters(data)
    if data.k > EXACT_UP_TO:
        unit = 1 / max(1.0, data.strength)
        share = data.strength * unit
        return eliminate_rounded(about_mean * unit + about_prior * share, sums * unit + data.prior * share), Fraction(
            unit
        )
    p, q = data.strength.as_integer_ratio()
    both = zip(about_mean.tolist(), about_prior.tolist(), strict=True)
    matrix = [[q * a + p * b for a, b in zip(*rows, strict=True)] for rows in both]
    vector = [q * a + p * b for a, b in zip(sums.tolist(), data.prior.tolist(), strict=True)]
    return eliminate(matrix, vector), q


def _as_float(value: Fraction | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def require_problems(n: int, rank: int, k: int) -> None:
    """The F distribution of the ellipsoid has n − r degrees of freedom."""
    if n <= rank:
        raise ParameterError(
            f": the ellipsoid needs more problems than dimensions in which the mean ranks vary (n >= k, "
            f"ordinarily); got {counted(n, 'problem')}, {k} algorithms and {counted(rank, 'dimension')}. "
            "Take region='exact', or more problems",
            parameter="region",
        )


def ellipsoid(whitened: WhitenedPosterior, n: int, gamma: float) -> RegionTest:
    """Equation 19: ρ = Finv(1 − γ; r, n − r) (n − 1) r / (n − r), with r for the paper's k − 1; needs n > r.

    With y the γ-quantile of Beta((n − r)/2, r/2), ρ = (n − 1)(1 − y)/y: no digits are lost where γ is small.
    """
    r = whitened.rank
    edge = _edge(r, n, gamma) if r else 0.0
    if r == 0 or math.isinf(whitened.depth):
        return _certain(whitened.depth, edge)
    content = float(betainc(r / 2, (n - r) / 2, whitened.depth / (whitened.depth + n - 1)))
    return _tested(whitened.depth, edge, content, whitened.depth > edge)


def _edge(r: int, n: int, gamma: float) -> float:
    y = float(betaincinv((n - r) / 2, r / 2, gamma))
    return (n - 1) * (1 - y) / y if y > 0 else math.inf


def _certain(depth: float, edge: float = 0.0) -> RegionTest:
    """The posterior is a point, or the null is outside its support."""
    outside = math.isinf(depth)
    return _tested(depth, edge, float(outside), outside)


def _tested(depth: float, edge: float, content: float, rejected: bool) -> RegionTest:
    return RegionTest(statistic=depth, critical_value=edge, probability=content, rejected=rejected)


def region_by_draws(
    whitened: WhitenedPosterior,
    strength: float,
    gamma: float,
    n_draws: int,
    rng: np.random.Generator,
    threads: int | None = None,
) -> RegionTest:
    """The region that holds 1 − γ of the posterior's draws, those nearest to the mean.

    Draws are doubled until the probability is four standard errors from 1 − γ, or ``MOST_DRAWS`` are made.
    """
    if whitened.rank == 0:
        return _certain(whitened.depth)
    drawn = np.empty(0)
    while True:
        new = max(n_draws, len(drawn))
        parts = weighted_means(whitened.atoms, whitened.prior, strength, new, rng, threads)
        drawn = np.concatenate([drawn, *(depths_of(part) for part in parts)])
        tested = region_from_draws(drawn, whitened, gamma)
        if tested.decided or 2 * len(drawn) > max(MOST_DRAWS, n_draws):
            return tested


def depths_of(white: Array) -> Array:
    """Depth; in one dimension the coordinate itself."""
    return white[:, 0] if white.shape[1] == 1 else np.einsum("ij,ij->i", white, white)


def region_from_draws(drawn: Array, whitened: WhitenedPosterior, gamma: float) -> RegionTest:
    """The edge is an order statistic of the depths, the probability a count; both give the same verdict.

    The probability is (count + ½)/(draws + 1), never 0 or 1 unless the null is the mean itself, or out of reach.
    """
    size = len(drawn)
    if whitened.rank == 1 and math.isfinite(whitened.depth):
        tail, edge = _tail(drawn, float(whitened.null[0]), gamma)
        smoothed, sides = float(drawn_share(tail, size)), 2
        share = max(1.0 - 2.0 * smoothed, 0.5 / (size + 1))
    else:
        depths = drawn * drawn if whitened.rank == 1 else drawn
        nearer = int(np.count_nonzero(depths < whitened.depth))
        inner = max(int((1 - gamma) * (size + 1) - 0.5), 0)
        edge = float(np.partition(depths, inner)[inner]) if inner < size else math.inf  # too few draws for this level
        smoothed, sides = float(drawn_share(size - nearer, size)), 1
        share = 1.0 - smoothed
        if whitened.depth == 0.0 or math.isinf(whitened.depth):
            share = float(math.isinf(whitened.depth))
    outside = share > 1.0 - gamma if sides == 1 else 2.0 * smoothed < gamma
    at_edge = gamma / sides
    margin = STANDARD_ERRORS * sides * math.sqrt(at_edge * (1 - at_edge) / size)
    return RegionTest(
        statistic=whitened.depth,
        critical_value=edge,
        probability=share,
        standard_error=0.0 if math.isinf(whitened.depth) else sides * math.sqrt(smoothed * (1 - smoothed) / size),
        n_draws=size,
        rejected=outside,
        decided=math.isinf(whitened.depth) or abs(share - (1 - gamma)) > margin,
    )


def _tail(drawn: Array, null: float, gamma: float) -> tuple[int, float]:
    """Draws at least as far out as the null on the nearer side, and the signed depth of the interval's end there."""
    if null < 0:
        drawn, null = -drawn, -null
    beyond, before = int(np.count_nonzero(drawn >= null)), int(np.count_nonzero(drawn <= null))
    last = len(drawn) - min(max(1, math.ceil(gamma * (len(drawn) + 1) / 2 - 0.5)), len(drawn))
    end = float(np.partition(drawn, last)[last])
    return min(beyond, before), end * abs(end)


# Credible regions of the relative effects of independent samples: does "all equal", every effect 1/2, lie inside?
#
# Both regions have the shape of the posterior covariance. The exact one contains 1 − γ of the posterior's draws, which
# takes the covariance for known. The ellipsoid allows for its estimation from r_i runs of each algorithm: its edge is a
# quantile of c·F(q, f) after Johansen (1980, Biometrika 67, 85–92), with
#
#     A = Σ_i [tr Q_i² + (tr Q_i)²] / (2 (r_i − 1)),   c = q + 2A − 6A/(q + 2),   f = q (q + 2)/(3A),
#
# q the dimensions in which effects vary and Q_i the part of the covariance that comes from the runs of algorithm i, in
# coordinates in which the whole is 1. A factor turns the posterior's variances into unbiased ones; it enters twice,
# because variances of relative effects also shrink as the effects leave 1/2: with the factor once, equal algorithms
# were
# called different in up to 7 % of tables at γ = 5 %.


LEAST_STRENGTH = 1.0  # of the prior in the ellipsoid: else samples that do not overlap leave no variance


def effect_ellipsoid(signs: RunSigns, strength: float, gamma: float) -> RegionTest:
    """The region whose edge is a quantile of F; with at least one run's worth of prior for each algorithm."""
    s = max(strength, LEAST_STRENGTH)
    centre = np.asarray(first_and_second_moments(signs, s)[0].mean(axis=1) / 2.0)  # of the effects less ½
    to_white, null, outside = _whitened(-centre, effect_covariance(signs, s))
    q = to_white.shape[1]
    if q == 0:
        return _certain(math.inf if outside else 0.0)
    depth = float(null @ null)
    runs = signs.counts[0].astype(np.float64)
    if runs.min() < 2:  # the variance between the runs of this algorithm is not known
        return _tested(depth, math.inf, 0.0, False)
    parts = np.einsum("ar,iab,bt->irt", to_white, covariance_parts(signs, s), to_white)
    traces, squares = np.trace(parts, axis1=1, axis2=2), (parts**2).sum(axis=(1, 2))
    a = float(np.sum((squares + traces**2) / (2.0 * (runs - 1.0))))
    c, f = q + 2.0 * a - 6.0 * a / (q + 2.0), q * (q + 2.0) / (3.0 * a)
    total = runs + s
    unit = c * float(np.max(runs * (total + 1.0) / total / (runs - 1.0))) ** 2
    y = float(betaincinv(f / 2.0, q / 2.0, gamma))  # γ-quantile of Beta(f/2, q/2): F = f (1 − y)/(q y)
    edge = unit * f * (1.0 - y) / (q * y) if y > 0 else math.inf
    x = q * depth / unit
    return _tested(depth, edge, float(betainc(q / 2.0, f / 2.0, x / (x + f))), depth > edge)


def exact_effect_region(leads: Array, centre: Array, covariance: Array, gamma: float) -> RegionTest:
    """The region of the draws ``leads`` (n_draws, k) of the effects less ½, about their mean ``centre``."""
    to_white, null, outside = _whitened(-centre, covariance)
    rank = to_white.shape[1]
    if rank == 0:  # no draw differs from another
        return _certain(math.inf if outside else 0.0)
    depth = math.inf if outside else float(null @ null)
    shape = WhitenedPosterior(atoms=np.zeros((0, rank)), prior=np.zeros(rank), null=null, depth=depth)
    return region_from_draws(depths_of((leads - centre) @ to_white), shape, gamma)


def _whitened(null: Array, covariance: Array) -> tuple[Array, Array, bool]:
    """(k, q) to coordinates in which the covariance is 1, on its range; the null in them, and whether it is outside."""
    scale = math.sqrt(float(np.max(covariance.diagonal() + null**2))) or 1.0  # small where the prior is strong
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-13 * scale**2
    outside = float(np.abs(null - vectors[:, kept] @ (vectors[:, kept].T @ null)).max()) > 1e-9 * scale
    to_white = vectors[:, kept] / np.sqrt(values[kept])
    return to_white, null @ to_white, outside
