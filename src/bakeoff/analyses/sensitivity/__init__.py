"""``sensitivity``: what other analyses, or other problems, would have said. ``examined``: below a comparison."""

from bakeoff.analyses.compare.parameters import DECIDING
from bakeoff.analysis import Analysis
from bakeoff.checks import FEWER_RESAMPLES
from bakeoff.parameter import n_resamples, seed

_EXPERIMENTS = (
    n_resamples("Second experiments drawn; 0: none", FEWER_RESAMPLES["sensitivity"]),
    seed("Seed of the second experiments"),
)
RECORDS = (
    Analysis(
        kind="sensitivity",
        function="bo.sensitivity",
        command="sensitivity",
        group="Check a report",
        help="Would other analyses, or other problems, give other verdicts?",
        schema="bakeoff.sensitivity/1",
        computes="analyses.sensitivity.statistics:sensitivity",
        describes="analyses.sensitivity.telling.document:TELLING",
        drawn_by={"analyses.sensitivity.statistics:Sensitivity": "analyses.sensitivity.figure:draw_sensitivity"},
        parameters=(*DECIDING, *_EXPERIMENTS),
    ),
    Analysis(
        kind="examined",
        describes="analyses.sensitivity.telling.with_comparison:TELLING",
        pictured="report.kinds:comparison_of",
        parameters=_EXPERIMENTS,
    ),
)
