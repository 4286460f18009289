"""``study``: how well the procedures work, on draws of problems from a table."""

from bakeoff.analysis import Analysis
from bakeoff.wings.study.analysis.parameters import OF_POWER

ABOUT = """On other samples of problems, how often would each procedure find a and b different?

The experiment of Demšar (2006, section 4) and García et al. (2010, section 6) on the scores in FILE. With --shift
the truth is known, and errors are told from power.

\b
bakeoff study power accuracy.csv --better higher --a ours --b baseline
bakeoff study power errors.csv --better lower --a ours --b baseline --scale sd --bias 0,1,2,3
bakeoff study power errors.csv --better lower --a ours --b baseline --shift 0,0.5,1 --null all
"""
_LINES = "wings.study.analysis.figure"

RECORDS = (
    Analysis(
        kind="study-power",
        command="study",
        group="Plan and run",
        help="How well do tests work? By simulation.",
        about=ABOUT,
        part="power",
        before=OF_POWER,
        hook="wings.study.analysis.options:studied",
        progress="tables",
        patience=0.5,
        function="bo.study.power",
        describes="wings.study.analysis.reporting.power:REPORT",
        drawn_by={"wings.study:PowerStudy": f"{_LINES}:draw_study", f"{_LINES}:PowerPlot": f"{_LINES}:draw_power"},
        diagrams=f"{_LINES}:diagrams",
    ),
    Analysis(
        kind="study-known-truth",
        function="bo.study.known_truth",
        describes="wings.study.analysis.reporting.known_truth:REPORT",
        drawn_by={"wings.study:KnownTruth": f"{_LINES}:draw_study"},
        diagrams=f"{_LINES}:diagrams",
    ),
)
