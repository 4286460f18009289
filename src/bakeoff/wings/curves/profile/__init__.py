"""``profile``: performance and data profiles with bands."""

from bakeoff.analysis import RANKS, Analysis
from bakeoff.checks import FEWER_RESAMPLES
from bakeoff.parameter import OVER, Parameter, n_resamples, one_of, seed

ABOUT = """On which share of the problems is each algorithm how near to the best, and how sure is that?

FILE has the score of each algorithm on each problem: a time, an error, a number of evaluations. Runs that a column
--status calls failed are infinitely far from the best. Of logs of COCO or IOHprofiler (folders) the score is the
number of evaluations to --target. For --kind data it may be such folders, or runs along a budget (--budget). "-"
reads standard input.

\b
bakeoff profile times.csv --better lower --status status
bakeoff profile errors.csv --better lower --report profile.pdf
bakeoff profile errors.csv --better lower --kind difference --only ours --only CMA-ES
bakeoff profile runs.csv --better lower --kind data --budget evaluations --tolerance 0.01
bakeoff profile exdata/ --kind data --targets coco --report ecdf.pdf
"""

RECORDS = (
    Analysis(
        kind="profile",
        respects=RANKS,
        estimates="wings.curves.profile.statistics._profile:profile_estimand",
        function="bo.profile",
        command="profile",
        help="On what share of the problems is each one near the best?",
        about=ABOUT,
        after=(
            Parameter(
                "budget",
                "With --kind data: the budget column, with a row per record of a run. Without it, scores are budgets",
                metavar="COLUMN",
            ),
            "target",
            Parameter(
                "tolerance",
                "With --kind data: the target is 1 - T of the way to the best",
                float,
                usual="0.001",
                metavar="T",
            ),
            Parameter(
                "targets",
                "With --kind data: the share of these targets that runs reach (an ECDF). coco: 51 from 100 to 1e-8",
                metavar="Y,...",
            ),
        ),
        hook="wings.curves.profile.options:call_profile",
        schema="bakeoff.profile/1",
        computes="wings.curves.profile.statistics:profile",
        describes="wings.curves.profile.reporting:REPORT",
        drawn_by={"wings.curves.profile.statistics:Profile": "wings.curves.profile.figure:draw_profile"},
        parameters=(
            one_of(
                "kind",
                "Horizontal axis",
                {
                    "ratio": "to the best",
                    "difference": "from the best",
                    "data": "budgets to a target",
                    "score": "scores to reach",
                },
            ),
            Parameter(
                "band",
                "Confidence of the band of each curve",
                float,
                default=0.95,
                metavar="C",
                label="Confidence of bands",
            ),
            one_of(
                "cell", "How to summarise the runs of a cell", {"mean": "", "median": "", "best": ""}, on_command=False
            ),
            OVER,
            n_resamples("Resamples for bands and the swap test", FEWER_RESAMPLES["profile"]),
            seed("Seed of the resamples"),
        ),
    ),
)
