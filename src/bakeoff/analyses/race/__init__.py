"""``race``: many candidates, of which losers are dropped."""

from bakeoff.analysis import Analysis

RECORDS = (
    Analysis(
        kind="race",
        function="bo.race",
        command="race",
        help="Which of many candidates is best, found early?",
        describes="report.race.document",
        drawn_by={
            "racing.results:RaceResult": "figures.geometry.race.evidence:draw_race",
            "figures.geometry.race.survivors:SurvivorsPlot": "figures.geometry.race.survivors:draw_survivors",
        },
    ),
)
