"""``ratings``: strengths by who beat whom."""

from bakeoff.analysis import RANKS, Analysis, Tab
from bakeoff.checks import FEWER_RESAMPLES
from bakeoff.parameter import Parameter, alpha, n_resamples, one_of, seed

ABOUT = """How strong is each algorithm, by who beat whom?

Without --better, FILE is a table of battles: two algorithms and who won (columns a, b, winner and perhaps cluster).
With it, or as a store of runs or another program's results, it holds scores, and on each problem every pair meets
once. "-" reads standard input.

\b
bakeoff ratings battles.csv --a model_a --b model_b --winner winner --cluster question_id
bakeoff ratings battles.csv --covariate length --covariate style
bakeoff ratings battles.csv --category topic
bakeoff ratings results.csv --better higher
bakeoff ratings results.csv --better higher --method plackett-luce
"""

_METHOD = Parameter(
    "method",
    "Method",
    choices={
        "bradley-terry": "who beats whom",
        "elo": "the same fit in Elo points, not updated battle by battle",
        "plackett-luce": "rankings of a table of scores, as in bakeoff bayes",
    },
    usual="bradley-terry",
)
_BATTLES = (
    Parameter("a", "Battles: column of the first algorithm", metavar="COLUMN"),
    Parameter("b", "Battles: column of the second algorithm", metavar="COLUMN"),
    Parameter("winner", "Battles: column of the winner: a name, a, b or tie", metavar="COLUMN"),
    Parameter(
        "covariates",
        "Battles: adjust for this: columns length_a and length_b for length, or one of differences. Repeatable",
        option="--covariate",
        repeatable=True,
        metavar="COLUMN",
    ),
    Parameter("category", "Battles: a board for each value of this column, beside all battles", metavar="COLUMN"),
)
RECORDS = (
    Analysis(
        room="wings.boards.ratings",
        respects=RANKS,
        estimates="wings.boards.ratings.statistics:estimand",
        group="Language models",
        help="How strong is each algorithm, judged by who beat whom?",
        about=ABOUT,
        reads="battles",
        before=(_METHOD, *_BATTLES),
        after=("details",),
        hook="wings.boards.ratings.options:call_ratings",
        tab=Tab(
            title="Ratings",
            question="How strong is each, judged by who beats whom on each problem?",
            shown=("reference", "ties"),
        ),
        source=("battles", "wings.boards.ratings.reporting:rebuilt_battles"),
        drawn_by={"wings.boards.ratings.statistics:Ratings": "wings.boards.ratings.figure:draw_ratings"},
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
