"""Null hypotheses other than 0, and log ratios of runs, against R, mpmath and an independent bootstrap.

R 4.2.2: t.test(x, y, paired=TRUE, mu=, alternative=), wilcox.test(x - y - mu, exact=TRUE), binom.test(sum(x - y > mu),
sum(x - y != mu)); of log ratios t.test(log(x), log(y), paired=TRUE, mu=log(1.1)) with exp of its interval.
"""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest

import bakeoff as bo
from bakeoff.plan.differences import KINDS
from bakeoff.plan.pilots import error_terms, mean_and_sd
from bakeoff.wings.run.analysis.analyse import analyse
from bakeoff.wings.run.design.settings import Question, Repetitions
from bakeoff.wings.run.schedulers import AdaptiveRuns

X = np.array([1.2, 3.1, 2.2, 5.4, 0.3, 2.9, 4.1])
Y = np.array([1.05, 2.5, 2.3, 4.4, 0.1, 2.0, 2.85])
INFINITE = math.inf
# mu, alternative: t, p, ends of the interval (of the mean: whatever mu is), p of signed ranks, p of signs
PRINTED = {
    (0.23, "two-sided"): (1.795166681191, 0.1227714143308, 0.1060424730225, 1.036814669835, 0.21875, 1.0),
    (0.23, "greater"): (1.795166681191, 0.06138570716538, 0.2018488136512, INFINITE, 0.109375, 0.5),
    (0.23, "less"): (1.795166681191, 0.9386142928346, -INFINITE, 0.9410083292059, 0.921875, 0.7734375),
    (-0.15, "two-sided"): (3.79313461925283, 0.00904013995181, 0.10604247302248, 1.03681466983466, 0.015625, 0.015625),
    (-0.15, "greater"): (3.7931346192528, 0.0045200699759, 0.2018488136512, INFINITE, 0.0078125, 0.0078125),
    (-0.15, "less"): (3.793134619253, 0.995479930024, -INFINITE, 0.941008329206, 1.0, 1.0),
}


@pytest.mark.parametrize(("mu", "alternative"), PRINTED)
@pytest.mark.parametrize("better", ["higher", "lower"])
def test_tests_of_two_against_r(mu: float, alternative: Any, better: Any) -> None:
    """Also through the question of an experiment."""
    t, p, low, high, ranks, signs = PRINTED[mu, alternative]
    sign = 1.0 if better == "higher" else -1.0
    options: dict[str, Any] = {"alternative": alternative, "null_value": mu}
    found = bo.paired_t(sign * X, sign * Y, better=better, **options)
    assert (found.statistic, found.pvalue, found.low, found.high) == pytest.approx((t, p, low, high), rel=1e-10)
    assert bo.wilcoxon(sign * X, sign * Y, better=better, **options).pvalue == pytest.approx(ranks, rel=1e-12)
    assert bo.sign_test(sign * X, sign * Y, better=better, **options).pvalue == pytest.approx(signs, rel=1e-12)
    scores = bo.Scores(sign * np.column_stack([X, Y]), ["a", "b"], better=better)
    for test, printed in (("t", p), ("wilcoxon", ranks), ("sign", signs)):
        pair = analyse(scores, Question(test=test, **options), 7).pair  # type: ignore[arg-type]
        assert pair.pvalue == pytest.approx(printed, rel=1e-10)
        if test == "t":
            assert pair.effect is not None
            assert (pair.effect.low, pair.effect.high) == pytest.approx((low, high), rel=1e-10)


def test_log_ratios_against_r() -> None:
    scores = bo.Scores(np.column_stack([X, Y]), ["a", "b"], better="higher")
    pair = analyse(scores, Question(differences="log-ratio", null_value=1.1), 7).pair
    assert pair.test is not None
    assert pair.effect is not None
    assert pair.test.statistic == pytest.approx(1.733212709370, rel=1e-10)
    assert pair.pvalue == pytest.approx(0.133759597536, rel=1e-10)
    ratio = pair.effect
    assert (ratio.low, ratio.high) == pytest.approx((0.996744153811, 1.959405170616), rel=1e-10)
    assert ratio.estimate == pytest.approx(1.397506940505, rel=1e-10)
    assert ratio.standardized == pytest.approx(1.733212709370 / math.sqrt(7), rel=1e-10)


def runs_of(seed: int, n: tuple[int, int]) -> list[list[float]]:
    rng = np.random.default_rng(seed)
    return [rng.lognormal(m, s, k).tolist() for m, s, k in zip((1.0, 0.4), (1.2, 0.4), n, strict=True)]


def test_value_error_and_ratio_of_log_ratios_in_fifty_digits() -> None:
    """φ̂ = mean log x_b − mean log x_a, se = √(s_a²/n_a + s_b²/n_b), r = s_a/s_b, with sds of logarithms."""
    samples = runs_of(3, (25, 40))
    with mpmath.workdps(50):
        logs = [[mpmath.log(mpmath.mpf(x)) for x in sample] for sample in samples]
        means = [mpmath.fsum(sample) / len(sample) for sample in logs]
        pairs = zip(logs, means, strict=True)
        sds = [mpmath.sqrt(mpmath.fsum((x - m) ** 2 for x in sample) / (len(sample) - 1)) for sample, m in pairs]
        phi = float(means[1] - means[0])
        se = float(mpmath.sqrt(sds[0] ** 2 / 25 + sds[1] ** 2 / 40))
        ratio = float(sds[0] / sds[1])
    design = Repetitions(se=1e-9, nmax=65, n0=25, differences="log-ratio", balanced=False)
    decision = AdaptiveRuns(repetitions=design, algorithms=("a", "b"), seed=1).decide("p", samples)
    assert decision.reason == "budget"
    assert decision.differences[0] == pytest.approx(phi, rel=1e-13)
    assert decision.standard_errors[0] == pytest.approx(se, rel=1e-13)
    moments = [mean_and_sd(KINDS["log-ratio"].measured(sample)) for sample in samples]
    terms = error_terms([m for m, _ in moments], [s for _, s in moments], difference="log-ratio")
    first, second = terms.within(0)
    assert first / second == pytest.approx(ratio, rel=1e-13)


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_the_bootstrap_of_log_ratios_against_one_of_scores(statistic: Any) -> None:
    """Here resampled in one draw; of the mean the geometric mean, of the median its logarithm. Within 4 errors."""
    samples, many = runs_of(4, (30, 30)), 40_000
    design = Repetitions(se=1e-9, nmax=60, differences="log-ratio", method="bootstrap", statistic=statistic,
                         resamples=many)  # fmt: skip
    decision = AdaptiveRuns(repetitions=design, algorithms=("a", "b"), seed=1).decide("p", samples)
    rng = np.random.default_rng(9)
    drawn = []
    for sample in samples:
        x = rng.choice(np.array(sample), size=(many, 30))
        centre = np.prod(x ** (1 / 30), axis=1) if statistic == "mean" else np.median(x, axis=1)
        drawn.append(np.log(centre))
    expected = float((drawn[1] - drawn[0]).std(ddof=1))
    assert decision.standard_errors[0] == pytest.approx(expected, rel=4 * math.sqrt(2 * 1.5 / (2 * many)))
