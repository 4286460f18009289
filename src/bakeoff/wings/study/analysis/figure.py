"""Rejections over the bias (or the shift), and below them the mean p (or rejections at the same error), with bands.

One figure for each family of procedures. Marks tell the procedures apart, also in grey; they stand a little beside each
other, as some procedures nearly always agree.
"""

from collections.abc import Callable

from bakeoff.dataclass import dataclass, replace
from bakeoff.figures.geometry.notes import Look, captioned, draw_keys, mark_keys, mark_of
from bakeoff.figures.geometry.plot_frame import PlotFrame, draw_x_axis, draw_y_axis, left_margin, plot_frame
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, Drawing, Item, Polygon, Stroke, Text, Width, width_of
from bakeoff.numerals import decimals, significant
from bakeoff.wings.study import KnownTruth, PowerStudy
from bakeoff.wings.study.many_tables.procedures import TESTS
from bakeoff.wings.study.power_measures import PowerRow

FAMILIES = {
    "pair": "tests of the pair",
    "table": "tests of all algorithms",
    "control": "comparisons with a control, by correction",
    "rankings": "comparisons with a control by Holm's procedure, by the test of a pair",
    "pairs": "all pairs",
}
OF_RANKINGS = ("holm", "aligned-holm", "quade-holm", "compare-control")
MARKS: tuple[Look, ...] = (
    ("circle", True, "black"),
    ("square", True, "accent"),
    ("up", True, "black"),
    ("down", True, "accent"),
    ("cross", True, "black"),
    ("circle", False, "accent"),
    ("square", False, "black"),
    ("up", False, "accent"),
    ("down", False, "black"),
)
_HEIGHT = 0.42  # of each area, in its width
_APART = 38.0  # between the two areas: the axis of the upper one, and the name of the lower one
_DODGE = 1.7  # points between the marks of two procedures
BAND = 2.0  # standard errors

Point = tuple[float, float, float]  # bias or shift, value, standard error


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerPlot:
    """One family of procedures of a study."""

    study: PowerStudy | KnownTruth
    family: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Panel:
    name: str
    lines: dict[str, list[Point]]
    level: float


def families(study: PowerStudy | KnownTruth) -> list[str]:
    """Those of which procedures were studied."""
    return [family for family in FAMILIES if family_members(study, family)]


def family_members(study: PowerStudy | KnownTruth, family: str) -> list[str]:
    """The procedures of a family that were studied; Holm's alone is no comparison of tests of a pair."""
    if family == "rankings":
        members = [test for test in study.tests if test in OF_RANKINGS]
        return members if members != ["holm"] else []
    others = OF_RANKINGS[1:] if family == "control" else ()
    return [test for test in study.tests if TESTS[test].looks == family and test not in others]


def draw_study(study: PowerStudy | KnownTruth, width_mm: Width) -> Drawing:
    """The first family."""
    return draw_power(PowerPlot(study=study, family=families(study)[0]), width_mm)


def of_family(family: str) -> Callable[[PowerStudy | KnownTruth, Width], Drawing]:
    """Return what draws this family of a study."""
    return lambda study, width_mm: draw_power(PowerPlot(study=study, family=family), width_mm)


def diagrams(study: PowerStudy | KnownTruth) -> dict[str, Callable[[PowerStudy | KnownTruth, Width], Drawing]]:
    """One for each family of procedures, by name."""
    return {family: of_family(family) for family in families(study)}


def draw_power(plot: PowerPlot, width_mm: Width) -> Drawing:
    study, width = plot.study, width_of(width_mm)
    tests = family_members(study, plot.family)
    panels, x_name, caption = _content(study, tests, plot.family)
    steps = [x for x, _, _ in panels[0].lines[tests[0]]]
    left, right = left_margin(0.0, 1.0) + 2, width - MARGIN - 8
    height, top = _HEIGHT * (right - left), MARGIN + LABEL + 5
    items: list[Item] = []
    for i, panel in enumerate(panels):
        start = top + i * (height + _APART)
        pad = 0.04 * ((steps[-1] - steps[0]) or 1.0)
        frame = plot_frame((steps[0] - pad, steps[-1] + pad), (0.0, 1.0), width, height, left, right, start)
        items += _panel(panel, frame, x_name if i == len(panels) - 1 else "")
    keys = mark_keys([TESTS[test].short for test in tests], MARKS, 1.9)
    legend, end = draw_keys(keys, top + len(panels) * height + (len(panels) - 1) * _APART + 26, width)
    title = f"{panels[0].name}: {FAMILIES[plot.family]}"
    return captioned(
        [*items, *legend], caption, end + 2, width, form="power", title=title, spoken=_ends(panels[0], steps)
    )


def _content(study: PowerStudy | KnownTruth, tests: list[str], family: str) -> tuple[list[_Panel], str, str]:
    alpha = study.alpha
    question = "Any difference" if family == "table" else f"{study.a} against {study.b}"
    drawn = f"{study.draws} draws of {study.size} of {study.drawn_from} {study.unit}s"
    band = f"Bands: ± {BAND:g} Monte Carlo standard errors."
    of_tests = {test: [row for row in study.rows if row.test == test] for test in tests}
    powers = {test: [r if isinstance(r, PowerRow) else r.power for r in rows] for test, rows in of_tests.items()}
    share = {
        test: [(r.k, r.rejections / r.draws, r.rejections_se / r.draws) for r in rows] for test, rows in powers.items()
    }
    panels = [_Panel(name="share of draws rejected", lines=share, level=alpha)]
    if isinstance(study, PowerStudy):
        means = {test: [(r.k, r.mean_p, r.mean_p_se) for r in rows] for test, rows in powers.items()}
        name = "mean p" if family in ("pair", "table") else "mean adjusted p"
        panels.append(_Panel(name=name, lines=means, level=alpha))
        unit = "" if study.scale == 1.0 else f" (differences divided by {significant(study.scale, 3)})"
        return panels, f"bias k{unit}", f"{question}, {drawn} at each bias. Dashed: {alpha:g}. {band}"
    at_size = {test: [(r.shift, r.at_size) for r in study.rows if r.test == test] for test in tests}
    if all(count is not None for counts in at_size.values() for _, count in counts):
        same = {test: [(x, (n or 0) / study.draws, 0.0) for x, n in counts] for test, counts in at_size.items()}
        panels.append(_Panel(name=f"share rejected at error {alpha:g}", lines=same, level=alpha))
    caption = f"{question}, {drawn}; equal at shift 0: {len(study.null)} algorithms. Dashed: {alpha:g}. {band}"
    return panels, "shift in standard deviations", caption


def _panel(panel: _Panel, frame: PlotFrame, x_name: str) -> list[Item]:
    axes = [*draw_y_axis(frame, panel.name), *draw_x_axis(frame, x_name, apart=24.0)]
    placed = [_below(item, frame) for item in axes if not (isinstance(item, Text) and item.text == "")]
    y = frame.y(panel.level)
    bands, lines, marks = [], [], []
    for i, (test, points) in enumerate(panel.lines.items()):
        aside = (i - (len(panel.lines) - 1) / 2) * _DODGE
        at = [(frame.x(x) + aside, value, error) for x, value, error in points]
        about = (TESTS[test].short,)
        if len(at) > 1:
            upper = [(x, frame.y(min(1.0, value + BAND * error))) for x, value, error in at]
            lower = [(x, frame.y(max(0.0, value - BAND * error))) for x, value, error in at]
            bands.append(Polygon(points=(*upper, *reversed(lower)), fill="pale", role="band", about=about))
            path = tuple((x, frame.y(value)) for x, value, _ in at)
            lines.append(Polygon(points=path, edge=MARKS[i % len(MARKS)][2], width=0.6, role="line", about=about))
        for (x, value, error), (step, _, _) in zip(at, points, strict=True):
            hint = f"{TESTS[test].short}, {significant(step, 3)}: {decimals(value, 3)} ± {decimals(error, 3)}"
            marks.append(
                replace(mark_of(MARKS[i % len(MARKS)], x, frame.y(value), 1.9), role="estimate", about=about, hint=hint)
            )
    level = Stroke(x1=frame.left, y1=y, x2=frame.right, y2=y, colour="grey", dashed=True, role="level")
    return [*bands, *placed, level, *lines, *marks]


def _below(item: Item, frame: PlotFrame) -> Item:
    """The name of the y axis stands above its own area."""
    if isinstance(item, Text) and item.role == "axis name" and item.anchor == "start":
        return replace(item, y=frame.top - 6)
    return item


def _ends(panel: _Panel, steps: list[float]) -> str:
    """For those who cannot see the picture."""
    sentences = [
        f"{TESTS[test].short} {decimals(points[0][1], 2)} to {decimals(points[-1][1], 2)}"
        for test, points in panel.lines.items()
    ]
    return f"From {significant(steps[0], 3)} to {significant(steps[-1], 3)}: {', '.join(sentences)}."
