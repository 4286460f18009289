"""Whole curves: tables with a row per budget, which no other analysis reads."""

from __future__ import annotations

from bakeoff.wings.curves.curves.parameters import ALONG
from bakeoff.wings.page.views.fields import field, form
from bakeoff.wings.page.views.view import Facts, FormField, Values, View

_OF = {parameter.name: parameter for parameter in ALONG}


def _lines(file: str, values: Values, facts: Facts) -> str:
    """For Python: the file is read by the analysis itself."""
    texts = [choice.source_text(values[choice.name]) for choice in CURVES.controls if choice.name in values]
    return f"import bakeoff as bo\nresult = bo.curves({', '.join([repr(file), *texts])})"


CURVES = View(
    name="curves",
    title="Curves",
    question="From which budget to which is one algorithm better than another?",
    command="curves",
    function="bo.curves",
    of_curves=True,
    reads=("better", "problem", "algorithm", "run", "score", "cluster"),
    choices=(
        *form("curves", "control"),
        FormField(
            name="best_so_far",
            label="The latest score counts, not the best so far",
            option="--latest",
            python="flag off",
        ),
        field(_OF["target"], example="1e-8"),
        field(_OF["scale"], label="Scale", further=True),
        field(_OF["spacing"], label="Budgets", further=True),
        field(_OF["cell"], label="Of several runs", further=True),
    ),
    slow=True,
    script=_lines,
)
