"""``ratings``: strengths by who beat whom."""

from bakeoff.analysis import Analysis, Tab
from bakeoff.parameter import Parameter

RECORDS = (
    Analysis(
        kind="ratings",
        function="bo.ratings",
        command="ratings",
        help="How strong is each algorithm, by who beat whom?",
        tab=Tab(
            title="Ratings",
            question="How strong is each, by who beats whom on each problem?",
            shown=("reference", "ties"),
        ),
        schema="bakeoff.ratings/1",
        computes="bradley_terry:ratings",
        source=("battles", "verification.contents:rebuilt_battles"),
        describes="report.ratings.document",
        drawn_by={"bradley_terry:Ratings": "figures.geometry.interval_rows.strengths:draw_ratings"},
        parameters=(
            Parameter(
                "ties",
                "Ties are",
                default="auto",
                choices={"auto": "as there are any", "davidson": "in the model", "half": "half a win of both"},
            ),
            Parameter(
                "penalty",
                "Of the likelihood",
                default="auto",
                choices={"auto": "where it is needed", "firth": "strengths stay finite", "none": ""},
            ),
            Parameter(
                "reference",
                "The algorithm whose strength is 0",
                usual="the strengths sum to 0",
                metavar="NAME",
                label="Strength 0",
            ),
            Parameter("alpha", "Simultaneous level of pairs and ranks", float, default=0.05, metavar="A"),
            Parameter("resamples", "Resamples of the clusters", int, default=1000, metavar="N"),
            Parameter("rng", "Seed of the resamples", int, option="--seed", usual="0", metavar="N"),
        ),
    ),
)
