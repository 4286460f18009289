"""Folds of one data set: resamples that share training data, as a table whose ordinary t is the corrected one.

Two resamples of one data set share most of what they train on, so the mean of J differences varies by far more than
s²/J. Nadeau and Bengio (2003) put the correlation of two resamples at the share of the data in a test set:
Var(d̄) = (1/J + n₂/n₁)·s², n₂/n₁ the test set over the training set. Bouckaert and Frank (2004) keep that for repeated
folds. But a repeat tests the same items again: it takes away the noise of the split, and nothing of the noise of the
items. So repeats count once here, Var(d̄) = (1/k + n₂/n₁)·s² with k the folds that test every item once, the inverse of
the share of the data in a test set; s² and its J − 1 degrees of freedom are those of all folds.

Bouckaert (2003) takes fewer folds to be independent instead: by simulation ten repeats of ten folds are worth eleven
independent ones, Var(d̄) = s²/11 with 10 degrees of freedom.

The same holds for every contrast of algorithms, so it is put into the table: the deviations of each algorithm from its
mean are widened by the square root of J times the bracket, or become those of eleven rows. Means stay. t, F, intervals
and tests against a margin of the new table are the corrected ones.
"""

import math
from collections.abc import Sequence

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, ScoreError
from bakeoff.means.deviations import means_and_deviations
from bakeoff.scores import Array, Scores
from bakeoff.scores.contents import matching_order

FIVE, TWO = 5, 2
PUBLISHED, ONCE_EACH, CALIBRATED = "resampled-t", "repeated-t", "calibrated-t"
"""The tests of folds: every fold counts as a further one, repeats count once, or 100 folds count as eleven."""
CALIBRATED_SCHEME, CALIBRATED_DF = (10, 10), 10
"""The repeats and folds for which Bouckaert (2003) found these degrees of freedom."""
SMALL, ONCE, ROUGHLY = 0.15, 1.5, 0.1
"""Test sets of ten folds are below; so often, at most, one repeat of a cross-validation tests each item; and by so much
of itself a test set may differ from a tenth of the data."""


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
    if test == CALIBRATED:
        return _like(folds, _calibrated(folds, fraction))
    n = folds.n_problems
    repeats = 1.0 if test == PUBLISHED else max(1.0, n * fraction)
    factor = math.sqrt(repeats + n * fraction / (1.0 - fraction))
    means, away = means_and_deviations(folds.values)
    return _like(folds, means + factor * away, folds.problems)


def _like(folds: Scores, values: Array, rows: Sequence[str] | None = None) -> Scores:
    return Scores(values, folds.algorithms, rows, better=folds.better, metric=folds.metric, unit=folds.unit)


def _calibrated(folds: Scores, fraction: float) -> Array:
    """(11, k) rows with the means, variances and covariances of (100, k) folds.

    Deviations C from the means are QR, so CᵀC = RᵀR; with H the 11 × 10 contrasts of Helmert, orthonormal and each of
    sum 0, the rows √(10/99)·HR deviate as C does.
    """
    repeats, k = CALIBRATED_SCHEME
    n, df, count = folds.n_problems, CALIBRATED_DF, folds.n_algorithms
    if n != repeats * k or abs(fraction * k - 1.0) > ROUGHLY:
        raise ScoreError(
            f"has {n} folds with {fraction:.3g} of the data in each test set, and Bouckaert's {df} degrees of freedom "
            f"are of {repeats} repeats of {k} folds: use pairwise='repeated-t', which takes any number",
            parameter="scores",
        )
    if count > df:
        raise ScoreError(
            f"has {count} algorithms, and {CALIBRATED!r} judges at most {df} together, one for each degree of freedom: "
            "read some with only=, or use pairwise='repeated-t'",
            parameter="scores",
        )
    means, away = means_and_deviations(folds.values)
    unlike, place = np.unique(away, axis=1, return_inverse=True)  # equal ones stay equal
    order = np.lexsort(np.sort(unlike, axis=0))  # by their values; rows by those: no order of either changes a bit
    r = np.linalg.qr(unlike[np.lexsort(unlike[:, order].T)][:, order], mode="r")
    rows = math.sqrt(df / (n - 1)) * (_contrasts(df)[:, : len(r)] @ r)
    return np.asarray(means + rows[:, np.argsort(order)[place.ravel()]])


def _contrasts(df: int) -> Array:
    """(df + 1, df) Helmert's: each column has one value before its place, and one there that makes the sum 0."""
    places, columns = np.arange(df + 1)[:, None], np.arange(1.0, df + 1)
    values = np.where(places < columns, 1.0, np.where(places == columns, -columns, 0.0))
    return np.asarray(values / np.sqrt(columns**2 + columns))


def fold_cautions(n_folds: int, fraction: float, test: str = PUBLISHED) -> list[Caution]:
    """Caution that ten folds or more were repeated, for the published tests, which count every repeat."""
    if test not in (PUBLISHED, CALIBRATED) or fraction >= SMALL or default_test(n_folds, fraction) == PUBLISHED:
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
