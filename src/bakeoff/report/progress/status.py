"""The state of a store in lines: progress, the coordinator, failures by algorithm, the files, and what to do next."""

from __future__ import annotations

import shlex
import time

from bakeoff.errors import counted
from bakeoff.running.store.status import StoreStatus


def status_lines(found: StoreStatus) -> list[str]:
    """All that ``bakeoff status`` prints."""
    return [
        progress_line(found),
        coordinator_line(found),
        *failure_lines(found),
        *files_lines(found),
        f"Next: {next_command(found)}",
    ]


def progress_line(found: StoreStatus) -> str:
    planned = "" if found.n_runs_planned is None else f" of {found.n_runs_planned}"
    early = ", stopped early" if found.stopped_early else ""
    return (
        f"{found.store}: {found.n_runs}{planned} runs; {found.n_finished} of {counted(found.n_problems, 'problem')} "
        f"finished{early}"
    )


def coordinator_line(found: StoreStatus) -> str:
    """Which process works on it, or worked last."""
    who = found.coordinator
    if who is None:
        return "Coordinator: none is recorded"
    process = f"process {who.pid} on {who.host}"
    if found.state == "running":
        return f"Coordinator: at work, {process}, since {moment(who.started)}"
    if who.ended:
        return f"Coordinator: none; the last one, {process}, stopped at {moment(who.seen)}"
    return f"Coordinator: none; the last one, {process}, was killed after {moment(who.seen)}"


def moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def failure_lines(found: StoreStatus) -> list[str]:
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


def files_lines(found: StoreStatus) -> list[str]:
    if found.wal is None:
        return []
    return [f"The last commits are in {found.wal}: a copy needs both files"]


def next_command(found: StoreStatus) -> str:
    store = shlex.quote(str(found.store))
    if found.race and found.state in ("running", "finished"):
        return f"bakeoff race {store}"
    if found.state in ("running", "finished") or found.coordinator is None:
        return f"bakeoff compare {store}" if found.state == "finished" else "wait, or repeat this command"
    return f"{found.coordinator.command} (resumes)"
