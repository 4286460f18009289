"""Of ``per-problem``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import few_runs, runs, with_runs

EXAMPLE = Example(
    results={"per-problem": lambda: bo.per_problem(bo.Scores([[[1, 2, 3, 4], [6, 7, 8, 9]]] * 3, better="lower"))},
    decisions={"per-problem": "cannot tell"},
    on_the_page={"per-problem": "better=lower&control=B&correction=fdr-bh"},
    ordinary={"per_problem": Ordinary(lambda: bo.per_problem(runs(3, 2, 10)), lacks="out-of-reach error-rate unequal")},
    turned={"per-problem": (few_runs, bo.per_problem)},
    clusters={"per_problem": ("within", lambda s: [c.pvalue for c in bo.per_problem(with_runs(s)).cells])},
    quick_to_forge=("per-problem",),
)
