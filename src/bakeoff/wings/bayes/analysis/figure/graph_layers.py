"""Layered graph drawing (Sugiyama, Tagawa and Toda 1981): order within the layers, then coordinates.

A layer is a row of boxes (or, turned, a column). An edge that spans several layers gets a bend in each of them, so
that no edge runs through a box.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

BEND = 5.0  # room of an edge that passes through a layer
_SWEEPS = 24

Lists = list[list[int]]  # of nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """``places``: middle of every node along its layer; ``paths``: the nodes of every edge, bends included."""

    layers: Lists
    places: list[float]
    paths: Lists
    crossings: int


def lay_out(
    levels: Sequence[int], sizes: Sequence[float], edges: Sequence[tuple[int, int]], gap: float, room: float
) -> Layout | None:
    """Places between 0 and ``room``; None where a layer does not fit. Nodes beyond ``len(levels)`` are bends."""
    layers, size, paths = _with_bends(levels, sizes, edges)
    if any(sum(size[v] for v in layer) + gap * (len(layer) - 1) > room + 1e-9 for layer in layers):
        return None
    up: Lists = [[] for _ in size]
    down: Lists = [[] for _ in size]
    for path in paths:
        for a, b in itertools.pairwise(path):
            down[a].append(b)
            up[b].append(a)
    layers = _ordered(layers, up, down)
    places = _placed(layers, size, up, down, gap, room, len(levels))
    return Layout(layers=layers, places=places, paths=paths, crossings=_crossings(layers, down))


def _with_bends(
    levels: Sequence[int], sizes: Sequence[float], edges: Sequence[tuple[int, int]]
) -> tuple[Lists, list[float], Lists]:
    layers: Lists = [[] for _ in range(max(levels) + 1)]
    for v, level in enumerate(levels):
        layers[level].append(v)
    size, paths = list(sizes), []
    for a, b in edges:
        path = [a]
        for level in range(levels[a] + 1, levels[b]):
            path.append(len(size))
            layers[level].append(len(size))
            size.append(BEND)
        paths.append([*path, b])
    return layers, size, paths


def _ordered(layers: Lists, up: Lists, down: Lists) -> Lists:
    """Fewer crossings by the barycentre heuristic, sweeping down and up in turn."""
    best, fewest = layers, _crossings(layers, down)
    current = [list(layer) for layer in layers]
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        down_now = sweep % 2 == 0
        sides, step = (up, -1) if down_now else (down, 1)
        for i in range(1, len(current)) if down_now else range(len(current) - 2, -1, -1):
            place = {v: p for p, v in enumerate(current[i + step])}
            own = {v: float(p) for p, v in enumerate(current[i])}
            mean = {v: sum(place[u] for u in sides[v]) / len(sides[v]) if sides[v] else own[v] for v in current[i]}
            current[i].sort(key=mean.__getitem__)
        crossings = _crossings(current, down)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in current], crossings
    return best


def _crossings(layers: Lists, down: Lists) -> int:
    total = 0
    for i, layer in enumerate(layers[:-1]):
        place = {v: p for p, v in enumerate(layers[i + 1])}
        ends: list[int] = []
        for v in layer:
            mine = sorted(place[u] for u in down[v])
            total += sum(end > m for m in mine for end in ends)
            ends += mine
    return total


def _placed(
    layers: Lists, size: list[float], up: Lists, down: Lists, gap: float, room: float, n_boxes: int
) -> list[float]:
    """Each node as close to the mean of its neighbours as its layer allows."""
    places = [0.0] * len(size)
    for layer in layers:
        free = room - sum(size[v] for v in layer) - gap * (len(layer) - 1)
        at = free / 2
        for v in layer:
            places[v] = at + size[v] / 2
            at += size[v] + gap
    for sweep in range(_SWEEPS):
        both = sweep >= _SWEEPS // 2
        order = layers if sweep % 2 == 0 else layers[::-1]
        for layer in order:
            targets, weights = [], []
            for v in layer:
                near = up[v] + down[v] if both else (up[v] if sweep % 2 == 0 else down[v]) or up[v] + down[v]
                targets.append(sum(places[u] for u in near) / len(near) if near else places[v])
                weights.append(1.0 if v < n_boxes else 3.0)
            for v, x in zip(layer, _spread(layer, targets, weights, size, gap, room), strict=True):
                places[v] = x
    return places


def _spread(
    layer: list[int], targets: list[float], weights: list[float], size: list[float], gap: float, room: float
) -> list[float]:
    """The places nearest to the wanted ones (least squares) in this order, with room for every box.

    Less the room that those before need, places must not decrease: isotonic regression, by pooling neighbours.
    """
    offsets, at = [], 0.0
    for v in layer:
        offsets.append(at + size[v] / 2)
        at += size[v] + gap
    free = max(0.0, room - (at - gap))
    pools: list[list[float]] = []  # mean, weight, count
    for x, offset, weight in zip(targets, offsets, weights, strict=True):
        pools.append([x - offset, weight, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            mean, w, n = pools.pop()
            total = pools[-1][1] + w
            pools[-1] = [(pools[-1][0] * pools[-1][1] + mean * w) / total, total, pools[-1][2] + n]
    level = [min(max(mean, 0.0), free) for mean, _, n in pools for _ in range(int(n))]
    return [x + offset for x, offset in zip(level, offsets, strict=True)]
