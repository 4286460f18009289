"""``time``: commands timed side by side."""

from bakeoff.analysis import RANKS, Analysis
from bakeoff.parameter import Parameter, alpha, one_of

ABOUT = """Which command is faster, and by what factor? Times fresh processes side by side until the answer is clear.

Each COMMAND is one quoted argument. Each round runs every command once, in random order. The intervals hold after
any number of rounds. Output of the commands is discarded. Ctrl-C finishes the current round and shows what is known
(exit code 130).

\b
bakeoff time 'python old.py' 'python new.py' --name old --name new
bakeoff time './solve a.txt' './solve2 a.txt' --store times.jsonl --until known --precision 0.01
"""

_MEASURING = (
    Parameter("store", "Keep every finished round; the same command resumes from there", metavar="FILE.jsonl"),
    Parameter("problem", "Name of the timed benchmark in --store", usual="time", metavar="NAME"),
    Parameter("rounds", "Most rounds", int, usual="100"),
    Parameter("seconds", "Stop after this many seconds; the current round is finished", float, metavar="S"),
    Parameter(
        "until", "decided (default): stop when each pair is decided or its ratio known; known: when each ratio is known"
    ),
    Parameter("warmup", "Uncounted runs of each command before the first round", int),
    Parameter("prepare", "Command to run before each run, untimed", metavar="COMMAND"),
    Parameter(
        "shell", "Run the commands by /bin/sh", bool, default=False, usual="no shell", option="--shell/--no-shell"
    ),
    Parameter("timeout", "Kill a run after S seconds; it then has no time", float, metavar="S"),
    Parameter("cores", "CPUs to run on, such as 2 or 2-3 or 0,2", usual="those of this shell", metavar="LIST"),
    Parameter("on_failure", "At a non-zero exit code: stop (default) or keep"),
    Parameter("seed", "Random seed of the orders", int, usual="0"),
    Parameter("fresh", "Empty --store first", bool, default=False),
)
RECORDS = (
    Analysis(
        kind="time",
        respects=RANKS,
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
        after=_MEASURING,
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
