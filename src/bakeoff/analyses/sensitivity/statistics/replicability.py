"""The share of second experiments of the same size that would give the same verdict.

Let z be the normal quantile of a pair's own p, signed, and d its effect in standard deviations of the differences. With
d ~ N(0, ½²), mostly small to large by Cohen's words, the posterior of d given z is averaged over the power at d,

    P(same verdict | z) = ∫ P(same verdict | d) p(d | z) dd,

which allows for the effect being unknown and for it being smaller than it looks because it was shown (Goodman 1992; van
Zwet and Goodman 2022). To ``MOST_DRAWN`` rows, power and the law of z at each d of a grid are those of the pair's test
on drawn experiments with normal differences, z taken as normal with the mean and standard deviation drawn. Beyond, and
for tests on ranks within rows, z | d ~ N(√(ne) d, 1), e the efficiency of the test, so that with
c = ne/(ne + 4) a second z is N(cz, 1 + c). A verdict is a z beyond the pair's critical p, all other p staying.
"""

from __future__ import annotations

import numpy as np

from bakeoff.analyses.sensitivity.statistics.many_tables import sign_evidence
from bakeoff.dataclass import dataclass
from bakeoff.nulls.tails import t_two_sided
from bakeoff.scores import Array
from bakeoff.special import log_ndtr, ndtr, ndtri, ndtri_exp

SPREAD = 0.5
"""Standard deviation of the prior of d."""
MOST_DRAWN = 50
GRID = np.linspace(-3.0, 3.0, 61)
EFFICIENCY = {"wilcoxon": 3 / np.pi, "sign": 2 / np.pi, "sign-without-ties": 2 / np.pi, "mcnemar": 2 / np.pi}
"""Against the t-test, for normal differences."""
DRAWN = (*EFFICIENCY, "t")
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SecondExperiments:
    """Experiments drawn at each effect of the grid."""

    pvalue: Array  # (g, draws)
    z: Array  # (g, draws) signed

    @classmethod
    def draw(cls, test: str, n: int, draws: int, rng: np.random.Generator) -> SecondExperiments | None:
        """None where the normal distribution is taken."""
        if n > MOST_DRAWN or test not in DRAWN:
            return None
        noise = rng.normal(size=(draws, n))
        tests = [_tested(test, noise + d) for d in GRID]
        return cls(pvalue=np.array([p for p, _ in tests]), z=np.array([side * -ndtri(p / 2.0) for p, side in tests]))

    def outcomes(self, z: float, critical: float) -> tuple[float, float]:
        """Probability that the first is shown to be better, and the second."""
        middle, spread = self.z.mean(axis=1), np.maximum(self.z.std(axis=1), 0.2)
        middle, spread = (middle - middle[::-1]) / 2.0, (spread + spread[::-1]) / 2.0
        log_weight = -0.5 * ((z - middle) / spread) ** 2 - np.log(spread) - 0.5 * (GRID / SPREAD) ** 2
        weight = np.exp(log_weight - log_weight.max())
        weight /= weight.sum()
        shown = self.pvalue <= critical * (1.0 + ROUNDING)
        better, worse = ((shown & (side * self.z > 0)).mean(axis=1) for side in (1, -1))
        return float(weight @ better), float(weight @ worse)


def _tested(test: str, x: Array) -> tuple[Array, Array]:
    """(draws,) p-values of rows of differences without ties, and which way they point."""
    n = x.shape[1]
    if test == "t":
        t = x.mean(axis=1) / (x.std(axis=1, ddof=1) / np.sqrt(n)) if n > 1 else np.zeros(len(x))
        return np.asarray(t_two_sided(t, n - 1)[0] if n > 1 else np.ones(len(x))), np.sign(t)
    if test == "wilcoxon":
        ranks = np.abs(x).argsort(axis=1).argsort(axis=1) + 1
        below = np.where(x > 0, ranks, 0).sum(axis=1)
        return _signed_rank_pvalues(n)[below], np.sign(4 * below - n * (n + 1))
    wins = (x > 0).sum(axis=1)
    return np.array([sign_evidence(test, w, n - w, 0)[0] for w in range(n + 1)])[wins], np.sign(2 * wins - n)


def _signed_rank_pvalues(n: int) -> Array:
    """(n(n + 1)/2 + 1,) of each rank sum."""
    law = np.ones(1)
    for rank in range(1, n + 1):
        law = (np.append(law, np.zeros(rank)) + np.append(np.zeros(rank), law)) / 2.0
    return np.asarray(np.minimum(1.0, 2.0 * np.minimum(law.cumsum(), law[::-1].cumsum()[::-1])))


def same_verdict(
    drawn: SecondExperiments | None, test: str, n: int, log_pvalue: float, direction: float, critical: float, sign: int
) -> float:
    """The probability, of a pair whose own p and direction these are, that a second experiment decides ``sign``."""
    z = float(np.sign(direction)) * max(0.0, -float(ndtri_exp(log_pvalue - np.log(2.0))))
    if drawn is not None:
        better, worse = drawn.outcomes(z, critical)
    else:
        kept = n * EFFICIENCY.get(test, 1.0) / (n * EFFICIENCY.get(test, 1.0) + 1.0 / SPREAD**2)
        limit, spread = -float(ndtri(critical / 2.0)), np.sqrt(1.0 + kept)
        better, worse = (float(ndtr((side * kept * z - limit) / spread)) for side in (1, -1))
    return {1: better, -1: worse, 0: 1.0 - better - worse}[sign]


def own_critical(pvalue: float, adjusted: float, alpha: float) -> float:
    """Where no p of the pair's own decides: the p as far from its own, in z, as alpha from the adjusted one."""
    own, after, level = (-float(ndtri(max(p, 1e-300) / 2.0)) for p in (pvalue, adjusted, alpha))
    return 2.0 * float(np.exp(log_ndtr(-(own - after + level))))
