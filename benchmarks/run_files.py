"""Long tables of runs, written by a process of their own: ``python -m benchmarks.run_files PATH ROWS``.

So what measures memory has not made the data. CSV: 1000 problems, 10 algorithms, scores of six decimals. Parquet: 200
problems, 10 algorithms, a row group per problem.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

ALGORITHMS = 10
_KEPT: list[tempfile.TemporaryDirectory[str]] = []  # removed when the process ends


def _write_csv(path: str, rows: int, problems: int = 1000) -> None:
    """``rows`` of problem, algorithm, score, run."""
    runs = rows // (problems * ALGORITHMS)
    rng = np.random.default_rng(1)
    with open(path, "w", encoding="utf-8") as file:
        file.write("problem,algorithm,score,run\n")
        for i in range(problems):
            for j in range(ALGORITHMS):
                scores = enumerate(rng.normal(10.0, 1.0, size=runs).tolist())
                file.write("".join(f"problem{i},algorithm{j},{x:.6f},{r}\n" for r, x in scores))


def _write_parquet(path: str, rows: int, problems: int = 200) -> None:
    """``rows`` of problem, algorithm, run, score."""
    import pyarrow as pa
    from pyarrow import parquet

    runs = rows // (problems * ALGORITHMS)
    rng = np.random.default_rng(1)
    names = pa.array([f"A{j}" for j in range(ALGORITHMS)])
    codes = pa.array(np.repeat(np.arange(ALGORITHMS, dtype=np.int32), runs))
    run = pa.array(np.tile(np.arange(runs), ALGORITHMS))
    writer = None
    for i in range(problems):
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


@cache
def runs_in_file(rows: int, suffix: str) -> str:
    """The path of such a file (".csv" or ".parquet"), which is there until this process ends."""
    folder = tempfile.TemporaryDirectory()
    _KEPT.append(folder)
    path = str(Path(folder.name) / f"runs{suffix}")
    subprocess.run([sys.executable, "-m", "benchmarks.run_files", path, str(rows)], check=True)
    return path


if __name__ == "__main__":
    (_write_csv if sys.argv[1].endswith(".csv") else _write_parquet)(sys.argv[1], int(sys.argv[2]))
