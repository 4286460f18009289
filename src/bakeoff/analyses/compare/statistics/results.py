"""The results of compare(): values only; rendering lives in the report."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from bakeoff.analyses.compare.statistics.reach import correction_level, detectable_effect
from bakeoff.analyses.compare.statistics.verdicts import DECIDED, PairBounds, Verdict as Verdict
from bakeoff.dataclass import dataclass, field, fields, replace
from bakeoff.effects.tied_means import many_ties
from bakeoff.errors import Caution
from bakeoff.means.folds import fold_table
from bakeoff.omnibus.result import OmnibusResult
from bakeoff.paired import PAIRED
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores
from bakeoff.scores.cells import column_means
from bakeoff.scores.clusters import by_cluster, cluster_names
from bakeoff.scores.contents import complete_rows, two_values
from bakeoff.scores.margins import Margin
from bakeoff.scores.pair_family import Adjusted, WithPairs, decision_of_pairs, turned_on_scale

EffectScale = Literal["difference", "percent", "log-ratio", "a12"]
EffectKind = Literal["hodges-lehmann", "mean", "median", "share", "a12"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The size by which a is better than b, with a confidence interval of its own.

    Attributes
    ----------
    estimate : float
        Positive when a is better; on the scale "a12" above 1/2.
    low, high : float
        The interval of this effect by itself; ``Pair.interval`` covers all pairs at once.
    confidence_level : float
        Of that interval: 1 − alpha, or less where few problems cannot give more (a caution says so).
    kind : str
        "hodges-lehmann", "mean" or "median" of the differences, difference of "share"s of 1, or "a12".
    scale : str
        "difference" (in score units), "percent", "log-ratio" or "a12".
    """

    estimate: float
    low: float
    high: float
    confidence_level: float
    kind: EffectKind = "hodges-lehmann"
    scale: EffectScale = "difference"

    @property
    def turned(self) -> "Effect":
        """The same of b against a."""
        low, high = turned_on_scale(self.scale, self.low, self.high)
        return replace(self, estimate=turned_on_scale(self.scale, self.estimate, self.estimate)[0], low=low, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """The interval of a pair's effect: simultaneous over the family, unless single ones were asked for. A stepwise
    correction may declare a difference where the interval holds none.

    Attributes
    ----------
    low, high : float
        Positive when a is better, in the unit of ``scale``.
    confidence_level : float
        Of all intervals at once; of each by itself with ``intervals="single"``.
    each_level : float
        Of this one by itself.
    at_verdict : bool
        Widened to no difference, because the verdict shows none.
    scale : str
        As ``Effect.scale``.
    """

    low: float  # low end, positive when a is better, in the unit of scale
    high: float  # high end, positive when a is better, in the unit of scale
    confidence_level: float
    each_level: float
    at_verdict: bool = False
    scale: EffectScale = "difference"

    @property
    def turned(self) -> "Interval":
        """The same of b against a."""
        low, high = turned_on_scale(self.scale, self.low, self.high)
        return replace(self, low=low, high=high)


Size = tuple[Effect | None, Interval | None, float | None]  # with the rank-biserial correlation


class _InColumns:
    """A row of columns, which reads a field there when it is asked for the first time."""

    __slots__ = ("_columns", "_place")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair(Adjusted, _InColumns):
    """One hypothesis "a and b do not differ": evidence, decision, and size of the difference.

    Attributes
    ----------
    a, b : str
        The two algorithms.
    statistic : float
        z = (R_b − R_a)/SE for tests on ranks, positive where a is better; else the test's own statistic.
    pvalue, log_pvalue : float
        Two-sided, not adjusted; its natural logarithm.
    adjusted : mapping of str to float
        Adjusted p-value by correction, the deciding one first.
    verdict : str
        "a better", "b better", "no difference shown", "cannot tell", "depends on the missing scores"; with a margin,
        instead of "no difference shown" and "cannot tell", also "practically equal", "a not worse" or "b not worse".
    effect : Effect or None
        How much better a is; None where the scores define no difference.
    interval : Interval or None
        Of the effect, simultaneous over all pairs.
    p_equal, p_a_not_worse, p_b_not_worse : float or None
        With a margin: of "they differ by the margin or more", and one-sided of "a (b) is worse by the margin or more".
    adjusted_equal, adjusted_a_not_worse, adjusted_b_not_worse : float or None
        The same, adjusted by Holm's procedure over the pairs: a family beside that of ``adjusted``.
    wins, ties, losses : int
        Problems where a is better, where neither is, where b is.
    rank_biserial : float or None
        Matched-pairs rank-biserial correlation, positive where a is better.
    test : str
        As ``Comparison.pairwise``, or "sign" where a difference is undefined.
    bounds : PairBounds or None
        With ``missing="bounds"``: p-values over all completions; ``pvalue`` and ``adjusted`` are the largest.
    """

    a: str
    b: str
    statistic: float
    pvalue: float
    log_pvalue: float
    adjusted: Mapping[str, float]
    verdict: Verdict
    effect: Effect | None
    wins: int  # problems where a is better
    ties: int  # problems where neither is better
    losses: int  # problems where b is better
    rank_biserial: float | None
    test: str = ""
    interval: Interval | None = None
    bounds: PairBounds | None = None
    p_equal: float | None = None  # with a margin: of "they differ by the margin or more"
    p_a_not_worse: float | None = None  # with a margin, one-sided: of "a is worse by the margin or more"
    p_b_not_worse: float | None = None  # with a margin, one-sided: of "b is worse by the margin or more"
    adjusted_equal: float | None = None  # p_equal, adjusted by Holm over the pairs: a family beside that of adjusted
    adjusted_a_not_worse: float | None = None  # p_a_not_worse, adjusted by Holm over the pairs
    adjusted_b_not_worse: float | None = None  # p_b_not_worse, adjusted by Holm over the pairs

    @property
    def n_problems(self) -> int:
        """On which both have a score."""
        return self.wins + self.ties + self.losses

    @property
    def turned(self) -> "Pair":
        """The same pair as b against a."""
        symbol = PAIRED[self.test].symbol if self.test in PAIRED else ""
        statistic = -self.statistic + 0.0
        if symbol == "wins":  # of a, with its half of the ties
            statistic = self.statistic - self.wins + self.losses
        elif symbol.startswith("min("):
            statistic = self.statistic
        return self._turned(
            statistic=statistic,
            effect=self.effect and self.effect.turned,
            rank_biserial=None if self.rank_biserial is None else -self.rank_biserial + 0.0,
            interval=self.interval and self.interval.turned,
            p_a_not_worse=self.p_b_not_worse,
            p_b_not_worse=self.p_a_not_worse,
            adjusted_a_not_worse=self.adjusted_b_not_worse,
            adjusted_b_not_worse=self.adjusted_a_not_worse,
        )

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Called for a field that is not there yet."""
            columns = getattr(self, "_columns", None) if name in _FIELDS else None
            if columns is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            for field_name, value in columns.values(name, self._place).items():
                object.__setattr__(self, field_name, value)
            return object.__getattribute__(self, name)


SIZES = ("effect", "interval", "rank_biserial")
_FIELDS = frozenset(one.name for one in fields(Pair))


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something compare() decided, and why; nothing is chosen silently.

    Attributes
    ----------
    parameter : str
        Of ``bo.compare``, or what it stands for.
    value, reason : str
        What was chosen, and why.
    """

    parameter: str
    value: str  # what was chosen
    reason: str  # why it was chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a recipe as it was carried out.

    Attributes
    ----------
    name, title : str
        Of the step.
    outcome : str
        One sentence with the numbers.
    passed : bool or None
        Of a gate: whether the recipe goes on; None where nothing is decided.
    result : object
        Of the test behind the step, or None.
    table : dict of {str: tuple} or None
        What the paper prints of the step, a column per key and a row per algorithm: mean ranks, z and p-values against
        the control, each correction; or the counts of the multiple sign test.
    """

    name: str  # name of the step, for scripts
    title: str  # heading of the step, for readers
    outcome: str
    passed: bool | None = None
    result: object = None
    table: dict[str, tuple[str | float | bool | None, ...]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # arrays inside: == would be ambiguous
class Comparison(WithPairs[Pair], Reportable):
    """The result of ``bo.compare``: ``print`` it, ``save`` it (.html .md .tex .json .xlsx .csv .svg .png .pdf), read:

    Attributes
    ----------
    pairs : tuple of Pair
        Evidence, decision and effect of each pair; ``pair(a, b)`` finds one by its names. ``to_frame()`` has a row for
        each: ``effect_low`` and ``effect_high`` end the interval of that pair by itself, ``interval_low`` and
        ``interval_high`` the interval that holds for all pairs at once, which belongs to the verdicts.
    groups : tuple of tuple of str
        Largest sets not shown to differ, best first; empty with a control.
    ranks : dict of str to float
        Mean rank by name, best (lowest) first.
    mean_ranks, means : ndarray (n_algorithms,)
        Mean ranks and mean scores, in the order of ``scores.algorithms``.
    ranking : str
        Which ranks: "friedman" (within problems), "aligned" or "quade".
    omnibus, companion : result
        Of the test of all algorithms: ``.name .statistic .df .pvalue``; Friedman's test beside Iman–Davenport's.
    kendall_w, critical_difference : float or None
        Agreement of the problems on the ranks; CD in mean ranks, where the correction has one.
    contrasts : ndarray (n_algorithms, n_algorithms) or None
        Contrast estimation, in score units: row minus column.
    pairwise, standard_error : str
        The test of pairs: "wilcoxon", "sign", "t", "mean-ranks", …; of ranks also "permutation" or "papers".
    primary, posthoc : str, tuple of str
        The correction that decides, and all that were computed, the deciding one first.
    alpha, control, recipe, transform, effect, intervals
        As asked for; ``effect`` is the scale of the effects.
    margin, unit : Margin or None, str
        The smallest difference that matters (``.value``, ``.scale``, ``.given``); what a row is (``.rows``):
        "problem", "cluster", "fold" or "row".
    steps, choices : tuple of Step, tuple of Choice
        Steps of the recipe; what was decided, and why.
    cautions : tuple of Caution
        What a reader must know before quoting the result.
    scores, request, added : Scores, mapping, tuple of Caution
        What was compared, the arguments as given, and those of ``cautions`` that the table does not explain.
    missing : str
        "": a complete table. "common": pairs on the problems that both have. "bounds": over all completions.
    """

    kind: ClassVar[str] = "compare"
    scores: Scores
    alpha: float
    control: str | None
    recipe: str | None  # the paper whose protocol was followed, or None
    omnibus: OmnibusResult  # the test of all algorithms at once
    companion: OmnibusResult | None  # Friedman's test beside Iman and Davenport's; None without
    ranking: str
    mean_ranks: Array  # by algorithm; 1 is best. None: it has no scores
    pairwise: str  # The test of pairs: wilcoxon, sign, t, mean-ranks, …
    posthoc: tuple[str, ...]  # all corrections that were computed, the deciding one first
    primary: str  # the correction that decides
    pairs: tuple[Pair, ...]  # evidence, decision and effect of each pair
    groups: tuple[tuple[str, ...], ...]  # largest sets not shown to differ, best first; empty with a control
    standard_error: str | None = None  # of tests on ranks: permutation or papers; None for other tests
    transform: str | None = None  # of the scores before the tests, or None
    effect: EffectScale = "difference"  # scale of the effects: difference, percent, log-ratio or a12
    intervals: str = "simultaneous"  # "simultaneous" over all pairs, or "single"
    margin: Margin | None = None
    unit: str = "problem"  # of the tests: "problem" or "cluster"; "fold" of one data set, "row" in time
    critical_difference: float | None
    contrasts: Array | None
    kendall_w: float | None
    steps: tuple[Step, ...]
    choices: tuple[Choice, ...]
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()
    request: Mapping[str, object] = field(default_factory=dict)  # compare(scores, **request)
    missing: str = ""  # | "common" | "bounds"

    @property
    def ranks(self) -> dict[str, float]:
        """{algorithm: mean rank}, best first; equal ones stay in column order."""
        order = np.argsort(self.mean_ranks, kind="stable").tolist()
        return {self.scores.algorithms[i]: float(self.mean_ranks[i]) for i in order}

    @property
    def by_means(self) -> bool:
        """Are means ordered and shown, as they are tested: of folds, and of rows in time?"""
        return self.unit in ("fold", "row")

    @property
    def standing(self) -> Array:
        """(k,) what orders the algorithms, the lowest first: mean ranks; where means are tested, their costs."""
        if not self.by_means:
            return self.mean_ranks
        return self.means if self.scores.better == "lower" else -self.means

    @property
    def some_differ(self) -> bool:
        """Does the omnibus test reject where no pair is declared different? One process a side is no evidence, nor is
        a test that takes scores to be missing at random where they may have any value."""
        if len(self.pairs) == 1 or self.missing == "bounds" or any(pair.verdict in DECIDED for pair in self.pairs):
            return False
        return self.omnibus.pvalue <= self.alpha and all(one.code != "one-process" for one in self.cautions)

    @property
    def decision(self) -> str | None:
        """A recipe's gate that rejects is a decision, too: some of the algorithms differ."""
        if self.recipe is not None and self.some_differ:
            return "difference"
        return decision_of_pairs(pair.verdict for pair in self.pairs)

    @property
    def level(self) -> float | None:
        """At which a single pair is surely declared different: alpha/m; None where the correction has no such level."""
        return None if self.recipe is not None else correction_level(self.primary, self.alpha, len(self.pairs))

    @property
    def detectable(self) -> float | None:
        """The effect d found with power 0.8 at ``level``: mean over s.d. of a pair's normal differences; None: none, as
        of scores of two values, or where many differences of a pair are 0."""
        level = None if self.missing or self.by_means else self.level  # as many units for all pairs
        if level is None or two_values(self.rows) or any(many_ties(pair.ties, self.n_rows) for pair in self.pairs):
            return None
        return detectable_effect(self.pairwise, self.n_rows, level)

    @property
    def means(self) -> Array:
        """(k,) mean scores over ``rows`` with all scores; infinite or NaN where infinite scores leave none."""
        return column_means(complete_rows(self.rows))

    @property
    def rows(self) -> Scores:
        """The scores of each problem or fold, or the means of those of each cluster."""
        if self.unit == "fold":
            return fold_table(self.scores)
        return by_cluster(self.scores) if self.unit == "cluster" else self.scores

    @property
    def n_rows(self) -> int:
        """Problems, or clusters or folds where these are the unit."""
        if self.unit == "fold":
            return int(self.scores.n_runs.max())
        return len(cluster_names(self.scores)) if self.unit == "cluster" else self.scores.n_problems
