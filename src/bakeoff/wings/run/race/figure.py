"""The figures of a race: the evidence against each candidate, and the best one against each other survivor."""

import math

from bakeoff.dataclass import dataclass
from bakeoff.figures.geometry.metrics import printable, short_labels, shorten, text_width
from bakeoff.figures.geometry.plot_frame import PlotFrame, draw_x_axis, draw_y_axis, finished_plot, plot_frame, widened
from bakeoff.figures.geometry.primitives import (
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Anchor,
    Colour,
    Drawing,
    Item,
    Mark,
    Point,
    Polygon,
    Rectangle,
    Shape,
    Stroke,
    Text,
    Width,
    overlap,
    width_of,
)
from bakeoff.figures.geometry.rows import LISTED, Forest, ForestRow, draw_forest
from bakeoff.numerals import decimals
from bakeoff.wings.run.racing.results import EvidencePath, RaceResult, Standing

# A race: the evidence against each candidate over the evaluations spent; at the threshold it is eliminated.


LABELLED = 24  # candidates; of more only the survivors have names
_WIDEST = 0.3  # of the width: names at the right
_HEIGHT = 190.0
_PITCH = 7.6  # from name to name
_NAMES_APART = 4.0  # two names on one line would read as one
_POINTS = 120  # of a line; of a longer one every m-th, and the last
_ALL_POINTS = 20_000  # of all lines, about: a page has to load
_FLOOR = -3.0  # log10 of the smallest e-value that has a height of its own
_MARKS: dict[str, tuple[Shape, bool, str]] = {  # shape, filled, words of the caption
    "worse": ("cross", True, "×: eliminated as worse"),
    "equivalent": ("circle", False, "○: eliminated as equivalent"),
}
_NAMES = {
    "e-value": "evidence against being a best candidate (e-value)",
    "1 - p": "1 − p against the leader",
    "posterior": "probability that another candidate is better",
}


def draw_race(result: RaceResult, width_mm: Width) -> Drawing:
    """One line per candidate; it ends where the candidate was eliminated."""
    width = width_of(width_mm, MEDIUM_MM)
    frame = _frame(result, width)
    items = [
        *draw_y_axis(frame, _NAMES[result.measure], powers=_logarithmic(result)),
        *draw_x_axis(frame, "evaluations spent by the whole race"),
        *_threshold(result, frame),
        *_lines(result, frame),
        *_ends(result, frame),
        *_survivors_named(result, frame, width),
    ]
    title, caption = "The race: evidence against each candidate", _caption(result)
    return finished_plot(frame, items, caption, width, form="race", title=title, spoken=_spoken(result))


def _logarithmic(result: RaceResult) -> bool:
    return bool(result.measure == "e-value")


def _height_of(result: RaceResult, evidence: float) -> float:
    """Place the evidence on the axis, in its units."""
    if not _logarithmic(result):
        return evidence
    return max(math.log10(evidence), _FLOOR) if evidence > 0 else _FLOOR


def _frame(result: RaceResult, width: float) -> PlotFrame:
    heights = [_height_of(result, float(e)) for path in result.paths for e in path.evidence]
    if result.threshold is not None:
        limit = _height_of(result, result.threshold)
        ceiling = limit + 2.0 if _logarithmic(result) else math.inf
        heights = [min(h, ceiling) for h in heights] + [limit]
    if result.measure in ("1 - p", "posterior"):
        heights += [0.0, 1.0]
    if _logarithmic(result):
        heights.append(0.0)
    names = max((text_width(printable(name), SMALL, bold=True) for name in result.survivors), default=0.0)
    right = width - MARGIN - min(names, _WIDEST * width) - 16
    x = (0.0, max(1.0, float(result.evaluations)))
    y = widened(min(heights, default=0.0), max(heights, default=1.0))
    return plot_frame(x, y, width, _HEIGHT, left=MARGIN + 26, right=right)


def _threshold(result: RaceResult, frame: PlotFrame) -> list[Stroke]:
    if result.threshold is None:
        return []
    y = frame.y(_height_of(result, result.threshold))
    return [Stroke(x1=frame.left, y1=y, x2=frame.right, y2=y, colour="black", dashed=True, role="threshold",
                 hint=f"threshold {result.threshold:g}")]  # fmt: skip


def _point(result: RaceResult, frame: PlotFrame, path: EvidencePath, i: int) -> Point:
    height = min(max(_height_of(result, float(path.evidence[i])), frame.low_y), frame.high_y)
    return frame.x(float(path.evaluations[i])), frame.y(height)


def _lines(result: RaceResult, frame: PlotFrame) -> list[Item]:
    """Eliminated candidates first, survivors over them, the best on top."""
    rank = {name: i for i, name in enumerate(reversed(result.survivors), start=1)}
    most = max(8, min(_POINTS, _ALL_POINTS // len(result.paths)))
    items: list[Item] = []
    for path in sorted(result.paths, key=lambda path: rank.get(path.algorithm, 0)):
        n = len(path.evidence)
        if not n:
            continue
        step = max(1, n // most)
        places = [*range(0, n - 1, step), n - 1]
        points = [_point(result, frame, path, i) for i in places]
        if _logarithmic(result):
            points.insert(0, (frame.x(0.0), frame.y(0.0)))  # every e-process starts at 1
        alive, best = path.algorithm in rank, path.algorithm == result.best
        edge: Colour = "accent" if best else "tint4" if alive else "light"
        stroke = 1.6 if best else 0.9 if alive else 0.6
        role = "survivor" if alive else "eliminated"
        about = (path.algorithm,)
        hint = printable(path.algorithm)
        items.append(Polygon(points=tuple(points), edge=edge, width=stroke, role=role, about=about, hint=hint))
    return items


def _ends(result: RaceResult, frame: PlotFrame) -> list[Item]:
    """A mark where a candidate was eliminated, and its name where there is room."""
    paths = {path.algorithm: path for path in result.paths}
    taken = [(line.x1, line.y1 - 1, line.x2, line.y1 + 1) for line in _threshold(result, frame)]
    marks: list[Mark] = []
    for left in result.eliminated:
        path = paths[left.algorithm]
        x, y = _point(result, frame, path, len(path.evidence) - 1)
        shape, filled, _ = _MARKS[left.reason]
        by = f" (by {printable(left.by)})" if left.by is not None else ""
        hint = f"{printable(left.algorithm)}: {left.reason}{by} after {left.n_problems} problems"
        marks.append(Mark(x=x, y=y, shape=shape, filled=filled, colour="grey", role="end", about=(left.algorithm,),
                          hint=hint))  # fmt: skip
        taken.append((x - 2.5, y - 2.5, x + 2.5, y + 2.5))
    names: list[Text] = []
    shown, _ = short_labels([mark.about[0] for mark in marks], 60.0, SMALL)
    for mark, name in zip(marks, shown, strict=True) if len(result.algorithms) <= LABELLED else ():
        label = _name_near(mark, name, frame, taken)
        if label is not None:
            start, top, end, bottom = label.box
            taken.append((start - _NAMES_APART, top, end + _NAMES_APART, bottom))
            names.append(label)
    return [*marks, *names]


def _name_near(mark: Mark, name: str, frame: PlotFrame, taken: list[Rectangle]) -> Text | None:
    """Right of the mark, above or below it; None if every place would cover another name or mark."""
    sides: tuple[tuple[Anchor, float], ...] = (("start", 4.0), ("end", -4.0))
    for dy in (2.3, -4.0, 8.6, -10.0, 14.6, -16.0, 20.6, -22.0, 26.6):
        for anchor, dx in sides:
            text = Text(x=mark.x + dx, y=mark.y + dy, text=name, anchor=anchor, colour="grey", role="end name",
                        about=mark.about, hint=mark.hint)  # fmt: skip
            box = text.box
            inside = box[0] > frame.left + 1 and box[2] < frame.right and frame.top < box[1] and box[3] < frame.bottom
            if inside and not any(overlap(box, other) for other in taken):
                return text
    return None


def _survivors_named(result: RaceResult, frame: PlotFrame, width: float) -> list[Item]:
    """At the right, in the order of their ends, apart from each other; the best one in bold."""
    paths = {path.algorithm: path for path in result.paths if len(path.evidence)}
    ends = [(_point(result, frame, paths[name], len(paths[name].evidence) - 1), name)
            for name in result.survivors if name in paths]  # fmt: skip
    most = int((frame.bottom - frame.top) / _PITCH)
    if len(ends) > most:
        ends = [end for end in ends if end[1] == result.best]
    ends.sort(key=lambda end: (end[0][1], end[1]))
    ys = _apart([y for (_, y), _ in ends], frame.top, frame.bottom)
    items: list[Item] = []
    texts, _ = short_labels([name for _, name in ends], width - frame.right - 14 - MARGIN, SMALL, bold=True)
    for ((x, y), name), at, shown in zip(ends, ys, texts, strict=True):
        best = name == result.best
        if abs(at - y) > 1.0:
            items.append(Stroke(x1=x + 1, y1=y, x2=frame.right + 10, y2=at, width=0.4, colour="light", role="leader"))
        items.append(Text(x=frame.right + 12, y=at + 2.3, text=shown, bold=best, role="survivor name", about=(name,),
                          hint=printable(name)))  # fmt: skip
    return items


def _apart(heights: list[float], top: float, bottom: float) -> list[float]:
    """The same order, at least a line apart: pushed down, then up from the bottom."""
    ys: list[float] = []
    for y in heights:
        ys.append(max(y, ys[-1] + _PITCH) if ys else max(y, top))
    limit = bottom
    for i in range(len(ys) - 1, -1, -1):
        ys[i] = min(ys[i], limit)
        limit = ys[i] - _PITCH
    return ys


def _caption(result: RaceResult) -> str:
    parts = [f"{result.method}, {len(result.algorithms)} candidates"]
    if result.threshold is not None:
        parts.append("dashed: the threshold for elimination" if _logarithmic(result) else "dashed: the threshold")
    parts += [_MARKS[reason][2] for reason in dict.fromkeys(left.reason for left in result.eliminated)]
    if result.survivors:
        parts.append("blue: survivors, the best by mean rank in bold")
    return "; ".join(parts) + "."


def _spoken(result: RaceResult) -> str:
    names = ", ".join(map(printable, result.survivors[:10]))
    more = f" and {len(result.survivors) - 10} more" if len(result.survivors) > 10 else ""
    return (
        f"{len(result.survivors)} of {len(result.algorithms)} survive after {result.n_problems} problems and "
        f"{result.evaluations} of {result.full_evaluations} evaluations: {names}{more}."
    )


_WIDEST_NAME = 90.0  # points of the best one's name


@dataclass(frozen=True, slots=True, kw_only=True)
class SurvivorsPlot:
    """The survivors of a race; there must be at least two."""

    race: RaceResult


def draw_survivors(plot: SurvivorsPlot, width_mm: Width) -> Drawing:
    """A row for each other survivor, while they are few."""
    race = plot.race
    rows = [s for s in race.standings if s.algorithm != race.best][:LISTED]
    more = len(race.standings) - 1 - len(rows)
    caption = (
        f"Dots: on the problems that all survivors ran on. Lines: confidence sequences; all of them contain the true "
        f"probability at every look with probability {1 - race.alpha:g}."
        + (f" {more} more survivors are not drawn." if more else "")
    )
    best = shorten(printable(race.best), _WIDEST_NAME, SMALL)
    forest = Forest(
        rows=tuple(map(_row, rows)),
        unit=f"share of problems on which {best} wins, where they differ",
        caption=caption,
        equal=0.5,
        reach=(0.0, 1.0),
        title=f"The survivors compared with {printable(race.best)}",
        form="survivors",
        spoken="",
    )
    return draw_forest(forest, width_mm)


def _row(row: Standing) -> ForestRow:
    assert row.p_low is not None  # of all but the best one
    assert row.p_high is not None
    decided = row.wins + row.losses
    return ForestRow(
        name=row.algorithm,
        value=row.wins / decided if decided else None,
        low=row.p_low,
        high=row.p_high,
        hint=f"{printable(row.algorithm)}: {row.wins} wins, {row.losses} losses, {row.ties} ties",
        interval_hint=f"{decimals(row.p_low, 3)} to {decimals(row.p_high, 3)}",
    )
