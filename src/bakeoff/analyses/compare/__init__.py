"""``compare``: a table of scores in, a verdict out. ``scores``: the table alone."""

from bakeoff.analyses.compare.parameters import DECIDING
from bakeoff.analysis import RANKS, Analysis
from bakeoff.parameter import Parameter

_BEFORE_UNIT = DECIDING[:-1]
_UNIT = DECIDING[-1]

ABOUT = """Which algorithms differ, which is better, and how sure are we?

FILE is a table of scores: wide (problem names, then a column per algorithm) or long (columns problem, algorithm,
score, perhaps run). A store of runs (.sqlite) needs no --better. "-" reads standard input.

\b
bakeoff compare results.csv --better lower
bakeoff compare results.csv --better higher --control ours --report report.html
"""

RECORDS = (
    Analysis(
        room="analyses.compare",
        respects=RANKS | {"one data set", "series"},
        estimates="ranks of clusters",
        planned="raise",
        help="Which algorithms differ, which is better, and how sure are we?",
        about=ABOUT,
        after=("details",),
        hook="analyses.compare.options:compared",
        writes_scores=True,
        describes="analyses.compare.reporting.document:REPORT",
        drawn_by={"analyses.compare.statistics:Comparison": "analyses.compare.figure.diagrams:draw_comparison"},
        diagrams="analyses.compare.figure.diagrams:diagrams",
        parameters=(
            *_BEFORE_UNIT,
            Parameter(
                "effect",
                "Scale of the effects",
                default="difference",
                choices={"difference": "", "percent": "", "log-ratio": "", "a12": ""},
            ),
            Parameter(
                "intervals",
                "Intervals of effects",
                default="simultaneous",
                choices={"simultaneous": "all cover at once", "single": "each by itself"},
                detail=True,
            ),
            Parameter(
                "margin",
                'Smallest difference that matters, in score units or as "5%": which pairs are equal, or one not worse?',
                float,
                text_too=True,
                metavar="M",
            ),
            Parameter(
                "also",
                "Report besides",
                choices={"contrast": "contrast estimation", "multiple-sign": "with --control, by signs alone"},
                several=True,
                repeatable=True,
                detail=True,
            ),
            Parameter(
                "missing",
                "What to do with cells without a score",
                choices={"bounds": "which verdicts hold whatever they are", "common": "they are missing by chance"},
                on_command=False,
            ),
            _UNIT,
            Parameter(
                "rng",
                "Seed: sample the distribution of the omnibus test if the exact one takes long",
                int,
                option="--seed",
                metavar="N",
                detail=True,
            ),
        ),
    ),
    Analysis(
        kind="scores",
        function="bo.score_table",
        describes="analyses.compare.reporting.scores.document:REPORT",
        no_picture="a table of scores; write .tex, .md, .html, .xlsx or .csv",
    ),
)
