"""What compare() claims about a margin: the one-sided tests of all pairs, adjusted as one family, and verdicts.

Each pair has two hypotheses, "a is worse by the margin or more" and "b is", of which at most one is true. Of 2m
hypotheses at most as many can be true as there are pairs with one that is not yet rejected. So Holm's procedure goes
through all 2m p-values, the smallest first, and multiplies each by that number (Shaffer 1986, procedure S2).
"Practically equal" rejects both; its adjusted p is Holm's over the m larger p-values, and "not worse" costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bakeoff.analyses.compare.statistics.margins.one_sided import (
    TESTS,
    OneSided,
    distance,
    least_pvalue,
    one_sided_tests,
    share_tests,
    within_margin,
)
from bakeoff.analyses.compare.statistics.results import Effect, Verdict
from bakeoff.analyses.compare.statistics.sizes import PairSizes
from bakeoff.analyses.compare.statistics.units import Units
from bakeoff.analyses.compare.statistics.verdicts import OF_MARGIN
from bakeoff.cautions import caution_of
from bakeoff.checks import number
from bakeoff.effects.tied_means import few_differ, fewest_at, from_usual
from bakeoff.errors import Caution, ParameterError, counted, listing
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

REFERENCE = "Schuirmann (1987), J. Pharmacokinet. Biopharm. 15, 657–680"
NAMED = 5  # pairs in a caution


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginClaims:
    """Of each pair of the family, in its order."""

    margin: Margin | None = None
    tests: Sequence[OneSided] = ()
    adjusted_a: Sequence[float] = ()
    adjusted_b: Sequence[float] = ()
    alpha: float = 0.0
    cautions: tuple[Caution, ...] = ()
    undone: Sequence[bool] = ()  # pairs on which there is no evidence

    def values(self, place: int) -> dict[str, float | None]:
        """The fields of a pair; none without a margin."""
        if self.margin is None:
            return {}
        test, a, b = self.tests[place], self.adjusted_a[place], self.adjusted_b[place]
        return dict(zip(OF_MARGIN, (test.equal, test.a, test.b, max(a, b), a, b), strict=True))

    def verdict(self, place: int, verdict: Verdict) -> Verdict:
        """A difference that is shown stays the verdict; else what the margin shows, if anything."""
        if self.margin is None or verdict in ("a better", "b better") or self.undone[place]:
            return verdict
        return claim_of(self.adjusted_a[place] <= self.alpha, self.adjusted_b[place] <= self.alpha) or verdict


def requested_margin(
    margin: object, units: Units, pairwise: str, transform: str | None, recipe: str | None, effect: str, alpha: float
) -> Margin | None:
    """The margin with its unit; it is refused where pairs are tested by ranks or signs alone, but of two values."""
    if margin is None:
        return None
    if recipe is not None:
        raise ParameterError(f"has no place in recipe={recipe!r}; leave out one of the two", parameter="margin")
    number("alpha", alpha, above=0.0, below=0.5)
    limit = margin_of(margin)
    if pairwise not in TESTS and (units.unit == "cluster" or two_values(units.problems) is None):
        rule = (
            f"needs differences of scores, which {PAIRWISE[pairwise].phrase} (the test of pairs here) does not measure"
        )
        raise ParameterError(f"{rule}: choose pairwise='wilcoxon' or 't'", parameter="margin")
    for name, value in (("transform", transform), ("effect", effect if effect in ("percent", "log-ratio") else None)):
        if value is not None and not limit.relative:
            require_ratio(limit.value, f"with {name}={value!r}", f"without {name}=")
    return limit


def margin_claims(
    units: Units,
    family: Family,
    margin: Margin,
    kinds: Sequence[str],
    sizes: PairSizes,
    alpha: float,
    undone: Sequence[bool],
) -> MarginClaims:
    """All pairs against the margin, each by the test of the effect that is shown (``kinds``)."""
    tested_columns = sorted({column for pair in family for column in pair})
    units.problems.require_finite("The test against a margin", tested_columns)
    apart = distance(units.problems, margin)
    measured = by_cluster(margin_scores(units.problems, margin))
    columns = Columns.of(measured)
    by = ["share" if apart is not None else "t" if kind in ("mean", "share") else "wilcoxon" for kind in kinds]
    if apart is None:
        tests = _tested(columns, family, margin.value, by, alpha / len(family))
    else:
        tests = share_tests(measured, family, margin.value, apart)
    each = sizes.each if isinstance(sizes.each, list) else []
    for i, (effect, _, _) in enumerate(each):
        if effect is not None and (estimate := _comparable(effect, margin)) is not None:
            tests[i] = within_margin(tests[i], estimate, margin.value)
    adjusted_a, adjusted_b = adjusted_one_sided(tests)
    cautions = [] if margin.relative else beyond_scores(units.problems, margin.value)
    cautions += claim_cautions(measured, columns, family, by, apart, alpha)
    claims = zip(family, adjusted_a, adjusted_b, by, strict=True)
    shown = [(pair, a <= alpha, b <= alpha) for pair, a, b, test in claims if test == "wilcoxon"]
    cautions += of_skewed(measured, columns, shown, margin.value)
    used = tuple(name for name in ("wilcoxon", "t", "share") if name in by)
    return MarginClaims(
        margin=replace(margin, tests=used),
        tests=tests,
        adjusted_a=adjusted_a,
        adjusted_b=adjusted_b,
        alpha=alpha,
        cautions=tuple(cautions),
        undone=undone,
    )


def _tested(columns: Columns, family: Family, margin: float, by: Sequence[str], error: float) -> list[OneSided]:
    tests: dict[int, OneSided] = {}
    for name in TESTS:
        places = [i for i, test in enumerate(by) if test == name]
        pairs = [family[i] for i in places]
        tests |= zip(places, one_sided_tests(columns, pairs, margin, name, error), strict=True)
    return [tests[i] for i in range(len(family))]


def _comparable(effect: Effect, margin: Margin) -> float | None:
    """The effect in the unit of the margin, if it has the same scale."""
    if effect.scale == "percent" and margin.relative:
        return math.log1p(effect.estimate / 100.0) if effect.estimate > -100.0 else -math.inf
    return effect.estimate if effect.scale == margin.scale else None


def claim_cautions(
    measured: Scores, columns: Columns, family: Family, by: Sequence[str], apart: float | None, alpha: float
) -> list[Caution]:
    """What no scores, or not these, can show of a margin."""
    n, m = measured.n_problems, len(family)
    if apart == 0.0:
        return [caution_of("no-variation", "margin-scores", value=float(measured.values.flat[0]))]
    least = min(least_pvalue(n, test) for test in by)
    if m * least > alpha:
        return [margin_out_of_reach(n, m, least, alpha)]
    names, fewest = measured.algorithms, fewest_at(alpha / m)
    few, equal = [], []
    for (i, j), test in zip(family, by, strict=True):
        if test == "t":
            differences, pair = row_differences(columns, [(i, j)]).row(0), f"{names[i]} – {names[j]}"
            if unit_mean(differences.values, differences.scales).error == 0.0:
                equal.append(pair)
            elif few_differ(from_usual(differences)[1].values, fewest):
                few.append(pair)
    return [
        *([caution_of("no-variation", "margin-differences", names=listing(equal, NAMED))] if equal else []),
        *([caution_of("too-few", "margin-differences", names=listing(few, NAMED), fewest=fewest)] if few else []),
    ]


def adjusted_one_sided(tests: Sequence[OneSided]) -> tuple[list[float], list[float]]:
    """Of "a is worse" and of "b is worse", by pair: step by step times the pairs with a hypothesis that is left."""
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


def of_skewed(
    measured: Scores, columns: Columns, shown: Sequence[tuple[tuple[int, int], bool, bool]], margin: float
) -> list[Caution]:
    """Pairs whose mean difference contradicts what signed ranks show of the typical one, and others that are skewed."""
    claimed = [(pair, a, b) for pair, a, b in shown if a or b]
    if not claimed:
        return []
    ends = np.array([pair for pair, _, _ in claimed], dtype=np.intp).T
    tails = long_tails(measured.values, (ends[0], ends[1]), [one_stratum(np.arange(measured.n_problems))])
    outside, skewed = list[str](), list[str]()
    for ((i, j), a, b), tail in zip(claimed, tails.tolist(), strict=True):
        mean = float(row_differences(columns, [(i, j)]).values[0].mean())
        beyond = (a and mean <= -margin) or (b and mean >= margin)
        if beyond or tail:
            (outside if beyond else skewed).append(f"{measured.algorithms[i]} – {measured.algorithms[j]}")
    codes = (("margin-of-the-median", "", outside), ("skew", "margin", skewed))
    return [caution_of(code, which, names=listing(names, NAMED)) for code, which, names in codes if names]


def margin_out_of_reach(n: int, m: int, least: float, alpha: float) -> Caution:
    over = "" if m == 1 else f", times {m} for as many pairs"
    return caution_of("out-of-reach", "margin", problems=counted(n, "problem"), least=least, over=over, alpha=alpha)
