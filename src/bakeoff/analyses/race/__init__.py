"""``race``: many candidates, of which losers are dropped."""

from bakeoff.analysis import Analysis

RECORDS = (
    Analysis(
        kind="race",
        function="bo.race",
        command="race",
        group="Plan and run",
        help="Which of many candidates is best, decided early?",
        describes="analyses.race.telling.document:TELLING",
        drawn_by={
            "racing.results:RaceResult": "analyses.race.figure.evidence:draw_race",
            "analyses.race.figure.survivors:SurvivorsPlot": "analyses.race.figure.survivors:draw_survivors",
        },
    ),
)
