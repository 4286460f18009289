"""Work run in its own process to measure peak memory: ``python -m benchmarks.heavy NAME``.

Prints wall time, processor time (both without preparing the data) and peak memory in bytes as JSON.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.model import Run


def any_pvalues(k: int) -> Callable[[], Run]:
    def prepare() -> Run:
        from benchmarks.data import symmetric_pvalues

        p = symmetric_pvalues(k)
        import bakeoff as bo

        return lambda: bo.adjust_pairwise(p, "bergmann-hommel")

    return prepare


def wilcoxon_all_pairs(k: int, n: int) -> Callable[[], Run]:
    def prepare() -> Run:
        import bakeoff as bo

        values = np.random.default_rng(9).normal(size=(n, k)).round(3) + np.arange(k) / 1000
        scores = bo.Scores(values, better="lower")
        del values
        return lambda: bo.compare(scores, pairwise="wilcoxon", posthoc="shaffer")

    return prepare


def lm_eval_lines(lines: int) -> Callable[[], Run]:
    """``bo.read_results`` of the samples of ten models, 20 tasks each."""

    def prepare() -> Run:
        import bakeoff as bo
        from benchmarks.lm_eval_logs import folder_of_logs

        folder = folder_of_logs(lines)

        def run() -> object:
            scores = bo.read_results(folder.name, metric="acc")
            assert scores.values.size == lines
            folder.cleanup()
            return scores

        return run

    return prepare


def parquet_of_runs(engine: str, rows: int) -> Callable[[], Run]:
    """A long table of 200 problems, 10 algorithms and so many runs that there are ``rows``, read as cell means."""

    def prepare() -> Run:
        import bakeoff as bo
        from benchmarks.run_files import runs_in_file

        path = runs_in_file(rows, ".parquet")
        if engine == "duckdb":
            import duckdb

            return lambda: bo.read_scores(duckdb.connect().read_parquet(path), "lower")
        import polars

        return lambda: bo.read_scores(polars.scan_parquet(path), "lower")

    return prepare


def long_csv(reader: str, rows: int) -> Callable[[], Run]:
    """A long CSV file, read by ``bo.read_scores`` or by polars alone."""

    def prepare() -> Run:
        from benchmarks.run_files import runs_in_file

        path = runs_in_file(rows, ".csv")
        if reader == "polars":
            import polars

            return lambda: polars.read_csv(path)
        import bakeoff as bo

        return lambda: bo.read_scores(path, "lower")

    return prepare


WORK: dict[str, Callable[[], Run]] = {
    "any-pvalues-10": any_pvalues(10),
    "any-pvalues-20": any_pvalues(20),
    "lm-eval-20000": lm_eval_lines(20_000),
    "lm-eval-1000000": lm_eval_lines(1_000_000),
    "wilcoxon-10x2000": wilcoxon_all_pairs(10, 2000),
    "wilcoxon-100x100000": wilcoxon_all_pairs(100, 100_000),
    **{
        f"parquet-{engine}-{rows}": parquet_of_runs(engine, rows)
        for engine in ("duckdb", "polars")
        for rows in (4_000_000, 100_000_000)
    },
    **{f"csv-{reader}-10000000": long_csv(reader, 10_000_000) for reader in ("bakeoff", "polars")},
}


def peak_memory() -> int | None:
    """Peak resident memory of this process in bytes.

    On Linux from /proc, because getrusage there includes the parent's memory at the time of the fork.
    """
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    with contextlib.suppress(ImportError):
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    return None


def report(work: str) -> str:
    run = WORK[work]()
    start, busy = time.perf_counter(), time.process_time()
    run()
    took = {"seconds": time.perf_counter() - start, "cpu": time.process_time() - busy}
    return json.dumps({**took, "peak": peak_memory()})


if __name__ == "__main__":
    sys.stdout.write(report(sys.argv[1]))
