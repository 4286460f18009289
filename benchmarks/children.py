"""Child processes: for the time from process start to text, and for the most memory a piece of work takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib import resources

from benchmarks.model import Sample

TIMEOUT = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a piece of heavy work took in a process of its own."""

    time: Sample
    peak: int | None  # bytes; None where the system does not tell


def run_python(*arguments: str) -> None:
    """A fresh interpreter, from start to end; what it prints is thrown away, a failure is an error."""
    # warnings of a peer are its own affair
    environment = os.environ | {"PYTHONWARNINGS": "ignore", "MPLBACKEND": "agg"}
    with tempfile.TemporaryDirectory() as elsewhere:
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            cwd=elsewhere,
            env=environment,
            timeout=TIMEOUT,
        )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().rsplit("\n", 1)[-1])


@cache
def cost(work: str) -> Cost:
    """One of the pieces of work in ``heavy.py``, done once in a child process."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.heavy", work], capture_output=True, text=True, timeout=TIMEOUT
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().rsplit("\n", 1)[-1])
    found = json.loads(done.stdout)
    return Cost(time=Sample(found["seconds"], found["cpu"]), peak=found["peak"])


def table_file() -> str:
    """The shipped table of 25 problems and 9 algorithms."""
    return str(resources.files("bakeoff") / "datasets" / "derrac_cec2005.csv")
