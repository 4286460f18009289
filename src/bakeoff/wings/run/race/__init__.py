"""``race``: many candidates, of which losers are dropped."""

from bakeoff.analysis import Analysis
from bakeoff.wings.run.race.parameters import BETTER, OF_RULES, ORDER, REPLAY
from bakeoff.wings.run.running_parameters import running_options

ABOUT = """Which of many candidates is best? Run them block by block; eliminate those shown to be worse.

EXPERIMENT.toml is as for `bakeoff run`; its algorithms are the candidates. Every finished run is stored at once;
the same command resumes after any stop and makes the same decisions. Any other file is a finished table of
scores, as for `bakeoff compare`, on which the race is replayed: what would it have decided and saved? The store
of a race (EXPERIMENT.race.sqlite) is shown as it is.

\b
bakeoff race experiment.toml --workers 4 --report race.html
bakeoff race scores.csv --better lower
"""

RECORDS = (
    Analysis(
        kind="race",
        function="bo.race",
        command="race",
        group="Plan and run",
        help="Which of many candidates is best, decided early?",
        about=ABOUT,
        reads="experiment",
        argument="EXPERIMENT.toml|SCORES",
        before=(*OF_RULES, *running_options("EXPERIMENT.race.sqlite", "The race")),
        after=(REPLAY, BETTER, ORDER, "table"),
        hook="wings.run.race.options:call_race",
        store=".race.sqlite",
        describes="wings.run.race.reporting:REPORT",
        drawn_by={
            "wings.run.racing.results:RaceResult": "wings.run.race.figure:draw_race",
            "wings.run.race.figure:SurvivorsPlot": "wings.run.race.figure:draw_survivors",
        },
    ),
)
