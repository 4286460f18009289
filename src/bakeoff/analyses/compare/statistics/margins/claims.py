"""The claims of compare() about a margin: the one-sided tests of all pairs, adjusted as one family, and verdicts.

Each pair has two hypotheses, "a is worse by the margin or more" and "b is", of which at most one is true. Of 2m
hypotheses at most as many can be true as there are pairs with one that is not yet rejected. So Holm's procedure goes
through all 2m p-values, the smallest first, and multiplies each by that number (Shaffer 1986, procedure S2).
"Practically equal" rejects both; its adjusted p is Holm's over the m larger p-values, and "not worse" costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from bakeoff.analyses.compare.statistics.effect_choice import kinds_of
from bakeoff.analyses.compare.statistics.margins.one_sided import (
    NOTHING,
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
from bakeoff.analyses.compare.statistics.units import SharedRows, Units
from bakeoff.analyses.compare.statistics.verdicts import DECIDED, DEPENDS, OF_MARGIN
from bakeoff.cautions import caution_of
from bakeoff.checks import number
from bakeoff.dataclass import dataclass, replace
from bakeoff.effects.tied_means import few_differ, fewest_at, from_usual
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.means.assumptions import long_tails
from bakeoff.means.strata import one_stratum
from bakeoff.means.unit_mean import unit_mean
from bakeoff.paired.many_pairs import Columns, row_differences
from bakeoff.posthoc.pairs import PAIR_TESTS
from bakeoff.ranks.measured_scores import margin_scores
from bakeoff.scores import Array, Scores
from bakeoff.scores.contents import two_values
from bakeoff.scores.margins import Margin, beyond_scores, margin_of, require_ratio
from bakeoff.scores.pair_family import Family

if TYPE_CHECKING:
    from bakeoff.analyses.compare.statistics.state import Comparing, Request

REFERENCE = "Schuirmann (1987), J. Pharmacokinet. Biopharm. 15, 657–680"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Against:
    """Pairs on the same problems against a margin, each by a test of its own: "wilcoxon", "t" or, of two values,
    "share"."""

    measured: Scores
    columns: Columns  # of the same
    family: Family
    places: Sequence[int]  # of these pairs in the family of the table
    by: Sequence[str]
    apart: float | None  # the distance of two values
    free: int = 0  # problems beside these on which a score may be anything
    lost: tuple[int, int] = (0, 0)  # of these, in a table of two values, those that a may lose, and b

    def tests(self, margin: float, error: float, estimates: Sequence[float | None]) -> list[OneSided]:
        """The evidence of each pair, and none on a side where its estimate lies at the margin or beyond; ``error``: the
        level of each test, if it is one of many."""
        by_place: dict[int, OneSided] = {}
        if self.apart is not None:
            by_place = dict(
                enumerate(share_tests(self.measured, self.family, margin, self.apart, self.free, self.lost))
            )
        for name in TESTS:
            places = [i for i, test in enumerate(self.by) if test == name]
            pairs = [self.family[i] for i in places]
            tests = one_sided_tests(self.columns, pairs, margin, name, error, self.free)
            by_place |= zip(places, tests, strict=True)
        for i, estimate in enumerate(estimates):
            if estimate is not None:
                by_place[i] = within_margin(by_place[i], estimate, margin)
        return [by_place[i] for i in range(len(self.family))]

    def without_variation(self, fewest: int) -> Iterator[tuple[str, str]]:
        """Pairs whose mean difference has no error ("equal"), and others of which too few problems differ ("few")."""
        for pair in (pair for pair, test in zip(self.family, self.by, strict=True) if test == "t" and not self.free):
            differences = row_differences(self.columns, [pair]).row(0)
            if unit_mean(differences.values, differences.scales).error == 0.0:
                yield "equal", self.name(pair)
            elif few_differ(from_usual(differences)[1].values, fewest):
                yield "few", self.name(pair)

    def skewed(self, margin: float, shown: Sequence[tuple[bool, bool]]) -> Iterator[tuple[str, str]]:
        """Pairs whose mean difference contradicts what signed ranks have ``shown`` of the typical one, a or b not to be
        worse ("beyond"), and others that are skewed."""
        sides = zip(self.family, shown, self.by, strict=True)
        claimed = [(pair, one) for pair, one, test in sides if test == "wilcoxon" and any(one)]
        if not claimed:
            return
        a, b = np.array([pair for pair, _ in claimed], dtype=np.intp).T
        tails = long_tails(self.measured.values, (a, b), [one_stratum(np.arange(self.measured.n_problems))])
        for (pair, (a_shown, b_shown)), tail in zip(claimed, tails.tolist(), strict=True):
            mean = float(row_differences(self.columns, [pair]).values[0].mean())
            beyond = (a_shown and mean <= -margin) or (b_shown and mean >= margin)
            if beyond or tail:
                yield "beyond" if beyond else "skewed", self.name(pair)

    def name(self, pair: tuple[int, int]) -> str:
        """``A – B``."""
        return " – ".join(self.measured.algorithms[j] for j in pair)


def margin_doubts(parts: Sequence[Against], m: int, alpha: float) -> list[Caution]:
    """Cautions about what no scores, or not these, can show of a margin; ``m``: pairs in all."""
    if parts and parts[0].apart == 0.0:
        return [caution_of("no-variation", "margin-scores", value=float(parts[0].measured.values.flat[0]))]
    sizes = [part.measured.n_problems + part.free for part in parts]
    least = min(
        (least_pvalue(n, test) for part, n in zip(parts, sizes, strict=True) for test in set(part.by)), default=1
    )
    if m * least > alpha:
        over = "" if m == 1 else f", times {m} for as many pairs"
        problems = counted(max(sizes, default=0), "problem")
        return [caution_of("out-of-reach", "margin", problems=problems, least=least, over=over, alpha=alpha)]
    fewest = fewest_at(alpha / m)
    named = [one for part in parts for one in part.without_variation(fewest)]
    return [
        *of_pairs("no-variation", "margin-differences", [name for kind, name in named if kind == "equal"]),
        *of_pairs("too-few", "margin-differences", [name for kind, name in named if kind == "few"], fewest=fewest),
    ]


def skew_cautions(
    parts: Sequence[Against], margin: float, p_a: Sequence[float], p_b: Sequence[float], alpha: float
) -> list[Caution]:
    """Cautions about claims of the typical difference that the mean contradicts, or where differences are skewed."""
    shown = ([(p_a[i] <= alpha, p_b[i] <= alpha) for i in part.places] for part in parts)
    named = [one for part, sides in zip(parts, shown, strict=True) for one in part.skewed(margin, sides)]
    return [
        *of_pairs("margin-of-the-median", "", [name for kind, name in named if kind == "beyond"]),
        *of_pairs("skew", "margin", [name for kind, name in named if kind == "skewed"]),
    ]


def requested_margin(request: Request, units: Units, pairwise: str) -> Margin | None:
    """The margin with its unit; it is refused where pairs are tested by ranks or signs alone, but of two values."""
    if request.margin is None:
        return None
    if request.recipe is not None:
        raise ParameterError(f"has no place in recipe={request.recipe!r}; leave out one of the two", parameter="margin")
    number("alpha", request.alpha, above=0.0, below=0.5)
    limit = margin_of(request.margin)
    means = pairwise in TESTS or units.depend
    if not means and (units.unit == "cluster" or two_values(units.problems) is None):
        phrase = PAIR_TESTS[pairwise].phrase
        rule = f"needs differences of scores, which {phrase} (the test of pairs here) does not measure"
        raise ParameterError(f"{rule}: choose pairwise='wilcoxon' or 't'", parameter="margin")
    effect = request.effect if request.effect in ("percent", "log-ratio") else None
    if request.transform == "minmax":
        rule = "is in the unit of the scores, which normalised ones have not; leave out transform='minmax'"
        raise ParameterError(rule, parameter="margin")
    for name, value in (("transform", request.transform), ("effect", effect)):
        if value is not None and not limit.relative:
            require_ratio(limit.value, f"with {name}={value!r}", f"without {name}=")
    return limit


def add_margins(c: Comparing) -> None:
    """Test each pair against the margin, by the test of the effect that is shown, or would be in score units."""
    c.of_margin, c.margin_cautions = {}, []
    if c.margin is None:
        return
    margin, alpha, m, problems = c.margin, c.request.alpha, len(c.family), c.units.problems
    cautions = [] if margin.relative else beyond_scores(problems, margin.value)
    apart = distance(c.units.unit != "problem", two_values(problems), margin)
    effects = [effect for effect, _, _ in c.sizes.each] if isinstance(c.sizes.each, list) else [None] * m
    parts = [_against(c, one, margin, apart, effects) for one in c.rows if one.units is not None]
    tests = [NOTHING] * m
    for part in parts:
        known = (effects[i] for i in part.places)
        estimates = [None if effect is None else _comparable(effect, margin) for effect in known]
        for i, test in zip(part.places, part.tests(margin.value, alpha / m, estimates), strict=True):
            tests[i] = test
    a, b = adjusted_one_sided(tests)
    raw = ([test.equal for test in tests], [test.a for test in tests], [test.b for test in tests])
    used = {test for part in parts for test in part.by}
    c.margin = replace(margin, tests=tuple(name for name in ("wilcoxon", "t", "share") if name in used))
    c.of_margin = dict(zip(OF_MARGIN, (*raw, [*map(max, a, b)], a, b), strict=True))
    c.margin_cautions = [*cautions, *margin_doubts(parts, m, alpha), *skew_cautions(parts, margin.value, a, b, alpha)]
    for i, verdict in enumerate(c.verdicts):
        if verdict not in DECIDED and not c.undone[i]:  # a difference that is shown stays the verdict
            claim = claim_of(a[i] <= alpha, b[i] <= alpha)
            withheld = claim is not None and c.gathers and c.rows[i].n_missing > 0
            c.verdicts[i] = DEPENDS if withheld else claim or verdict


def _against(
    c: Comparing, rows: SharedRows, margin: Margin, apart: float | None, effects: Sequence[Effect | None]
) -> Against:
    """The pairs on these rows; with ``missing="bounds"`` each other problem is the worst for the claim."""
    units, places = cast(Units, rows.units), rows.places
    two = None if units.depend else two_values(units.measured)
    ties = [int(c.sizes.ties[i]) for i in places]
    kinds = kinds_of(units.measured.values, two, rows.family, [c.effects_by[i] for i in places], ties, "difference")
    shown = [effect.kind for effect in (effects[i] for i in places) if effect is not None and effect.kind != "a12"]
    columns = sorted({column for pair in rows.family for column in pair})
    units.problems.require_finite("The test against a margin", columns)
    measured = units.independent(margin_scores(units.problems, margin))
    return Against(
        measured=measured,
        columns=Columns.of(measured),
        family=rows.family,
        places=places,
        by=[
            "share" if apart is not None else "t" if kind in ("mean", "share") else "wilcoxon"
            for kind in (shown if len(shown) == len(kinds) else kinds)
        ],
        apart=apart,
        free=rows.n_missing if c.bounded else 0,
        lost=_may_be_lost(c.units.problems.costs, c.family[places[0]]) if c.bounded and apart else (0, 0),
    )


def _may_be_lost(costs: Array, pair: tuple[int, int]) -> tuple[int, int]:
    """In a table of two values the problems with a missing score that the first may lose, and the second."""
    two = costs[:, pair][np.isnan(costs[:, pair]).any(axis=1)]
    best, worst = (np.where(np.isnan(two), end(costs), two) for end in (np.nanmin, np.nanmax))
    return int(np.sum(worst[:, 0] > best[:, 1])), int(np.sum(worst[:, 1] > best[:, 0]))


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
