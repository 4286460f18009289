"""``iqm``: interquartile means over problems and runs."""

from bakeoff.analysis import MEANS, Analysis, Tab
from bakeoff.checks import FEWER_RESAMPLES
from bakeoff.parameter import CONTROL, Parameter, alpha, n_resamples, one_of, seed

ABOUT = """How good is each algorithm over all problems and runs, without the worst and the best quarter of runs?

FILE has scores on one scale, such as human-normalised ones, with several runs of each algorithm on each problem. It is
a long table (columns problem, algorithm, run, score), or a store of runs. "-" reads standard input.

\b
bakeoff iqm runs.csv --better higher
bakeoff iqm runs.csv --better higher --over runs --control ours --report iqm.html
"""

RECORDS = (
    Analysis(
        room="wings.boards.iqm",
        respects=MEANS,
        estimates="wings.boards.iqm.statistics:estimand",
        function="bo.interquartile_mean",
        help="How good is each algorithm over all problems and runs?",
        about=ABOUT,
        tab=Tab(
            title="IQM",
            question="How good is each over all problems and runs, without the worst and the best quarter of the runs?",
            shown=("control", "over"),
        ),
        title="Interquartile means",
        drawn_by={"wings.boards.iqm.statistics:InterquartileMean": "wings.boards.iqm.figure:draw_interquartile"},
        parameters=(
            CONTROL,
            one_of(
                "over",
                "Claims are about",
                {
                    "problems": "other problems and runs",
                    "runs": "other runs of these problems",
                    "tasks": "the former word for problems",
                },
            ),
            one_of("interval", "Intervals", {"t": "", "percentile": "bootstrap, as in rliable"}),
            alpha("Level of each interval, and of all pairs"),
            Parameter("goal", "Goal of the optimality gap", float, usual="1 where higher is better", metavar="X"),
            n_resamples("Bootstrap samples of percentile intervals", FEWER_RESAMPLES["interquartile-mean"]),
            seed("Seed of the resamples"),
        ),
    ),
)
