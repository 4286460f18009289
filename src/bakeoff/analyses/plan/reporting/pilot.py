"""What a pilot teaches: more problems or more runs, and how many runs where."""

from typing import Any

from bakeoff import numerals, plan
from bakeoff.analyses.plan.reporting.answers import Answer, number_rows
from bakeoff.errors import counted
from bakeoff.plan.pilots import compared_pairs
from bakeoff.report.data import Keys, plain_data
from bakeoff.scores import Scores

_MOST_PAIRS = 10
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
}


def variance_answer(
    scores: Scores, control: str | None, delta: float | None, difference: str, form: str
) -> tuple[Answer, float | None]:
    """(25) for every compared pair, and the smallest effect size that ``delta`` is in any of them."""
    column = None if control is None else scores.index(control, "control")
    pairs = compared_pairs(scores.n_algorithms, "all-pairs" if column is None else "control", column or 0)
    parts = [plan.variance_components(scores, i, j, difference, form) for i, j in pairs]  # type: ignore[call-overload]
    worst = max(parts, key=lambda part: part.total_sd)
    effect = None if delta is None or worst.total_sd == 0 else worst.effect_size(abs(delta))
    heads = [
        ("pair", ""),
        ("sd problems", "Sd problems: standard deviation of the difference between problems."),
        ("sd runs", "Sd runs: that of its error from single runs."),
        ("share of runs", "Share of runs: of the observed variance."),
        *([("d", f"d: {abs(delta):g} in standard deviations of the differences.")] if delta is not None else []),
    ]
    rows = [
        (
            f"{part.a} – {part.b}",
            _shown(part.across_sd, difference),
            _shown(part.within_sd, difference),
            numerals.in_percent(part.within_share),
            *((f"{part.effect_size(abs(delta)):.2g}" if part.total_sd else "any",) if delta is not None else ()),
        )
        for part in parts[:_MOST_PAIRS]
    ]
    notes = [] if len(parts) <= _MOST_PAIRS else [f"{len(parts) - _MOST_PAIRS} more pairs are not shown."]
    noisiest = max(parts, key=lambda part: part.within_share)
    where = "" if len(parts) == 1 else f"{noisiest.a} – {noisiest.b}, where runs matter most: "
    advice, _, numbers = noisiest.advice.partition(": ")
    return (
        Answer(
            question="variance",
            headline=f"{where}{advice.rstrip('.')}.",
            promise=numbers[:1].upper() + numbers[1:],
            table=number_rows("variance", "What varies in the pilot", heads, rows),
            notes=tuple(notes),
            cautions=tuple(caution for part in parts for caution in part.cautions),
            data={"pairs": plain_data(parts, KEYS)},
        ),
        effect,
    )


def _shown(value: float, difference: str) -> str:
    return numerals.in_percent(value, 1) if difference == "percent" else numerals.significant(value, 3)


def runs_answer(scores: Scores, wanted_se: float, options: dict[str, Any]) -> Answer:
    """Given a standard error: runs per algorithm and problem."""
    planned = plan.repetitions(scores, wanted_se, **options)
    heads = [("algorithm", ""), ("fewest runs", ""), ("median", ""), ("most", ""), ("in all", "")]
    rows = [
        (
            name,
            str(int(planned.n[:, j].min())),
            f"{float(sorted(planned.n[:, j])[planned.n_problems // 2]):g}",
            str(int(planned.n[:, j].max())),
            str(int(planned.n[:, j].sum())),
        )
        for j, name in enumerate(planned.algorithms)
    ]
    hardest = int(planned.n.sum(axis=1).argmax())
    unit = f"{wanted_se:g}"
    if planned.difference == "percent":
        unit = f"{numerals.significant(wanted_se, 3)} ({numerals.in_percent(wanted_se, 1)})"
    return Answer(
        question="repetitions",
        headline=f"{planned.total} runs on {counted(planned.n_problems, 'problem')} bring the standard error of every "
        f"difference down to {unit}; equal numbers of runs would take {planned.balanced_total}.",
        table=number_rows("repetitions", "Runs on a problem", heads, rows),
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
