"""A plan of questions and answers for the comparison of two models, and what a pilot tells about it."""

from collections.abc import Sequence

from bakeoff import numerals, plan
from bakeoff.analyses.plan.reporting.answers import Answer, number_rows
from bakeoff.errors import counted
from bakeoff.plan import QuestionPlan, QuestionVariance
from bakeoff.plan.pilots import compared_pairs
from bakeoff.report.data import plain_data
from bakeoff.scores import Scores

MOST_PAIRS = 10


def questions_answer(result: QuestionPlan, pair: QuestionVariance | None = None) -> Answer:
    """Questions, or what they detect; the same at other numbers of answers.

    ``pair`` is the one of a pilot that the plan is made for, where there are several.
    """
    heads = [
        ("answers", "Answers: per model and question; ∞: the limit that no number of answers improves."),
        ("questions", ""),
        ("answers in all", ""),
        ("difference", ""),
        ("power", ""),
    ]
    rows = [
        (
            "∞" if row.answers is None else str(row.answers),
            str(row.n),
            numerals.MISSING if row.answers is None else str(2 * row.answers * row.n),
            numerals.significant(row.difference, 3),
            numerals.decimals(row.power, 3),
        )
        for row in result.by_answers
    ]
    planned_for = () if pair is None else (f"Planned for {pair.a} and {pair.b}, whose comparison needs the most.",)
    return Answer(
        question="questions",
        headline=_headline(result),
        promise=result.promise,
        table=number_rows("questions", "Other numbers of answers", heads, rows) if rows else None,
        notes=(*(() if pair is not None and pair.advice == result.advice else (result.advice,)), *planned_for),
        cautions=result.cautions,
        data=plain_data(result),
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
    """What varies in the pilot, of every compared pair."""
    column = None if control is None else scores.index(control, "control")
    pairs = compared_pairs(scores.n_algorithms, "all-pairs" if column is None else "control", column or 0)
    return [plan.question_variance(scores, i, j) for i, j in pairs]


def question_variance_answer(parts: Sequence[QuestionVariance]) -> Answer:
    """A table of them, and the advice for the pair whose answers vary most."""
    noisiest = max(parts, key=lambda part: part.variance - part.omega2)
    clustered = noisiest.cluster_size is not None
    heads = [
        ("pair", ""),
        ("difference", ""),
        ("ω²", "ω²: variance of the true differences between questions."),
        ("σ² of a", "σ²: variance of one answer to a question."),
        ("σ² of b", ""),
        *([("ICC", "ICC: correlation of the differences in a cluster.")] if clustered else []),
    ]
    rows = [
        (
            f"{part.a} – {part.b}",
            numerals.score(part.difference),
            *(numerals.score(value) for value in (part.omega2, *part.sigma2)),
            *([numerals.MISSING if part.icc is None else numerals.decimals(part.icc, 3)] if clustered else []),
        )
        for part in parts[:MOST_PAIRS]
    ]
    where = "" if len(parts) == 1 else f"{noisiest.a} – {noisiest.b}, where answers matter most: "
    return Answer(
        question="question-variance",
        headline=f"{where}{noisiest.advice}",
        table=number_rows("question-variance", "What varies in the pilot", heads, rows),
        notes=() if len(parts) <= MOST_PAIRS else (f"{len(parts) - MOST_PAIRS} more pairs are not shown.",),
        cautions=tuple(dict.fromkeys(caution for part in parts for caution in part.cautions)),
        data={"pairs": plain_data(list(parts))},
    )
