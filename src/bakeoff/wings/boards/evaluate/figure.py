"""Means with their intervals, the best on top; differences of pairs with two intervals each.

Bars at the right of the means join models that are not shown to differ. A difference has the interval of its pair
alone, and the simultaneous one over the family.
"""

from collections.abc import Callable

from bakeoff.dataclass import dataclass
from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import pair_labels, printable, short_labels, shorten, text_width
from bakeoff.figures.geometry.plot_frame import (
    PlotFrame,
    draw_no_difference,
    draw_x_axis,
    finished_plot,
    plot_frame,
    widened,
)
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
from bakeoff.posthoc.groups import rank_words
from bakeoff.wings.boards.evaluate.prediction_figure import CalibrationPlot, RocPlot, draw_calibration, draw_roc
from bakeoff.wings.boards.evaluate.statistics import Evaluation, EvaluationPair

_PITCH = 11.0
_APART = 5.0  # bars of tied sets
_MOST_BARS = 12  # beyond, they cannot be told apart
_LONGEST = 0.35  # of the width: names


def draw_evaluation(result: Evaluation, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.evaluate``."""
    width = width_of(width_mm, MEDIUM_MM)
    rows = result.ranked
    names, key = short_labels([e.algorithm for e in rows], _LONGEST * width, SMALL)
    left = MARGIN + max(text_width(name, SMALL) for name in names) + 8
    tied = [group for group in result.groups if len(group) > 1]
    bars = tied if len(tied) <= _MOST_BARS else []
    ranks = [rank_words(result.rank_intervals[e.algorithm]) for e in rows]
    rank_width = max(text_width("rank", SMALL), *(text_width(text, SMALL) for text in ranks))
    right = width - MARGIN - rank_width - 8 - _APART * len(bars) - (6 if bars else 0)
    ends = [end for e in rows for end in (e.mean, *e.interval)]
    reach, height = widened(min(ends), max(ends)), _PITCH * (len(rows) + 0.5)
    frame = plot_frame(reach, (0.0, 1.0), width, height, left=left, right=right)
    predicted = result.scores.predicted
    of = "mean " if predicted is None or predicted.is_mean else ""
    titles = (f"{of}{printable(result.scores.metric)}",) if result.scores.metric else ()
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
    what = "Mean" if of else printable(result.scores.metric or "")
    caption = f"{what} of each with its own {level} interval, and its rank with simultaneous confidence {level}."
    if bars:
        caption += " Bars at the right join those not shown to differ"
    elif tied:
        caption += f" The report lists the {len(tied)} sets not shown to differ"
    caption += "; overlapping intervals are not that test." if tied else ""
    caption += key
    numbers = "; ".join(f"{plain(e.algorithm)} {score(e.mean)}" for e in rows[:20])
    return finished_plot(frame, items, caption, width, form="means", title="Means with intervals", spoken=f"{numbers}.")


def _bars(frame: PlotFrame, bars: list[tuple[str, ...]], place: dict[str, float]) -> list[Item]:
    """One column per tied set; a dot marks each of its members."""
    items: list[Item] = []
    for i, group in enumerate(bars):
        x = frame.right + 8 + _APART * i
        ys = [place[name] for name in group]
        items.append(Stroke(x1=x, y1=min(ys), x2=x, y2=max(ys), width=1.4, role="tied set", about=group))
        items += [Mark(x=x, y=y, radius=1.4, role="member", about=(name,)) for name, y in zip(group, ys, strict=True)]
    return items


_LONGEST_PAIR = 0.4  # of the width: names
MOST = 45  # rows; of more pairs those with the smallest adjusted p are drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferencesPlot:
    """The pairs of an evaluation."""

    evaluation: Evaluation


def draw_differences(plot: DifferencesPlot, width_mm: Width) -> Drawing:
    """A row per pair, the clearest ones if there are too many."""
    result, width = plot.evaluation, width_of(width_mm, MEDIUM_MM)
    rows = result.listed
    if len(rows) > MOST:
        clearest = sorted(range(len(rows)), key=lambda i: (rows[i].adjusted, rows[i].pvalue))[:MOST]
        rows = tuple(rows[i] for i in sorted(clearest))
    names, key = pair_labels([(p.a, p.b) for p in rows], _LONGEST_PAIR * width, SMALL, bold=True)
    left = MARGIN + max(text_width(name, SMALL, True) for name in names) + 8
    ends = [end for p in rows for end in (0.0, p.difference, *p.interval, *(p.simultaneous or ()))]
    frame = plot_frame(widened(min(ends), max(ends)), (0.0, 1.0), width, _PITCH * (len(rows) + 0.5), left=left)
    units = (printable(result.scores.metric), "score") if result.scores.metric else ("score",)
    texts = [f"difference in {unit}; right of 0: the first is better" for unit in units]
    room = frame.right - frame.left
    title = next((text for text in texts if text_width(text, LABEL) <= room), shorten(texts[-1], room, LABEL))
    items: list[Item] = [*draw_x_axis(frame, title), draw_no_difference(frame, 0.0)]
    for i, (pair, name) in enumerate(zip(rows, names, strict=True)):
        y = frame.top + _PITCH * (i + 0.5)
        hint = f"{plain(pair.a)} – {plain(pair.b)}: {score(pair.difference)}, {pair.verdict}"
        shown, about = pair.verdict in ("a better", "b better"), (pair.a, pair.b)
        items.append(Text(x=left - 6, y=y + 2.3, text=name, anchor="end", bold=shown, role="name", about=about))
        items += _intervals(pair, frame.x, y, hint)
        x = frame.x(pair.difference)
        mark = Mark(x=x, y=y, radius=1.9, filled=shown, colour="accent", role="estimate", about=about, hint=hint)
        items.append(mark)
    level = percent(1 - result.alpha)
    caption = f"Paired differences with {level} intervals: thick for each pair by itself"
    if any(pair.simultaneous is not None for pair in rows) and len(result.pairs) > 1:
        caption += "; thin for all pairs at once"
    caption += ". Filled and bold: a difference was shown."
    caption += key
    if len(rows) < len(result.pairs):
        caption += f" The {len(rows)} clearest of {len(result.pairs)} pairs."
    number = sum(pair.verdict in ("a better", "b better") for pair in result.pairs)
    spoken = f"Of {len(result.pairs)} pairs {number} differ."
    return finished_plot(frame, items, caption, width, form="differences", title="Paired differences", spoken=spoken)


def _intervals(pair: EvaluationPair, at: Callable[[float], float], y: float, hint: str) -> list[Item]:
    items: list[Item] = []
    about = (pair.a, pair.b)
    if pair.simultaneous is not None:
        x1, x2 = (at(end) for end in pair.simultaneous)
        items.append(Stroke(x1=x1, y1=y, x2=x2, y2=y, width=0.6, role="simultaneous", about=about))
    x1, x2 = (at(end) for end in pair.interval)
    own = Stroke(x1=x1, y1=y, x2=x2, y2=y, width=2.4, colour="tint3", role="interval", about=about, hint=hint)
    return [*items, own]


def diagrams(evaluation: Evaluation) -> dict[str, Callable[[Evaluation, Width], Drawing]]:
    """Those of an evaluation, by name; of predictions that have an order, their curves as well."""
    usual: dict[str, Callable[[Evaluation, Width], Drawing]] = {
        "means": draw_evaluation,
        "differences": lambda whole, width: draw_differences(DifferencesPlot(evaluation=whole), width),
    }
    predicted = evaluation.scores.predicted
    if predicted is None or predicted.predictions is None:
        return usual
    if predicted.is_mean:
        return usual | {"calibration": lambda e, width: draw_calibration(CalibrationPlot(evaluation=e), width)}
    return usual | {"roc": lambda e, width: draw_roc(RocPlot(evaluation=e), width)}
