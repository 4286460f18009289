"""Rows of estimates with intervals: the ends that are drawn are the numbers of the result."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError
from bakeoff.figures import Drawing
from bakeoff.figures.geometry.notes import caption_of
from bakeoff.figures.geometry.primitives import Mark, Polygon, Stroke, Text, overlap
from bakeoff.figures.geometry.rows import LISTED, Forest, ForestRow, draw_forest
from bakeoff.report import document
from bakeoff.wings.guard.check.statistics import RunSet, Series
from bakeoff.wings.guard.check.statistics._check import check_run_sets
from document_tables import table_in

OLD = {
    "slow": [1, 1.02, 1.01, 0.99, 1, 1.01],
    "same": [1, 1.01, 0.99, 1.02, 0.98, 1],
    "noisy": [1.0, 3.0, 1.0, 2.9, 1.1, 3.1],
    "lost": [1, 1.1],
    "once": [2.0],
}
NEW = {
    "slow": [1.4, 1.41, 1.45, 1.42, 1.4, 1.43],
    "same": [1.01, 1, 0.99, 0.98, 1.02, 1.01],
    "noisy": [1.2, 3.9, 1.1, 4.1, 1.2, 3.8],
    "once": [2.2],
}


def made(k: int = 3, n: int = 12, runs: int = 8, better: Any = "lower") -> bo.Scores:
    rng = np.random.default_rng(1)
    return bo.Scores(rng.normal(size=(n, k, runs)) + 0.8 * np.arange(k)[:, None], better=better, metric="error")


@pytest.fixture(scope="module")
def means() -> Any:
    return bo.interquartile_mean(made())


@pytest.fixture(scope="module")
def rated() -> Any:
    return bo.ratings(bo.datasets.load("demsar_2006"), n_resamples=100)


@pytest.fixture(scope="module")
def checked() -> Any:
    return bo.check(OLD, NEW, "5%", better="lower")


def of_role(drawing: Drawing, role: str) -> list[Any]:
    return [item for item in drawing.items if item.role == role]


def names(drawing: Drawing) -> list[str]:
    """From top to bottom."""
    return [item.about[0] for item in sorted(of_role(drawing, "name"), key=lambda item: item.y)]


def values(drawing: Drawing, xs: Iterable[float], at: dict[float, float]) -> list[float]:
    """Points back to numbers, by two of which the places are known."""
    (x1, v1), (x2, v2) = sorted(at.items())
    return [v1 + (x - x1) * (v2 - v1) / (x2 - x1) for x in xs]


def scale(drawing: Drawing, factor: float = 1.0) -> dict[float, float]:
    """The first and the last tick of the axis."""
    ticks = of_role(drawing, "tick label")
    return {t.x: float(t.text.replace("−", "-")) / factor for t in (ticks[0], ticks[-1])}


def drawn_rows(drawing: Drawing, factor: float = 1.0) -> dict[str, tuple[float, ...]]:
    """{name: estimate, low, high}."""
    ends = {item.about[0]: (item.x1, item.x2) for item in of_role(drawing, "interval")}
    at = scale(drawing, factor)
    marks = {item.about[0]: item.x for item in of_role(drawing, "estimate")}
    return {name: tuple(values(drawing, (x, *ends.get(name, ())), at)) for name, x in marks.items()}


# --- what is drawn ----------------------------------------------------------------------------------------------


def test_interquartile_means_are_drawn_where_they_lie(means: Any) -> None:
    found = drawn_rows(bo.diagram(means))
    for each in means.estimates:
        assert found[each.algorithm] == pytest.approx((each.iqm, *each.interval), abs=1e-9)


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_the_best_interquartile_mean_is_on_top(better: Any) -> None:
    result = bo.interquartile_mean(made(better=better))
    sign = 1 if better == "lower" else -1
    expected = sorted(result.estimates, key=lambda each: sign * each.iqm)
    drawing = bo.diagram(result)
    assert names(drawing) == [each.algorithm for each in expected]
    assert of_role(drawing, "axis name")[0].text == f"interquartile mean of error; {better} is better"


def test_a_ring_says_that_another_one_is_shown_to_be_better(means: Any) -> None:
    worse = {pair.b if pair.verdict == "a better" else pair.a for pair in means.pairs if "better" in pair.verdict}
    assert worse
    drawing = bo.diagram(means)
    assert {mark.about[0] for mark in of_role(drawing, "estimate") if not mark.filled} == worse
    assert {text.about[0] for text in of_role(drawing, "name") if not text.bold} == worse


def test_a_mean_without_an_interval_is_a_mark_alone() -> None:
    alike = bo.interquartile_mean(bo.Scores([[1, 1, 2], [1, 1, 3], [1, 1, 4], [1, 5, 3]], better="lower"))
    drawing = bo.diagram(alike)
    assert len(of_role(drawing, "estimate")) == 3
    assert of_role(drawing, "interval") == []
    assert "Without an interval: the middle half of its runs is one value." in caption_of(drawing)


def test_strengths_are_drawn_where_they_lie(rated: Any) -> None:
    drawing = bo.diagram(rated)
    found = drawn_rows(drawing)
    for i, name in enumerate(rated.algorithms):
        assert found[name] == pytest.approx((rated.strengths[i], *rated.intervals[i]), abs=1e-9)
    assert names(drawing) == [rated.algorithms[i] for i in np.argsort(-rated.strengths)]


def test_the_reference_of_ratings_is_the_line() -> None:
    result = bo.ratings(bo.datasets.load("demsar_2006"), reference="C4.5", n_resamples=100)
    drawing = bo.diagram(result)
    (line,) = of_role(drawing, "no difference")
    assert [mark.x for mark in of_role(drawing, "estimate") if mark.about == ("C4.5",)] == [line.x1]
    assert not [interval for interval in of_role(drawing, "interval") if interval.about == ("C4.5",)]
    assert of_role(drawing, "axis name")[0].text == "log strength; C4.5 is 0"


def test_ranks_stand_beside_strengths(rated: Any) -> None:
    ranks = dict(zip(rated.algorithms, rated.rank_intervals.tolist(), strict=True))
    for text in of_role(bo.diagram(rated), "value"):
        low, high = ranks[text.about[0]]
        assert text.text == (f"{low}" if low == high else f"{low}–{high}")


def drawn_changes(drawing: Drawing) -> dict[str, tuple[float, ...]]:
    """{name: effect, low, high} from an axis of log ratios, which is numbered in percent."""
    at = {x: math.log1p(value) for x, value in scale(drawing, 100.0).items()}
    ends = {item.about[0]: (item.x1, item.x2) for item in of_role(drawing, "interval")}
    marks = {item.about[0]: item.x for item in of_role(drawing, "estimate")}
    places = {name: values(drawing, (x, *ends.get(name, ())), at) for name, x in marks.items()}
    return {name: tuple(math.expm1(place) for place in each) for name, each in places.items()}


def test_changes_are_drawn_in_percent_where_they_lie(checked: Any) -> None:
    found = drawn_changes(bo.diagram(checked))
    row = next(row for row in checked.rows if row.problem == "same")
    assert found["same"] == pytest.approx((row.effect, *row.interval), abs=1e-9)


def test_changes_beyond_four_margins_have_an_arrow_and_their_number(checked: Any) -> None:
    drawing = bo.diagram(checked)
    arrows = [item.about[0] for item in of_role(drawing, "goes on")]
    assert arrows.count("slow") == 1
    assert arrows.count("noisy") == 2
    verdicts = {text.about[0]: text.text for text in of_role(drawing, "value")}
    assert verdicts["slow"] == "REGRESSED, +41.1 %"
    right = max(item.x2 for item in of_role(drawing, "axis"))
    (mark,) = [item for item in of_role(drawing, "estimate") if item.about == ("slow",)]
    assert mark.x < right


def test_a_wide_margin_has_ticks_at_round_ratios() -> None:
    old, new = [1.0, 9.0, 1.0, 8.0, 1.1, 30.0], [1.0, 9.0, 30.0, 8.0, 1.1, 9.0]
    drawing = bo.diagram(bo.check({"P": old}, {"P": new}, "100%", better="lower"))
    assert [text.text for text in of_role(drawing, "tick label")] == ["−80", "−50", "0", "100", "400", "900"]


def test_pairs_of_times_keep_both_names_and_of_many_the_first_are_drawn() -> None:
    names = [f"resnet{i}-imagenet-lr0.1-cosine-of-a-long-name" for i in range(12)]
    seconds = np.random.default_rng(1).lognormal(0, 0.05, size=(1, 12, 40))
    drawing = bo.diagram(bo.time_ratios(bo.Scores(seconds, names, better="lower")))
    labels = [text.text.split(" : ") for text in of_role(drawing, "name")]
    assert len(labels) == LISTED
    assert all(len(label) == 2 and all(label) for label in labels)
    assert "The first 40 of 66 pairs, as in the table." in caption_of(drawing)


def test_changes_stand_in_the_order_of_the_table(checked: Any) -> None:
    listed = [row.cells[0] for row in table_in(document(checked), "rows").rows]  # type: ignore[union-attr]
    assert names(bo.diagram(checked)) == listed


def test_the_margin_and_no_change_are_lines(checked: Any) -> None:
    drawing = bo.diagram(checked)
    (margin,) = [item for item in of_role(drawing, "margin") if isinstance(item, Stroke)]
    (equal,) = of_role(drawing, "no difference")
    at = {x: math.log1p(value) for x, value in scale(drawing, 100).items()}
    assert values(drawing, (margin.x1, equal.x1), at) == pytest.approx([math.log(1.05), 0.0], abs=1e-9)
    assert not margin.dashed
    assert equal.dashed


def test_verdicts_of_a_check_are_words_and_disks(checked: Any) -> None:
    drawing = bo.diagram(checked)
    verdicts = {row.problem: row.verdict for row in checked.rows}
    assert {text.about[0]: text.text.lower().partition(",")[0] for text in of_role(drawing, "value")} == verdicts
    assert [mark.about for mark in of_role(drawing, "estimate") if mark.filled] == [("slow",)]


def test_what_was_not_measured_has_a_row_without_a_mark(checked: Any) -> None:
    drawing = bo.diagram(checked)
    assert "lost" in names(drawing)
    assert "lost" not in drawn_changes(drawing)
    assert "Without a mark: nothing was measured in new." in caption_of(drawing)


def test_no_interval_is_drawn_where_none_was_computed(checked: Any) -> None:
    assert len(drawn_changes(bo.diagram(checked))["once"]) == 1, "one run: its bounds are infinite"


def test_the_caption_says_what_an_arrow_means(checked: Any) -> None:
    assert caption_of(bo.diagram(checked)).endswith("An arrow: beyond the axis.")


def test_a_check_without_any_measurement_is_refused_and_reported(tmp_path: Path) -> None:
    before = RunSet(series={"P": Series(ids=("1", "2"), values=(1.0, 1.1))}, better="lower")
    result = check_run_sets({"baseline": before}, RunSet(series={"P": Series(failure="timeout")}, better="lower"), "5%")
    with pytest.raises(ParameterError, match="no change to draw, because nothing was measured in new"):
        bo.diagram(result)
    result.save(tmp_path / "check.html")
    assert "<svg" not in (tmp_path / "check.html").read_text(encoding="utf-8")


def test_measurements_are_drawn_before_problems_that_were_lost() -> None:
    old = {f"P{i}": [1.0, 1.1, 1.05] for i in range(LISTED + 2)}
    drawing = bo.diagram(bo.check(old, {"P0": [1.0, 1.1, 1.02]}, "50%", better="lower"))
    assert names(drawing) == ["P0"]
    assert f"The first 1 of {LISTED + 2} rows with a measurement, as in the table." in caption_of(drawing)


# --- problem by problem -----------------------------------------------------------------------------------------


def test_a_pair_has_a_row_per_problem_with_its_probability() -> None:
    result = bo.per_problem(made(2))
    drawing = bo.diagram(result)
    assert {name: found[0] for name, found in drawn_rows(drawing).items()} == pytest.approx(
        {cell.problem: cell.a12 for cell in result.cells}
    )
    (equal,) = of_role(drawing, "no difference")
    assert values(drawing, (equal.x1,), scale(drawing)) == pytest.approx([0.5])
    assert of_role(drawing, "axis name")[0].text == "probability that a run of A1 beats one of A2"


def test_signs_stand_beside_their_problems() -> None:
    result = bo.per_problem(made(2, n=4, runs=16))
    signs = {"+": "+", "-": "−", "?": "?"}
    drawing = bo.diagram(result)
    drawn = {text.about[0]: text.text for text in of_role(drawing, "value")}
    assert drawn == {cell.problem: signs[cell.verdict] for cell in result.cells if cell.verdict != "="}
    rings = {mark.about[0] for mark in of_role(drawing, "estimate") if not mark.filled}
    assert rings == {cell.problem for cell in result.cells if cell.verdict in ("=", "?")}
    assert drawn
    assert rings


def test_a_control_has_a_row_per_other_and_problem() -> None:
    drawing = bo.diagram(bo.per_problem(made(3, n=4), control=1))
    assert sorted(names(drawing)) == sorted(["P1", "P2", "P3", "P4"] * 2)
    assert [text.text for text in of_role(drawing, "column")] == ["against"]


def test_of_all_pairs_the_two_best_of_each_problem_are_drawn() -> None:
    result = bo.per_problem(made(4))
    drawing = bo.diagram(result)
    for text, mark in zip(of_role(drawing, "value"), of_role(drawing, "estimate"), strict=True):
        row = result.scores.problems.index(text.about[0])
        first, second = (result.scores.algorithms[j] for j in np.argsort(result.scores.costs[row])[:2])
        assert text.text.endswith(f"{first} – {second}")
        cell = next(c for c in result.pair(first, second).cells if c.problem == text.about[0])
        assert values(drawing, (mark.x,), scale(drawing)) == pytest.approx([cell.a12])


def test_of_many_problems_every_so_many_are_drawn() -> None:
    result = bo.per_problem(made(2, n=90, runs=4))
    drawing = bo.diagram(result)
    drawn = [found[0] for found in drawn_rows(drawing).values()]
    assert len(drawn) == 30
    assert drawn == pytest.approx(sorted((cell.a12 for cell in result.cells), reverse=True)[::3])
    assert "Of 90 rows in this order, one in 3 is drawn." in caption_of(drawing)


# --- any rows ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_many_algorithms_are_cut_and_counted() -> None:
    drawing = bo.diagram(bo.interquartile_mean(made(LISTED + 1, n=6, runs=4)))
    assert len(of_role(drawing, "estimate")) == LISTED
    assert f"The first {LISTED} of {LISTED + 1} algorithms, as in the table." in caption_of(drawing)


@pytest.mark.few(2)
@pytest.mark.parametrize("width", [60, 80, 120, 180])
def test_long_names_and_words_stay_apart(width: float) -> None:
    long = [f"{'a very long name of an algorithm ' * 4}{i}" for i in range(4)]
    scores = made(4, n=6)
    named = bo.Scores(scores.runs, long, [f"{name} on a problem" for name in long] + ["x", "y"], better="lower")
    for result in (bo.interquartile_mean(named), bo.per_problem(named), bo.ratings(named, n_resamples=100)):
        drawing = bo.diagram(result, width_mm=width)
        texts = [item for item in drawing.items if isinstance(item, Text)]
        assert not [(a.text, b.text) for i, a in enumerate(texts) for b in texts[:i] if overlap(a.box, b.box)]
        assert min(t.box[0] for t in texts) >= 0
        assert max(t.box[2] for t in texts) <= drawing.width + 0.01


def test_a_doubt_that_stops_the_verdict_is_in_the_caption() -> None:
    iterations = bo.Scores(made(2, n=4).runs, better="lower", run_kind="iteration")
    drawing = bo.diagram(bo.per_problem(iterations))
    assert caption_of(drawing).endswith("Check this first: one-process, dependence (tested-runs).")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_narrow_axis_has_two_numbers(rated: Any, width: float) -> None:
    assert len(of_role(bo.diagram(rated, width_mm=width), "tick label")) >= 2


def test_infinite_ends_are_arrows_at_both_sides() -> None:
    row = ForestRow(name="x", value=1.0, low=-np.inf, high=np.inf)
    drawing = draw_forest(Forest(rows=(row,), overall=None, unit="u", percent=False, caption="C."), None)
    arrows = [item for item in drawing.items if isinstance(item, Polygon)]
    (interval,) = [item for item in drawing.items if isinstance(item, Stroke) and item.role == "interval"]
    assert sorted(arrow.points[0][0] for arrow in arrows) == [interval.x1, interval.x2]


def test_a_far_end_does_not_hide_the_other_rows() -> None:
    rows = [ForestRow(name=f"{i}", value=float(i), low=i - 1.0, high=i + 1.0) for i in range(4)]
    far = ForestRow(name="far", value=1.0, low=0.0, high=1e9)
    drawing = draw_forest(Forest(rows=(*rows, far), overall=None, unit="u", percent=False, caption="C."), None)
    marks = [item.x for item in drawing.items if isinstance(item, Mark)]
    assert max(marks) - min(marks) > 0.2 * drawing.width


@pytest.mark.few(1, 1)
@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf", ".tikz"])
def test_a_picture_of_each_kind_is_a_file(means: Any, rated: Any, checked: Any, tmp_path: Path, suffix: str) -> None:
    for name, result in {"means": means, "rated": rated, "checked": checked}.items():
        result.save(tmp_path / f"{name}{suffix}")
        assert (tmp_path / f"{name}{suffix}").stat().st_size > 500


def test_an_algorithm_is_highlighted(means: Any) -> None:
    plain, marked = bo.diagram(means), bo.diagram(means, highlight="A2")
    assert {b.about for a, b in zip(plain.items, marked.items, strict=True) if a != b} == {("A2",)}
