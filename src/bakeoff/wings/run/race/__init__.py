"""``race``: many candidates, of which losers are dropped."""

from bakeoff.analysis import RANKS, Analysis
from bakeoff.parameter import Parameter
from bakeoff.wings.run.racing.rules import RULES
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


def methods() -> str:
    """The rules, listed for help."""
    first, *others = RULES
    return (
        f"{first} (default), {', '.join(others)}. e-sign and e-choose eliminate a given best candidate with "
        "probability at most alpha at any number of looks. E-choose ends with a claim about the chosen candidate."
    )


OF_RULES = (
    Parameter("method", "Racing rule", choices=dict.fromkeys(RULES, ""), registered="wings.run.race:methods"),
    Parameter("alpha", "Level of the rule", float, usual="the experiment's alpha, or 0.05", metavar="A"),
    Parameter("budget", "At most B evaluations (of a candidate on a problem)", float, metavar="B"),
    Parameter(
        "tolerance", "With e-choose: no other beats the chosen one with probability P or more", float, metavar="P"
    ),
    Parameter("block", "Problems between two decisions", int, default=5),
    Parameter(
        "settings",
        "An option of the method, for example strict=true or equivalence=0.05. Repeatable",
        option="--option",
        metavar="NAME=VALUE",
        repeatable=True,
    ),
)
REPLAY = Parameter("replay", "FILE is a finished table (the default unless .toml): nothing is run", bool)
BETTER = Parameter("better", "With a table: which scores are good. Required there", metavar="lower|higher")
ORDER = Parameter("order", "With a table: as its rows, or shuffled", usual="shuffled, seed 0", metavar="given|SEED")

RECORDS = (
    Analysis(
        kind="race",
        respects=RANKS,
        estimates="wings.run.racing.results:estimand_of_race",
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
