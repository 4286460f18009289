"""The live table of ``bakeoff run`` and ``bakeoff race``: progress, and the problems under way or the survivors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff.cli.terminal import BAR, bar
from bakeoff.errors import plain
from bakeoff.report.sections import MOST_ROWS
from bakeoff.wings.run.run.reporting.progress import done, footline, headline, rows

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from bakeoff.wings.run.design.experiment import Experiment
    from bakeoff.wings.run.progress import Progress, RaceProgress

_STEPS = 20  # columns of the bar towards the threshold


def progress_table(experiment: Experiment, progress: Progress) -> RenderableType:
    """Headline, bar, a row per problem under way or per survivor, and what stopped or was eliminated."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    if progress.race is None:
        _add_problems(table, experiment, progress)
    else:
        _add_survivors(table, progress.race)
    return Group(Text(headline(progress)), Text(bar(done(progress), BAR)), table, Text(footline(progress)))


def _add_problems(table: Table, experiment: Experiment, progress: Progress) -> None:
    from rich.text import Text

    adaptive = experiment.repetitions
    table.add_column("problem", no_wrap=True, overflow="ellipsis", max_width=40)
    for name in experiment.algorithm_names:
        table.add_column(Text(plain(name)), justify="right", no_wrap=True, overflow="ellipsis", max_width=18)
    table.add_column("waiting", justify="right")
    if adaptive is not None:
        table.add_column(f"se (goal {adaptive.se:g})", justify="right")
    for problem in progress.active[:MOST_ROWS]:
        error = "" if problem.standard_error is None else f"{problem.standard_error:.3g}"
        cells = [*map(str, problem.counts), str(problem.waiting), *([error] if adaptive is not None else [])]
        table.add_row(Text(plain(problem.name)), *cells)


def _add_survivors(table: Table, race: RaceProgress) -> None:
    from rich.text import Text

    table.add_column("candidate", no_wrap=True, overflow="ellipsis", max_width=40)
    table.add_column(race.measure, justify="right")
    if race.threshold is not None:
        table.add_column(f"eliminated at {race.threshold:g}")
    for name, evidence in rows(race.survivors):
        cells = ["" if evidence is None else f"{evidence:.3g}"]
        if race.threshold is not None:
            cells.append("" if evidence is None else bar(evidence / race.threshold, _STEPS))
        table.add_row(Text(plain(name)), *cells)
