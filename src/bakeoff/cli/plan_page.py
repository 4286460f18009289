"""What ``bakeoff plan`` says: one screen, the answer first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bakeoff.cli.plan_plot import plotted
from bakeoff.errors import Caution, plain
from bakeoff.plan._curve import PowerCurve


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One planning question, answered; the same for text, JSON and Markdown."""

    headline: str
    promise: str = ""
    table: tuple[tuple[str, ...], ...] = ()  # header first
    notes: tuple[str, ...] = ()
    curve: PowerCurve | None = None
    cautions: tuple[Caution, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)


def rendered(answers: Sequence[Answer], width: int, ascii_only: bool, spell: Callable[[str], str] = str) -> str:
    """Text for a terminal; ``spell`` puts the library's advice into the words of the command."""
    lines: list[str] = []
    for answer in answers:
        if lines:
            lines.append("")
        lines += _wrapped(answer.headline, width)
        if answer.promise:
            lines += _wrapped(answer.promise, width)
        if answer.table:
            lines += ["", *aligned(answer.table)]
        for note in answer.notes:
            lines += ["", *_wrapped(note, width)]
        if answer.curve is not None:
            lines += ["", *plotted(answer.curve, width, ascii_only=ascii_only)]
    told = unique(caution for answer in answers for caution in answer.cautions)
    lines += [""] * bool(told)
    for caution in told:
        lines += _wrapped(f"! {spell(caution.text)}", width, "  ")
    text = "\n".join(lines) + "\n"
    return _spelt(text) if ascii_only else text


def markdown(answers: Sequence[Answer]) -> str:
    """The same as a page of Markdown, without the curve."""
    parts = ["# Plan of an experiment"]
    for answer in answers:
        parts += [f"**{_md(answer.headline)}**"] + ([answer.promise] if answer.promise else [])
        if answer.table:
            head, *rows = answer.table
            shown = [head, ("---",) * len(head), *rows]
            parts.append("\n".join("| " + " | ".join(map(_md, row)) + " |" for row in shown))
        parts += map(_md, answer.notes)
    if told := unique(caution for answer in answers for caution in answer.cautions):
        parts += ["## Cautions", "\n".join(f"- {caution.text}" for caution in told)]
    return "\n\n".join(parts) + "\n"


def _md(text: str) -> str:
    """Names come from the user's file: no markup of theirs."""
    return re.sub(r"([\\`*_\[\]|])", r"\\\1", plain(text)).replace("<", "&lt;")


def unique(cautions: Iterable[Caution]) -> list[Caution]:
    return list(dict.fromkeys(cautions))


def aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Columns two spaces apart, numbers to the right; the first column to the left where it is a name."""
    rows = [[plain(cell) for cell in row] for row in table]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    names = any(not _number(row[0]) for row in rows[1:])
    found = []
    for row in rows:
        cells = [
            cell.ljust(size) if names and not i else cell.rjust(size)
            for i, (cell, size) in enumerate(zip(row, widths, strict=True))
        ]
        found.append(("  " + "  ".join(cells)).rstrip())
    return found


def _number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    lines, line = [], ""
    for word in plain(text).split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = indent + word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]


def _spelt(text: str) -> str:
    from bakeoff.report.formats.terminal import to_ascii

    return to_ascii(text)
