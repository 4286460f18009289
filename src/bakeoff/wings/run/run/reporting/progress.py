"""A running experiment or race as a Document: its state, its live table, what failed, and what to do next."""

import shlex
import time

from bakeoff import numerals
from bakeoff.errors import counted, plain
from bakeoff.numerals import duration
from bakeoff.report import sections
from bakeoff.report.document import (
    Code,
    ColumnSpec,
    Document,
    Paragraph,
    Section,
    Table,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.sections import MOST_ROWS, one_block
from bakeoff.wings.run.progress import ActiveProblem, Progress
from bakeoff.wings.run.race.reporting import eliminated, survivors
from bakeoff.wings.run.store.status import AlgorithmStatus, StoreStatus
from bakeoff.wings.run.stored_progress import StoredProgress

# One-line summaries of a running experiment or race.


def done(progress: Progress) -> float:
    """Runs done as a share of the runs expected."""
    return progress.runs_done / max(progress.runs_expected, 1.0)


def headline(progress: Progress) -> str:
    """``12 of 40 problems · 810 of about 2500 runs · 1 min 20 s left``; a race has candidates and evaluations too."""
    race, at_most = progress.race, ""
    if race is None:
        about = "" if progress.runs_expected == int(progress.runs_expected) else "about "
        parts = [
            f"{progress.problems_done} of {progress.n_problems} problems",
            f"{progress.runs_done} of {about}{progress.runs_expected:.0f} runs",
        ]
    else:
        at_most = "at most "
        parts = [
            f"{len(race.survivors)} of {race.n_candidates} candidates",
            f"{race.n_problems} of {progress.n_problems} problems",
            f"{race.evaluations} of {race.full_evaluations} evaluations",
        ]
    if progress.seconds_left is not None and not progress.finished:
        parts.append(f"{at_most}{duration(progress.seconds_left)} left")
    return " · ".join(parts)


def footline(progress: Progress) -> str:
    """Say why problems stopped, or who was eliminated last; failed and retried runs; whether the run is stopping."""
    parts = [f"{count} {reason}" for reason, count in progress.reasons.items()]
    if progress.race is not None:
        out = [f"{plain(name)} ({reason}, {counted(n, 'problem')})" for name, reason, n in progress.race.last_out]
        parts = [f"last eliminated: {', '.join(out)}"] if out else []
    if progress.failed:
        parts.append(f"{counted(progress.failed, 'run')} failed")
    if progress.retried:
        parts.append(f"{progress.retried} tried again")
    if progress.stopping:
        parts.append("stopping when the current runs end; Ctrl-C again stops at once")
    return " · ".join(parts)


def rows(survivors: tuple[tuple[str, float], ...]) -> list[tuple[str, float | None]]:
    """Survivors by evidence; of many, those with the least and the most."""
    ordered: list[tuple[str, float | None]] = [*sorted(survivors, key=lambda one: one[1])]
    if len(ordered) <= MOST_ROWS:
        return ordered
    half = MOST_ROWS // 2
    return [*ordered[:half], (f"… {len(ordered) - 2 * half} more", None), *ordered[-half:]]


# The state of a store in lines: progress, the coordinator, failures by algorithm, the files, and what to do next.


def status_lines(result: StoreStatus) -> list[str]:
    """All that ``bakeoff status`` prints."""
    progress, coordinator, *files = store_lines(result)
    return [progress, coordinator, *failure_lines(result), *files, f"Next: {next_command(result)}"]


def store_lines(result: StoreStatus) -> list[str]:
    """The runs there are, the process that makes them, and the file beside the store."""
    planned = "" if result.n_runs_planned is None else f" of {result.n_runs_planned}"
    early = ", stopped early" if result.stopped_early else ""
    part = "" if result.part is None else f" ({result.part} of the experiment)"
    progress = (
        f"{result.store}: {result.n_runs}{planned} runs; {result.n_finished} of "
        f"{counted(result.n_problems, 'problem')} finished{early}{part}"
    )
    beside = [] if result.wal is None else [f"The last commits are in {result.wal}: a copy needs both files"]
    return [progress, coordinator_line(result), *beside]


def coordinator_line(result: StoreStatus) -> str:
    """Name the process that works on it, or worked last."""
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


def next_command(result: StoreStatus) -> str:
    store = shlex.quote(str(result.store))
    if result.race and result.state in ("running", "finished"):
        return f"bakeoff race {store}"
    if result.part is not None and result.state == "finished":
        return f"bakeoff merge, with all {result.part.of} parts"
    if result.state in ("running", "finished") or result.coordinator is None:
        return f"bakeoff compare {store}" if result.state == "finished" else "wait, or repeat this command"
    return f"{result.coordinator.command} (resumes)"


SO_FAR = (
    "Mean ranks cover the problems finished so far, and fast ones finish first. They are no verdict, and no test is "
    "made before the end."
)


def document(result: StoredProgress) -> Document:
    """Report what is known at this moment."""
    state, name = result.status.state, plain(result.status.store.name)
    race = result.race is not None and result.race.n_problems > 0
    return Document(
        title=f"{name}: {'at work' if state == 'running' else state}",
        verdict=headline(result.progress),
        basis=footline(result.progress),
        sections=sections.present(
            one_block("algorithms", "Standing", None if race else _algorithms(result)),
            one_block("survivors", "Standing", survivors(result.race) if race and result.race is not None else None),
            one_block("eliminated", "Eliminated", eliminated(result.race) if result.race is not None else None),
            one_block("active", "Under way", _active(result)),
            _lines("errors", "Failed runs", failure_lines(result.status)),
            _lines("store", "Store", store_lines(result.status)),
            _next(result),
        ),
    )


def _lines(key: str, title: str, lines: list[str]) -> Section | None:
    return Section(key, title, tuple(Paragraph((plain(line),)) for line in lines)) if lines else None


def _next(result: StoredProgress) -> Section | None:
    """The command for a shell; nothing while the work goes on."""
    if result.status.state == "running":
        return None
    return Section("next", "Next", (Code(plain(next_command(result.status)).removesuffix(" (resumes)"), "sh"),))


def _algorithms(result: StoredProgress) -> Table:
    """Best mean rank so far first."""
    from bakeoff.ranks import rank

    scores = result.scores
    ranks = {} if scores is None else dict(zip(scores.algorithms, rank(scores).mean(axis=0).tolist(), strict=True))
    rows = sorted(result.status.algorithms, key=lambda a: ranks.get(a.name, 0.0))
    over = result.status.state == "finished"
    title = "mean rank" if over else "mean rank so far"
    standing: ColumnSpec[AlgorithmStatus] = number_column(
        "mean_rank", title, lambda a: numerals.as_rank(ranks[a.name]), strong=True
    )
    shown: list[ColumnSpec[AlgorithmStatus]] = [
        text_column("algorithm", "algorithm", lambda a: numerals.plain(a.name)),
        *([standing] if ranks else []),
        number_column("n_runs", "runs", lambda a: str(a.n_runs)),
        number_column("n_failed", "failed", lambda a: str(a.n_failed)),
        number_column("n_attempts", "tried again", lambda a: str(a.n_attempts)),
    ]
    return tabulate("algorithms", "Runs by algorithm", shown, rows, note=SO_FAR if ranks and not over else "")


def _active(result: StoredProgress) -> Table | None:
    """The problems under way, with the runs of each algorithm that are there."""
    rows = result.progress.active[:MOST_ROWS]
    if not rows:
        return None
    shown: list[ColumnSpec[ActiveProblem]] = [text_column("problem", "problem", lambda p: numerals.plain(p.name))]
    for k, a in enumerate(result.status.algorithms[:MOST_ROWS]):
        shown.append(number_column(str(k), numerals.plain(a.name), lambda p, k=k: str(p.counts[k])))  # type: ignore[misc]
    shown.append(number_column("waiting", "waiting", lambda p: str(p.waiting)))
    if any(p.standard_error is not None for p in rows):
        shown.append(
            number_column(
                "se", "se", lambda p: "" if p.standard_error is None else numerals.significant(p.standard_error, 3)
            )
        )
    return tabulate("active", "Problems under way", shown, rows, note="")
