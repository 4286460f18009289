"""The plane of two metrics: numbers beside their marks, within the area, and scales by the margins."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.figures.geometry.primitives import Mark, Text
from bakeoff.wings.boards.tradeoff.figure import draw_tradeoff, metric_scale
from bakeoff.wings.boards.tradeoff.statistics import Tradeoff


def found(k: int, spread: float = 1.0) -> Tradeoff:
    rng = np.random.default_rng(k)
    quality = rng.uniform(0.6, 0.9, k) * spread + 0.02 * spread * rng.normal(size=(20, k)) + 1
    cost = np.exp(spread * (rng.normal(0, 1.5, k) + 0.1 * rng.normal(size=(20, k))))
    tables = {"accuracy": bo.Scores(quality, better="higher"), "seconds": bo.Scores(cost, better="lower")}
    return bo.tradeoff(tables, {"accuracy": 0.01, "seconds": "5%"}, n_draws=100)


@pytest.mark.few(1)
@pytest.mark.parametrize("k", [3, 12, 40, 120])
@pytest.mark.parametrize("width", [80, 160])
def test_numbers(k: int, width: int) -> None:
    result = found(k)
    drawing = draw_tradeoff(result, width)
    marks = [item for item in drawing.items if isinstance(item, Mark)]
    names = [item for item in drawing.items if isinstance(item, Text) and item.role == "name"]
    beside = [item for item in drawing.items if isinstance(item, Text) and item.role == "number" and item.hint]
    assert len(marks) == k
    if k <= 5:  # names stand beside the marks, without a key
        beside = names
        assert not any(a.box[0] < b.box[2] and b.box[0] < a.box[2] and a.box[1] < b.box[3] and b.box[1] < a.box[3]
                       for i, a in enumerate(names) for b in names[:i])  # fmt: skip
    assert len(names) == len(beside) == (k if k <= 15 else min(40, k - len(result.dominated)))
    assert set(result.frontier) <= {name for item in names for name in item.about}
    axis = max(item.y for item in drawing.items if isinstance(item, Text) and item.role == "tick label")
    assert all(item.y < axis for item in beside)


@pytest.mark.parametrize(
    ("values", "log", "ticks"),
    [
        ([1, 100], True, ["1", "2", "5", "10", "20", "50", "100"]),
        ([10, 12], True, ["10", "10.5", "11", "11.5", "12"]),
        ([0, 1], False, ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
    ],
)
def test_ticks(values: list[float], log: bool, ticks: list[str]) -> None:
    scale = metric_scale(values, log)
    places = scale.ticks(7)
    assert [shown for _, shown in places] == ticks
    expected = [math.log10(float(shown)) if log else float(shown) for shown in ticks]
    assert [at for at, _ in places] == pytest.approx(expected)


def test_ticks_of_many_decades() -> None:
    scale = metric_scale([1, 1e9], True)
    places = [at for at, _ in scale.ticks(7)]
    assert 3 <= len(places) <= 7
    assert places == pytest.approx([round(at) for at in places])


def test_all_alike() -> None:
    drawing = draw_tradeoff(found(4, spread=0.0), 80)
    assert sum(isinstance(item, Mark) for item in drawing.items) == 4
