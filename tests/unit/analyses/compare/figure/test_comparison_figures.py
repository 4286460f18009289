"""The diagrams as shapes: nothing overlaps, nothing leaves the page, and the shapes say what the result says."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.analyses.compare.figure.comparison_view import comparison_view, stretches
from bakeoff.analyses.compare.statistics import Comparison
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.figures import Drawing, diagram
from bakeoff.figures.geometry.metrics import printable
from bakeoff.figures.geometry.primitives import Box, Item, Mark, Stroke, Text
from bakeoff.numerals import as_rank
from unit.figures.figures_cases import ALIKE, UNKNOWN, by_distance, comparison, random_comparison, with_cd

SEEDS = range(80)
DEMSAR = [3.143, 2.000, 2.893, 1.964]  # Demšar (2006), Table 6, as printed: C4.5, +m, +cf, +m+cf
DEMSAR_NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]


def of_role(drawing: Drawing, *roles: str) -> list[Item]:
    return [item for item in drawing.items if item.role in roles]


def extent(item: Item) -> tuple[float, float, float, float]:
    if isinstance(item, Text):
        return item.box
    if isinstance(item, Stroke):
        return min(item.x1, item.x2), min(item.y1, item.y2), max(item.x1, item.x2), max(item.y1, item.y2)
    if isinstance(item, Box):
        return item.x, item.y, item.x + item.width, item.y + item.height
    return item.x - item.radius, item.y - item.radius, item.x + item.radius, item.y + item.radius


def touching(first: list[Item], second: list[Item], slack: float = 0.02) -> list[tuple[Item, Item]]:
    """Pairs of different items whose extents overlap by more than ``slack`` points (lines have no thickness)."""
    a, b = (np.array([extent(item) for item in items]).reshape(-1, 4) for items in (first, second))
    a = a + np.array([slack, slack, -slack, -slack])
    overlap = (a[:, None, :2] < b[None, :, 2:]).all(axis=2) & (b[None, :, :2] < a[:, None, 2:]).all(axis=2)
    return [(first[i], second[j]) for i, j in np.argwhere(overlap) if first[i] is not second[j]]


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_words_touch_other_words_or_lines_and_nothing_leaves_the_page(seed: int) -> None:
    width = (None, 60.0, 80.0, 180.0)[seed % 4]
    drawing = diagram(random_comparison(seed), width_mm=width)
    texts: list[Item] = [item for item in drawing.items if isinstance(item, Text)]
    assert touching(texts, texts) == []
    assert touching(texts, of_role(drawing, "leader", "group", "gap", "axis", "interval", "verdict")) == []
    extents = np.array([extent(item) for item in drawing.items])
    assert (extents[:, :2] >= -0.01).all()
    assert (extents[:, 2:] <= np.array([drawing.width, drawing.height]) + 0.01).all()
    if width is not None:
        assert drawing.width_mm == pytest.approx(width)


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_algorithm_is_named_once_beside_its_mean_rank(seed: int) -> None:
    result = random_comparison(seed)
    drawing = diagram(result)
    ranks = dict(zip(result.scores.algorithms, result.mean_ranks.tolist(), strict=True))
    labels = of_role(drawing, "label")
    values = of_role(drawing, "value")
    assert sorted(label.about[0] for label in labels) == sorted(ranks)
    assert sorted(value.about[0] for value in values) == sorted(ranks)
    for value in values:
        assert isinstance(value, Text)
        assert value.text == as_rank(ranks[value.about[0]])  # the digits of the table
    for label in labels:
        assert isinstance(label, Text)
        whole = printable(label.about[0])
        assert whole in (label.text, label.hint)  # shortened names are whole in the tooltip
        more = [item for item in of_role(drawing, "label continued") if item.about == label.about]
        lines = [label.text, *(item.text for item in more if isinstance(item, Text))]
        assert drawing.form == "list" or "".join(lines).replace(" ", "") == whole.replace(" ", "")


@pytest.mark.few(4, 6)
@pytest.mark.parametrize("seed", SEEDS)
def test_bars_reach_over_members_only(seed: int) -> None:
    """Solid bars cover the groups of the result; no algorithm outside a group lies on its bar."""
    result = random_comparison(seed)
    drawing = diagram(result)
    along = "x" if drawing.form == "line" else "y"
    if drawing.form == "line":
        leaders = [item for item in of_role(drawing, "leader") if isinstance(item, Stroke) and item.x1 == item.x2]
        place = {item.about[0]: item.x1 for item in leaders}
    else:
        dots = [item for item in of_role(drawing, "dot") if isinstance(item, Mark)]
        place = {item.about[0]: item.y for item in dots}
    covered: dict[tuple[str, ...], set[str]] = {}
    for bar in of_role(drawing, "group"):
        low, high = getattr(bar, f"{along}1"), getattr(bar, f"{along}2")
        inside = {name for name, at in place.items() if low - 1e-9 <= at <= high + 1e-9}
        assert inside <= set(bar.about)
        covered.setdefault(bar.about, set()).update(inside)
    view = comparison_view(result)
    groups = {tuple(view.names[i] for i in group): group for group in view.groups}
    for mark in of_role(drawing, "member"):
        covered.setdefault(next(g for g in groups if words_of(g) == mark.hint), set()).add(mark.about[0])
    if drawing.form == "line" or covered:  # a list shows all groups, or none where the matrix says it
        assert {group: set(group) for group in groups} == covered
    for about, group in groups.items():
        gaps = [item for item in of_role(drawing, "gap") if item.about == about]
        if covered:
            assert len(gaps) == len(stretches(group)) - 1


def words_of(group: tuple[str, ...]) -> str:
    return f"not shown to differ: {', '.join(printable(name) for name in group)}"


def test_demsar_figure_1a() -> None:
    """Demšar (2006), Figure 1: mean ranks of Table 6 as printed, CD = 1.25 (5 %), k = 4, n = 14."""
    result = with_cd(DEMSAR, 1.25, names=DEMSAR_NAMES, n=14, primary="nemenyi")
    drawing = diagram(result)
    assert drawing.form == "line"
    assert round(drawing.width_mm) == 80
    labels = {item.about[0]: item for item in of_role(drawing, "label")}
    leaders = {item.about[0]: item.x1 for item in of_role(drawing, "leader") if isinstance(item, Stroke)}
    assert leaders["C4.5+m+cf"] < leaders["C4.5+m"] < leaders["C4.5+cf"] < leaders["C4.5"]  # best at the left
    assert set(labels) == set(DEMSAR_NAMES)
    (ruler,) = of_role(drawing, "CD")
    (axis,) = of_role(drawing, "axis")
    assert isinstance(ruler, Stroke)
    assert isinstance(axis, Stroke)
    # the axis runs from 1 to k, so the bar is CD/(k − 1) of it
    assert (ruler.x2 - ruler.x1) / (axis.x2 - axis.x1) == pytest.approx(1.25 / 3)
    assert [item.about for item in of_role(drawing, "group")] == [("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")]


def test_demsar_figure_1b() -> None:
    """Bonferroni–Dunn against C4.5, CD = 1.168 (printed 1.16): +m+cf and, at 1.143 < 1.168, not +m."""
    result = with_cd(DEMSAR, 1.168, names=DEMSAR_NAMES, n=14, control=0, primary="bonferroni")
    drawing = diagram(result)
    (interval,) = of_role(drawing, "interval")
    assert isinstance(interval, Stroke)
    place = {item.about[0]: item.x1 for item in of_role(drawing, "leader") if isinstance(item, Stroke)}
    outside = {name for name, x in place.items() if not interval.x1 <= x <= interval.x2}
    shapes = {mark.about[0]: mark.shape for mark in of_role(drawing, "verdict") if isinstance(mark, Mark)}
    assert outside == {"C4.5+m+cf"}
    assert shapes == {"C4.5": "square", "C4.5+m": "circle", "C4.5+cf": "circle", "C4.5+m+cf": "up"}


@pytest.mark.few(36)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.slow_cases("29")
def test_marks_against_a_control_say_the_verdict(seed: int) -> None:
    result = random_comparison(seed)
    if result.control is None:
        return
    shapes = {"a better": ("down", True), "b better": ("up", True), ALIKE: ("circle", False), UNKNOWN: ("cross", True)}
    marks = {
        item.about[0]: (item.shape, item.filled)
        for item in of_role(diagram(result), "verdict")
        if isinstance(item, Mark)
    }
    expected = {pair.b: shapes[pair.verdict] for pair in result.pairs} | {result.control: ("square", True)}
    assert marks == expected


def test_the_matrix_is_the_verdicts() -> None:
    """Read the shades back cell by cell."""
    k = 30
    ranks = [1 + (7 * j) % k for j in range(k)]
    result = comparison(ranks, lambda a, b: ("a better", "b better", ALIKE, UNKNOWN)[(a * b + a) % 4], n=30)
    drawing = diagram(result)
    view = comparison_view(result)
    boxes = [item for item in of_role(drawing, "cells") if isinstance(item, Box)]
    dashes = [item for item in of_role(drawing, "cannot tell") if isinstance(item, Stroke)]
    left, right = min(item.x for item in boxes), max(item.x + item.width for item in boxes)
    cell = (right - left) / k
    rows = {name: i for i, name in enumerate(view.names)}
    seen = {(i, j): ALIKE for i in range(k) for j in range(k)}
    words = {"accent": "a better", "light": "b better", "grey": "self"}
    for box in boxes:
        first, count = round((box.x - left) / cell), round(box.width / cell)
        for j in range(first, first + count):
            seen[rows[box.about[0]], j] = words[box.fill]
    pitch = boxes[0].height
    top = min(box.y for box in boxes)
    for dash in dashes:
        for j in range(round((dash.x1 - left) / cell), round((dash.x2 - left) / cell)):
            seen[round((dash.y1 - top) / pitch - 0.5), j] = UNKNOWN
    other = {"a better": "b better", "b better": "a better"}
    expected = {(i, i): "self" for i in range(k)}
    for pair in result.pairs:
        i, j = rows[pair.a], rows[pair.b]
        expected[i, j], expected[j, i] = pair.verdict, other.get(pair.verdict, pair.verdict)
    assert seen == expected


def test_a_critical_difference_that_does_not_decide_is_not_drawn() -> None:
    """Behind a closed gate, or where nothing can be told, no pair differs however far apart."""
    result = comparison([1.0, 2.0, 3.0], lambda a, b: ALIKE, critical_difference=0.5, primary="nemenyi")
    assert not of_role(diagram(result), "CD", "CD label", "interval")


def test_members_too_close_to_others_get_a_row_each() -> None:
    """1 and 2 have equal mean ranks but only 1 is alike 3: one point on an axis cannot say that."""
    result = comparison([1.0, 2.0, 2.0], lambda a, b: "a better" if (a, b) == (0, 2) else ALIKE, pairwise="wilcoxon")
    drawing = diagram(result)
    assert drawing.form == "list"
    assert {item.about for item in of_role(drawing, "group")} == {("A1", "A2"), ("A2", "A3")}


@pytest.mark.slow
def test_sizes_and_forms() -> None:
    """A column of 80 mm to 12 algorithms; lists beyond 24, with the matrix; a control needs no matrix."""

    def form(k: int, control: int | None = None) -> tuple[str, int, bool]:
        ranks = [float(j + 1) for j in range(k)]
        drawing = diagram(comparison(ranks, by_distance(ranks, 5.0), control=control))
        return drawing.form, round(drawing.width_mm), bool(of_role(drawing, "cells"))

    assert form(2) == form(12) == ("line", 80, False)
    assert form(20) == ("line", 120, False)
    assert form(25) == form(60) == form(200) == ("list", 180, True)
    assert form(60, control=3) == ("list", 80, False)


@pytest.mark.slow
def test_letters_are_large_enough_for_a_column() -> None:
    for seed in SEEDS[::4]:
        for item in diagram(random_comparison(seed)).items:
            assert not isinstance(item, Text) or item.size >= 6.5


def test_equal_mean_ranks_all_round() -> None:
    drawing = diagram(comparison([2.5] * 4, lambda a, b: ALIKE))
    assert drawing.form == "line"
    (bar,) = of_role(drawing, "group")
    assert isinstance(bar, Stroke)
    assert bar.x2 - bar.x1 > 2  # visible although all members are at one place


def test_the_caption_names_test_correction_level_and_sizes() -> None:
    drawing = diagram(with_cd(DEMSAR, 1.25, names=DEMSAR_NAMES, n=14, primary="nemenyi", alpha=0.1))
    caption = " ".join(item.text for item in of_role(drawing, "caption") if isinstance(item, Text))
    assert caption.replace("\u00a0", " ") == (
        "4 algorithms on 14 problems; z tests on mean ranks; Nemenyi test, α = 0.1."
    )
    assert "Not shown to differ: C4.5+m+cf, C4.5+m, C4.5+cf, C4.5." in drawing.description


def test_wrong_input_is_refused_clearly() -> None:
    with pytest.raises(WrongTypeError, match=r"bo\.compare"):
        diagram(3)  # type: ignore[arg-type]
    result: Comparison = comparison([1.0, 2.0], lambda a, b: ALIKE)
    for width in (0, -80, 59.9, 1e9, float("nan"), "wide"):
        with pytest.raises(ParameterError, match="width_mm"):
            diagram(result, width_mm=width)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_list_too_narrow_for_verdicts_says_so() -> None:
    ranks = [float(j + 1) for j in range(200)]
    result = comparison(ranks, by_distance(ranks, 20.0))
    for width, told in ((60.0, False), (None, True)):
        drawing = diagram(result, width_mm=width)
        caption = " ".join(item.text for item in of_role(drawing, "caption") if isinstance(item, Text))
        assert bool(of_role(drawing, "cells")) is told
        assert ("Too narrow to show which differ" in caption) is not told


def test_where_all_differ_the_caption_says_why_there_is_no_bar() -> None:
    drawing = diagram(comparison([1.0, 2.0, 3.0], lambda a, b: "a better"))
    assert not of_role(drawing, "group")
    assert "All pairs differ." in drawing.description


LONG_NAMES = ["Gradient-boosted trees with early stopping", "Random forest (500 trees)", "SVM (RBF)", "k-NN",
              "Multilayer perceptron 2x64, Adam", "Logistic regression, elastic net", "Naive Bayes",
              "CART"]  # fmt: skip


@pytest.mark.parametrize("k", [4, 8])
@pytest.mark.parametrize("longest_at", ["best", "worst"])
def test_long_names_leave_the_axis_most_of_a_column(k: int, longest_at: str) -> None:
    """They stand in several lines: at 88 mm the axis was gone, and a list had a fifth of the width for its plot."""
    names = LONG_NAMES[:k] if longest_at == "best" else LONG_NAMES[:k][::-1]
    ranks = [1.4 + j * (k - 2.0) / (k - 1) for j in range(k)]
    drawing = diagram(with_cd(ranks, 1.2, names=names, n=30, primary="nemenyi"), width_mm=88)
    assert drawing.form == "line"
    (axis,) = of_role(drawing, "axis")
    assert isinstance(axis, Stroke)
    assert axis.x2 - axis.x1 > 0.5 * drawing.width
    texts: list[Item] = [item for item in drawing.items if isinstance(item, Text)]
    assert touching(texts, texts) == []
    assert touching(texts, of_role(drawing, "leader", "group", "axis", "CD")) == []


@pytest.mark.parametrize("control", [None, 0])
def test_long_names_of_twelve_are_rows_and_no_staircase(control: int | None) -> None:
    names = [f"resnet{29 + j}-imagenet-lr0.{11 + j}-cosine" for j in range(12)]
    ranks = [1.5 + 0.8 * j for j in range(12)]
    drawing = diagram(comparison(ranks, by_distance(ranks, 3.0), names=names, control=control))
    assert drawing.form == "list"
    assert drawing.height < drawing.width


def test_a_long_name_in_the_middle_costs_the_axis_nothing() -> None:
    """It stands below the outer ones, and ends at its own leader."""

    def axis_with(name: str) -> float:
        ranks = [1.2, 2.2, 3.0, 4.0, 4.8]
        drawing = diagram(with_cd(ranks, 1.0, names=["A", "B", name, "D", "E"], n=30), width_mm=88)
        (axis,) = of_role(drawing, "axis")
        assert isinstance(axis, Stroke)
        return axis.x2 - axis.x1

    assert axis_with("a name of medium length") > 0.8 * axis_with("C")
