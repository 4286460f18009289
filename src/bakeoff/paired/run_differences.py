"""Differences between two algorithms, run by run on one problem, and their sufficient statistics."""

import math
from collections.abc import Sequence

import numpy as np

from bakeoff.checks import integer, number
from bakeoff.dataclass import dataclass
from bakeoff.errors import InfiniteScoreError, ParameterError, ScoreError
from bakeoff.ranks import all_equal, refuse_overflow, tie_tolerance
from bakeoff.scores import Array, Scores
from bakeoff.scores.contents import matching_order


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """The sufficient statistics of one problem's paired runs; differences are positive where a is better."""

    n: int
    mean: float
    sd: float  # with divisor n − 1; exactly 0 if all differences are tied
    largest: float  # the largest |difference|
    ties: int  # runs without a difference
    tolerance: float  # within which two differences of these scores are the same


def summarise(a: Array, b: Array, better: str, name: str, method: str) -> RunSummary:
    """Paired scores of one problem -> n, mean and standard deviation of a's advantage.

    A difference within 16 units in the last place of its scores is a tie. Sums are correctly rounded, so the order of
    runs does not matter, and scaled by a power of two, so nothing overflows.
    """
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InfiniteScoreError(
            f"{method} cannot use infinite scores: {name} has a run that is infinite. "
            "Use bo.bayes.sign_test on all problems, or drop this problem."
        )
    with np.errstate(over="ignore"):
        d = a - b if better == "higher" else b - a
    refuse_overflow(d, method)
    scales = np.maximum(np.abs(a), np.abs(b))
    tolerances = tie_tolerance(scales)
    zero = np.abs(d) <= tolerances
    d, scales = np.where(zero, 0.0, d), np.where(zero, 0.0, scales)
    exponent = math.frexp(float(np.max(np.abs(d))))[1]
    scaled = np.ldexp(d, -exponent).tolist()
    mean = math.fsum(scaled) / len(scaled)
    constant = len(scaled) == 1 or all_equal(d, scales)
    squares = 0.0 if constant else math.fsum((x - mean) ** 2 for x in scaled) / (len(scaled) - 1)
    return RunSummary(
        n=len(scaled),
        mean=math.ldexp(mean, exponent) + 0.0,
        sd=math.ldexp(math.sqrt(squares), exponent),
        largest=float(np.max(np.abs(d))),
        ties=int(zero.sum()),
        tolerance=float(np.max(tolerances)),
    )


def paired_runs(scores: Scores, row: int, pair: Sequence[int], method: str) -> tuple[Array, Array]:
    """The runs of a and of b on one problem, paired by their identifiers; without these run r of a with run r of b."""
    if scores.runs is None:
        return scores.values[row, pair[:1]], scores.values[row, pair[1:]]
    first, second = (int(scores.n_runs[row, j]) for j in pair)
    if first != second:
        a, b = (scores.algorithms[j] for j in pair)
        raise ScoreError(
            f"{method} pairs the runs of a and b: problem {scores.problems[row]!r} has {first} of {a!r} and {second} "
            f"of {b!r}. Give both the same folds or seeds, or compare the means with bo.bayes.signed_rank."
        )
    a_runs, b_runs = (scores.runs[row, j, :first] for j in pair)
    order = matching_order(scores, row, (pair[0], pair[1]))
    return a_runs, b_runs if order is None else b_runs[order]


def resampled_pair(
    scores: Scores, pair: Sequence[int], problem: str | int | None, method: str, instead: str
) -> tuple[str | None, Array, Array]:
    """The problem's name (None if the rows are the resamples) and the paired scores of a and b.

    ``instead``: what takes all problems of a table together.
    """
    if scores.runs is None and problem is None and scores.n_problems > 1:
        if (groups := len(set(scores.clusters or ()))) > 1:
            raise ParameterError(
                f": without runs the rows are resamples of one problem, and scores has {groups} clusters; "
                "select the rows of one of them: scores.select(problems=[…])",
                parameter="scores",
            )
        return None, scores.values[:, pair[0]], scores.values[:, pair[1]]
    if problem is None and scores.n_problems > 1:
        raise ParameterError(
            f"must say which of the {scores.n_problems} problems is meant: {method[0].lower()}{method[1:]} is for one. "
            f"For all problems together use {instead}",
            parameter="problem",
        )
    chosen = scores if problem is None else scores.select(problems=[problem])
    first, second = paired_runs(chosen, 0, pair, method)
    return chosen.problems[0], first, second


def check_correlation(correlation: object, folds: object, method: str, known: float | None = None) -> float:
    """ρ, the correlation between two runs of one problem: ``correlation``, or 1/``folds`` for cross-validation, or
    what is ``known`` of the scores.
    """
    if known is not None and correlation is None and folds is None:
        return known
    if (correlation is None) == (folds is None):
        which = "neither" if correlation is None else "both"
        raise ParameterError(
            f"{method} needs the correlation between runs. Give either folds=, the number of folds of the "
            "cross-validation, or correlation=, the share of the data in each test set (0 for independent runs); got "
            f"{which}"
        )
    if folds is not None:
        return 1.0 / integer("folds", folds, 2)
    rule = "a number of at least 0 and below 1, n_test / (n_test + n_train)"
    return number("correlation", correlation, least=0.0, below=1.0, what=rule)
