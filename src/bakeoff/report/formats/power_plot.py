"""A power curve in characters, for a terminal."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bakeoff.plan import PowerCurve

_DOT, _LINE, _WALL, _CORNER, _MARK = "•", "─", "│", "└", "●"
_ASCII = {_DOT: "*", _LINE: "-", _WALL: "|", _CORNER: "+", _MARK: "@"}


def plotted(curve: PowerCurve, width: int, height: int = 9, ascii_only: bool = False) -> list[str]:
    """Lines at most ``width`` wide; the wanted power is a line, the point that reaches it a larger dot."""
    columns = max(20, min(width - 8, 60))
    power = curve.y_name == "power"
    low, high = (0.0, 1.0) if power else (0.0, float(curve.y.max()))
    left, right = float(curve.x[0]), float(curve.x[-1])

    def column(x: float) -> int:
        return round((x - left) / (right - left) * (columns - 1)) if right > left else 0

    def row(y: float) -> int:
        return height - round((y - low) / (high - low) * height)

    grid = [[" "] * columns for _ in range(height + 1)]
    if power:
        grid[row(curve.wanted_power)] = [_LINE] * columns
    for x, y in zip(curve.x, curve.y, strict=True):
        grid[row(float(y))][column(float(x))] = _DOT
    if curve.mark is not None and left <= curve.mark[0] <= right:
        grid[row(curve.mark[1])][column(curve.mark[0])] = _MARK
    labels = {0: high, height: low} | ({row(curve.wanted_power): curve.wanted_power} if power else {})
    lines = [f"{_label(labels.get(i)):>6} {_WALL}{''.join(cells)}".rstrip() for i, cells in enumerate(grid)]
    ends = f"{left:.3g}", f"{right:.3g}"
    name = {"effect size": "effect size d"}.get(curve.x_name, curve.x_name)
    room = columns - len(ends[0]) - len(ends[1])
    lines += [" " * 7 + _CORNER + _LINE * columns, " " * 8 + ends[0] + name.center(room) + ends[1]]
    drawn = [curve.y_name, *lines]
    return ["".join(_ASCII.get(sign, sign) for sign in line) for line in drawn] if ascii_only else drawn


def _label(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
