"""``run``: an experiment, or its resumption."""

from bakeoff.analysis import Analysis

RECORDS = (
    Analysis(
        kind="run",
        command="run",
        group="Plan and run",
        help="Run an experiment, or resume it.",
        describes="analyses.run.telling.run_page:TELLING",
        ascii_json=True,
    ),
    Analysis(
        kind="experiment",
        function="bo.run",
        describes="analyses.run.telling.document:TELLING",
        drawn_by={
            "running.results:RunResult": "analyses.run.figure.forest:draw_run",
            "analyses.run.figure.quantiles:QuantilePlot": "analyses.run.figure.quantiles:draw_quantiles",
            "analyses.run.figure.quantiles:MeansPlot": "analyses.run.figure.quantiles:draw_means",
        },
    ),
)
