"""Histories of Weights & Biases: steps at which a metric was not logged, and the export with a column for each run."""

import re
from collections.abc import Mapping, Sequence

from bakeoff.errors import ReadingError, listing
from bakeoff.reading.columns import ColumnTable, list_column
from bakeoff.reading.table import SourceTable

STEPS = frozenset({"_step", "_timestamp", "_runtime"})
_OF_A_RUN = re.compile(r"(.+) - (.+?)(__MIN|__MAX)?")
_PARTS = re.compile(r"/|__")
ROLES = ("problem", "algorithm", "run")


def is_history(names: Sequence[str]) -> bool:
    """Are these columns of a run's history, in which a row has only what was logged at its step?"""
    return len(STEPS.intersection(names)) > 1


def unfolded(table: SourceTable, named: Mapping[str, str | None]) -> tuple[SourceTable, Mapping[str, str | None]]:
    """The export with columns ``run - metric``, ``run - metric__MIN`` as rows of a run and a step; else the table.

    ``named``: which columns hold what; of the export it is known.
    """
    step, *others = table.names
    matches = [_OF_A_RUN.fullmatch(name) for name in others]
    if step.lower() not in ("step", "_step") or not matches or not all(matches):
        return table, named
    whole = {j: (match[1], match[2]) for j, match in enumerate(matches, 1) if match and not match[3]}
    metrics = sorted({metric for _, metric in whole.values()})
    if len(metrics) > 1:
        raise ReadingError(f"{table.origin}: several metrics ({listing(metrics)}); export the chart of one")
    names = {j: _PARTS.split(run) for j, (run, _) in whole.items()}
    if len({len(parts) for parts in names.values()}) > 1 or len(next(iter(names.values()))) not in (2, 3):
        runs = listing([run for run, _ in whole.values()], 3)
        raise ReadingError(
            f"{table.origin}: the columns are runs of Weights & Biases ({runs}), whose names must say problem and "
            "algorithm: CartPole__PPO or CartPole/PPO/0 (problem, algorithm, run). Rename runs or columns"
        )
    (steps,), values = table.take([0], list(whole))
    columns: dict[str, list[str | float]] = {role: [] for role in (*ROLES, step, metrics[0])}
    places: list[str] = []
    for at, j in enumerate(whole):
        for i, value in enumerate(values[:, at].tolist()):
            if value == value:  # at this step this run logged something
                parts = (*names[j], "0")[:3]
                for column, cell in zip(columns.values(), (*parts, float(steps[i]), value), strict=True):
                    column.append(cell)
                places.append(table.row(i))
    found_table = ColumnTable(table.origin, list(columns), [list_column(cells) for cells in columns.values()], places)
    return found_table, {**{role: role for role in ROLES}, "budget": step, "score": metrics[0]}
