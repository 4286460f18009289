"""``bakeoff run``: an experiment's runs, made or gone on with."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import click

from bakeoff.cli.options import show
from bakeoff.errors import ParameterError, plain


@click.command(name="run")
@click.argument("file", metavar="EXPERIMENT.toml")
@click.option("--store", metavar="PATH", help="Where runs are kept. Default: EXPERIMENT.sqlite beside the file.")
@click.option("--workers", type=int, metavar="N", help="Runs at a time. The result does not depend on it.")
@click.option(
    "--executor",
    metavar="NAME",
    help="Where runs happen: serial, processes, command, dask. Default: serial, or what --workers and limits need.",
)
@click.option("--address", metavar="ADDRESS", help="Of a dask scheduler, with --executor dask.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
@click.option(
    "--report",
    "reports",
    metavar="PATH",
    multiple=True,
    help="Write a report (.html .md .tex .json), the differences as a figure (.svg .png .pdf), or as a table (.csv "
    ".xlsx). Repeatable.",
)
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    store: str | None,
    workers: int | None,
    executor: str | None,
    address: str | None,
    as_json: bool,
    reports: tuple[str, ...],
) -> None:
    """Make the runs of an experiment, or go on where it was stopped.

    EXPERIMENT.toml says which algorithms (commands, or Python functions) run on which problems and how often. Every
    run is kept at once. Ctrl-C stops when the runs under way have ended, twice stops at once; the same command goes
    on, with as many workers as you like.

    \b
    bakeoff run experiment.toml --workers 4
    bakeoff compare experiment.sqlite --report report.html
    """
    gc.enable()
    import bakeoff as bo
    from bakeoff.cli.live_table import live_table
    from bakeoff.report import check_path

    targets = [check_path(path) for path in dict.fromkeys(reports)]
    experiment = bo.Experiment.from_toml(file)
    place = Path(store) if store is not None else Path(file).with_suffix(".sqlite")
    for target in targets:
        if target.resolve() in (place.resolve(), Path(file).resolve()):
            raise ParameterError(f"--report {str(target)!r} would overwrite the experiment or its runs; name another")
    name = executor or chosen_executor(experiment, workers)
    options: dict[str, Any] = {} if address is None else {"address": address}
    try:
        with live_table(experiment) as listener:
            result = bo.run(experiment, place, name, workers, listener, **options)
    except KeyboardInterrupt:
        click.echo(f"bakeoff: stopped; the runs that ended are kept in {plain(str(place))}. {again(ctx)}", err=True)
        ctx.exit(130)
    from bakeoff import report
    from bakeoff.report.experiment.run_page import RunPage

    for target in targets:
        report.save(result, target, ctx.obj["command"] if isinstance(ctx.obj, dict) else None)
    show(RunPage(result, place), ctx, as_json, [])
    if not as_json:
        said = [f"Kept in {place}; next: bakeoff compare {place}", *(f"Written: {target}" for target in targets)]
        click.echo("\n" + "\n".join(map(plain, said)))


def chosen_executor(experiment: Any, workers: int | None) -> str:
    """Serial unless several workers are wanted, or limits that only another process can keep."""
    from bakeoff.running.commands.command_line import CommandLine
    from bakeoff.running.executors import EXECUTORS

    foreign = [isinstance(thing, CommandLine) for thing in experiment.algorithms]
    limited = (experiment.timeout is not None or experiment.memory is not None) and not all(foreign)
    if workers in (None, 1) and not limited:
        return "serial"
    return "command" if all(foreign) and "command" in EXECUTORS else "processes"


def again(ctx: click.Context) -> str:
    asked = ctx.obj.get("command") if isinstance(ctx.obj, dict) else None
    return f"To go on: {asked}" if asked else "The same command goes on."
