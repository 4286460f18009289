"""Pilot experiments: the cells they measured, standard errors of differences, and the fewest runs that suffice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff import numerals
from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, OverflowingScoreError, ParameterError, ScoreError, listing
from bakeoff.plan.differences import KINDS, DifferenceKind
from bakeoff.scores import Array, Scores

# What a pilot experiment says about each cell: mean, spread and skewness of its runs.

_PAPER = "Campelo & Takahashi (2019)"


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotCells:
    """(n_problems, n_algorithms) each, of the scores or of their logarithms."""

    means: Array
    sds: Array
    counts: npt.NDArray[np.int64]
    skewed: npt.NDArray[np.bool_]  # sample skewness beyond 1, and beyond two of its standard errors


def pilot_cells(scores: Scores, method: str, difference: DifferenceKind) -> PilotCells:
    """Moments of every cell, of what this kind of difference takes them of; each needs two finite runs."""
    scores.require_finite(method)
    few = np.argwhere(scores.n_runs < 2)
    if scores.runs is None or few.size:
        where = [f"{scores.problems[i]!r} with {scores.algorithms[j]!r}" for i, j in few.tolist()]
        raise ParameterError(
            f"must hold at least 2 runs in every cell, or the spread of runs cannot be seen; one run on "
            f"{listing(where, 2)}. Give an array of shape (n_problems, n_algorithms, n_runs), or a file with a run "
            "column. One answer of two models to each question is a pilot for bo.plan.questions (plan --questions).",
            parameter="scores",
        )
    shape = scores.values.shape
    means, sds, skewed = np.empty(shape), np.empty(shape), np.zeros(shape, dtype=bool)
    for i, row in enumerate(_measured(scores, scores.runs, difference)):
        for j, padded in enumerate(row):
            runs = padded[~np.isnan(padded)]
            means[i, j], sds[i, j] = mean_and_sd(runs)
            skewed[i, j] = sds[i, j] > 0 and _is_skewed(runs, means[i, j], sds[i, j])
    return PilotCells(means=means, sds=sds, counts=scores.n_runs, skewed=skewed)


def _measured(scores: Scores, runs: Array, difference: DifferenceKind) -> list[Array]:
    """The runs of each problem, which an error names."""
    rows = []
    for problem, row in zip(scores.problems, runs, strict=True):
        try:
            rows.append(KINDS[difference].measured(row))
        except ScoreError as error:
            raise error.at(f"problem {problem!r}") from None
    return rows


def _is_skewed(runs: Array, mean: float, sd: float) -> bool:
    """|G₁| > max(1, two standard errors of G₁ under normality); below 3 runs nothing can be said."""
    n = len(runs)
    if n < 3:
        return False
    skewness = n / ((n - 1) * (n - 2)) * float(np.sum(((runs - mean) / sd) ** 3))
    return abs(skewness) > max(1.0, 2 * math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3))))


def pilot_cautions(cells: PilotCells, difference: str, form: str, control: int | None = None) -> list[Caution]:
    """Warn of too few runs, skewness, no variation, a reference near zero, the paper's formula."""
    cautions = []
    fewest = int(cells.counts.min())
    if fewest < 15:
        off = numerals.in_percent(1 / math.sqrt(2 * (fewest - 1)))
        cautions.append(caution_of("too-few", "pilot-runs", fewest=fewest, off=off))
    if np.mean(cells.skewed) > 0.25:
        cautions.append(
            caution_of(
                "skew",
                "pilot-runs",
                reference=f"{_PAPER}, section 4.6",
                skewed=int(cells.skewed.sum()),
                size=cells.skewed.size,
            )
        )
    if still := int(np.sum(np.all(cells.sds == 0, axis=1))):
        cautions.append(caution_of("no-variation", "pilot-runs", still=still, sds=len(cells.sds)))
    references = near_zero(cells, control) if KINDS[difference].relative else []
    if any(references):
        cautions.append(caution_of("near-zero", "pilot-means", references=sum(references), problems=len(references)))
    return [*cautions, *form_cautions(difference, form, "form")]


def near_zero(cells: PilotCells, control: int | None) -> list[bool]:
    """Per problem: is the reference of percent differences within 3 standard errors of 0?"""
    comparisons: Comparisons = "all-pairs" if control is None else "control"
    rows = zip(cells.means, cells.sds, cells.counts, strict=True)
    return [weak_reference(m, s, c, comparisons, control or 0) for m, s, c in rows]


# How well a difference between algorithms is known on one problem after some runs.
#
# Every kind of difference φ between means has se² = Σ_k q_k²/n_k, where n_k counts the runs of algorithm k and q_k is
# its standard deviation times |∂φ/∂x̄_k|. These functions find the q's; those below find the best n's.

Comparisons = Literal["all-pairs", "control"]
PercentForm = Literal["corrected", "paper"]
Pairs = tuple[tuple[int, int], ...]

COMPARISONS = ("all-pairs", "control")
FORMS = ("corrected", "paper")


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorTerms:
    """The difference φ of every compared pair on one problem, and what its standard error is made of."""

    pairs: Pairs  # (first, second), φ is second − first: lexicographic, or (control, other) in column order
    differences: Array  # (n_pairs,) φ: in score units, as a fraction, or a logarithm
    coefficients: Array  # (n_pairs, n_algorithms) q ≥ 0: se² = Σ_k q_k²/n_k

    def standard_errors(self, counts: npt.ArrayLike) -> Array:
        """(n_pairs,) after ``counts`` (n_algorithms,) runs."""
        return _root_sum_of_squares(self.coefficients / np.sqrt(np.asarray(counts, dtype=np.float64)))

    def within(self, pair: int) -> tuple[float, float]:
        """q of the pair's first and second algorithm; n_first·q_second < n_second·q_first asks for the first."""
        i, j = self.pairs[pair]
        return float(self.coefficients[pair, i]), float(self.coefficients[pair, j])


def compared_pairs(n_algorithms: int, comparisons: Comparisons, control: int = 0) -> Pairs:
    """All i < j in lexicographic order, or the control (first) with each other one in column order."""
    k = n_algorithms
    if comparisons == "control":
        return tuple((control, j) for j in range(k) if j != control)
    return tuple((i, j) for i in range(k) for j in range(i + 1, k))


def mean_and_sd(values: Sequence[float] | Array) -> tuple[float, float]:
    """Mean and sample standard deviation (n − 1) by correctly rounded sums: the order of runs cannot matter."""
    runs = [float(x) for x in values]
    n = len(runs)
    if n < 2:
        raise ParameterError(f"must hold at least 2 runs, or there is no spread to see; got {n}", parameter="values")
    size = max(map(abs, runs))
    if not math.isfinite(size):
        raise ScoreError("must be finite: an infinite or missing run has no standard error", parameter="values")
    if max(runs) == min(runs):
        return runs[0], 0.0  # exactly, which rounding of the mean would hide
    mean = math.fsum(x / size for x in runs) / n * size
    deviations = [x - mean for x in runs]
    largest = max(map(abs, deviations))
    sd = largest * math.sqrt(math.fsum((d / largest) ** 2 for d in deviations) / (n - 1))
    if not math.isfinite(sd):
        raise OverflowingScoreError(
            ": the spread of the runs is beyond the largest float (1.8e308); rescale", parameter="values"
        )
    return mean, sd


def moments(samples: Sequence[Sequence[float] | Array]) -> tuple[Array, Array, npt.NDArray[np.int64]]:
    """Means, standard deviations and counts (k,) of each algorithm's runs on one problem."""
    summaries = [mean_and_sd(sample) for sample in samples]
    means, sds = (np.array(column, dtype=np.float64) for column in zip(*summaries, strict=True))
    return means, sds, np.array([len(sample) for sample in samples], dtype=np.int64)


def error_terms(
    means: npt.ArrayLike,
    sds: npt.ArrayLike,
    comparisons: Comparisons = "all-pairs",
    difference: DifferenceKind = "simple",
    form: PercentForm = "corrected",
    control: int = 0,
) -> ErrorTerms:
    """The parts of the standard errors of all compared pairs, from each algorithm's mean and sd (k,).

    Simple, φ = x̄_j − x̄_i: q_i = s_i, q_j = s_j; (7) and (12) of Campelo & Takahashi (2019). Log-ratio: the same of
    means and sds of logarithms.

    Percent against a reference i (the control; the first of two algorithms), φ = (x̄_j − x̄_i)/x̄_i, their (13):
    q_j = s_j/|x̄_i| and, by the delta method, q_i = s_i·|1 + φ|/|x̄_i| ("corrected"). The paper's (15) has
    √(1 + φ²) for |1 + φ| ("paper"), because it takes x̄_i and x̄_j − x̄_i for independent; their covariance is −s_i²/n_i.
    For φ = ½ and equal contributions it understates the error by a quarter.

    Percent of all pairs of K ≥ 3: φ = (x̄_j − x̄_i)/m with the grand mean m of the means, and
    q_k = s_k·|δ_kj − δ_ki − φ/K|/|m|: every algorithm enters through m.
    """
    mu, s = np.asarray(means, dtype=np.float64), np.asarray(sds, dtype=np.float64)
    k = len(mu)
    pairs = compared_pairs(k, comparisons, control)
    if not KINDS[difference].relative:
        slopes = _unit_slopes(pairs, k)
        return _terms(pairs, slopes @ mu, slopes, s)
    if k > 2 and comparisons == "all-pairs":
        if form == "paper":
            raise ParameterError(
                "must be 'corrected' for percent differences of all pairs: 'paper' is defined for two algorithms or "
                "for comparisons with a control (Campelo & Takahashi 2019, (15))",
                parameter="form",
            )
        return _percent_of_grand_mean(pairs, mu, s)
    return _percent_of_first(pairs, mu, s, form)


def _percent_of_first(pairs: Pairs, mu: Array, s: Array, form: PercentForm) -> ErrorTerms:
    reference = mu[pairs[0][0]]
    _positive_reference(float(reference), "the reference algorithm")
    unit = _unit_slopes(pairs, len(mu))
    phi = (unit @ mu) / reference
    slopes = unit / reference
    slopes[:, pairs[0][0]] *= np.sqrt(1 + phi**2) if form == "paper" else np.abs(1 + phi)
    return _terms(pairs, phi, slopes, s)


def _percent_of_grand_mean(pairs: Pairs, mu: Array, s: Array) -> ErrorTerms:
    grand = float(np.mean(mu))
    _positive_reference(grand, "all algorithms together")
    unit = _unit_slopes(pairs, len(mu))
    phi = (unit @ mu) / grand
    return _terms(pairs, phi, (unit - phi[:, None] / len(mu)) / grand, s)


def form_cautions(difference: str, form: str, option: str) -> list[Caution]:
    """About the formula of the standard errors, for plans and runs; ``option``: what chooses it there."""
    paper = difference == "percent" and form == "paper"
    reference = "Campelo & Takahashi (2019), (15)"
    return [caution_of("papers-formula", "percent-differences", reference=reference, option=option)] if paper else []


def _unit_slopes(pairs: Pairs, k: int) -> Array:
    """(n_pairs, k): −1 for the pair's first, +1 for its second."""
    slopes = np.zeros((len(pairs), k))
    rows = np.arange(len(pairs))
    slopes[rows, [i for i, _ in pairs]] = -1.0
    slopes[rows, [j for _, j in pairs]] = 1.0
    return slopes


def _terms(pairs: Pairs, phi: Array, slopes: Array, s: Array) -> ErrorTerms:
    return ErrorTerms(pairs=pairs, differences=phi + 0.0, coefficients=np.abs(slopes) * s)


def _positive_reference(mean: float, whose: str) -> None:
    if not mean > 0:
        raise ScoreError(
            f"difference='percent' needs a positive mean to divide by; that of {whose} is {mean:g}. "
            "Use difference='simple', or shift the scores to a scale whose zero means something."
        )


def weak_reference(
    means: npt.ArrayLike,
    sds: npt.ArrayLike,
    counts: npt.ArrayLike,
    comparisons: Comparisons = "all-pairs",
    control: int = 0,
) -> bool:
    """Is the mean that percent differences divide by within 3 standard errors of 0? Then no formula holds for them."""
    mu, s = np.asarray(means, dtype=np.float64), np.asarray(sds, dtype=np.float64)
    errors = s / np.sqrt(np.asarray(counts, dtype=np.float64))
    with np.errstate(over="ignore"):
        if len(mu) > 2 and comparisons == "all-pairs":
            return bool(np.mean(mu) <= 3 * _root_sum_of_squares(errors) / len(mu))
        reference = control if comparisons == "control" else 0
        return bool(mu[reference] <= 3 * errors[reference])


def _root_sum_of_squares(parts: Array) -> Array:
    """√Σ over the last axis, scaled so that no square overflows or vanishes."""
    largest = np.max(np.abs(parts), axis=-1, initial=0.0)
    safe = np.where(largest > 0, largest, 1.0)
    result: Array = largest * np.sqrt(np.sum((parts / safe[..., None]) ** 2, axis=-1))
    return result


# The fewest runs on one problem for which every compared pair is known to a wanted standard error.
#
# Minimise Σ_k n_k subject to Σ_k q_pk²/n_k ≤ se*² for every pair p, with the coefficients of
# :mod:`bakeoff.plan.pilots`. The optima are real numbers; an algorithm without variation gets 0.

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
