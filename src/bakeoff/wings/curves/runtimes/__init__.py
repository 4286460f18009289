"""``runtimes``: times of which some were stopped at a cap."""

from bakeoff.analysis import RANKS, Analysis
from bakeoff.checks import FEWER_RESAMPLES
from bakeoff.parameter import CONTROL, OVER, Parameter, alpha, n_resamples, seed

ABOUT = """Which algorithm is faster where some runs were stopped, and does what a timeout counts decide?

FILE has the time of each algorithm on each problem. It is a long table (columns problem, algorithm, score, perhaps
run, cluster and status), a wide one, or what another program wrote. Less is better. A run whose status is not ok
has no time; it counts as unsolved. "-" reads standard input.

\b
bakeoff runtimes times.csv --cap 5000 --ties 5%
bakeoff runtimes runs.csv --score seconds --status status --cap 5000 --cluster family --report report.html
"""

RECORDS = (
    Analysis(
        kind="runtimes",
        respects=RANKS,
        estimates="wings.curves.runtimes.statistics.results:runtimes_estimand",
        function="bo.runtimes",
        command="runtimes",
        planned="keep",
        help="Which algorithm is faster, if some runs were stopped?",
        about=ABOUT,
        reads="times",
        after=("target",),
        hook="wings.curves.runtimes.options:call_runtimes",
        title="Runtimes with a cap",
        schema="bakeoff.runtimes/1",
        computes="wings.curves.runtimes.statistics:runtimes",
        describes="wings.curves.runtimes.reporting:REPORT",
        drawn_by={"wings.curves.runtimes.statistics:Runtimes": "wings.curves.runtimes.figure:draw_solved"},
        diagrams="wings.curves.runtimes.figure:diagrams",
        parameters=(
            Parameter(
                "cap",
                "Time limit of every run, or the column that holds it (long layout). Without --status, a time of at "
                "least the limit is a timeout; with it, a longer time is",
                float,
                text_too=True,
                several=True,
                metavar="T|COLUMN",
                label="Time limit",
            ),
            Parameter(
                "k",
                "Penalty: a timeout counts K caps. Repeatable",
                float,
                default=(1, 2, 10),
                several=True,
                repeatable=True,
                metavar="K",
                label="Penalty factors",
            ),
            Parameter("shift", "Shift of the geometric mean", float, default=10.0, metavar="S", label="Shift"),
            Parameter(
                "ties",
                'Times this close are equal: a number in the unit of the times, or a percentage such as "5%"',
                float,
                text_too=True,
                metavar="T",
                label="Equal within",
            ),
            seed("Seed of the bootstrap"),
            CONTROL,
            alpha("Error rate of each family of tests"),
            n_resamples("Bootstrap samples of the problems", FEWER_RESAMPLES["runtimes"]),
            OVER,
            Parameter(
                "points",
                'Points by status for a score-based quantile plot, such as "ok=1,wrong=-16"',
                usual="none",
                metavar="POINTS",
            ),
        ),
    ),
)
