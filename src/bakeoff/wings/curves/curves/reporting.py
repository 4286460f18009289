"""Curves in words, as the format-free Document, as JSON and as columns."""

from functools import partial
from typing import Annotated

import numpy as np

from bakeoff import numerals
from bakeoff.means.run_means import CLAIMS
from bakeoff.report import sections
from bakeoff.report.data import plain_data
from bakeoff.report.document import (
    ColumnSpec,
    Figure,
    Section,
    Table,
    Text,
    equal_column,
    interval_column,
    number_column,
    tabulate,
    text_column,
    two_names,
)
from bakeoff.report.methods import direction, joined, problem_count, sample, software, text
from bakeoff.report.reporting import Columns, Reporting, Rows
from bakeoff.wings.curves.curves.figure import InterquartileAreas
from bakeoff.wings.curves.curves.statistics import CurvePair, Curves
from bakeoff.wings.curves.curves.statistics.budgets import better_somewhere, budget_text, stretch
from bakeoff.wings.curves.curves.statistics.curve_tests import InterquartileCurve
from bakeoff.wings.curves.curves.statistics.results import IF_ANY


def differs_somewhere(pair: CurvePair) -> bool:
    """Was a difference shown somewhere?"""
    return bool(pair.segments)


def budget_span(result: Curves) -> str:
    """``from 10 to 5000 evaluations``."""
    return stretch(float(result.t[0]), float(result.t[-1]), result.table.budget_name)


def verdict(result: Curves) -> str:
    """Say who is better than whom, from which budget to which, and of what."""
    return f"{_findings(result)[:-1]}{CLAIMS[result.over]}."


def _findings(result: Curves) -> str:
    if not result.reachable:
        units = numerals.count(result.n_units, result.unit)
        return f"This experiment cannot tell: with {units} no outcome could show a difference at {result.alpha:g}."
    if len(result.pairs) == 1:
        [pair] = result.pairs
        if pair.segments:
            return f"{pair.verdict}."
        a, b = numerals.plain(pair.a), numerals.plain(pair.b)
        return f"No difference shown between {a} and {b} {budget_span(result)}."
    name = result.control if result.control is not None else result.table.algorithms[result.ranked[0]]
    shown = sum(map(differs_somewhere, result.pairs))
    if not shown and result.control is not None:
        return f"{numerals.plain(name)} is not shown to differ from any other {budget_span(result)}."
    if not shown:
        best = f"{numerals.plain(name)} is the best by area under the curve"
        return f"No difference is shown in any of {len(result.pairs)} pairs {budget_span(result)}; {best}."
    of_all = f"{shown} of {len(result.pairs)} pairs {'differs' if shown == 1 else 'differ'} somewhere"
    better, worse = against(result, name, True), against(result, name, False)
    sentence = numerals.plain(name)
    what = "" if result.control is not None else ", the best by area under the curve,"
    if better or worse:
        m = len(result.table.algorithms) - 1
        parts = [sections.better_and_worse(better, [], m)] if better else []
        parts += [sections.better_and_worse([], worse, m)] if worse else []
        sentence += f"{what} is {', and '.join(f'{part} at some budgets' for part in parts)}"
    else:
        sentence += f"{what} is not shown to differ from any other at any budget"
    return f"{sentence}; {of_all} {budget_span(result)}."


def against(result: Curves, name: str, better: bool) -> list[str]:
    """Whom it beats (or who beats it) somewhere."""
    listed = []
    for pair in result.pairs:
        if name in (pair.a, pair.b):
            own = "a" if pair.a == name else "b"
            if any((s.better == own) == better for s in pair.segments):
                listed.append(numerals.plain(pair.b if own == "a" else pair.a))
    return listed


def basis(result: Curves) -> str:
    """Name the evidence behind the verdict."""
    pairs = "" if len(result.pairs) == 1 else f"{len(result.pairs)} pairs and "
    how = "Runs within problems" if result.over == "runs" else f"Sign flips of {result.unit}s"
    return (
        f"{how}, largest |t| over {pairs}{numerals.count(len(result.t), 'budget')}, "
        f"family-wise α = {result.alpha:g}; {problem_count(result.scores)}; {result.table.better} scores are better."
    )


def scores_words(result: Curves) -> str:
    """``log10 score``."""
    return numerals.plain(result.scores.metric or "score")


def runs_words(result: Curves) -> str:
    """The word for one curve."""
    table = result.table
    low, high = table.n_runs
    of_runs = "one run" if high == 1 else f"{low} runs" if low == high else f"{low} to {high} runs"
    kept = "best score so far" if table.best_so_far else "latest score"
    how = f"the {table.cell} of {of_runs}" if high > 1 else of_runs
    log = ", as logarithm to base 10" if table.scale == "log" else ""
    grid = f"{numerals.count(len(result.t), 'budget')} {budget_span(result)}"
    sentence = f"Each curve is {how} on one problem, the {kept}{log}, at {grid}"
    if table.target is not None:
        sentence += f"; a run that reached {numerals.significant(table.target, 6)} keeps it"
    return f"{sentence}. "


def methods(result: Curves) -> Text:
    """The paragraph for a paper."""
    if result.over == "runs":
        return joined(sample(result.scores), text(_of_runs(result) + _area(result)), (runs_words(result),), software())
    each = f"all signs of the {result.unit}s" if result.exact else f"{result.n_resamples} choices of signs"
    pairs = "all budgets" if len(result.pairs) == 1 else f"all {len(result.pairs)} pairs and all budgets"
    paragraph = (
        "Paired differences were tested at all budgets at once: the signs of whole curves of "
        f"{result.unit}s were flipped ({each}, the same for {pairs}). P-values were adjusted by the step-down "
        f"procedure for the largest |t| over {pairs} [@westfallyoung1993]. The family-wise error is at most "
        f"{result.alpha:g} if the differences are "
        "symmetric. "
    )
    return joined(sample(result.scores), text(paragraph + _area(result)), (runs_words(result),), software())


def _area(result: Curves) -> str:
    axis = "the logarithm of the budget" if result.table.spacing == "log" else "the budget"
    return f"The area under a curve is its mean height over {axis}. "


def _of_runs(result: Curves) -> str:
    pairs = "all budgets" if len(result.pairs) == 1 else f"all {len(result.pairs)} pairs and all budgets"
    return (
        "The problems were treated as fixed, and the runs on each as a sample. Standard errors are those of runs "
        "within problems, with Satterthwaite's degrees of freedom, the fewest over all budgets. Where numbers of runs "
        "differ, errors of differences are at least Student's. Differences between "
        f"mean curves were judged by the distribution of the largest |t| over {pairs} [@gameshowell1976]. It was "
        f"sampled {result.n_resamples} times from Gaussian curves with the covariance of the runs; α = "
        f"{result.alpha:g} for the family. "
    ) + _of_middle(result)


def _of_middle(result: Curves) -> str:
    if not result.interquartile:
        return ""
    return (
        "Interquartile means of all runs [@agarwal2021] have errors by the Winsorized contributions of the runs within "
        "problems, and bands that hold at all budgets of an algorithm at once. "
    )


def _over(result: Curves) -> str:
    """The word for what counts equally."""
    return result.table.design.weights


def budget_line(result: Curves, budget: float) -> str:
    """``At 1000 evaluations: A 0.12, B 0.31 (means over problems).``"""
    values, mean = result.fixed_budget(budget).values, result.table.mean
    log = result.table.scale == "log"
    means = (10.0 ** mean(np.log10(values)) if log else mean(values)).tolist()
    each = ", ".join(
        f"{numerals.plain(name)} {value}"
        for name, value in zip(result.table.algorithms, numerals.equal_decimals(means), strict=True)
    )
    where = stretch(budget, budget, result.table.budget_name)
    return f"{where[0].upper()}{where[1:]}: {each} ({'geometric mean' if log else 'mean'} scores over {_over(result)})."


def target_line(result: Curves, target: float) -> str:
    """``To 0.01: A 320 evaluations (95 % 210 to 540; 12 of 12 runs), …``"""
    time = result.running_time(target, rng=result.rng)
    each = []
    for j, name in enumerate(time.algorithms):
        low, high = (numerals.score(float(x)) for x in time.interval[j])
        reached = f"{int(time.successes[:, j].sum())} of {int(time.trials[:, j].sum())} runs"
        mean = numerals.score(float(time.pooled[j]))
        each.append(f"{numerals.plain(name)} {mean} ({low} to {high}; {reached})")
    level = numerals.percent(time.confidence_level)
    units = "problems" if result.over == "runs" else f"{result.unit}s"
    return (
        f"Expected {numerals.plain(result.table.budget_name)} to {numerals.significant(target, 6)}, all problems "
        f"together ({level} bootstrap interval of each over {units}): {', '.join(each)}."
    )


def areas(result: Curves) -> Table:
    """A row per algorithm, the best area first."""
    order = result.ranked
    means = result.means
    names, unit = result.table.algorithms, numerals.plain(result.table.budget_name)
    low, high = (budget_text(float(result.t[i])) for i in (0, -1))
    what = scores_words(result)
    shown: list[ColumnSpec[int]] = [
        text_column("name", "algorithm", lambda j: numerals.plain(names[j])),
        equal_column("area", "area", order, lambda j: float(result.areas[j]), strong=True),
        equal_column("first", f"at {low}", order, lambda j: float(means[j, 0]), rank=1),
        equal_column("last", f"at {high}", order, lambda j: float(means[j, -1])),
    ]
    axis = f"the logarithm of {unit}" if result.table.spacing == "log" else unit
    note = (
        f"Means over {_over(result)} of the {what}. Area: mean height over {axis}, from {low} to {high}. The "
        "order shows no difference; the pairs below do."
    )
    return tabulate("areas", f"Mean {what} in numbers, the best area first", shown, order, note=note)


def _where(result: Curves, pair: CurvePair) -> str:
    """Say where one is better; elsewhere no difference is shown, which a cell need not repeat."""
    if not pair.segments:
        return "cannot tell" if pair.verdict == "cannot tell" else "no difference shown"
    return better_somewhere(pair.a, pair.b, pair.segments, result.table.budget_name)


def pairs(result: Curves) -> list[Table]:
    """A row per pair."""

    def least(pair: CurvePair) -> str:
        return numerals.pvalue(float(pair.adjusted.min()), None, result.alpha)

    shown: list[ColumnSpec[CurvePair]] = [
        text_column("pair", "pair", two_names, wraps=True),
        text_column("verdict", "verdict", partial(_where, result), wraps=True),
        number_column("adjusted", "smallest adjusted p", least),
        equal_column("last", "difference at the end", result.pairs, lambda p: float(p.difference[-1]), rank=1),
    ]
    grid = f" Verdicts apply only to the {len(result.t)} budgets of the grid, not between them."
    note = f"Adjusted over all pairs and budgets.{'' if result.table.whole else grid}"
    note += " Differences are positive where the first is better."
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
    caption = f"Means over {_over(result)}; {direction(result.scores)}"
    areas_along, title = InterquartileAreas(curves=result), "Interquartile means along the budget"
    along = Figure(areas_along, title, key="interquartile") if result.interquartile else None
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


REPORT = Reporting[Curves](
    schema="bakeoff.curves/1",
    title=lambda result: f"Curves: {sections.sizes(result.scores)}",
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=lambda result: ("areas", "interquartile", *sections.if_few(result.pairs)),
    methods=methods,
    keys=(
        *("table.better", "scores.n_problems", "scores.n_algorithms", "n_units", "unit", "control", "alpha"),
        *("over", "exact", "t"),
        ("areas", _by_name),
        *("pairs", "interquartile"),
    ),
    source=lambda result: {"curves": {k: x for k, x in plain_data(result.table).items() if x or k not in IF_ANY}},
    main=_stretches,
    second=_areas,
)
