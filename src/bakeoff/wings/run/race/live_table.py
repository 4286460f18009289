"""The live table of ``bakeoff race``: the survivors, the evidence against each, and the evaluations spent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff.cli.terminal import BAR, bar
from bakeoff.errors import plain
from bakeoff.wings.run.run.reporting.progress import done, race_footline, race_headline, race_of, rows

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bakeoff.wings.run.progress import Progress

_STEPS = 20  # columns of the bar towards the threshold


def race_progress_table(progress: Progress) -> RenderableType:
    """Headline, bar, a row per survivor, and a line on the candidates eliminated last."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    race = race_of(progress)
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
