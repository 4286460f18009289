"""``run``: an experiment, or its resumption."""

from bakeoff.analysis import Analysis

RECORDS = (
    Analysis(
        kind="run",
        command="run",
        group="Plan and run",
        help="Run an experiment, or resume it.",
        describes="wings.run.run.telling.run_page:TELLING",
        ascii_json=True,
    ),
    Analysis(
        kind="experiment",
        function="bo.run",
        describes="wings.run.run.telling.document:TELLING",
        drawn_by={
            "wings.run.results:RunResult": "wings.run.run.figure:draw_run",
            "wings.run.run.figure:QuantilePlot": "wings.run.run.figure:draw_quantiles",
            "wings.run.run.figure:MeansPlot": "wings.run.run.figure:draw_means",
        },
    ),
)
