"""Repeated-measures analysis of variance: do the algorithms' mean scores differ?"""

import math

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution
from bakeoff.nulls.tails import f_sf
from bakeoff.omnibus.additive_fit import AdditiveFit, additive_fit
from bakeoff.omnibus.result import OmnibusResult
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.cells import exact_mean
from bakeoff.scores.clusters import by_cluster, of_units, row_unit
from bakeoff.takes_table import takes_table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class AnovaResult(OmnibusResult):
    """Result of :func:`bakeoff.anova`; ``method`` is "exact" where F has no law (one problem, no error variance)."""

    means: Array  # (k,) mean scores, read-only, in column order
    mean_square_algorithms: float  # score units squared; infinite beyond 1e308
    mean_square_error: float  # score units squared; what Tukey's and Dunnett's procedures divide by
    greenhouse_geisser: float  # ε, from 1/(k − 1) to 1 (sphericity)
    greenhouse_geisser_pvalue: float  # of F with both degrees of freedom times ε
    greenhouse_geisser_log_pvalue: float


@takes_table
def anova(scores: Scores) -> AnovaResult:
    """Do any of the algorithms differ in their mean scores over problems?

    Use it when score differences mean the same on every problem and are roughly normal with equal variances for all
    pairs of algorithms (sphericity). Not for error rates of different problems, which rarely are: Demšar (2006,
    section 3.2.1) advises Friedman's test instead. Not with infinite scores.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); means over the runs of a cell, and over the problems of a cluster.

    Returns
    -------
    AnovaResult
        ``.statistic`` F, ``.df`` (k − 1, (k − 1)(n − 1)), ``.pvalue``, ``.log_pvalue``, ``.means`` (k,),
        ``.mean_square_error``, Greenhouse and Geisser's ``.greenhouse_geisser`` ε and the p-value corrected by it.

    Raises
    ------
    InfiniteScoreError
        Means and differences need finite scores.
    ParameterError
        Scores too large to subtract.

    Notes
    -----
    Two-way analysis without replication: with e_ij = x_ij − x_i. − x_.j + x_.., SS_algorithms = n Σ_j (x_.j − x_..)²,
    SS_error = Σ_ij e_ij², F = MS_algorithms / MS_error (Demšar 2006, section 3.2.1). ε = (tr C)² / ((k−1) tr C²), C the
    covariance matrix of the residuals (Greenhouse & Geisser 1959). Effects and residuals that are rounding
    of the scores (``omnibus/additive_fit.py``) are 0: then F is infinite if the means differ, else 0, and p is 1, as
    nothing shows how differences vary.
    For k = 2, F = t² of the paired t-test.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[2, 3, 7], [1, 4, 5], [3, 3, 6], [2, 5, 8]], better="lower")
    >>> r = bo.anova(s)
    >>> round(r.statistic, 3), r.df, round(r.pvalue, 5)  # as R's aov(score ~ algorithm + Error(problem))
    (22.455, (2.0, 6.0), 0.00164)
    """
    original = check_scores(scores)
    scores = by_cluster(original)
    scores.require_finite("Analysis of variance")
    n, k = scores.values.shape
    parts = additive_fit(scores, "Analysis of variance")
    between, error = _sums_of_squares(parts, n)
    d1, d2 = float(k - 1), float((k - 1) * (n - 1))
    epsilon = _greenhouse_geisser(parts.residuals, error)
    if error > 0.0:
        f = (between / d1) / (error / d2)
        p, log_p = f_sf(f, d1, d2)
        p_epsilon, log_p_epsilon = f_sf(f, epsilon * d1, epsilon * d2)
    else:
        f = math.inf if between > 0.0 else 0.0
        p, log_p = p_epsilon, log_p_epsilon = 1.0, 0.0
    return AnovaResult(
        name="anova",
        statistic=f,
        df=(d1, d2),
        pvalue=p,
        log_pvalue=log_p,
        means=read_only(np.array([exact_mean(column) for column in scores.values.T.tolist()])),
        mean_square_algorithms=between / d1 * parts.unit * parts.unit,
        mean_square_error=error / d2 * parts.unit * parts.unit if n > 1 else 0.0,
        greenhouse_geisser=epsilon,
        greenhouse_geisser_pvalue=p_epsilon,
        greenhouse_geisser_log_pvalue=log_p_epsilon,
        method="f" if error > 0.0 else "exact",
        n_problems=n,
        n_algorithms=k,
        n_dropped=len(scores.dropped),
        cautions=of_units(_cautions(n, between, error), row_unit(original)),
    )


def _sums_of_squares(parts: AdditiveFit, n: int) -> tuple[float, float]:
    between = n * math.fsum((parts.effects**2).tolist())
    error = math.fsum((parts.residuals**2).ravel().tolist()) if n > 1 else 0.0
    return between, error


def _greenhouse_geisser(residuals: Array, error: float) -> float:
    """ε = (tr C)² / ((k − 1) tr C²); 1 where there is no error variance, or nothing but one contrast."""
    k = residuals.shape[1]
    if error == 0.0 or k == 2:
        return 1.0
    columns = residuals.T
    products = [[math.fsum((a * b).tolist()) for b in columns] for a in columns]
    squares = math.fsum(c * c for row in products for c in row)
    return float(min(1.0, max(1.0 / (k - 1), error * error / ((k - 1) * squares))))


def _cautions(n: int, between: float, error: float) -> tuple[Caution, ...]:
    if n == 1:
        return (caution_of("one-problem", "anova"),)
    if error > 0.0:
        return ()
    if between > 0.0:
        return (caution_of("no-variation", "anova"),)
    return (caution_of("nothing-differs", "anova"),)
