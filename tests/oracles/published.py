"""The papers' tables, as printed: strings, because the printed digits are what must be reproduced."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Literal

import bakeoff as bo

DATA = Path(__file__).parent / "data"

Cells = dict[tuple[str, str], str]


@cache
def _lines(name: str) -> tuple[tuple[str, ...], ...]:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(tuple(line) for line in csv.reader(file))


def rows(name: str) -> tuple[str, ...]:
    """The first column, without its heading."""
    return tuple(line[0] for line in _lines(name)[1:])


def columns(name: str) -> tuple[str, ...]:
    """The headings, without that of the first column."""
    return _lines(name)[0][1:]


def cells(name: str) -> Cells:
    """{(row, column): printed}."""
    return {
        (line[0], column): cell
        for line in _lines(name)[1:]
        for column, cell in zip(columns(name), line[1:], strict=True)
    }


def text(paper: str) -> Cells:
    """Numbers in the running text and in equations: {(place, item): printed}."""
    return {(place, item): printed for place, item, printed in _lines(f"{paper}_text")[1:]}


def column(name: str, heading: str, skip: tuple[str, ...] = ()) -> dict[str, str]:
    """One column by row: {row: printed}."""
    return {row: cell for (row, at), cell in cells(name).items() if at == heading and row not in skip}


def scores(name: str, better: Literal["lower", "higher"], skip: tuple[str, ...] = ()) -> bo.Scores:
    """A printed table of numbers as Scores."""
    table = cells(name)
    problems = [row for row in rows(name) if row not in skip]
    values = [[float(table[row, column]) for column in columns(name)] for row in problems]
    return bo.Scores(values, columns(name), problems, better=better)
