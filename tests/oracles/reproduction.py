"""Printed beside computed: the records that the tests assert and that docs/trust/reproduction.md shows.

A number agrees when it is within half a unit of the last printed digit. Every other number must be listed, with the
id of its erratum (docs/trust/errata.md), in data/expected_disagreements.csv, and must then really disagree: the page
and the tests cannot say different things, and neither can be quietly loosened.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from oracles.published import DATA, Cells

Value = float | str | None

# errata that are no misprints: the authors worked with digits, ranks or data that the paper does not print
UNPRINTED_INPUT = ("C1", "D2", "D5", "D7", "G11", "M1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One printed number. ``by_route`` is what the stated compatible route gives, which must agree with the print."""

    table: str
    row: str
    column: str
    printed: str
    computed: Value
    by_route: Value
    has_route: bool
    decimals: int
    erratum: str

    @property
    def agrees(self) -> bool:
        return same(self.printed, self.computed, self.decimals)

    @property
    def route_agrees(self) -> bool:
        return same(self.printed, self.by_route, self.decimals)

    @property
    def status(self) -> str:
        if not self.erratum:
            return "agrees"
        return "input" if self.erratum in UNPRINTED_INPUT else "misprint"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedTable:
    """One table of a paper (or the numbers of its text), recomputed."""

    label: str  # "Derrac T16"
    title: str
    source: str  # what the computed numbers start from, and by which functions
    records: tuple[Record, ...]
    route: str = ""  # how ``by_route`` was computed
    notes: tuple[str, ...] = field(default=())


def compare(
    label: str,
    title: str,
    source: str,
    printed: Cells,
    computed: Mapping[tuple[str, str], Value],
    *,
    by_route: Mapping[tuple[str, str], Value] | None = None,
    route: str = "",
    decimals: int | Mapping[str, int] = 0,
    notes: tuple[str, ...] = (),
) -> PrintedTable:
    """Put a printed table beside the computed one.

    ``decimals`` (of all, or by column): what the paper works with where it drops trailing zeros: at six decimals
    "0.00387" is 0.003870 and "1.0" is 1.000000.
    """
    assert set(computed) == set(printed), f"{label}: {set(computed) ^ set(printed)}"
    routes = by_route or {}
    assert set(routes) <= set(printed), label
    expected = expected_disagreements()
    records = tuple(
        Record(
            table=label,
            row=row,
            column=column,
            printed=cell,
            computed=computed[row, column],
            by_route=routes.get((row, column)),
            has_route=(row, column) in routes,
            decimals=decimals if isinstance(decimals, int) else decimals.get(column, 0),
            erratum=expected.get((label, row, column), ""),
        )
        for (row, column), cell in printed.items()
    )
    return PrintedTable(label=label, title=title, source=source, records=records, route=route, notes=notes)


def same(printed: str, computed: Value, decimals: int = 0) -> bool:
    """Whether ``computed`` rounds to ``printed``: half a unit in the last printed digit, 1e-9 of it for rounding."""
    if computed is None or isinstance(computed, str):
        return printed == (computed or "")
    if not printed:
        return False
    if printed[0] in "<>":
        bound = float(printed[1:])
        return computed < bound if printed[0] == "<" else computed > bound
    number = Decimal(printed)
    last = number.as_tuple().exponent
    assert isinstance(last, int)
    if last == 0 and not decimals:  # whole numbers are counts, ranks, degrees of freedom: nothing was rounded
        return abs(computed - float(number)) <= 1e-9 * max(1.0, abs(computed))
    unit = Decimal(1).scaleb(min(last, -decimals))
    return abs(Decimal(computed) - number) <= unit / 2 * (1 + Decimal("1e-9"))


@lru_cache(maxsize=1)
def expected_disagreements() -> Mapping[tuple[str, str, str], str]:
    """{(table, row, column): erratum}."""
    with (DATA / "expected_disagreements.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))[1:]
    found = {(table, row, column): erratum for table, row, column, erratum in lines}
    assert len(found) == len(lines), "expected_disagreements.csv lists a number twice"
    return found


def unexpected(table: PrintedTable) -> list[str]:
    """Numbers that disagree without an erratum, agree in spite of one, or are missed by their compatible route."""
    found = []
    for r in table.records:
        where = f"{r.table}, {r.row}, {r.column}: printed {r.printed or '–'}"
        if not r.agrees and not r.erratum:
            found.append(f"{where}, computed {r.computed!r}")
        if r.agrees and r.erratum:
            found.append(f"{where}, computed {r.computed!r}: agrees, so {r.erratum} should not be listed")
        if r.has_route and not r.route_agrees:
            found.append(f"{where}, by the compatible route {r.by_route!r}")
    return found
