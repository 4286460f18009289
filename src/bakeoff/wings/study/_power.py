"""Rates at which procedures reject on samples of problems, and how similar answers are: Demšar (2006), section 4."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import choice, number
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError
from bakeoff.paired.differences import paired_differences
from bakeoff.randomness import generator, streams
from bakeoff.scores import Array, Scores
from bakeoff.takes_table import takes_table
from bakeoff.wings.study.power_measures import PowerRow
from bakeoff.wings.study.table_study import (
    Progress,
    TableStudy,
    checked_draws,
    checked_steps,
    drawn_problems,
    log_weights,
    step_counter,
)

LEADS = ("pair", "average")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PowerStudy(TableStudy):
    """The result of :func:`bakeoff.study.power`: ``rows``, one for each procedure and bias."""

    kind: ClassVar[str] = "study-power"
    bias: tuple[float, ...]  # strengths of the bias
    scale: float  # what differences are divided by before the bias multiplies them
    scale_asked: float | str | None  # as given; None: chosen from the data
    lead: str  # the algorithm that the bias favours
    rows: tuple[PowerRow, ...]  # one entry per procedure and bias

    def row(self, test: str, k: float) -> PowerRow:
        """The row of one procedure at one bias."""
        return next(row for row in self.rows if row.test == test and row.k == k)


@takes_table
def power(
    scores: Scores,
    a: str | int,
    b: str | int,
    tests: str | Sequence[str] | None = None,
    size: int = 10,
    bias: Sequence[float] = (0, 5, 10, 15, 20),
    draws: int = 1000,
    rng: int | np.random.Generator | None = None,
    scale: float | Literal["sd"] | None = None,
    progress: Progress | None = None,
    *,
    alpha: float = 0.05,
    lead: Literal["pair", "average"] = "pair",
) -> PowerStudy:
    """On other samples of problems, how often would each procedure find a and b different, and how similar are they?

    The experiment of Demšar (2006, section 4) and García et al. (2010, section 6) on a finished table. Use it to see
    what a procedure can find with ``size`` problems like yours. Not as evidence about a and b: problems are drawn
    knowing the result. It does not tell power from error; ``bo.study.known_truth`` does.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms), finite; means over runs. Clusters are drawn whole, each row being its mean.
    a : str or int
        The algorithm that a larger bias favours; it is the control where a procedure has one.
    b : str or int
        The algorithm that it is compared with.
    tests : str or sequence of str, optional
        Names of procedures (docs/trust/power.md). Default: all that fit the table.
    size : int
        Problems (clusters, if there are any) in each draw.
    draws : int
        Draws at each bias, at least 2.
    bias : sequence of float
        k ≥ 0. A problem is drawn with a chance proportional to 1/(1 + exp(−k·d/scale)), where d is the difference of
        the scores of a and b, positive if a is better. Problems are drawn one after the other without replacement;
        chances are renormalised each time.
    scale : float or "sd", optional
        Needed for k > 0 unless all scores lie in [0, 1]: a number in score units, or the standard deviation of d.
    rng : int or Generator, optional
        Seed or Generator of the draws; seed 0 if absent.
    progress : callable, optional
        Called with (tables done, tables in all).
    alpha : float
        Level of each procedure; default 0.05.
    lead : {"pair", "average"}
        By what problems are preferred: d of a over b, or over the average of all others.

    Returns
    -------
    PowerStudy
        ``.rows`` and ``.to_frame()``: test, k, rejections, mean_p, r_e, r_p, mean_p_all, with standard errors ``_se``.

    Raises
    ------
    ParameterError, UnknownNameError, InfiniteScoreError, TooLargeError
        A name, number or scale that does not fit; infinite scores.

    Notes
    -----
    R(e) = (p(p − 1) + q(q − 1))/(n(n − 1)), p draws accepting and q rejecting (Bouckaert 2004); R(p) = 1 − 2·var(p).
    Standard errors are of the drawing from this table only. Rows of one bias share their draws.

    Examples
    --------
    >>> import bakeoff as bo
    >>> found = bo.study.power(bo.datasets.load("garcia_2010"), "PDFC", "FH-GBML", tests="wilcoxon", draws=200)
    >>> found.row("wilcoxon", 20).rejections > found.row("wilcoxon", 0).rejections
    True
    """
    pool = checked_draws(scores, a, b, tests, size, draws, alpha, rng, "A study of power")
    biases = checked_steps("bias", bias)
    differences = _leading(pool.scores, *pool.pair, choice("lead", lead, LEADS))
    unit = _scale(pool.scores, differences, biases, scale)
    rows: list[PowerRow] = []
    done = step_counter(progress, pool.draws * len(biases))
    for k, stream in zip(biases, streams(generator(pool.seed)), strict=False):
        tables = partial(_drawn_tables, pool.scores, log_weights(differences / unit, k), pool.size, stream=stream)
        outcomes = pool.outcomes(tables, done)
        rows += [outcomes[test].row(test, k) for test in pool.tests]
    return PowerStudy(
        bias=biases,
        scale=unit,
        scale_asked=scale,
        lead=lead,
        rows=tuple(sorted(rows, key=lambda row: pool.tests.index(row.test))),
        **pool.fields(*_overlap(pool.size, pool.scores.n_problems)),
    )


def _drawn_tables(
    scores: Scores, weights: Array, n: int, size: int, stream: np.random.Generator
) -> tuple[Array, Array]:
    """Costs and scales of ``size`` tables of n problems each."""
    chosen = drawn_problems(weights, n, size, stream)
    return scores.costs[chosen], scores.scales[chosen]


def _leading(scores: Scores, a: int, b: int, lead: str) -> Array:
    """(n,) positive where a is better."""
    if lead == "pair":
        return paired_differences(scores, a, b, "A study of power").values
    others = np.delete(scores.costs, a, axis=1)
    return np.asarray(others.mean(axis=1) - scores.costs[:, a])


def _scale(scores: Scores, differences: Array, biases: tuple[float, ...], scale: object) -> float:
    if scale == "sd":
        deviation = float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
        if deviation == 0.0:
            raise ParameterError("'sd' is 0: all differences are equal; give a number", parameter="scale")
        return deviation
    if scale is not None:
        return number("scale", scale, above=0.0, what="'sd' or a number above 0, in the unit of the scores")
    low, high = float(scores.values.min()), float(scores.values.max())
    if max(biases) > 0.0 and not (low >= 0.0 and high <= 1.0):
        raise ParameterError(
            "is needed: a bias k means the same as in the papers only for scores in [0, 1], and these run from "
            f"{low:g} to {high:g}. scale='sd' divides differences by their standard deviation (take small biases, such "
            "as 0 to 4); scale=1 takes them as they are",
            parameter="scale",
        )
    return 1.0


def _overlap(size: int, n: int) -> tuple[Caution, ...]:
    shared = 2 * size - n
    if shared <= 0:
        return ()
    if size == n:
        return (caution_of("dependence", "whole-draws", n=n),)
    return (caution_of("dependence", "draws", size=size, n=n, shared=shared),)
