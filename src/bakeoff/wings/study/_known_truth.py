"""Error and power of each procedure where the truth is known: real scores made exchangeable, then shifted."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import ClassVar, Literal

import numpy as np

from bakeoff.checks import number
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError
from bakeoff.paired.differences import paired_differences
from bakeoff.randomness import generator, streams
from bakeoff.scores import Array, Scores
from bakeoff.takes_table import takes_table
from bakeoff.wings.study.many_tables.table_batch import TableBatch
from bakeoff.wings.study.power_measures import Flags, Outcomes, PowerRow
from bakeoff.wings.study.table_study import (
    Progress,
    TableStudy,
    checked_draws,
    checked_steps,
    drawn_problems,
    step_counter,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TruthRow:
    """One procedure at one shift. ``power`` has the shift as its ``k``; its rejections are of the pair.

    ``errors``: draws in which a true hypothesis of the family was rejected, None where it has no true one.
    ``at_size``: rejections of the pair at the level at which errors at shift 0 would be at most alpha.
    """

    test: str  # the procedure
    shift: float  # distance of the two algorithms, in units of scale
    power: PowerRow
    errors: int | None  # draws in which something true was rejected
    at_size: int | None  # draws in which the pair is declared different at the level that keeps errors at shift 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class KnownTruth(TableStudy):
    """The result of :func:`bakeoff.study.known_truth`: ``rows``, one for each procedure and shift."""

    kind: ClassVar[str] = "study-known-truth"
    null: tuple[str, ...]  # algorithms made equal
    shift: tuple[float, ...]
    scale: float  # one unit of the shift, in score units
    rows: tuple[TruthRow, ...]

    def row(self, test: str, shift: float) -> TruthRow:
        """The row of one procedure at one shift."""
        return next(row for row in self.rows if row.test == test and row.shift == shift)


@takes_table
def known_truth(
    scores: Scores,
    a: str | int,
    b: str | int,
    tests: str | Sequence[str] | None = None,
    size: int = 10,
    shift: Sequence[float] = (0, 0.5, 1, 1.5, 2),
    draws: int = 1000,
    rng: int | np.random.Generator | None = None,
    scale: float | Literal["sd"] = "sd",
    progress: Progress | None = None,
    *,
    alpha: float = 0.05,
    null: Literal["pair", "all"] | Sequence[str] = "pair",
) -> KnownTruth:
    """Which procedure finds more at the same error? Real scores, with a known truth.

    In each draw, ``size`` problems of the table, and on each of them the scores of the algorithms in ``null`` are dealt
    to them in random order. So they do not differ, and real scores keep their shapes. Then a is made better by the
    shift. What Demšar (2006, section 5) did not do, as the truth of his tables was unknown. Not a test of a and b.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); problems (clusters) are drawn from it with equal chances.
    a : str or int
        The algorithm that is shifted to be better.
    b : str or int
        The algorithm that it is compared with.
    tests : sequence of str, optional
        Procedures studied, as for :func:`power`.
    size : int
        Problems (clusters, if there are any) in each draw.
    draws : int
        Draws at each shift, at least 2.
    rng : int or Generator, optional
        Seed or Generator of the draws; seed 0 if absent.
    progress : callable, optional
        Called with (tables done, tables in all).
    alpha : float
        Level of each procedure; default 0.05.
    shift : sequence of float
        How much better a is made, in units of ``scale``; 0, which measures errors, must be among them.
    scale : "sd" or float
        The standard deviation of the differences of a and b once made equal (of any two of ``null``), or a number.
    null : {"pair", "all"} or sequence of str
        The algorithms made equal: a and b; all; or those named, a and b among them.

    Returns
    -------
    KnownTruth
        ``.rows``: ``.errors`` (a true hypothesis rejected), ``.power.rejections`` (of the pair), ``.at_size`` (at the
        level that makes errors at shift 0 at most alpha).

    Raises
    ------
    ParameterError, UnknownNameError, InfiniteScoreError, TooLargeError
        A name or number that does not fit; infinite scores.

    Notes
    -----
    All shifts have the same draws. Where some algorithms differ and others do not, errors are those of a partial null:
    there Finner's and Li's procedures and z tests on mean ranks may exceed alpha.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.datasets.load("garcia_2010")
    >>> found = bo.study.known_truth(s, "PDFC", "NNEP", tests=["wilcoxon", "sign"], shift=(0, 1), draws=500)
    >>> found.row("wilcoxon", 1).power.rejections > found.row("sign", 1).power.rejections
    True
    """
    pool = checked_draws(scores, a, b, tests, size, draws, alpha, rng, "A study with known truth")
    shifts = checked_steps("shift", shift)
    if shifts[0] != 0.0:
        raise ParameterError(f"must have 0 among them, which measures errors; got {shifts}", parameter="shift")
    group = _group(pool.scores, *pool.pair, null)
    unit = _unit(pool.scores, group, scale)
    outcomes, done = {}, step_counter(progress, pool.draws * len(shifts))
    for delta in shifts:
        stream = next(streams(generator(pool.seed)))  # the same draws for each shift
        by = delta * unit
        tables = partial(dealt_tables, pool.scores, group, pool.pair[0], by, pool.size, stream=stream)
        true_in = partial(true_hypotheses, group=group, alike=delta == 0.0)
        outcomes[delta] = pool.outcomes(tables, done, true_in=true_in)
    return KnownTruth(
        null=tuple(pool.scores.algorithms[c] for c in group),
        shift=shifts,
        scale=unit,
        rows=tuple(
            _row(test, delta, outcomes[delta][test], outcomes[0.0][test].least, pool.alpha)
            for test in pool.tests
            for delta in shifts
        ),
        **pool.fields(),
    )


def dealt_tables(
    scores: Scores, group: tuple[int, ...], a: int, better_by: float, n: int, size: int, stream: np.random.Generator
) -> tuple[Array, Array]:
    """Costs and scales of ``size`` tables: n problems each, the scores of ``group`` dealt again, a made better."""
    chosen = drawn_problems(np.zeros(scores.n_problems), n, size, stream)
    order = np.argsort(stream.random((size, n, len(group))), axis=2)
    costs, scales = scores.costs[chosen], scores.scales[chosen]
    for table in (costs, scales):
        table[:, :, group] = np.take_along_axis(table[:, :, group], order, axis=2)
    costs[:, :, a] -= better_by
    scales[:, :, a] = np.maximum(scales[:, :, a] * (scores.runs is not None), np.abs(costs[:, :, a]))
    return costs, scales


def true_hypotheses(batch: TableBatch, looks: str, group: tuple[int, ...], alike: bool) -> Flags:
    """Mark the hypotheses of a family that are true: no difference; ``alike``: a was not shifted."""
    if looks == "pair":
        return np.array([alike])
    if looks == "table":
        return np.array([alike and len(group) == batch.k])
    family = batch.with_control if looks == "control" else batch.pairs
    same = set(group) if alike else set(group) - {batch.a}
    return np.array([{u, v} <= same for u, v in family])


def _group(scores: Scores, a: int, b: int, null: str | Sequence[str]) -> tuple[int, ...]:
    if null == "pair":
        return tuple(sorted((a, b)))
    if null == "all":
        return tuple(range(scores.n_algorithms))
    if isinstance(null, str):
        raise ParameterError(f"must be 'pair', 'all' or a list of algorithms; got {null!r}", parameter="null")
    places = tuple(sorted({scores.index(name, "null") for name in null}))
    if not {a, b} <= set(places):
        raise ParameterError("must have a and b among the algorithms that are equal", parameter="null")
    return places


def _unit(scores: Scores, group: tuple[int, ...], scale: float | str) -> float:
    """Dealt scores of a and b are those of any two of ``group``: the root mean square of all their differences."""
    if scale != "sd":
        return number("scale", scale, above=0.0, what="'sd' or a number above 0, in the unit of the scores")
    pairs = combinations(group, 2)
    d = np.array([paired_differences(scores, u, v, "A study with known truth").values for u, v in pairs])
    unit = float(np.sqrt(np.mean(d * d)))
    if unit == 0.0:
        raise ParameterError("'sd' is 0: the algorithms made equal have equal scores; give a number", parameter="scale")
    return unit


def _row(test: str, shift: float, outcomes: Outcomes, least: Array | None, alpha: float) -> TruthRow:
    return TruthRow(
        test=test,
        shift=shift,
        power=outcomes.row(test, shift),
        errors=None if outcomes.wrong is None else int(outcomes.wrong.sum()),
        at_size=None if least is None else _at_size(outcomes.pvalue, least, alpha),
    )


def _at_size(pvalue: Array, least: Array, alpha: float) -> int:
    """Rejections of the pair where at most a share ``alpha`` of the draws at shift 0 rejects a true hypothesis."""
    allowed = int(alpha * len(least))
    limit = np.sort(least)[allowed] if allowed < len(least) else np.inf
    return int((pvalue < limit).sum())
