"""The families of figures, one file each, in the order of the page."""

from __future__ import annotations

from benchmarks.cases import (
    bayes_mean_ranks,
    bayes_signed_rank,
    bergmann_hommel,
    bergmann_hommel_any,
    cold_start,
    compare,
    curves,
    friedman,
    hommel,
    large_csv,
    lazy_frames,
    leaderboard,
    model_logs,
    plan,
    power_study,
    racing,
    ranking,
    report_page,
    run_overhead,
    sensitivity,
    serve,
    shaffer,
    store,
    studentized_range,
    tails,
    wilcoxon,
)
from benchmarks.model import Benchmark

BENCHMARKS: dict[str, Benchmark] = {
    benchmark.name: benchmark
    for benchmark in (
        bergmann_hommel.BENCHMARK,
        bergmann_hommel_any.BENCHMARK,
        shaffer.BENCHMARK,
        hommel.BENCHMARK,
        wilcoxon.BENCHMARK,
        friedman.BENCHMARK,
        studentized_range.BENCHMARK,
        ranking.BENCHMARK,
        leaderboard.BENCHMARK,
        cold_start.BENCHMARK,
        tails.BENCHMARK,
        bayes_mean_ranks.BENCHMARK,
        bayes_signed_rank.BENCHMARK,
        run_overhead.BENCHMARK,
        store.BENCHMARK,
        plan.BENCHMARK,
        racing.BENCHMARK,
        compare.BENCHMARK,
        sensitivity.BENCHMARK,
        power_study.BENCHMARK,
        model_logs.BENCHMARK,
        lazy_frames.BENCHMARK,
        large_csv.BENCHMARK,
        curves.BENCHMARK,
        serve.BENCHMARK,
        report_page.BENCHMARK,
    )
}
