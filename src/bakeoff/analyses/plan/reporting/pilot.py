"""Answers from a pilot: more problems or more runs, and how many runs where."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from bakeoff import numerals, plan
from bakeoff.analyses.plan.reporting.answers import Answer, NumberColumns, number_table
from bakeoff.errors import counted
from bakeoff.plan.pilots import Pairs, compared_pairs
from bakeoff.report.data import Keys, all_but, plain_data
from bakeoff.scores import Scores

_MOST_PAIRS = 10
Part = TypeVar("Part", plan.VarianceComponents, plan.QuestionVariance)

KEYS: Keys = {
    plan.VarianceComponents: (
        *("a", "b", "across_sd", "within_sd", "total_sd", "within_share"),
        *("se_now", "se_twice_problems", "se_twice_runs", "se_endless_runs", "runs_factor"),
        *("advice", "difference", "method", "n_problems"),
    ),
    plan.RepetitionPlan: (
        *("wanted_se", "n", "algorithms", "problems", "total", "balanced_total"),
        *("difference", "method", "control"),
    ),
    plan.QuestionVariance: all_but(plan.QuestionVariance, "estimated"),
}


def variance_answer(
    scores: Scores, control: str | None, delta: float | None, difference: str, form: str
) -> tuple[Answer, float | None]:
    """(25) for every compared pair, and the smallest effect size that ``delta`` is in any of them."""
    pairs = control_pairs(scores, control)
    parts = [plan.variance_components(scores, i, j, difference, form) for i, j in pairs]  # type: ignore[call-overload]
    worst = max(parts, key=lambda part: part.total_sd)
    effect = None if delta is None or worst.total_sd == 0 else worst.effect_size(abs(delta))
    columns: NumberColumns[plan.VarianceComponents] = [
        (
            "sd problems",
            "Sd problems: standard deviation of the difference between problems.",
            lambda part: _shown(part.across_sd, difference),
        ),
        ("sd runs", "Sd runs: that of its error from single runs.", lambda part: _shown(part.within_sd, difference)),
        (
            "share of runs",
            "Share of runs: of the observed variance.",
            lambda part: numerals.in_percent(part.within_share),
        ),
    ]
    if delta is not None:
        size, legend = abs(delta), f"d: {abs(delta):g} in standard deviations of the differences."
        columns.append(("d", legend, lambda part: f"{part.effect_size(size):.2g}" if part.total_sd else "any"))
    noisiest = max(parts, key=lambda part: part.within_share)
    advice, _, numbers = noisiest.advice.partition(": ")
    answer = pairs_answer("variance", parts, noisiest, "runs", columns, f"{advice.rstrip('.')}.")
    return replace(answer, promise=numbers[:1].upper() + numbers[1:]), effect


def control_pairs(scores: Scores, control: str | None) -> Pairs:
    """The compared columns: all pairs, or the control's."""
    column = None if control is None else scores.index(control, "control")
    return compared_pairs(scores.n_algorithms, "all-pairs" if column is None else "control", column or 0)


def pairs_answer(
    question: str, parts: Sequence[Part], noisiest: Part, what: str, columns: NumberColumns[Part], advice: str
) -> Answer:
    """A table of what varies between two algorithms, and the advice for the pair whose answers or runs vary most."""
    where = "" if len(parts) == 1 else f"{noisiest.a} – {noisiest.b}, where {what} matter most: "
    named: NumberColumns[Part] = [("pair", "", lambda part: f"{part.a} – {part.b}")]
    return Answer(
        question=question,
        headline=f"{where}{advice}",
        table=number_table(question, "What varies in the pilot", named + columns, parts[:_MOST_PAIRS]),
        notes=() if len(parts) <= _MOST_PAIRS else (f"{len(parts) - _MOST_PAIRS} more pairs are not shown.",),
        cautions=tuple(dict.fromkeys(caution for part in parts for caution in part.cautions)),
        data={"pairs": plain_data(list(parts), KEYS)},
    )


def _shown(value: float, difference: str) -> str:
    return numerals.in_percent(value, 1) if difference == "percent" else numerals.significant(value, 3)


def runs_answer(scores: Scores, wanted_se: float, options: dict[str, Any]) -> Answer:
    """Given a standard error: runs per algorithm and problem."""
    planned = plan.repetitions(scores, wanted_se, **options)
    columns: NumberColumns[tuple[str, Any]] = [
        ("algorithm", "", lambda row: row[0]),
        ("fewest runs", "", lambda row: str(int(row[1].min()))),
        ("median", "", lambda row: f"{float(sorted(row[1])[planned.n_problems // 2]):g}"),
        ("most", "", lambda row: str(int(row[1].max()))),
        ("in all", "", lambda row: str(int(row[1].sum()))),
    ]
    rows = zip(planned.algorithms, planned.n.T, strict=True)
    hardest = int(planned.n.sum(axis=1).argmax())
    unit = f"{wanted_se:g}"
    if planned.difference == "percent":
        unit = f"{numerals.significant(wanted_se, 3)} ({numerals.in_percent(wanted_se, 1)})"
    return Answer(
        question="repetitions",
        headline=f"{planned.total} runs on {counted(planned.n_problems, 'problem')} bring the standard error of every "
        f"difference down to {unit}; equal numbers of runs would take {planned.balanced_total}.",
        table=number_table("repetitions", "Runs on a problem", columns, rows),
        notes=(
            f"The hardest problem is {planned.problems[hardest]}: {int(planned.n[hardest].sum())} runs. No cell has "
            f"fewer than {planned.min_runs}.",
            *(
                []
                if scores.clusters is None
                else ["The problems are in clusters: no estimate of what more would bring."]
            ),
        ),
        cautions=planned.cautions,
        data=plain_data(planned, KEYS),
    )
