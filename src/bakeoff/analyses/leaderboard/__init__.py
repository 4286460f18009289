"""``leaderboard``: who may be the best, possible ranks, the winner's score. ``ranked``: below a comparison."""

from bakeoff.analysis import Analysis, Tab
from bakeoff.parameter import UNIT, Parameter

_PARAMETERS = (
    Parameter("alpha", "Error rate of all ranks and candidates", float, default=0.05, metavar="A"),
    Parameter("rng", "Seed of the signs", int, option="--seed", usual="0", metavar="N"),
    Parameter(
        "by",
        "Order by",
        default="mean",
        choices={"mean": "of scores", "mean-rank": "of ranks within problems, whatever their size"},
    ),
    UNIT,
    Parameter("n_resamples", "Choices of signs drawn", int, default=9999, option="--resamples", metavar="N"),
)
ABOUT = """Who may be the best, which ranks are possible, and what is the winner's score worth?

FILE is a table of scores, as of bakeoff compare. "-" reads standard input.

\b
bakeoff leaderboard results.csv --better higher
bakeoff leaderboard results.csv --better lower --by mean-rank --report board.html
"""

RECORDS = (
    Analysis(
        kind="leaderboard",
        function="bo.leaderboard",
        command="leaderboard",
        help="Who may be the best, and what is the winner's score worth?",
        about=ABOUT,
        tab=Tab(
            title="Leaderboard",
            question="Who may be best, which ranks are possible, and how good is the winner really?",
            shown=("by",),
        ),
        schema="bakeoff.leaderboard/1",
        computes="leaderboards:leaderboard",
        describes="report.leaderboard.document",
        drawn_by={"leaderboards:Leaderboard": "figures.geometry.leaderboard.ranks:draw_leaderboard"},
        parameters=_PARAMETERS,
    ),
    Analysis(
        kind="ranked",
        describes="report.leaderboard.with_comparison",
        pictured="report.kinds:comparison_of",
        parameters=_PARAMETERS,
    ),
)
