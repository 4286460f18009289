"""``profile``: performance and data profiles with bands."""

from bakeoff.analysis import Analysis
from bakeoff.checks import FEWER_RESAMPLES
from bakeoff.parameter import OVER, Parameter, n_resamples, one_of, seed

RECORDS = (
    Analysis(
        kind="profile",
        function="bo.profile",
        command="profile",
        help="On what share of the problems is each one near the best?",
        schema="bakeoff.profile/1",
        computes="wings.curves.profile.statistics:profile",
        describes="wings.curves.profile.telling:TELLING",
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
