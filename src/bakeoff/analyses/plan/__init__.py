"""``plan``: how many problems and runs an experiment needs."""

from bakeoff.analysis import Analysis

RECORDS = (
    Analysis(
        kind="plan",
        function="bo.plan.curve",
        command="plan",
        help="How many problems and runs does an experiment need?",
        describes="report.plan.document",
        drawn_by={"plan:PowerCurve": "figures.geometry.plan.power_curve:draw_curve"},
        pictured="report.plan.answers:curve_of",
        tex_is_picture=True,
        ascii_json=True,
    ),
)
