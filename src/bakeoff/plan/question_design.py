"""Error of a mean difference over questions, as a function of questions, answers and clusters."""

import math
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from bakeoff.errors import ParameterError, TooLargeError
from bakeoff.nulls.roots import positive_root
from bakeoff.nulls.tails import normal_sf
from bakeoff.plan.options import ClusterPlan
from bakeoff.plan.power_models.base import Aim
from bakeoff.plan.power_models.t import TExact, t_powers

MOST_QUESTIONS = 10**12
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDesign:
    """Two models answer the same questions; ``answers`` of each to a question may be infinite."""

    omega2: float
    sigma2: tuple[float, float]
    answers: tuple[float, float]
    alpha: float
    one_sided: bool
    clusters: ClusterPlan | None
    by_t: bool

    @property
    def variance(self) -> float:
        """Of a question's difference: ω² + σ²_A/K_A + σ²_B/K_B, Miller (2024)."""
        return self.omega2 + sum(s / k for s, k in zip(self.sigma2, self.answers, strict=True))

    @property
    def row_variance(self) -> float:
        """Of a row's mean difference: a row is a question, or a cluster of the mean size."""
        c = self.clusters
        return self.variance if c is None else self.variance * c.design_effect / c.size

    def power(self, rows: float, difference: float) -> float:
        """Probability that so many rows show a true difference (positive where the test looks)."""
        shift = difference / math.sqrt(self.row_variance)
        if self.by_t:
            return float(t_powers(rows, shift, self.alpha, self.one_sided))
        z, at = self._critical, shift * math.sqrt(rows)
        found = float(normal_sf(z - at)[0])
        return found if self.one_sided else found + float(normal_sf(z + at)[0])

    def rows(self, difference: float, power: float) -> tuple[int, float | None]:
        """Rows needed, and the real number before rounding where there is a formula for it."""
        shift = difference / math.sqrt(self.row_variance)
        if self.by_t:
            try:
                size = TExact().size(shift, Aim(levels=np.array([self.alpha]), wanted=power, one_sided=self.one_sided))
            except TooLargeError:
                raise _too_small(difference) from None
            return size.n, size.unrounded
        real = ((self._critical + _NORMAL.inv_cdf(power)) / shift) ** 2 if shift else math.inf
        if real > MOST_QUESTIONS:
            raise _too_small(difference)
        return max(math.ceil(real - 1e-9 * real), 1), real

    def detectable(self, rows: float, power: float) -> float:
        """The difference that so many rows show with this power."""
        unit = math.sqrt(self.row_variance / rows)
        by_normal = (self._critical + _NORMAL.inv_cdf(power)) * unit
        if not self.by_t:
            return by_normal
        return positive_root(lambda difference: self.power(rows, difference) - power, by_normal)

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
