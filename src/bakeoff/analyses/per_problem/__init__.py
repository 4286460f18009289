"""``per-problem``: the table of + and − that papers on optimisers print."""

from bakeoff.analysis import BY_ITSELF, Analysis
from bakeoff.parameter import CONTROL, Parameter, alpha

ABOUT = """On which problems is one algorithm better, judged by its runs on each?

FILE has several runs of each algorithm on each problem, as a long table (columns problem, algorithm, run, score). A
store of runs (.sqlite) needs no --better. "-" reads standard input.

\b
bakeoff per-problem runs.csv --better lower --control ours
bakeoff per-problem runs.csv --better lower --report table.tex
"""

RECORDS = (
    Analysis(
        room="analyses.per_problem",
        respects=(BY_ITSELF | {"one data set"}) - {"folds", "runs in time"},
        estimates="analyses.per_problem.statistics:estimand",
        help="On which problems is one algorithm better, by its runs?",
        about=ABOUT,
        progress="pairs tested",
        drawn_by={"analyses.per_problem.statistics:PerProblem": "analyses.per_problem.figure:draw_per_problem"},
        parameters=(
            CONTROL,
            Parameter(
                "correction",
                "Over the problems of each pair",
                default="holm",
                choices={"holm": "", "fdr-bh": "false discovery rate", "none": ""},
            ),
            Parameter(
                "paired",
                "Run r of one algorithm belongs to run r of the others (one fold or seed)",
                bool,
                default=False,
            ),
            alpha("Level of each pair's problems"),
        ),
    ),
)
