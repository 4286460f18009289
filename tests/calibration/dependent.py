"""Folds of one data set, and rows of one series in time, through the public door: how often it errs.

Folds are of classifiers of the same worth, really trained and tested on the splits of one drawn data set: each sees
features of its own, and all features are alike. Series are AR(1) differences of known correlation. An error is any
difference shown between any two; of series with a difference, what is counted is that it is shown.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

import bakeoff as bo

SEED, PROMISED = 11, 0.05
FOLD_TABLES, SERIES_TABLES, HISTORY_TABLES = 600, 2000, 1000
FEATURES, SHIFT, CUTS = 3, 0.5, 9
"""Features of each classifier, the distance of the two classes in each of them, and thresholds that a tree tries."""
Scheme = tuple[int, int]
Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Folds:
    """``scheme``: repeats and folds; ``models`` classifiers of one ``kind`` on ``items`` items; which ``test``.

    ``gain``: by which the classes are further apart for the first one, which is better then.
    """

    items: int
    scheme: Scheme
    models: int
    kind: Literal["centroids", "trees"]
    test: str = "default"
    gain: float = 0.0

    @property
    def name(self) -> str:
        return f"{self.items} items, {self.scheme[0]} × {self.scheme[1]}, {self.models} {self.kind}, {self.test}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """``rows`` of AR(1) differences with ``rho``; ``size``: at most so many errors of this cell (of a long list of
    published and simulated sizes, what cosines reach); ``models``; by which function."""

    rows: int
    rho: float
    size: float
    models: int = 2
    by: Literal["compare", "evaluate"] = "compare"

    @property
    def name(self) -> str:
        return f"{self.rows} rows, ρ = {self.rho:g}, {self.models} models, {self.by}"


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """``versions`` of ``benchmarks`` whose noise is AR(1) with ``rho``; ``size``: at most so many with a false step."""

    versions: int
    rho: float
    benchmarks: int = 1
    size: float = PROMISED

    @property
    def name(self) -> str:
        return f"{self.versions} versions, ρ = {self.rho:g}, {self.benchmarks} benchmarks"


SCHEMES: tuple[Scheme, ...] = ((5, 2), (5, 5), (1, 10), (3, 10), (10, 10))
KINDS: tuple[Literal["centroids", "trees"], ...] = ("centroids", "trees")
FOLDS = (
    *(
        Folds(items=n, scheme=scheme, models=k, kind=kind)
        for kind in KINDS
        for n in (60, 150, 500)
        for scheme in SCHEMES
        for k in (2, 5)
    ),
    *(
        Folds(items=n, scheme=(5, 2), models=2, kind="centroids", test=test)
        for test in ("5x2cv-t", "5x2cv-f")
        for n in (60, 150, 500)
    ),
    *(
        Folds(items=n, scheme=(10, 10), models=k, kind=kind, test=test)
        for test in ("resampled-t", "calibrated-t")
        for kind in KINDS
        for n in (60, 150, 500)
        for k in (2, 5)
    ),
)
POWER = tuple(
    Folds(items=150, scheme=scheme, models=2, kind="centroids", test=test, gain=0.4)
    for scheme in SCHEMES
    for test in ("default", "resampled-t")
)
"""A better classifier whose worth depends little on its training data, so that both tests keep their error."""
SIZES = ((52, 0.0, 0.05), (52, 0.6, 0.062), (52, 0.8, 0.082), (100, 0.8, 0.079), (365, 0.3, 0.053), (365, 0.8, 0.064))
SERIES = (
    *(Series(rows=n, rho=rho, size=size) for n, rho, size in SIZES),
    *(Series(rows=n, rho=rho, size=size, by="evaluate") for n, rho, size in (SIZES[1], SIZES[3], SIZES[5])),
    *(Series(rows=n, rho=rho, size=size, models=5) for n, rho, size in (SIZES[1], SIZES[5])),
)
HISTORIES = (
    *(History(versions=n, rho=0.0) for n in (30, 60, 200)),
    *(History(versions=n, rho=0.5, size=size) for n, size in ((30, 0.08), (60, PROMISED), (200, PROMISED))),
    History(versions=60, rho=0.8, size=0.08),
    History(versions=200, rho=0.8),
    History(versions=60, rho=0.5, benchmarks=10),
)
WARNINGS = {("error-rate", "combined-f"), ("error-rate", "five-by-two-t"), ("dependence", "repeated-folds")}
"""Cautions with which a report says that the error may be larger."""
LEAST_POWER, ORACLE = 0.8, 2.8016
"""The power of a series as a share of that of an oracle that knows the spectrum. Distance of the mean from 0 in its
true standard errors at which that oracle's z-test has a power of 0.8."""


def splits(items: int, scheme: Scheme, rng: np.random.Generator) -> Array:
    """(repeats·folds, items) 1 in the test set."""
    repeats, folds = scheme
    of = np.stack([rng.permutation(items) % folds for _ in range(repeats)])
    return np.concatenate([(each == np.arange(folds)[:, None]).astype(float) for each in of])


def accuracies(cell: Folds, rng: np.random.Generator) -> Array:
    """(models, folds) of classifiers of the same worth on one drawn data set."""
    truth = rng.permutation(np.arange(cell.items) % 2).astype(float)
    shift = SHIFT + cell.gain * (np.arange(cell.models * FEATURES) < FEATURES)
    features = rng.normal(size=(cell.items, cell.models * FEATURES)) + shift * truth[:, None]
    tests = splits(cell.items, cell.scheme, rng)
    predict = {"centroids": _centroids, "trees": _trees}[cell.kind]
    of = [predict(features[:, FEATURES * j :][:, :FEATURES], truth, 1.0 - tests) for j in range(cell.models)]
    return np.stack([((said == truth) * tests).sum(axis=1) / tests.sum(axis=1) for said in of])


def _centroids(x: Array, truth: Array, trained: Array) -> Array:
    """(folds, items) the class whose mean is nearer."""
    means = [(trained * c) @ x / (trained * c).sum(axis=1, keepdims=True) for c in (1.0 - truth, truth)]
    far = [((x[None] - mean[:, None]) ** 2).sum(axis=2) for mean in means]
    return (far[1] < far[0]).astype(float)


def _trees(x: Array, truth: Array, trained: Array) -> Array:
    """(folds, items) by trees of depth two, each split with the fewest errors of all thresholds."""
    cuts = np.quantile(x, np.arange(1, CUTS + 1) / (CUTS + 1), axis=0)
    above = (x[:, None] > cuts[None]).reshape(len(x), -1).astype(float)  # (items, cuts·features)
    side = above[:, _best_split(above, truth, trained)].T
    said = np.zeros_like(trained)
    for child in (side, 1.0 - side):
        lower = above[:, _best_split(above, truth, trained * child)].T
        for leaf in (child * lower, child * (1.0 - lower)):
            votes = trained * leaf
            said += leaf * (2.0 * votes @ truth > votes.sum(axis=1))[:, None]
    return said


def _best_split(above: Array, truth: Array, trained: Array) -> np.ndarray[Any, np.dtype[np.int64]]:
    """(folds,) the threshold whose two sides have the smallest Gini impurity."""
    impurity: Any = 0.0
    for part in (above, 1.0 - above):
        n, ones = trained @ part, (trained * truth) @ part
        impurity = impurity + ones * (1.0 - ones / np.maximum(n, 1.0))
    return np.asarray(np.argmin(impurity, axis=1))


def measure_folds(cell: Folds, tables: int = FOLD_TABLES, seed: int = SEED) -> dict[str, Any]:
    """Counts of tables with a false difference, and of those in which tests over folds as independent show one.

    Of a better classifier: how often it is shown to be. Both tests see the same tables then.
    """
    place = 2000 + SCHEMES.index(cell.scheme) if cell.gain else FOLDS.index(cell) if cell in FOLDS else 999
    rng = np.random.default_rng([seed, place])
    wrong = naive = cautioned = power = 0
    for _ in range(tables):
        cells = accuracies(cell, rng)
        scores = bo.Scores(cells[None], better="higher", folds=1.0 / cell.scheme[1])
        found = bo.compare(scores, pairwise=None if cell.test == "default" else cell.test)
        better = [pair.a if pair.verdict == "a better" else pair.b for pair in found.pairs if "better" in pair.verdict]
        power += cell.gain > 0.0 and "A1" in better
        wrong += any(name != "A1" for name in better) if cell.gain else bool(better)
        cautioned += any((c.code, c.object) in WARNINGS for c in found.cautions)
        naive += bo.paired_t(cells[0], cells[1], better="higher").pvalue <= PROMISED
    counts = {"tables": tables, "false": wrong, "naive": naive, "power": power, "cautioned": cautioned}
    return asdict(cell) | counts


def series(rows: int, rho: float, rng: np.random.Generator) -> Array:
    """A stationary AR(1) series of variance 1."""
    noise = rng.normal(size=rows) * (1.0 - rho**2) ** 0.5
    noise[0] = rng.normal()
    for t in range(1, rows):
        noise[t] += rho * noise[t - 1]
    return noise


def error_of_mean(rows: int, rho: float) -> float:
    """The standard error of its mean, by all autocovariances."""
    lags = np.arange(1, rows)
    return float(((1.0 + 2.0 * ((1.0 - lags / rows) * rho**lags).sum()) / rows) ** 0.5)


def measure_series(cell: Series, tables: int = SERIES_TABLES, seed: int = SEED) -> dict[str, Any]:
    """Counts of series with a false difference; of shifted ones whose difference is shown, also by an oracle."""
    rng = np.random.default_rng([seed, 1000 + SERIES.index(cell) if cell in SERIES else 999])
    shift = ORACLE * error_of_mean(cell.rows, cell.rho)
    wrong = naive = power = oracle = cautioned = 0
    for _ in range(tables):
        values = np.stack([series(cell.rows, cell.rho, rng) for _ in range(cell.models)], axis=1) / 2**0.5
        d = values[:, 0] - values[:, 1]
        found = _judged(cell, values)
        wrong += any(pair.verdict in ("a better", "b better") for pair in found.pairs)
        cautioned += any((c.code, c.object) == ("dependence", "series") for c in found.cautions)
        naive += bo.paired_t(values[:, 0], values[:, 1], better="lower").pvalue <= PROMISED
        if cell.models == 2 and cell.by == "compare":
            oracle += abs(d.mean() + shift) > 1.959964 * shift / ORACLE
            power += _judged(cell, values + np.array([shift, 0.0])).pairs[0].verdict in ("a better", "b better")
    counts = {"tables": tables, "false": wrong, "naive": naive, "power": power, "oracle": int(oracle)}
    return asdict(cell) | counts | {"cautioned": cautioned}


def _judged(cell: Series, values: Array) -> Any:
    scores = bo.Scores(values, better="lower", serial=True)
    return bo.compare(scores) if cell.by == "compare" else bo.evaluate(scores, n_resamples=999)


def measure_history(cell: History, tables: int = HISTORY_TABLES, seed: int = SEED) -> dict[str, Any]:
    """Counts of histories without a change in which one is shown, with ``serial=True`` and without; and of steps.

    The step, half way, is as large as a t-test of both halves shows it in 0.8 of histories if it knows ρ and the place.
    """
    rng = np.random.default_rng([seed, 3000 + HISTORIES.index(cell) if cell in HISTORIES else 999])
    step = ORACLE * 2.0**0.5 * error_of_mean(cell.versions // 2, cell.rho)
    wrong = naive = power = covered = intervals = 0
    for _ in range(tables):
        values = np.stack([series(cell.versions, cell.rho, rng) for _ in range(cell.benchmarks)])
        wrong += bool(_steps(values, serial=True))
        naive += bool(_steps(values, serial=False))
        values[0, cell.versions // 2 :] += step
        steps = [each for each in _steps(values, serial=True) if each.problem == "P1"]
        power += bool(steps)
        ends = [each.ends for each in steps if each.ends] if len(steps) == 1 else []
        intervals += len(ends)
        covered += sum(low <= step <= high for low, high in ends)
    counts = {"tables": tables, "false": wrong, "naive": naive, "power": power, "intervals": intervals}
    return asdict(cell) | counts | {"covered": covered}


def _steps(values: Array, *, serial: bool) -> tuple[Any, ...]:
    return bo.change_points(bo.Scores(values, better="lower"), serial=serial, n_resamples=199).steps


def faults(row: dict[str, Any]) -> list[str]:
    """What a row promises and does not keep, within four standard errors."""
    n, promised = row["tables"], row.get("size", PROMISED)
    found, wrong = [], row["false"] / n
    cautioned = "scheme" in row and row["cautioned"] == n
    if not cautioned and wrong > promised + 4 * (promised * (1 - promised) / n) ** 0.5:
        found.append(f"false differences: {wrong:.3f}")
    if row.get("oracle"):
        share = row["power"] / row["oracle"]
        if share < LEAST_POWER - 4 * (share * (1 - share) / row["oracle"]) ** 0.5:
            found.append(f"power: {share:.2f} of the oracle's")
    return found
