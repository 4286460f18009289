"""``leaderboard``: who may be the best, possible ranks, the winner's score."""

from bakeoff.analysis import METRICS, Analysis, Tab
from bakeoff.parameter import UNIT, alpha, n_resamples, one_of, seed

_PARAMETERS = (
    alpha("Error rate of all ranks and candidates"),
    seed("Seed of the sign flips"),
    one_of("by", "Order by", {"mean": "of scores", "mean-rank": "of ranks within problems, whatever their size"}),
    UNIT,
    one_of(
        "over",
        "What could have been different",
        {"problems": "", "runs": "of these problems", "both": "the numbers of problems, which have runs in them"},
    ),
    n_resamples("Sign flips drawn"),
)
ABOUT = """Who may be the best, which ranks are possible, and what is the winner's score worth?

FILE is a table of scores, as of bakeoff compare. "-" reads standard input.

\b
bakeoff leaderboard results.csv --better higher
bakeoff leaderboard results.csv --better lower --by mean-rank --report board.html
"""

RECORDS = (
    Analysis(
        room="wings.boards.leaderboard",
        respects=METRICS,
        estimates="wings.boards.leaderboard.statistics:estimand",
        group="Language models",
        help="Who may be the best, and what is the winner's score worth?",
        about=ABOUT,
        tab=Tab(
            title="Leaderboard",
            question="Who may be best, which ranks are possible, and how good is the winner really?",
            shown=("by",),
        ),
        drawn_by={
            "wings.boards.leaderboard.statistics:Leaderboard": "wings.boards.leaderboard.figure:draw_leaderboard"
        },
        parameters=_PARAMETERS,
    ),
)
