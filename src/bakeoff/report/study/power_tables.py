"""Tables of a study of power: a row for each procedure, a column for each bias or shift."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from bakeoff.numerals import decimals, significant
from bakeoff.report.document import Column, Row, Table
from bakeoff.study.many_tables.procedures import TESTS
from bakeoff.study.power_measures import PowerRow

Item = TypeVar("Item")
LOOKS = {"pair": "pair", "table": "table", "control": "control", "pairs": "all pairs"}


def by_step(
    key: str,
    caption: str,
    tests: Sequence[str],
    steps: Sequence[float],
    cell: Callable[[str, float], str],
    symbol: str,
    note: str = "",
    folded: bool = False,
) -> Table:
    """What ``cell`` says of each procedure at each step; ``symbol`` is the bias or the shift."""
    columns = (
        Column("test", "procedure"),
        Column("looks", "looks at", rank=1),
        *(Column(str(i), f"{symbol} = {significant(step, 3)}", numeric=True) for i, step in enumerate(steps)),
    )
    rows = [Row((TESTS[test].short, LOOKS[TESTS[test].looks], *(cell(test, step) for step in steps))) for test in tests]
    return Table(key=key, caption=caption, columns=columns, rows=rows, note=note, folded=folded, square=True)


def share(count: int | None, draws: int) -> str:
    """In percent; a dash where nothing could be counted."""
    return "–" if count is None else decimals(100 * count / draws, 1)


def largest_error(rows: Sequence[PowerRow], error: Callable[[PowerRow], float | None]) -> float:
    """Of the standard errors of a table."""
    return max((found for row in rows if (found := error(row)) is not None), default=0.0)
