"""What a reader of curves must know."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff.anytime.results import CurvePair, CurveTable
from bakeoff.anytime.segments import budget_amount, budget_text
from bakeoff.anytime.step_down import StepDown
from bakeoff.errors import Caution, counted, listing
from bakeoff.means.cautions import skewed_differences
from bakeoff.means.skewness import long_tails
from bakeoff.means.strata import one_stratum
from bakeoff.scores.clusters import codes_of
from bakeoff.scores.source_cautions import direction_doubtful

_WIDE = 1e3  # largest over smallest spread of a problem from which one problem decides a mean


def curve_cautions(
    table: CurveTable, unit: str, groups: int, reachable: bool, alpha: float, law: StepDown, pairs: Sequence[CurvePair]
) -> tuple[Caution, ...]:
    """Of sizes, of what was cut off, and of the scale of the scores."""
    doubtful = direction_doubtful(table.metric, table.better)
    found = [doubtful] if doubtful else []
    if not reachable:
        text = (
            f"With {counted(groups, unit)} no choice of signs has a p-value below {2.0 ** (1 - groups):.3g}, so that "
        )
        text += f"nothing can be told at {alpha:g}: get more {unit}s."
        found.append(Caution(code="cannot-tell", text=text, severity="stop"))
    end = float(table.t[-1])
    if table.longest > end:
        text = f"The curves are compared up to {budget_amount(end, table.budget_name)}, the smallest end of a run; "
        text += f"some runs go on to {budget_text(table.longest)}, which is not used."
        found.append(Caution(code="budgets-differ", text=text))
    if not table.whole:
        text = f"The curves are compared at {len(table.t)} budgets; between two of them nothing is claimed."
        found.append(Caution(code="coarse-grid", text=text, severity="note"))
    if table.clusters is not None and unit == "problem":
        text = "The problems are in clusters, which were not used: p-values are too small if problems of a cluster "
        text += "resemble each other."
        found.append(Caution(code="clusters-ignored", text=text))
    spread = np.ptp(table.values[:, :, -1], axis=1)
    spread = spread[spread > 0]
    if table.scale == "linear" and len(spread) > 1 and spread.max() > _WIDE * spread.min():
        text = f"At the end the algorithms differ {spread.max() / spread.min():.1g} times as much on one problem as on "
        text += "another: a mean difference in score units is that of few problems. Use scale='log' where scores are "
        text += "errors above 0, or compare the ranks at a budget: bo.compare(curves.fixed_budget(b))."
        found.append(Caution(code="scales-differ", text=text))
    errs = "the test needs symmetric ones (in simulations of algorithms that sometimes fail 10 to 15 % of tables had a "
    errs += "stretch that is not there, for 5 %)."
    instead = "Use scale='log' where scores are errors above 0, or compare the ranks at a budget: "
    instead += "bo.compare(curves.fixed_budget(b))."
    found += skewed_differences(_skewed_pairs(table, unit, pairs), f"{unit}s", errs, instead)
    if not law.exact and reachable:
        near = [f"{p.a} and {p.b}" for p in pairs if _on_the_edge(p, alpha, law.size)]
        if near:
            text = (
                f"From {law.size - 1} choices of signs, the ends of the stretches of {listing(near)} may lie a little "
            )
            text += f"elsewhere with another seed; n_resamples={10 * (law.size - 1)} is more precise."
            found.append(Caution(code="sampled", text=text, severity="note"))
    return tuple(found)


def _skewed_pairs(table: CurveTable, unit: str, pairs: Sequence[CurvePair]) -> list[str]:
    """At the last budget, or in the mean over budgets."""
    codes = codes_of(table.clusters if unit == "cluster" and table.clusters is not None else table.problems)
    ends = np.concatenate([table.values[:, :, -1], table.values.mean(axis=2)], axis=1)
    at, k = {name: j for j, name in enumerate(table.algorithms)}, len(table.algorithms)
    a, b = (np.array([at[name] for name in side]) for side in zip(*((p.a, p.b) for p in pairs), strict=True))
    columns = np.concatenate([a, k + a]), np.concatenate([b, k + b])
    last, mean = long_tails(ends, columns, [one_stratum(codes)]).reshape(2, -1)
    return [f"{pair.a} and {pair.b}" for pair, *tails in zip(pairs, last, mean, strict=True) if any(tails)]


def _on_the_edge(pair: CurvePair, alpha: float, size: int) -> bool:
    """Is an adjusted p within 2.6 standard errors of alpha?"""
    error = 2.6 * (alpha * (1 - alpha) / size) ** 0.5
    return bool((np.abs(pair.adjusted - alpha) <= error).any())
