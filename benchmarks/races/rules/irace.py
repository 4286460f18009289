"""irace's decisions: Friedman's test, then Conover's against the leader."""

import math
from typing import ClassVar

import numpy as np
from scipy import special

from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.rules.f_race import FieldRule, block_ranks
from benchmarks.races.rules.wilcoxon import signed_rank_pvalues


class IteratedRace(FieldRule):
    """irace's decisions: if Friedman's test rejects, Conover's; i is eliminated when

        R_L − R_i > t_{1−α/2, (n−1)(m−1)} sqrt(2(nA − Σ R_i²)/((n − 1)(m − 1))),   A = Σ of all squared ranks;

    with two candidates Wilcoxon's signed-rank test, two-sided, replaces both. irace itself tests first after five
    problems and then after each one, and samples new candidates between races: only its decisions are reproduced.
    """

    name: ClassVar[str] = "irace"
    summary: ClassVar[str] = "Friedman and Conover tests at every look, no guarantee"
    cite: ClassVar[tuple[str, ...]] = ("lopezibanez2016",)
    takes_differences = True
    measured: ClassVar[tuple[str, str]] = (
        "16 % (2 candidates), 19 % (10) and 19 % (30)",
        "16 % (2 candidates), 60 % (10) and 79 % (30)",  # race_errors("irace", gate=False, repetitions=300, rng=11)
    )

    def _gated(self) -> bool:
        return len(self.alive) > 2

    def _pvalues(self, leader: int) -> Array:
        n, m = self.field.n_problems, len(self.alive)
        if m == 2:
            return np.minimum(1.0, 2.0 * signed_rank_pvalues(self.field.costs, leader))
        pvalues = np.ones(m)
        if n == 1:
            return pvalues
        df = (n - 1.0) * (m - 1.0)
        points = self.field.points
        sums = self.field.doubled + n * (m + 1)  # 2 R
        squares = int((block_ranks(self.field.costs) ** 2).sum())  # of 2 rank
        spread = (n * squares - int((sums * sums).sum())) / 4.0
        behind = points[leader] - points
        scale = math.sqrt(2.0 * spread / df)
        t = behind / scale if scale > 0 else np.where(behind > 0, np.inf, 0.0)
        pvalues = 2.0 * np.asarray(special.stdtr(df, -t))
        pvalues[leader] = 1.0
        return pvalues
