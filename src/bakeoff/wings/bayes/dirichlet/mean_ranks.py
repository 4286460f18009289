"""The posterior of the mean ranks: exact moments (Theorem 1 of Benavoli et al. 2015), and draws from it.

E[R] = w₀ R₀ + Σ_j w_j R_j,  (w₀, w₁ … w_n) ~ Dirichlet(s, 1 … 1)      (equation 15)

with R_j the ranks on problem j and R₀ the prior's ranking. Ranks are stored doubled and centred, as whole numbers
d_j = 2R_j − (k + 1): "all equal" is then the origin, and sums do not depend on the order of problems. With clusters R_j
are the mean ranks on the problems of cluster j, and d_j is stored in multiples of a ``unit`` that makes it whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.checks import did_you_mean, shown
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ParameterError, listing
from bakeoff.omnibus.result import n_tied_problems
from bakeoff.randomness import chunk_size, in_chunks, product
from bakeoff.ranks import Ints, doubled_ranks
from bakeoff.ranks.problem_order import problem_order
from bakeoff.scores import Array, Scores
from bakeoff.wings.bayes.dirichlet.weights import ClusterRows, alike, check_clusters, cluster_rows, gammas

MOST_EXACT = 10_000_000  # clusters × algorithms × unit, up to which sums of squares are exact in floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankPosteriorInput:
    """Everything the posterior of the mean ranks depends on."""

    deviations: Ints  # (n, k) doubled ranks minus k + 1, times ``unit``; problems or clusters, sorted by content
    prior: Ints  # (k,) the same for the prior's ranking; zeros: all algorithms equal
    strength: float  # s: the prior counts as s problems
    unit: int = 1  # with clusters the least common multiple of their sizes
    n_tied: int = 0  # problems with at least one tie

    @property
    def n(self) -> int:
        return int(self.deviations.shape[0])

    @property
    def k(self) -> int:
        return int(self.deviations.shape[1])

    def reordered(self, columns: npt.NDArray[np.intp]) -> RankPosteriorInput:
        """The same with the algorithms in another order."""
        return replace(self, deviations=self.deviations[:, columns], prior=self.prior[columns])

    def with_prior(self, prior: Ints) -> RankPosteriorInput:
        return replace(self, prior=prior)

    @property
    def clustered(self) -> bool:
        return self.unit > 1

    @property
    def centred_ranks(self) -> Array:
        """(n, k) ranks less (k + 1)/2."""
        return np.asarray(self.deviations / (2.0 * self.unit), dtype=np.float64)


def check_ranking(scores: Scores, prior: object, others: str = "") -> Ints:
    """(k,) places 0 … k − 1 of the algorithms in a prior ranking, which names all of them, best first."""
    names = [str(name) for name in prior] if isinstance(prior, Sequence) and not isinstance(prior, str) else []
    unknown = next((name for name in names if name not in scores.algorithms), None)
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    lacking = next((name for name in scores.algorithms if name not in names), None)
    if unknown is None and twice is None and lacking is None:
        return np.array([names.index(name) for name in scores.algorithms], dtype=np.int64)
    wrong = f", which names {twice!r} twice" if twice is not None else f", which lacks {lacking!r}"
    if unknown is not None:
        wrong = f"; no algorithm is called {unknown!r}{did_you_mean(unknown, scores.algorithms)}"
    rule = f"must be {others}a ranking: the names of all algorithms, best first, such as {listing(scores.algorithms)}"
    raise ParameterError(f"{rule}; got {shown(prior)}{wrong if names else ''}", parameter="prior")


def posterior_input(scores: Scores, strength: float, places: Ints | None = None) -> RankPosteriorInput:
    """The ranks of the scores, under the prior that all algorithms are equal, or have these places (from 0)."""
    k = scores.n_algorithms
    doubled, rows = doubled_ranks(scores), cluster_rows(check_clusters(scores, "the posterior of mean ranks"))
    deviations = doubled - (k + 1)
    unit = 1 if rows is None else rows.common_size
    return RankPosteriorInput(
        deviations=deviations[problem_order(scores)] if rows is None else _cluster_deviations(deviations, rows),
        prior=np.zeros(k, dtype=np.int64) if places is None or strength == 0 else unit * (2 * places - (k - 1)),
        strength=strength,
        unit=unit,
        n_tied=n_tied_problems(doubled),
    )


def _cluster_deviations(deviations: Ints, rows: ClusterRows) -> Ints:
    """(G, k) means over clusters in multiples of the unit, exact; Python's whole numbers if squares may be large."""
    unit, k = rows.common_size, deviations.shape[1]
    sums = np.add.reduceat(deviations[rows.rows], rows.starts, axis=0)
    times = [unit // size for size in rows.sizes.tolist()]
    kind = object if rows.n * k * unit > MOST_EXACT else np.int64
    return np.asarray(sums.astype(kind) * np.array(times, dtype=kind)[:, None])


def scatters(data: RankPosteriorInput) -> tuple[Ints, Ints, Ints]:
    """Whole numbers S = Σ d_j (k,), A = n Σ d_j d_jᵀ − S Sᵀ and B = Σ (d_j − d₀)(d_j − d₀)ᵀ, both (k, k).

    Products of floats are exact here, because all sums are far below 2⁵³.
    """
    whole = data.deviations.dtype == object
    d = data.deviations if whole else data.deviations.astype(np.float64)
    sums = data.deviations.sum(axis=0)
    second: Ints = np.asarray(d.T @ d if whole else (d.T @ d).astype(np.int64))
    about_mean = data.n * second - np.outer(sums, sums)
    cross = np.outer(sums, data.prior)
    about_prior = second - cross - cross.T + data.n * np.outer(data.prior, data.prior)
    return sums, about_mean, about_prior


def posterior_mean(data: RankPosteriorInput) -> Array:
    """(k,) equation 16: μ = (s R₀ + Σ_j R_j)/(s + n)."""
    total = data.strength + data.n
    centred = data.deviations.sum(axis=0) / total + data.prior * (data.strength / total)
    return np.asarray((data.k + 1) / 2 + centred / (2 * data.unit), dtype=np.float64)


def posterior_covariance(data: RankPosteriorInput) -> Array:
    """(k, k) equation 17: Σ = [Σ R_j R_jᵀ + s R₀ R₀ᵀ − (s + n) μ μᵀ] / ((s + n)(s + n + 1)).

    Computed as (A + s B) / (4 (s + n)² (s + n + 1)), see ``scatters``, without cancellation even for tiny s.
    """
    _, about_mean, about_prior = scatters(data)
    total = data.strength + data.n
    scatter = about_mean / total + about_prior * (data.strength / total)
    return np.asarray(scatter / (4 * data.unit**2) / total / (total + 1), dtype=np.float64)


def weighted_means(
    atoms: Array, prior_atom: Array, strength: float, n_draws: int, rng: np.random.Generator, threads: int | None = None
) -> Iterator[Array]:
    """Draws of w₀ x₀ + Σ w_j x_j, in chunks of shape (size, c), from atoms (n, c) and the prior atom (c,).

    The last column of the matrix product is the sum of the weights.
    """
    first, counts = alike(atoms)
    atoms = atoms[first]
    n, c = atoms.shape
    table = np.column_stack([atoms, np.ones(n)])
    prior_row = np.append(prior_atom, 1.0)

    def work(stream: np.random.Generator, size: int) -> Array:
        weights, prior = gammas(stream, size, n, strength, counts)
        means = product(weights, table)
        if strength > 0:
            means += prior[:, None] * prior_row
        return np.asarray(means[:, :c] / means[:, c:], dtype=np.float64)

    return in_chunks(work, n_draws, chunk_size(max(n, c)), rng, threads)
