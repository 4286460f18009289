"""How well a difference between algorithms is known on one problem after some runs.

Every kind of difference φ between means has se² = Σ_k q_k²/n_k, where n_k counts the runs of algorithm k and q_k is
its standard deviation times |∂φ/∂x̄_k|. This file finds the q's; ``optimal_runs`` finds the best n's.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import choice
from bakeoff.errors import Caution, OverflowingScoreError, ParameterError, ScoreError
from bakeoff.scores import Array

Comparisons = Literal["all-pairs", "control"]
DifferenceKind = Literal["simple", "percent"]
PercentForm = Literal["corrected", "paper"]
Pairs = tuple[tuple[int, int], ...]

COMPARISONS = ("all-pairs", "control")
DIFFERENCES = ("simple", "percent")
FORMS = ("corrected", "paper")


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorTerms:
    """The difference φ of every compared pair on one problem, and what its standard error is made of."""

    pairs: Pairs  # (first, second), φ is second − first: lexicographic, or (control, other) in column order
    differences: Array  # (n_pairs,) φ, in score units or as a fraction
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
    """What the standard errors of all compared pairs are made of, from each algorithm's mean and sd (k,).

    Simple, φ = x̄_j − x̄_i: q_i = s_i, q_j = s_j; (7) and (12) of Campelo & Takahashi (2019).

    Percent against a reference i (the control; the first of two algorithms), φ = (x̄_j − x̄_i)/x̄_i, their (13):
    q_j = s_j/|x̄_i| and, by the delta method, q_i = s_i·|1 + φ|/|x̄_i| ("corrected"). The paper's (15) has
    √(1 + φ²) for |1 + φ| ("paper"), because it takes x̄_i and x̄_j − x̄_i for independent; their covariance is −s_i²/n_i.
    For φ = ½ and equal contributions it understates the error by a quarter.

    Percent of all pairs of K ≥ 3: φ = (x̄_j − x̄_i)/m with the grand mean m of the means, and
    q_k = s_k·|δ_kj − δ_ki − φ/K|/|m|: every algorithm enters through m.
    """
    choice("comparisons", comparisons, COMPARISONS)
    choice("difference", difference, DIFFERENCES)
    choice("form", form, FORMS)
    mu, s = np.asarray(means, dtype=np.float64), np.asarray(sds, dtype=np.float64)
    k = len(mu)
    pairs = compared_pairs(k, comparisons, control)
    if difference == "simple":
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
