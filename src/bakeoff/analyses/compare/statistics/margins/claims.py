"""The claims of compare() about a margin: the one-sided tests of all pairs, adjusted as one family, and verdicts.

Each pair has two hypotheses, "a is worse by the margin or more" and "b is", of which at most one is true. Of 2m
hypotheses at most as many can be true as there are pairs with one that is not yet rejected. So Holm's procedure goes
through all 2m p-values, the smallest first, and multiplies each by that number (Shaffer 1986, procedure S2).
"Practically equal" rejects both; its adjusted p is Holm's over the m larger p-values, and "not worse" costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from bakeoff.analyses.compare.statistics.effect_choice import kinds_of
from bakeoff.analyses.compare.statistics.margins.one_sided import (
    TESTS,
    OneSided,
    distance,
    least_pvalue,
    one_sided_tests,
    share_tests,
    within_margin,
)
from bakeoff.analyses.compare.statistics.mean_cautions import of_pairs
from bakeoff.analyses.compare.statistics.results import Effect, Verdict
from bakeoff.analyses.compare.statistics.units import Units
from bakeoff.analyses.compare.statistics.verdicts import DECIDED, OF_MARGIN
from bakeoff.cautions import caution_of
from bakeoff.checks import number
from bakeoff.effects.tied_means import few_differ, fewest_at, from_usual
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.means.assumptions import long_tails
from bakeoff.means.strata import one_stratum
from bakeoff.means.unit_mean import unit_mean
from bakeoff.paired.many_pairs import Columns, row_differences
from bakeoff.posthoc.pairs import PAIRWISE
from bakeoff.ranks.measured_scores import margin_scores
from bakeoff.scores import Scores
from bakeoff.scores.clusters import by_cluster
from bakeoff.scores.contents import two_values
from bakeoff.scores.margins import Margin, beyond_scores, margin_of, require_ratio
from bakeoff.scores.pair_family import Family

if TYPE_CHECKING:
    from bakeoff.analyses.compare.statistics.state import Comparing, Request

REFERENCE = "Schuirmann (1987), J. Pharmacokinet. Biopharm. 15, 657–680"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Against:
    """Pairs of a table against a margin, each by a test of its own: "wilcoxon", "t" or, of two values, "share"."""

    measured: Scores
    columns: Columns  # of the same
    family: Family
    margin: Margin
    by: Sequence[str]
    apart: float | None  # the distance of two values
    alpha: float

    def tests(self, estimates: Iterable[float | None]) -> list[OneSided]:
        """The evidence of each pair, and none on a side where its estimate lies at the margin or beyond."""
        margin, m = self.margin.value, len(self.family)
        by_place: dict[int, OneSided] = {}
        if self.apart is not None:
            by_place = dict(enumerate(share_tests(self.measured, self.family, margin, self.apart)))
        for name in TESTS:
            places = [i for i, test in enumerate(self.by) if test == name]
            pairs = [self.family[i] for i in places]
            by_place |= zip(places, one_sided_tests(self.columns, pairs, margin, name, self.alpha / m), strict=True)
        for i, estimate in enumerate(estimates):
            if estimate is not None:
                by_place[i] = within_margin(by_place[i], estimate, margin)
        return [by_place[i] for i in range(m)]

    def cautions(self) -> list[Caution]:
        """Cautions about what no scores, or not these, can show of a margin."""
        n, m = self.measured.n_problems, len(self.family)
        if self.apart == 0.0:
            return [caution_of("no-variation", "margin-scores", value=float(self.measured.values.flat[0]))]
        least = min(least_pvalue(n, test) for test in self.by)
        if m * least > self.alpha:
            over = "" if m == 1 else f", times {m} for as many pairs"
            problems = counted(n, "problem")
            return [caution_of("out-of-reach", "margin", problems=problems, least=least, over=over, alpha=self.alpha)]
        fewest, few, equal = fewest_at(self.alpha / m), list[str](), list[str]()
        for pair, test in zip(self.family, self.by, strict=True):
            if test == "t":
                differences = row_differences(self.columns, [pair]).row(0)
                if unit_mean(differences.values, differences.scales).error == 0.0:
                    equal.append(self._name(pair))
                elif few_differ(from_usual(differences)[1].values, fewest):
                    few.append(self._name(pair))
        return [
            *of_pairs("no-variation", "margin-differences", equal),
            *of_pairs("too-few", "margin-differences", few, fewest=fewest),
        ]

    def skewed(self, p_a: Sequence[float], p_b: Sequence[float]) -> list[Caution]:
        """Cautions about pairs whose mean difference contradicts what signed ranks show of the typical one, and about
        others that are skewed."""
        sides = [(pair, a <= self.alpha, b <= self.alpha) for pair, a, b in zip(self.family, p_a, p_b, strict=True)]
        claimed = [side for side, test in zip(sides, self.by, strict=True) if test == "wilcoxon" and any(side[1:])]
        if not claimed:
            return []
        a, b = np.array([pair for pair, _, _ in claimed], dtype=np.intp).T
        tails = long_tails(self.measured.values, (a, b), [one_stratum(np.arange(self.measured.n_problems))])
        outside, skewed = list[str](), list[str]()
        for (pair, a_shown, b_shown), tail in zip(claimed, tails.tolist(), strict=True):
            mean = float(row_differences(self.columns, [pair]).values[0].mean())
            beyond = (a_shown and mean <= -self.margin.value) or (b_shown and mean >= self.margin.value)
            if beyond or tail:
                (outside if beyond else skewed).append(self._name(pair))
        return [*of_pairs("margin-of-the-median", "", outside), *of_pairs("skew", "margin", skewed)]

    def _name(self, pair: tuple[int, int]) -> str:
        return " – ".join(self.measured.algorithms[j] for j in pair)


def requested_margin(request: Request, units: Units, pairwise: str) -> Margin | None:
    """The margin with its unit; it is refused where pairs are tested by ranks or signs alone, but of two values."""
    if request.margin is None:
        return None
    if request.recipe is not None:
        raise ParameterError(f"has no place in recipe={request.recipe!r}; leave out one of the two", parameter="margin")
    number("alpha", request.alpha, above=0.0, below=0.5)
    limit = margin_of(request.margin)
    if pairwise not in TESTS and (units.unit == "cluster" or two_values(units.problems) is None):
        rule = (
            f"needs differences of scores, which {PAIRWISE[pairwise].phrase} (the test of pairs here) does not measure"
        )
        raise ParameterError(f"{rule}: choose pairwise='wilcoxon' or 't'", parameter="margin")
    effect = request.effect if request.effect in ("percent", "log-ratio") else None
    for name, value in (("transform", request.transform), ("effect", effect)):
        if value is not None and not limit.relative:
            require_ratio(limit.value, f"with {name}={value!r}", f"without {name}=")
    return limit


def add_margins(c: Comparing) -> None:
    """Test each pair against the margin, by the test of the effect that is shown, or would be in score units."""
    c.of_margin, c.margin_cautions = {}, []
    if c.margin is None:
        return
    units, family, margin, alpha = c.units, c.family, c.margin, c.request.alpha
    values, two = units.measured.values, two_values(units.measured)
    kinds = kinds_of(values, two, family, c.effects_by, c.sizes.ties.tolist(), "difference")
    effects = [effect for effect, _, _ in c.sizes.each] if isinstance(c.sizes.each, list) else []
    shown = [effect.kind for effect in effects if effect is not None and effect.kind != "a12"]
    units.problems.require_finite("The test against a margin", sorted({column for pair in family for column in pair}))
    apart = distance(units.unit == "cluster", two_values(units.problems), margin)
    cautions = [] if margin.relative else beyond_scores(units.problems, margin.value)
    measured = by_cluster(margin_scores(units.problems, margin))
    against = Against(
        measured=measured,
        columns=Columns.of(measured),
        family=family,
        margin=margin,
        by=[
            "share" if apart is not None else "t" if kind in ("mean", "share") else "wilcoxon"
            for kind in (shown if len(shown) == len(kinds) else kinds)
        ],
        apart=apart,
        alpha=alpha,
    )
    tests = against.tests(None if effect is None else _comparable(effect, margin) for effect in effects)
    a, b = adjusted_one_sided(tests)
    raw = ([test.equal for test in tests], [test.a for test in tests], [test.b for test in tests])
    c.margin = replace(margin, tests=tuple(name for name in ("wilcoxon", "t", "share") if name in against.by))
    c.of_margin = dict(zip(OF_MARGIN, (*raw, [*map(max, a, b)], a, b), strict=True))
    c.margin_cautions = [*cautions, *against.cautions(), *against.skewed(a, b)]
    for i, verdict in enumerate(c.verdicts):
        if verdict not in DECIDED and not c.undone[i]:  # a difference that is shown stays the verdict
            c.verdicts[i] = claim_of(a[i] <= alpha, b[i] <= alpha) or verdict


def _comparable(effect: Effect, margin: Margin) -> float | None:
    """The effect in the unit of the margin, if it has the same scale."""
    if effect.scale == "percent" and margin.relative:
        return math.log1p(effect.estimate / 100.0) if effect.estimate > -100.0 else -math.inf
    return effect.estimate if effect.scale == margin.scale else None


def adjusted_one_sided(tests: Sequence[OneSided]) -> tuple[list[float], list[float]]:
    """The p of "a is worse" and of "b is worse", by pair: step by step times the pairs with a hypothesis left."""
    m = len(tests)
    raw = np.array([[test.a, test.b] for test in tests]).ravel()
    adjusted, left, pairs, highest = [0.0] * (2 * m), [2] * m, m, 0.0
    for place in np.argsort(raw, kind="stable").tolist():
        highest = max(highest, min(1.0, pairs * float(raw[place])))
        adjusted[place] = highest
        left[place // 2] -= 1
        pairs -= left[place // 2] == 0
    return adjusted[::2], adjusted[1::2]


def claim_of(a_not_worse: bool, b_not_worse: bool) -> Verdict | None:
    """The verdict about a margin, None if nothing is shown."""
    if a_not_worse and b_not_worse:
        return "practically equal"
    return "a not worse" if a_not_worse else "b not worse" if b_not_worse else None
