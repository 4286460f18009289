"""A store's contents as Scores: the bridge from running to every analysis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bakeoff.errors import ScoreError, StoreError
from bakeoff.running.design.settings import Statistic
from bakeoff.running.schedulers.resampling import measured
from bakeoff.running.store.contents import Contents
from bakeoff.scores import Better, Scores


def scores_of(contents: Contents, statistic: Statistic | None = None) -> Scores:
    """The finished problems, in the experiment's order; unfinished ones are named in ``.dropped``.

    Cells are means over runs, or what else the experiment compares; then ``.runs`` is None. ``statistic`` is needed
    only where that is a function, which no store holds.
    """
    if contents.spec.get("race") is not None:
        raise ScoreError(
            "this store holds a race: those that left have no scores on later problems, and the others were chosen by "
            "theirs, so that no comparison of it is honest. `bakeoff race` shows its result; for a comparison run the "
            "candidates you are interested in on other problems (bakeoff run)"
        )
    done = [i for i in contents.instances if i.done]
    if not done:
        raise ScoreError("no problem of this experiment is finished yet: there are no scores to compare")
    used = statistic or named_statistic(contents)
    values = contents.values()
    usable = [i for i in done if can_be_measured(used, values[i.position])] or done  # whose error says what fails
    kept = {i.position for i in usable}
    return table_of(
        [values[i.position] for i in usable],
        [i.name for i in usable],
        contents.algorithms,
        used,
        contents.spec["better"],
        (*contents.unfinished, *(i.name for i in done if i.position not in kept)),
    )


def can_be_measured(statistic: Statistic, row: Sequence[Sequence[float]]) -> bool:
    """A statistic that is somebody's function may fail on some samples; such a problem is told by its reason."""
    if not callable(statistic):
        return True
    try:
        for sample in row:
            measured(statistic, np.array(sample))
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
) -> Scores:
    """``samples[i][k]`` are algorithm k's scores on problem i."""
    if statistic != "mean":
        cells = np.array(
            [[[measured(statistic, np.array(sample))] for sample in row] for row in samples], dtype=np.float64
        )
    else:
        most = max(len(sample) for row in samples for sample in row)
        cells = np.full((len(samples), len(algorithms), most), np.nan)
        for i, row in enumerate(samples):
            for j, sample in enumerate(row):
                cells[i, j, : len(sample)] = sample
    return Scores.from_cells(cells, algorithms, problems, better=better, dropped=dropped)


def named_statistic(contents: Contents) -> Statistic:
    given = contents.spec["repetitions"]
    name = "mean" if given is None else given["statistic"]
    if name == "mean" or name == "median":
        return "mean" if name == "mean" else "median"
    raise StoreError(
        f"this experiment compares {name!r}, a function that the store does not hold; run it again in Python, "
        "bo.run(experiment, store=...).scores, which makes no finished run again"
    )
