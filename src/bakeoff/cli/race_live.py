"""The picture of a running race: who is left, the evidence against each, what was spent of the full design."""

from __future__ import annotations

from typing import Any

from bakeoff.cli.live_table import bar, duration
from bakeoff.errors import counted, plain

MOST_ROWS = 12
_STEPS = 20  # of the bar towards the threshold


def race_drawing(experiment: Any, picture: Any) -> Any:
    """One picture."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    race = picture.race
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("candidate", no_wrap=True, overflow="ellipsis", max_width=40)
    table.add_column(race.measure, justify="right")
    if race.threshold is not None:
        table.add_column(f"leaves at {race.threshold:g}")
    for name, evidence in shown(race.survivors):
        cells = ["" if evidence is None else f"{evidence:.3g}"]
        if race.threshold is not None:
            cells.append("" if evidence is None else towards(evidence, race.threshold))
        table.add_row(Text(plain(name)), *cells)
    spent = bar(picture)
    return Group(Text(race_headline(picture)), Text(spent), table, Text(race_footline(picture)))


def shown(survivors: tuple[tuple[str, float], ...]) -> list[tuple[str, float | None]]:
    """By evidence; of many, the least and the most contradicted."""
    ordered: list[tuple[str, float | None]] = [*sorted(survivors, key=lambda one: one[1])]
    if len(ordered) <= MOST_ROWS:
        return ordered
    half = MOST_ROWS // 2
    return [*ordered[:half], (f"… {len(ordered) - 2 * half} more", None), *ordered[-half:]]


def towards(evidence: float, threshold: float) -> str:
    """How far it is to the threshold."""
    filled = int(_STEPS * min(1.0, max(0.0, evidence / threshold)))
    return "━" * filled + "┄" * (_STEPS - filled)


def race_headline(picture: Any) -> str:
    """``7 of 12 left · 45 of 100 problems · 430 of 1200 evaluations · at most 1 min 20 s left``"""
    race = picture.race
    parts = [
        f"{len(race.survivors)} of {race.n_candidates} left",
        f"{race.n_problems} of {picture.n_problems} problems",
        f"{race.evaluations} of {race.full_evaluations} evaluations",
    ]
    if picture.seconds_left is not None and not picture.finished:
        parts.append(f"at most {duration(picture.seconds_left)} left")
    return " · ".join(parts)


def race_footline(picture: Any) -> str:
    """Who left last, what failed, and whether it is about to stop."""
    gone = [f"{plain(name)} ({reason}, {counted(n, 'problem')})" for name, reason, n in picture.race.last_out]
    parts = [f"last out: {', '.join(gone)}"] if gone else []
    if picture.failed:
        parts.append(f"{picture.failed} runs failed")
    if picture.retried:
        parts.append(f"{picture.retried} tried again")
    if picture.stopping:
        parts.append("stopping when the runs under way have ended; Ctrl-C again stops at once")
    return " · ".join(parts)
