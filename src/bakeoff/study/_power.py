"""How often each procedure rejects on samples of problems, and how alike its answers are: Demšar (2006), section 4."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from bakeoff.checks import choice, number, probability, whole
from bakeoff.errors import Caution, ParameterError
from bakeoff.paired.differences import paired_differences
from bakeoff.randomness import DEFAULT_SEED, generator, streams, whole_seed
from bakeoff.ranks import tie_tolerance
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.study.power_measures import PowerRow, chosen_tests, outcomes_of, reach_cautions
from bakeoff.study.problem_draws import drawn_problems, drawn_rows, log_weights
from bakeoff.study.simulated import Progress
from bakeoff.takes_table import takes_table

LEADS = ("pair", "average")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PowerStudy(Reportable):
    """What :func:`bakeoff.study.power` returns: ``rows``, one for each procedure and bias."""

    kind: ClassVar[str] = "power"
    scores: Scores
    a: str
    b: str
    tests: tuple[str, ...]
    size: int
    unit: str  # "problem" or "cluster": what is drawn
    drawn_from: int
    bias: tuple[float, ...]
    draws: int
    alpha: float
    scale: float  # what differences are divided by before the bias multiplies them
    scale_asked: float | str | None
    lead: str
    seed: int
    rows: tuple[PowerRow, ...]
    cautions: tuple[Caution, ...]

    def row(self, test: str, k: float) -> PowerRow:
        """Of one procedure at one bias."""
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
    """On other samples of problems, how often would each procedure find a and b different, and how alike are they?

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
        k ≥ 0: a problem is drawn with a chance proportional to 1/(1 + exp(−k·d/scale)), d the difference of the scores
        of a and b, positive where a is better: one after the other without replacement, renormalised each time.
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
    whole_table = check_scores(scores)
    whole_table.require_finite("A study of power")
    scores = drawn_rows(whole_table)
    i, j = scores.pair(a, b)
    n = whole("size", size, 2, scores.n_problems)
    count, level = whole("draws", draws, 2, 10_000_000), probability("alpha", alpha)
    biases = checked_steps("bias", bias)
    differences = _leading(scores, i, j, choice("lead", lead, LEADS))
    unit = _scale(scores, differences, biases, scale)
    names, left_out = chosen_tests(tests, scores, relative=divisible(scores, i, j))
    whole_rng = whole_seed(rng)
    seed = DEFAULT_SEED if whole_rng is None else whole_rng
    rows: list[PowerRow] = []
    costs, scales, done = scores.costs, scores.scales, 0

    def count_tables(more: int) -> None:
        nonlocal done
        done += more
        if progress is not None:
            progress(done, count * len(biases))

    for k, stream in zip(biases, streams(generator(seed)), strict=False):
        weights = log_weights(differences / unit, k)

        def tables(size: int, weights: Array = weights, stream: np.random.Generator = stream) -> tuple[Array, Array]:
            chosen = drawn_problems(weights, n, size, stream)
            return costs[chosen], scales[chosen]

        shape, averaged = (n, scores.n_algorithms), scores.runs is not None
        found = outcomes_of(tables, count, shape, (i, j), averaged, level, names, progress=count_tables)
        rows += [found[test].row(test, k) for test in names]
    return PowerStudy(
        scores=whole_table,
        a=scores.algorithms[i],
        b=scores.algorithms[j],
        tests=names,
        size=n,
        unit="problem" if whole_table.clusters is None else "cluster",
        drawn_from=scores.n_problems,
        bias=biases,
        draws=count,
        alpha=level,
        scale=unit,
        scale_asked=scale,
        lead=lead,
        seed=seed,
        rows=tuple(sorted(rows, key=lambda row: names.index(row.test))),
        cautions=(*_overlap(n, scores.n_problems), *reach_cautions(names, n, scores.n_algorithms, level, left_out)),
    )


def checked_steps(parameter: str, steps: Sequence[float]) -> tuple[float, ...]:
    """Numbers from 0 on, each once, in increasing order."""
    given = [steps] if isinstance(steps, int | float | str) else list(steps)
    found = sorted({number(parameter, step, least=0.0) for step in given})
    if not found:
        raise ParameterError("must have at least one number", parameter=parameter)
    return tuple(found)


def divisible(scores: Scores, a: int, b: int) -> bool:
    """Whether every difference of a and b can be divided by the mean of its two scores."""
    middle = np.abs(scores.values[:, a] / 2 + scores.values[:, b] / 2)
    scale = scores.scales[:, [a, b]].max(axis=1)
    return bool(((middle > tie_tolerance(scale)) | (scale == 0.0)).all())


def _leading(scores: Scores, a: int, b: int, lead: str) -> Array:
    """(n,) positive where a is better."""
    if lead == "pair":
        return paired_differences(scores, a, b, "A study of power").values
    others = np.delete(scores.costs, a, axis=1)
    return np.asarray(others.mean(axis=1) - scores.costs[:, a])


def _scale(scores: Scores, differences: Array, biases: tuple[float, ...], scale: object) -> float:
    if scale == "sd":
        found = float(np.std(differences, ddof=1)) if len(differences) > 1 else 0.0
        if found == 0.0:
            raise ParameterError("'sd' is 0: all differences are equal; give a number", parameter="scale")
        return found
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
        text = (
            f"Every draw is the whole table of {n} problems: all draws are the same, and R(e) and R(p) are 1 for that."
        )
        return (Caution(code="overlapping-draws", text=text, severity="warning"),)
    text = (
        f"Any two draws of {size} of {n} problems share at least {shared}: their answers are alike for that reason, "
        "too. R(e) and R(p) are higher here than for samples of new problems."
    )
    return (Caution(code="overlapping-draws", text=text, reference="Demšar (2006), section 4.1.2"),)
