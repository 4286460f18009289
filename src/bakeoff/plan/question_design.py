"""Error of a mean difference over questions, as a function of questions, answers and clusters."""

import math
from statistics import NormalDist

import numpy as np

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ParameterError, TooLargeError
from bakeoff.nulls.numerics import positive_root, root_between
from bakeoff.nulls.tails import normal_sf
from bakeoff.plan.options import ClusterPlan
from bakeoff.plan.power_models.base import Aim, first_enough
from bakeoff.plan.power_models.sign import mcnemar_power, mcnemar_size
from bakeoff.plan.power_models.t import T_TEST, t_powers

MOST_QUESTIONS = 10**12
_MOST_EXACT = 10**8
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskVariance:
    """A task of a pilot, and what varies within it."""

    name: str
    n: int  # questions of the pilot; a plan has them in these proportions
    weight: float  # of its mean in the mean
    omega2: float  # ω² of its questions; after single answers, with what these add
    sigma2: tuple[float, float]  # σ² of one answer of each model to one of them; 0 after single answers


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDesign:
    """Two models answer the same questions; ``answers`` of each to a question may be infinite."""

    omega2: float
    sigma2: tuple[float, float] = (0.0, 0.0)
    answers: tuple[float, float] = (1, 1)
    alpha: float
    one_sided: bool = False
    clusters: ClusterPlan | None = None
    by_t: bool = False
    binary: bool = False  # single answers are right or wrong
    tasks: tuple[TaskVariance, ...] = ()  # where there are several
    bend: float = 0.0  # ω² changes by so much with the squared difference, as it does where agreement is given

    def at(self, difference: float) -> "QuestionDesign":
        """The same of a known difference."""
        return replace(self, omega2=max(self.omega2 + self.bend * difference**2, 0.0), bend=0.0)

    @property
    def exact(self) -> bool:
        """Whether McNemar's exact test decides, as in ``bo.evaluate``: of single answers that are right or wrong."""
        alone = self.clusters is None and not self.tasks
        return self.binary and self.answers == (1, 1) and alone and not self.one_sided

    @property
    def variance(self) -> float:
        """The variance of a question's difference: ω² + σ²_A/K_A + σ²_B/K_B, Miller (2024)."""
        return self._variance(self.omega2, self.sigma2)

    def _variance(self, omega2: float, sigma2: tuple[float, float]) -> float:
        return omega2 + sum(s / k for s, k in zip(sigma2, self.answers, strict=True))

    @property
    def least(self) -> float:
        """The fewest rows: two, of each task."""
        sizes = [task.n for task in self.tasks] or [1]
        return 2.0 * sum(sizes) / min(sizes)

    def degrees(self, rows: float) -> float:
        """Degrees of freedom of t: n − 1; over several tasks Satterthwaite's, as ``suite_moments`` has them."""
        if not self.tasks:
            return rows - 1.0
        sizes = np.array([task.n for task in self.tasks]) / sum(task.n for task in self.tasks)
        variances = [max(self._variance(task.omega2, task.sigma2), 0.0) for task in self.tasks]
        if not any(variances):  # each below 0 by chance: questions do not vary, answers do
            variances = [self._variance(0.0, task.sigma2) for task in self.tasks]
        parts = np.array([task.weight for task in self.tasks]) ** 2 * variances / sizes
        return float(parts.sum() ** 2 / (parts**2 / (rows * sizes - 1.0)).sum())

    def row_variance(self, difference: float) -> float:
        """The variance of a row's mean difference: a row is a question, or a cluster of the mean size."""
        c, variance = self.clusters, self.at(difference).variance if self.bend else self.variance
        return variance if c is None else variance * c.design_effect / c.size

    def power(self, rows: float, difference: float) -> float:
        """Probability that so many rows show a true difference (positive where the test looks)."""
        if self.exact:
            return mcnemar_power(math.floor(rows), difference, self.discordant(difference), self.alpha)
        variance = self.row_variance(difference)
        if variance == 0.0:
            return 1.0
        shift = difference / math.sqrt(variance)
        if self.by_t and rows < self.least:
            return 0.0
        if self.by_t:
            return float(t_powers(rows, shift, self.alpha, self.one_sided, self.degrees(rows)))
        z, at = self._critical, shift * math.sqrt(rows)
        above = float(normal_sf(z - at)[0])
        return above if self.one_sided else above + float(normal_sf(z + at)[0])

    def rows(self, difference: float, power: float) -> tuple[int, float | None]:
        """Rows needed, and the real number before rounding where there is a formula for it."""
        shift = difference / math.sqrt(self.row_variance(difference))
        if self.exact:
            start = replace(self, binary=False, by_t=False).rows(difference, power)[0]
            if start > _MOST_EXACT:
                raise _too_small(difference)
            return mcnemar_size(start, difference, self.discordant(difference), self.alpha, power), None
        if self.by_t and self.tasks:
            start = replace(self, by_t=False).rows(difference, power)[0]
            return first_enough(lambda n: self.power(n, difference) >= power, start), None
        if self.by_t:
            try:
                size = T_TEST.size(
                    shift, Aim(levels=np.array([self.alpha]), wanted_power=power, one_sided=self.one_sided)
                )
            except TooLargeError:
                raise _too_small(difference) from None
            return size.n, size.unrounded
        real = ((self._critical + _NORMAL.inv_cdf(power)) / shift) ** 2 if shift else math.inf
        if real > MOST_QUESTIONS:
            raise _too_small(difference)
        return max(math.ceil(real - 1e-9 * real), 1), real

    def detectable(self, rows: float, power: float) -> float:
        """The difference that so many rows show with this power."""
        unit = self.row_variance(0.0) / rows
        reach = (self._critical + _NORMAL.inv_cdf(power)) ** 2 * unit
        by_normal = math.sqrt(reach / (1.0 - self.bend * reach / self.omega2 if self.bend else 1.0))
        if self.exact:
            return self._exactly_detectable(rows, power)
        if not self.by_t:
            return by_normal
        return positive_root(lambda difference: self.power(rows, difference) - power, by_normal)

    def discordant(self, difference: float) -> float:
        """The share of questions that one model alone answers, of which a difference has this variance."""
        share = self.variance + (1.0 + self.bend) * difference**2
        if self.bend and abs(difference) > share * (1 + 1e-12):
            rule = f"must be smaller: models that differ by {abs(difference):.4g}"
            raise ParameterError(
                f"{rule} agree on at most 1 − {abs(difference):.4g} of the questions; here on {1.0 - share:.4g}",
                parameter="difference",
            )
        if not abs(difference) <= share * (1 + 1e-12) <= 1 + 1e-9:
            raise ParameterError(
                f"and sigma2 sum to {self.variance:.4g}; right-or-wrong answers that differ by {abs(difference):.4g} "
                f"have {abs(difference) - difference**2:.4g} to {1 - difference**2:.4g}",
                parameter="omega2",
            )
        return min(max(share, abs(difference)), 1.0)

    def _exactly_detectable(self, rows: float, power: float) -> float:
        """Up to the difference at which all questions that tell are those of the better model."""
        own, part = self.variance, 1.0 + self.bend  # both may be at most 1 together: δ ≤ own + part·δ² ≤ 1
        root = 1.0 - 4.0 * part * own
        most = math.sqrt(max(1.0 - own, 0.0) / part) if root < 0 else 2.0 * own / (1.0 + math.sqrt(root))
        if most <= 0 or self.power(rows, most) < power:
            rule = f"is too small to show any difference of right-or-wrong answers with power {power:g}; got {rows:g}"
            raise ParameterError(rule, parameter="n")
        return root_between(lambda difference: self.power(rows, difference) - power, 0.0, most, 1e-9)

    @property
    def _critical(self) -> float:
        return _NORMAL.inv_cdf(1.0 - (self.alpha if self.one_sided else self.alpha / 2))

    def with_answers(self, count: float) -> "QuestionDesign":
        """The same questions with so many answers of both models; what clusters share stays as it is."""
        clusters = self.clusters
        changed = replace(self, answers=(count, count))
        if clusters is None or changed.variance == 0:
            return changed
        shared = min(clusters.icc * self.variance / changed.variance, 1.0)
        return replace(changed, clusters=replace(clusters, icc=shared))


def _too_small(difference: float) -> ParameterError:
    rule = "is so small that no number of questions would be enough in practice"
    return ParameterError(f"{rule}; got {difference:g}", parameter="difference")
