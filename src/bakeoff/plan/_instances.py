"""The number of problems that an experiment needs."""

from typing import cast

from bakeoff.dataclass import dataclass
from bakeoff.plan.margins import Claim
from bakeoff.plan.options import Alternative, Method, Setting, Target, TestName, checked_alpha, checked_power, design
from bakeoff.plan.pilots import Comparisons
from bakeoff.plan.power_models.base import Effect
from bakeoff.plan.promises import plan_cautions, promise
from bakeoff.scores import Array, read_only


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # arrays inside: == would be ambiguous
class InstancePlan(Setting):
    """The result of :func:`bakeoff.plan.instances`."""

    n: int  # problems: enough, and so is every larger number
    n_first: int  # the first n that reaches the power; smaller than n where adding a problem can lower the power
    n_unrounded: float | None  # t: the real number whose ceiling is n; what sequential designs inflate
    power: float  # achieved by n, as the target defines it
    profile: Array  # (n_comparisons,) power of one comparison at each of Holm's levels
    levels: Array  # (n_comparisons,) alpha/K, alpha/(K − 1), …, alpha
    promise: str  # what this n gives, in a sentence
    effect_size: Effect
    design_effect: float | None = None  # 1 + (m̄(1 + cv²) − 1) ICC

    @property
    def unit(self) -> str:
        """The noun for ``n``."""
        return "problem" if self.cluster_size is None else "cluster"


def instances(
    effect_size: float | Array | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: Alternative = "two-sided",
    test: TestName = "t",
    n_algorithms: int = 2,
    comparisons: Comparisons = "all-pairs",
    target: Target = "worst",
    method: Method | None = None,
    rng: object = None,
    *,
    margin: float | None = None,
    claim: Claim | None = None,
    cluster_size: float | None = None,
    icc: float | None = None,
    cluster_cv: float = 0.0,
) -> InstancePlan:
    """How many problems are needed to find an effect of this size?

    Use it before any run, with the smallest effect that would matter. Not with the effect that an experiment has just
    shown ("observed power" only restates the p-value), nor for runs on a problem (``bo.plan.repetitions``). Ties are
    assumed absent: docs/guides/planning.md.

    Parameters
    ----------
    effect_size : float or sequence of float
        Mean difference over problems in standard deviations of the differences (Cohen's d of paired differences).
        For ``test="friedman"`` in *residual* standard deviations: the algorithms' means, or how far one is from all.
        With ``margin`` the true difference, by default 0; positive where the algorithm that is not worse is better.
    alpha : float
        Family-wise level of the tests; default 0.05.
    power : float
        Wanted probability of finding the effect; default 0.8.
    alternative : {"two-sided", "greater", "less", "one-sided"}
        "one-sided" is the effect's own side.
    test : {"t", "wilcoxon", "sign", "friedman"}
        The test that the finished experiment will use.
    n_algorithms : int
        Up to 100 algorithms; default 2.
    comparisons : {"all-pairs", "control"}
        K = k(k−1)/2 or k − 1 tests under Holm's correction.
    target : {"worst", "mean", "median"}
        Which power of the K comparisons: at alpha/K, on average over Holm's levels, or at the middle one.
    method : str, optional
        wilcoxon: "simulation" (default), "exact-variance", "noether", "are". sign: "exact", "are".
    rng : int or Generator, optional
        Seed or Generator of a simulation; seed 0 if absent.
    margin : float, optional
        Plan to show that a difference lies within ±margin, or above −margin, in the unit of the effect.
    claim : {"equal", "not-worse"}, optional
        Which of the two, with ``margin``.
    cluster_size : float, optional
        Mean number of problems in a cluster; n then counts clusters.
    icc : float, optional
        Intraclass correlation of the problems of a cluster.
    cluster_cv : float
        Coefficient of variation of the clusters' sizes.

    Returns
    -------
    InstancePlan
        ``.n``, the ``.power`` it achieves, ``.n_first``, ``.profile``, ``.promise``.

    Raises
    ------
    ParameterError, TooLargeError
        A value outside its rule, an effect on the side the test does not look at, or one too small for any plan.

    Examples
    --------
    >>> import bakeoff as bo
    >>> plan = bo.plan.instances(0.5)  # Campelo & Takahashi (2019), section 5.1: 34
    >>> plan.n, round(plan.power, 6)
    (34, 0.807778)
    """
    clusters, against = (cluster_size, icc, cluster_cv), (margin, claim)
    options = design(test, method, alternative, n_algorithms, comparisons, target, rng, clusters, against, effect_size)
    model, effect = options.model, options.checked_effect(effect_size)
    level = checked_alpha(alpha, options.margin is not None)
    wanted_power = checked_power(power, level)
    aim, levels, towards = options.aim(level, wanted_power), options.levels(level), options.towards(effect)
    size = options.size(effect, aim)
    profile = model.powers(size.n, towards, levels, options.one_sided)
    return InstancePlan(
        n=size.n,
        n_first=size.first,
        n_unrounded=size.unrounded,
        power=model.power(size.n, towards, aim),
        profile=read_only(profile),
        levels=read_only(levels),
        promise=promise(options, size.n, effect, level, profile),
        effect_size=effect if isinstance(effect, float) else cast(Array, read_only(effect.copy())),
        wanted_power=wanted_power,
        method=model.method(size.n),
        cautions=plan_cautions(options, size.n, effect, level, wanted_power),
        design_effect=None if options.clusters is None else options.clusters.design_effect,
        **options.setting(level),
    )
