"""The variance of differences between questions, and that of answers to one question."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from bakeoff import numerals
from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass, replace
from bakeoff.designed import of_means, refuse_features
from bakeoff.errors import Caution, ScoreError, listing
from bakeoff.means.strata import design_strata
from bakeoff.nulls.numerics import positive_root
from bakeoff.places import load
from bakeoff.plan.pilots import PilotCells, pilot_cells
from bakeoff.plan.question_design import TaskVariance
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.clusters import cluster_codes, cluster_sizes, intraclass_correlation
from bakeoff.scores.design import Estimand
from bakeoff.special import chdtr, chdtrc
from bakeoff.takes_table import takes_table

FEW_QUESTIONS = 30
_OF_SINGLE = (
    "More questions make the comparison more precise. Whether more answers would is unknown: each question has one."
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class QuestionVariance(Reportable):
    """The result of :func:`bakeoff.plan.question_variance`."""

    kind: ClassVar[str] = "plan"

    a: str
    b: str
    difference: float  # mean over questions, positive where a is better
    variance: float  # of the differences of question means
    sigma2: tuple[float, float] | None  # σ²_A and σ²_B: of one answer, within questions; None of single answers
    omega2: float  # ω²: of the true differences; raw, so it may be negative. Of single answers with what these add
    answers: tuple[float, float]  # K: answers to a question, the harmonic mean where numbers differ
    n: int  # questions
    n_clusters: int | None
    cluster_size: float | None  # mean number of questions in a cluster; None without clusters
    cluster_cv: float | None  # coefficient of variation of the sizes
    icc: float | None  # of the differences within clusters; raw, so it may be negative
    advice: str  # questions or answers?
    right_or_wrong: bool  # all answers are 0 or 1
    by_task: tuple[TaskVariance, ...]  # where there are several, of which the variances above are joined
    cautions: tuple[Caution, ...]
    estimated: Estimand  # the mean whose difference varies so


@takes_table
def question_variance(scores: Scores, a: str | int, b: str | int) -> QuestionVariance:
    """Does a comparison of two models vary by question or by answer: which of them to buy more of?

    Use it on a first evaluation, then plan with :func:`bakeoff.plan.questions`. One answer to each question shows all
    that a plan for single answers needs, and nothing of more answers. For algorithms on benchmark problems, in percent
    or by standard errors of single problems, use ``bo.plan.variance_components``.

    Parameters
    ----------
    scores : Scores
        (n_questions, n_models) or (n_questions, n_models, n_answers) with two answers or more in every cell; clusters
        are used if they are known.
    a : str or int
        The first algorithm (or model), by name or column.
    b : str or int
        The second one.

    Returns
    -------
    QuestionVariance
        ``.omega2``, ``.sigma2``, ``.variance``, ``.icc``, ``.advice``.

    Raises
    ------
    ParameterError, ScoreError
        One answer in some cells and several in others, fewer than two questions, infinite scores.

    Notes
    -----
    σ̂² is the mean of the variances within questions (divisor K − 1), ω̂² = Var(d) − σ̂²_A/K_A − σ̂²_B/K_B: Miller (2024).
    Both are unbiased, so ω̂² can be negative where questions differ little. Over tasks with a share f_t of the questions
    and the weight w_t each is Σ w_t²/f_t times that of the task: over n, the variance of the mean that is compared.

    Examples
    --------
    >>> import bakeoff as bo
    >>> answers = [[[1, 1], [0, 1]], [[0, 0], [0, 0]], [[1, 0], [0, 0]], [[1, 1], [1, 1]]]
    >>> found = bo.plan.question_variance(bo.Scores(answers, ["new", "old"], better="higher"), "new", "old")
    >>> round(found.sigma2[0], 6), round(found.variance, 4)
    (0.125, 0.0833)
    """
    scores = check_scores(scores)
    refuse_features(scores, replace(load("analyses:by_kind")()["plan"], function="bo.plan.question_variance"))
    i, j = scores.pair(a, b)
    if scores.n_problems < 2:
        raise ScoreError("must have at least 2 questions: one cannot show how questions vary", parameter="scores")
    columns = [i, j]
    cells = _cells(scores)
    costs = cells.means[:, columns] if scores.better == "lower" else -cells.means[:, columns]
    d = costs[:, 1] - costs[:, 0]
    with np.errstate(over="ignore", invalid="ignore"):
        squares = cells.sds[:, columns] ** 2
        noise = squares / cells.counts[:, columns]
        each, total, noisy = _within_tasks(_tasks(scores), d, squares, noise)
    if not math.isfinite(total + noise.sum()) or (total == 0.0 and len(each) == 1 and float(np.ptp(d)) > 0.0):
        rule = "are so large or so small that their squares are beyond floating point; give them in another unit"
        raise ScoreError(rule, parameter="scores")
    omega2 = total - noisy
    harmonic = 1.0 / (1.0 / cells.counts[:, columns]).mean(axis=0)
    codes = cluster_codes(scores)
    sizes = cluster_sizes(codes)
    once = scores.runs is None
    answers = scores.values[:, columns] if scores.runs is None else scores.runs[:, columns]
    clustered = scores.clusters is not None
    icc = intraclass_correlation(d, codes) if clustered else math.nan
    return QuestionVariance(
        a=scores.algorithms[i],
        b=scores.algorithms[j],
        difference=math.fsum(task.weight * mean for task, mean, _ in each),
        variance=total,
        sigma2=None
        if once
        else (
            math.fsum(share * task.sigma2[0] for task, _, share in each),
            math.fsum(share * task.sigma2[1] for task, _, share in each),
        ),
        omega2=omega2,
        answers=(float(harmonic[0]), float(harmonic[1])),
        n=len(d),
        n_clusters=len(sizes) if clustered else None,
        cluster_size=float(sizes.mean()) if clustered else None,
        cluster_cv=float(sizes.std() / sizes.mean()) if clustered else None,
        icc=None if math.isnan(icc) else icc,
        advice=_OF_SINGLE if once and omega2 > 0 else variance_advice(max(omega2, 0.0), noisy),
        right_or_wrong=bool(np.isin(answers[~np.isnan(answers)], (0.0, 1.0)).all()),
        by_task=tuple(task for task, _, _ in each) if len(each) > 1 else (),
        cautions=_cautions(len(d), omega2),
        estimated=of_means(scores, runs=""),
    )


def _cells(scores: Scores) -> PilotCells:
    """Single answers have no spread of their own."""
    with np.errstate(over="ignore", invalid="ignore"):
        if scores.runs is not None:
            return pilot_cells(scores, "A plan of questions", "simple")
    scores.require_finite("A plan of questions")
    nothing = np.zeros(scores.values.shape)
    return PilotCells(means=scores.values, sds=nothing, counts=scores.n_runs, skewed=nothing > 0)


def _tasks(scores: Scores) -> list[tuple[str, float, Any]]:
    """Name, weight and rows of each task, as ``bo.evaluate`` has them; one of all questions where there is none."""
    design, codes = scores.design, cluster_codes(scores)
    if design.weights == "clusters":
        raise ScoreError("has clusters that count equally; plans are of questions or of tasks", parameter="scores")
    strata = design_strata(design, codes, np.arange(scores.n_problems))
    clustered = any(stratum.is_clustered for stratum in strata)
    if len(strata) > 1 and clustered and design.weights == "tasks":
        rule = "has clusters within tasks, for which there is no plan in which tasks count equally. Plan one task, or"
        raise ScoreError(f"{rule} let questions count equally: weights='problems'", parameter="scores")
    if len(strata) == 1 or clustered:
        return [("", 1.0, slice(None))]
    if single := [stratum.name for stratum in strata if stratum.n < 2]:
        rule = f"must have two questions of each task at least; one of {listing(single)}. Leave such tasks out, or let "
        raise ScoreError(f"{rule}questions count equally: weights='problems'", parameter="scores")
    return [(stratum.name, stratum.weight, stratum.rows) for stratum in strata]


def _within_tasks(
    tasks: list[tuple[str, float, Any]], d: Array, squares: Array, noise: Array
) -> tuple[list[tuple[TaskVariance, float, float]], float, float]:
    """Each task, its mean and by which its variances enter those of a question; the variance of the differences over
    all tasks, and what the answers add to it."""
    each, total, noisy = [], 0.0, 0.0
    for name, weight, rows in tasks:
        n = len(d[rows])
        share, variance = weight**2 * (len(d) / n), float(np.var(d[rows], ddof=1))
        of_answers = float(noise[rows].mean(axis=0).sum())
        sigma2 = float(squares[rows][:, 0].mean()), float(squares[rows][:, 1].mean())
        task = TaskVariance(name=name, n=n, weight=weight, omega2=variance - of_answers, sigma2=sigma2)
        each.append((task, math.fsum(d[rows].tolist()) / n, share))
        total, noisy = total + share * variance, noisy + share * of_answers
    return each, total, noisy


def variance_advice(omega2: float, noise: float) -> str:
    """More questions, or more answers? ``noise`` is what the answers add to the variance of a difference."""
    if omega2 + noise == 0.0:
        return "The differences do not vary at all: these scores show nothing about questions or answers."
    if noise == 0.0:
        return "Answers to one question do not vary: only more questions make the comparison more precise."
    halved, twice = (numerals.in_percent(1 - math.sqrt(x)) for x in (0.5, (omega2 + noise / 2) / (omega2 + noise)))
    most = numerals.in_percent(1 - math.sqrt(omega2 / (omega2 + noise)))
    first = "More questions help most" if omega2 > 0 else "Questions and answers help equally"
    return (
        f"{first}. Twice as many questions cut the standard error of the mean difference by {halved}, twice the "
        f"answers by {twice}; no number of answers cuts it by more than {most}."
    )


def variance_factor(df: int, share: float = 0.05) -> float:
    """The f with P(s² < σ²/f or s² > fσ²) = ``share``, s² a variance of normal values with ``df``."""
    return math.exp(
        positive_root(lambda x: share - float(chdtr(df, df * math.exp(-x)) + chdtrc(df, df * math.exp(x))), 1.0)
    )


def _cautions(n: int, omega2: float) -> tuple[Caution, ...]:
    cautions = []
    if n < FEW_QUESTIONS:
        cautions.append(
            caution_of("too-few", "pilot-questions", n=n, n_2=numerals.significant(variance_factor(n - 1), 2))
        )
    if omega2 < 0:
        cautions.append(caution_of("negative-variance", "pilot-questions", omega2=omega2))
    return tuple(cautions)
