"""``tradeoff``: several metrics, each with its margin."""

from bakeoff.analysis import METRICS, Analysis
from bakeoff.parameter import UNIT, Parameter, alpha, n_draws, seed

RECORDS = (
    Analysis(
        room="wings.boards.tradeoff",
        respects=METRICS,
        estimates="wings.boards.tradeoff.statistics:estimand",
        planned="raise",
        help="Which algorithm is as good in every metric, and better in one?",
        title="Trade-off of several metrics",
        source=("tables", "wings.boards.tradeoff.reporting:rebuilt_tables"),
        drawn_by={"wings.boards.tradeoff.statistics:Tradeoff": "wings.boards.tradeoff.figure:draw_tradeoff"},
        parameters=(
            Parameter(
                "margins",
                'By metric, the smallest difference that matters, in score units or as "5%"',
                object,
                checked_by="report.reading_back:check_margins",
                on_command=False,
            ),
            alpha("Error rate of each family of statements"),
            seed("Seed of the draws for P(Pareto-optimal)"),
            UNIT,
            n_draws("Draws for P(Pareto-optimal)", 10_000),
        ),
    ),
)
