"""Folds of one data set: resamples that share training data, as a table whose ordinary t is the corrected one.

Two resamples of one data set share most of what they train on, so the mean of J differences varies by far more than
s²/J. Nadeau and Bengio (2003) put the correlation of two resamples at the share of the data in a test set:
Var(d̄) = (1/J + n₂/n₁)·s², n₂/n₁ the test set over the training set. Bouckaert and Frank (2004) keep that for repeated
folds. But a repeat tests the same items again: it takes away the noise of the split, and nothing of the noise of the
items. So repeats count once here, Var(d̄) = (1/k + n₂/n₁)·s² with k the folds that test every item once, the inverse of
the share of the data in a test set; s² and its J − 1 degrees of freedom are those of all folds.

The same holds for every contrast of algorithms, so it is put into the table: the deviations of each algorithm from its
mean are widened by the square root of J times the bracket. Means stay. t, F, intervals and tests against a margin of
the widened table are the corrected ones.
"""

import math

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, ScoreError
from bakeoff.scores import Scores
from bakeoff.scores.cells import exact_mean
from bakeoff.scores.contents import matching_order

FIVE, TWO = 5, 2
PUBLISHED, ONCE_EACH = "resampled-t", "repeated-t"
"""The tests of folds: with every fold as a further one, and with repeats that count once."""
SMALL, ONCE = 0.15, 1.5
"""Test sets of ten folds are below; so often, at most, one repeat of a cross-validation tests each item."""


def fold_table(scores: Scores, row: int = 0) -> Scores:
    """(J, k) the folds of one data set as rows, each fold that of all algorithms."""
    name, n_runs = scores.problems[row], scores.n_runs[row]
    assert scores.runs is not None
    if n_runs.min() < n_runs.max():
        few, many = (scores.algorithms[int(j)] for j in (n_runs.argmin(), n_runs.argmax()))
        raise ScoreError(
            f"has {n_runs.min()} folds of {few!r} and {n_runs.max()} of {many!r} on {name!r}: folds pair the scores, "
            "so all algorithms need the same ones",
            parameter="scores",
        )
    values, first = scores.runs[row].copy(), 0
    for j in range(1, scores.n_algorithms):
        order = matching_order(scores, row, (first, j))
        if order is not None:
            values[j] = values[j][order]
    ids = None if scores.run_ids is None else [str(name) for name in scores.run_ids[row, first].tolist()]
    about = {"metric": scores.metric, "unit": scores.unit}
    return Scores(values.T, scores.algorithms, ids, better=scores.better, **about)  # type: ignore[arg-type]


def default_test(n_folds: int, fraction: float) -> str:
    """The usual test of so many folds: of repeated ones that in which a repeat counts once."""
    return ONCE_EACH if n_folds * fraction > ONCE else PUBLISHED


def widened_folds(folds: Scores, fraction: float, test: str = ONCE_EACH) -> Scores:
    """The same means, and deviations from them √(J·(1/k + n₂/n₁)) times as large; ``fraction``: n₂/(n₁ + n₂) = 1/k.

    ``test``: ``resampled-t`` has J in the place of k, and so has a cross-validation that is not repeated.
    """
    n = folds.n_problems
    repeats = 1.0 if test == PUBLISHED else max(1.0, n * fraction)
    factor = math.sqrt(repeats + n * fraction / (1.0 - fraction))
    means = np.array([exact_mean(column) for column in folds.values.T.tolist()])
    values = means + factor * (folds.values - means)
    return Scores(values, folds.algorithms, folds.problems, better=folds.better, metric=folds.metric, unit=folds.unit)


def fold_cautions(n_folds: int, fraction: float) -> list[Caution]:
    """Caution that ten folds or more were repeated, for the published test, which counts every repeat."""
    if fraction >= SMALL or default_test(n_folds, fraction) == PUBLISHED:
        return []
    return [caution_of("dependence", "repeated-folds")]


def five_by_two(folds: Scores) -> list[list[int]]:
    """The rows of each of five repeats of two folds, by what stands before the last slash of their names, else in
    their order."""
    n, names = folds.n_problems, [name.rpartition("/") for name in folds.problems]
    repeats: dict[str, list[int]] = {}
    for i, (repeat, slash, _) in enumerate(names):
        repeats.setdefault(repeat if slash else str(i // TWO), []).append(i)
    if n != FIVE * TWO or len(repeats) != FIVE or any(len(rows) != TWO for rows in repeats.values()):
        many = f" in {len(repeats)} repeats" if any(slash for _, slash, _ in names) else ""
        raise ScoreError(
            f"has {n} folds{many}, and these tests are of 5 repeats of 2 folds: name the column of the repeats with "
            "repeat=, or use pairwise='resampled-t', which takes any number",
            parameter="scores",
        )
    return list(repeats.values())
