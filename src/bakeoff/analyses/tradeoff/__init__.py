"""``tradeoff``: several metrics, each with its margin."""

from bakeoff.analysis import Analysis
from bakeoff.parameter import UNIT, Parameter

RECORDS = (
    Analysis(
        kind="tradeoff",
        function="bo.tradeoff",
        command="tradeoff",
        help="Which algorithm is as good in every metric, and better in one?",
        schema="bakeoff.tradeoff/1",
        computes="tradeoffs:tradeoff",
        source=("tables", "verification.contents:rebuilt_tables"),
        describes="report.tradeoff.document",
        drawn_by={"tradeoffs:Tradeoff": "figures.geometry.tradeoff.plane:draw_tradeoff"},
        parameters=(
            Parameter(
                "margins",
                'By metric, the smallest difference that matters, in score units or as "5%"',
                object,
                checked_by="verification.request:check_margins",
                on_command=False,
            ),
            Parameter("alpha", "Error rate of each family of statements", float, default=0.05, metavar="A"),
            Parameter("rng", "Seed of the draws for P(Pareto-optimal)", int, option="--seed", usual="0", metavar="N"),
            UNIT,
            Parameter("n_draws", "Draws for P(Pareto-optimal)", int, default=10_000, option="--draws", metavar="N"),
        ),
    ),
)
