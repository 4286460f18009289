"""The fewest problems whose removal moves a pair's own p-value across its critical one, and which.

*Counting tests.* Let a have w wins, b l, with t ties, w > l. P(Bin(w + l, ½) ≥ w) is the probability that w successes
come before the (l + 1)-th failure: it falls with w and rises with l. A pair of split ties less makes d = w − l rarer:
P(S_n ≥ d) − P(S_(n−2) ≥ d) = (P(S_(n−2) = d − 2) − P(S_(n−2) = d))/4 ≥ 0 for d ≥ 1. So r removals raise p most if all
are wins; and to lower it, losses and ties alone matter, in every mixture of the two. Exact.

*Signed ranks, no ties and no zeros.* p depends on the number of problems left and R⁺ alone. Adding x > 0 to a set B
raises R⁺ by #{B ≤ x} + 1 + #{positive B > x}; for 0 < x < y the second of them gains at least as much, by the negative
ones between; adding a negative one raises it by at most #{positive B} ≤ #{B ≤ x} + #{positive B > x}. So, exchanging
one kept problem for one removed, among all sets of r the r largest positive differences leave the smallest R⁺. Exact.
With ties or zeros the null distribution moves too: an upper bound, exact where it is 1, or 2 and no single removal
suffices.

*Mean ranks.* Ranks within problems stay, so z = Σ d_i / √(Σ v_i) over the problems kept. For each number removed and
each sum of the v removed, only the largest and smallest sums of the d matter: a dynamic programme. Exact.

*Others.* Greedy: the problem whose removal moves p farthest, again and again (for ranks across problems: the largest
contributions first). An upper bound, exact where it is 1 and single removals were all tried.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bakeoff.analyses.sensitivity.statistics.analysis import ExaminedAnalysis, ExaminedTable
from bakeoff.analyses.sensitivity.statistics.many_tables import many_tests, sign_evidence
from bakeoff.analyses.sensitivity.statistics.results import Fragility
from bakeoff.dataclass import dataclass
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.paired._wilcoxon import SignedRankSums, signed_rank_sums, two_sided
from bakeoff.paired.differences import Differences, directions
from bakeoff.paired.many_pairs import Columns, row_differences
from bakeoff.posthoc.pairs import PairTests, rank_sums
from bakeoff.ranks import Ints, doubled_aligned_ranks, doubled_problem_ranks, doubled_ranks
from bakeoff.scores import Array

STATES = 20_000
"""Sums of variances told apart for one number of removals; beyond, the largest contributions go first."""
LONG = 150
"""Differences up to which every p-value of signed ranks is computed exactly."""
MOST_STEPS = 60
"""Removals tried one after the other where each costs a test of many candidates."""

Removal = tuple[list[int], bool]  # places, exact
NONE: Removal = ([], True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnTest:
    """The p-value of one pair, and which way it lies."""

    table: ExaminedTable
    analysis: ExaminedAnalysis
    pair: tuple[int, int]
    place: int  # of the pair in the family
    critical: float
    sign: int  # of the verdict: 1, −1, or 0 where nothing was shown
    single: Array  # (n, 2) p and direction with one problem left out

    def changed(self, pvalue: float, direction: float) -> bool:
        """Whether a pair with this p would be decided otherwise."""
        now = int(np.sign(direction)) if pvalue <= self.critical else 0
        return now != self.sign

    @property
    def alone(self) -> list[int]:
        """The problems each of which suffices, the one that moves p farthest first."""
        places = [i for i, (p, direction) in enumerate(self.single.tolist()) if self.changed(p, direction)]
        return sorted(places, key=lambda i: self.single[i, 0], reverse=self.sign != 0)


def fragility(own: OwnTest) -> Fragility:
    """By whichever way is exact for the test."""
    places, exact = _least(own)
    problems = own.table.scores.problems
    return Fragility(n=len(places) or None, problems=tuple(problems[i] for i in sorted(places)), exact=exact)


def _least(own: OwnTest) -> Removal:
    name = own.analysis.chosen.name
    alone = own.alone
    if alone:
        return alone[:1], True
    if name in ("sign", "sign-without-ties", "mcnemar"):
        return _of_counts(own, name)
    if name == "mean-ranks":
        least = _of_mean_ranks(own)
    elif name == "wilcoxon" and np.isfinite(own.table.measured.values[:, list(own.pair)]).all():
        least = _of_signed_ranks(own)
    elif name == "t":
        least = _greedy(own)
    else:
        least = _by_contribution(own)
    places, exact = least
    return places, exact or len(places) == 2  # one alone does not suffice


def _of_counts(own: OwnTest, name: str) -> Removal:
    d = directions(own.table.units.for_test(name), *own.pair)
    win, loss, tie = (np.flatnonzero(d == way).tolist() for way in (1, -1, 0))
    w, lost, t = len(win), len(loss), len(tie)
    if own.sign:
        more, fewer = (win, loss) if own.sign > 0 else (loss, win)
        for r in range(1, len(more) + 1):
            if sign_evidence(name, len(more) - r, len(fewer), t)[0] > own.critical:
                return more[:r], True
        return NONE
    best: list[int] = []
    for against, kept in ((loss, w), (win, lost)):
        for r in range(1, len(d)):
            if best and r >= len(best):
                break
            for y in range(max(0, r - t), min(r, len(against)) + 1):
                if (
                    kept > len(against) - y
                    and sign_evidence(name, kept, len(against) - y, t - (r - y))[0] <= own.critical
                ):
                    best = against[:y] + tie[: r - y]
                    break
            if best and len(best) == r:
                break
    return best, True


def _first_of(own: OwnTest, ordered: Callable[[int], list[int]], changed: Callable[[list[int]], bool]) -> list[int]:
    """The fewest places, in this order, whose removal changes the verdict: what speaks for a, or for b, goes first."""
    best: list[int] = []
    for way in (own.sign,) if own.sign else (-1, 1):
        going = ordered(way)
        most = len(best) - 1 if best else len(going)
        best = next((going[:r] for r in range(1, min(most, len(going)) + 1) if changed(going[:r])), best)
    return best


def _of_signed_ranks(own: OwnTest) -> Removal:
    rows = row_differences(Columns.of(own.table.measured), [own.pair])
    d, scales = rows.values[0], rows.scales[0]
    whole = signed_rank_sums(Differences(values=d, scales=scales))
    order = np.argsort(-np.abs(d), kind="stable").tolist()

    def changed(gone: list[int]) -> bool:
        if len(gone) == len(d):
            return False
        sums = signed_rank_sums(Differences(values=np.delete(d, gone), scales=np.delete(scales, gone)))
        return own.changed(_pvalue(sums, own.critical), float(sums.plus - sums.minus))

    best = _first_of(own, lambda way: [i for i in order if np.sign(d[i]) == way], changed)
    return best, whole.zeros == 0 and whole.ties == 0 and len(d) <= LONG


def _pvalue(sums: SignedRankSums, critical: float) -> float:
    """Exact; of many problems only where the normal approximation is near the critical value."""
    if len(sums.ranks) > LONG:
        near = float(normal_two_sided(np.array([sums.zstatistic]))[0][0])
        if not critical / 4.0 <= near <= critical * 4.0:
            return near
    return two_sided(sums)[0]


def _of_mean_ranks(own: OwnTest) -> Removal:
    ranks = doubled_ranks(own.table.units.ranked)
    n, k = ranks.shape
    a, b = own.pair
    d = (ranks[:, b] - ranks[:, a]).tolist()
    v = (k * (ranks**2).sum(axis=1) - ranks.sum(axis=1) ** 2).tolist()
    papers = own.analysis.forms[0] == "papers"
    printed = rank_sums(own.table.units.ranked, "mean-ranks").printed_error * np.sqrt(n)
    total, spread = sum(d), sum(v)

    def changed(removed: int, of_d: int, of_v: int) -> bool:
        left = n - removed
        distance = total - of_d
        se = printed / np.sqrt(left) if papers else np.sqrt(2 * (spread - of_v) / (k * (k - 1))) / (2 * left)
        z = distance / (2 * left * se) if se > 0.0 else 0.0
        return own.changed(float(normal_two_sided(np.array([z]))[0][0]), float(distance))

    best: list[int] = []
    exact = True
    for way in (own.sign,) if own.sign else (-1, 1):

        def this_way(removed: int, of_d: int, of_v: int, way: int = way) -> bool:
            return changed(removed, way * of_d, of_v)

        chosen, sure = _extreme_sums([way * x for x in d], [0] * n if papers else v, this_way)
        exact &= sure
        if chosen and (not best or len(chosen) < len(best)):
            best = chosen
    return best, exact


def _extreme_sums(d: list[int], v: list[int], changed: Callable[[int, int, int], bool]) -> Removal:
    """The fewest places whose sums (Σ d, Σ v) change the decision. Among problems of one v the largest d go first, so
    that a state is how many of each v are gone."""
    n = len(d)
    members = [sorted((i for i in range(n) if v[i] == kind), key=lambda i: -d[i]) for kind in sorted(set(v))]
    states: dict[tuple[int, ...], tuple[int, int]] = {(0,) * len(members): (0, 0)}
    exact = True
    for r in range(1, n):
        following: dict[tuple[int, ...], tuple[int, int]] = {}
        for counts, (of_d, of_v) in states.items():
            for place, those in enumerate(members):
                if counts[place] < len(those):
                    i = those[counts[place]]
                    key = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                    following[key] = (of_d + d[i], of_v + v[i])
        for counts, (of_d, of_v) in following.items():
            if changed(r, of_d, of_v):
                return [i for count, those in zip(counts, members, strict=True) for i in those[:count]], exact
        if len(following) > STATES:
            largest = sorted(following.items(), key=lambda item: -item[1][0])
            following, exact = dict(largest[: STATES // 2]), False
        states = following
    return [], exact


def _greedy(own: OwnTest) -> Removal:
    """One problem after the other, whichever moves p farthest."""
    best: list[int] = []
    many = many_tests(own.table, own.analysis, [own.pair])
    if many is None:
        return _by_contribution(own)
    n = own.table.scores.n_problems
    for way in (own.sign,) if own.sign else (-1, 1):
        kept, gone = list(range(n)), list[int]()
        while len(kept) > 2 and len(gone) < MOST_STEPS and not (best and len(gone) + 1 >= len(best)):
            rows = np.array([[i for i in kept if i != out] for out in kept], dtype=np.intp)
            tests = many(rows)
            lean = tests.statistic[:, 0] * way  # the less, the farther from what is there
            pick = int(np.argmin(lean))
            gone.append(kept.pop(pick))
            if own.changed(float(tests.pvalue[pick, 0]), float(tests.direction[pick, 0])):
                best = list(gone)
                break
    return best, False


def _by_contribution(own: OwnTest) -> Removal:
    """The problems that contribute most go first; the whole table is tested again each time."""
    d = _contributions(own)
    places = np.arange(len(d))

    def ordered(way: int) -> list[int]:
        going = [i for i in np.argsort(-way * d, kind="stable").tolist() if way * d[i] > 0.0]
        return going[: min(len(d) - 1, MOST_STEPS)]

    def changed(gone: list[int]) -> bool:
        tests: PairTests = own.analysis.tested(own.table.rows(np.delete(places, gone)))[0]
        return own.changed(float(tests.pvalue[own.place]), float(tests.direction[own.place]))

    return _first_of(own, ordered, changed), False


def _contributions(own: OwnTest) -> Array:
    """(n,) what each problem adds to the distance of the pair, positive where a is better."""
    scores, (a, b) = own.table.measured, own.pair
    name = own.analysis.chosen.name
    ranks: Ints
    if name == "aligned":
        ranks = doubled_aligned_ranks(scores)
    elif name == "quade":
        ranks = doubled_problem_ranks(scores)[:, None] * doubled_ranks(scores)
    else:
        ranks = doubled_ranks(scores)
    return np.asarray(ranks[:, b] - ranks[:, a], dtype=np.float64)
