"""Verdicts on a pair: a is better, the two are practically equivalent, or b is better."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, ParameterError
from bakeoff.ranks.process_cautions import one_process, without_evidence
from bakeoff.scores import Scores
from bakeoff.scores.pair_family import turned_verdict
from bakeoff.wings.bayes.dirichlet.shares import Pair, Triple

STATEMENTS = ("a better", "equivalent", "b better")
EDGE = 0.02  # part of the rope on either side of its edge
MANY_AT_EDGE = 0.05  # part of all differences


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThreeWay:
    """Fields common to all posteriors that compare two algorithms."""

    a: str
    b: str
    p_better: float  # of a; each procedure defines the three outcomes
    p_equivalent: float  # 0 without a rope
    p_worse: float  # posterior probability that b is better
    verdict: str  # one of STATEMENTS | "undecided" | "indeterminate": it depends on the prior | "cannot tell"
    rope: float
    gamma: float
    ties: int  # problems (or runs) without a difference, or with one within the rope
    n_problems: int
    n_dropped: int  # problems dropped when the scores were read
    method: str
    cautions: tuple[Caution, ...]
    n_clusters: int | None = None  # the independent draws, if scores have clusters; otherwise problems are
    certain_bounds: tuple[Pair, Pair, Pair] | None = (
        None  # over priors of one cluster, where no cluster leads the other way or clusters are too few
    )
    """By interval arithmetic; None without."""

    def _turned(self, **others: Any) -> Self:
        """The same pair as b against a; ``others`` are the fields that the procedure has beside these."""
        return replace(
            self,
            a=self.b,
            b=self.a,
            p_better=self.p_worse,
            p_worse=self.p_better,
            verdict=turned_verdict(self.verdict),
            certain_bounds=self.certain_bounds and self.certain_bounds[::-1],
            **others,
        )


T = TypeVar("T", bound=ThreeWay)


def three_way_verdict(p: Triple, gamma: float) -> str:
    """The statement whose probability (better, equivalent, worse) exceeds 1 − gamma, otherwise "undecided".

    If two exceed it (gamma above 1/2), the more probable one.
    """
    top = max(p)
    sure = [statement for statement, share in zip(STATEMENTS, p, strict=True) if share == top]
    return sure[0] if len(sure) == 1 and top > 1.0 - gamma else "undecided"


def verdict_of_bounds(bounds: tuple[Pair, Pair, Pair], gamma: float) -> str:
    """The same from lower and upper probabilities over a set of priors; "indeterminate" if the priors disagree."""
    possible = [s for s, (_, high) in zip(STATEMENTS, bounds, strict=True) if high > 1.0 - gamma]
    certain = [s for s, (low, _) in zip(STATEMENTS, bounds, strict=True) if low > 1.0 - gamma]
    if not possible:
        return "undecided"
    return certain[0] if certain == possible and len(certain) == 1 else "indeterminate"


def lone_sides(scores: Scores, a: int, b: int) -> tuple[Caution, ...]:
    """A caution if one of the two was measured in one process alone."""
    if not without_evidence(scores, [(a, b)])[0]:
        return ()
    caution = one_process(scores.select(algorithms=[a, b]))
    return () if caution is None else (caution,)


def told_verdict(alone: tuple[Caution, ...], verdict: str) -> str:
    """The verdict, where something can be told."""
    return "cannot tell" if alone else verdict


def with_edges(posterior: Callable[[float], T], scores: Scores, a: int, b: int, rope: float) -> T:
    """The posterior with this rope; a caution if many differences lie at the edge of the rope, and one a little

    narrower or wider gives another verdict.
    """
    result = posterior(rope)
    with np.errstate(over="ignore", invalid="ignore"):  # equal infinities are no difference at an edge
        near = np.abs(np.abs(scores.costs[:, a] - scores.costs[:, b]) - rope) <= EDGE * rope
    if rope == 0 or near.mean() < MANY_AT_EDGE:
        return result
    verdicts = {rope: result.verdict}
    for width in ((1 - EDGE) * rope, (1 + EDGE) * rope):
        with suppress(ParameterError):  # narrower than the step of scores on a grid
            verdicts[width] = posterior(width).verdict
    if len(set(verdicts.values())) == 1:
        return result
    listed = ", ".join(f"“{verdicts[width]}” with {width:.4g}" for width in sorted(verdicts))
    decides = caution_of("rope-decides", near=int(near.sum()), n=len(near), verdicts=listed)
    return replace(result, cautions=(*result.cautions, decides))


def all_ties(reference: str) -> Caution:
    return caution_of("nothing-differs", "pair", reference=reference)


def unanimous(decided: int, n: int, reference: str, advice: str = "") -> Caution:
    """``decided``: problems that separate the two, if only those count; 0 if all ``n`` do."""
    which = f"that separates the two algorithms ({decided} of {n})" if decided else f"({n})"
    return caution_of("certainty", "problems", reference=reference, which=which, advice=advice)


def no_cluster_against(n_clusters: int, reference: str, advice: str = "") -> Caution:
    return caution_of("certainty", "clusters", reference=reference, n_clusters=n_clusters, advice=advice)


def few_clusters(n_clusters: int, gamma: float, reference: str, advice: str = "") -> Caution:
    return caution_of(
        "certainty", "out-of-reach", reference=reference, n_clusters=n_clusters, gamma=1 - gamma, advice=advice
    )


def near_the_level(p: Triple, error: float, gamma: float, n_draws: int) -> tuple[Caution, ...]:
    """A caution if a probability from draws is so close to 1 − gamma that other draws could change the verdict."""
    if not abs(max(p) - (1.0 - gamma)) < 4 * error:
        return ()
    return (caution_of("sampled", "largest-probability", error=error, gamma=1 - gamma, n_draws=n_draws),)
