"""``bakeoff time``: which command is faster, timed in fresh processes side by side."""

from __future__ import annotations

import gc
from typing import Any

import click

from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import Command, given, output_options, show
from bakeoff.cli.report_files import find_targets
from bakeoff.errors import ParameterError, plain


@click.command(name="time", cls=Command)
@click.argument("commands", nargs=-1, required=True, metavar="'COMMAND' 'COMMAND' …")
@click.option(
    "--name", "names", metavar="NAME", multiple=True, help="Of the commands, one after the other. Repeatable."
)
@parameters("time")
@click.option("--store", metavar="FILE.jsonl", help="Keep each finished round; the same command goes on from there.")
@click.option("--problem", metavar="NAME", help="What is timed, as --store calls it. Default: time.")
@click.option("--rounds", type=int, metavar="N", help="At most so many rounds. Default: 100.")
@click.option("--seconds", type=float, metavar="S", help="At most so long in this call; a round is always finished.")
@click.option(
    "--until",
    metavar="NAME",
    help="decided (default): stop when each pair is decided or its ratio known; known: only when it is known.",
)
@click.option("--warmup", type=int, metavar="N", help="Runs of each command before the first round, not counted.")
@click.option("--prepare", metavar="COMMAND", help="Run it before each run; its time does not count.")
@click.option("--shell/--no-shell", default=False, help="Have /bin/sh run the commands. Default: no shell.")
@click.option("--timeout", type=float, metavar="S", help="Kill a run after so long; it has no time then.")
@click.option("--cores", metavar="LIST", help="CPUs to run on, such as 2 or 2-3 or 0,2. Default: those of this shell.")
@click.option("--on-failure", metavar="NAME", help="stop (default) at an exit code other than 0, or keep going.")
@click.option("--seed", type=int, metavar="N", help="Of the orders. Default: 0.")
@click.option("--fresh", is_flag=True, help="Empty --store first.")
@output_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    commands: tuple[str, ...],
    names: tuple[str, ...],
    store: str | None,
    cores: str | None,
    as_json: bool,
    reports: tuple[str, ...],
    shell: bool,
    fresh: bool,
    **options: Any,
) -> None:
    """Which command is faster, and how many times? Fresh processes, side by side, until that is decided.

    Each COMMAND is one quoted argument. Each round runs every command once, in random order; after each round the
    evidence is looked at, which these intervals allow. Output of the commands goes to /dev/null. Exit code 130 after
    Ctrl-C, which ends the round under way and shows what is known.

    \b
    bakeoff time 'python old.py' 'python new.py' --name old --name new
    bakeoff time './solve a.txt' './solve2 a.txt' --store times.jsonl --until known --precision 0.01
    """
    gc.freeze()
    gc.enable()
    targets = find_targets(reports, *([store] if store else []))
    import bakeoff as bo
    from bakeoff.cli.live.live_table import live_table
    from bakeoff.cli.live.time_table import time_table
    from bakeoff.timing._time_commands import TimingInterrupted

    asked = given(options)
    if cores is not None:
        asked["cores"] = _cores(cores)
    last = "" if store is None else f"Stored in {store}; the same command shows it again, or goes on."
    try:
        with live_table(time_table) as listener:
            found = bo.time_commands(
                _named(commands, names), file=store, shell=shell, fresh=fresh, progress=listener, **asked
            )
    except TimingInterrupted as stopped:
        show(stopped.timing, ctx, as_json, targets, last)
        click.echo("bakeoff: interrupted; the finished rounds are above", err=True)
        ctx.exit(130)
    show(found, ctx, as_json, targets, last)


def _named(commands: tuple[str, ...], names: tuple[str, ...]) -> Any:
    """By name, if names were given."""
    if not names:
        return list(commands)
    if len(names) != len(commands):
        raise ParameterError(f"--name must be given for each of the {len(commands)} commands; got {len(names)}")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ParameterError(f"--name must be different for each command; got {plain(twice[0])!r} twice")
    return dict(zip(names, commands, strict=True))


def _cores(text: str) -> list[int]:
    """``0,2-3`` as numbers."""
    found: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or (dash and int(high) - int(low) > 4096):
            raise ParameterError(f"--cores must be numbers such as 2 or 2-3 or 0,2; got {text!r}")
        found += range(int(low), int(high or low) + 1)
    return found
