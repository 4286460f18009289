"""Means of models with their intervals, the best on top; at the right, bars join those that are not shown to differ."""

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import printable, short_labels, text_width
from bakeoff.figures.geometry.plot_frame import PlotFrame, draw_x_axis, finished_plot, plot_frame, widened
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Drawing,
    Item,
    Mark,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.numerals import percent, score
from bakeoff.wings.boards.evaluate.statistics import Evaluation

_PITCH = 11.0
_APART = 5.0  # bars of tied sets
_MOST_BARS = 16
_LONGEST = 0.35  # of the width: names


def draw_evaluation(result: Evaluation, width_mm: Width) -> Drawing:
    """Of the result of ``bo.evaluate``."""
    width = width_of(width_mm, MEDIUM_MM)
    rows = result.ranked
    names, key = short_labels([e.algorithm for e in rows], _LONGEST * width, SMALL)
    left = MARGIN + max(text_width(name, SMALL) for name in names) + 8
    bars = [group for group in result.groups if len(group) > 1][:_MOST_BARS]
    ranks = [_rank(result, e.algorithm) for e in rows]
    rank_width = max(text_width("rank", SMALL), *(text_width(text, SMALL) for text in ranks))
    right = width - MARGIN - rank_width - 8 - _APART * len(bars) - (6 if bars else 0)
    ends = [end for e in rows for end in (e.mean, *e.interval)]
    frame = plot_frame(
        widened(min(ends), max(ends)), (0.0, 1.0), width, _PITCH * (len(rows) + 0.5), left=left, right=right
    )
    titles = (f"mean {printable(result.scores.metric)}",) if result.scores.metric else ()
    title = next((text for text in titles if text_width(text, LABEL) <= right - left), "mean score")
    items: list[Item] = [*draw_x_axis(frame, title)]
    items.append(Text(x=width - MARGIN, y=frame.top - 4, text="rank", anchor="end", colour="grey", role="column"))
    place = {}
    for i, (e, name) in enumerate(zip(rows, names, strict=True)):
        y = place[e.algorithm] = frame.top + _PITCH * (i + 0.5)
        about = (e.algorithm,)
        hint = f"{plain(e.algorithm)}: {score(e.mean)}, {score(e.interval[0])} to {score(e.interval[1])}"
        x1, x2 = (frame.x(end) for end in e.interval)
        items += [
            Text(x=left - 6, y=y + 2.3, text=name, anchor="end", role="name", about=about, hint=e.algorithm),
            Stroke(x1=x1, y1=y, x2=x2, y2=y, colour="tint3", width=1.6, role="interval", about=about, hint=hint),
            Mark(x=frame.x(e.mean), y=y, radius=1.9, colour="accent", role="estimate", about=about, hint=hint),
            Text(x=width - MARGIN, y=y + 2.3, text=ranks[i], anchor="end", role="rank", about=about),
        ]
    items += _bars(frame, bars, place)
    level = percent(1 - result.alpha)
    caption = f"Mean of each with its own {level} interval, and its rank with simultaneous confidence {level}."
    if bars:
        caption += " Bars at the right join those not shown to differ; overlapping intervals are not that test."
    caption += key
    numbers = "; ".join(f"{plain(e.algorithm)} {score(e.mean)}" for e in rows[:20])
    return finished_plot(frame, items, caption, width, form="means", title="Means with intervals", spoken=f"{numbers}.")


def _rank(result: Evaluation, name: str) -> str:
    low, high = result.rank_intervals[name]
    return str(low) if low == high else f"{low}–{high}"


def _bars(frame: PlotFrame, bars: list[tuple[str, ...]], place: dict[str, float]) -> list[Item]:
    """One column per tied set; a dot marks each of its members."""
    items: list[Item] = []
    for i, group in enumerate(bars):
        x = frame.right + 8 + _APART * i
        ys = [place[name] for name in group]
        items.append(Stroke(x1=x, y1=min(ys), x2=x, y2=max(ys), width=1.4, role="tied set", about=group))
        items += [Mark(x=x, y=y, radius=1.4, role="member", about=(name,)) for name, y in zip(group, ys, strict=True)]
    return items
