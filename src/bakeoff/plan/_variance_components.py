"""Where does the uncertainty of a comparison come from: too few problems, or too few runs?"""

from __future__ import annotations

import math

import numpy as np

from bakeoff import numerals
from bakeoff.cautions import caution_of
from bakeoff.checks import choice
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, OverflowingScoreError, ParameterError
from bakeoff.plan._repetitions import terms_of
from bakeoff.plan.differences import DIFFERENCES, DifferenceKind
from bakeoff.plan.pilots import FORMS, PercentForm, pilot_cautions, pilot_cells
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.two_samples import refuse_clusters
from bakeoff.takes_table import takes_table

TENTH = 0.1  # of the total variance: what the paper lets the runs contribute (section 4.6)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class VarianceComponents:
    """The result of :func:`bakeoff.plan.variance_components`."""

    a: str
    b: str
    estimate: float  # mean difference over problems, positive where a is better
    differences: Array  # (n_problems,)
    standard_errors: Array  # (n_problems,) of each difference, from its runs
    across_sd: float  # σ_φ: between problems, if every difference were known exactly
    within_sd: float  # σ_ε: root mean square of the standard errors
    total_sd: float  # σ_Φ: what an effect size d divides by
    within_share: float  # σ_ε²/σ_Φ²
    se_now: float  # of the mean difference
    se_twice_problems: float  # of the mean difference with twice the problems
    se_twice_runs: float  # of the mean difference with twice the runs
    se_endless_runs: float  # of the mean difference with any number of runs
    runs_factor: float | None  # so many times the runs bring within_share down to a tenth; None if none can
    advice: str
    difference: str
    method: str
    n_problems: int
    n_dropped: int  # problems left out when the scores were read
    cautions: tuple[Caution, ...]

    def effect_size(self, mean_difference: float) -> float:
        """d of a mean difference in the pilot's units: δ/σ_Φ, (25) of Campelo & Takahashi (2019)."""
        if self.total_sd == 0:
            raise ParameterError("the differences of the pilot do not vary at all: no effect size can be formed")
        return mean_difference / self.total_sd


@takes_table
def variance_components(
    scores: Scores, a: str | int, b: str | int, difference: DifferenceKind = "simple", form: PercentForm = "corrected"
) -> VarianceComponents:
    """Would more problems or more runs make the comparison of a and b surer?

    Use it with a pilot experiment, before planning a larger one. It turns a difference in score units into an effect
    size, and says what more runs could gain at best. Do not plan with the effect that the pilot shows.

    Parameters
    ----------
    scores : Scores
        The pilot, (n_problems, n_algorithms) with at least two runs in each cell and at least two problems.
    a : str or int
        The first algorithm (or model), by name or column.
    b : str or int
        The second one.
    difference : {"simple", "percent", "log-ratio"}
        In score units, as a fraction of a's mean on the problem, which must be positive. log-ratio: mean logarithm less
        mean logarithm.
    form : {"corrected", "paper"}
        Standard error of percent differences, as in :func:`bakeoff.plan.repetitions`.

    Returns
    -------
    VarianceComponents
        ``.across_sd``, ``.within_sd``, ``.total_sd``, ``.advice``, ``.effect_size(difference)``.

    Raises
    ------
    ParameterError
        A single run in a cell, a single problem, or problems in clusters.
    ScoreError
        Percent differences of a mean that is not positive; log ratios of a score that is not.
    InfiniteScoreError
        A failed run has no mean.

    Notes
    -----
    σ_Φ² = σ_φ² + σ_ε², (25) of Campelo & Takahashi (2019), by moments. σ_Φ² is the variance of the observed
    differences, σ_ε² the mean of their squared standard errors, and σ_φ² the rest (0 if negative; then σ_Φ = σ_ε). The
    standard error of the mean over N problems is σ_Φ/√N. Twice the problems divide it by √2, twice the runs halve only
    σ_ε², and infinitely many runs leave σ_φ/√N. For the same total of runs, more problems are never worse (Birattari
    2004).

    Examples
    --------
    >>> import numpy as np
    >>> import bakeoff as bo
    >>> runs = np.array([[[0, 2], [2, 4]], [[0, 2], [6, 8]], [[0, 2], [10, 12]]])  # differences 2, 6, 10; se² = 2
    >>> parts = bo.plan.variance_components(bo.Scores(runs, better="lower"), "A1", "A2")
    >>> round(parts.total_sd**2), round(parts.within_sd**2), round(parts.across_sd**2)
    (16, 2, 14)
    """
    scores = check_scores(scores)
    refuse_clusters(
        scores,
        "bo.plan.variance_components",
        "leave out the column of clusters (drop=['cluster']) and plan with cluster_size= and icc=, or make one "
        "problem of each cluster",
    )
    choice("difference", difference, DIFFERENCES)
    choice("form", form, FORMS)
    i, j = scores.pair(a, b)
    if scores.n_problems < 2:
        raise ParameterError("must hold at least 2 problems: the variance is between them; got 1", parameter="scores")
    pair = scores.select(algorithms=[i, j])
    cells = pilot_cells(pair, "bo.plan.variance_components", difference)
    terms = terms_of(pair, cells, None, difference, form)
    sign = 1.0 if scores.better == "lower" else -1.0
    phi = sign * np.array([t.differences[0] for t in terms]) + 0.0
    errors = np.array([t.standard_errors(c)[0] for t, c in zip(terms, cells.counts, strict=True)])
    parts = _Parts.of(phi, errors)
    return VarianceComponents(
        a=scores.algorithms[i],
        b=scores.algorithms[j],
        estimate=math.fsum(phi) / len(phi),
        differences=read_only(phi),
        standard_errors=read_only(errors),
        across_sd=parts.across,
        within_sd=parts.within,
        total_sd=parts.total,
        within_share=parts.share,
        se_now=parts.se(1, 1),
        se_twice_problems=parts.se(2, 1),
        se_twice_runs=parts.se(1, 2),
        se_endless_runs=parts.se(1, math.inf),
        runs_factor=parts.runs_factor,
        advice=parts.advice(),
        difference=difference,
        method=form if difference == "percent" else "exact",
        n_problems=scores.n_problems,
        n_dropped=len(scores.dropped),
        cautions=(*_few_problems(scores.n_problems), *pilot_cautions(cells, difference, form)),
    )


def _few_problems(n: int) -> tuple[Caution, ...]:
    if n >= 30:
        return ()
    off = numerals.in_percent(1 / math.sqrt(2 * (n - 1)))
    return (caution_of("too-few", "pilot-problems", n=n, off=off),)


@dataclass(frozen=True, slots=True)
class _Parts:
    n: int
    across: float
    within: float

    @classmethod
    def of(cls, phi: Array, errors: Array) -> _Parts:
        """Sums of squares in units of the largest number, so that none overflows or vanishes."""
        with np.errstate(over="ignore"):
            deviations = phi - math.fsum(phi / len(phi))
        unit = float(max(np.max(np.abs(deviations)), np.max(errors)))
        if unit == 0 or np.ptp(phi) == 0:
            return cls(len(phi), 0.0, float(np.sqrt(np.mean((errors / unit) ** 2)) * unit) if unit else 0.0)
        if not math.isfinite(unit):
            raise OverflowingScoreError(
                ": differences between problems are beyond 1.8e308; rescale", parameter="scores"
            )
        observed = float(np.sum((deviations / unit) ** 2)) / (len(phi) - 1)
        within = float(np.mean((errors / unit) ** 2))
        return cls(len(phi), math.sqrt(max(observed - within, 0.0)) * unit, math.sqrt(within) * unit)

    @property
    def total(self) -> float:
        """σ_Φ; where the observed variance is below the runs' own, the latter."""
        return math.hypot(self.across, self.within)

    @property
    def share(self) -> float:
        return (self.within / self.total) ** 2 if self.total else 0.0

    def se(self, problems: float, runs: float) -> float:
        within = self.within / math.sqrt(runs) if math.isfinite(runs) else 0.0
        return math.hypot(self.across, within) / math.sqrt(self.n * problems)

    @property
    def runs_factor(self) -> float | None:
        """σ_ε²/m = (σ_φ² + σ_ε²/m)/10 at m = 9·σ_ε²/σ_φ²; at least 1 (enough runs already)."""
        if self.share <= TENTH:
            return 1.0
        factor = (1 / TENTH - 1) * (self.within / self.across) ** 2 if self.across else math.inf
        return factor if math.isfinite(factor) else None

    def advice(self) -> str:
        if self.total == 0:
            return "The differences do not vary at all in this pilot: it shows nothing about problems or runs."
        now = self.se(1, 1)
        if self.runs_factor is None:
            return (
                "Twice the problems and twice the runs cut the standard error of the mean difference equally, by "
                f"{numerals.in_percent(1 - self.se(2, 1) / now)}. The differences vary no more between problems than "
                "between runs, so the pilot does not show whether problems differ."
            )
        problems, runs, most = (
            numerals.in_percent(1 - self.se(*more) / now) for more in ((2, 1), (1, 2), (1, math.inf))
        )
        share = numerals.in_percent(self.share)
        sentence = (
            f"More problems help most: twice as many cut the standard error of the mean difference by {problems}, "
            f"twice the runs on the same problems by {runs}, and no number of runs by more than {most}."
        )
        if self.share <= TENTH:
            return f"{sentence} Runs make up {share} of the variance: there are enough of them."
        return (
            f"{sentence} If there are no more problems, more runs do help: they make up {share} of the variance, and "
            f"{self.runs_factor:.2g} times as many would bring that down to {numerals.in_percent(TENTH)}."
        )
