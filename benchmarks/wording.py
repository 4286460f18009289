"""Figures, targets and verdicts in words."""

from __future__ import annotations

from benchmarks.model import Figure, Goal


def seconds(value: float) -> str:
    """Three significant digits and a unit: ``93.1 ms``."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if value * factor >= 0.9995 or unit == "µs":
            return f"{_three(value * factor)} {unit}"
    raise AssertionError


def quantity(value: float, unit: str) -> str:
    if unit == "s":
        return seconds(value)
    if unit == "B":
        return f"{_three(value / 1e9)} GB" if value >= 1e9 else f"{value / 1e6:.0f} MB"
    if unit == "rel":
        return "0" if value == 0 else f"{value:.1e}"
    return f"{value:.3g}"


def _three(value: float) -> str:
    """Three significant digits without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}".rstrip(".")


def times(ratio: float) -> str:
    return f"{ratio:,.0f} ×" if ratio >= 100 else f"{ratio:.2g} ×"


def target(goals: tuple[Goal, ...], unit: str) -> str:
    """``≤ 10 ms``; ``≥ 150 × statsmodels``."""
    parts = []
    for goal in goals:
        if goal.at_most is not None:
            parts.append(f"≤ {_limit(goal.at_most, unit)}")
        elif goal.factor < 1 and round(1 / goal.factor, 9) in (1.5, 2.0):
            parts.append(f"≤ {1 / goal.factor:g} × {goal.peer}'s time")
        else:
            parts.append(f"≥ {goal.factor:,g} × {goal.peer}")
    return "; ".join(parts)


def _limit(value: float, unit: str) -> str:
    if unit == "B":
        return f"{value / 1e9:g} GB"
    if unit == "rel":
        return f"{value:.0e}"
    if unit != "s":
        return f"{value:g}"
    return f"{value * 1000:g} ms" if value < 0.1 else f"{value:g} s"


def measured(figure: Figure) -> str:
    """The median and, of several samples, the range."""
    unit = figure.case.unit
    if figure.value is None:
        return "–"
    text = quantity(figure.value, unit)
    if figure.rounds > 1 and figure.least is not None and figure.most is not None:
        text += f" ({quantity(figure.least, unit)} – {quantity(figure.most, unit)})"
    if _busy(figure) and figure.cpu is not None:
        text += f", CPU {quantity(figure.cpu, unit)}"
    return text


def peers(figure: Figure) -> list[str]:
    """``SciPy 318 ms, 29 ×`` for each peer that was run."""
    found = []
    for peer in figure.peers:
        ratio = figure.ratio(peer.name)
        if peer.value is not None and ratio is not None:
            found.append(f"{peer.name} {seconds(peer.value)}, {times(ratio)}")
    return found


def verdict(figure: Figure) -> str:
    """``met``, ``missed``, ``not judged`` (a peer or package is absent), or nothing without a target."""
    if not figure.case.goals:
        return ""
    if figure.met is False and figure.met_by_cpu:
        return "missed by the clock, met by CPU"
    return {True: "met", False: "missed", None: "not judged"}[figure.met]


def missed_sentence(figure: Figure) -> str:
    """Target, measured value, and the reason."""
    case = figure.case
    if figure.value is None:
        found = figure.note
    else:
        found = f"measured {quantity(figure.value, case.unit)}"
        ratios = [(goal.peer, figure.ratio(goal.peer)) for goal in case.goals if goal.peer]
        found += "".join(f", {times(ratio)} {name}" for name, ratio in ratios if ratio is not None)
    why = "; ".join(filter(None, ("" if figure.met_by_cpu else case.why, _busy(figure)))) or "no reason is known yet"
    return f"Missed: {case.name}: the target is {target(case.goals, case.unit)}; {found}. Why: {why}."


def _busy(figure: Figure) -> str:
    """A note if the machine was busy with other work during the measurement."""
    if figure.cpu is None or figure.value is None or figure.cpu > 0.8 * figure.value:
        return ""
    within = ", which meets the target" if figure.met_by_cpu else ""
    return f"the machine was busy, and gave this {seconds(figure.cpu)} of processor time{within}"


def notes(figure: Figure) -> list[str]:
    """Why there is no value, which peers were skipped, what they do instead."""
    found = [f"{figure.case.name}: {figure.note}"] if figure.note else []
    return found + [f"{peer.name}: {peer.note}" for peer in figure.peers if peer.note]
