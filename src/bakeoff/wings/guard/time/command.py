"""``bakeoff time``: which command is faster, timed in fresh processes side by side."""

from __future__ import annotations

import gc
from typing import Any

import click

from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import Command, output_options, show, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.terminal import note
from bakeoff.errors import ParameterError, plain


@click.command(name="time", cls=Command)
@click.argument("commands", nargs=-1, required=True, metavar="'COMMAND' 'COMMAND' …")
@click.option(
    "--name",
    "names",
    metavar="NAME",
    multiple=True,
    help="Name of a command, in the order of the commands. Repeatable.",
)
@parameters("time")
@click.option("--store", metavar="FILE.jsonl", help="Keep every finished round; the same command resumes from there.")
@click.option("--problem", metavar="NAME", help="Name of the timed benchmark in --store. Default: time.")
@click.option("--rounds", type=int, metavar="N", help="Most rounds. Default: 100.")
@click.option("--seconds", type=float, metavar="S", help="Stop after this many seconds; the current round is finished.")
@click.option(
    "--until",
    metavar="NAME",
    help="decided (default): stop when each pair is decided or its ratio known; known: when each ratio is known.",
)
@click.option("--warmup", type=int, metavar="N", help="Uncounted runs of each command before the first round.")
@click.option("--prepare", metavar="COMMAND", help="Command to run before each run, untimed.")
@click.option("--shell/--no-shell", default=False, help="Run the commands by /bin/sh. Default: no shell.")
@click.option("--timeout", type=float, metavar="S", help="Kill a run after S seconds; it then has no time.")
@click.option("--cores", metavar="LIST", help="CPUs to run on, such as 2 or 2-3 or 0,2. Default: those of this shell.")
@click.option("--on-failure", metavar="NAME", help="At a non-zero exit code: stop (default) or keep.")
@click.option("--seed", type=int, metavar="N", help="Random seed of the orders. Default: 0.")
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
    """Which command is faster, and by what factor? Times fresh processes side by side until the answer is clear.

    Each COMMAND is one quoted argument. Each round runs every command once, in random order. The intervals hold after
    any number of rounds. Output of the commands is discarded. Ctrl-C finishes the current round and shows what is known
    (exit code 130).

    \b
    bakeoff time 'python old.py' 'python new.py' --name old --name new
    bakeoff time './solve a.txt' './solve2 a.txt' --store times.jsonl --until known --precision 0.01
    """
    gc.freeze()
    gc.enable()
    targets = find_targets(reports, *([store] if store else []))
    import bakeoff as bo
    from bakeoff.cli.terminal import live_table
    from bakeoff.wings.guard.time_table import time_table
    from bakeoff.wings.guard.timing._time_commands import TimingInterrupted

    chosen_options = without_unset(options)
    if cores is not None:
        chosen_options["cores"] = core_numbers(cores)
    last = "" if store is None else f"Stored in {store}; the same command shows it again, or goes on."
    try:
        with live_table(time_table) as listener:
            result = bo.time_commands(
                _named(commands, names), file=store, shell=shell, fresh=fresh, progress=listener, **chosen_options
            )
    except TimingInterrupted as stopped:
        show(stopped.timing, ctx, as_json, targets, last)
        note("bakeoff: interrupted; the finished rounds are above")
        ctx.exit(130)
    show(result, ctx, as_json, targets, last)


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


def core_numbers(text: str) -> list[int]:
    """``0,2-3`` as numbers."""
    cores: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or (dash and int(high) - int(low) > 4096):
            raise ParameterError(f"--cores must be numbers such as 2 or 2-3 or 0,2; got {text!r}")
        cores += range(int(low), int(high or low) + 1)
    return cores
