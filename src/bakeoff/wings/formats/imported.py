"""The table of ``bakeoff import``: nothing of what the files said is lost on the way through it."""

import math
from collections.abc import Iterator, Sequence

from bakeoff.errors import ReadingError
from bakeoff.scores.runs import RUN_KINDS
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin
from bakeoff.wings.formats.source_file import SourceFile, with_columns
from bakeoff.wings.formats.tabular import ScoreColumns, TableRow, columns_of_scores, table_rows

SIGNATURE = frozenset({"problem", "algorithm", "score", "status", "metric", "better", "run_kind"})


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """The columns as they are called; a labelled file is of one algorithm."""
    for file in files:
        there = {name: [name] for name in ScoreColumns._fields if name in file.columns}
        problem, algorithm, run, cluster = columns_of_scores(file, choices, there)
        origins: dict[tuple[str, ...], Origin] = {}
        for row in table_rows(file):
            about = tuple(map(row.text, ("tool", "tool_version", "machine", "commit", "host")))
            tool, version, machine, commit, host = about
            origin = origins.setdefault(about, Origin(file.path, tool, version, machine, commit, host=host))
            status = row.text("status")
            score = row.score("score")
            if status in ("", "missing") and score == score:
                raise ReadingError(f"{row.place}: has a score and no status; write ok")
            yield Measurement(
                row.required(problem, "problem"),
                file.label or row.required(algorithm, "algorithm"),
                score if status == "ok" else math.nan,
                metric=row.text("metric"),
                better=_one_of(row, "better", ("lower", "higher")),  # type: ignore[arg-type]
                run=file.part + (row.name(run) if run else "0"),
                run_kind=_one_of(row, "run_kind", RUN_KINDS),
                cluster=row.name(cluster) or None if cluster else None,
                unit=row.text("unit") or None,
                status="ok" if status == "missing" else status,  # NaN, without a reason
                origin=origin,
                version=row.text("version"),
                task=row.text("task"),
            )


def _one_of(row: TableRow, column: str, words: Sequence[str]) -> str | None:
    value = row.text(column)
    if value and value not in words:
        raise ReadingError(f"{row.place}, column {column!r}: must be empty or one of {', '.join(words)}; got {value!r}")
    return value or None


FORMAT = Format("imported", "a table of bakeoff import", with_columns(SIGNATURE), read, tasks=True)
