"""``curves``: scores over budgets."""

from bakeoff.analysis import MEANS, Analysis
from bakeoff.parameter import CONTROL, OVER, UNIT, Parameter, alpha, n_resamples, seed
from bakeoff.wings.curves.curves.parameters import ALONG, COLUMNS

ABOUT = """From which budget to which is one algorithm better than another?

FILE is a long table (columns problem, algorithm, run, budget, score), also in several files or a folder (one per
algorithm, problem or run), or logs of COCO or IOHprofiler.
The share of several targets that runs reach (an ECDF) is drawn by: bakeoff profile FILE --kind data --targets coco.

\b
bakeoff curves runs.csv --better lower
bakeoff curves runs --better higher
bakeoff curves --label new=logs/new --label old=logs/old --scale log --budget evaluations/dimension
bakeoff curves runs.csv --better higher --latest --spacing linear --report curves.html
"""

RECORDS = (
    Analysis(
        kind="curves",
        respects=MEANS,
        estimates="wings.curves.curves.statistics.results:curve_estimand",
        function="bo.curves",
        command="curves",
        help="From which budget to which is one algorithm better?",
        about=ABOUT,
        reads="files",
        before=COLUMNS,
        after=(*ALONG, "selection"),
        hook="wings.curves.curves.options:call_curves",
        title="Anytime curves",
        schema="bakeoff.curves/1",
        computes="wings.curves.curves.statistics:judged_curves",
        source=("curves", "wings.curves.curves.rebuilding:rebuilt_curves"),
        describes="wings.curves.curves.reporting:REPORT",
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
