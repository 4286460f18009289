"""From Curves to the format-free Document, to JSON, and to columns."""

from functools import partial
from typing import Annotated

from bakeoff import numerals
from bakeoff.report import methods, sections
from bakeoff.report.data import plain_data
from bakeoff.report.document import (
    ColumnSpec,
    Figure,
    Section,
    Table,
    equal_column,
    interval_column,
    number_column,
    tabulate,
    text_column,
    two_names,
)
from bakeoff.report.telling import Columns, Rows, Telling
from bakeoff.wings.curves.curves.figure.interquartile import InterquartileAreas
from bakeoff.wings.curves.curves.statistics import CurvePair, Curves
from bakeoff.wings.curves.curves.statistics.interquartile_along import InterquartileCurve
from bakeoff.wings.curves.curves.statistics.segments import better_somewhere, budget_text
from bakeoff.wings.curves.curves.telling import sentences
from bakeoff.wings.curves.curves.telling.sentences import differs_somewhere, verdict as verdict


def areas(result: Curves) -> Table:
    """A row per algorithm, the best area first."""
    order = result.ranked
    means = result.means
    names, unit = result.table.algorithms, numerals.plain(result.table.budget_name)
    low, high = (budget_text(float(result.t[i])) for i in (0, -1))
    what = sentences.scores_words(result)
    shown: list[ColumnSpec[int]] = [
        text_column("name", "algorithm", lambda j: numerals.plain(names[j])),
        equal_column("area", "area", order, lambda j: float(result.areas[j]), strong=True),
        equal_column("first", f"at {low}", order, lambda j: float(means[j, 0]), rank=1),
        equal_column("last", f"at {high}", order, lambda j: float(means[j, -1])),
    ]
    axis = f"the logarithm of {unit}" if result.table.spacing == "log" else unit
    note = (
        f"Means over problems of the {what}. Area: mean height over {axis}, from {low} to {high}. The order shows no "
        "difference; the pairs below do."
    )
    return tabulate("areas", f"Mean {what} in numbers, the best area first", shown, order, note=note)


def _where(result: Curves, pair: CurvePair) -> str:
    """Where one is better; elsewhere no difference is shown, which a cell need not repeat."""
    if not pair.segments:
        return "cannot tell" if pair.verdict == "cannot tell" else "no difference shown"
    return better_somewhere(pair.a, pair.b, pair.segments, result.table.budget_name)


def pairs(result: Curves) -> list[Table]:
    """A row per pair."""
    alpha = result.alpha
    shown: list[ColumnSpec[CurvePair]] = [
        text_column("pair", "pair", two_names, wraps=True),
        text_column("verdict", "verdict", partial(_where, result), wraps=True),
        number_column(
            "adjusted", "smallest adjusted p", lambda p: numerals.pvalue(float(p.adjusted.min()), None, alpha)
        ),
        equal_column("last", "difference at the end", result.pairs, lambda p: float(p.difference[-1]), rank=1),
    ]
    note = (
        f"Adjusted over all pairs and budgets. Verdicts apply only to the {len(result.t)} budgets of the grid, not "
        "between them. Differences are positive where the first is better."
        if not result.table.whole
        else "Adjusted over all pairs and budgets. Differences are positive where the first is better."
    )
    return sections.split_by_decision(result.pairs, shown, differs_somewhere, "Where which one is better", note)


def interquartile_table(result: Curves) -> Table | None:
    """A row per algorithm, the best at the last budget first."""
    if not result.interquartile:
        return None
    better = -1.0 if result.table.better == "higher" else 1.0
    order = sorted(result.interquartile, key=lambda curve: better * float(curve.mean[-1]))
    half, last = (len(result.t) - 1) // 2, len(result.t) - 1
    shown: list[ColumnSpec[InterquartileCurve]] = [
        text_column("name", "algorithm", lambda c: numerals.plain(c.algorithm))
    ]
    for key, i in dict.fromkeys([("half", half), ("last", last)] if half < last else [("last", last)]):
        at = budget_text(float(result.t[i]))
        shown += [
            equal_column(key, f"at {at}", order, lambda c, i=i: float(c.mean[i]), strong=key == "last"),  # type: ignore[misc]
            interval_column(f"{key}-band", f"band at {at}", order,
                            lambda c, i=i: (float(c.band_low[i]), float(c.band_high[i])),  # type: ignore[misc]
                            rank=1 if key == "half" else 0, in_paper=True),
        ]  # fmt: skip
    level = numerals.percent(1 - result.alpha)
    note = (
        "All runs of all problems without the lowest and the highest quarter. Each band holds at all budgets of its "
        f"algorithm at once, with {level}, for other runs of these problems; JSON has those of single budgets, too."
    )
    return tabulate("interquartile", "Interquartile means along the budget", shown, order, note=note)


def _body(result: Curves) -> list[Section | None]:
    caption = f"Means over problems; {methods.direction(result.scores)}"
    along = (
        Figure(InterquartileAreas(curves=result), "Interquartile means along the budget", key="interquartile")
        if result.interquartile
        else None
    )
    return [
        sections.figure("Curves", Figure(result, caption, key="curves"), "curves-figure"),
        Section("areas", "Area under the curve", (areas(result),)),
        sections.figure("Interquartile means", along, "interquartile-figure"),
        sections.one_block("interquartile", "Interquartile means", interquartile_table(result)),
        Section("pairs", "Each pair", tuple(pairs(result))),
    ]


def _stretches(result: Curves) -> Columns:
    """A row per pair and stretch."""
    keys = ("a", "b", "low", "high", "better", "smallest adjusted p", "verdict")
    rows = []
    for p in result.pairs:
        stretches: Rows = [(s.low, s.high, p.a if s.better == "a" else p.b) for s in p.segments]
        rows += [(p.a, p.b, *each, float(p.adjusted.min()), p.verdict) for each in stretches or [(None, None, None)]]
    return {key: [row[i] for row in rows] for i, key in enumerate(keys)}


def _areas(result: Curves) -> Rows:
    names, means, under = result.table.algorithms, result.means, result.areas
    listed = [(names[j], float(under[j]), float(means[j, 0]), float(means[j, -1])) for j in result.ranked]
    return [("algorithm", "area", "at the first budget", "at the last budget"), *listed]


def _by_name(result: Curves) -> Annotated[dict[str, float], "Area under the mean curve, by algorithm."]:
    return dict(zip(result.table.algorithms, result.areas.tolist(), strict=True))


TELLING = Telling[Curves](
    schema="bakeoff.curves/1",
    title=lambda result: f"Curves: {sections.sizes(result.scores)}",
    verdict=verdict,
    basis=sentences.basis,
    body=_body,
    on_screen=lambda result: ("areas", "interquartile", *sections.if_few(result.pairs)),
    methods=sentences.methods,
    keys=(
        *("table.better", "scores.n_problems", "scores.n_algorithms", "n_units", "unit", "control", "alpha"),
        *("over", "exact", "t"),
        ("areas", _by_name),
        *("pairs", "interquartile"),
    ),
    source=lambda result: {"curves": {key: x for key, x in plain_data(result.table).items() if key != "runs" or x}},
    main=_stretches,
    second=_areas,
)
