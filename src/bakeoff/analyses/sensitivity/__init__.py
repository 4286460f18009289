"""``sensitivity``: what other analyses, or other problems, would have said."""

from bakeoff.analyses.compare.parameters import DECIDING
from bakeoff.analysis import RANKS, Analysis
from bakeoff.checks import FEWER_RESAMPLES
from bakeoff.parameter import n_resamples, seed

ABOUT = """Would another reasonable analysis, or slightly other problems, have given another verdict?

FILE is a table of scores, as of bakeoff compare, whose verdicts are examined: the same options give the same
verdicts. "-" reads standard input.

\b
bakeoff sensitivity results.csv --better lower
bakeoff sensitivity results.csv --better lower --control ours --report solid.html
"""

RECORDS = (
    Analysis(
        room="analyses.sensitivity",
        respects=RANKS,
        estimates="ranks of clusters",
        group="Check a report",
        help="Would other analyses, or other problems, give other verdicts?",
        about=ABOUT,
        hook="analyses.sensitivity.options:examined",
        progress="tables examined",
        describes="analyses.sensitivity.reporting.document:REPORT",
        drawn_by={"analyses.sensitivity.statistics:Sensitivity": "analyses.sensitivity.figure:draw_sensitivity"},
        parameters=(
            *DECIDING,
            n_resamples("Second experiments drawn; 0: none", FEWER_RESAMPLES["sensitivity"]),
            seed("Seed of the second experiments"),
        ),
    ),
)
