"""Shared by the studies of a finished table: draws of problems, checked arguments, the fields of the results."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff import special
from bakeoff.checks import integer, number, probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError
from bakeoff.randomness import DEFAULT_SEED, integer_seed
from bakeoff.ranks import tie_tolerance
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.clusters import cluster_codes, cluster_names, members
from bakeoff.wings.study.power_measures import Outcomes, Tables, chosen_tests, outcomes_of, reach_cautions

# Weighted draws of problems without replacement: Demšar (2006), section 4.1.1.


Index = npt.NDArray[np.intp]


def drawn_rows(scores: Scores) -> Scores:
    """The rows to draw from: problems or, if there are clusters, the mean over the problems of each.

    The problems of a cluster stand where runs do, so that means are tied within the tolerance of means.
    """
    if scores.clusters is None:
        return scores
    rows = members(cluster_codes(scores))
    cells = np.full((len(rows), scores.n_algorithms, max(map(len, rows))), np.nan)
    for i, of_cluster in enumerate(rows):
        cells[i, :, : len(of_cluster)] = scores.values[of_cluster].T
    return Scores.from_cells(
        cells, scores.algorithms, cluster_names(scores), better=scores.better, metric=scores.metric
    )


def log_weights(differences: Array, bias: float) -> Array:
    """ln of 1/(1 + exp(−k·d)): the problem's chance to be drawn first, up to a factor."""
    weights: Array = special.log_expit(bias * differences)
    return weights


def drawn_problems(log_weight: Array, size: int, draws: int, stream: np.random.Generator) -> Index:
    """(draws, size) problems, in increasing order within a draw.

    One problem after the other, the remaining weights renormalised. That has the distribution of the ``size`` smallest
    of independent exponential times E_i / w_i (Efraimidis & Spirakis 2006): the first of them is i with probability
    w_i / Σ w, and the times that are left forget what has passed.
    """
    keys = np.log(stream.standard_exponential((draws, len(log_weight)))) - log_weight
    return np.sort(np.argsort(keys, axis=1)[:, :size], axis=1)


Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TableStudy(Reportable):
    """A study of two algorithms of a table."""

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
    """The draws, checked."""

    table: Scores
    scores: Scores  # its rows: problems, or the means of clusters
    pair: tuple[int, int]
    size: int
    draws: int
    alpha: float
    tests: tuple[str, ...]
    left_out: str
    seed: int

    def outcomes(self, tables: Tables, progress: Callable[[int], None], **more: Any) -> dict[str, Outcomes]:
        """The outcomes of every procedure in all draws."""
        shape, averaged = (self.size, self.scores.n_algorithms), self.scores.runs is not None
        return outcomes_of(
            tables, self.draws, shape, self.pair, averaged, self.alpha, self.tests, progress=progress, **more
        )

    def fields(self, *cautions: Caution) -> dict[str, Any]:
        """Those of a ``TableStudy``; ``cautions`` come first."""
        reach = reach_cautions(self.tests, self.size, self.scores.n_algorithms, self.alpha, self.left_out)
        return {
            **{name: getattr(self, name) for name in ("tests", "size", "draws", "alpha", "seed")},
            **{name: self.scores.algorithms[column] for name, column in zip("ab", self.pair, strict=True)},
            "scores": self.table,
            "unit": "problem" if self.table.clusters is None else "cluster",
            "drawn_from": self.scores.n_problems,
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
    pair = rows.pair(a, b)
    size, draws = integer("size", size, 2, rows.n_problems), integer("draws", draws, 2, 10_000_000)
    alpha = probability("alpha", alpha)
    names, left_out = chosen_tests(tests, rows, relative=divisible(rows, *pair))
    seed = integer_seed(rng)
    return TableDraws(
        table=scores,
        scores=rows,
        pair=pair,
        size=size,
        draws=draws,
        alpha=alpha,
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
