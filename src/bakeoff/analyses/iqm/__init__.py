"""``iqm``: interquartile means over tasks and runs."""

from bakeoff.analysis import Analysis
from bakeoff.parameter import CONTROL, Parameter

RECORDS = (
    Analysis(
        kind="iqm",
        function="bo.interquartile_mean",
        command="iqm",
        help="How good is each algorithm over all tasks and runs?",
        schema="bakeoff.interquartile-mean/1",
        computes="interquartile:interquartile_mean",
        describes="report.interquartile.document",
        drawn_by={"interquartile:InterquartileMean": "figures.geometry.interval_rows.interquartile:draw_interquartile"},
        parameters=(
            CONTROL,
            Parameter(
                "over",
                "Claims are for",
                default="tasks",
                choices={"tasks": "other tasks and runs", "runs": "other runs of these tasks"},
            ),
            Parameter(
                "interval", "Intervals", default="t", choices={"t": "", "percentile": "of the bootstrap, as rliable"}
            ),
            Parameter("alpha", "Level of each interval, and of all pairs", float, default=0.05, metavar="A"),
            Parameter("goal", "Of the optimality gap", float, usual="1 where higher is better", metavar="X"),
            Parameter("resamples", "Of percentile intervals", int, default=2000, metavar="N"),
            Parameter("rng", "Seed of the resamples", int, option="--seed", usual="0", metavar="N"),
        ),
    ),
)
