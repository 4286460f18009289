"""A plan of questions and answers for the comparison of two models, and what a pilot tells about it."""

from collections.abc import Sequence
from dataclasses import replace

from bakeoff import numerals, plan
from bakeoff.analyses.plan.reporting.answers import KEYS, Answer, NumberColumns, number_table
from bakeoff.analyses.plan.reporting.pilot import control_pairs, pairs_answer
from bakeoff.errors import counted
from bakeoff.plan import QuestionPlan, QuestionVariance
from bakeoff.plan._questions import AnswersRow
from bakeoff.report.data import plain_data
from bakeoff.scores import Scores


def questions_answer(result: QuestionPlan, pair: QuestionVariance | None = None) -> Answer:
    """Questions, or what they detect; the same at other numbers of answers.

    ``pair`` is the one of a pilot that the plan is made for, where there are several.
    """
    columns: NumberColumns[AnswersRow] = [
        (
            "answers",
            "Answers: per model and question; ∞: the limit that no number of answers improves.",
            lambda row: "∞" if row.answers is None else str(row.answers),
        ),
        ("questions", "", lambda row: str(row.n)),
        ("answers in all", "", lambda row: numerals.MISSING if row.answers is None else str(2 * row.answers * row.n)),
        ("difference", "", lambda row: numerals.significant(row.difference, 3)),
        ("power", "", lambda row: numerals.decimals(row.power, 3)),
    ]
    rows = result.by_answers
    planned_for = () if pair is None else (f"Planned for {pair.a} and {pair.b}, whose comparison needs the most.",)
    said_by_pilot = result.sigma2 is None or (pair is not None and pair.advice == result.advice)
    advice = () if said_by_pilot else (result.advice,)
    return Answer(
        question="questions",
        headline=_headline(result),
        promise=result.promise,
        table=number_table("questions", "Other numbers of answers", columns, rows) if rows else None,
        notes=(*advice, *planned_for),
        cautions=result.cautions,
        data=plain_data(result, KEYS),
        estimand=result.estimated,
    )


def _headline(result: QuestionPlan) -> str:
    many = counted(result.n, "question")
    if result.n_clusters is not None:
        many += f" in {counted(result.n_clusters, 'cluster')}"
    size, chance = numerals.significant(result.difference, 3), numerals.decimals(result.power, 3)
    level = f"alpha {result.alpha:g}"
    if result.margin is not None:
        claim = f"not worse by {result.margin:g}"
        if result.solved_for == "n":
            return f"{many} show that a model is {claim}: one-sided, {level}, power {result.wanted_power:g}."
        return f"With {many} a model is shown to be {claim} with probability {chance}: one-sided, {level}."
    if result.solved_for == "n":
        return f"{many} detect a difference of {size}: two-sided, {level}, power {result.wanted_power:g}."
    if result.solved_for == "difference":
        return f"{many} detect a difference of {size} or more with power {result.wanted_power:g}: two-sided, {level}."
    return f"With {many} a difference of {size} is detected with probability {chance}: two-sided, {level}."


def question_variances(scores: Scores, control: str | None) -> list[QuestionVariance]:
    """Measure what varies in the pilot, for every compared pair."""
    return [plan.question_variance(scores, i, j) for i, j in control_pairs(scores, control)]


def question_variance_answer(parts: Sequence[QuestionVariance]) -> Answer:
    """A table of them, and the advice for the pair whose answers vary most."""
    noisiest = max(parts, key=lambda part: part.variance - part.omega2)
    tasks = ", of all tasks" * bool(noisiest.by_task)
    columns: NumberColumns[QuestionVariance] = [("difference", "", lambda part: numerals.score(part.difference))]
    if noisiest.sigma2 is None:
        legend = f"Variance: of the differences between single answers{tasks}."
        columns.append(("variance", legend, lambda part: numerals.score(part.variance)))
    else:
        legend = f"ω²: variance of the true differences between questions{tasks}."
        columns.append(("ω²", legend, lambda part: numerals.score(part.omega2)))
        legend = "σ²: variance of one answer to a question."
        columns.append(("σ² of a", legend, lambda part: numerals.score((part.sigma2 or (0.0, 0.0))[0])))
        columns.append(("σ² of b", "", lambda part: numerals.score((part.sigma2 or (0.0, 0.0))[1])))
    if noisiest.cluster_size is not None:
        columns.append(("ICC", "ICC: correlation of the differences in a cluster.", _icc))
    answer = pairs_answer("question-variance", parts, noisiest, "answers", columns, noisiest.advice)
    return replace(answer, estimand=noisiest.estimated)


def _icc(part: QuestionVariance) -> str:
    return numerals.MISSING if part.icc is None else numerals.decimals(part.icc, 3)
