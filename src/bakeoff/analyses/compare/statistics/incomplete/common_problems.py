"""Each pair of an incomplete table on the problems that both have: its scores, test and sizes."""

from dataclasses import dataclass

import numpy as np

from bakeoff.analyses.compare.statistics.clusters.units import plain_units
from bakeoff.analyses.compare.statistics.effect_choice import EffectRequest
from bakeoff.analyses.compare.statistics.mean_cautions import ShownMean, shown_means
from bakeoff.analyses.compare.statistics.pair_test import SAME_BY_ORDER, PairTestChoice, tested_pairs
from bakeoff.analyses.compare.statistics.results import Size, Verdict
from bakeoff.analyses.compare.statistics.sizes import pair_sizes
from bakeoff.errors import Caution
from bakeoff.paired.differences import counts, directions
from bakeoff.posthoc.pairs import PAIRWISE, PairTests
from bakeoff.ranks.measured_scores import measured_scores
from bakeoff.scores import Array, Scores, read_only
from bakeoff.scores.pair_family import Family

ONLY_PAIR: Family = [(0, 1)]


@dataclass(frozen=True, slots=True, eq=False)
class CommonProblems:
    """A pair on the problems that both have."""

    scores: Scores | None  # of the two; None where they have no problem in common
    measured: Scores | None  # what differences are taken of
    n_missing: int  # problems on which a score of the two is missing

    @property
    def n(self) -> int:
        return 0 if self.scores is None else self.scores.n_problems


def common_problems(scores: Scores, family: Family, transform: str | None) -> list[CommonProblems]:
    """Of each pair, in the order of the family."""
    return [_common(scores, pair, transform) for pair in family]


def _common(scores: Scores, pair: tuple[int, int], transform: str | None) -> CommonProblems:
    both = ~scores.holes[:, list(pair)].any(axis=1)
    missing = int(np.sum(~both))
    if not both.any():
        return CommonProblems(None, None, missing)
    two = scores.select(pair, np.flatnonzero(both).tolist())
    return CommonProblems(two, measured_scores(two, transform), missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedPairs:
    """The raw tests, by which test each was made, and the least p that as many problems can give."""

    each: tuple[str, ...]
    tests: PairTests
    smallest: Array


def tested_on_common(pairs: list[CommonProblems], chosen: PairTestChoice) -> TestedPairs:
    """Each pair by the chosen test; a pair without a problem has p = 1."""
    rows, each, smallest = [], [], []
    for pair in pairs:
        if pair.scores is None or pair.measured is None:
            rows.append((0.0, 0.0, 1.0, 0.0))
            each.append(chosen.name)
            smallest.append(1.0)
            continue
        used = pair.scores if chosen.name in SAME_BY_ORDER else pair.measured
        tests = tested_pairs(used, ONLY_PAIR, chosen, ("permutation", "permutation"), None)
        t = tests.tests
        rows.append((float(t.statistic[0]), float(t.direction[0]), float(t.pvalue[0]), float(t.log_pvalue[0])))
        each.append(tests.each[0])
        smallest.append(PAIRWISE[tests.each[0]].smallest(pair.n))
    return TestedPairs(each=tuple(each), tests=_tests(rows), smallest=np.array(smallest))


def _tests(rows: list[tuple[float, float, float, float]]) -> PairTests:
    statistic, direction, pvalue, log_pvalue = (read_only(column.copy()) for column in np.array(rows).T)
    return PairTests(statistic=statistic, direction=direction, pvalue=pvalue, log_pvalue=log_pvalue)


def evidence_tests(like: PairTests, evidence: list[tuple[float, float]]) -> PairTests:
    """The same statistics with other p-values."""
    pvalue, log_pvalue = (read_only(column.copy()) for column in np.array(evidence).T)
    return PairTests(statistic=like.statistic, direction=like.direction, pvalue=pvalue, log_pvalue=log_pvalue)


Counts = tuple[int, int, int]  # wins, ties, losses


def sizes_of(
    pairs: list[CommonProblems], each: tuple[str, ...], verdicts: list[Verdict], request: EffectRequest
) -> tuple[list[tuple[Counts, Size]], list[Caution]]:
    """Wins, ties, losses and effects of every pair; cautions of the one with the fewest problems."""
    counted_sizes: list[tuple[Counts, Size]] = []
    cautions: dict[int, tuple[Caution, ...]] = {}
    means: list[ShownMean] = []
    for pair, test, verdict in zip(pairs, each, verdicts, strict=True):
        if pair.scores is None or pair.measured is None:
            counted_sizes.append(((0, 0, 0), (None, None, None)))
            continue
        sizes = pair_sizes(plain_units(pair.scores, pair.measured), ONLY_PAIR, [test], [verdict], request, None)
        counted_sizes.append(((int(sizes.wins[0]), int(sizes.ties[0]), int(sizes.losses[0])), sizes.each[0]))
        if sizes.cautions:
            cautions.setdefault(pair.n, sizes.cautions)
        means += sizes.means
    return counted_sizes, [*(cautions[min(cautions)] if cautions else ()), *shown_means(means)]


def counts_of(pairs: list[CommonProblems]) -> list[tuple[Counts, Size]]:
    """The same without effects: missing scores that may be anything leave none."""
    counted_sizes: list[tuple[Counts, Size]] = []
    for pair in pairs:
        wins, losses, ties = (0, 0, 0) if pair.scores is None else counts(directions(pair.scores, 0, 1))
        counted_sizes.append(((wins, ties, losses), (None, None, None)))
    return counted_sizes
