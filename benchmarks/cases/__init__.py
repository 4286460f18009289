"""The families of figures, one file each, in the order of the page."""

from __future__ import annotations

from benchmarks.cases import (
    any_pvalues,
    bayes_mean_ranks,
    bayes_signed_ranks,
    mean_rank_pairs,
    one_family,
    plans,
    racing_blocks,
    rank_sum_law,
    ranking,
    running_overhead,
    running_store,
    shaffer_counts,
    signed_ranks,
    start_up,
    studentized,
    table_size,
    tails_in_logs,
)
from benchmarks.model import Benchmark

BENCHMARKS: dict[str, Benchmark] = {
    benchmark.name: benchmark
    for benchmark in (
        mean_rank_pairs.BENCHMARK,
        any_pvalues.BENCHMARK,
        shaffer_counts.BENCHMARK,
        one_family.BENCHMARK,
        signed_ranks.BENCHMARK,
        rank_sum_law.BENCHMARK,
        studentized.BENCHMARK,
        ranking.BENCHMARK,
        table_size.BENCHMARK,
        start_up.BENCHMARK,
        tails_in_logs.BENCHMARK,
        bayes_mean_ranks.BENCHMARK,
        bayes_signed_ranks.BENCHMARK,
        running_overhead.BENCHMARK,
        running_store.BENCHMARK,
        plans.BENCHMARK,
        racing_blocks.BENCHMARK,
    )
}
