"""Where one of two algorithms is better: in the cell of a table, and as a bar of the figure."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

import bakeoff as bo
from bakeoff import report
from bakeoff.figures.geometry.primitives import Box


def test_a_cell_says_where_one_is_better_and_a_bar_lasts_until_the_next_budget() -> None:
    """ "no difference shown from budget 10 to 1000" took two lines of a terminal; one budget was a hairline."""
    rng = np.random.default_rng(1)
    budgets = [10.0, 30.0, 100.0, 300.0, 1000.0]
    values = rng.normal(size=(12, 1, 1)) + rng.normal(0, 0.1, (12, 2, 5))
    values[:, 0, 1:] -= 3.0
    values[:, 1, 2:] -= 3.0
    rows = [
        (f"f{i}", a, b, values[i, j, t]) for i in range(12) for j, a in enumerate("ab") for t, b in enumerate(budgets)
    ]
    frame = pd.DataFrame(rows, columns=["problem", "algorithm", "budget", "error"])
    result = bo.curves(frame, better="lower")
    assert [(s.low, s.high) for s in result.pairs[0].segments] == [(30.0, 30.0)]
    assert re.search(r"a – b +a better at budget 30 +0", report.render(result, "txt"))
    (bar,) = [item for item in bo.diagram(result).items if isinstance(item, Box) and item.role == "shown"]
    assert bar.width > 20


def test_a_verdict_without_a_difference_says_so_once() -> None:
    """ "… not shown to differ from any other at any budget; none of 3 pairs differ somewhere" said it twice."""
    values = np.random.default_rng(2).normal(size=(12, 3, 2))
    rows = [
        {"problem": f"f{i}", "algorithm": "abc"[j], "budget": t + 1, "error": values[i, j, t]}
        for i, j, t in np.ndindex(12, 3, 2)
    ]
    result = bo.curves(pd.DataFrame(rows), better="lower")
    best = result.table.algorithms[result.ranked[0]]
    said = f"No difference is shown in any of 3 pairs from budget 1 to 2; {best} is the best by area under the curve."
    assert result.verdict == said
    against_b = bo.curves(pd.DataFrame(rows), better="lower", control="b")
    assert against_b.verdict == "b is not shown to differ from any other from budget 1 to 2."
