"""Whole curves: tables with a row per budget, which no other analysis reads."""

from __future__ import annotations

from bakeoff.web.views.compare import ALPHA, CONTROL
from bakeoff.web.views.view import Facts, FormField, Values, View, fixed


def _lines(file: str, values: Values, facts: Facts) -> str:
    """For Python: the file is read by the analysis itself."""
    said = [choice.source_text(values[choice.name]) for choice in CURVES.controls if choice.name in values]
    return f"import bakeoff as bo\nresult = bo.curves({', '.join([repr(file), *said])})"


CURVES = View(
    name="curves",
    title="Curves",
    question="From which budget to which is one algorithm better than another?",
    command="curves",
    function="bo.curves",
    of_curves=True,
    reads=("better", "problem", "algorithm", "run", "score", "cluster"),
    choices=(
        CONTROL,
        FormField(
            name="best_so_far",
            label="The latest score counts, not the best so far",
            option="--latest",
            python="flag off",
        ),
        FormField(
            name="target",
            label="Target",
            python="number",
            example="1e-8",
            hint="The score at which runs stop: whoever reached it keeps it",
        ),
        FormField(name="scale", label="Scale", offered=fixed(("", "as it is"), ("log", "logarithms")), further=True),
        FormField(
            name="spacing", label="Budgets", offered=fixed(("", "logarithmic"), ("linear", "linear")), further=True
        ),
        FormField(
            name="cell", label="Of several runs", offered=fixed(("", "mean"), ("median", "median")), further=True
        ),
        ALPHA,
    ),
    slow=True,
    script=_lines,
)
