"""``race``: many candidates, of which losers are dropped."""

from bakeoff.analysis import Analysis

RECORDS = (
    Analysis(
        kind="race",
        function="bo.race",
        command="race",
        group="Plan and run",
        help="Which of many candidates is best, decided early?",
        describes="wings.run.race.telling:TELLING",
        drawn_by={
            "wings.run.racing.results:RaceResult": "wings.run.race.figure:draw_race",
            "wings.run.race.figure:SurvivorsPlot": "wings.run.race.figure:draw_survivors",
        },
    ),
)
