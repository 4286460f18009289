"""Standings, the best on top: the ranks that are possible, filled where the algorithm may be the best."""

import math
from collections.abc import Sequence

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import short_labels, text_width
from bakeoff.figures.geometry.plot_frame import finished_plot, plot_frame
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Colour,
    Drawing,
    Item,
    Mark,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.numerals import decimals_for_step, percent
from bakeoff.wings.boards.leaderboard.statistics import Leaderboard

_PITCH = 11.0
_LONGEST = 0.35  # of the width: names
_APART = 14.0  # of the ranks' numbers
MOST = 60  # rows; of more algorithms the first ones are drawn


def draw_leaderboard(result: Leaderboard, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.leaderboard``."""
    width, rows, k = width_of(width_mm, MEDIUM_MM), result.standings[:MOST], len(result.standings)
    places = observed_ranks([row.value for row in result.standings])
    names, key = short_labels([row.algorithm for row in rows], _LONGEST * width, SMALL, bold=True)
    errors = [row.standard_error for row in result.standings if row.standard_error > 0]
    values = decimals_for_step([row.value for row in rows], min(errors, default=0.0))
    head = "mean rank" if result.by == "mean-rank" else "mean"
    column = max(text_width(text, SMALL) for text in (head, *values))
    left = MARGIN + max(text_width(name, SMALL, True) for name in names) + 8
    right = width - MARGIN - column - 10
    frame = plot_frame((0.5, k + 0.5), (0.0, 1.0), width, _PITCH * (len(rows) + 0.5), left=left, right=right)
    items: list[Item] = [
        Stroke(x1=left, y1=frame.bottom, x2=right, y2=frame.bottom, width=0.8, role="axis"),
        Text(x=(left + right) / 2, y=frame.bottom + 20, text="rank", size=LABEL, anchor="middle", role="axis name"),
        Text(x=width - MARGIN, y=frame.top - 4, text=head, anchor="end", colour="grey", role="column"),
    ]
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, k) if (right - left) / k * s >= _APART or s == k)
    for rank in sorted({1, *range(step, k + 1, step)}):
        x = frame.x(rank)
        if rank != 1 and x - frame.x(1) < _APART:
            continue
        items.append(Stroke(x1=x, y1=frame.bottom, x2=x, y2=frame.bottom + 3, role="tick"))
        items.append(Text(x=x, y=frame.bottom + 10, text=str(rank), anchor="middle", role="tick label"))
    for i, (row, name) in enumerate(zip(rows, names, strict=True)):
        y, about = frame.top + _PITCH * (i + 0.5), (row.algorithm,)
        low, high = row.rank
        hint = f"{plain(row.algorithm)}: rank {low} to {high}, {head} {values[i]}"
        colour: Colour = "accent" if row.candidate else "black"
        items += [
            Text(x=left - 6, y=y + 2.3, text=name, anchor="end", bold=row.candidate, role="name", about=about),
            Stroke(x1=frame.x(low - 0.3), y1=y, x2=frame.x(high + 0.3), y2=y, colour="tint3", width=3.2,
                   role="interval", about=about, hint=hint),
            Mark(x=frame.x(places[i]), y=y, radius=2.2, filled=row.candidate, colour=colour, role="estimate",
                 about=about, hint=hint),
            Text(x=width - MARGIN, y=y + 2.3, text=values[i], anchor="end", role="value", about=about),
        ]  # fmt: skip
    level, winner = percent(1 - result.alpha), result.winner
    caption = (
        f"Observed rank, and the ranks possible with simultaneous confidence {level}. Filled and bold: may be the best."
    )
    if winner.interval is not None:
        value, least, most = decimals_for_step([winner.value, *winner.interval], winner.standard_error)
        caption += f" {plain(winner.algorithm)}: {value}; corrected for having been chosen, {least} to {most}."
    caption += key
    if k > len(rows):
        caption += f" The first {len(rows)} of {k}."
    ranks = "; ".join(f"{plain(row.algorithm)} {row.rank[0]} to {row.rank[1]}" for row in rows[:20])
    title = "Ranks with intervals"
    return finished_plot(frame, items, caption, width, form="leaderboard", title=title, spoken=f"{ranks}.")


def observed_ranks(values: Sequence[float]) -> list[float]:
    """Ranks of sorted values; equal ones, to the precision of a sum, share the mean of their places."""
    places: list[float] = []
    while len(places) < len(values):
        start = len(places)
        ends = (j for j in range(start, len(values)) if not math.isclose(values[j], values[start], rel_tol=1e-12))
        stop = next(ends, len(values))
        places += [(start + 1 + stop) / 2] * (stop - start)
    return places
