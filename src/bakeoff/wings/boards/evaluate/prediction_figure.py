"""ROC curves and calibration, an area for each model: in one area the bands of several would hide each other."""

from collections.abc import Sequence

from bakeoff.dataclass import dataclass
from bakeoff.errors import plain
from bakeoff.figures.geometry.areas import Sizes, area_frames, draw_area_axes
from bakeoff.figures.geometry.metrics import short_labels, text_width
from bakeoff.figures.geometry.notes import captioned
from bakeoff.figures.geometry.plot_frame import PlotFrame
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
from bakeoff.wings.boards.evaluate.statistics import Evaluation
from bakeoff.wings.boards.evaluate.statistics.prediction_curves import (
    GRID,
    CalibrationBin,
    calibration_bins,
    roc_curves,
)

MOST = 8
"""Models that are drawn: those with the best means."""
_SIZES = Sizes(least=84.0, apart=10.0, ratio=1.0, widest=150.0)
_TICKS = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RocPlot:
    """The ROC curves of an evaluation."""

    evaluation: Evaluation


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationPlot:
    """The calibration of the probabilities of an evaluation."""

    evaluation: Evaluation


def draw_roc(plot: RocPlot, width_mm: Width) -> Drawing:
    """Each model's curve with its band, the others in grey."""
    result = plot.evaluation
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


def draw_calibration(plot: CalibrationPlot, width_mm: Width) -> Drawing:
    """Share of positives in bins of the predicted probability, with Wilson's intervals."""
    result = plot.evaluation
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
    return [estimate.algorithm for estimate in result.ranked[:MOST]]


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
