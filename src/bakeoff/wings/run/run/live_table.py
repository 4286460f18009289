"""The live table of ``bakeoff run``: progress, the problems under way, and why the others stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff.cli.terminal import BAR, bar
from bakeoff.errors import plain
from bakeoff.report.sections import MOST_ROWS
from bakeoff.wings.run.run.reporting.progress import done, footline, headline

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bakeoff.wings.run.design.experiment import Experiment
    from bakeoff.wings.run.progress import Progress


def progress_table(experiment: Experiment, progress: Progress) -> RenderableType:
    """Headline, bar, a row per problem under way, and a line on the problems that stopped."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    adaptive = experiment.repetitions
    table = Table(box=None, pad_edge=False, header_style="bold")
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
    return Group(Text(headline(progress)), Text(bar(done(progress), BAR)), table, Text(footline(progress)))
