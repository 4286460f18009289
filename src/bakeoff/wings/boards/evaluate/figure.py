"""Means with their intervals, the best on top; differences of pairs with two intervals each.

Bars at the right of the means join models that are not shown to differ. A difference has the interval of its pair
alone, and the simultaneous one over the family.
"""

from collections.abc import Callable, Mapping, Sequence

from bakeoff.errors import plain
from bakeoff.figures.geometry.areas import Sizes, area_frames, draw_area_axes
from bakeoff.figures.geometry.metrics import pair_labels, printable, short_labels, shorten, text_width
from bakeoff.figures.geometry.notes import captioned
from bakeoff.figures.geometry.plot_frame import (
    PlotFrame,
    draw_no_difference,
    draw_x_axis,
    finished_plot,
    plot_frame,
    widened,
)
from bakeoff.figures.geometry.primitives import (
    COLUMN_MM,
    LABEL,
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Anchor,
    Drawing,
    Item,
    Mark,
    Polygon,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.numerals import percent, score
from bakeoff.posthoc.groups import rank_words
from bakeoff.wings.boards.evaluate.prediction_curves import GRID, CalibrationBin, calibration_bins, roc_curves
from bakeoff.wings.boards.evaluate.statistics import Evaluation, EvaluationPair

# ROC curves and calibration, an area for each model: in one area the bands of several would hide each other.

MOST_MODELS = 8
"""Models that are drawn: those with the best means."""
_SIZES = Sizes(least=84.0, apart=10.0, ratio=1.0, widest=150.0)
_TICKS = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))


def draw_roc(result: Evaluation, width_mm: Width) -> Drawing:
    """Each model's curve with its band, the others in grey."""
    curves = {curve.algorithm: curve for curve in roc_curves(result.scores, result.alpha)}
    names = _drawn(result)
    paths = {name: [(0.0, 0.0), *zip(GRID.tolist(), curves[name].hits.tolist(), strict=True)] for name in names}
    frames, items, bottom, key = _areas(result, names, width_mm, "share of negatives above", "share of positives above")
    width = max(frame.right for frame in frames)
    for name, frame in zip(names, frames, strict=True):
        curve = curves[name]
        upper, lower = (list(zip(GRID.tolist(), side.tolist(), strict=True)) for side in (curve.upper, curve.lower))
        items.append(Polygon(points=frame.points([*upper, *reversed(lower)]), fill="tint1", role="band", about=(name,)))
        items.append(_diagonal(frame))
        others = (path for other, path in paths.items() if other != name)
        items += (Polygon(points=frame.points(path), edge="light", width=0.5, role="other curve") for path in others)
        hint = f"{plain(name)}: {result.scores.metric} {score(result.estimate(name).mean)}"
        own = Polygon(
            points=frame.points(paths[name]), edge="accent", width=1.2, role="curve", about=(name,), hint=hint
        )
        items.append(own)
    level = percent(1 - result.alpha)
    behind = "; grey: the others" if len(names) > 1 else ""
    caption = (
        f"ROC curve of each model with its pointwise {level} band{behind}. Dashed: chance.{_left(result, names)}{key}"
    )
    numbers = "; ".join(f"{plain(name)} {score(result.estimate(name).mean)}" for name in names)
    spoken = f"{plain(result.scores.metric or 'score')}: {numbers}."
    return captioned(items, caption, bottom, width + MARGIN, form="roc", title="ROC curves with bands", spoken=spoken)


def draw_calibration(result: Evaluation, width_mm: Width) -> Drawing:
    """Share of positives in bins of the predicted probability, with Wilson's intervals."""
    predicted, names = result.scores.predicted, _drawn(result)
    assert predicted is not None
    assert predicted.truth is not None
    assert predicted.predictions is not None
    frames, items, bottom, key = _areas(result, names, width_mm, "predicted probability", "share of positives")
    spoken = []
    for name, frame in zip(names, frames, strict=True):
        column = predicted.predictions[:, result.scores.index(name)]
        bins = calibration_bins(predicted.truth, column, result.alpha)
        items += [_diagonal(frame), *_bins(frame, bins, name)]
        furthest = max(bins, key=lambda each: abs(each.observed - each.predicted))
        spoken.append(f"{plain(name)} is off by up to {score(furthest.observed - furthest.predicted)}")
    level = percent(1 - result.alpha)
    caption = (
        f"Share of positives in bins of the predicted probability, with {level} intervals (Wilson's). On the dashed "
        f"line probabilities are right; below it they are too high.{_left(result, names)}{key}"
    )
    width = max(frame.right for frame in frames) + MARGIN
    words = f"{'; '.join(spoken)}."
    return captioned(items, caption, bottom, width, form="calibration", title="Calibration", spoken=words)


def _drawn(result: Evaluation) -> list[str]:
    return [estimate.algorithm for estimate in result.ranked[:MOST_MODELS]]


def _left(result: Evaluation, names: Sequence[str]) -> str:
    k = len(result.estimates)
    return f" The first {len(names)} of {k} models." if len(names) < k else ""


def _areas(
    result: Evaluation, names: Sequence[str], width_mm: Width, below: str, beside: str
) -> tuple[list[PlotFrame], list[Item], float, str]:
    """The areas with their names and axes; where they end; and what the caption says of shortened names."""
    width = width_of(width_mm, COLUMN_MM if len(names) == 1 else MEDIUM_MM)
    left = MARGIN + text_width("0.5", SMALL) + 6
    areas = area_frames(len(names), (0.0, 1.0), (0.0, 1.0), left, width - left - MARGIN - 4, _SIZES)
    titles, key = short_labels(list(names), areas[0].frame.right - areas[0].frame.left - 1, SMALL, bold=True)
    items: list[Item] = [Text(x=MARGIN, y=MARGIN + LABEL - 1, text=beside, size=LABEL, role="axis name")]
    for name, title, (frame, first, last) in zip(names, titles, areas, strict=True):
        items.append(
            Text(x=frame.left + 1, y=frame.top - 3, text=title, bold=True, role="name", about=(name,), hint=name)
        )
        anchors: tuple[Anchor, ...] = ("start", "middle", "end")
        ticks = [(frame.x(x), text if last else "", at) for (x, text), at in zip(_TICKS, anchors, strict=True)]
        items += draw_area_axes(frame, ticks, [(y, text if first else "") for y, text in _TICKS])
    bottom = areas[-1].frame.bottom
    middle = (areas[0].frame.left + max(area.frame.right for area in areas)) / 2
    items.append(Text(x=middle, y=bottom + 20, text=below, size=LABEL, anchor="middle", role="axis name"))
    return [area.frame for area in areas], items, bottom + 26, key


def _diagonal(frame: PlotFrame) -> Item:
    left, right = frame.left, frame.right
    return Stroke(x1=left, y1=frame.bottom, x2=right, y2=frame.top, colour="grey", dashed=True, role="diagonal")


def _bins(frame: PlotFrame, bins: Sequence[CalibrationBin], name: str) -> list[Item]:
    items: list[Item] = []
    path = frame.points([(each.predicted, each.observed) for each in bins])
    items.append(Polygon(points=path, edge="tint3", width=0.8, role="curve", about=(name,)))
    for each in bins:
        x, (low, high) = frame.x(each.predicted), each.interval
        hint = f"{each.n} items, predicted {score(each.predicted)}, observed {score(each.observed)}"
        items.append(Stroke(x1=x, y1=frame.y(low), x2=x, y2=frame.y(high), width=1.0, colour="tint3", role="interval"))
        mark = Mark(
            x=x, y=frame.y(each.observed), radius=1.7, colour="accent", role="estimate", about=(name,), hint=hint
        )
        items.append(mark)
    return items


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


def draw_differences(result: Evaluation, width_mm: Width) -> Drawing:
    """A row per pair, the clearest ones if there are too many."""
    rows, width = result.listed, width_of(width_mm, MEDIUM_MM)
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


def diagrams(evaluation: Evaluation) -> Mapping[str, Callable[[Evaluation, Width], Drawing]]:
    """Those of an evaluation, by name; of predictions that have an order, their curves as well."""
    usual = {"means": draw_evaluation, "differences": draw_differences}
    predicted = evaluation.scores.predicted
    if predicted is None or predicted.predictions is None:
        return usual
    return usual | ({"calibration": draw_calibration} if predicted.is_mean else {"roc": draw_roc})
