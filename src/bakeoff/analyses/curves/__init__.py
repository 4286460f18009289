"""``curves``: scores over budgets."""

from bakeoff.analysis import Analysis
from bakeoff.parameter import CONTROL, UNIT, Parameter

RECORDS = (
    Analysis(
        kind="curves",
        function="bo.curves",
        command="curves",
        help="From which budget to which is one algorithm better?",
        schema="bakeoff.curves/1",
        computes="anytime:judged_curves",
        source=("curves", "verification.curve_tables:rebuilt_curves"),
        describes="report.curves.document",
        drawn_by={"anytime:Curves": "figures.geometry.curves.mean_curves:draw_curves"},
        parameters=(
            CONTROL,
            Parameter("alpha", "Error rate of all pairs and budgets together", float, default=0.05, metavar="A"),
            UNIT,
            Parameter("n_resamples", "Choices of signs drawn", int, default=9999, option="--resamples", metavar="N"),
            Parameter("rng", "Seed of the signs", int, option="--seed", usual="0", metavar="N"),
        ),
    ),
)
