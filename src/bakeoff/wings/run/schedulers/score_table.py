"""Runs by problem and algorithm as Scores."""

from collections.abc import Sequence

import numpy as np

from bakeoff.scores import Better, Scores
from bakeoff.scores.read_as import LONG
from bakeoff.wings.run.design.settings import Statistic
from bakeoff.wings.run.schedulers.resampling import statistic_value


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
        cells, algorithms, problems, better=better, dropped=dropped, clusters=clusters, read_as=LONG
    )
