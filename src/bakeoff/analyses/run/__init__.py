"""``run``: an experiment, or its resumption. ``scores``: the table alone."""

from bakeoff.analysis import Analysis

RECORDS = (
    Analysis(
        kind="run",
        command="run",
        help="Run an experiment, or resume it.",
        describes="report.experiment.run_page",
        ascii_json=True,
    ),
    Analysis(
        kind="experiment",
        function="bo.run",
        describes="report.experiment.document",
        drawn_by={
            "running.results:RunResult": "figures.geometry.experiment.forest:draw_run",
            "figures.geometry.experiment.quantiles:QuantilePlot": (
                "figures.geometry.experiment.quantiles:draw_quantiles"
            ),
            "figures.geometry.experiment.quantiles:MeansPlot": "figures.geometry.experiment.quantiles:draw_means",
        },
    ),
    Analysis(
        kind="scores",
        function="bo.score_table",
        describes="report.scores.document",
        no_picture="a table of scores; write .tex, .md, .html, .xlsx or .csv",
    ),
)
