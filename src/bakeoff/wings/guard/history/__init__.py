"""``history``: when a benchmark changed its level."""

from bakeoff.analysis import Analysis
from bakeoff.parameter import Parameter, alpha, n_resamples, one_of, seed

RECORDS = (
    Analysis(
        kind="history",
        function="bo.change_points",
        command="history",
        group="Guard a build",
        help="When did a benchmark change its level, over the versions?",
        title="Change points",
        schema="bakeoff.history/1",
        computes="wings.guard.history.statistics:change_points",
        describes="wings.guard.history.telling:TELLING",
        drawn_by={"wings.guard.history.statistics:ChangePoints": "wings.guard.history.figure:draw_history"},
        parameters=(
            alpha("Probability of any false alarm"),
            Parameter(
                "min_segment", "Fewest versions at one level", int, default=3, metavar="N", label="Shortest level"
            ),
            one_of("scale", "Scale of a change", {"auto": "", "ratio": "", "difference": ""}),
            one_of(
                "method",
                "p-values",
                {"auto": "exact up to 8 versions", "exact": "", "permutation": ""},
                on_command=False,
            ),
            n_resamples("Permutations; all up to 8 versions"),
            seed("Seed of the permutations"),
            Parameter(
                "confidence_level",
                "Confidence level of the intervals of changes",
                float,
                default=0.95,
                on_command=False,
            ),
            Parameter(
                "commits",
                "Commits of the versions, if known",
                object,
                usual="as the files say",
                checked_by="report.reading_back:check_own_words",
                on_command=False,
            ),
        ),
    ),
)
