"""``bakeoff status``: how far an experiment is, what failed, and whether anything is working on it."""

from __future__ import annotations

import gc
import json
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bakeoff.cli.options import Command
from bakeoff.cli.terminal import can_write
from bakeoff.errors import counted, plain

if TYPE_CHECKING:
    from bakeoff.running.store.status import StoreStatus


@click.command(name="status", cls=Command)
@click.argument("file", metavar="RUNS.sqlite")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def command(file: str, as_json: bool) -> None:
    """How far is an experiment, which runs failed, and is anything working on it?

    Only reads the store: it can be called while the experiment runs.

    \b
    bakeoff status experiment.sqlite
    """
    gc.freeze()
    gc.enable()
    from bakeoff.running.store.status import read_status

    found = read_status(Path(file))
    if as_json:
        click.echo(json.dumps(_content(found), indent=1, allow_nan=False))
        return
    lines = [_progress(found), _who(found), *_failures(found), *_files(found), f"Next: {_next(found)}"]
    text = "\n".join(map(plain, lines))
    if not can_write(text):
        from bakeoff.report.formats.terminal import to_ascii

        text = to_ascii(text)
    click.echo(text)


def _content(found: StoreStatus) -> dict[str, object]:
    who = found.coordinator
    return {
        "schema": "bakeoff.status/1",
        "store": str(found.store),
        "state": found.state,
        "race": found.race,
        "n_problems": found.n_problems,
        "n_finished": found.n_finished,
        "n_runs": found.n_runs,
        "n_runs_planned": found.n_runs_planned,
        "n_failed": sum(a.n_failed for a in found.algorithms),
        "n_attempts": sum(a.n_attempts for a in found.algorithms),
        "n_conflicts": found.n_conflicts,
        "algorithms": [
            {name: getattr(a, name) for name in ("name", "n_runs", "n_failed", "n_attempts", "first_error")}
            for a in found.algorithms
        ],
        "coordinator": None
        if who is None
        else {name: getattr(who, name) for name in ("host", "pid", "command", "started", "seen")},
        "files": [str(found.store), *([] if found.wal is None else [str(found.wal)])],
        "next": _next(found),
    }


def _progress(found: StoreStatus) -> str:
    planned = "" if found.n_runs_planned is None else f" of {found.n_runs_planned}"
    early = ", stopped early" if found.stopped_early else ""
    return (
        f"{found.store}: {found.n_runs}{planned} runs; {found.n_finished} of {counted(found.n_problems, 'problem')} "
        f"finished{early}"
    )


def _who(found: StoreStatus) -> str:
    who = found.coordinator
    if who is None:
        return "Coordinator: none is recorded (the store was made by an earlier version)"
    process = f"process {who.pid} on {who.host}"
    if found.state == "running":
        return f"Coordinator: at work, {process}, since {_moment(who.started)}"
    if who.ended:
        return f"Coordinator: none; the last one, {process}, stopped at {_moment(who.seen)}"
    return f"Coordinator: none; the last one, {process}, was killed after {_moment(who.seen)}"


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def _failures(found: StoreStatus) -> list[str]:
    """A line per algorithm with failed runs."""
    lines = []
    for a in found.algorithms:
        if a.n_failed or a.n_attempts:
            kept = f"{a.n_failed} of {a.n_runs} runs failed" if a.n_failed else ""
            again = f"{counted(a.n_attempts, 'failed attempt')} not kept" if a.n_attempts else ""
            lines.append(f"{a.name}: {' and '.join(filter(None, (kept, again)))}; first: {a.first_error}")
    if found.n_conflicts:
        lines.append(f"{counted(found.n_conflicts, 'run')} gave another score when repeated; the first score counts")
    return lines


def _files(found: StoreStatus) -> list[str]:
    if found.wal is None:
        return []
    return [f"The last commits are in {found.wal}: a copy needs both files"]


def _next(found: StoreStatus) -> str:
    store = shlex.quote(str(found.store))
    if found.race and found.state in ("running", "finished"):
        return f"bakeoff race {store}"
    if found.state in ("running", "finished") or found.coordinator is None:
        return f"bakeoff compare {store}" if found.state == "finished" else "wait, or repeat this command"
    return f"{found.coordinator.command} (resumes)"
