"""``curves``: scores over budgets."""

from bakeoff.analysis import Analysis
from bakeoff.parameter import CONTROL, OVER, UNIT, Parameter, alpha, n_resamples, seed

RECORDS = (
    Analysis(
        kind="curves",
        function="bo.curves",
        command="curves",
        help="From which budget to which is one algorithm better?",
        title="Anytime curves",
        schema="bakeoff.curves/1",
        computes="wings.curves.curves.statistics:judged_curves",
        source=("curves", "wings.curves.curves.rebuilding:rebuilt_curves"),
        describes="wings.curves.curves.telling:TELLING",
        drawn_by={
            "wings.curves.curves.statistics:Curves": "wings.curves.curves.figure:draw_curves",
            "wings.curves.curves.figure:InterquartileAreas": ("wings.curves.curves.figure:draw_along"),
        },
        diagrams="wings.curves.curves.figure:diagrams",
        parameters=(
            CONTROL,
            alpha("Error rate of all pairs and budgets together"),
            UNIT,
            OVER,
            Parameter(
                "interquartile", "Over runs: also interquartile means at each budget, with bands", bool, default=False
            ),
            n_resamples("Sign flips drawn"),
            seed("Seed of the sign flips"),
        ),
    ),
)
