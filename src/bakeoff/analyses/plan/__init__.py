"""``plan``: how many problems and runs an experiment needs."""

from bakeoff.analysis import Analysis

RECORDS = (
    Analysis(
        kind="plan",
        function="bo.plan.curve",
        command="plan",
        group="Plan and run",
        help="How many problems and runs does an experiment need?",
        describes="analyses.plan.reporting.document:REPORT",
        drawn_by={"plan:PowerCurve": "analyses.plan.figure:draw_curve"},
        pictured="analyses.plan.reporting.document:curve_of",
        tex_is_picture=True,
        ascii_json=True,
        respects=frozenset(("tasks", "weights", "clusters", "runs", "unequal runs")),
        estimates="analyses.plan.reporting.document:estimand_of_plan",
    ),
)
