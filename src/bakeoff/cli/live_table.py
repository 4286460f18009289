"""A table on stderr that follows a running experiment, for a person at a terminal and nobody else."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bakeoff.errors import plain

MOST_ROWS = 12


@contextmanager
def live_table(
    experiment: Any, draw: Callable[[Any, Any], Any] | None = None
) -> Iterator[Callable[[Any], None] | None]:
    """What ``progress=`` is to be; None in pipes, files, CI and on terminals that cannot move the cursor."""
    if not sys.stderr.isatty() or os.environ.get("CI") or os.environ.get("TERM") == "dumb":
        yield None
        return
    try:
        from rich.console import Console
        from rich.live import Live
    except ImportError:  # a broken installation is no reason not to run
        yield None
        return
    live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
    with live:
        yield lambda picture: live.update((draw or drawing)(experiment, picture), refresh=True)


def drawing(experiment: Any, picture: Any) -> Any:
    """One picture: how far, what is under way, why problems stopped, how long still."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    adaptive = experiment.repetitions
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("problem", no_wrap=True, overflow="ellipsis", max_width=40)
    for name in experiment.algorithm_names:
        table.add_column(Text(plain(name)), justify="right", no_wrap=True, overflow="ellipsis", max_width=18)
    table.add_column("waiting", justify="right")
    if adaptive is not None:
        table.add_column(f"se (goal {adaptive.se:g})", justify="right")
    for problem in picture.active[:MOST_ROWS]:
        error = "" if problem.standard_error is None else f"{problem.standard_error:.3g}"
        cells = [*map(str, problem.counts), str(problem.waiting), *([error] if adaptive is not None else [])]
        table.add_row(Text(plain(problem.name)), *cells)
    return Group(Text(headline(picture)), Text(bar(picture)), table, Text(footline(picture)))


def bar(picture: Any, width: int = 50) -> str:
    """Runs done of runs expected."""
    filled = int(width * min(1.0, picture.runs_done / max(picture.runs_expected, 1.0)))
    return "━" * filled + "┄" * (width - filled)


def headline(picture: Any) -> str:
    """``12 of 40 problems · 810 of about 2500 runs · 1 min 20 s left``"""
    exact = "" if picture.runs_expected == int(picture.runs_expected) else "about "
    parts = [
        f"{picture.problems_done} of {picture.n_problems} problems",
        f"{picture.runs_done} of {exact}{picture.runs_expected:.0f} runs",
    ]
    if picture.seconds_left is not None and not picture.finished:
        parts.append(f"{duration(picture.seconds_left)} left")
    return " · ".join(parts)


def footline(picture: Any) -> str:
    """Why problems stopped, what failed, and whether it is about to stop."""
    parts = [f"{count} {reason}" for reason, count in picture.reasons.items()]
    if picture.failed:
        parts.append(f"{picture.failed} runs failed")
    if picture.retried:
        parts.append(f"{picture.retried} tried again")
    if picture.stopping:
        parts.append("stopping when the runs under way have ended; Ctrl-C again stops at once")
    return " · ".join(parts)


def duration(seconds: float) -> str:
    """``45 s``, ``12 min 5 s``, ``3 h 20 min``, ``2 d 4 h``"""
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"
