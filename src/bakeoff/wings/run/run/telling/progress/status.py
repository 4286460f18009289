"""The state of a store in lines: progress, the coordinator, failures by algorithm, the files, and what to do next."""

import shlex
import time

from bakeoff.errors import counted
from bakeoff.wings.run.store.status import StoreStatus


def status_lines(result: StoreStatus) -> list[str]:
    """All that ``bakeoff status`` prints."""
    return [
        progress_line(result),
        coordinator_line(result),
        *failure_lines(result),
        *files_lines(result),
        f"Next: {next_command(result)}",
    ]


def progress_line(result: StoreStatus) -> str:
    planned = "" if result.n_runs_planned is None else f" of {result.n_runs_planned}"
    early = ", stopped early" if result.stopped_early else ""
    return (
        f"{result.store}: {result.n_runs}{planned} runs; {result.n_finished} of "
        f"{counted(result.n_problems, 'problem')} finished{early}"
    )


def coordinator_line(result: StoreStatus) -> str:
    """Which process works on it, or worked last."""
    who = result.coordinator
    if who is None:
        return "Coordinator: none is recorded"
    process = f"process {who.pid} on {who.host}"
    if result.state == "running":
        return f"Coordinator: running, {process}, since {moment(who.started)}"
    if who.ended:
        return f"Coordinator: none; the last one, {process}, stopped at {moment(who.seen)}"
    return (
        f"Coordinator: none; the last one, {process}, was killed after {moment(who.seen)}, or could not record that "
        "it stopped (is the disk full?)"
    )


def moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


def failure_lines(result: StoreStatus) -> list[str]:
    """A line per algorithm with failed runs."""
    lines = []
    for a in result.algorithms:
        if a.n_failed or a.n_attempts:
            kept = f"{a.n_failed} of {a.n_runs} runs failed" if a.n_failed else ""
            again = f"{counted(a.n_attempts, 'failed attempt')} not kept" if a.n_attempts else ""
            lines.append(f"{a.name}: {' and '.join(filter(None, (kept, again)))}; first: {a.first_error}")
    if result.n_conflicts:
        lines.append(
            f"{counted(result.n_conflicts, 'run')} gave a different score when repeated; the first score counts"
        )
    return lines


def files_lines(result: StoreStatus) -> list[str]:
    if result.wal is None:
        return []
    return [f"The last commits are in {result.wal}: a copy needs both files"]


def next_command(result: StoreStatus) -> str:
    store = shlex.quote(str(result.store))
    if result.race and result.state in ("running", "finished"):
        return f"bakeoff race {store}"
    if result.state in ("running", "finished") or result.coordinator is None:
        return f"bakeoff compare {store}" if result.state == "finished" else "wait, or repeat this command"
    return f"{result.coordinator.command} (resumes)"
