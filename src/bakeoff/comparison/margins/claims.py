"""What compare() claims about a margin: the one-sided tests of all pairs, adjusted as one family, and verdicts.

Each pair has two hypotheses, "a is worse by the margin or more" and "b is", of which at most one is true. Of 2m
hypotheses at most as many can be true as there are pairs with one that is not yet rejected. So Holm's procedure goes
through all 2m p-values, the smallest first, and multiplies each by that number (Shaffer 1986, procedure S2).
"Practically equal" rejects both; its adjusted p is Holm's over the m larger p-values, and "not worse" costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff.comparison.margins.one_sided import TESTS, OneSided, least_pvalue, margin_scores, one_sided_tests
from bakeoff.comparison.results import Verdict
from bakeoff.comparison.verdicts import OF_MARGIN
from bakeoff.errors import Caution, ParameterError, counted, listing
from bakeoff.paired.many_pairs import Columns, row_differences
from bakeoff.posthoc.pairs import PAIRWISE
from bakeoff.scores import Scores
from bakeoff.scores.clusters import by_cluster
from bakeoff.scores.margins import Margin, margin_of
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

    def values(self, place: int) -> dict[str, float | None]:
        """The fields of a pair."""
        if self.margin is None:
            return dict.fromkeys(OF_MARGIN)
        found, a, b = self.tests[place], self.adjusted_a[place], self.adjusted_b[place]
        return dict(zip(OF_MARGIN, (found.equal, found.a, found.b, max(a, b), a, b), strict=True))

    def verdict(self, place: int, verdict: Verdict) -> Verdict:
        """A difference that is shown stays the verdict; else what the margin shows, if anything."""
        if self.margin is None or verdict in ("a better", "b better"):
            return verdict
        return said(self.adjusted_a[place] <= self.alpha, self.adjusted_b[place] <= self.alpha) or verdict


def margin_claims(
    scores: Scores,
    family: Family,
    given: object,
    pairwise: str,
    transform: str | None,
    recipe: str | None,
    alpha: float,
) -> MarginClaims:
    """All pairs against the margin, if there is one; it is refused where pairs are tested by ranks or signs alone."""
    if given is None:
        return MarginClaims()
    if recipe is not None:
        raise ParameterError(f"has no place in recipe={recipe!r}; leave out one of the two", parameter="margin")
    wanted = margin_of(given)
    if pairwise not in TESTS:
        rule = (
            f"needs differences of scores, which {PAIRWISE[pairwise].phrase} (the test of pairs here) does not measure"
        )
        raise ParameterError(f"{rule}: choose pairwise='wilcoxon' or 't'", parameter="margin")
    if transform is not None and not wanted.relative:
        rule = f'must be a percentage with transform={transform!r}, such as "5%"; got {wanted.given}, in score units'
        raise ParameterError(rule, parameter="margin")
    columns = sorted({column for pair in family for column in pair})
    scores.require_finite("The test against a margin", columns)
    measured = by_cluster(margin_scores(scores, wanted, pairwise))
    tests = one_sided_tests(measured, family, wanted.value, pairwise)
    adjusted_a, adjusted_b = adjusted_one_sided(tests)
    n, m = measured.n_problems, len(family)
    cautions: list[Caution] = []
    if m * (least := least_pvalue(n, pairwise)) > alpha:
        cautions.append(margin_out_of_reach(n, m, least, alpha))
    elif pairwise == "wilcoxon":
        shown = [(pair, a <= alpha, b <= alpha) for pair, a, b in zip(family, adjusted_a, adjusted_b, strict=True)]
        cautions += mean_outside(measured, shown, wanted)
    return MarginClaims(
        margin=wanted, tests=tests, adjusted_a=adjusted_a, adjusted_b=adjusted_b, alpha=alpha, cautions=tuple(cautions)
    )


def adjusted_one_sided(tests: Sequence[OneSided]) -> tuple[list[float], list[float]]:
    """Of "a is worse" and of "b is worse", by pair: step by step times the pairs with a hypothesis that is left."""
    m = len(tests)
    raw = np.array([[found.a, found.b] for found in tests]).ravel()
    adjusted, left, pairs, highest = [0.0] * (2 * m), [2] * m, m, 0.0
    for place in np.argsort(raw, kind="stable").tolist():
        highest = max(highest, min(1.0, pairs * float(raw[place])))
        adjusted[place] = highest
        left[place // 2] -= 1
        pairs -= left[place // 2] == 0
    return adjusted[::2], adjusted[1::2]


def said(a_not_worse: bool, b_not_worse: bool) -> Any:
    """The verdict about a margin, None if nothing is shown."""
    if a_not_worse and b_not_worse:
        return "practically equal"
    return "a not worse" if a_not_worse else "b not worse" if b_not_worse else None


def mean_outside(
    measured: Scores, shown: Sequence[tuple[tuple[int, int], bool, bool]], margin: Margin
) -> tuple[Caution, ...]:
    """Pairs whose mean difference contradicts what signed ranks show of their median: differences are skewed."""
    claimed = [(pair, a, b) for pair, a, b in shown if a or b]
    if not claimed:
        return ()
    columns = Columns.of(measured)
    found = []
    for (i, j), a, b in claimed:
        mean = float(row_differences(columns, [(i, j)]).values[0].mean())
        if (a and mean <= -margin.value) or (b and mean >= margin.value):
            found.append(f"{measured.algorithms[i]} – {measured.algorithms[j]}")
    if not found:
        return ()
    text = (
        f"The mean difference lies at the margin or beyond it although the test of its median claims otherwise: "
        f"{listing(found, NAMED)}. On a few problems the difference is large: signed ranks then say nothing about the "
        "mean."
    )
    return (Caution(code="margin-of-the-median", text=text, reference=REFERENCE),)


def margin_out_of_reach(n: int, m: int, least: float, alpha: float) -> Caution:
    over = "" if m == 1 else f", times {m} for as many pairs"
    return Caution(
        code="margin-out-of-reach",
        text=f"With {counted(n, 'problem')} the smallest p-value of a test against a margin is {least:.3g}{over}; α = "
        f"{alpha:g} is below that: no scores could have shown two algorithms to be equal, or one not worse.",
        reference=REFERENCE,
    )
