"""``ratings``: strengths by who beat whom."""

from bakeoff.analysis import Analysis, Tab
from bakeoff.checks import FEWER_RESAMPLES
from bakeoff.parameter import Parameter, alpha, n_resamples, one_of, seed

RECORDS = (
    Analysis(
        kind="ratings",
        function="bo.ratings",
        command="ratings",
        group="Language models",
        help="How strong is each algorithm, judged by who beat whom?",
        tab=Tab(
            title="Ratings",
            question="How strong is each, judged by who beats whom on each problem?",
            shown=("reference", "ties"),
        ),
        schema="bakeoff.ratings/1",
        computes="wings.boards.ratings.statistics:ratings",
        source=("battles", "wings.boards.ratings.rebuilding:rebuilt_battles"),
        describes="wings.boards.ratings.telling:TELLING",
        drawn_by={
            "wings.boards.ratings.statistics:Ratings": "wings.boards.ratings.figure:draw_ratings",
            "wings.boards.ratings.figure:CategoryRanks": ("wings.boards.ratings.figure:draw_category_ranks"),
        },
        diagrams="wings.boards.ratings.figure:diagrams",
        parameters=(
            one_of(
                "ties",
                "How to treat ties",
                {
                    "auto": "depends on whether there are ties",
                    "davidson": "in the model",
                    "half": "half a win for both",
                },
            ),
            one_of(
                "penalty",
                "Penalty on the likelihood",
                {"auto": "if needed", "firth": "strengths stay finite", "none": ""},
            ),
            Parameter(
                "reference",
                "The algorithm whose strength is 0",
                usual="the strengths sum to 0",
                metavar="NAME",
                label="Strength 0",
            ),
            alpha("Simultaneous level of pairs and ranks"),
            n_resamples("Bootstrap samples of the clusters", FEWER_RESAMPLES["ratings"]),
            seed("Seed of the resamples"),
        ),
    ),
)
