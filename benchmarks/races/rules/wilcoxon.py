"""The decision of Optuna's Wilcoxon pruner: signed-rank tests of the leader against every other survivor."""

import math
from typing import ClassVar

import numpy as np
from scipy import special

from bakeoff.nulls.signed_rank import signed_rank_tail
from bakeoff.paired._wilcoxon import signed_rank_sums
from bakeoff.paired.differences import Differences
from bakeoff.ranks import Ints, refuse_overflow, tie_tolerance
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.rules.f_race import FieldRule, mean_costs
from bakeoff.wings.run.racing.rules.rule import leading

EXACT_UP_TO = 30


class SignedRankRace(FieldRule):
    """Optuna's Wilcoxon pruner: one-sided signed-rank tests against the leader by mean cost; no gate.

    Exact up to 30 problems, normal above.
    """

    name: ClassVar[str] = "wilcoxon"
    summary: ClassVar[str] = "signed-rank tests at every look, no guarantee"
    cite: ClassVar[tuple[str, ...]] = ("wilcoxon1945",)
    takes_differences = True
    measured: ClassVar[tuple[str, str]] = ("", "31 % (2 candidates), 76 % (10) and 88 % (30)")

    def __init__(self, n_candidates: int, alpha: float = 0.05) -> None:
        super().__init__(n_candidates, alpha, gate=False)

    def _leader(self) -> int:
        return leading(-mean_costs(self.field.costs))[0]

    def _pvalues(self, leader: int) -> Array:
        return signed_rank_pvalues(self.field.costs, leader)


def signed_rank_pvalues(costs: Array, leader: int) -> Array:
    """(m,) p-values of "the leader is not better", from (n, m) finite costs; 1 for the leader itself.

    Zeros and ties are treated as in ``bo.wilcoxon``. Columns with neither, the usual case, are ranked in one pass.
    """
    others = np.flatnonzero(np.arange(costs.shape[1]) != leader)
    with np.errstate(over="ignore"):
        d = (costs[:, others] - costs[:, [leader]]).T  # positive: the leader is better
    refuse_overflow(d, "a race by signed ranks")
    scales = np.maximum(np.abs(costs[:, others]), np.abs(costs[:, [leader]])).T
    tolerance = tie_tolerance(scales)
    sizes = np.abs(d)
    ordered = np.sort(sizes, axis=1)
    slack = tolerance.max(axis=1)
    plain = (ordered[:, 0] > slack) & (np.diff(ordered, axis=1, append=np.inf).min(axis=1) > slack)
    pvalues = np.ones(costs.shape[1])
    pvalues[others[plain]] = _without_ties(d[plain], sizes[plain])
    for i in np.flatnonzero(~plain).tolist():
        zero = sizes[i] <= tolerance[i]
        differences = Differences(values=np.where(zero, 0.0, d[i]), scales=np.where(zero, 0.0, scales[i]))
        sums = signed_rank_sums(differences)
        pvalues[others[i]] = _pvalue(sums.ranks, sums.minus, sums.zstatistic)
    return pvalues


def _without_ties(d: Array, sizes: Array) -> Array:
    n = d.shape[1]
    ranks = np.empty(d.shape, dtype=np.int64)
    np.put_along_axis(ranks, np.argsort(sizes, axis=1), np.arange(1, n + 1)[None, :], axis=1)
    minus = (ranks * (d < 0)).sum(axis=1)
    if n <= EXACT_UP_TO:
        every = 2 * np.arange(1, n + 1)
        return np.array([signed_rank_tail(every, 2 * w)[0] for w in minus.tolist()])
    z = (n * (n + 1) / 2.0 - 2.0 * minus) / math.sqrt(n * (n + 1.0) * (2.0 * n + 1.0) / 6.0)
    return np.asarray(special.ndtr(-z))


def _pvalue(ranks: Ints, minus: int, z: float) -> float:
    if not len(ranks):
        return 1.0
    return signed_rank_tail(ranks, minus)[0] if len(ranks) <= EXACT_UP_TO else float(special.ndtr(-z))
