"""The firmness of each verdict, as a matrix in the order of the mean ranks; with a control, a list.

Shade: whether a difference was shown, and whether every analysis agrees. Below the diagonal the share of second
experiments with the same verdict, above it the least number of problems whose removal changes the verdict.
"""

from bakeoff.analyses.sensitivity.statistics import SensitivePair, Sensitivity
from bakeoff.analyses.sensitivity.statistics.results import decision
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import counted
from bakeoff.figures.geometry.metrics import printable, text_width
from bakeoff.figures.geometry.notes import Key, captioned, draw_keys
from bakeoff.figures.geometry.primitives import (
    COLUMN_MM,
    LABEL,
    MARGIN,
    MEDIUM_MM,
    PAGE_MM,
    SMALL,
    Box,
    Colour,
    Drawing,
    Item,
    Stroke,
    Text,
    Width,
    narrowest,
    widths,
)
from bakeoff.figures.geometry.rows import SHORTEST_NAME, Names, draw_bands, draw_entry

SMALLEST_CELL, LARGEST_CELL = 1.2, 22.0
_APART = 2.0  # points between the numbers of two cells
SOLID, SHOWN, DOUBTFUL, NOTHING = "solid", "shown", "doubtful", "nothing"
_FILL: dict[str, Colour] = {SOLID: "accent", SHOWN: "tint2", DOUBTFUL: "pale", NOTHING: "white"}
_WORDS = {
    SOLID: "difference, whatever is changed",
    SHOWN: "difference, lost if something is changed",
    DOUBTFUL: "none shown, but one if something is changed",
    NOTHING: "none shown, whatever is changed",
}


def firmness(pair: SensitivePair) -> str:
    """Which of the four shades; changed are the analysis, one problem, one algorithm, and one decimal."""
    if decision(pair.verdict):
        return SOLID if pair.solid else SHOWN
    return NOTHING if pair.solid else DOUBTFUL


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    names: Names
    left: float  # of the matrix, or of the list's shaded column
    cell: float
    pitch: float


def draw_sensitivity(result: Sensitivity, width_mm: Width) -> Drawing:
    """The matrix, or the list of those that were compared with the control."""
    if result.comparison.control is not None or len(result.pairs) == 1:
        return narrowest(lambda width, whole: _list(result, width, whole), widths(width_mm))
    k = result.scores.n_algorithms
    usual = [COLUMN_MM, MEDIUM_MM, PAGE_MM] if k <= 12 else [MEDIUM_MM, PAGE_MM] if k <= 25 else [PAGE_MM]
    return narrowest(lambda width, whole: _matrix(result, width, whole), widths(width_mm, usual))


def _matrix(result: Sensitivity, width: float, whole_names: bool) -> Drawing | None:
    names = list(result.comparison.ranks)
    labels, k = [printable(name) for name in names], len(names)
    left = MARGIN + text_width(str(k), SMALL) + 4
    longest = max(text_width(label, LABEL) for label in labels)
    free = width - left - MARGIN - 4.0
    length = min(longest, max(free - k * max(SMALLEST_CELL, 0.6 * free / k), SHORTEST_NAME))
    if whole_names and length < longest:
        return None
    cell = min((free - length) / k, LARGEST_CELL)
    pitch = max(9.0, min(cell, 12.0)) if cell >= 7.0 else max(cell, 7.6)
    size = LABEL if pitch >= 9.0 else SMALL
    rows = Names(left=left, right=left + length, size=size, labels=tuple(labels))
    plan = _Plan(names=rows, left=left + length + 4, cell=cell, pitch=pitch)
    top = MARGIN + 10.0
    items: list[Item] = []
    for i, (name, label) in enumerate(zip(names, labels, strict=True)):
        items += draw_entry(plan.names, i, name, label, top + (i + 0.5) * pitch + 0.34 * size, [])
    step = next(s for s in (1, 5, 10, 20, 50, 100, 10**6) if s * cell >= text_width(str(k), SMALL) + 1)
    for j in range(k):
        if step == 1 or (j + 1) % step == 0:
            x = plan.left + (j + 0.5) * cell
            items.append(Text(x=x, y=top - 3, text=str(j + 1), anchor="middle", colour="grey", role="column number"))
    items += _cells(result, names, plan, top)
    edge = plan.left + k * cell
    for i in (0, k):
        y, x = top + i * pitch, plan.left + i * cell
        items.append(Stroke(x1=plan.left, y1=y, x2=edge, y2=y, width=0.5, colour="grey", role="frame"))
        items.append(Stroke(x1=x, y1=top, x2=x, y2=top + k * pitch, width=0.5, colour="grey", role="frame"))
    numbers = _numbers_fit(plan)
    capped = numbers and plan.cell < text_width("100", SMALL) + 0.4
    return _drawing(result, items, top + k * pitch + 4, width, numbers, "matrix", " (99: 99 or more)" if capped else "")


def _numbers_fit(plan: _Plan) -> bool:
    return plan.cell >= text_width("99", SMALL) + _APART and plan.pitch >= SMALL


def _cells(result: Sensitivity, names: list[str], plan: _Plan, top: float) -> list[Item]:
    place = {name: i for i, name in enumerate(names)}
    items: list[Item] = []
    for i, name in enumerate(names):
        x, y = plan.left + i * plan.cell, top + i * plan.pitch
        items.append(Box(x=x, y=y, width=plan.cell, height=plan.pitch, fill="light", role="diagonal", about=(name,)))
    for pair in result.pairs:
        upper, lower = sorted((place[pair.a], place[pair.b]))
        kind = firmness(pair)
        for row, column, text in ((lower, upper, _share(pair, plan)), (upper, lower, _fewest(pair))):
            x, y = plan.left + column * plan.cell, top + row * plan.pitch
            about, hint = (names[row], names[column]), f"{pair.a} – {pair.b}: {pair.verdict}"
            edge: Colour | None = "light" if plan.cell >= 4.0 else None
            size = {"width": plan.cell, "height": plan.pitch}
            items.append(
                Box(x=x, y=y, **size, fill=_FILL[kind], edge=edge, role=f"cell {kind}", about=about, hint=hint)
            )
            if text and _numbers_fit(plan):
                colour: Colour = "white" if kind == SOLID else "black"
                middle, base = x + plan.cell / 2, y + plan.pitch / 2 + 0.34 * SMALL
                items.append(
                    Text(x=middle, y=base, text=text, anchor="middle", colour=colour, role="number", about=about)
                )
    return items


def _share(pair: SensitivePair, plan: _Plan) -> str:
    if pair.replicability is None:
        return ""
    percent = min(max(round(100 * pair.replicability.estimate), 1), 99)
    return str(percent) if plan.cell >= text_width("100", SMALL) + 0.4 else str(min(percent, 99))


def _fewest(pair: SensitivePair) -> str:
    if pair.fragility is None:
        return ""
    return "–" if pair.fragility.n is None else str(pair.fragility.n)


def _list(result: Sensitivity, width: float, whole_names: bool) -> Drawing | None:
    pairs = sorted(result.pairs, key=lambda pair: pair.adjusted)
    control = result.comparison.control
    names = [pair.b if control is not None else f"{pair.a} – {pair.b}" for pair in pairs]
    labels = [printable(name) for name in names]
    left = MARGIN + text_width(str(len(pairs)), SMALL) + 4
    columns = (text_width("again in", SMALL) + 8, text_width("problems", SMALL) + 8)
    longest = max(text_width(label, LABEL) for label in labels)
    length = min(longest, width - left - 80.0 - sum(columns))
    if whole_names and length < longest:
        return None
    plot, top, pitch = left + length + 6, MARGIN + 12.0, 11.0
    ends = (width - MARGIN - columns[1], width - MARGIN)
    bar = ends[0] - columns[0] - plot
    rows = Names(left=left, right=left + length, size=LABEL, labels=tuple(labels))
    items: list[Item] = draw_bands(len(pairs), top, pitch, width - MARGIN)
    for x, words in zip(ends, ("again in", "problems"), strict=True):
        items.append(Text(x=x, y=top - 3, text=words, anchor="end", role="column title"))
    for i, (pair, name, label) in enumerate(zip(pairs, names, labels, strict=True)):
        again = "" if pair.replicability is None else f"{min(max(round(100 * pair.replicability.estimate), 1), 99)} %"
        base = top + (i + 0.5) * pitch + 0.34 * LABEL
        items += draw_entry(rows, i, name, label, base, list(zip(ends, (again, _fewest(pair)), strict=True)))
        share = 1.0 if pair.replicability is None else pair.replicability.estimate
        kind = firmness(pair)
        frame = Box(
            x=plot, y=top + i * pitch + 2, width=bar, height=pitch - 4, edge="light", role="frame", about=(name,)
        )
        shaded = replace(frame, width=bar * share, fill=_FILL[kind], edge="grey", role=f"cell {kind}")
        items += [frame, shaded]
    return _drawing(result, items, top + len(pairs) * pitch + 4, width, True, "sensitivity-list")


def _drawing(
    result: Sensitivity, items: list[Item], y: float, width: float, numbers: bool, form: str, capped: str = ""
) -> Drawing:
    kinds = [firmness(pair) for pair in result.pairs]
    keys = [Key(words=_WORDS[kind], cell=_FILL[kind]) for kind in _WORDS if kind in kinds]
    legend, below = draw_keys(keys, y, width)
    caption = _caption(result, numbers, form, capped)
    shown = sum(kind in (SOLID, SHOWN) for kind in kinds)
    described = (
        f"{counted(len(kinds), 'pair')}: {counted(shown, 'difference')} shown, of which {kinds.count(SOLID)} "
        f"whatever is changed; {kinds.count(DOUBTFUL)} others differ if something is changed."
    )
    return captioned(
        [*items, *legend], caption, below, width, form=form, title="How solid are the verdicts", description=described
    )


def _caption(result: Sensitivity, numbers: bool, form: str, capped: str) -> str:
    changed = "Changed: the analysis, one problem, one algorithm"
    changed += ", one decimal." if result.decimals is not None else "."
    if not numbers:
        return f"{changed} In order of mean rank."
    again = f"the same verdict in what percentage of second experiments{capped}" if result.n_resamples else ""
    fewest = "the fewest problems whose removal takes the pair's p across its critical value (–: none does)"
    if form == "matrix":
        below = f"Below the diagonal: {again}. " if again else ""
        return f"{changed} {below}Above it: {fewest}." if again else f"{changed} Above the diagonal: {fewest}."
    return f"{changed} Bars: {again}; problems: {fewest}." if again else f"{changed} Problems: {fewest}."
