"""Bayesian diagrams as shapes: nothing overlaps or leaves the page, and the shapes say what the result says."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import WrongTypeError
from bakeoff.figures import Drawing, diagram, save, to_svg, to_tikz
from bakeoff.figures.geometry.metrics import printable
from bakeoff.figures.geometry.primitives import PALETTE, TINTS, Box, Item, Mark, Polygon, Stroke, Text
from bakeoff.wings.bayes.analysis.figure.triangle import clipped, hexagon, hexagons, shades
from unit.figures.bayes_cases import joint, names_of, random_joint, ranks, shares
from unit.figures.figures_cases import NAMES

SEEDS = range(22)


def extent(item: Item) -> tuple[float, float, float, float]:
    if isinstance(item, Text):
        return item.box
    if isinstance(item, Stroke):
        return min(item.x1, item.x2), min(item.y1, item.y2), max(item.x1, item.x2), max(item.y1, item.y2)
    if isinstance(item, Box):
        return item.x, item.y, item.x + item.width, item.y + item.height
    if isinstance(item, Polygon):
        xs, ys = zip(*item.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)
    assert isinstance(item, Mark)
    return item.x - item.radius, item.y - item.radius, item.x + item.radius, item.y + item.radius


def overlapping(items: list[Item], slack: float = 0.05) -> list[tuple[Item, Item]]:
    a = np.array([extent(item) for item in items]).reshape(-1, 4)
    apart = (a[:, None, :2] + slack >= a[None, :, 2:]).any(axis=2)
    return [(items[i], items[j]) for i, j in np.argwhere(~(apart | apart.T)) if i < j]


def of_role(drawing: Drawing, *roles: str) -> list[Item]:
    return [item for item in drawing.items if item.role in roles]


def is_sound(drawing: Drawing) -> None:
    """Words apart from words, everything on the page, and all inks accept it."""
    words = [item for item in drawing.items if isinstance(item, Text)]
    assert overlapping(list(words)) == []
    extents = np.array([extent(item) for item in drawing.items])
    assert np.isfinite(extents).all()
    assert (extents[:, :2] >= -0.01).all()
    assert (extents[:, 2:] <= np.array([drawing.width, drawing.height]) + 0.01).all()
    root = ET.fromstring(to_svg(drawing).encode())
    assert root.findtext("{http://www.w3.org/2000/svg}title") == drawing.title
    assert root.findtext("{http://www.w3.org/2000/svg}desc") == drawing.description
    source = to_tikz(drawing)
    assert source.count("\\begin{tikzpicture}") == source.count("\\end{tikzpicture}") == 1


# --- dominance ----------------------------------------------------------------------------------------------------


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_dominance_diagram_is_sound_and_names_everyone_once(seed: int) -> None:
    result = random_joint(seed)
    drawing = diagram(result, width_mm=(None, 60.0, 180.0)[seed % 3])
    is_sound(drawing)
    labels = of_role(drawing, "label")
    assert sorted(label.about[0] for label in labels) == sorted(result.algorithms)
    for label in labels:
        assert isinstance(label, Text)
        assert printable(label.about[0]) in (label.text, label.hint)


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_count_the_accepted_statements_and_shaded_cells_show_them(seed: int) -> None:
    result = random_joint(seed)
    drawing = diagram(result)
    accepted = [(s.better, s.worse) for s in result.statements if s.accepted]
    values = [(item.about[0], item.text) for item in of_role(drawing, "value") if isinstance(item, Text)]
    for name in result.algorithms:
        counts = [int(text) for who, text in values if who == name]
        assert counts == [sum(better == name for better, _ in accepted), sum(worse == name for _, worse in accepted)]
    boxes = [item for item in of_role(drawing, "cells") if isinstance(item, Box) and item.fill == "accent"]
    if boxes:
        whole = [item for item in of_role(drawing, "cells") if isinstance(item, Box) and item.fill == "grey"]
        cell = min(item.width for item in whole)
        assert sum(round(box.width / cell) for box in boxes) == len(accepted)


def test_over_all_priors_the_lowest_probability_is_in_the_caption() -> None:
    scores = bo.Scores([[1, 2, 2]] * 17 + [[2, 1, 3]], better="lower")
    found = bo.bayes.compare(scores, n_draws=2000, prior="ignorance")
    assert found.joint_bounds is not None
    caption = diagram(found).description
    assert "lowest over all prior rankings" in caption
    assert f"P at least {np.floor(1000 * found.joint_bounds[0]) / 1000:g} " in caption
    assert "prior rankings" not in diagram(bo.bayes.compare(scores, n_draws=2000)).description


def test_a_cycle_is_in_the_caption() -> None:
    drawing = diagram(joint("abcd", [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]))
    assert "a, b, c: a cycle" in drawing.description
    assert "a is better than b, d." in drawing.description


def test_without_statements_the_matrix_is_empty() -> None:
    drawing = diagram(joint([f"A{j}" for j in range(30)], []))
    assert not [item for item in of_role(drawing, "cells") if isinstance(item, Box) and item.fill == "accent"]
    assert "no statement is accepted" in drawing.description


@pytest.mark.slow
def test_many_algorithms_fit_the_page() -> None:
    k = 200
    names = [f"algorithm number {j}" for j in range(k)]
    drawing = diagram(joint(names, [(i, j) for i in range(k) for j in range(i + 20, k)]))
    is_sound(drawing)
    rows = [item.text for item in of_role(drawing, "label") if isinstance(item, Text)]
    assert rows[0] == "algorithm number 0"


# --- ridges -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 3, 9, 16, 41, 200])
@pytest.mark.slow_cases("200")
def test_ridges_are_sound_best_first_and_show_every_density(k: int) -> None:
    draws = np.arange(k) * 0.2 + np.random.default_rng(k).normal(size=(2000, k)) + 5
    result = ranks(names_of(k + 1, k), draws[:, np.random.default_rng(1).permutation(k)])
    drawing = diagram(result)
    is_sound(drawing)
    assert drawing.form == "ridges"
    shown = [label.about[0] for label in of_role(drawing, "label")]
    means = dict(zip(result.algorithms, result.mean_ranks.tolist(), strict=True))
    assert shown == sorted(result.algorithms, key=means.__getitem__)
    assert [ridge.about[0] for ridge in of_role(drawing, "ridge")] == shown
    assert [mean.about[0] for mean in of_role(drawing, "mean")] == shown


def test_a_ridge_lies_over_its_mean() -> None:
    draws = np.random.default_rng(0).normal([2.0, 3.0, 4.0], 0.2, size=(5000, 3))
    drawing = diagram(ranks("abc", draws))
    for ridge, mean in zip(of_role(drawing, "ridge"), of_role(drawing, "mean"), strict=True):
        assert isinstance(ridge, Polygon)
        assert isinstance(mean, Stroke)
        peak = min(ridge.points, key=lambda point: point[1])[0]
        assert abs(peak - mean.x1) < 0.1 * drawing.width


def test_identical_algorithms_have_equal_ridges() -> None:
    scores = bo.Scores(np.tile([[1.0], [2.0], [3.0]], (1, 4)), better="lower")
    drawing = diagram(bo.bayes.rank_probabilities(scores, n_draws=100))
    is_sound(drawing)
    assert [item.text for item in of_role(drawing, "best") if isinstance(item, Text)] == ["0.250"] * 4


def test_a_probability_from_draws_is_never_certain() -> None:
    drawing = diagram(ranks("ab", np.array([[1.0, 2.0]] * 100)))
    assert [item.text for item in of_role(drawing, "best") if isinstance(item, Text)] == ["> 0.999", "< 0.001"]


# --- triangle -----------------------------------------------------------------------------------------------------


@pytest.mark.few(3)
@pytest.mark.parametrize("alpha", [(8, 3, 2), (0.2, 0.2, 0.2), (1, 50, 1), (30, 1e-3, 30)])
@pytest.mark.parametrize("rope", [0.0, 0.01])
def test_triangles_are_sound(alpha: tuple[float, ...], rope: float) -> None:
    for names in (("A", "B"), NAMES[-3:-1], ("x" * 90, "y" * 90)):
        drawing = diagram(shares(alpha, rope, names))
        is_sound(drawing)
        assert drawing.form == ("triangle" if rope else "strip")


@pytest.mark.slow
def test_cells_hold_every_draw_near_it() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 5000)) * 20
    centres, counts = hexagons(x, y, 3.0)
    assert counts.sum() == 5000
    nearest = np.hypot(x[:, None] - centres[:, 0], y[:, None] - centres[:, 1])  # slow twin: the nearest of all centres
    again = np.bincount(nearest.argmin(axis=1), minlength=len(counts))
    assert np.abs(again - counts).sum() <= 2  # a draw on an edge may go either way
    assert nearest.min(axis=1).max() <= 3.0 / 3**0.5 + 1e-9


def test_shades_hold_the_shares_the_legend_says() -> None:
    rng = np.random.default_rng(1)
    counts = rng.poisson(3 + 40 * rng.random(500)) + 1
    level = np.array(shades(counts))
    for at_least, share in ((4, 0.25), (3, 0.5), (2, 0.75), (1, 0.95)):
        held = counts[level >= at_least].sum() / counts.sum()
        assert share <= held <= share + 0.05
    assert all(level[counts == c].min() == level[counts == c].max() for c in np.unique(counts))


def test_a_cell_is_cut_at_the_border() -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]  # clockwise on the page
    inside = hexagon((5.0, 5.0), 2.0)
    assert clipped(inside, square) == inside
    assert clipped(hexagon((50.0, 5.0), 2.0), square) == []
    cut = clipped(hexagon((0.0, 5.0), 2.0), square)
    assert min(x for x, _ in cut) == pytest.approx(0.0)
    assert max(x for x, _ in cut) == pytest.approx(1.0)


def test_the_triangle_prints_the_probabilities_and_names() -> None:
    result = shares((8, 3, 2), 0.01, ("new & old", "old_1"))
    drawing = diagram(result)
    printed = [item.text for item in of_role(drawing, "probability") if isinstance(item, Text)]
    assert printed == [f"P = {p:.3f}" for p in (result.p_equivalent, result.p_better, result.p_worse)]
    assert "new & old better" in drawing.description.replace("new & old better:", "new & old better")


def test_darker_is_denser_and_lightness_falls_evenly() -> None:
    def lightness(colour: str) -> float:
        r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.2126 * r**2.2 + 0.7152 * g**2.2 + 0.0722 * b**2.2

    falling = [lightness(PALETTE[tint]) ** (1 / 3) for tint in TINTS]
    steps = -np.diff(falling)
    assert (steps > 0.08).all()


# --- the door -----------------------------------------------------------------------------------------------------


def test_an_overview_is_drawn_as_what_matters() -> None:
    scores = bo.datasets.load("demsar_2006")
    assert diagram(bo.bayes.overview(scores, n_draws=200)).form == "statements"
    two = scores.select([0, 1])
    assert diagram(bo.bayes.overview(two, n_draws=200)).form == "strip"
    assert diagram(bo.bayes.overview(two, rope=0.01, n_draws=200)).form == "triangle"
    failed = bo.Scores([[1.0, np.inf], [2.0, 1.0], [1.0, 3.0]], better="lower")
    assert diagram(bo.bayes.overview(failed, n_draws=200)).form == "ridges"


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(WrongTypeError, match="SignPosterior"):
        diagram(bo.bayes.sign_test(bo.datasets.load("demsar_2006"), 0, 1))  # type: ignore[arg-type]


@pytest.mark.slow
def test_every_ink_draws_every_shape(tmp_path) -> None:
    for i, result in enumerate((random_joint(6), shares((8, 3, 2), 0.01, size=300), ranks("ab", np.eye(2) + 1))):
        for suffix in (".svg", ".tex", ".png") if i else (".pdf",):
            target = tmp_path / f"{i}{suffix}"
            save(diagram(result), target)
            assert target.stat().st_size > 500
