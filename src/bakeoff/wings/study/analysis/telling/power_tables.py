"""Tables of a study of power: a row for each procedure, a column for each bias or shift."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from bakeoff.numerals import decimals, significant
from bakeoff.report.document import Column, Figure, Row, Table
from bakeoff.wings.study import KnownTruth, PowerStudy
from bakeoff.wings.study.analysis.figure import FAMILIES, PowerPlot, families
from bakeoff.wings.study.many_tables.procedures import TESTS
from bakeoff.wings.study.power_measures import PowerRow

Item = TypeVar("Item")
LOOKS = {"pair": "pair", "table": "table", "control": "control", "pairs": "all pairs"}


@dataclass(frozen=True, slots=True)
class Steps(Generic[Item]):
    """A study by its steps: the symbol of the bias or the shift, its values, and the row of a procedure at one."""

    symbol: str
    values: Sequence[float]
    row: Callable[[str, float], Item]

    def table(
        self,
        key: str,
        caption: str,
        tests: Sequence[str],
        cell: Callable[[Item], str],
        note: str = "",
        folded: bool = False,
    ) -> Table:
        """What ``cell`` says of each procedure at each step."""
        columns = (
            Column("test", "procedure"),
            Column("looks", "looks at", rank=1),
            *(Column(str(i), f"{self.symbol} = {significant(x, 3)}", numeric=True) for i, x in enumerate(self.values)),
        )
        rows = [
            Row((TESTS[test].short, LOOKS[TESTS[test].looks], *(cell(self.row(test, x)) for x in self.values)))
            for test in tests
        ]
        return Table(key=key, caption=caption, columns=columns, rows=rows, note=note, folded=folded, square=True)


def share(count: int | None, draws: int) -> str:
    """In percent; a dash where nothing could be counted."""
    return "–" if count is None else decimals(100 * count / draws, 1)


def largest_error(rows: Sequence[PowerRow], error: Callable[[PowerRow], float | None]) -> float:
    """Of the standard errors of a table."""
    return max((one for row in rows if (one := error(row)) is not None), default=0.0)


def figures(study: PowerStudy | KnownTruth) -> tuple[Figure, ...]:
    """One for each family of procedures."""
    return tuple(
        Figure(PowerPlot(study=study, family=family), f"{FAMILIES[family].capitalize()}.", key=family, small=True)
        for family in families(study)
    )
