"""A store's runs as CSV or Parquet, in the long layout that ``bakeoff compare`` reads."""

from __future__ import annotations

import csv
import importlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bakeoff.errors import MissingPackageError, ParameterError, StoreError
from bakeoff.running.store.contents import Contents


def columns(contents: Contents) -> dict[str, list[Any]]:
    """problem, algorithm, run (1, 2, …), score (of a failed run what it counts as), status, seconds, attempt, seed,
    error, and a column per metric.
    """
    problems = [i.name for i in contents.instances]
    rows = contents.rows
    found: dict[str, list[Any]] = {
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
    if any(row.metrics for row in rows):
        metrics = [json.loads(row.metrics or "{}") for row in rows]
        for name in dict.fromkeys(name for row in metrics for name in row):
            column = name if name not in found else f"metric_{name}"
            found[column] = [_number(row.get(name)) for row in metrics]
    return found


def export_runs(contents: Contents, target: Path) -> int:
    """Write all runs, whole or not at all; how many there were."""
    writer = WRITERS.get(target.suffix.lower())
    if writer is None:
        raise ParameterError(
            f"the suffix of {str(target)!r} must say what to write: {' or '.join(WRITERS)}; got {target.suffix!r}"
        )
    if target.is_dir():
        raise ParameterError(f"{str(target)!r} is a folder; name a file")
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise StoreError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    os.close(handle)
    try:
        writer(columns(contents), Path(name))
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)  # as any file that is made the ordinary way
        os.replace(name, target)
    except OSError as error:
        raise StoreError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    finally:
        Path(name).unlink(missing_ok=True)
    return len(contents.rows)


def _write_csv(found: dict[str, list[Any]], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(found)
        for row in zip(*found.values(), strict=True):
            writer.writerow(["" if cell is None else repr(cell) if isinstance(cell, float) else cell for cell in row])


def _write_parquet(found: dict[str, list[Any]], path: Path) -> None:
    try:
        table = importlib.import_module("pyarrow").table(found)
        importlib.import_module("pyarrow.parquet").write_table(table, str(path))
    except ImportError:
        try:
            importlib.import_module("polars").DataFrame(found, strict=False).write_parquet(str(path))
        except ImportError:
            raise MissingPackageError(
                "writing .parquet needs the package pyarrow or polars; install one, or write .csv"
            ) from None


WRITERS: dict[str, Callable[[dict[str, list[Any]], Path], None]] = {".csv": _write_csv, ".parquet": _write_parquet}


def _number(value: Any) -> float | None:
    """A stored metric; what was no finite number is spelt as text."""
    return None if value is None else float(value)
