"""``study``: how well the procedures work, on draws of problems from a table."""

from bakeoff.analysis import Analysis

_LINES = "wings.study.analysis.figure"

RECORDS = (
    Analysis(
        kind="power",
        command="study",
        group="Plan and run",
        help="How well do tests work? By simulation.",
        function="bo.study.power",
        describes="wings.study.analysis.telling.power:TELLING",
        drawn_by={"wings.study:PowerStudy": f"{_LINES}:draw_study", f"{_LINES}:PowerPlot": f"{_LINES}:draw_power"},
        diagrams=f"{_LINES}:diagrams",
    ),
    Analysis(
        kind="known-truth",
        function="bo.study.known_truth",
        describes="wings.study.analysis.telling.known_truth:TELLING",
        drawn_by={"wings.study:KnownTruth": f"{_LINES}:draw_study"},
        diagrams=f"{_LINES}:diagrams",
    ),
)
