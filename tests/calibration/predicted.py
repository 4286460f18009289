"""Tables of predictions by models of known worth, through the public door: how often it errs.

Two models of the same worth are compared by ``bo.evaluate(…, truth=, metric=)``. A false difference is any difference
shown; an interval covers if it holds the value that the model has in the population.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import expit, ndtri

import bakeoff as bo
from bakeoff.predictions.metrics import METRICS

SEED, TABLES = 8, 600
PROMISED, LEAST, CAUTIONED = 0.05, 0.91, 0.93
"""At most so many false differences; at least so much coverage; and below this the report warns."""
WARNINGS = {("too-few", "class-items"), ("too-few", "exceptions"), ("no-variation", "contributions"),
            ("too-few", "clusters"), ("too-few", "units"), ("unequal", "clusters")}  # fmt: skip
_POPULATION = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """``positives`` and ``negatives`` items, or of numbers ``negatives`` in all; ``auc``: what the models are worth,
    as an AUC; ``correlation`` of their errors; ``clusters``: none, of both classes ("mixed"), or of one ("nested")."""

    metric: str
    positives: int
    negatives: int
    auc: float
    correlation: float = 0.6
    clusters: str = ""
    beyond: bool = False  # where an interval is known to be too short, and a warning is all that is promised

    @property
    def name(self) -> str:
        of = "" if not self.clusters else f", clusters of 5, {self.clusters}"
        return f"{self.metric} {self.positives} + {self.negatives}, {self.auc:g}, r = {self.correlation:g}{of}"


SIZES = ((10, 50), (20, 200), (50, 50), (200, 200))
CELLS = (
    *(
        Cell(metric="auc", positives=m, negatives=n, auc=auc, correlation=r)
        for m, n in SIZES
        for auc in (0.6, 0.76, 0.9, 0.97)
        for r in (0.0, 0.6)
    ),
    *(Cell(metric="auc", positives=100, negatives=100, auc=0.76, clusters=how) for how in ("mixed", "nested")),
    *(
        Cell(metric=metric, positives=m, negatives=n, auc=0.85)
        for metric in ("average-precision", "f1@0.5", "precision@0.5", "recall@0.5", "balanced-accuracy@0.5", "mcc@0.5")
        for m, n in ((20, 200), (100, 100))
    ),
    *(
        Cell(metric=metric, positives=0, negatives=n, auc=0.85)
        for metric in ("r2", "pearson", "spearman")
        for n in (30, 200)
    ),
    *(Cell(metric="auc", positives=10, negatives=1000, auc=auc, beyond=True) for auc in (0.9, 0.97)),
)


def drawn(cell: Cell, rng: np.random.Generator, scale: int = 1, models: int = 2) -> dict[str, Any]:
    """A table: the truth, and predictions with errors that correlate; ``scale`` times as many items."""
    m, n = cell.positives * scale, cell.negatives * scale
    size, shift = m + n, float(ndtri(cell.auc)) * 2**0.5
    truth = np.repeat([1.0, 0.0], [m, n]) if m else rng.normal(size=n)
    if cell.clusters == "mixed":
        truth = rng.permutation(truth)
    errors = cell.correlation**0.5 * rng.normal(size=size) + (1 - cell.correlation) ** 0.5 * rng.normal(
        size=(models, size)
    )
    table: dict[str, Any] = {"y": truth}
    if cell.clusters:
        of = np.arange(size) // 5
        shared = rng.normal(size=(models, of.max() + 1))[:, of]
        errors = 0.5**0.5 * errors + 0.5**0.5 * shared
        table["cluster"] = [f"c{g}" for g in of]
    scores = errors + (shift * (truth - 0.5) if m else truth)
    return table | {f"model{j}": expit(x) if m else x for j, x in enumerate(scores)}


@lru_cache(maxsize=64)
def population_value(cell: Cell) -> float:
    """What a model is worth, from millions of items; an AUC by its definition."""
    if cell.metric == "auc":
        return cell.auc
    each = max(1, cell.positives + cell.negatives)
    table = drawn(cell, np.random.default_rng(1), _POPULATION // each, models=1)
    name, _, cut = cell.metric.partition("@")
    truth, p = table["y"], table["model0"]
    if cut:
        truth, p = truth.astype(np.int64), (p > float(cut)).astype(np.int64)
    which = 1 if METRICS[name].of == "class" else None
    return float(METRICS[name].values(truth, p, which).mean())


def measure(cell: Cell, tables: int = TABLES, seed: int = SEED) -> dict[str, Any]:
    """Counts: false differences, intervals that hold the truth, tables with a caution."""
    rng = np.random.default_rng([seed, CELLS.index(cell) if cell in CELLS else 999])
    value = population_value(cell)
    wrong = covered = warned = 0
    for _ in range(tables):
        found = bo.evaluate(drawn(cell, rng), truth="y", metric=cell.metric, n_resamples=99)
        wrong += found.pairs[0].verdict in ("a better", "b better")
        covered += sum(e.interval[0] <= value <= e.interval[1] for e in found.estimates)
        warned += any((c.code, c.object) in WARNINGS for c in found.cautions)
    return asdict(cell) | {"tables": tables, "false": wrong, "covered": covered, "cautioned": warned}


def faults(row: dict[str, Any]) -> list[str]:
    """What a row promises and does not keep, within four standard errors."""
    n = row["tables"]
    wrong, covered, warned = row["false"] / n, row["covered"] / (2 * n), row["cautioned"] / n
    found = []
    if wrong > PROMISED + 4 * (PROMISED * (1 - PROMISED) / n) ** 0.5:
        found.append(f"false differences: {wrong:.3f}")
    if not row["beyond"] and covered < LEAST - 4 * (LEAST * (1 - LEAST) / n) ** 0.5:
        found.append(f"coverage: {covered:.3f}")
    if covered < CAUTIONED - 2 * (CAUTIONED * (1 - CAUTIONED) / n) ** 0.5 and warned < 0.9:
        found.append(f"coverage {covered:.3f}, and only {warned:.2f} cautioned")
    return found
