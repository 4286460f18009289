"""The number of runs that each algorithm needs on each problem."""

import math

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice, integer, positive
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError, ScoreError
from bakeoff.plan.differences import DIFFERENCES, KINDS, DifferenceKind
from bakeoff.plan.pilots import (
    FORMS,
    Comparisons,
    ErrorTerms,
    PercentForm,
    PilotCells,
    counts_for,
    error_terms,
    pilot_cautions,
    pilot_cells,
)
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.takes_table import takes_table

DEFAULT_RUNS = 20
MOST_RUNS = 10**9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class RepetitionPlan:
    """The result of :func:`bakeoff.plan.repetitions`."""

    n: npt.NDArray[np.int64]  # (n_problems, n_algorithms) runs: the optimum rounded up, at least min_runs
    optimum: Array  # (n_problems, n_algorithms) real numbers of runs: the fewest that reach the standard error
    total: int  # runs of the whole plan
    balanced_total: int  # if every algorithm had the same number of runs on a problem
    pairs: tuple[tuple[str, str], ...]  # the compared algorithms
    differences: Array  # (n_problems, n_pairs) second less first, in the pilot; a fraction if difference is "percent"
    pilot_se: Array  # (n_problems, n_pairs) standard errors with the pilot's runs
    planned_se: Array  # (n_problems, n_pairs) with the planned runs, if the pilot's spreads are right
    wanted_se: float  # standard error that was asked for
    min_runs: int
    difference: str
    method: str  # "corrected" or "paper" (percent differences); "exact" (simple ones)
    control: str | None
    algorithms: tuple[str, ...]
    problems: tuple[str, ...]
    n_problems: int
    n_dropped: int  # problems left out when the scores were read
    cautions: tuple[Caution, ...]


@takes_table
def repetitions(
    scores: Scores,
    wanted_se: float,
    control: str | int | None = None,
    difference: DifferenceKind = "simple",
    form: PercentForm = "corrected",
    min_runs: int = DEFAULT_RUNS,
) -> RepetitionPlan:
    """How many runs give every difference on every problem a wanted standard error?

    Use it with a pilot experiment, when differences on single problems matter. Not to gain power over the problems,
    where further problems nearly always help more (``bo.plan.variance_components``).

    Parameters
    ----------
    scores : Scores
        The pilot, (n_problems, n_algorithms) with at least two runs in each cell.
    wanted_se : float
        In score units; for percent differences as a fraction (0.05 is five percentage points). Of a log ratio 0.05 is
        about 5 %.
    control : str or int, optional
        Compare every algorithm with this one; otherwise all pairs.
    difference : {"simple", "percent", "log-ratio"}
        Percent of the control's mean, for two algorithms of the first one's, else of the grand mean on the problem.
        log-ratio: differences of mean logarithms, for skewed runs.
    form : {"corrected", "paper"}
        Standard error of percent differences; see Notes.
    min_runs : int
        At least so many runs anywhere, n₀ of the paper's Algorithm 1: 20, and more where runs are very skewed.

    Returns
    -------
    RepetitionPlan
        ``.n`` per problem and algorithm, ``.total``, ``.balanced_total``, ``.planned_se``.

    Raises
    ------
    ParameterError
        A single run in a cell, a standard error that is not positive or would take more than a billion runs.
    ScoreError, InfiniteScoreError
        Percent differences of a mean that is not positive, log ratios of a score that is not; a failed run has no mean.

    Notes
    -----
    The least Σ n_k with every compared pair's standard error at most se*, solving (9) of Campelo & Takahashi (2019) in
    closed form or by convex optimisation. "corrected" adds the covariance that their (15) omits. Formulas:
    docs/guides/planning.md. The pilot's spreads are treated as known.

    Examples
    --------
    >>> import numpy as np
    >>> import bakeoff as bo
    >>> pilot = bo.Scores(np.array([[[8, 10, 12], [14, 15, 16]]]), better="lower")  # s = 2 and 1
    >>> bo.plan.repetitions(pilot, 0.3, min_runs=2).n  # (2 + 1)²/0.3² = 100 runs, in the ratio 2 : 1
    array([[67, 34]])
    """
    scores = check_scores(scores)
    choice("difference", difference, DIFFERENCES)
    choice("form", form, FORMS)
    target_se = positive("wanted_se", wanted_se, "a positive number, in the unit of the differences")
    least = integer("min_runs", min_runs, 1, MOST_RUNS)
    column = None if control is None else scores.index(control, "control")
    cells = pilot_cells(scores, "bo.plan.repetitions", difference)
    terms = terms_of(scores, cells, column, difference, form)
    optimum = np.array([counts_for(t, target_se, not KINDS[difference].relative, column or 0) for t in terms])
    if optimum.max() > MOST_RUNS:
        raise ParameterError(
            f"must be larger: {target_se:g} would take {optimum.max():.3g} runs of one algorithm on one problem; the "
            f"limit is {MOST_RUNS:.0e}",
            parameter="wanted_se",
        )
    n = np.maximum(np.ceil(optimum * (1 - 1e-12)), least).astype(np.int64)
    return RepetitionPlan(
        n=read_only(n),
        optimum=read_only(optimum),
        total=int(n.sum()),
        balanced_total=sum(_balanced(t, target_se, least) for t in terms),
        pairs=tuple((scores.algorithms[i], scores.algorithms[j]) for i, j in terms[0].pairs),
        differences=read_only(np.array([t.differences for t in terms])),
        pilot_se=read_only(_errors(terms, cells.counts)),
        planned_se=read_only(_errors(terms, n)),
        wanted_se=target_se,
        min_runs=least,
        difference=difference,
        method=form if difference == "percent" else "exact",
        control=None if column is None else scores.algorithms[column],
        algorithms=scores.algorithms,
        problems=scores.problems,
        n_problems=scores.n_problems,
        n_dropped=len(scores.dropped),
        cautions=tuple(pilot_cautions(cells, difference, form, column)),
    )


def terms_of(
    scores: Scores, cells: PilotCells, control: int | None, difference: DifferenceKind, form: PercentForm
) -> list[ErrorTerms]:
    """Find the terms of each problem, which an error names."""
    comparisons: Comparisons = "all-pairs" if control is None else "control"
    terms = []
    for problem, means, sds in zip(scores.problems, cells.means, cells.sds, strict=True):
        try:
            terms.append(error_terms(means, sds, comparisons, difference, form, control or 0))
        except ScoreError as error:
            raise error.at(f"problem {problem!r}") from None
    return terms


def _errors(terms: list[ErrorTerms], counts: npt.NDArray[np.int64]) -> Array:
    return np.array([t.standard_errors(row) for t, row in zip(terms, counts, strict=True)])


def _balanced(terms: ErrorTerms, target_se: float, least: int) -> int:
    """k·n with the same n for every algorithm: n = max_p Σ_k q_pk²/se*²."""
    needed = float(np.max(terms.standard_errors(np.ones(terms.coefficients.shape[1])) / target_se)) ** 2
    return int(max(math.ceil(needed * (1 - 1e-12)), least) * terms.coefficients.shape[1])
