"""The independent units behind a mean: clusters of problems, or problems, in one table or in one of several suites."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.errors import ScoreError
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, codes_of
from bakeoff.scores.design import Design

FEWEST = 3.0
"""Effective clusters below which clusters decide nothing: their means do not show how means of clusters vary."""
MANY_UNITS = 5000
"""From here on the draws of a bootstrap are counted; below, each count is drawn, in a stream that results keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """A suite, or the whole table: its problems sorted by cluster, so that sums over clusters are sums of slices."""

    name: str
    rows: Codes  # of the table, cluster by cluster
    starts: Codes  # (G,) where each cluster begins in ``rows``
    weight: float  # of this mean in the mean of all suites
    kind: str = ""  # the class of its problems, where those of each are a sample of their own

    @property
    def label(self) -> str:
        """What messages call it."""
        return ", ".join(filter(None, (self.name, self.kind)))

    @property
    def n(self) -> int:
        """Problems."""
        return len(self.rows)

    @property
    def n_clusters(self) -> int:
        """Clusters; problems where these are independent."""
        return len(self.starts)

    @property
    def sizes(self) -> Codes:
        """(G,) problems in each cluster."""
        return np.diff(np.append(self.starts, self.n))

    @property
    def effective(self) -> float:
        """G* = 1/Σ w_g²: clusters of one size with the same variance, if problems of a cluster resemble each other."""
        return effective_clusters(self.sizes)

    @property
    def df(self) -> float:
        """G* − 1."""
        return self.effective - 1.0

    @property
    def is_dominated(self) -> bool:
        """Does one cluster have more than twice its even share, so that t alone decides nothing?"""
        return is_dominated(self.sizes)

    @property
    def is_clustered(self) -> bool:
        """Does any cluster hold two problems?"""
        return self.n_clusters < self.n

    @property
    def decides(self) -> bool:
        """Do problems stand alone, or are there effective clusters enough for a verdict?"""
        return self.n_clusters > 1 and (not self.is_clustered or self.effective >= FEWEST)

    @property
    def jackknife(self) -> Array:
        """(G,) c_g = (G − 1)/G · (1/(1 − w_g))²: by which squared cluster sums enter the variance of the mean."""
        return jackknife_weights(self.sizes)

    def sums(self, values: Array) -> Array:
        """(G, q) of ``values`` (n of the table, q), over the problems of each cluster."""
        return np.add.reduceat(values[self.rows], self.starts, axis=0)


def jackknife_weights(sizes: Codes | Array) -> Array:
    """(G,) (G − 1)/G · (1/(1 − w_g))² of clusters of these sizes; 0 of one alone, whose error nobody knows."""
    groups = len(sizes)
    if groups == 1:
        return np.zeros(1)
    return np.asarray((groups - 1) / groups / (1.0 - sizes / sizes.sum()) ** 2)


def effective_clusters(sizes: Codes | Array) -> float:
    """1/Σ w_g² of clusters of these sizes; exactly their number where they have one size."""
    if sizes.min() == sizes.max():
        return float(len(sizes))
    counts = sizes.astype(float)
    return float(counts.sum() ** 2 / (counts**2).sum())


def is_dominated(sizes: Codes) -> bool:
    """Is the largest share above 2/G?"""
    return bool(sizes.max() * len(sizes) > 2 * sizes.sum())


def one_stratum(codes: Codes) -> Stratum:
    """The whole table."""
    return stratum_of(np.arange(len(codes)), codes, "", 1.0)


def design_strata(design: Design, codes: Codes, order: Codes) -> list[Stratum]:
    """A stratum per task, or the whole table; of each, one per class: what a mean is made of, with its weights.

    ``codes`` (n,) say whose cluster each problem is, ``order`` (n,) in which they stand in the table that is averaged.
    Tasks that clusters cross, or of one unit alone, are no strata of a mean in which problems count equally. Nor are
    classes that clusters cross.
    """
    strata = _task_strata(design, codes, order)
    if design.classes is None:
        return strata
    classes = np.array(design.classes)[order]
    return [part for stratum in strata for part in _by_class(stratum, classes, codes[order])]


def _by_class(stratum: Stratum, classes: npt.NDArray[np.str_], codes: Codes) -> list[Stratum]:
    """The problems of each class, which contribute to the mean as many as they are."""
    rows = np.sort(stratum.rows)
    if _crossing(codes_of(map(str, codes[rows].tolist())), codes_of(classes[rows].tolist())) is not None:
        return [stratum]
    parts = {kind: rows[classes[rows] == kind] for kind in dict.fromkeys(classes[rows].tolist())}
    return [
        stratum_of(part, codes, stratum.name, stratum.weight * len(part) / stratum.n, kind)
        for kind, part in parts.items()
    ]


def _task_strata(design: Design, codes: Codes, order: Codes) -> list[Stratum]:
    if not design.task_names or design.weights == "clusters":
        return [one_stratum(codes[order])]
    assert design.tasks is not None
    of = codes_of(design.tasks)
    crossing = _crossing(codes, of)
    if crossing is not None and design.weights == "tasks":
        where = design.tasks[crossing] if design.clusters is None else design.clusters[crossing]
        raise ScoreError(
            f"has clusters that hold problems of several tasks, the first {where!r}, and the error of a mean in which "
            "tasks count equally is not known then. Let problems count equally: weights='problems'",
            parameter="scores",
        )
    sizes = np.bincount(of)
    single = min(len(set(codes[of == task].tolist())) for task in range(len(sizes))) < 2
    by_size = design.weights == "problems"
    if by_size and (single or crossing is not None):
        return [one_stratum(codes[order])]
    weights = sizes / len(of) if by_size else np.full(len(sizes), 1.0 / len(sizes))
    there = dict.fromkeys(of[order].tolist())  # by content: sums do not depend on the order of the table
    return [
        stratum_of(np.flatnonzero(of[order] == j), codes[order], design.task_names[j], float(weights[j])) for j in there
    ]


def _crossing(codes: Codes, tasks: Codes) -> int | None:
    """A problem whose cluster is in another task, too."""
    first = np.unique(codes, return_index=True)[1]
    other = np.flatnonzero(tasks != tasks[first][codes])
    return int(other[0]) if other.size else None


def stratum_of(rows: Codes, codes: Codes, name: str, weight: float, kind: str = "") -> Stratum:
    """Those ``rows`` of a table; ``codes`` (n of the table,) say whose cluster each is."""
    local = codes_of(map(str, codes[rows].tolist()))
    order = np.argsort(local, kind="stable")
    starts = np.flatnonzero(np.diff(local[order], prepend=-1))
    return Stratum(name=name, rows=rows[order], starts=starts, weight=weight, kind=kind)


# The bootstrap of units: problems, or whole clusters of them, drawn again with all algorithms on each; or runs.


def drawn_units(groups: int, n_resamples: int, rng: np.random.Generator) -> Array:
    """(B, G): how often each unit is in each resample of as many. Of many units, counting draws is ten times faster."""
    if groups >= MANY_UNITS:
        draws = rng.integers(groups, size=(n_resamples, groups), dtype=np.int32)
        places = (draws + np.arange(n_resamples, dtype=np.int64)[:, None] * groups).ravel()
        return np.bincount(places, minlength=n_resamples * groups).reshape(n_resamples, groups).astype(np.float64)
    return np.asarray(rng.multinomial(groups, np.full(groups, 1.0 / groups), size=n_resamples), dtype=np.float64)


def drawn_runs(r: int, n_resamples: int, rng: np.random.Generator) -> Array:
    """(B, r): weights of the runs of a cell. r − 1 are drawn, whose mean varies as the mean of r does (Rao and Wu 1988,
    J. Amer. Statist. Assoc. 83, 231–241)."""
    often = rng.multinomial(r - 1, np.full(r, 1.0 / r), size=n_resamples)
    return np.asarray(often * (r / (r - 1)), dtype=np.float64)
