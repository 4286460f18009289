"""A store's runs as CSV or Parquet, in the long layout that ``bakeoff compare`` reads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bakeoff.errors import ParameterError, StoreError
from bakeoff.files import csv_line, write_whole
from bakeoff.packages import optional
from bakeoff.processes.command_line import command_seed
from bakeoff.wings.run.store.contents import Contents, corruption_as_store_error
from bakeoff.wings.run.store.opening import open_for_reading


def columns(contents: Contents) -> dict[str, list[Any]]:
    """The task, if there are tasks; problem, algorithm, run (1, 2, …), score (for a failed run, what it counts as),
    status, seconds, attempt, seed, error, and a column per metric; of programs also ``program_seed``, the number that
    they got for ``{seed}``.
    """
    problems = [i.name for i in contents.instances]
    rows = contents.rows
    tasks = contents.spec.get("tasks")
    by_name: dict[str, list[Any]] = {} if tasks is None else {"task": [tasks[problems[row.problem]] for row in rows]}
    by_name |= {
        "problem": [problems[row.problem] for row in rows],
        "algorithm": [contents.algorithms[row.algorithm] for row in rows],
        "run": [row.repetition + 1 for row in rows],
        "score": [contents.score(row) for row in rows],
        "status": [row.status for row in rows],
        "seconds": [row.seconds for row in rows],
        "attempt": [row.attempt for row in rows],
        "seed": [row.seed_hex for row in rows],
        "error": [row.error for row in rows],
    }
    programs = [algorithm.get("kind") == "command" for algorithm in contents.spec["algorithms"]]
    if any(programs):
        seeds = [command_seed(int(r.seed_hex, 16)) if programs[r.algorithm] else None for r in rows]
        by_name["program_seed"] = seeds
    if any(row.metrics for row in rows):
        with corruption_as_store_error():
            metrics = [_metrics(row.metrics) for row in rows]
        for name in dict.fromkeys(name for row in metrics for name in row):
            column = name if name not in by_name else f"metric_{name}"
            by_name[column] = [row.get(name) for row in metrics]
    return by_name


def _metrics(text: str | None) -> dict[str, float | None]:
    """NaN and infinities are stored as text."""
    metrics = json.loads(text or "{}")
    return {str(name): None if value is None else float(value) for name, value in metrics.items()}


def export_runs(contents: Contents, target: Path) -> int:
    """Write all runs to a file, whole or not at all, and return how many there are."""
    _write(columns(contents), target)
    return len(contents.rows)


def export_attempts(store: Path, target: Path) -> int:
    """The same for attempts that failed and are not among the runs: repeated since, or to be repeated."""
    query = (
        "SELECT i.name AS problem, a.name AS algorithm, t.rep + 1 AS run, t.attempt AS attempt, t.outcome AS status, "
        "t.started AS started, t.worker AS worker, t.error AS error FROM attempt t JOIN instance i ON i.pos = t.inst "
        "JOIN algorithm a ON a.pos = t.alg ORDER BY t.id"
    )
    with open_for_reading(store) as connection:
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchall()
    _write({name: [row[i] for row in rows] for i, name in enumerate(names)}, target)
    return len(rows)


def _write(columns_written: dict[str, list[Any]], target: Path) -> None:
    writer = WRITERS.get(target.suffix.lower())
    if writer is None:
        raise ParameterError(
            f"the suffix of {str(target)!r} must say what to write: {' or '.join(WRITERS)}; got {target.suffix!r}"
        )
    if target.is_dir():
        raise ParameterError(f"{str(target)!r} is a folder; name a file")
    try:
        write_whole(target, lambda draft: writer(columns_written, draft))
    except OSError as error:
        raise StoreError(f"cannot write {str(target)!r}: {error.strerror or error}") from None


def _write_csv(columns_written: dict[str, list[Any]], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(csv_line(columns_written))
        file.writelines(map(csv_line, zip(*columns_written.values(), strict=True)))


def _write_parquet(columns_written: dict[str, list[Any]], path: Path) -> None:
    try:
        parquet = optional("pyarrow.parquet")
    except ImportError:
        advice = "writing .parquet needs the package pyarrow or polars; install one, or write .csv"
        optional("polars", advice).DataFrame(columns_written, strict=False).write_parquet(str(path))
    else:
        parquet.write_table(optional("pyarrow").table(columns_written), str(path))


WRITERS: dict[str, Callable[[dict[str, list[Any]], Path], None]] = {".csv": _write_csv, ".parquet": _write_parquet}
