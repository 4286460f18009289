"""``sensitivity``: what other analyses, or other problems, would have said."""

from bakeoff.analyses.compare.parameters import DECIDING
from bakeoff.analysis import Analysis
from bakeoff.checks import FEWER_RESAMPLES
from bakeoff.parameter import n_resamples, seed

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
        parameters=(
            *DECIDING,
            n_resamples("Second experiments drawn; 0: none", FEWER_RESAMPLES["sensitivity"]),
            seed("Seed of the second experiments"),
        ),
    ),
)
