"""Runs by problem and algorithm as Scores, and bootstrap errors of their statistic."""

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from bakeoff.errors import ParameterError
from bakeoff.plan.pilots import Pairs
from bakeoff.scores import Array, Better, Scores
from bakeoff.scores.read_as import LONG
from bakeoff.wings.run.design.settings import Statistic, statistic_name

# Bootstrap standard errors: Algorithm 4 of Campelo & Takahashi (2019), for any statistic.
#
# Each algorithm has its own resampled statistics, drawn from a stream keyed by (seed, problem, algorithm, number of
# runs). A pair's differences combine two such vectors. So only an algorithm with a new run is resampled, with exactly
# the result of resampling everything.


CHUNK_NUMBERS = 1 << 22  # 32 MB of resampled scores at a time; does not affect results, since the stream continues


def statistic_of(statistic: Statistic) -> Callable[[Any], float]:
    """The function on one array of scores."""
    if callable(statistic):
        return statistic
    return cast("Callable[[Any], float]", {"mean": np.mean, "median": np.median}[statistic])


def statistic_value(statistic: Statistic, sample: Array) -> float:
    """The statistic of one sample, checked, since it may be a user's function."""
    function = statistic_of(statistic)
    with np.errstate(over="ignore"):
        value = float(function(sample))
    if isinstance(statistic, str) and math.isinf(value):  # the median of two numbers near the largest float
        size = float(np.max(np.abs(sample)))
        value = float(function(sample / size)) * size
    if not math.isfinite(value):
        raise ParameterError(
            f"{statistic_name(statistic)!r} must return finite numbers; got {value}", parameter="statistic"
        )
    return value


def resampled(statistic: Statistic, runs: Sequence[float], resamples: int, seed: int) -> Array:
    """(resamples,) statistics of samples with replacement, as long as ``runs``."""
    x = np.asarray(runs, dtype=np.float64)
    n = len(x)
    stream = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    step = max(1, CHUNK_NUMBERS // n)
    parts = [
        _statistics(statistic, x[stream.integers(0, n, size=(min(step, resamples - first), n))])
        for first in range(0, resamples, step)
    ]
    return np.concatenate(parts)


def _statistics(statistic: Statistic, samples: Array) -> Array:
    """The statistic of every row."""
    if statistic == "mean":
        return cast(Array, samples.mean(axis=1))
    if statistic == "median":
        return cast(Array, np.median(samples, axis=1))
    return np.array([statistic_value(statistic, sample) for sample in samples], dtype=np.float64)


def differences_of(pairs: Pairs, statistics: Array, relative: bool) -> Array | None:
    """(n_pairs, …) differences second − first of statistics (n_algorithms, …).

    Relative ones are divided as in ``plan.pilots.error_terms``: by the first of the first pair
    (the control, or the first of two), or by the mean of all where all pairs of three or more are compared. None if
    that is not positive everywhere: then the ratio has no standard error.
    """
    first, second = [i for i, _ in pairs], [j for _, j in pairs]
    differences: Array = statistics[second] - statistics[first]
    if not relative:
        return differences
    k = len(statistics)
    all_pairs = k > 2 and len(pairs) == k * (k - 1) // 2
    reference = statistics.mean(axis=0) if all_pairs else statistics[pairs[0][0]]
    if not np.all(reference > 0):
        return None
    return cast(Array, differences / reference)


def can_be_measured(statistic: Statistic, row: Sequence[Sequence[float]]) -> bool:
    """Whether the statistic can be computed; a user's function may fail on some samples."""
    if not callable(statistic):
        return True
    try:
        for sample in row:
            statistic_value(statistic, np.array(sample))
    except Exception:
        return False
    return True


def table_of(
    samples: Sequence[Sequence[Sequence[float]]],
    problems: Sequence[str],
    algorithms: tuple[str, ...],
    statistic: Statistic,
    better: Better,
    dropped: tuple[str, ...] = (),
    clusters: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
) -> Scores:
    """``samples[i][k]`` are algorithm k's scores on problem i."""
    if statistic != "mean":
        cells = np.array(
            [[[statistic_value(statistic, np.array(sample))] for sample in row] for row in samples], dtype=np.float64
        )
    else:
        most = max(len(sample) for row in samples for sample in row)
        cells = np.full((len(samples), len(algorithms), most), np.nan)
        for i, row in enumerate(samples):
            for j, sample in enumerate(row):
                cells[i, j, : len(sample)] = sample
    return Scores.from_cells(
        cells, algorithms, problems, better=better, dropped=dropped, clusters=clusters, tasks=tasks, read_as=LONG
    )
