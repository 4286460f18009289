"""Long tables larger than memory, grouped in their own engine."""

from __future__ import annotations

from benchmarks.children import cost
from benchmarks.model import Benchmark, Case, at_most

ROWS = 100_000_000
FEW = 4_000_000
ENGINES = {"duckdb": "DuckDB", "polars": "polars, streaming"}


def _cases(engine: str, title: str) -> tuple[Case, ...]:
    work, short = f"parquet-{engine}-{ROWS}", f"parquet-{engine}-{FEW}"
    return (
        Case(
            name=f"{ROWS:,} rows through {title}", measure=lambda: cost(work).time, goals=(at_most(60.0),), needs=engine
        ),
        Case(
            name=f"peak memory of that process, {title}",
            measure=lambda: cost(work).peak,
            unit="B",
            goals=(at_most(2e9),),
            needs=engine,
        ),
        Case(name=f"{FEW:,} rows through {title}", measure=lambda: cost(short).time, needs=engine, short=True),
    )


BENCHMARK = Benchmark(
    name="lazy-frames",
    item=22,
    title="Long tables larger than memory",
    about='`bo.read_scores(duckdb.read_parquet(path), "lower")` and `polars.scan_parquet(path)`: runs of 10 algorithms '
    "on 200 problems as Parquet, with a row group per problem. Each runs in a process of its own, which also checks "
    "that no run occurs twice.",
    cases=tuple(case for engine, title in ENGINES.items() for case in _cases(engine, title)),
)
