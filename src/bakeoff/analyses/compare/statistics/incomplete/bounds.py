"""The p-value of one pair over all completions: the missing scores may be any numbers, one of two also infinite.

*Sign tests*: a problem with a missing score is a win, a tie or a loss. Given the parity of the ties, which fixes n, p
decreases with |wins − losses|, so both ends are reached by completions: exact.

*Signed ranks*: let u differences be free. With y of them 0, the sum S of all ranks with their signs is least where the
others are negative and larger than all known differences, since moving one up past a known difference changes S by
−s − 1 ≤ 0 (s is the sign of the known one); mid-ranks of ties are averages of such orders. So |S| has sharp limits. The
null distribution depends on the ranks, that is on the ties: within a group of g the ranks move by ⌊g²/4⌋ in all, so
that the sum of signed ranks moves by at most Δ, the sum of these, from the one without ties, with the free
differences in the largest group. Hence P(|S₀| ≥ |S| + Δ) ≤ p ≤ P(|S₀| ≥ |S| − Δ), S₀ without ties, for each number of
zeros: a bound.
Few completions that differ in ranks are all tried: exact.

*Mean ranks*: on each problem R_b − R_a is greatest where a missing score is at the end and the others that are missing
lie between the two, or outside of them; the standard error of the ranks lies between that of as many ties as can be and
of none. p from the extreme sum and the extreme standard error: a bound; exact with the papers' standard error.
"""

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from bakeoff.analyses.compare.statistics.corrections import Correction
from bakeoff.analyses.compare.statistics.incomplete.ranks import present_ranks
from bakeoff.analyses.compare.statistics.units import SharedRows
from bakeoff.analyses.compare.statistics.verdicts import PairBounds, Verdict
from bakeoff.dataclass import dataclass
from bakeoff.nulls.signed_rank import EXACT_LIMIT, SignedRankNull, signed_rank_null
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.paired._sign_test import sign_tail
from bakeoff.paired._wilcoxon import signed_rank_sums, two_sided
from bakeoff.paired.alternatives import both_sides
from bakeoff.paired.differences import Differences, counts, directions, doubled_signed_ranks, ordered_differences
from bakeoff.posthoc.pairs import PairTests
from bakeoff.ranks import Ints
from bakeoff.scores import Array, Scores, read_only
from bakeoff.scores.pair_family import Family

Evidence = tuple[float, float]  # p and its logarithm
MOST_WORK, MOST_TRIED = 8000, 40  # completions times differences, and differences, up to which all are tried


@dataclass(frozen=True, slots=True, kw_only=True)
class PvalueExtremes:
    """Over all completions."""

    smallest: Evidence
    largest: Evidence
    lowest: float  # direction: −1, 0 or 1; positive: a better
    highest: float
    exact: bool


def _of(evidence: list[Evidence], lowest: float, highest: float, exact: bool) -> PvalueExtremes:
    return PvalueExtremes(
        smallest=min(evidence),
        largest=max(evidence),
        lowest=float(np.sign(lowest)),
        highest=float(np.sign(highest)),
        exact=exact,
    )


# --- signs ------------------------------------------------------------------------------------------------------


def sign_extremes(wins: int, losses: int, ties: int, free: int) -> PvalueExtremes:
    """The extremes of the sign test that splits ties, an odd one dropped."""
    lead, evidence = wins - losses, []
    for odd in range(min(free, 1) + 1):  # free problems that are tied, but for pairs of them
        left = free - odd
        n = wins + losses + ties + free - (ties + odd) % 2
        least = max(abs(lead) - left, (lead + left) % 2)
        evidence += [_sign(distance, n) for distance in (least, abs(lead) + left)]
    return _of(evidence, lead - free, lead + free, True)


def _sign(distance: int, n: int) -> Evidence:
    return sign_tail((n + distance) // 2, n, "two-sided") if n else (1.0, 0.0)


def untied_sign_extremes(wins: int, losses: int, free: int) -> PvalueExtremes:
    """The extremes of the sign test without tied problems: p falls with every win of the leader and
    rises with its losses."""
    lead = wins - losses
    filled = min(free, abs(lead))  # the other free ones tie
    even = (wins, losses + filled) if lead > 0 else (wins + filled, losses)
    evidence = [_sign(abs(w - b), w + b) for w, b in (even, (wins + free, losses), (wins, losses + free))]
    return _of(evidence, lead - free, lead + free, True)


# --- signed ranks -----------------------------------------------------------------------------------------------


def signed_rank_extremes(differences: Differences, free: int) -> PvalueExtremes:
    """The extremes of Wilcoxon's test with the known ``differences`` (zeros split) and ``free`` unknown ones."""
    if not free:
        sums = signed_rank_sums(differences)
        return _of([two_sided(sums)], sums.plus - sums.minus, sums.plus - sums.minus, True)
    signed = doubled_signed_ranks(differences)
    n, sizes = len(signed) + free, len(np.unique(np.abs(signed[signed != 0])))
    options = 1 + 2 * (sizes + free * (sizes + 1))
    if n <= MOST_TRIED and math.comb(options + free - 1, free) * n <= MOST_WORK:
        return _tried(signed, free, bounded=bool(np.isinf(differences.values).any()))
    return _bounded(signed, free)


def _tried(signed: Ints, free: int, bounded: bool) -> PvalueExtremes:
    """Every completion, as far as ranks differ; ``bounded``: nothing is larger than the largest known difference."""
    known, place = np.unique(np.abs(signed[signed != 0]), return_inverse=True)
    step = free + 1  # places between two neighbouring sizes: as many different ones as there are free
    levels = np.zeros(len(signed), dtype=np.int64)
    levels[signed != 0] = np.sign(signed[signed != 0]) * step * (place + 1)
    top = step * len(known) if bounded else step * len(known) + free
    evidence, directions = [], []
    for values in itertools.combinations_with_replacement(range(-top, top + 1), free):
        whole = np.concatenate([levels, values]).astype(np.float64)
        sums = signed_rank_sums(Differences(values=whole, scales=np.zeros(len(whole))))
        evidence.append(two_sided(sums))
        directions.append(sums.plus - sums.minus)
    return _of(evidence, min(directions), max(directions), True)


def _bounded(signed: Ints, free: int) -> PvalueExtremes:
    """By limits of the sum and of what ties can do to its law, for each number of zeros."""
    nonzero = signed[signed != 0]
    groups = np.unique(np.abs(nonzero), return_counts=True)[1].tolist()
    zeros, lead, signs = len(signed) - len(nonzero), int(nonzero.sum()), int(np.sign(nonzero).sum())
    extremes, limits = [], []
    for tied in range(free + 1):
        left = free - tied
        shift = zeros + tied - (zeros + tied) % 2  # ranks of the split zeros, below all others
        known = lead + 2 * shift * signs
        above = left * (2 * (shift + len(nonzero)) + left + 1)  # doubled ranks of the free ones at the top
        lowest, highest = known - above, known + above
        limits += [lowest, highest]
        least = max(lowest, -highest, 0)
        m = len(nonzero) + left
        extremes += [_beyond(m, shift, least, groups, left, largest=True)]
        extremes += [_beyond(m, shift, max(highest, -lowest), groups, left, largest=False)]
    return _of(extremes, min(limits), max(limits), False)


def one_sided_bound(signed: Ints, free: int) -> Evidence:
    """The largest p of "the centre is 0 or less" with these doubled signed ranks, zeros dropped, and ``free`` unknown
    differences: a bound, with these below all others."""
    nonzero = signed[signed != 0]
    groups, bounds = np.unique(np.abs(nonzero), return_counts=True)[1].tolist(), []
    for left in range(free + 1):  # the others are 0
        distance = int(nonzero.sum()) - left * (2 * len(nonzero) + left + 1)
        p, log_p = _beyond(len(nonzero) + left, 0, distance, groups, left, largest=True) if distance > 0 else (1.0, 0.0)
        bounds.append((p / 2.0, log_p - math.log(2.0)) if p < 1.0 else (1.0, 0.0))
    return max(bounds)


def _beyond(m: int, shift: int, distance: int, groups: list[int], left: int, largest: bool) -> Evidence:
    """The bound of p where the doubled sum of m signed ranks above ``shift`` is ``distance`` from 0."""
    if m == 0 or distance == 0:
        return 1.0, 0.0
    first, *others = sorted([*groups, 0], reverse=True)
    sizes = [first + left, *others]
    if m > EXACT_LIMIT:
        squares = sum((2 * (shift + i)) ** 2 for i in range(1, m + 1))
        if not largest:
            squares -= sum((g**3 - g) // 3 for g in sizes)
        p, log_p = normal_two_sided(distance / math.sqrt(squares))
        return float(p), float(log_p)
    moved = 2 * sum(g * g // 4 for g in sizes)
    reach = distance - moved if largest else distance + moved
    if reach <= 0:
        return 1.0, 0.0
    null = _untied_null(m, shift)
    total = m * (2 * shift + m + 1)  # the sum of all doubled ranks
    p, log_p = both_sides(*null.tail((total - reach) // 2)) if reach <= total else (0.0, -math.inf)
    least = (1.0 - m) * math.log(2.0)  # all of one sign
    return (p, log_p) if log_p >= least else (math.exp(least), least)


@lru_cache(maxsize=64)
def _untied_null(m: int, shift: int) -> SignedRankNull:
    return signed_rank_null(2 * (shift + np.arange(1, m + 1)))


# --- mean ranks -------------------------------------------------------------------------------------------------


def rank_extremes(costs: Array, a: int, b: int, printed: bool = False) -> PvalueExtremes:
    """The extremes of the z test on mean ranks; ``costs`` (n, k), NaN where missing; ``printed``: the papers' SE."""
    n, k = costs.shape
    lowest = highest = spread = tied_spread = 0
    for row in costs:
        least, most = _rank_difference(row, a, b)
        lowest, highest = lowest + least, highest + most
        few, many = _spreads(row)
        spread, tied_spread = spread + many, tied_spread + few
    if printed:
        large = small = 4 * n * k * (k + 1) / 6
    else:
        large, small = 2 * spread / (k - 1), 2 * tied_spread / (k - 1)  # of doubled ranks
    limit = math.inf if printed else math.sqrt(n * (k - 1))
    nearest, furthest = max(lowest, -highest, 0), max(highest, -lowest)
    most_z = min(furthest / math.sqrt(small) if small else (math.inf if furthest else 0.0), limit)
    least_z = nearest / math.sqrt(large) if nearest else 0.0
    pvalues = [(float(p), float(log_p)) for p, log_p in (normal_two_sided(least_z), normal_two_sided(most_z))]
    return _of(pvalues, lowest, highest, printed and nearest > 0)


def _rank_difference(row: Array, a: int, b: int) -> tuple[int, int]:
    """The least and the greatest doubled R_b − R_a on one problem."""
    others = np.delete(row, [a, b])
    missing = int(np.isnan(others).sum())
    if np.isnan(row[a]) and np.isnan(row[b]):
        return -2 * (len(row) - 1), 2 * (len(row) - 1)
    if np.isnan(row[a]) or np.isnan(row[b]):
        there = row[b] if np.isnan(row[a]) else row[a]
        below, above = int(np.sum(others < there)), int(np.sum(others > there))
        equal = int(np.sum(others == there))
        worse, better = (2 * (1 + x + missing) + equal for x in (above, below))  # the missing one at either end
        return (-worse, better) if np.isnan(row[a]) else (-better, worse)
    if row[a] == row[b]:
        return 0, 0
    low, high = sorted((row[a], row[b]))
    between = int(np.sum((others > low) & (others < high)))
    distance = 2 * (1 + between) + int(np.sum(others == low)) + int(np.sum(others == high))
    near, far = distance, distance + 2 * missing
    return (near, far) if row[a] < row[b] else (-far, -near)


def _spreads(row: Array) -> tuple[int, int]:
    """Σ of squared deviations of the doubled ranks from their mean, with as many and as few ties as can be."""
    k, missing = len(row), int(np.isnan(row).sum())
    groups = sorted(np.unique(row[~np.isnan(row)], return_counts=True)[1].tolist(), reverse=True) or [0]
    whole = (k**3 - k) // 3
    return (
        whole - sum((g**3 - g) // 3 for g in [groups[0] + missing, *groups[1:]]),
        whole - sum((g**3 - g) // 3 for g in groups),
    )


# --- pairs of a table --------------------------------------------------------------------------------------------


def pvalue_extremes(
    scores: Scores, family: Family, rows: Sequence[SharedRows], tests: Sequence[str]
) -> list[PvalueExtremes]:
    """The extremes of each pair, by its test."""
    if tests[0] == "mean-ranks":
        present = present_ranks(scores)
        return [rank_extremes(present, a, b) for a, b in family]
    return [_of_pair(one, test) for one, test in zip(rows, tests, strict=True)]


def _of_pair(rows: SharedRows, test: str) -> PvalueExtremes:
    if rows.units is None:
        return sign_extremes(0, 0, 0, rows.n_missing)  # every p-value, as for signed ranks
    wins, losses, ties = counts(directions(rows.units.rows, 0, 1))
    if test == "sign":
        return sign_extremes(wins, losses, ties, rows.n_missing)
    if test == "sign-without-ties":
        return untied_sign_extremes(wins, losses, rows.n_missing)
    return signed_rank_extremes(ordered_differences(rows.units.measured, 0, 1), rows.n_missing)


def with_pvalues(tests: PairTests, evidence: Sequence[Evidence]) -> PairTests:
    """The same statistics with other p-values."""
    pvalue, log_pvalue = (read_only(column.copy()) for column in np.array(evidence).T)
    return PairTests(statistic=tests.statistic, direction=tests.direction, pvalue=pvalue, log_pvalue=log_pvalue)


def bounded_verdicts(
    extremes: Sequence[PvalueExtremes], lowest: Correction, highest: Correction, reach: Array, alpha: float
) -> list[Verdict]:
    """The verdicts that hold over all completions, by the smallest and the largest adjusted p-values."""
    verdicts: list[Verdict] = []
    p_low, p_high = lowest.values[highest.primary], highest.values[highest.primary]
    for one, low, high, least in zip(extremes, p_low, p_high, reach, strict=True):
        if least > alpha:
            verdicts.append("cannot tell")
        elif high <= alpha and one.lowest == one.highest != 0.0:
            verdicts.append("a better" if one.lowest > 0 else "b better")
        else:
            verdicts.append("no difference shown" if low > alpha else "depends on the missing scores")
    return verdicts


def bounds_of_pairs(
    extremes: Sequence[PvalueExtremes], lowest: Correction, highest: Correction, n_missing: Sequence[int]
) -> list[PairBounds]:
    """The raw and adjusted ends of each pair."""
    ends = {
        name: zip(lowest.values[name].tolist(), highest.values[name].tolist(), strict=True) for name in highest.methods
    }
    return [
        PairBounds(
            smallest=one.smallest[0],
            largest=one.largest[0],
            adjusted={name: next(pairs) for name, pairs in ends.items()},
            kind="exact" if one.exact else "bound",
            n_missing=missing,
        )
        for one, missing in zip(extremes, n_missing, strict=True)
    ]
