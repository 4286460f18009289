"""Large CSV files, against the time in which polars reads the same file."""

from __future__ import annotations

from functools import partial

from benchmarks.children import cost
from benchmarks.model import Benchmark, Case, Goal, Peer, Run, faster
from benchmarks.run_files import runs_in_file
from benchmarks.timing import load

ROWS = 10_000_000
FEW = 400_000
POLARS = "polars' own read"


def _ours(rows: int) -> Run:
    import bakeoff as bo

    return partial(bo.read_scores, runs_in_file(rows, ".csv"), "lower")


def _theirs(rows: int) -> Run:
    return partial(load("polars").read_csv, runs_in_file(rows, ".csv"))


def _case(rows: int, goals: tuple[Goal, ...] = (), short: bool = False) -> Case:
    return Case(
        name=f"{rows:,} rows",
        make=partial(_ours, rows),
        goals=goals,
        peers=(Peer(name=POLARS, package="polars", make=partial(_theirs, rows)),),
        rounds=5,
        needs="polars",
        short=short,
        why="the names of the runs become codes, and every mean is a correctly rounded sum",
    )


BENCHMARK = Benchmark(
    name="large-csv",
    item=23,
    title="Large CSV files",
    about='`bo.read_scores(path, "lower")` of a long table, against `polars.read_csv(path)`: runs of 10 algorithms on '
    "1000 problems. Names and numbers are checked, runs are put in order and averaged, and the file's "
    "SHA-256 is computed.",
    cases=(
        _case(FEW, short=True),
        _case(ROWS, goals=(faster(0.5, POLARS),)),
        Case(
            name=f"{ROWS:,} rows, peak memory of the process",
            measure=lambda: cost(f"csv-bakeoff-{ROWS}").peak,
            unit="B",
            needs="polars",
        ),
        Case(
            name=f"{ROWS:,} rows, peak memory of polars' own read",
            measure=lambda: cost(f"csv-polars-{ROWS}").peak,
            unit="B",
            needs="polars",
        ),
    ),
)
