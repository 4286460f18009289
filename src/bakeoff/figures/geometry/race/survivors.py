"""The best candidate against each other survivor: its share of wins where they differ, with confidence sequences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bakeoff.figures.geometry.metrics import printable, shorten, text_width
from bakeoff.figures.geometry.plot_frame import draw_no_difference, draw_x_axis, finished_plot, plot_frame
from bakeoff.figures.geometry.primitives import MARGIN, SMALL, Drawing, Item, Mark, Stroke, Text
from bakeoff.figures.geometry.widths import MEDIUM_MM, Width, width_of
from bakeoff.numerals import decimals

if TYPE_CHECKING:
    from bakeoff.racing.results import RaceResult

NAMED = 40  # rows; more are not drawn
_PITCH = 9.0
_LONGEST = 0.35  # of the width: names


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivorsPlot:
    """Of the result of a race with at least two survivors."""

    race: RaceResult


def draw_survivors(plot: SurvivorsPlot, width_mm: Width) -> Drawing:
    race = plot.race
    width = width_of(width_mm, MEDIUM_MM)
    rows = [s for s in race.standings if s.algorithm != race.best][:NAMED]
    names = [shorten(printable(s.algorithm), _LONGEST * width, SMALL) for s in rows]
    left = MARGIN + max((text_width(name, SMALL) for name in names), default=0.0) + 8
    frame = plot_frame((0.0, 1.0), (0.0, 1.0), width, _PITCH * (len(rows) + 0.5), left=left)
    best = shorten(printable(race.best), 0.3 * width, SMALL)
    items: list[Item] = [
        *draw_x_axis(frame, f"share of problems on which {best} wins, where they differ"),
        draw_no_difference(frame, 0.5),
    ]
    for i, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = frame.top + _PITCH * (i + 0.5)
        assert row.p_low is not None  # of all but the best one
        assert row.p_high is not None
        shown, about = printable(row.algorithm), (row.algorithm,)
        x1, x2, hint = frame.x(row.p_low), frame.x(row.p_high), f"{decimals(row.p_low, 3)} to {decimals(row.p_high, 3)}"
        items.append(
            Stroke(x1=x1, y1=y, x2=x2, y2=y, colour="tint3", width=1.2, role="interval", about=about, hint=hint)
        )
        if row.wins + row.losses:
            x = frame.x(row.wins / (row.wins + row.losses))
            hint = f"{shown}: {row.wins} wins, {row.losses} losses, {row.ties} ties"
            items.append(Mark(x=x, y=y, radius=1.6, colour="accent", role="estimate", about=about, hint=hint))
        items.append(Text(x=left - 6, y=y + 2.3, text=name, anchor="end", role="name", about=about, hint=shown))
    more = len(race.standings) - 1 - len(rows)
    caption = (
        f"Dots: on the problems that all survivors ran on. Lines: confidence sequences; all of them contain the true "
        f"probability at every look with probability {1 - race.alpha:g}."
        + (f" {more} more survivors are not drawn." if more else "")
    )
    title = f"The survivors compared with {printable(race.best)}"
    return finished_plot(frame, items, caption, width, form="survivors", title=title, description=caption)
