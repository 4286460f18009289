"""The picture of a profile says what the result says, whatever its width and the number of curves."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.figures.geometry.primitives import Polygon, Text, overlap
from bakeoff.wings.curves.profile.figure import TauScale, _path, tau_scale


def scores(k: int, n: int = 30, spread: float = 1.0) -> bo.Scores:
    rng = np.random.default_rng(k)
    return bo.Scores(rng.lognormal(sigma=spread, size=(n, k)), [f"algorithm {i}" for i in range(k)], better="lower")


@pytest.mark.few(2)
@pytest.mark.parametrize("k", [2, 3, 12, 40])
@pytest.mark.parametrize("width", [80, 160])
@pytest.mark.parametrize("kind", ["ratio", "difference", "data"])
@pytest.mark.slow_cases("data-160-40")
def test_everything_is_on_the_page_and_no_text_on_another(k: int, width: float, kind: str) -> None:
    found = bo.profile(scores(k, spread=4.0), kind, n_resamples=20)  # type: ignore[arg-type]
    drawing = bo.diagram(found, width_mm=width)
    texts = [item for item in drawing.items if isinstance(item, Text)]
    assert {name for item in texts for name in item.about} == (set(found.scores.algorithms) if k > 2 else set())
    for item in texts:
        left, top, right, bottom = item.box
        assert min(left, top) >= 0, item.text
        assert right <= drawing.width + 0.5, item.text
        assert bottom <= drawing.height, item.text
    for one, two in itertools.combinations(texts, 2):
        assert not overlap(one.box, two.box), (one.text, two.text)
    curves = [item for item in drawing.items if isinstance(item, Polygon) and item.role == "curve"]
    bands = [item for item in drawing.items if isinstance(item, Polygon) and item.role == "band"]
    assert [c.about for c in curves] == [b.about for b in bands] == [(found.scores.algorithms[j],) for j in found.order]


def test_curves_and_bands_have_the_heights_of_the_result() -> None:
    found = bo.profile(scores(5))
    drawing, scale = bo.diagram(found), tau_scale(found)
    curve = next(c for c in drawing.items if isinstance(c, Polygon) and c.role == "curve")
    band = next(c for c in drawing.items if isinstance(c, Polygon) and c.role == "band")
    j = found.order[0]
    ys = [y for _, y in curve.points]
    assert (max(ys) - min(ys)) > 0
    height = 0.72 * (max(x for x, _ in curve.points) - min(x for x, _ in curve.points))
    rise = float(found.at(scale.high)[j] - found.share[j, 0])
    assert (ys[0] - ys[-1]) / height == pytest.approx(rise, abs=1e-6)
    shown = int((found.tau <= scale.high).sum()) - 1
    ends = [y for x, y in band.points if x == max(x for x, _ in band.points)]
    wanted = float(found.upper[j, shown] - found.lower[j, shown])
    assert (max(ends) - min(ends)) / height == pytest.approx(wanted, abs=1e-6)


def test_a_path_is_a_step_function() -> None:
    scale = TauScale(low=1.0, high=100.0, log=True, zero=False)
    path = _path(np.array([0.25, 0.5, 0.75, 1.0]), np.array([1.0, 10.0, 100.0, 1000.0]), scale)
    assert path == [(0.0, 0.25), (0.5, 0.25), (0.5, 0.5), (1.0, 0.5), (1.0, 0.75), (1.0, 0.75)]


def test_scales() -> None:
    assert tau_scale(bo.profile(bo.datasets.load("derrac_cec2005"))).high == 1000
    few = tau_scale(bo.profile(bo.Scores([[1.0, 2.0]] * 3, better="lower"), "difference"))
    assert (few.low, few.high, few.log) == (0.0, 1.0, False)
    wide = tau_scale(bo.profile(bo.Scores([[1.0, 1.001], [2.0, 900.0]], better="lower"), "difference"))
    assert (wide.low, wide.log, wide.zero) == (1e-4, True, True)
    assert next(label for _, label in wide.ticks(300)) == "0"
    near = tau_scale(bo.profile(bo.Scores([[1.0, 1.12], [1.08, 1.0]], better="lower")))
    assert near.high == 1.2
    assert [label for _, label in near.ticks(200)] == ["1", "1.05", "1.1", "1.15", "1.2"]
    alike = tau_scale(bo.profile(bo.Scores([[1.0, 1.0]], better="lower"), "difference"))
    assert (alike.low, alike.high) == (0.0, 1.0)


@pytest.mark.slow
def test_many_problems_make_no_huge_picture() -> None:
    drawing = bo.diagram(bo.profile(scores(12, 3000), n_resamples=20))
    assert sum(len(item.points) for item in drawing.items if isinstance(item, Polygon)) < 200_000
