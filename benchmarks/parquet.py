"""A long table of runs as Parquet, written by a process of its own: ``python -m benchmarks.parquet PATH ROWS``.

200 problems, 10 algorithms, a row group per problem; so that what measures memory has not made the data.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PROBLEMS, ALGORITHMS = 200, 10
_KEPT: list[tempfile.TemporaryDirectory[str]] = []  # removed when the process ends


def write(path: str, rows: int) -> None:
    """``rows`` of problem, algorithm, run, score."""
    import pyarrow as pa
    from pyarrow import parquet

    runs = rows // (PROBLEMS * ALGORITHMS)
    rng = np.random.default_rng(1)
    names = pa.array([f"A{j}" for j in range(ALGORITHMS)])
    codes = pa.array(np.repeat(np.arange(ALGORITHMS, dtype=np.int32), runs))
    run = pa.array(np.tile(np.arange(runs), ALGORITHMS))
    writer = None
    for i in range(PROBLEMS):
        problem = pa.DictionaryArray.from_arrays(pa.array(np.zeros(len(run), dtype=np.int32)), pa.array([f"p{i:03}"]))
        columns = {
            "problem": problem,
            "algorithm": pa.DictionaryArray.from_arrays(codes, names),
            "run": run,
            "score": rng.random(len(run)),
        }
        group = pa.table(columns)
        writer = writer or parquet.ParquetWriter(path, group.schema)
        writer.write_table(group)
    if writer is not None:
        writer.close()


def runs_as_parquet(rows: int) -> str:
    """The path of such a file, which is there until this process ends."""
    folder = tempfile.TemporaryDirectory()
    _KEPT.append(folder)
    path = str(Path(folder.name) / "runs.parquet")
    subprocess.run([sys.executable, "-m", "benchmarks.parquet", path, str(rows)], check=True)
    return path


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
