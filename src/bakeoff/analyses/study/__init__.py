"""``study``: how well the procedures work, on a table or in simulated races."""

from bakeoff.analysis import Analysis

_LINES = "analyses.study.figure"

RECORDS = (
    Analysis(
        kind="study",
        command="study",
        group="Plan and run",
        help="How well do tests and racing rules work? By simulation.",
        describes="analyses.study.telling.document:TELLING",
        no_picture="a study; write .md, .html or .csv",
        ascii_json=True,
    ),
    Analysis(
        kind="power",
        function="bo.study.power",
        describes="analyses.study.telling.power:TELLING",
        drawn_by={"study:PowerStudy": f"{_LINES}:draw_study", f"{_LINES}:PowerPlot": f"{_LINES}:draw_power"},
        diagrams=f"{_LINES}:diagrams",
    ),
    Analysis(
        kind="known-truth",
        function="bo.study.known_truth",
        describes="analyses.study.telling.known_truth:TELLING",
        drawn_by={"study:KnownTruth": f"{_LINES}:draw_study"},
        diagrams=f"{_LINES}:diagrams",
    ),
)
