"""The live table of ``bakeoff time``: the times so far, the ratios with their intervals, and the rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff.cli.terminal import BAR, bar
from bakeoff.errors import plain
from bakeoff.numerals import duration, significant
from bakeoff.report.sections import MOST_ROWS

if TYPE_CHECKING:
    from rich.console import RenderableType

    from bakeoff.wings.guard.timing.rounds import GateProgress, RoundProgress, TimeProgress


def time_table(progress: TimeProgress) -> RenderableType:
    """Headline, bar, a row per pair. Drawn between runs, never during one."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("pair", no_wrap=True, overflow="ellipsis", max_width=50)
    for title in ("times as fast", "interval", "evidence"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("verdict")
    for cells in pair_rows(progress):
        table.add_row(Text(cells[0]), *cells[1:])
    share = progress.n_rounds / progress.most_rounds
    return Group(Text(time_headline(progress)), Text(bar(share, BAR)), table)


def gate_table(progress: GateProgress) -> RenderableType:
    """``12 of at most 100 rounds · 3 of 40 benchmarks not decided``, and a bar."""
    from rich.console import Group
    from rich.text import Text

    headline = _headline(progress, f"{progress.n_open} of {progress.n_benchmarks} benchmarks not decided")
    return Group(Text(headline), Text(bar(1.0 - progress.n_open / progress.n_benchmarks, BAR)))


def time_headline(progress: TimeProgress) -> str:
    """``12 of at most 100 rounds · at most 1 min 20 s left``"""
    if progress.warmups:
        return f"warming up: {progress.warmups} to go"
    left = progress.seconds_left
    return _headline(progress, "" if left is None else f"at most {duration(left)} left")


def _headline(progress: RoundProgress, more: str) -> str:
    rounds = f"{progress.n_rounds} of at most {progress.most_rounds} rounds"
    return " · ".join(part for part in (rounds, more, "stopping" if progress.stopping else "") if part)


def pair_rows(progress: TimeProgress) -> list[tuple[str, ...]]:
    """Pair, ratio, interval, evidence, verdict; undecided pairs first where there are many."""
    if progress.timing is None:
        return []
    pairs = sorted(progress.timing.pairs, key=lambda pair: pair.verdict in ("a better", "b better"))
    return [
        (
            f"{plain(pair.a)} : {plain(pair.b)}",
            "" if pair.ratio is None else significant(pair.ratio, 3),
            "" if pair.ends is None else " to ".join(significant(end, 3) for end in pair.ends),
            significant(pair.evidence, 3),
            {"a better": "first faster", "b better": "second faster"}.get(pair.verdict, "not decided")
            + (", known" if pair.known else ""),
        )
        for pair in pairs[:MOST_ROWS]
    ]
