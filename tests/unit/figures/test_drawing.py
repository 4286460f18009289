"""What a user does with a diagram: save it, draw it into Axes, show it in a notebook, emphasise, choose its kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, UnknownNameError, WrongTypeError
from bakeoff.figures import Drawing, to_svg
from bakeoff.figures.geometry.primitives import Stroke, Text


@pytest.fixture(scope="module")
def comparison() -> Any:
    return bo.compare(bo.datasets.load("derrac_cec2005"))


def test_a_diagram_says_in_one_line_what_it_is(comparison: Any) -> None:
    drawing = bo.diagram(comparison)
    assert repr(drawing) == "<Drawing: line, 80 × 42 mm, 9 algorithms by mean rank, compared with each other>"
    assert isinstance(drawing, Drawing)
    assert drawing._repr_svg_() == to_svg(drawing)


@pytest.mark.few(1)
@pytest.mark.parametrize("suffix", [".svg", ".tex", ".png", ".pdf"])
def test_a_diagram_saves_itself(comparison: Any, tmp_path: Path, suffix: str) -> None:
    bo.diagram(comparison).save(tmp_path / f"one{suffix}")
    comparison.save(tmp_path / f"two{suffix}")
    first, second = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "two"))
    assert first == second if suffix != ".tex" else b"tikzpicture" in first  # a comparison's .tex is a report


@pytest.mark.parametrize("kind", ["line", "list"])
def test_the_kind_of_a_comparison(comparison: Any, kind: str) -> None:
    assert bo.diagram(comparison, kind).form == kind


@pytest.mark.slow
def test_the_kinds_of_an_overview() -> None:
    scores = bo.datasets.load("demsar_2006")
    overview = bo.bayes.overview(scores)
    assert bo.diagram(overview) == bo.diagram(overview, "statements") == bo.diagram(overview.joint)
    assert bo.diagram(overview, "ridges") == bo.diagram(overview.ranks)
    with pytest.raises(ParameterError, match=r"^kind must be one of 'statements', 'ridges'; got 'triangle'"):
        bo.diagram(overview, "triangle")
    two = bo.bayes.overview(scores.select([0, 1]))
    assert bo.diagram(two, "triangle").form in ("triangle", "strip")


@pytest.mark.slow
def test_a_kind_that_does_not_exist_or_cannot_be_read(comparison: Any) -> None:
    with pytest.raises(
        ParameterError, match=r"^kind must be one of 'line', 'list'; got 'lines'; did you mean 'line'\?"
    ):
        bo.diagram(comparison, "lines")
    with pytest.raises(ParameterError, match=r"^kind must be left out: a PowerCurve has one diagram; got 'line'"):
        bo.diagram(bo.plan.curve(n=20), "line")
    rng = np.random.default_rng(1)
    many = bo.compare(bo.Scores(rng.normal(size=(8, 30)), better="lower"), posthoc="holm")
    with pytest.raises(
        ParameterError, match=r'^kind: no "line" can be drawn: .* 24 .* 30. Compare fewer, or kind="list"'
    ):
        bo.diagram(many, "line")
    names = [f"one{'very' * 8}longword{i:02d}" for i in range(12)]  # nowhere to break it, and wider than half a column
    long = bo.Scores(rng.normal(size=(8, 12)), names, better="lower")
    with pytest.raises(ParameterError, match=r'^kind: no "line" .* Try width_mm=120, or kind="list"'):
        bo.diagram(bo.compare(long), "line", width_mm=60)


def test_a_highlighted_algorithm_stands_out_and_the_others_do_not_change(comparison: Any) -> None:
    plain, marked = bo.diagram(comparison), bo.diagram(comparison, highlight="SaDE")
    changed = [(a, b) for a, b in zip(plain.items, marked.items, strict=True) if a != b]
    assert {b.about for _, b in changed} == {("SaDE",)}
    texts = [b for _, b in changed if isinstance(b, Text)]
    assert {t.text for t in texts} == {"SaDE", "3.880"}
    assert all(t.bold and t.colour == "accent" for t in texts)
    assert any(isinstance(b, Stroke) and b.colour == "accent" for _, b in changed)
    both = bo.diagram(comparison, highlight=["SaDE", "PSO"])
    assert {b.about for a, b in zip(plain.items, both.items, strict=True) if a != b} == {("SaDE",), ("PSO",)}
    assert bo.diagram(comparison, highlight=[]) == plain


@pytest.mark.parametrize("given", ["sade", ["SaDE", "sade"]])
def test_a_highlighted_name_must_be_there(comparison: Any, given: Any) -> None:
    with pytest.raises(
        UnknownNameError, match=r"^highlight: nothing .* 'sade'; did you mean 'SaDE'\?; there are DE-Exp"
    ):
        bo.diagram(comparison, highlight=given)


def test_highlight_takes_names(comparison: Any) -> None:
    with pytest.raises(ParameterError, match=r"^highlight must be the name of an algorithm, or a list of names; got 3"):
        bo.diagram(comparison, highlight=3)  # type: ignore[arg-type]


# --- matplotlib -------------------------------------------------------------------------------------------------


@pytest.fixture
def pyplot() -> Any:
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


def pixels(figure: Any) -> Any:
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[..., :3]


@pytest.mark.slow
def test_axes_as_large_as_the_diagram_show_what_the_file_shows(comparison: Any, pyplot: Any) -> None:
    import io

    drawing = bo.diagram(comparison)
    figure = pyplot.figure(figsize=(drawing.width / 72, drawing.height / 72), dpi=100)
    drawing.draw(figure.add_axes((0, 0, 1, 1)))
    from bakeoff.figures.backends.matplotlib import to_bytes

    file = pyplot.imread(io.BytesIO(to_bytes(drawing, "png")))[..., :3]
    figure.set_dpi(300)
    drawn = pixels(figure)
    assert abs(drawn.shape[0] - file.shape[0]) <= 1
    # as much ink, in the same columns and rows
    height, width = min(drawn.shape[0], file.shape[0]), min(drawn.shape[1], file.shape[1])
    ink = [(image[:height, :width].mean(axis=2) / image.max() < 0.5) for image in (drawn, file)]
    assert ink[0].sum() == pytest.approx(ink[1].sum(), rel=0.05)
    assert np.corrcoef(ink[0].sum(axis=0), ink[1].sum(axis=0))[0, 1] > 0.9


@pytest.mark.slow
def test_only_the_given_axes_are_drawn_into_and_the_style_of_the_user_stays(comparison: Any, pyplot: Any) -> None:
    with pyplot.style.context("dark_background"):
        figure, axes = pyplot.subplots(1, 2)
        before = dict(pyplot.rcParams)
        bo.diagram(comparison).draw(axes[0])
        assert dict(pyplot.rcParams) == before
        assert not axes[1].texts
        assert any(text.get_text() == "SaDE" for text in axes[0].texts)
        image = pixels(figure)
        box = axes[0].get_window_extent()
        middle = image.shape[0] - int(box.y0 + box.height / 2)
        inside = image[middle, int(box.x0) + 3 : int(box.x1) - 3].astype(int).sum(axis=1)
        assert (inside == 3 * 255).mean() > 0.3, "a white page also on a dark figure"


def test_what_is_no_axes_is_refused(comparison: Any, pyplot: Any) -> None:
    with pytest.raises(WrongTypeError, match=r"^ax must be Axes of matplotlib, as from .*subplots\(\); got Figure"):
        bo.diagram(comparison).draw(pyplot.figure())
