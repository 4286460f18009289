"""Differences of a run with intervals: of two algorithms a row per problem, of more a row per pair."""

from bakeoff.figures.geometry.metrics import printable, shorten
from bakeoff.figures.geometry.primitives import LABEL, Drawing, Width
from bakeoff.figures.geometry.rows import Forest, ForestRow, draw_forest
from bakeoff.wings.run.results import RunResult

MOST = 1000  # rows; beyond, every m-th problem is drawn


def draw_run(result: RunResult, width_mm: Width) -> Drawing:
    """Of the result of ``bo.run``."""
    return draw_forest(forest_of(result), width_mm)


def forest_of(result: RunResult) -> Forest:
    """Problems of one pair with ±1.96 standard errors, or the pairs with the intervals of their effects."""
    analysis, percent = result.analysis, result.analysis.question.differences == "percent"
    unit = "difference in percent" if percent else "difference"
    if len(analysis.pairs) > 1:
        rows = [
            ForestRow(name=f"{p.a} – {p.b}", value=p.effect.estimate, low=p.effect.low, high=p.effect.high)
            for p in analysis.pairs
            if p.effect is not None
        ]
        share = any(p.effect is not None and p.effect.kind == "share of wins" for p in analysis.pairs)
        return Forest(
            rows=tuple(rows),
            unit="share of problems won by the first" if share else f"{unit}; right of 0: the first is better",
            percent=percent and not share,
            caption="Effect of each pair with its own interval.",
            equal=0.5 if share else 0.0,
            reach=(0.0, 1.0) if share else None,
        )
    pair = analysis.pair
    rows = []
    known = sorted(((e.difference, e) for e in result.estimates if e.difference is not None), key=lambda one: one[0])
    step = 1 + max(len(known) - 1, 0) // MOST
    for difference, e in known[::step]:
        low = high = None
        if e.standard_error is not None:
            low, high = difference - 1.96 * e.standard_error, difference + 1.96 * e.standard_error
        rows.append(ForestRow(name=e.problem, value=difference, low=low, high=high))
    whose = "Each problem's" if step == 1 else f"Every {step}th problem's"
    caption = f"{whose} difference with ±1.96 standard errors"
    effect = pair.effect
    overall = None
    if effect is not None and effect.kind != "share of wins":
        overall = ForestRow(name=effect.kind, value=effect.estimate, low=effect.low, high=effect.high)
        caption += f"; at the top, the {effect.kind} with its {100 * effect.confidence_level:g} % interval"
    return Forest(
        rows=tuple(rows),
        overall=overall,
        unit=f"{unit}; right of 0: {shorten(printable(pair.a), 90.0, LABEL)} is better",
        percent=percent,
        caption=f"{caption}.",
    )
