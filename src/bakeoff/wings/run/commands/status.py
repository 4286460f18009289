"""``bakeoff status``: how far an experiment is, what failed, and whether anything is working on it."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bakeoff.cli.options import Command
from bakeoff.cli.terminal import can_write
from bakeoff.errors import plain

if TYPE_CHECKING:
    from bakeoff.wings.run.store.status import StoreStatus


@click.command(name="status", cls=Command)
@click.argument("file", metavar="RUNS.sqlite")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def command(file: str, as_json: bool) -> None:
    """How far is an experiment, which runs failed, and is anything working on it?

    Only reads the store: it can be called while the experiment runs. EXPERIMENT.toml stands for the store beside it.

    \b
    bakeoff status experiment.sqlite
    """
    gc.freeze()
    gc.enable()
    from bakeoff.wings.run.run.telling.progress.status import status_lines
    from bakeoff.wings.run.store.status import read_status

    path = Path(file)
    status = read_status(path.with_suffix(".sqlite") if path.suffix == ".toml" else path)
    if as_json:
        click.echo(json.dumps(_content(status), indent=1, allow_nan=False))
        return
    text = "\n".join(map(plain, status_lines(status)))
    if not can_write(text):
        from bakeoff.report.formats.terminal import to_ascii

        text = to_ascii(text)
    click.echo(text)


def _content(status: StoreStatus) -> dict[str, object]:
    from bakeoff.wings.run.run.telling.progress.status import next_command

    who = status.coordinator
    return {
        "schema": "bakeoff.status/1",
        "store": str(status.store),
        "state": status.state,
        "race": status.race,
        "n_problems": status.n_problems,
        "n_finished": status.n_finished,
        "n_runs": status.n_runs,
        "n_runs_planned": status.n_runs_planned,
        "n_failed": sum(a.n_failed for a in status.algorithms),
        "n_attempts": sum(a.n_attempts for a in status.algorithms),
        "n_conflicts": status.n_conflicts,
        "algorithms": [
            {name: getattr(a, name) for name in ("name", "n_runs", "n_failed", "n_attempts", "first_error")}
            for a in status.algorithms
        ],
        "coordinator": None
        if who is None
        else {name: getattr(who, name) for name in ("host", "pid", "command", "started", "seen")},
        "files": [str(status.store), *([] if status.wal is None else [str(status.wal)])],
        "next": next_command(status),
    }
