"""Did a benchmark change its level in the history of a program, when, and by how much?

``segmentation`` has the largest standardised rank sum over splits and its null distribution for all benchmarks at once,
splits again, and estimates the steps.
"""

from bakeoff.wings.guard.history.statistics._change_points import (
    BenchmarkHistory as BenchmarkHistory,
    ChangePoints as ChangePoints,
    LevelStep as LevelStep,
    change_points as change_points,
)
