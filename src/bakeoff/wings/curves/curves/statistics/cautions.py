"""Cautions for a reader of curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, Severity, counted, listing
from bakeoff.means.assumptions import long_tails
from bakeoff.means.cautions import skewed_differences, unequal_clusters
from bakeoff.means.strata import FEWEST, Stratum
from bakeoff.ranks.cautions import dependent_runs
from bakeoff.scores.clusters import Codes
from bakeoff.scores.source_cautions import direction_doubtful
from bakeoff.wings.curves.curves.statistics.budgets import budget_amount, budget_text
from bakeoff.wings.curves.curves.statistics.curve_tests import InterquartileCurve, StepDown, constant_curves
from bakeoff.wings.curves.curves.statistics.results import CurvePair, CurveTable
from bakeoff.wings.curves.even_runs import drawn_runs_caution

FEW_PROBLEMS = 10  # for interquartile means over runs
_WIDE = 1e3  # largest over smallest spread of a problem from which one problem decides a mean
_SCALES = 100.0  # and over the median spread, as for interquartile means


def curve_cautions(
    table: CurveTable,
    unit: str,
    groups: int,
    reachable: bool,
    alpha: float,
    law: StepDown,
    pairs: Sequence[CurvePair],
    strata: Sequence[Stratum],
) -> tuple[Caution, ...]:
    """Caution of sizes, of what was cut off, and of the scale of the scores."""
    doubtful = direction_doubtful(table.metric, table.better)
    cautions = [doubtful] if doubtful else []
    if table.dropped:
        problems, names = counted(len(table.dropped), "problem"), listing(table.dropped)
        cautions.append(caution_of("left-out", "problems-without-runs", problems=problems, names=names))
    single = [s.name for s in strata if s.n_clusters < 2]
    if single:
        cautions.append(caution_of("out-of-reach", "one-of-a-task", names=listing(map(repr, single)), units=f"{unit}s"))
    elif not reachable and 2.0 ** (1 - groups) > alpha:
        few, least = counted(groups, unit), 2.0 ** (1 - groups)
        cautions.append(caution_of("out-of-reach", "curves", count=few, groups=least, alpha=alpha, unit=unit))
    end = float(table.t[-1])
    if table.longest > end:
        amount = budget_amount(end, table.budget_name)
        cautions.append(caution_of("unequal", "budgets", end=amount, longest=budget_text(table.longest)))
    cautions += drawn_runs_caution(table.drawn, "Curves are of")
    if unit == "cluster":
        sizes = [s.sizes for s in strata if s.n_clusters > 1]
        cautions += unequal_clusters(sizes, [s.name for s in strata if s.n_clusters > 1], _of_flips) if sizes else []
    if not table.whole:
        cautions.append(caution_of("coarse-grid", t=len(table.t)))
    if table.clusters is not None and unit == "problem":
        cautions.append(caution_of("dependence", "curves"))
    if table.scale == "linear" and (unlike := _unlike_scales(table)):
        cautions.append(caution_of("scales-differ", "curves", unlike=unlike))
    if unit == "run":
        return (*cautions, *_of_runs(table, pairs), *_sampled(alpha, law, pairs))
    errs = "the test needs symmetric ones. In simulations of algorithms that sometimes fail, 10 to 15 % of tables had a"
    errs += " false stretch instead of 5 %."
    linear = "" if table.scale == "log" else "Use scale='log' if scores are errors above 0, or "
    instead = f"{linear or 'To be safe, '}compare the ranks at a budget: bo.compare(curves.fixed_budget(b))."
    cautions += skewed_differences(_skewed_pairs(table, strata, pairs), f"{unit}s", errs, instead)
    return (*cautions, *(_sampled(alpha, law, pairs) if not law.exact and reachable else ()))


def _of_runs(table: CurveTable, pairs: Sequence[CurvePair]) -> list[Caution]:
    if (runs := table.runs) is None:
        return []
    still = {name: None for p in pairs if np.isinf(p.statistic).any() for name in (p.a, p.b)}
    return [
        *dependent_runs(runs.kind, "runs"),
        *([caution_of("no-variation", "curves", names=listing(still))] if still else []),
    ]


def interquartile_cautions(table: CurveTable, curves: tuple[InterquartileCurve, ...]) -> list[Caution]:
    """Caution of interquartile means along the budget."""
    cautions = []
    if curves and (n := len(table.problems)) < FEW_PROBLEMS:
        cautions.append(caution_of("too-few", "middle-half-of-curves", tasks=counted(n, "problem")))
    if still := constant_curves(curves):
        cautions.append(caution_of("middle-constant", "curves", names=listing(still)))
    return cautions


def _sampled(alpha: float, law: StepDown, pairs: Sequence[CurvePair]) -> list[Caution]:
    near = [f"{p.a} and {p.b}" for p in pairs if _on_the_edge(p, alpha, law.size)]
    drawn = law.size - 1
    return [caution_of("sampled", "stretches", size=drawn, names=listing(near), draws=10 * drawn)] if near else []


def _unlike_scales(table: CurveTable) -> str:
    """Say how much more scores differ on one problem than on others; empty where that is little."""
    spread = np.ptp(table.values[:, :, -1], axis=1)
    most, some = table.problems[int(spread.argmax())], spread[spread > 0]
    if len(some) > 2 and spread.max() > _SCALES * float(np.median(some)):
        return f"{spread.max() / np.median(some):.0f} times as much on {most} as on the median problem"
    if len(some) > 1 and spread.max() > _WIDE * some.min():
        return f"{spread.max() / some.min():.1g} times as much on one problem as on another"
    return ""


def _of_flips(sizes: Codes, effective: float) -> tuple[str, Severity]:
    if effective < FEWEST:
        return ", too few to show anything about a mean: split the large clusters, or get more.", "stop"
    return ". The largest decide, and signs of few of them show little.", "warning"


def _skewed_pairs(table: CurveTable, strata: Sequence[Stratum], pairs: Sequence[CurvePair]) -> list[str]:
    """Find pairs whose differences have long tails at the last budget, or in the mean over budgets."""
    ends = np.concatenate([table.values[:, :, -1], table.values.mean(axis=2)], axis=1)
    at, k = {name: j for j, name in enumerate(table.algorithms)}, len(table.algorithms)
    a, b = (np.array([at[name] for name in side]) for side in zip(*((p.a, p.b) for p in pairs), strict=True))
    columns = np.concatenate([a, k + a]), np.concatenate([b, k + b])
    last, mean = long_tails(ends, columns, strata).reshape(2, -1)
    return [f"{pair.a} and {pair.b}" for pair, *tails in zip(pairs, last, mean, strict=True) if any(tails)]


def _on_the_edge(pair: CurvePair, alpha: float, size: int) -> bool:
    """Is an adjusted p within 2.6 standard errors of alpha?"""
    error = 2.6 * (alpha * (1 - alpha) / size) ** 0.5
    return bool((np.abs(pair.adjusted - alpha) <= error).any())
