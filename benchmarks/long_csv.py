"""A long table of runs as CSV, written by a process of its own: ``python -m benchmarks.long_csv PATH ROWS``.

1000 problems, 10 algorithms; scores of six decimals. So what measures memory has not made the data.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

PROBLEMS, ALGORITHMS = 1000, 10
_KEPT: list[tempfile.TemporaryDirectory[str]] = []  # removed when the process ends


def write(path: str, rows: int) -> None:
    """``rows`` of problem, algorithm, score, run."""
    runs = rows // (PROBLEMS * ALGORITHMS)
    rng = np.random.default_rng(1)
    with open(path, "w", encoding="utf-8") as file:
        file.write("problem,algorithm,score,run\n")
        for i in range(PROBLEMS):
            for j in range(ALGORITHMS):
                scores = enumerate(rng.normal(10.0, 1.0, size=runs).tolist())
                file.write("".join(f"problem{i},algorithm{j},{x:.6f},{r}\n" for r, x in scores))


@cache
def runs_as_csv(rows: int) -> str:
    """The path of such a file, which is there until this process ends."""
    folder = tempfile.TemporaryDirectory()
    _KEPT.append(folder)
    path = str(Path(folder.name) / "runs.csv")
    subprocess.run([sys.executable, "-m", "benchmarks.long_csv", path, str(rows)], check=True)
    return path


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]))
