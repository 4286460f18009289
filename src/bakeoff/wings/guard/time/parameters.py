"""How ``bakeoff time`` measures."""

from bakeoff.parameter import Parameter

MEASURING = (
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
