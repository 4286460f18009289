"""``bakeoff run``: run an experiment, or resume it."""

import gc
import shlex
from functools import partial
from pathlib import Path
from typing import Any

import click

from bakeoff.cli.options import Command, output_options, show, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.errors import BakeoffError
from bakeoff.wings.run.command_options import (
    begin_anew,
    chosen_executor,
    interrupted,
    running_options,
    stored_in,
    told_while_waiting,
)


@click.command(name="run", cls=Command)
@click.argument("file", metavar="EXPERIMENT.toml")
@running_options("EXPERIMENT.sqlite", "The result")
@output_options
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    store: str | None,
    workers: int | None,
    executor: str | None,
    accept_changed: bool | None,
    fresh: bool | None,
    address: str | None,
    stop_within: float | None,
    as_json: bool,
    reports: tuple[str, ...],
) -> None:
    """Run an experiment, or resume it.

    EXPERIMENT.toml says which algorithms (commands or Python functions) run on which problems, and how often. Every
    finished run is stored at once. Ctrl-C waits for the current runs, a second Ctrl-C stops at once; the same command
    resumes, with any number of workers.

    \b
    bakeoff run experiment.toml --workers 4
    bakeoff compare experiment.sqlite --report report.html
    """
    gc.freeze()
    gc.enable()
    import bakeoff as bo
    from bakeoff.cli.terminal import live_table
    from bakeoff.wings.run.run.live_table import progress_table

    place = Path(store) if store is not None else Path(file).with_suffix(".sqlite")
    targets = find_targets(reports, file, place, parts=True)
    experiment = bo.Experiment.from_toml(file)
    name, workers = chosen_executor(experiment, executor, workers)
    if fresh:
        begin_anew(place)
    kept = _kept_runs(place)
    options: dict[str, Any] = without_unset({"address": address, "stop_within": stop_within}) | told_while_waiting(name)
    try:
        with live_table(partial(progress_table, experiment)) as listener:
            result = bo.run(experiment, place, name, workers, listener, accept_changed=bool(accept_changed), **options)
    except KeyboardInterrupt:
        interrupted(ctx, place)
    from bakeoff.wings.run.run.telling.run_page import RunPage

    nothing = "Nothing was left to run. " if kept == len(result.contents.rows) else ""
    text = f"{nothing}Stored in {stored_in(place)}.\n"
    text += f"Also: bakeoff compare {shlex.quote(str(place))}"
    show(result, ctx, as_json, targets, last=text, page=RunPage(result, place))


def _kept_runs(place: Path) -> int | None:
    """How many runs the store holds; None without a store that can be read, of which bo.run says why."""
    from bakeoff.wings.run.store.contents import read_store

    try:
        return len(read_store(place).rows) if place.exists() else None
    except BakeoffError:
        return None
