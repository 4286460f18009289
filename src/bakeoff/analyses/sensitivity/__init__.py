"""``sensitivity``: what other analyses, or other problems, would have said. ``examined``: below a comparison."""

from bakeoff.analyses.compare.parameters import DECIDING
from bakeoff.analysis import Analysis
from bakeoff.parameter import number_of_draws, seed

_EXPERIMENTS = (
    number_of_draws("resamples", "Second experiments drawn; 0: none", 400),
    seed("Seed of the second experiments"),
)
RECORDS = (
    Analysis(
        kind="sensitivity",
        function="bo.sensitivity",
        command="sensitivity",
        help="Would other analyses, or other problems, have said otherwise?",
        schema="bakeoff.sensitivity/1",
        computes="robustness:sensitivity",
        describes="report.sensitivity.document",
        drawn_by={"robustness:Sensitivity": "figures.geometry.sensitivity.matrix:draw_sensitivity"},
        parameters=(*DECIDING, *_EXPERIMENTS),
    ),
    Analysis(
        kind="examined",
        describes="report.sensitivity.with_comparison",
        pictured="report.kinds:comparison_of",
        parameters=_EXPERIMENTS,
    ),
)
