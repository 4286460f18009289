"""The live table of ``bakeoff race``: the survivors, the evidence against each, and the evaluations spent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff.cli.live.live_table import MOST_ROWS, trouble
from bakeoff.cli.live.run_table import BAR, done
from bakeoff.cli.terminal import bar, duration
from bakeoff.errors import counted, plain

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bakeoff.running.progress import Progress, RaceProgress

_STEPS = 20  # columns of the bar towards the threshold


def race_progress_table(progress: Progress) -> RenderableType:
    """Headline, bar, a row per survivor, and a line on the candidates eliminated last."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    race = _race(progress)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("candidate", no_wrap=True, overflow="ellipsis", max_width=40)
    table.add_column(race.measure, justify="right")
    if race.threshold is not None:
        table.add_column(f"eliminated at {race.threshold:g}")
    for name, evidence in rows(race.survivors):
        cells = ["" if evidence is None else f"{evidence:.3g}"]
        if race.threshold is not None:
            cells.append("" if evidence is None else bar(evidence / race.threshold, _STEPS))
        table.add_row(Text(plain(name)), *cells)
    return Group(Text(race_headline(progress)), Text(bar(done(progress), BAR)), table, Text(race_footline(progress)))


def _race(progress: Progress) -> RaceProgress:
    assert progress.race is not None, "the progress of a race"
    return progress.race


def rows(survivors: tuple[tuple[str, float], ...]) -> list[tuple[str, float | None]]:
    """Survivors by evidence; of many, those with the least and the most."""
    ordered: list[tuple[str, float | None]] = [*sorted(survivors, key=lambda one: one[1])]
    if len(ordered) <= MOST_ROWS:
        return ordered
    half = MOST_ROWS // 2
    return [*ordered[:half], (f"… {len(ordered) - 2 * half} more", None), *ordered[-half:]]


def race_headline(progress: Progress) -> str:
    """``7 of 12 candidates · 45 of 100 problems · 430 of 1200 evaluations · at most 1 min 20 s left``"""
    race = _race(progress)
    parts = [
        f"{len(race.survivors)} of {race.n_candidates} candidates",
        f"{race.n_problems} of {progress.n_problems} problems",
        f"{race.evaluations} of {race.full_evaluations} evaluations",
    ]
    if progress.seconds_left is not None and not progress.finished:
        parts.append(f"at most {duration(progress.seconds_left)} left")
    return " · ".join(parts)


def race_footline(progress: Progress) -> str:
    """Who was eliminated last, what failed, and whether the race is stopping."""
    out = [f"{plain(name)} ({reason}, {counted(n, 'problem')})" for name, reason, n in _race(progress).last_out]
    return " · ".join([*([f"last eliminated: {', '.join(out)}"] if out else []), *trouble(progress)])
