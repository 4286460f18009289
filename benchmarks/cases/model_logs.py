"""Logs of model evaluations, question by question."""

from __future__ import annotations

from benchmarks.children import cost
from benchmarks.model import Benchmark, Case, at_most

LARGE, SMALL = "lm-eval-1000000", "lm-eval-20000"

CASES = (
    Case(name="10⁶ lines of 2 kB, time", measure=lambda: cost(LARGE).time, goals=(at_most(30.0),)),
    Case(
        name="10⁶ lines of 2 kB, peak memory of the process",
        measure=lambda: cost(LARGE).peak,
        unit="B",
        goals=(at_most(500e6),),
    ),
    Case(name="20,000 lines of 2 kB, time", measure=lambda: cost(SMALL).time, short=True),
    Case(name="20,000 lines, peak memory of the process", measure=lambda: cost(SMALL).peak, unit="B", short=True),
)

BENCHMARK = Benchmark(
    name="model-logs",
    item=21,
    title="Logs of model evaluations",
    about="`bo.read_results` of the folders of lm-eval for 10 models on 20 tasks, in a process of its own. The files "
    "were just written, and are in the file cache if it has room for their 2 GB.",
    cases=CASES,
)
