"""What ``bakeoff run`` and ``bakeoff race`` share: where runs happen, and how to resume."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from bakeoff.cli.options import F, add_options
from bakeoff.errors import plain

if TYPE_CHECKING:
    from bakeoff.running.design.experiment import Experiment


def running_options(store: str, independent: str) -> Callable[[F], F]:
    """--store, --workers, --executor and --address; ``store`` is the default path."""
    return add_options(
        click.option("--store", metavar="PATH", help=f"Where runs are stored. Default: {store} beside the file."),
        click.option("--workers", type=int, metavar="N", help=f"Runs at a time. {independent} does not depend on it."),
        click.option(
            "--executor",
            metavar="NAME",
            help="Where runs happen: serial, processes, command, dask. Default: serial, or as --workers and the "
            "limits require.",
        ),
        click.option("--address", metavar="ADDRESS", help="Address of a dask scheduler, with --executor dask."),
    )


def chosen_executor(experiment: Experiment, workers: int | None) -> str:
    """``"serial"``, unless several workers are wanted or limits that only another process can enforce."""
    from bakeoff.running.commands.command_line import CommandLine
    from bakeoff.running.executors import EXECUTORS

    foreign = [isinstance(algorithm, CommandLine) for algorithm in experiment.algorithms]
    limited = (experiment.timeout is not None or experiment.memory is not None) and not all(foreign)
    if workers in (None, 1) and not limited:
        return "serial"
    return "command" if all(foreign) and "command" in EXECUTORS else "processes"


def interrupted(ctx: click.Context, store: Path) -> NoReturn:
    """Say what is stored and how to resume; exit with 130."""
    asked = ctx.obj.get("command") if isinstance(ctx.obj, dict) else None
    resume = f"To resume: {asked}" if asked else "The same command resumes."
    click.echo(f"bakeoff: stopped; finished runs are stored in {plain(str(store))}. {resume}", err=True)
    ctx.exit(130)
