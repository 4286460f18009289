"""Cautions about an incomplete table: which scores are missing, where they gather, what pairs rest on."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted, listing
from bakeoff.nulls.rank_sum import EXACT_WORK, HARD_LIMIT, rank_sum_null, work
from bakeoff.nulls.tails import normal_sf
from bakeoff.omnibus import friedman
from bakeoff.ranks.cautions import infinite, input_cautions, not_paired, one_problem
from bakeoff.scores import Array, Scores

LEVEL = 0.05  # of the tests whether missing scores gather
NAMED = 6  # cells


def table_with_holes(scores: Scores) -> list[Caution]:
    """Those that hold with missing scores as without."""
    cautions = (one_problem(scores), not_paired(scores), infinite(scores))
    return [*input_cautions(scores), *filter(None, cautions)]


def missing_cautions(
    scores: Scores, names: Callable[[Sequence[int]], list[str]], common: list[int], bounds: bool, pairwise: str
) -> list[Caution]:
    """In the order of importance; ``names`` of the pairs at these places, of which each has ``common`` problems."""
    holes, n = scores.holes, scores.n_problems
    where = [f"{scores.problems[i]} / {scores.algorithms[j]}" for i, j in np.argwhere(holes).tolist()]
    each = [f"{name} {n}" for name, n in zip(scores.algorithms, holes.sum(axis=0).tolist(), strict=True) if n]
    known: dict[str, Any] = {"scores": counted(len(where), "score"), "size": holes.size, "each": ", ".join(each)}
    cautions = [caution_of("missing", "bounds" if bounds else "scores", where=listing(where, NAMED), **known)]
    if (concentrated := missing_gathered(scores)) is not None:
        cautions.append(concentrated)
    if not bounds and pairwise == "mean-ranks":
        cautions.append(caution_of("different-problems", "opponents"))
    elif not bounds and len(set(common)) > 1:
        least, most = int(np.argmin(common)), int(np.argmax(common))
        known = dict(zip(("fewest", "most"), names([least, most]), strict=True))
        known |= {"common": common[least], "common_2": common[most], "n_problems": n}
        cautions.append(caution_of("different-problems", "pairs", **known))
    return cautions


def missing_gathered(scores: Scores) -> Caution | None:
    """Are the missing scores spread evenly over algorithms and problems?"""
    holes, texts = scores.holes, []
    p = algorithms_pvalue(scores)
    if p <= LEVEL:
        per_algorithm = holes.sum(axis=0)
        most = int(np.argmax(per_algorithm))
        texts.append(
            f"on {scores.algorithms[most]!r} ({int(per_algorithm[most])} of {int(holes.sum())}; Cochran's test of the "
            f"same share for every algorithm: {numerals.p_phrase(p, None, LEVEL)})"
        )
    p = hardness_pvalue(scores)
    if p <= LEVEL:
        texts.append(
            f"on problems whose other scores are bad (one-sided Mann–Whitney test: {numerals.p_phrase(p, None, LEVEL)})"
        )
    if not texts:
        return None
    return caution_of("missing", "gathered", said=", and ".join(texts))


def algorithms_pvalue(scores: Scores) -> float:
    """Cochran's Q: within each problem every set of as many algorithms is as likely to be missing."""
    if not scores.holes.any():
        return 1.0
    marks = Scores(scores.holes.astype(np.float64), scores.algorithms, scores.problems, better="lower")
    return friedman(marks, method="auto", ties="corrected", rng=0).pvalue


def hardness_pvalue(scores: Scores) -> float:
    """One-sided Mann–Whitney test: are problems with missing scores those where the others are worse?

    How hard a problem is: the mean of the ranks, from 0 to 1, that its scores have among all of the same algorithm.
    """
    incomplete = np.asarray(scores.holes.any(axis=1))
    hard = hardness(scores)
    known = np.asarray(~np.isnan(hard))
    if not (incomplete & known).any() or not (~incomplete & known).any():
        return 1.0
    values = np.round(hard[known], 12)
    _, place, sharing = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.asarray(2 * np.cumsum(sharing) - sharing + 1, dtype=np.int64)[place]
    first = np.concatenate([ranks[incomplete[known]], ranks[~incomplete[known]]])
    m, n = int(incomplete[known].sum()), int((~incomplete[known]).sum())
    doubled = int(first[:m].sum())
    if m + n <= HARD_LIMIT and work(first, m) <= EXACT_WORK:
        return float(rank_sum_null(first, m).tails(doubled)[1])
    spread = float(np.sum((first / 2 - (m + n + 1) / 2) ** 2))
    sd = math.sqrt(m * n * spread / ((m + n) * (m + n - 1)))
    return float(normal_sf((doubled / 2 - m * (m + n + 1) / 2 - 0.5) / sd)[0]) if sd else 1.0


def hardness(scores: Scores) -> Array:
    """(n,) from 0 (the easiest for every algorithm that has a score) to 1; NaN without any score."""
    costs = scores.costs
    shares = np.full(costs.shape, np.nan)
    for j in range(scores.n_algorithms):
        there = ~np.isnan(costs[:, j])
        _, place, sharing = np.unique(costs[there, j], return_inverse=True, return_counts=True)
        shares[there, j] = ((np.cumsum(sharing) - (sharing - 1) / 2)[place] - 0.5) / int(there.sum())
    there = ~np.isnan(shares)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(there, shares, 0.0).sum(axis=1) / there.sum(axis=1))
