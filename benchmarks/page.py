"""The page of figures in Markdown, and the same as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks import wording
from benchmarks.cases import BENCHMARKS
from benchmarks.machine import machine_line
from benchmarks.model import Benchmark, Figure

COMMAND = "python -m benchmarks --peers --write docs/trust/performance.md"

HEAD = f"""# Performance

Each promised figure, beside its target and what you would run instead.
Written by `{COMMAND}`; do not edit.

Median wall times of several samples (range in parentheses). Our samples and the peers' alternate in the same run. A
warm-up round (imports, compilation) is not counted, and our caches are cleared before every sample. Where the machine
was busy with other work, processor time is given too ("CPU"), and a target missed in wall time says whether it was met
in processor time. "29 ×" means that the peer takes 29 times as long. "Compiled" is with the accelerator (numba, extra
`fast`), "NumPy alone" without it; both give the same bits. A family can be measured again on its own (`--keep`), so
figures may come from different runs. A figure and its peers always come from the same run.
"""


def page(results: Mapping[str, Sequence[Figure]], machine: dict[str, str]) -> str:
    """docs/trust/performance.md."""
    figures = [figure for found in results.values() for figure in found]
    parts = [HEAD, f"**Machine.** {machine_line(machine)}.\n", _summary(figures)]
    parts += [_section(BENCHMARKS[name], found) for name, found in results.items()]
    return "\n".join(parts)


def _summary(figures: Sequence[Figure]) -> str:
    judged = [figure for figure in figures if figure.met is not None]
    met = sum(figure.met is True for figure in judged)
    unknown = sum(bool(figure.case.goals) for figure in figures if figure.met is None)
    text = f"**Targets.** {met} of {len(judged)} met"
    by_cpu = sum(figure.met is False and figure.met_by_cpu for figure in judged)
    text += f" by the clock, {by_cpu} more by processor time (the machine was busy)" if by_cpu else ""
    text += f", {unknown} not judged (what they need is absent)." if unknown else "."
    if met < len(judged):
        text += " The missed ones are explained below their tables."
    return text + "\n"


def _section(benchmark: Benchmark, figures: Sequence[Figure]) -> str:
    lines = [
        f"## {benchmark.item}. {benchmark.title}",
        "",
        f"{benchmark.about} (`python -m benchmarks {benchmark.name}`)",
        "",
        "| figure | target | measured | peer: its time, ratio | |",
        "|---|---|---|---|---|",
    ]
    for figure in figures:
        cells = (
            figure.case.name,
            wording.target(figure.case.goals, figure.case.unit),
            wording.measured(figure),
            "<br>".join(wording.peers(figure)),
            wording.verdict(figure).replace("missed", "**missed**"),
        )
        lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    missed = [wording.missed_sentence(figure) for figure in figures if figure.met is False]
    said = list(dict.fromkeys(note for figure in figures for note in wording.notes(figure)))
    for group in ([f"* **Missed**{m.removeprefix('Missed')}" for m in missed], [f"* {note}" for note in said]):
        lines += ["", *group] if group else []
    return "\n".join([*lines, ""])


def as_data(results: Mapping[str, Sequence[Figure]], machine: dict[str, str]) -> dict[str, Any]:
    """For --json: times in seconds, memory in bytes, null where nothing was measured."""
    return {
        "machine": machine,
        "figures": [_figure(name, figure) for name, found in results.items() for figure in found],
    }


def _figure(benchmark: str, figure: Figure) -> dict[str, Any]:
    return {
        "benchmark": benchmark,
        "figure": figure.case.name,
        "unit": figure.case.unit,
        "target": wording.target(figure.case.goals, figure.case.unit),
        "value": figure.value,
        "least": figure.least,
        "most": figure.most,
        "cpu": figure.cpu,
        "rounds": figure.rounds,
        "met": figure.met,
        "note": figure.note,
        "broken": figure.broken,
        "peers": [
            {
                "name": p.name,
                "value": p.value,
                "cpu": p.cpu,
                "ratio": figure.ratio(p.name),
                "recorded": p.recorded,
                "note": p.note,
            }
            for p in figure.peers
        ],
    }


def line(figure: Figure) -> str:
    """One figure on the terminal."""
    parts = [f"  {figure.case.name}: {wording.measured(figure)}"]
    if figure.case.goals:
        parts.append(f"target {wording.target(figure.case.goals, figure.case.unit)}: {wording.verdict(figure)}")
    parts += wording.peers(figure)
    parts += wording.notes(figure)
    return " · ".join(parts)
