"""The page and the figures of docs/generate/regions.py, from its stored numbers."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

from page_command import filled, table

from bakeoff.figures.backends.svg import to_svg
from bakeoff.figures.geometry.primitives import Drawing, Item, Mark, Stroke, Text

DOCS = Path(__file__).resolve().parents[1]
PAGE, FIGURES = DOCS / "trust" / "bayes-regions.md", DOCS / "figures"
PER_DIMENSION = 20  # problems for every dimension, from which the exact region is not warned of
TICKS = (5, 10, 20, 50, 100, 200)
PANEL_W, PANEL_H, LEFT, GAP, TOP, BOTTOM = 150.0, 120.0, 38.0, 30.0, 44.0, 30.0
SIZE = 7.5
STYLES: dict[str, dict[str, Any]] = {
    "null": {"shape": "circle", "colour": "black"},
    "one bad": {"shape": "square", "colour": "grey"},
    "skewed": {"shape": "up", "colour": "accent"},
    "ties": {"shape": "circle", "colour": "accent", "filled": False},
    "exact region, no ties": {"shape": "up", "colour": "accent"},
    "exact region, ties": {"shape": "up", "colour": "accent", "filled": False},
    "ellipsoid, no ties": {"shape": "circle", "colour": "black"},
    "ellipsoid, ties": {"shape": "circle", "colour": "black", "filled": False},
}
KINDS = {
    "null": "nothing differs: independent normal scores",
    "one bad": "the last algorithm is worse by one standard deviation, the others do not differ",
    "skewed": "one order of the algorithms on seven of eight problems, the opposite and much clearer on the others",
    "ties": "nothing differs, scores are mostly 0 and ±1: more than a third of the pairs tie",
}

Numbers = dict[str, dict[str, float | None]]
Curve = list[tuple[int, float]]


def files(stored: dict[str, Any]) -> dict[Path, str]:
    """Every file this study writes, and its text."""
    numbers: Numbers = stored["numbers"]
    return {
        PAGE: filled(PAGE, parts(stored)),
        FIGURES / "bayes-regions-content.svg": to_svg(content_figure(numbers)),
        FIGURES / "bayes-regions-equality.svg": to_svg(equality_figure(numbers)),
        FIGURES / "bayes-regions-differ.svg": to_svg(differ_figure(numbers)),
    }


# --- figures ----------------------------------------------------------------------------------------------------------


def curve(numbers: Numbers, kind: str, k: int, what: str) -> Curve:
    points = []
    for name, found in numbers.items():
        n = int(name.rsplit("=", 1)[1])
        value = found[what]
        if name == f"{kind} k={k} n={n}" and value is not None:
            points.append((n, value))
    return points


def content_figure(numbers: Numbers) -> Drawing:
    curves = {k: {kind: curve(numbers, kind, k, "content") for kind in KINDS} for k in (3, 5, 10)}
    return panels(
        curves,
        title="What the ellipsoid of nominal content 95 % really holds",
        description="Against the number of problems, for 3, 5 and 10 algorithms and four kinds of scores: the share of "
        "the posterior inside the ellipsoid falls from 100 % towards 95 %.",
        bottom=0.94,
        top=1.0,
        step=0.02,
        level=0.95,
    )


def equality_figure(numbers: Numbers) -> Drawing:
    sources = {
        "exact region, no ties": ("null", "exact"),
        "exact region, ties": ("ties", "exact"),
        "ellipsoid, no ties": ("null", "ellipsoid"),
        "ellipsoid, ties": ("ties", "ellipsoid"),
    }
    curves = {k: {name: curve(numbers, kind, k, what) for name, (kind, what) in sources.items()} for k in (3, 5, 10)}
    return panels(
        curves,
        title="How often equality is excluded where nothing differs",
        description="Against the number of problems, for 3, 5 and 10 algorithms: the exact region excludes equality "
        "in most tables of few problems and in about 5 % of tables of many; the ellipsoid in 0 to 9 %.",
        bottom=0.0,
        top=1.0,
        step=0.2,
        level=0.05,
    )


def differ_figure(numbers: Numbers) -> Drawing:
    curves = {k: {kind: curve(numbers, kind, k, "differ") for kind in KINDS} for k in (3, 5, 10)}
    return panels(
        curves,
        title="How often the two regions decide differently",
        description="Against the number of problems, for 3, 5 and 10 algorithms and four kinds of scores: often with "
        "few problems, hardly ever from twenty problems for every dimension.",
        bottom=0.0,
        top=1.0,
        step=0.2,
        level=None,
    )


def panels(
    curves: dict[int, dict[str, Curve]],
    *,
    title: str,
    description: str,
    bottom: float,
    top: float,
    step: float,
    level: float | None,
) -> Drawing:
    """One panel for each k, side by side, the number of problems on a logarithmic axis."""
    items: list[Item] = [Text(x=LEFT, y=12, text=title, size=9, bold=True)]
    items += legend(list(next(iter(curves.values()))))
    for place, (k, lines) in enumerate(curves.items()):
        left = LEFT + place * (PANEL_W + GAP)
        items += frame(left, k, bottom, top, step, level)
        for name, points in lines.items():
            items += drawn([(across(left, n), up(value, bottom, top)) for n, value in points], name)
    width = LEFT + 3 * PANEL_W + 2 * GAP + 12
    height = TOP + PANEL_H + BOTTOM
    return Drawing(width=width, height=height, form="line", title=title, description=description, items=tuple(items))


def across(left: float, n: float) -> float:
    return left + PANEL_W * math.log(n / 4.5) / math.log(220 / 4.5)


def up(value: float, bottom: float, top: float) -> float:
    return TOP + PANEL_H * (top - value) / (top - bottom)


def legend(names: list[str]) -> list[Item]:
    items: list[Item] = []
    x = LEFT + 4
    for name in names:
        word = Text(x=x + 6, y=26, text=name, size=SIZE)
        items += [Mark(x=x, y=23.5, radius=2.2, **STYLES[name]), word]
        x += word.width + 24
    return items


def frame(left: float, k: int, bottom: float, top: float, step: float, level: float | None) -> list[Item]:
    base, right = TOP + PANEL_H, left + PANEL_W
    items: list[Item] = [
        Stroke(x1=left, y1=base, x2=right, y2=base),
        Stroke(x1=left, y1=TOP, x2=left, y2=base),
        Text(x=left + PANEL_W / 2, y=TOP - 6, text=f"{k} algorithms", size=SIZE, anchor="middle"),
        Text(x=left + PANEL_W / 2, y=base + 22, text="problems", size=SIZE, anchor="middle"),
    ]
    for n in TICKS:
        x = across(left, n)
        items += [
            Stroke(x1=x, y1=base, x2=x, y2=base + 3),
            Text(x=x, y=base + 11, text=str(n), size=SIZE, anchor="middle"),
        ]
    for i in range(round((top - bottom) / step) + 1):
        value = bottom + i * step
        y = up(value, bottom, top)
        items += [
            Stroke(x1=left - 3, y1=y, x2=left, y2=y),
            Text(x=left - 5, y=y + 2.5, text=f"{100 * value:.0f} %", size=SIZE, anchor="end"),
        ]
    if level is not None:
        y = up(level, bottom, top)
        items.append(Stroke(x1=left, y1=y, x2=right, y2=y, colour="grey", dashed=True))
    x = across(left, PER_DIMENSION * (k - 1))
    items += [
        Stroke(x1=x, y1=TOP, x2=x, y2=base, colour="light", width=0.8),
        Text(x=x - 2, y=TOP + 7, text=f"n = {PER_DIMENSION}(k − 1)", size=6.5, anchor="end", colour="grey"),
    ]
    return items


def drawn(points: list[tuple[float, float]], name: str) -> list[Item]:
    style = STYLES[name]
    items: list[Item] = [
        Stroke(
            x1=a[0], y1=a[1], x2=b[0], y2=b[1], width=0.7, colour=style["colour"], dashed=not style.get("filled", True)
        )
        for a, b in pairwise(points)
    ]
    return [*items, *(Mark(x=x, y=y, radius=2.0, **style) for x, y in points)]


# --- the page ---------------------------------------------------------------------------------------------------------


def parts(stored: dict[str, Any]) -> dict[str, str]:
    """By the names of the marks in the page."""
    numbers: Numbers = stored["numbers"]
    safe = [found for name, found in numbers.items() if is_safe(name)]
    held = [found["content"] or 0.0 for found in safe]
    wrong = [found["exact"] or 0.0 for name, found in numbers.items() if is_safe(name) and is_equal(name)]
    ellipsoid = [found["ellipsoid"] or 0.0 for name, found in numbers.items() if is_equal(name)]
    return {
        "tables": str(stored["tables"]),
        "draws": str(stored["draws"]),
        "error": f"{100 * math.sqrt(0.05 * 0.95 / stored['tables']):.1f}",
        "held_low": percent(min(held)),
        "held_high": percent(max(held)),
        "differ": percent(max(found["differ"] or 0.0 for found in safe)),
        "wrong_low": percent(min(wrong)),
        "wrong_high": percent(max(wrong)),
        "most_wrong": percent(max(ellipsoid)),
        "apart": f"{100 * largest_gap(numbers):.1f}",
        "kinds": "\n" + "\n".join(f"* **{kind}**: {words};" for kind, words in KINDS.items())[:-1] + ".",
        "numbers": "\n" + "\n".join(f"### {k} algorithms\n\n{rows(numbers, k)}" for k in (3, 5, 10)),
    }


def largest_gap(numbers: Numbers) -> float:
    """Between the contents of the four kinds, for the same n and k."""
    contents: dict[str, list[float]] = {}
    for name, found in numbers.items():
        if is_safe(name):
            contents.setdefault(name.split("k=")[1], []).append(found["content"] or 0.0)
    return max(max(some) - min(some) for some in contents.values())


def is_safe(name: str) -> bool:
    k, n = (int(part.split("=")[1]) for part in name.split()[-2:])
    return n >= PER_DIMENSION * (k - 1)


def is_equal(name: str) -> bool:
    return name.startswith(("null", "ties"))


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def rows(numbers: Numbers, k: int) -> str:
    heads = ["scores", "n", "content of the ellipsoid (5 % to 95 % of tables)", "ellipsoid excludes"]
    lines = []
    for kind in KINDS:
        for n, exact in curve(numbers, kind, k, "exact"):
            found = numbers[f"{kind} k={k} n={n}"]
            spread = f" ({percent(found['low'])} to {percent(found['high'])})" if found["low"] is not None else ""
            cells = [kind, str(n), percent(found["content"]) + spread, percent(found["ellipsoid"])]
            lines.append([*cells, percent(exact), percent(found["differ"])])
    return table([*heads, "exact region excludes", "they differ"], lines)
