"""What ``bakeoff plan --pilot`` says: more problems or more runs, and how many runs where."""

from __future__ import annotations

from typing import Any

from bakeoff import plan
from bakeoff.cli.plan_page import Answer
from bakeoff.errors import counted
from bakeoff.plan.pilots.standard_errors import compared_pairs
from bakeoff.scores import Scores

_MOST_PAIRS = 10


def variance_answer(
    scores: Scores, control: str | None, delta: float | None, difference: str, form: str
) -> tuple[Answer, float | None]:
    """(25) for every compared pair, and the smallest effect size that ``delta`` is in any of them."""
    column = None if control is None else scores.index(control, "control")
    pairs = compared_pairs(scores.n_algorithms, "all-pairs" if column is None else "control", column or 0)
    parts = [plan.variance_components(scores, i, j, difference, form) for i, j in pairs]  # type: ignore[arg-type]
    worst = max(parts, key=lambda part: part.total_sd)
    effect = None if delta is None or worst.total_sd == 0 else worst.effect_size(abs(delta))
    head = ("pair", "sd problems", "sd runs", "runs' share", *(("d",) if delta is not None else ()))
    rows = [
        (
            f"{part.a} – {part.b}",
            _shown(part.across_sd, difference),
            _shown(part.within_sd, difference),
            f"{part.within_share:.0%}",
            *((f"{part.effect_size(abs(delta)):.2g}" if part.total_sd else "any",) if delta is not None else ()),
        )
        for part in parts[:_MOST_PAIRS]
    ]
    notes = [] if len(parts) <= _MOST_PAIRS else [f"{len(parts) - _MOST_PAIRS} more pairs are not shown."]
    noisiest = max(parts, key=lambda part: part.within_share)
    where = "" if len(parts) == 1 else f"{noisiest.a} – {noisiest.b}, where runs weigh most: "
    return (
        Answer(
            headline=f"{where}{noisiest.advice}",
            table=(head, *rows),
            notes=tuple(notes),
            cautions=tuple(caution for part in parts for caution in part.cautions),
            data={"question": "variance", "pairs": [_pair_data(part) for part in parts]},
        ),
        effect,
    )


def _shown(value: float, difference: str) -> str:
    return f"{value:.1%}" if difference == "percent" else f"{value:.3g}"


def _pair_data(part: plan.VarianceComponents) -> dict[str, Any]:
    names = (
        "a b across_sd within_sd total_sd within_share se_now se_twice_problems se_twice_runs se_endless_runs "
        "runs_factor advice difference method n_problems"
    )
    return {name: getattr(part, name) for name in names.split()}


def runs_answer(scores: Scores, wanted_se: float, options: dict[str, Any]) -> Answer:
    """--se: runs per algorithm and problem."""
    found = plan.repetitions(scores, wanted_se, **options)
    head = ("algorithm", "fewest runs", "median", "most", "in all")
    rows = [
        (
            name,
            str(int(found.n[:, j].min())),
            f"{float(sorted(found.n[:, j])[found.n_problems // 2]):g}",
            str(int(found.n[:, j].max())),
            str(int(found.n[:, j].sum())),
        )
        for j, name in enumerate(found.algorithms)
    ]
    hardest = int(found.n.sum(axis=1).argmax())
    unit = f"{wanted_se:.3g} ({wanted_se:.1%})" if found.difference == "percent" else f"{wanted_se:g}"
    return Answer(
        headline=f"{found.total} runs on {counted(found.n_problems, 'problem')} bring the standard error of every "
        f"difference down to {unit}; with equal numbers of runs it would take {found.balanced_total}.",
        table=(head, *rows),
        notes=(
            f"The hardest problem is {found.problems[hardest]}: {int(found.n[hardest].sum())} runs. No cell has fewer "
            f"than {found.min_runs}.",
        ),
        cautions=found.cautions,
        data={
            "question": "repetitions",
            "wanted_se": found.wanted_se,
            "n": found.n.tolist(),
            "algorithms": list(found.algorithms),
            "problems": list(found.problems),
            "total": found.total,
            "balanced_total": found.balanced_total,
            "difference": found.difference,
            "method": found.method,
            "control": found.control,
        },
    )
