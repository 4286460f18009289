"""The numbers of questions, and of answers to each, that the comparison of two models needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np

from bakeoff import numerals
from bakeoff.cautions import caution_of
from bakeoff.checks import choice, integer, number, probability
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.plan._question_variance import QuestionVariance, question_variance, variance_advice
from bakeoff.plan.margins import planned_margin
from bakeoff.plan.options import ClusterPlan, checked_alpha, checked_power, cluster_plan
from bakeoff.plan.question_design import MOST_QUESTIONS, QuestionDesign
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.design import Estimand

_NO_SIGMA2 = (
    "sigma2 = 0 assumes that answers to one question do not vary: only more questions make the comparison more precise."
)
SEVERAL = (1, 2, 4, 8, 16, None)
_ONE_ANSWER = (
    "The pilot has one answer to each question, so that what more answers would bring is unknown; the plan is for one."
)
_RIGHT_OR_WRONG = 10**5
ROUGH = 100  # questions below which the normal distribution of the formula is shown to be optimistic
FEW_CLUSTERS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersRow:
    """The same plan with another number of answers of each model to each question."""

    answers: int | None  # None: without end, what no number of answers improves
    n: int  # questions
    difference: float  # true difference planned for, or the one that is detected
    power: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class QuestionPlan(Reportable):
    """The result of :func:`bakeoff.plan.questions`."""

    kind: ClassVar[str] = "plan"

    n: int  # questions
    tasks: dict[str, int]  # of each task, in the proportions of the pilot; empty where there is one
    n_clusters: int | None
    n_unrounded: float | None  # normal distribution: Miller's formula before rounding
    difference: float  # true difference planned for, or the one that is detected
    power: float
    solved_for: str  # "n", "difference" or "power"
    variance: float  # of the difference on one question: ω² + σ²_A/K_A + σ²_B/K_B
    omega2: float  # variance of the true difference between questions; after single answers, with what these add
    sigma2: tuple[float, float] | None  # variance of the answers of each model to one question; None after single ones
    answers: tuple[int, int]  # of each model to a question
    alpha: float
    wanted_power: float
    margin: float | None
    method: str  # "normal", "t" or "mcnemar"
    cluster_size: float | None
    icc: float | None  # of the differences, with these answers
    cluster_cv: float | None
    design_effect: float | None  # what clusters cost; None without
    by_answers: tuple[AnswersRow, ...]  # none where answers do not vary
    promise: str
    advice: str  # questions or answers?
    cautions: tuple[Caution, ...]
    estimated: Estimand | None  # of a pilot: the mean whose difference is planned for


def questions(
    difference: float | None = None,
    omega2: float | QuestionVariance | Scores = 0.0,
    sigma2: float | tuple[float, float] = 0.0,
    answers: int | tuple[int, int] = 1,
    alpha: float = 0.05,
    power: float = 0.8,
    *,
    n: int | None = None,
    margin: float | None = None,
    accuracy: float | None = None,
    agreement: float | None = None,
    cluster_size: float | None = None,
    icc: float | None = None,
    cluster_cv: float = 0.0,
    method: Literal["normal", "t", "mcnemar"] | None = None,
) -> QuestionPlan:
    """How many questions show a difference between two models, or that one is not worse?

    Use it before an evaluation in which both models answer the same questions. For algorithms on benchmark problems,
    and for several comparisons, use ``bo.plan.instances``.

    Parameters
    ----------
    difference : float, optional
        True mean difference, in the unit of the scores; with ``margin`` 0 if not given. Without it, and with ``n``:
        the difference that is detected.
    omega2 : float or QuestionVariance or Scores
        ω², variance of the true differences between questions; or a pilot of two models, whose tasks, weights and
        clusters are those of the plan; or what ``bo.plan.question_variance`` found in one.
    sigma2 : float or pair
        σ², variance of one answer to a question, of both models or of each.
    answers : int or pair of int
        K: answers of each model to each question.
    alpha : float
        Two-sided level; one-sided with ``margin``.
    power : float
        Wanted probability of finding the difference.
    n : int, optional
        Questions, if fixed: then the detected difference, or with ``difference`` or ``margin`` the power.
    margin : float, optional
        Plan to show that a is not worse than b by ``margin``; ``difference`` is then the true lead of a.
    accuracy : float, optional
        In place of ``omega2``: share that the models answer right, on average. They err independently if this is alone.
    agreement : float, optional
        Of right or wrong answers: share of questions on which both models are right or both are wrong.
    cluster_size : float, optional
        Mean number of questions in a cluster.
    icc : float, optional
        Correlation of the differences of the questions of a cluster.
    cluster_cv : float
        Coefficient of variation of the clusters' sizes.
    method : {None, "normal", "t", "mcnemar"}
        The normal distribution of the formula; t with n − 1 or G − 1 degrees of freedom, over tasks Satterthwaite's; or
        McNemar's exact test, which decides where single answers are right or wrong. None: t with clusters or several
        tasks, "mcnemar" after a pilot of such answers, and with ``accuracy`` or ``agreement``.

    Returns
    -------
    QuestionPlan
        ``.n``, ``.difference``, ``.power``, ``.by_answers`` (the plan at K = 1, 2, 4, 8, 16, ∞), ``.promise``.

    Raises
    ------
    ParameterError
        A value outside its rule; nothing left to compute; no variance at all.

    Notes
    -----
    n = (z_{1−α/2} + z_{1−β})²(ω² + σ²_A/K_A + σ²_B/K_B)/δ², Miller (2024); in clusters times 1 + (m̄(1 + cv²) − 1)·ICC.

    Examples
    --------
    >>> import bakeoff as bo
    >>> bo.plan.questions(0.03, 1 / 9).n, bo.plan.questions(0.03, 1 / 9, 1 / 6).n  # Miller (2024)
    (969, 3876)
    """
    if isinstance(omega2, Scores):
        omega2 = _of_two(omega2)
    if isinstance(omega2, QuestionVariance):
        pilot, omega2 = omega2, max(omega2.omega2, 0.0)
        if sigma2 != 0.0:
            raise ParameterError("comes from the pilot; leave it out", parameter="sigma2")
        sigma2 = (0.0, 0.0) if pilot.sigma2 is None else pilot.sigma2
    else:
        pilot = None
    omega2, bend = _of_agreement(accuracy, agreement, omega2, sigma2, pilot is not None)
    spread = number("omega2", omega2, least=0.0, most=1e100)
    within = _pair("sigma2", sigma2, lambda value: number("sigma2", value, least=0.0, most=1e100))
    counts = _pair("answers", answers, lambda value: integer("answers", value, 1, 10**6))
    if counts != (1, 1) and (bend or (pilot is not None and pilot.sigma2 is None)):
        known = "accuracy and agreement are" if bend else "the pilot is"
        raise ParameterError(f"must be 1: {known} of one answer to each question; got {answers!r}", parameter="answers")
    against = None if margin is None else planned_margin(margin, "the unit of the scores", 1e100)
    level = checked_alpha(alpha)
    wanted_power = checked_power(power, level)
    clusters = cluster_plan(cluster_size, icc, cluster_cv)
    if method is not None:
        choice("method", method, ("normal", "t", "mcnemar"))
    clustered_pilot = pilot is not None and pilot.cluster_size is not None
    tasks = () if pilot is None else pilot.by_task
    several = clusters is not None or clustered_pilot or len(tasks) > 1
    if tasks and clusters is not None:
        raise ParameterError("is for questions of one task; the pilot has several", parameter="cluster_size")
    design = QuestionDesign(
        omega2=spread,
        sigma2=within,
        answers=counts,
        alpha=level,
        one_sided=against is not None,
        clusters=clusters,
        by_t=method in ("t", "mcnemar") or (method is None and several),
        binary=method == "mcnemar" or (method is None and (bend < 0 or (pilot is not None and pilot.right_or_wrong))),
        tasks=tasks,
        bend=bend,
    )
    if method == "mcnemar" and (clusters is not None or clustered_pilot or not design.exact):
        rule = '"mcnemar" is for single answers (answers=1) to questions of one task that stand alone, and no margin'
        raise ParameterError(rule, parameter="method")
    if design.variance == 0:
        raise ParameterError(
            "must be positive if sigma2 is 0: without any variance one question would be enough", parameter="omega2"
        )
    if clusters is None and pilot is not None:
        design = _with_pilot_clusters(design, pilot)
    size = None if n is None else integer("n", n, 2, MOST_QUESTIONS)
    true = _true_difference(difference, against, size)
    answered = _answered(design, _Question(n=size, difference=true, margin=against, power=wanted_power))
    if pilot is not None:
        answered = replace(answered, estimated=pilot.estimated)
        return answered if pilot.sigma2 is not None else replace(answered, sigma2=None, advice=_ONE_ANSWER)
    return replace(answered, advice=_assumed(accuracy, agreement)) if bend else answered


def _of_agreement(
    accuracy: float | None, agreement: float | None, omega2: float, sigma2: object, has_pilot: bool
) -> tuple[float, float]:
    """ω², and how it changes with the squared difference δ.

    Where one model alone is right on a share π of the questions, the variance is π − δ². Independent models of mean
    accuracy p have π = 2p(1 − p) + δ²/2.
    """
    if accuracy is None and agreement is None:
        return omega2, 0.0
    name = "agreement" if accuracy is None else "accuracy"
    if has_pilot or omega2 != 0.0 or sigma2 != 0.0:
        raise ParameterError("stands in place of omega2 and sigma2; leave those out", parameter=name)
    share = None if accuracy is None else probability("accuracy", accuracy)
    if agreement is None:
        assert share is not None
        return 2.0 * share * (1.0 - share), -0.5
    both = probability("agreement", agreement)
    if share is not None and 1.0 - both > 2.0 * min(share, 1.0 - share) + 1e-12:
        least = 1.0 - 2.0 * min(share, 1.0 - share)
        rule = f"must be {least:.4g} at least: two models that are right on {share:g} of the questions on average"
        raise ParameterError(f"{rule} agree so often; got {both:g}", parameter="agreement")
    return 1.0 - both, -1.0


def _assumed(accuracy: float | None, agreement: float | None) -> str:
    if agreement is not None:
        return (
            f"Assumes that both models are right or both are wrong on {numerals.in_percent(agreement, 1)} of the "
            "questions. The less they agree, the more questions it takes: a pilot shows how much they do."
        )
    assert accuracy is not None
    return (
        f"Assumes that models which are right on {numerals.in_percent(accuracy, 1)} of the questions err independently "
        "of each other. Models that err on the same questions need fewer: give their agreement, or a pilot."
    )


def _of_two(pilot: Scores) -> QuestionVariance:
    """Its variances; of more models, a plan is for one pair."""
    if pilot.n_algorithms > 2:
        rule = f"must have two models, or name them: bo.plan.question_variance(scores, {pilot.algorithms[0]!r}, "
        raise ParameterError(f"{rule}{pilot.algorithms[1]!r}); got {pilot.n_algorithms}", parameter="omega2")
    return question_variance(pilot, 0, 1)


def _pair(name: str, value: object, check: Callable[[object], float]) -> tuple[float, float]:
    parts = tuple(value) if isinstance(value, tuple | list) else (value, value)
    if len(parts) != 2:
        raise ParameterError(f"must be one number or a pair, of a and of b; got {value!r}", parameter=name)
    return check(parts[0]), check(parts[1])


def _with_pilot_clusters(design: QuestionDesign, pilot: QuestionVariance) -> QuestionDesign:
    """Keep what clusters share in the pilot; with other answers the correlation is another."""
    if pilot.cluster_size is None or pilot.cluster_cv is None:
        return design
    shared = max(pilot.icc or 0.0, 0.0) * pilot.variance
    clusters = ClusterPlan(size=pilot.cluster_size, icc=min(shared / design.variance, 1.0), cv=pilot.cluster_cv)
    return replace(design, clusters=clusters)


def _true_difference(difference: float | None, margin: float | None, n: int | None) -> float | None:
    if difference is None:
        if margin is not None:
            return 0.0
        if n is None:
            raise ParameterError(
                "is missing: the smallest difference that matters, in the unit of the scores; or give n=, to see "
                "what that many questions detect, or margin=",
                parameter="difference",
            )
        return None
    true = number("difference", difference, least=-1e100, most=1e100)
    if margin is None and true == 0:
        rule = "must not be 0: no number of questions shows it; give margin= to show that there is none as large"
        raise ParameterError(rule, parameter="difference")
    if margin is not None and true <= -margin:
        rule = f"must lie above −{margin:g}, the margin, or the claim is wrong; got {true:g}"
        raise ParameterError(rule, parameter="difference")
    return true


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """The quantities that are given; the others are computed."""

    n: int | None
    difference: float | None
    margin: float | None
    power: float

    def distance(self, difference: float) -> float:
        """The distance of the truth from what the test has to exclude."""
        return abs(difference) if self.margin is None else difference + self.margin

    def solved(self, design: QuestionDesign) -> tuple[int, float, float, float, float | None]:
        """Questions, rows, difference, power, and n before rounding."""
        size = 1.0 if design.clusters is None else design.clusters.size
        if self.difference is not None and design.bend:
            design.discordant(self.difference)  # refuses what no answers have
            design = design.at(self.difference)
        unrounded = None
        if self.n is None:
            assert self.difference is not None
            count, unrounded = design.rows(self.distance(self.difference), self.power)
            n, rows = math.ceil(count * size - 1e-9), float(count)
        else:
            n, rows = self.n, self.n / size
            if design.tasks and rows < design.least:
                rule = f"must give each task two questions: {math.ceil(design.least - 1e-9)} at least; got {n}"
                raise ParameterError(rule, parameter="n")
            if design.by_t and rows < 2:
                raise ParameterError(f"must be two clusters of {size:g} questions at least; got {n}", parameter="n")
        difference = design.detectable(rows, self.power) if self.difference is None else self.difference
        return n, rows, difference, design.power(rows, self.distance(difference)), unrounded

    @property
    def solved_for(self) -> str:
        return "n" if self.n is None else "difference" if self.difference is None else "power"


def _answered(design: QuestionDesign, question: _Question) -> QuestionPlan:
    n, rows, detected, reached, unrounded = question.solved(design)
    design = design.at(detected)
    clusters = design.clusters
    by_answers = []
    several = () if not any(design.sigma2) else SEVERAL if design.omega2 > 0 else SEVERAL[:-1]
    for count in several:
        other = design.with_answers(math.inf if count is None else count)
        questions_, _, difference, power, _ = question.solved(other)
        by_answers.append(AnswersRow(answers=count, n=questions_, difference=difference, power=power))
    return QuestionPlan(
        n=n,
        tasks=_of_each(design, n),
        n_clusters=None if clusters is None else math.ceil(rows - 1e-9),
        n_unrounded=unrounded if clusters is None else None,
        difference=detected,
        power=reached,
        solved_for=question.solved_for,
        variance=design.variance,
        omega2=design.omega2,
        sigma2=design.sigma2,
        answers=(int(design.answers[0]), int(design.answers[1])),
        alpha=design.alpha,
        wanted_power=question.power,
        margin=question.margin,
        method="mcnemar" if design.exact else "t" if design.by_t else "normal",
        cluster_size=None if clusters is None else clusters.size,
        icc=None if clusters is None else clusters.icc,
        cluster_cv=None if clusters is None else clusters.cv,
        design_effect=None if clusters is None else clusters.design_effect,
        by_answers=tuple(by_answers),
        promise=_promise(design, question, n, rows, detected, reached),
        advice=variance_advice(design.omega2, design.variance - design.omega2) if any(design.sigma2) else _NO_SIGMA2,
        cautions=_cautions(design, question, n, rows, detected),
        estimated=None,
    )


def _of_each(design: QuestionDesign, n: int) -> dict[str, int]:
    """``n`` questions in the proportions of the pilot's tasks."""
    shares = np.array([task.n for task in design.tasks]) / max(sum(task.n for task in design.tasks), 1)
    counts = np.diff(np.rint(n * np.cumsum(shares)), prepend=0.0).astype(int).tolist()
    return {task.name: count for task, count in zip(design.tasks, counts, strict=True)}


def _promise(design: QuestionDesign, question: _Question, n: int, rows: float, difference: float, power: float) -> str:
    k = sorted({int(x) for x in design.answers})
    answers = "one answer" if k == [1] else f"{' and '.join(map(str, k))} answers"
    who = counted(n, "question")
    if design.clusters is not None:
        c = design.clusters
        who = f"{who} in {counted(math.ceil(rows - 1e-9), 'cluster')} of {c.size:g} on average (ICC {c.icc:.3g})"
    if design.tasks:
        counts = [*_of_each(design, n).values()]
        sizes = f"{min(counts)} to {max(counts)} each" if len(counts) > 3 else " and ".join(map(str, counts))
        equally = ", which count equally" if len({task.weight for task in design.tasks}) == 1 else ""
        who = f"{who} in {len(counts)} tasks ({sizes}{equally})"
    law = "McNemar's exact test" if design.exact else "a t-test" if design.by_t else "a test of the mean difference"
    of_t = design.by_t and not design.exact
    df = design.degrees(rows) if design.tasks else math.ceil(rows - 1e-9) - 1
    degrees = f" with {df:.3g} degree{'s' * (df != 1)} of freedom" if of_t else ""
    shown = numerals.decimals(power, 3)
    if question.margin is None:
        claim = f"detects a true difference of {abs(difference):.4g} with probability {shown}"
        sides = "two-sided"
    else:
        lead = f"leads by {difference:.4g}" if difference > 0 else f"trails by {-difference:.4g}"
        truth = "is as good as the other" if difference == 0 else f"truly {lead}"
        claim = f"shows a model that {truth} to be not worse by {question.margin:g} with probability {shown}"
        sides = "one-sided"
    sentence = (
        f"With {who} and {answers} of each model to each, {law}{degrees} ({sides}, alpha = {design.alpha:g}) {claim}"
    )
    if design.by_t or design.exact:
        return f"{sentence}."
    if rows < 2:
        unit = "questions" if design.clusters is None else "clusters"
        return f"{sentence} by the normal distribution, if the variance is known; Student's t needs two {unit} or more."
    by_t = replace(design, by_t=True).power(rows, question.distance(difference))
    by_others = f"{numerals.decimals(by_t, 3)} by Student's t"
    try:
        answers_alone = replace(design, binary=True)
        if answers_alone.exact and rows <= _RIGHT_OR_WRONG:
            exactly = answers_alone.power(rows, question.distance(difference))
            by_others += (
                f"; {numerals.decimals(exactly, 3)} by McNemar's exact test, which decides where answers are right or "
                'wrong (plan it with method="mcnemar")'
            )
    except ParameterError:  # answers that are right or wrong differ otherwise
        pass
    return f"{sentence} by the normal distribution, {by_others}."


def _cautions(
    design: QuestionDesign, question: _Question, n: int, rows: float, difference: float
) -> tuple[Caution, ...]:
    if design.exact:
        return ()
    if not design.by_t and (rows if design.clusters is not None else n) < ROUGH:
        who = counted(n, "question") if design.clusters is None else counted(math.ceil(rows - 1e-9), "cluster")
        exact, _ = replace(design, by_t=True).rows(question.distance(difference), question.power)
        return (caution_of("rough", "planned-normal", who=who, exact=exact),)
    if design.clusters is not None and rows / (1 + design.clusters.cv**2) < FEW_CLUSTERS:
        some = math.ceil(FEW_CLUSTERS * (1 + design.clusters.cv**2))
        return (caution_of("too-few", "planned-clusters", rows=math.ceil(rows - 1e-09), some=some),)
    return ()
