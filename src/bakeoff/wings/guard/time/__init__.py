"""``time``: commands timed side by side."""

from bakeoff.analysis import Analysis
from bakeoff.parameter import Parameter, alpha, one_of
from bakeoff.wings.guard.time.parameters import MEASURING

ABOUT = """Which command is faster, and by what factor? Times fresh processes side by side until the answer is clear.

Each COMMAND is one quoted argument. Each round runs every command once, in random order. The intervals hold after
any number of rounds. Output of the commands is discarded. Ctrl-C finishes the current round and shows what is known
(exit code 130).

\b
bakeoff time 'python old.py' 'python new.py' --name old --name new
bakeoff time './solve a.txt' './solve2 a.txt' --store times.jsonl --until known --precision 0.01
"""

RECORDS = (
    Analysis(
        kind="time",
        function="bo.time_ratios",
        command="time",
        group="Guard a build",
        help="Which command is faster? Timed side by side until decided.",
        about=ABOUT,
        reads="commands",
        before=(
            Parameter(
                "names",
                "Name of a command, in the order of the commands. Repeatable",
                option="--name",
                repeatable=True,
                metavar="NAME",
            ),
        ),
        after=MEASURING,
        hook="wings.guard.time.options:timed",
        schema="bakeoff.time/1",
        computes="wings.guard.timing:time_ratios",
        describes="wings.guard.time.reporting:REPORT",
        drawn_by={"wings.guard.timing:Timing": "wings.guard.time.figure:draw_timing"},
        parameters=(
            Parameter("control", "Compare it with each other command", usual="all pairs", metavar="NAME"),
            alpha("Error rate of all pairs and any number of rounds"),
            Parameter(
                "precision", "A ratio is known when its factor is known to 1 ± X", float, default=0.02, metavar="X"
            ),
            one_of(
                "design",
                "Order of a round",
                {"random": "each in an order of its own", "abba": "every second round mirrors the one before"},
            ),
            Parameter(
                "order",
                "By round, the commands in the order in which they ran",
                object,
                checked_by="wings.guard.time.request:check_order",
                on_command=False,
            ),
            Parameter(
                "about",
                "How it was measured, in words",
                object,
                checked_by="report.reading_back:check_words",
                on_command=False,
            ),
        ),
    ),
)
