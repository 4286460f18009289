"""What the studies of a finished table share: its checked arguments, the count of draws, the fields of the results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff.checks import integer, number, probability
from bakeoff.errors import Caution, ParameterError
from bakeoff.randomness import DEFAULT_SEED, integer_seed
from bakeoff.ranks import tie_tolerance
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores, check_scores
from bakeoff.wings.study.power_measures import Outcomes, Tables, chosen_tests, outcomes_of, reach_cautions
from bakeoff.wings.study.problem_draws import drawn_rows

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TableStudy(Reportable):
    """Of two algorithms of a table."""

    scores: Scores
    a: str
    b: str
    tests: tuple[str, ...]  # procedures studied
    size: int  # problems of a draw
    unit: str  # "problem" or "cluster": what is drawn
    drawn_from: int  # problems (clusters) of the pool
    draws: int
    alpha: float
    seed: int
    cautions: tuple[Caution, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDraws:
    """What is drawn, checked."""

    table: Scores
    scores: Scores  # its rows: problems, or the means of clusters
    pair: tuple[int, int]
    size: int
    count: int
    alpha: float
    tests: tuple[str, ...]
    left_out: str
    seed: int

    def outcomes(self, tables: Tables, progress: Callable[[int], None], **more: Any) -> dict[str, Outcomes]:
        """Of every procedure in all draws."""
        shape, averaged = (self.size, self.scores.n_algorithms), self.scores.runs is not None
        return outcomes_of(
            tables, self.count, shape, self.pair, averaged, self.alpha, self.tests, progress=progress, **more
        )

    def fields(self, *cautions: Caution) -> dict[str, Any]:
        """Those of a ``TableStudy``; ``cautions`` come first."""
        reach = reach_cautions(self.tests, self.size, self.scores.n_algorithms, self.alpha, self.left_out)
        return {
            "scores": self.table,
            "a": self.scores.algorithms[self.pair[0]],
            "b": self.scores.algorithms[self.pair[1]],
            "tests": self.tests,
            "size": self.size,
            "unit": "problem" if self.table.clusters is None else "cluster",
            "drawn_from": self.scores.n_problems,
            "draws": self.count,
            "alpha": self.alpha,
            "seed": self.seed,
            "cautions": (*cautions, *reach),
        }


def checked_draws(
    scores: Scores,
    a: str | int,
    b: str | int,
    tests: str | Sequence[str] | None,
    size: int,
    draws: int,
    alpha: float,
    rng: int | np.random.Generator | None,
    what: str,
) -> TableDraws:
    """``what`` needs finite scores."""
    check_scores(scores).require_finite(what)
    rows = drawn_rows(scores)
    i, j = rows.pair(a, b)
    n = integer("size", size, 2, rows.n_problems)
    count, level = integer("draws", draws, 2, 10_000_000), probability("alpha", alpha)
    names, left_out = chosen_tests(tests, rows, relative=divisible(rows, i, j))
    seed = integer_seed(rng)
    return TableDraws(
        table=scores,
        scores=rows,
        pair=(i, j),
        size=n,
        count=count,
        alpha=level,
        tests=names,
        left_out=left_out,
        seed=DEFAULT_SEED if seed is None else seed,
    )


def step_counter(progress: Progress | None, total: int) -> Callable[[int], None]:
    """Called with the number of tables that are newly done."""
    done = 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(done, total)

    return count


def checked_steps(parameter: str, steps: Sequence[float]) -> tuple[float, ...]:
    """Numbers from 0 on, each once, in increasing order."""
    listed = [steps] if isinstance(steps, int | float | str) else list(steps)
    values = sorted({number(parameter, step, least=0.0) for step in listed})
    if not values:
        raise ParameterError("must have at least one number", parameter=parameter)
    return tuple(values)


def divisible(scores: Scores, a: int, b: int) -> bool:
    """Whether every difference of a and b can be divided by the mean of its two scores."""
    middle = np.abs(scores.values[:, a] / 2 + scores.values[:, b] / 2)
    scale = scores.scales[:, [a, b]].max(axis=1)
    return bool(((middle > tie_tolerance(scale)) | (scale == 0.0)).all())
