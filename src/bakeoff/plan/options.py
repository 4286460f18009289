"""The options of a plan, checked: which test, how many comparisons, at which levels, and which power is meant."""

import math
from typing import Any, Literal, cast

import numpy as np

from bakeoff.checks import choice, integer, number, probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, ParameterError, TooLargeError, counted
from bakeoff.plan.margins import MarginPlan, margin_plan
from bakeoff.plan.pilots import COMPARISONS, Comparisons
from bakeoff.plan.power_models import EQUAL_MODELS, POWER_MODELS
from bakeoff.plan.power_models.base import Aim, Effect, PowerModel, Size
from bakeoff.randomness import root
from bakeoff.scores import Array

Alternative = Literal["two-sided", "greater", "less", "one-sided"]
TestName = Literal["t", "wilcoxon", "sign", "friedman"]
Method = Literal["exact", "simulation", "exact-variance", "noether", "are", "chi2"]
Target = Literal["worst", "mean", "median"]
ALTERNATIVES = ("two-sided", "greater", "less", "one-sided")
TARGETS = ("worst", "mean", "median")
LARGEST_EFFECT = 1e50
SMALLEST_ALPHA = 1e-100
MOST_ALGORITHMS = 100
MOST_PROBLEMS = 10**15


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterPlan:
    """Problems come in clusters; the test takes the mean over each as a row."""

    size: float  # mean number of problems in a cluster
    icc: float  # intraclass correlation of the differences
    cv: float  # coefficient of variation of the sizes

    @property
    def design_effect(self) -> float:
        """1 + (m̄(1 + cv²) − 1) ICC: n problems tell as much as n over that many independent ones."""
        return 1.0 + (self.size * (1.0 + self.cv**2) - 1.0) * self.icc

    @property
    def variance(self) -> float:
        """The variance of a cluster's mean over a problem's: max(design effect/m̄, ICC + (1 − ICC)(1 + cv²)/m̄).

        The first is that of means weighted by size, the second of means that count the same, with E(1/m) to second
        order; they are equal where clusters have one size.
        """
        alike = self.icc + (1.0 - self.icc) * (1.0 + self.cv**2) / self.size
        return max(self.design_effect / self.size, alike)

    def described(self, n: int) -> str:
        """``35 clusters of 10 problems on average (intraclass correlation 0.5, worth 63.6 independent problems)``."""
        worth = n / self.variance
        size = f"{self.size:g} problems" + (" on average" if self.cv else "")
        text = f"intraclass correlation {self.icc:g}; worth {worth:.4g} independent problems"
        return f"{counted(n, 'cluster')} of {size} ({text})"


def cluster_plan(cluster_size: float | None, icc: float | None, cluster_cv: float) -> ClusterPlan | None:
    if cluster_size is None or icc is None:
        if cluster_size is not None or icc is not None or cluster_cv:
            missing = "icc" if icc is None else "cluster_size"
            raise ParameterError(
                "is missing: clusters are planned from cluster_size=, the mean number of problems in one, and icc=, "
                "the intraclass correlation of the differences (0: independent; 1: all equal)",
                parameter=missing,
            )
        return None
    size = number("cluster_size", cluster_size, least=1.0, most=1e9)
    return ClusterPlan(
        size=size, icc=number("icc", icc, least=0.0, most=1.0), cv=number("cluster_cv", cluster_cv, least=0.0, most=1e3)
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # arrays beside it: == would be ambiguous
class Setting:
    """The part of its question that every answer repeats."""

    wanted_power: float
    alpha: float
    alternative: str
    test: str
    method: str  # the one actually used
    n_algorithms: int
    comparisons: str
    n_comparisons: int
    target: str
    cautions: tuple[Caution, ...]
    cluster_size: float | None = None  # mean number of problems in a cluster; numbers then count clusters
    icc: float | None = None
    cluster_cv: float | None = None
    margin: float | None = None  # in standard deviations of the differences
    claim: str | None = None  # "equal" or "not-worse": what is to be shown of the margin


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDesign:
    """All but n, effect size, power and alpha."""

    test: str
    method: str  # the one asked for, or the test's default
    alternative: str
    n_algorithms: int
    comparisons: Comparisons
    target: Target
    model: PowerModel
    clusters: ClusterPlan | None
    margin: MarginPlan | None = None

    def setting(self, alpha: float) -> dict[str, Any]:
        """The fields of an answer's ``Setting`` that follow from the design."""
        same = ("test", "n_algorithms", "comparisons", "n_comparisons", "target")
        setting: dict[str, Any] = {name: getattr(self, name) for name in same}
        setting |= {"alpha": alpha, "alternative": self.alternative if self.margin is None else "one-sided"}
        if (c := self.clusters) is not None:
            setting |= {"cluster_size": c.size, "icc": c.icc, "cluster_cv": c.cv}
        if self.margin is not None:
            setting |= {"margin": self.margin.value, "claim": self.margin.claim}
        return setting

    @property
    def unit(self) -> str:
        return "problem" if self.clusters is None else "cluster"

    @property
    def scale(self) -> float:
        """The factor of an effect: the standard deviation of a problem's difference over that of a row's."""
        return 1.0 if self.clusters is None else self.clusters.variance**-0.5

    @property
    def two_tests(self) -> bool:
        """Whether one test looks below a margin and another one above it."""
        return self.margin is not None and self.margin.claim == "equal"

    def who(self, n: int) -> str:
        return counted(n, "problem") if self.clusters is None else self.clusters.described(n)

    @property
    def one_sided(self) -> bool:
        return self.margin is not None or self.alternative != "two-sided"

    @property
    def n_comparisons(self) -> int:
        """K = k(k − 1)/2 for all pairs, k − 1 with a control; one omnibus test."""
        k = self.n_algorithms
        return 1 if self.test == "friedman" else k - 1 if self.comparisons == "control" else k * (k - 1) // 2

    def levels(self, alpha: float) -> Array:
        return holm_levels(alpha, self.n_comparisons)

    def aim(self, alpha: float, wanted_power: float) -> Aim:
        """Only the levels that the target looks at; their mean power is what it asks for.

        "worst" is Bonferroni's level. The power rises with the level, so the median of the profile is the power at the
        middle level, or the mean of the two in the middle; the paper's own program takes α/(K − ⌊K/2⌋ + 1) instead.
        """
        levels, count = self.levels(alpha), self.n_comparisons
        middle = slice((count - 1) // 2, count // 2 + 1)
        chosen = {"worst": levels[:1], "mean": levels, "median": levels[middle]}[self.target]
        return Aim(levels=chosen, wanted_power=wanted_power, one_sided=self.one_sided)

    def towards(self, effect: Effect) -> Effect:
        """The effect as the models take it: positive is what a one-sided test looks for."""
        if self.margin is not None:  # of the test that one is not worse: the distance from the margin
            assert isinstance(effect, float)
            return (abs(effect) if self.margin.claim == "equal" else self.margin.reach(effect)) * self.scale
        scaled = effect * self.scale
        if not isinstance(scaled, float):
            return scaled
        if self.alternative in ("two-sided", "one-sided"):
            return abs(scaled)
        return -scaled if self.alternative == "less" else scaled

    def size(self, effect: Effect, aim: Aim) -> Size:
        """The number of problems."""
        try:
            return self.model.size(self.towards(effect), aim)
        except TooLargeError:
            if self.margin is None:
                raise
            rule = "is so close to the true difference that no number of problems would be enough in practice"
            raise TooLargeError(f"{rule}; got {self.margin.value:g}", parameter="margin") from None

    def power_at(self, n: int, effect: Effect, alpha: float) -> float:
        return self.model.power(n, self.towards(effect), self.aim(alpha, 0.5))

    def least_problems(self, alpha: float) -> int:
        """The fewest problems with which a test on signs or ranks could reject at the first level: 2⁻ⁿ ≤ its tail."""
        if not self.model.has_levels:
            return self.model.least
        tail = float(self.aim(alpha, 0.5).levels[0]) / (1 if self.one_sided else 2)
        return max(self.model.least, math.ceil(-math.log2(tail) - 1e-9))

    def checked_n(self, n: object) -> int:
        """A whole number of problems; 30.0 too, as a computed number may be one."""
        size = int(n) if isinstance(n, float | np.floating) and float(n).is_integer() else n
        return integer("n", size, self.model.least, MOST_PROBLEMS)

    def checked_effect(self, effect_size: object, search: bool = True) -> Effect:
        """A finite number that is not 0; for Friedman's test also a list of one mean per algorithm.

        With a margin it is the true difference, 0 if none is given.

        Before a ``search`` for power an effect in the direction that the test does not look is refused.
        """
        if self.margin is not None:
            at = 0.0 if effect_size is None else number("effect_size", effect_size, least=-1e6, most=1e6)
            if search:
                self.margin.require_inside(at)
            return at
        if effect_size is None:
            _reject_effect(
                "is missing: the smallest difference that matters, in standard deviations; or give margin=, to show "
                "that there is none as large"
            )
        try:
            array = np.asarray(effect_size, dtype=np.float64)
        except (TypeError, ValueError):
            array = np.array(math.nan)
        friedman = self.test == "friedman"
        if array.ndim == 1 and friedman:
            if len(array) < 2 or not np.all(np.abs(array) <= LARGEST_EFFECT) or np.ptp(array) == 0:
                _reject_effect(
                    "must be the finite means of at least 2 algorithms, not all equal, in residual standard "
                    f"deviations; got {effect_size!r}"
                )
            return array
        if array.ndim or isinstance(effect_size, bool) or not math.isfinite(float(array)) or float(array) == 0:
            hint = " (or, for test='friedman', a list of means)" if friedman else ""
            _reject_effect(
                f"must be a finite number other than 0, a difference in standard deviations{hint}; got {effect_size!r}"
            )
        effect = float(array)
        if abs(effect) > LARGEST_EFFECT:
            _reject_effect(f"must be {LARGEST_EFFECT:g} standard deviations at most; got {effect_size!r}")
        if search and cast(float, self.towards(effect)) < 0:
            wrong = "negative" if self.alternative == "greater" else "positive"
            _reject_effect(
                f"is {wrong} and alternative={self.alternative!r} looks the other way: the test then finds it less "
                "often than alpha however many problems there are. Change the sign or the alternative."
            )
        return effect


def _reject_effect(rule: str) -> None:
    raise ParameterError(rule, parameter="effect_size")


def holm_levels(alpha: float, count: int) -> Array:
    """(count,): α/(K − i + 1), i = 1..K: what Holm asks of the smallest p-value first."""
    return alpha / np.arange(count, 0, -1)


def design(
    test: str,
    method: str | None,
    alternative: str,
    n_algorithms: int,
    comparisons: str,
    target: str,
    rng: object,
    clusters: tuple[float | None, float | None, float] = (None, None, 0.0),
    margin: tuple[float | None, str | None] = (None, None),
    effect_size: object = 1.0,
) -> PlanDesign:
    """The arguments that all questions share, checked; ``effect_size`` only says how many algorithms its means are of.

    ``clusters`` are ``cluster_size``, ``icc`` and ``cluster_cv``, ``margin`` is with its ``claim``.
    """
    against = margin_plan(*margin, test, alternative, target)
    clustered = cluster_plan(*clusters)
    methods = POWER_MODELS[choice("test", test, POWER_MODELS)]
    choice("alternative", alternative, ALTERNATIVES)
    choice("comparisons", comparisons, COMPARISONS)
    choice("target", target, TARGETS)
    default = next(iter(methods))
    used = default if method is None else method
    if used not in methods:
        raise ParameterError(
            f"must be one of {', '.join(map(repr, methods))} for test={test!r} (or None, which is {default!r}); "
            f"got {method!r}",
            parameter="method",
        )
    count = integer("n_algorithms", n_algorithms, 2, MOST_ALGORITHMS)
    if test == "friedman":
        if alternative != "two-sided":
            raise ParameterError(
                f"must be 'two-sided' for Friedman's test; got {alternative!r}", parameter="alternative"
            )
        means = np.asarray(effect_size, dtype=object)
        size = means.size if means.ndim else 0
        if size and count not in (2, size):
            _reject_effect(f"has {size} means, but n_algorithms={count}; leave n_algorithms out")
        count = size or count
    scale = 1.0 if clustered is None else clustered.variance**-0.5
    seed = tuple(root(rng))
    return PlanDesign(
        test=test,
        method=used,
        alternative=alternative,
        n_algorithms=count,
        comparisons=cast(Comparisons, comparisons),
        target=cast(Target, target),
        model=(
            EQUAL_MODELS[test][used](seed, against.value * scale)
            if against is not None and against.claim == "equal"
            else methods[used](seed, count)
        ),
        clusters=clustered,
        margin=against,
    )


def checked_alpha(alpha: object, against_margin: bool = False) -> float:
    """Against a margin each one-sided test has this level: below ½, as in ``bo.equivalence``."""
    level = number("alpha", alpha, above=0.0, below=0.5) if against_margin else probability("alpha", alpha)
    if level < SMALLEST_ALPHA:
        raise ParameterError(f"must be {SMALLEST_ALPHA:g} or more; got {alpha!r}", parameter="alpha")
    return level


def checked_power(power: object, alpha: float = 0.0) -> float:
    wanted_power = probability("power", power)
    if wanted_power <= alpha:
        rule = f"must be larger than alpha={alpha:g}: without any effect it is alpha; got {wanted_power:g}"
        raise ParameterError(rule, parameter="power")
    return wanted_power
