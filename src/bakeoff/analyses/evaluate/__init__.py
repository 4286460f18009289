"""``evaluate``: models judged question by question."""

from bakeoff.analysis import Analysis
from bakeoff.parameter import CONTROL, UNIT, Parameter

RECORDS = (
    Analysis(
        kind="evaluation",
        function="bo.evaluate",
        command="evaluate",
        help="Which model answers more questions right, and is that shown?",
        schema="bakeoff.evaluate/1",
        computes="evaluation:evaluate",
        describes="report.evaluation.document",
        drawn_by={
            "evaluation:Evaluation": "figures.geometry.evaluation.means:draw_evaluation",
            "figures.geometry.evaluation.differences:DifferencesPlot": (
                "figures.geometry.evaluation.differences:draw_differences"
            ),
        },
        diagrams="figures.geometry.evaluation.differences:diagrams",
        parameters=(
            CONTROL,
            Parameter(
                "correction",
                "Over pairs",
                default="max-t",
                choices={"max-t": "the largest |t| under signs of clusters", "holm": "", "bonferroni": ""},
            ),
            Parameter("alpha", "Error rate of the family", float, default=0.05, metavar="A"),
            Parameter("rng", "Seed of the signs", int, option="--seed", usual="0", metavar="N"),
            Parameter(
                "suites",
                "Macro average over suites",
                choices={"clusters": "each cluster is one", "prefix": "of a problem called suite/question"},
                several=True,
            ),
            Parameter(
                "tasks",
                "Claims are",
                default="fixed",
                choices={"fixed": "about these suites", "new": "about others like them"},
            ),
            UNIT,
            Parameter(
                "n_resamples", "Choices of signs drawn for max-t", int, default=9999, option="--resamples", metavar="N"
            ),
        ),
    ),
)
