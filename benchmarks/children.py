"""Child processes, to time a whole process and to measure peak memory."""

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
    """Time and memory of one piece of work in its own process."""

    time: Sample
    peak: int | None  # bytes; None where the system does not report it


def run_python(*arguments: str) -> None:
    """Run a fresh interpreter to its end; discard its output, raise on failure."""
    # a peer may warn
    environment = os.environ | {"PYTHONWARNINGS": "ignore", "MPLBACKEND": "agg"}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, *arguments], capture_output=True, text=True, cwd=folder, env=environment, timeout=TIMEOUT
        )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().rsplit("\n", 1)[-1])


@cache
def cost(work: str) -> Cost:
    """The cost of one entry of ``heavy.WORK``, run once in a child process."""
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
