"""``race``: many candidates, of which losers are dropped."""

from bakeoff.analysis import Analysis

RECORDS = (
    Analysis(
        kind="race",
        function="bo.race",
        command="race",
        group="Plan and run",
        help="Which of many candidates is best, decided early?",
        describes="wings.run.race.telling.document:TELLING",
        drawn_by={
            "wings.run.racing.results:RaceResult": "wings.run.race.figure.evidence:draw_race",
            "wings.run.race.figure.survivors:SurvivorsPlot": "wings.run.race.figure.survivors:draw_survivors",
        },
    ),
)
