"""``evaluate``: models judged question by question."""

from bakeoff.analysis import METRICS, Analysis, Tab
from bakeoff.parameter import CONTROL, UNIT, Parameter, alpha, n_resamples, one_of, seed

ABOUT = """Which model answers better on average, by how much, and what would more questions show?

FILE has the score of each model on each question, perhaps of several answers. It is a long table (columns problem,
algorithm, score, perhaps run and cluster), a wide one, a store of runs, or the output of an evaluation tool. The
formats are those of bakeoff import --help; "-" reads standard input.

\b
bakeoff evaluate answers.csv --better higher --cluster passage
bakeoff evaluate answers.csv --better higher --control ours --report report.html
bakeoff evaluate --label large=logs/large --label small=logs/small
bakeoff evaluate predictions.csv --truth y_true --metric auc
"""

RECORDS = (
    Analysis(
        room="wings.boards.evaluate",
        respects=METRICS | {"series"},
        estimates="means",
        planned="raise",
        group="Language models",
        nouns={"algorithms": "models", "problems": "questions"},
        help="Which model answers more questions right, and is the difference shown?",
        about=ABOUT,
        tab=Tab(
            title="Means",
            question=(
                "Mean scores on the same questions: which differ, given standard errors over questions or clusters?"
            ),
            shown=("control", "unit"),
        ),
        title="Evaluation",
        drawn_by={"wings.boards.evaluate.statistics:Evaluation": "wings.boards.evaluate.figure:draw_evaluation"},
        diagrams="wings.boards.evaluate.figure:diagrams",
        parameters=(
            CONTROL,
            one_of(
                "correction",
                "Correction over pairs",
                {"max-t": "largest |t| under random sign flips", "holm": "", "bonferroni": ""},
            ),
            alpha("Error rate of the family"),
            seed("Seed of the sign flips"),
            Parameter(
                "suites",
                "Macro average over suites",
                choices={"clusters": "each cluster is one", "prefix": "of a problem called suite/question"},
                several=True,
            ),
            one_of("tasks", "Claims are about", {"fixed": "these suites", "new": "others like them"}),
            Parameter(
                "weights",
                "Weight equally",
                choices={"tasks": "whatever their sizes", "problems": "", "clusters": ""},
                usual="tasks if there are several, else problems",
                on_command=False,
            ),
            UNIT,
            n_resamples("Sign flips drawn for max-t"),
        ),
    ),
)
