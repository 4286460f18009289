"""Verdicts on a pair, their bounds over priors, and shares on a grid of scores."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Self, TypeVar

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, ParameterError
from bakeoff.paired.differences import directions
from bakeoff.ranks.cautions import one_process, without_evidence
from bakeoff.scores import Scores
from bakeoff.scores.pair_family import Turning
from bakeoff.wings.bayes.dirichlet.shares import Pair, Triple, above_half, largest_shares

# Probabilities of better, equivalent and worse by signs, and how far they depend on where the prior mass lies.


AGAINST = 1.0
"""Strength of the prior that a certainty must survive: one more problem, which may point the other way."""


def sign_probabilities(wins: float, ties: float, losses: float, rope: float) -> Triple:
    """P(better), P(equivalent), P(worse) under Dirichlet(wins, ties, losses)."""
    if rope > 0:
        return largest_shares(wins, ties, losses)
    return above_half(wins, losses), 0.0, above_half(losses, wins)


def prior_bounds(wins: float, ties: float, losses: float, strength: float, rope: float) -> tuple[Pair, Pair, Pair]:
    """Lowest and highest of each probability: all prior mass on one of the three."""
    s = strength
    places = ((s, 0.0, 0.0), (0.0, s, 0.0), (0.0, 0.0, s))
    bounds = [sign_probabilities(wins + g, ties + t, losses + m, rope) for g, t, m in places]
    return ends_of(bounds)


def ends_of(bounds: Iterable[Triple]) -> tuple[Pair, Pair, Pair]:
    """Lowest and highest of each probability."""
    better, equivalent, worse = ((min(each), max(each)) for each in zip(*bounds, strict=True))
    return better, equivalent, worse


def bounds_of_certainty(p: Triple, counts: tuple[float, float, float], rope: float) -> tuple[Pair, Pair, Pair] | None:
    """Bounds where a probability is 1: over all priors as strong as one problem, from wins, ties and losses; else None.

    It is 1 because no problem contradicts it, however few problems there are.
    """
    return prior_bounds(*counts, AGAINST, rope) if max(p) == 1.0 else None


# Scores on a grid (right or wrong, Likert, counts): a rope narrower than its step holds ties and nothing else.


MANY_TIES = 0.1  # share from which ties would carry the verdict; continuous scores hardly tie
FEWEST_PROBLEMS = 5  # fewer show too few distances to tell a grid
ROUNDING = 1e-11
"""Distances that are equal within this part of the largest score are equal: decimals are no binary fractions."""


def refuse_rope_below_grid(scores: Scores, a: int, b: int, rope: float) -> None:
    """Refuse a rope that no difference of these two algorithms but a tie can lie in, if they tie often (not always)."""
    ties = float(np.mean(directions(scores, a, b) == 0))
    if rope == 0 or scores.n_problems < FEWEST_PROBLEMS or not MANY_TIES <= ties < 1:
        return
    step = grid_step(scores, a, b, rope * (1.0 + 1e-9))
    if rope >= step * (1.0 - 1e-9):
        return
    one, other = (repr(scores.algorithms[j]) for j in (a, b))
    raise ParameterError(
        f"must be 0 or at least {step:g}, the grid step of the scores of {one} and {other}; got {rope:g}. Only ties "
        f"({100 * ties:.0f} % of the problems) lie within it, and would count as evidence of equivalence. Average the "
        "scores over problems or clusters, choose a larger rope, or rope=0",
        parameter="rope",
    )


def grid_step(scores: Scores, a: int, b: int, enough: float = 0.0) -> float:
    """The largest number of which all distances between finite scores of the pair are multiples; infinite without any.

    0 if there is none, as for scores that are not rounded; a step of at most ``enough`` need not be the largest.
    """
    values = scores.values[:, [a, b]]
    values = np.unique(values[np.isfinite(values)])
    if len(values) < 2:
        return float("inf")
    smallest = ROUNDING * float(np.abs(values).max())
    with np.errstate(over="ignore"):
        gaps = np.diff(values)
    step = float("inf")
    for gap in np.unique(gaps[gaps > smallest]).tolist():
        step = _common_divisor(gap, step, smallest)
        if step <= enough:
            break
    return step


def _common_divisor(a: float, b: float, smallest: float) -> float:
    """Euclid's algorithm; remainders up to ``smallest`` are rounding. 0: none larger than a few of these."""
    if b == float("inf"):
        return a
    while b > smallest:
        a, b = b, abs(a - round(a / b) * b)
    return a if a > 100.0 * smallest else 0.0


STATEMENTS = ("a better", "equivalent", "b better")
EDGE = 0.02  # part of the rope on either side of its edge
MANY_AT_EDGE = 0.05  # part of all differences


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThreeWay(Turning):
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

    @property
    def shares(self) -> Triple:
        """Probabilities that a is better, that the two are equivalent, that b is better."""
        return self.p_better, self.p_equivalent, self.p_worse

    @property
    def bounds(self) -> tuple[Pair, Pair, Pair] | tuple[None, None, None]:
        """Bounds of the three: over the priors requested, or those of one problem or cluster if none contradicts."""
        names = ("p_better_bounds", "p_equivalent_bounds", "p_worse_bounds")
        better, equivalent, worse = (getattr(self, name, None) for name in names)
        if better is not None:
            return better, equivalent, worse
        bounds, wins, losses = self.certain_bounds, getattr(self, "wins", None), getattr(self, "losses", None)
        by_problems = self.n_clusters in (None, self.n_problems) and self.method != "monte-carlo"
        if bounds is None and by_problems and wins is not None and losses is not None:
            bounds = bounds_of_certainty(self.shares, (wins, self.ties, losses), self.rope)
        return bounds or (None, None, None)

    def _turned(self, **changes: Any) -> Self:
        """The same pair as b against a; ``changes`` are those of fields that a procedure has beside these."""
        changes |= {"p_better": self.p_worse, "p_worse": self.p_better}
        return Turning._turned(self, certain_bounds=self.certain_bounds and self.certain_bounds[::-1], **changes)


def pair_fields(scores: Scores, a: int, b: int, shares: Triple, rope: float, gamma: float) -> dict[str, Any]:
    """The fields that every comparison of two algorithms has."""
    names = {"a": scores.algorithms[a], "b": scores.algorithms[b], "rope": rope, "gamma": gamma}
    return names | dict(zip(("p_better", "p_equivalent", "p_worse"), shares, strict=True))


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


def single_sides(scores: Scores, a: int, b: int) -> tuple[Caution, ...]:
    """A caution if one of the two was measured in one process alone."""
    if not without_evidence(scores, [(a, b)])[0]:
        return ()
    caution = one_process(scores.select(algorithms=[a, b]))
    return () if caution is None else (caution,)


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


def certain_by_clusters(n_clusters: int, agree: bool, gamma: float, reference: str, advice: str = "") -> Caution:
    """``agree``: no cluster is against it; else clusters are too few for any verdict."""
    level: dict[str, Any] = {} if agree else {"gamma": 1 - gamma}
    what = "clusters" if agree else "out-of-reach"
    return caution_of("certainty", what, reference=reference, n_clusters=n_clusters, advice=advice, **level)


def near_the_level(p: Triple, error: float, gamma: float, n_draws: int) -> tuple[Caution, ...]:
    """A caution if a probability from draws is so close to 1 − gamma that other draws could change the verdict."""
    if not abs(max(p) - (1.0 - gamma)) < 4 * error:
        return ()
    return (caution_of("sampled", "largest-probability", error=error, gamma=1 - gamma, n_draws=n_draws),)
