"""``run``: an experiment, or its resumption."""

from bakeoff.analysis import RANKS, Analysis
from bakeoff.parameter import Parameter
from bakeoff.wings.run.running_parameters import running_options

ABOUT = """Run an experiment, or resume it.

EXPERIMENT.toml says which algorithms (commands or Python functions) run on which problems, and how often. Every
finished run is stored at once. Ctrl-C waits for the current runs, a second Ctrl-C stops at once; the same command
resumes, with any number of workers.

\b
bakeoff run experiment.toml --workers 4
bakeoff compare experiment.sqlite --report report.html
bakeoff run experiment.toml --part 3/40
"""

RECORDS = (
    Analysis(
        kind="run",
        respects=RANKS,
        estimates="wings.run.run.reporting.document:estimand_of_page",
        command="run",
        group="Plan and run",
        help="Run an experiment, or resume it.",
        about=ABOUT,
        reads="experiment",
        before=(
            *running_options("EXPERIMENT.sqlite", "The result"),
            Parameter(
                "part",
                "Make the runs of one part only, such as 3/40, in a store of its own: the jobs of a cluster need no "
                "connection to each other. `bakeoff merge` puts the parts together",
                metavar="I/N",
            ),
        ),
        hook="wings.run.run.options:call_run",
        store=".sqlite",
        writes_scores=True,
        describes="wings.run.run.reporting.document:PAGE",
        ascii_json=True,
    ),
    Analysis(
        kind="experiment",
        estimates="ranks of clusters",
        function="bo.run",
        describes="wings.run.run.reporting.document:REPORT",
        drawn_by={
            "wings.run._run:RunResult": "wings.run.run.figure:draw_run",
            "wings.run.run.figure:QuantilePlot": "wings.run.run.figure:draw_quantiles",
            "wings.run.run.figure:MeansPlot": "wings.run.run.figure:draw_means",
        },
    ),
)
