"""Which differences are shown: p-values of each pair, corrected over the family."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from bakeoff.adjusting import adjust
from bakeoff.means.max_t import FlipLaw
from bakeoff.means.pair_moments import PairMoments
from bakeoff.nulls.tails import t_two_sided
from bakeoff.paired._mcnemar import mcnemar_tail
from bakeoff.scores import Array
from bakeoff.scores.pair_family import shown_better
from bakeoff.wings.boards.evaluate.statistics.results import Verdict
from bakeoff.wings.boards.evaluate.statistics.table import EvaluationTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    own: Array  # (P,) p of each pair by itself
    t_own: Array
    adjusted: Array
    critical: float  # |t| of the family, where it is the same for all pairs: the largest
    criticals: Array  # (P,)
    verdicts: list[Verdict]
    reachable: bool
    own_level: float  # that a pair's own p may not exceed, whatever the other pairs are


def judged_pairs(
    table: EvaluationTable, moments: PairMoments, law: FlipLaw, correction: str, alpha: float
) -> Decisions:
    t = moments.t
    t_own = np.array([_t_pvalue(x, df) for x, df in zip(t.tolist(), moments.df.tolist(), strict=True)])
    own = t_own
    if table.binary:
        counts = zip(moments.wins.tolist(), moments.losses.tolist(), strict=True)
        own = np.array([mcnemar_tail(wins, losses, "exact")[0] for wins, losses in counts])
    alike = np.isinf(t)  # all differences equal: t says nothing, and signs that they have one
    own, t_own = (np.where(alike, np.maximum(p, law.own_pvalues()), p) for p in (own, t_own))
    m = len(t)
    reachable = table.decides and (correction != "max-t" or 2.0 ** (1 - table.n_clusters) <= alpha)
    level = alpha if correction == "max-t" else alpha / m
    criticals = -stdtrit(moments.df, level / 2)
    if table.is_dominated:  # one cluster rules mean and error: whole clusters are flipped as well
        own = np.maximum(own, law.own_pvalues())
        criticals = np.maximum(criticals, law.critical(alpha))
    if m == 1:
        adjusted = own
    elif correction == "max-t":
        adjusted = np.maximum(own, law.adjusted(t))
        criticals = np.maximum(criticals, law.critical(alpha))
    else:
        adjusted = np.asarray(adjust(own.tolist(), correction))
    if not reachable:
        criticals = np.full(m, math.inf)
        adjusted = np.maximum(adjusted, min(1.0, 2.0 ** (1 - table.n_clusters)))
        adjusted = adjusted if table.decides else np.ones(m)
    signs = zip(moments.means.tolist(), adjusted.tolist(), strict=True)
    verdicts: list[Verdict] = [shown_better(p <= alpha, mean) if reachable else "cannot tell" for mean, p in signs]
    return Decisions(
        own=own,
        t_own=t_own,
        adjusted=adjusted,
        critical=float(criticals.max()),
        criticals=criticals,
        verdicts=verdicts,
        reachable=reachable,
        own_level=level,
    )


def _t_pvalue(t: float, df: float) -> float:
    if math.isinf(t):
        return 0.0
    return float(t_two_sided(t, df)[0])
