"""Planning against published, recorded and closed-form numbers. Provenance stands above each table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr

import bakeoff as bo
from bakeoff.plan.pilots import ErrorTerms, counts_for, error_terms, moments
from bakeoff.plan.power_models.base import friedman_powers, noncentrality
from bakeoff.plan.power_models.sign import sign_powers
from bakeoff.plan.power_models.t import t_powers
from bakeoff.plan.power_models.wilcoxon import critical_sum, moments_of_sum

plan = bo.plan


def optimal_counts(means, sds, wanted_se, comparisons="all-pairs", difference="simple"):
    terms = error_terms(means, sds, comparisons, difference)
    return counts_for(terms, wanted_se, difference == "simple")


def ratios_of(terms: ErrorTerms) -> list[float]:
    """n_first/n_second that is best within each pair: (11) and (17) of Campelo & Takahashi (2019)."""
    return [first / second for first, second in map(terms.within, range(len(terms.pairs)))]


def standard_error(a, b, difference="simple", form="corrected") -> float:
    means, sds, counts = moments([a, b])
    return float(error_terms(means, sds, "all-pairs", difference, form).standard_errors(counts)[0])


# R 4.2.2: power.t.test(n, delta = d, sd = 1, sig.level = alpha, type = "paired", alternative, strict = TRUE)$power
R_POWER = [
    (34, 0.5, 0.05, "two-sided", 0.807777501279),
    (33, 0.5, 0.05, "two-sided", 0.795365841488),
    (27, 0.5, 0.05, "greater", 0.811831551708),
    (199, 0.2, 0.05, "two-sided", 0.801691024037),
    (5, 2.0, 0.05, "two-sided", 0.908884868101),
    (3, 0.7, 0.05, "two-sided", 0.115697247159),
    (2, 1.5, 0.1, "two-sided", 0.261532861533),
    (10, 1.0, 0.001, "two-sided", 0.159849722691),
    (55, 0.5, 0.01, "greater", 0.901121303259),
    (289, 0.25, 0.01, "two-sided", 0.950491235752),
    (12, -0.4, 0.05, "two-sided", 0.244625480630),
]


@pytest.mark.parametrize(("n", "d", "alpha", "alternative", "power"), R_POWER)
def test_power_of_the_t_test_is_that_of_r(n: int, d: float, alpha: float, alternative: str, power: float) -> None:
    assert plan.power(n, d, alpha, alternative) == pytest.approx(power, rel=1e-9)


# N: statsmodels 0.15.0 TTestPower and R 4.2.2 power.t.test(strict = TRUE, tol = 1e-10), both; unrounded n of R.
T_SIZES = [
    (0.05, 0.5, 0.80, "two-sided", 34, 0.807778, 33.3671),
    (0.05, 0.5, 0.80, "greater", 27, 0.811832, 26.1375),
    (0.05, 0.5, 0.90, "two-sided", 44, 0.900031, 43.9955),
    (0.05, 0.2, 0.80, "two-sided", 199, 0.801691, 198.1508),
    (0.05, 0.2, 0.80, "greater", 156, 0.800167, 155.9257),
    (0.05, 0.8, 0.80, "two-sided", 15, 0.821311, 14.3028),
    (0.05, 1.0, 0.80, "two-sided", 10, 0.803097, 9.9379),
    (0.01, 0.5, 0.80, "two-sided", 51, 0.809389, 50.0647),
    (0.01, 0.5, 0.90, "greater", 55, 0.901121, 54.8147),
    (0.10, 0.25, 0.85, "two-sided", 117, 0.851645, 116.3914),
    (0.05, 2.0, 0.80, "two-sided", 5, 0.908885, 4.2207),
    (0.05, 0.1, 0.80, "two-sided", 787, 0.800095, 786.8089),
    (0.01, 0.25, 0.95, "two-sided", 289, 0.950491, 288.3538),
]


@pytest.mark.parametrize(("alpha", "d", "wanted", "alternative", "n", "power", "unrounded"), T_SIZES)
def test_size_for_the_t_test(
    alpha: float, d: float, wanted: float, alternative: str, n: int, power: float, unrounded: float
) -> None:
    found = plan.instances(d, alpha, wanted, alternative)
    assert (found.n, found.n_first, found.method) == (n, n, "exact")
    assert found.power == pytest.approx(power, abs=5e-7)
    assert found.n_unrounded == pytest.approx(unrounded, abs=6e-5)


# Mean and worst-case targets: CAISEr 1.0.17 calc_instances agrees. Medians: the definition (CAISEr's are wrong, 198).
HOLM_SIZES = [
    (0.05, 0.5, 0.8, "two-sided", 3, "mean", 40, 0.801788),
    (0.05, 0.5, 0.8, "two-sided", 3, "median", 41, 0.804764),
    (0.05, 0.5, 0.8, "two-sided", 3, "worst", 45, 0.802358),
    (0.05, 0.25, 0.8, "two-sided", 5, "mean", 189, 0.801603),
    (0.05, 0.25, 0.8, "two-sided", 5, "median", 194, None),
    (0.05, 0.25, 0.8, "two-sided", 5, "worst", 217, 0.800124),
    (0.05, 0.5, 0.9, "two-sided", 5, "mean", 63, 0.901138),
    (0.05, 0.5, 0.9, "two-sided", 5, "worst", 71, 0.90089),
    (0.05, 0.5, 0.8, "greater", 3, "mean", 33, 0.80434),
    (0.05, 0.5, 0.8, "greater", 3, "worst", 38, 0.80482),
    (0.05, 0.5, 0.8, "two-sided", 10, "mean", 64, 0.800729),
]


@pytest.mark.parametrize(("alpha", "d", "wanted", "alternative", "k", "target", "n", "power"), HOLM_SIZES)
def test_size_under_holm(
    alpha: float, d: float, wanted: float, alternative: str, k: int, target: str, n: int, power: float | None
) -> None:
    found = plan.instances(d, alpha, wanted, alternative, n_algorithms=k, target=target)
    assert found.n == n
    assert found.n_comparisons == k * (k - 1) // 2
    if power is not None:
        assert found.power == pytest.approx(power, abs=6e-6)


def test_the_profile_of_three_comparisons() -> None:
    found = plan.instances(0.5, n_algorithms=3, target="median")
    assert found.profile == pytest.approx([0.755573, 0.804764, 0.877757], abs=5e-7)
    assert found.levels == pytest.approx([0.05 / 3, 0.025, 0.05])


# K comparisons with a control, d = .5, power .8: the actual median of the profile
@pytest.mark.parametrize(
    ("count", "n"), [(1, 34), (2, 38), (3, 41), (4, 43), (5, 45), (6, 47), (10, 52), (15, 55), (45, 66)]
)
def test_the_median_target_is_the_median(count: int, n: int) -> None:
    found = plan.instances(0.5, n_algorithms=count + 1, comparisons="control", target="median")
    assert (found.n_comparisons, found.n) == (count, n)
    assert found.power == pytest.approx(float(np.median(found.profile)), rel=1e-12)


# Exact binomial sums; R 4.2.2: c <- largest with pbinom(c, n, .5) <= alpha/2; pbinom(c, n, 1-p) + pbinom(c, n, p)
SIGN_POWER = [
    (61, 0.5, 0.05, 0.846074389106),
    (60, 0.5, 0.05, 0.799661329022),
    (51, 0.5, 0.05, 0.80061),
    (25, 0.8, 0.05, 0.858917678822),
    (23, 0.8, 0.05, 0.80142),
    (83, 0.5, 0.01, 0.82306),
    (78, 0.5, 0.01, 0.80132),
]


@pytest.mark.parametrize(("n", "d", "alpha", "power"), SIGN_POWER)
def test_power_of_the_sign_test(n: int, d: float, alpha: float, power: float) -> None:
    assert plan.power(n, d, alpha, test="sign") == pytest.approx(power, abs=5e-6)


@pytest.mark.parametrize(
    ("d", "alpha", "first", "hold"), [(0.5, 0.05, 51, 61), (0.8, 0.05, 23, 25), (0.5, 0.01, 78, 83)]
)
def test_size_for_the_sign_test_holds(d: float, alpha: float, first: int, hold: int) -> None:
    found = plan.instances(d, alpha, test="sign")
    assert (found.n_first, found.n) == (first, hold)
    later = sign_powers(np.arange(hold, 3 * hold), d, alpha)
    assert later.min() >= 0.8
    assert sign_powers(hold - 1, d, alpha) < 0.8 <= sign_powers(first, d, alpha)


# Simulation, 4e5 to 4e6 samples:
# 35 has .8015 (34: .7868), 28 one-sided .8082, 53 .8113 (52: .79847), 46 .9004, 11 .8086
@pytest.mark.slow
@pytest.mark.parametrize(
    ("alpha", "d", "wanted", "alternative", "n", "power"),
    [
        (0.05, 0.5, 0.8, "two-sided", 35, 0.8015),
        pytest.param(0.05, 0.5, 0.8, "greater", 28, 0.8082, marks=pytest.mark.slow),
        pytest.param(0.01, 0.5, 0.8, "two-sided", 53, 0.8106, marks=pytest.mark.slow),
        pytest.param(0.05, 0.5, 0.9, "two-sided", 46, 0.9004, marks=pytest.mark.slow),
        pytest.param(0.05, 1.0, 0.8, "two-sided", 11, 0.8088, marks=pytest.mark.slow),
    ],
)
@pytest.mark.few(2)
def test_size_for_wilcoxon(alpha: float, d: float, wanted: float, alternative: str, n: int, power: float) -> None:
    found = plan.instances(d, alpha, wanted, alternative, test="wilcoxon")
    assert (found.n, found.method) == (n, "simulation")
    assert found.power == pytest.approx(power, abs=0.001)


def test_moments_of_the_signed_rank_sum() -> None:
    # p1 = Phi(d), p2 = Phi(d sqrt 2), p4 = BVN(d sqrt 2, d sqrt 2; 1/2) in 50 digits
    assert moments_of_sum(35, 0.5) == pytest.approx((476.549900, 2526.655544), abs=5e-7)
    assert moments_of_sum(10, 1.0) == pytest.approx((49.874215, 23.847586), abs=5e-7)
    # d = 0: the null's n(n+1)/4 and n(n+1)(2n+1)/24
    assert moments_of_sum(17, 0.0) == pytest.approx((76.5, 446.25), rel=1e-12)
    # R 4.2.2: qsignrank(.025, c(10, 34, 35, 46)) - 1
    assert [critical_sum(n, 0.025) for n in (10, 34, 35, 46)] == [8, 182, 195, 361]


def test_noether_overshoots() -> None:
    # ceil((z_a + z_b)^2/(3(p2 - 1/2)^2)) = 39 where 35 suffice, 15 where 11 do
    assert plan.instances(0.5, test="wilcoxon", method="noether").n == 39
    assert plan.instances(1.0, test="wilcoxon", method="noether").n == 15
    shift = float(ndtr(0.5 * math.sqrt(2))) - 0.5
    z = 1.959963984540054 + 0.8416212335729143
    assert math.ceil(z**2 / (3 * shift**2)) == 39


# Campelo & Takahashi (2019), (26): the t-test's whole n over .86 and .637; K = 3 and 10 with CAISEr's mean target
@pytest.mark.parametrize(
    ("test", "k", "target", "n"),
    [
        ("wilcoxon", 2, "worst", 40),
        ("sign", 2, "worst", 54),
        ("wilcoxon", 3, "mean", 47),
        ("wilcoxon", 5, "mean", 59),
        ("sign", 3, "mean", 63),
        ("sign", 5, "mean", 79),
    ],
)
def test_the_rule_of_thumb_of_the_paper(test: str, k: int, target: str, n: int) -> None:
    found = plan.instances(0.5, test=test, method="are", n_algorithms=k, target=target)
    assert (found.n, found.method) == (n, "are")


# The paper calls (26) conservative; exact binomial power of the n it gives for the sign test, under normality:
@pytest.mark.parametrize(
    ("d", "wanted", "alternative", "n", "power"),
    [
        (0.5, 0.8, "two-sided", 54, 0.80011),
        (0.5, 0.9, "two-sided", 70, 0.89622),
        (0.8, 0.8, "two-sided", 24, 0.76763),
        (1.0, 0.8, "two-sided", 16, 0.75892),
        (0.2, 0.8, "two-sided", 313, 0.78249),
        (0.5, 0.8, "greater", 43, 0.77231),
    ],
)
def test_that_rule_falls_short_for_the_sign_test(
    d: float, wanted: float, alternative: str, n: int, power: float
) -> None:
    found = plan.instances(d, power=wanted, alternative=alternative, test="sign", method="are")
    assert found.n == n
    assert plan.power(n, d, alternative=alternative, test="sign") == pytest.approx(power, abs=5e-6)
    (caution,) = [c for c in found.cautions if c.code == "relative-efficiency"]
    assert ("falls short" in caution.text) == (power < wanted)


@pytest.mark.parametrize(
    ("means", "alpha", "n", "ncp"),
    [
        ((0, 0, 0.5), 0.05, 85, 0.114534),
        ((0, 0, 0, 0, 0.5), 0.05, 79, 0.152713),
        ((0, 0, 0, 0, 1), 0.05, 23, 0.541840),
        ((0, 0, 0, 0.8), 0.01, 47, 0.330336),
    ],
)
def test_size_for_friedman(means: tuple[float, ...], alpha: float, n: int, ncp: float) -> None:
    assert noncentrality(np.array(means, dtype=float)) == pytest.approx(ncp, abs=5e-7)
    found = plan.instances(list(means), alpha, test="friedman")
    assert (found.n, found.n_algorithms, found.n_comparisons) == (n, len(means), 1)
    assert plan.instances(means[-1], alpha, test="friedman", n_algorithms=len(means)).n == n
    # R 4.2.2: pchisq(qchisq(1 - alpha, k - 1), k - 1, ncp = n*ncp, lower = FALSE)
    recorded = {85: 0.804355704108, 47: 0.802325422078}
    if n in recorded:
        assert friedman_powers(n, np.array(means, dtype=float), alpha) == pytest.approx(recorded[n], rel=1e-9)


# N -> d found with power .8, two- and one-sided;
# n = 10, 34, 200 also by R power.t.test(power = .8, strict = TRUE)$delta
DETECTABLE = [
    (10, 0.996001, 0.852838),
    (20, 0.660442, 0.576917),
    (30, 0.529236, 0.464945),
    (34, 0.495028, 0.435450),
    (50, 0.404183, 0.356600),
    (100, 0.282913, 0.250364),
    (200, 0.199064, 0.176421),
]


@pytest.mark.parametrize(("n", "two", "one"), DETECTABLE)
def test_detectable_effects(n: int, two: float, one: float) -> None:
    assert plan.detectable(n) == pytest.approx(two, abs=6e-7)
    assert plan.detectable(n, alternative="greater") == pytest.approx(one, abs=6e-7)
    assert plan.curve(power=0.8, values=[n]).y[0] == pytest.approx(two, abs=6e-7)


def test_the_level_that_gives_a_power() -> None:
    # R 4.2.2: power.t.test(n = 34, delta = .5, sd = 1, power = .8, sig.level = NULL, type = "paired", strict = TRUE)
    assert plan.significance(34, 0.5) == pytest.approx(0.047052604, abs=1e-8)


def test_the_papers_second_experiment() -> None:
    # Campelo & Takahashi (2019), section 5.2: N = 200 one-sided; d* > 0.2 has reasonable power, 0.1 can go undetected
    seen = plan.curve(200, alternative="greater", values=[0.1, 0.2])
    assert seen.y == pytest.approx([0.406930, 0.879790], abs=5e-7)
    assert seen.mark == pytest.approx((0.176421, 0.8), abs=5e-7)
    # section 4.5 misprints the noncentrality as d/sqrt(N): it would give hardly more than alpha
    assert t_powers(200, 0.2, 0.05, one_sided=True) > 0.8 > 0.06


# --- standard errors on one problem ------------------------------------------------------------------------------

# By hand from Campelo & Takahashi (2019), (11), (12), (15), (17) and the delta method; "corrected" against a first
# algorithm and the simple ones agree with CAISEr 1.0.17 calc_se
X = [[1.0, 2.0, 3.0, 4.5], [2.0, 3.0, 5.0, 7.0, 8.0], [4.0, 4.0, 5.0, 6.0]]


def test_simple_standard_errors() -> None:
    means, sds, counts = moments(X)
    terms = error_terms(means, sds)
    assert terms.pairs == ((0, 1), (0, 2), (1, 2))
    assert terms.standard_errors(counts) == pytest.approx([1.36282488, 0.88682486, 1.23659479], abs=5e-9)
    assert ratios_of(terms)[:2] == pytest.approx([0.58561824, 1.55942880], abs=5e-9)
    assert standard_error(X[0], X[1]) == pytest.approx(1.36282488, abs=5e-9)


@pytest.mark.parametrize(
    ("form", "errors", "ratios"),
    [
        ("corrected", [0.69432894, 0.54596595], [1.11546331, 2.82182354]),
        ("paper", [0.57943437, 0.40882201], [0.78973699, 2.00635457]),
    ],
)
def test_percent_standard_errors(form: str, errors: list[float], ratios: list[float]) -> None:
    means, sds, counts = moments(X)
    terms = error_terms(means, sds, "control", "percent", form)
    assert terms.differences == pytest.approx([0.90476190, 0.80952381], abs=5e-9)
    assert terms.standard_errors(counts) == pytest.approx(errors, abs=5e-9)
    assert ratios_of(terms)[:2] == pytest.approx(ratios, abs=5e-9)
    assert standard_error(X[0], X[1], "percent", form) == pytest.approx(errors[0], abs=5e-9)


def test_percent_of_all_pairs_counts_every_algorithm() -> None:
    # c_i = 1 - phi/A, c_j = -1 - phi/A, else -phi/A over the grand mean; CAISEr drops a covariance: .337 .223 .300
    means, sds, counts = moments(X)
    errors = error_terms(means, sds, difference="percent").standard_errors(counts)
    assert errors == pytest.approx([0.31131107, 0.23760923, 0.29559381], abs=5e-9)


def test_fewest_runs() -> None:
    # two algorithms: (s1 + s2)^2/se*^2 = 100 in the ratio 2 : 1
    assert optimal_counts([0, 0], [2, 1], 0.3) == pytest.approx([200 / 3, 100 / 3], rel=1e-12)
    # percent, phi = 1/2: (2*1.5 + 1)^2/(10*.05)^2 = 64
    assert optimal_counts([10, 15], [2, 1], 0.05, difference="percent").sum() == pytest.approx(64, rel=1e-12)
    # phi = -1/2: (2*.5 + 1)^2/.25 = 16
    assert optimal_counts([10, 5], [2, 1], 0.05, difference="percent").sum() == pytest.approx(16, rel=1e-12)
    # against a control, percent, four algorithms: numerical optimum in 50 digits
    counts = optimal_counts([10, 15, 12, 8], [2, 1, 1, 3], 0.05, "control", "percent")
    assert counts == pytest.approx([50.81, 13.72, 7.32, 45.09], abs=0.005)
    assert counts.sum() == pytest.approx(116.938, abs=0.0005)
    # equal spreads against a control: n_1/n_i = sqrt(K - 1), total (s + S)^2/se*^2 = 177.8 for 10 algorithms
    equal = optimal_counts(np.zeros(10), np.full(10, 1.0), 0.3, "control")
    assert equal[0] / equal[1] == pytest.approx(3)
    assert equal.sum() == pytest.approx((1 + 3) ** 2 / 0.09, rel=1e-12)
    # all pairs: one very noisy algorithm, then none
    assert optimal_counts([0, 0, 0], [5, 1, 1], 1.0).sum() == pytest.approx((5 + math.sqrt(2)) ** 2, rel=1e-12)
    assert optimal_counts([0, 0, 0], [1, 1, 1], 0.5) == pytest.approx([8, 8, 8])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.needs("statsmodels")
def test_power_beside_statsmodels() -> None:
    from statsmodels.stats.power import TTestPower

    power_of = TTestPower()
    rng = np.random.default_rng(12)
    for _ in range(300):
        n, d = int(rng.integers(3, 120)), float(rng.uniform(0.05, 1.5))
        alpha = float(rng.choice([0.1, 0.05, 0.01, 0.001]))
        for ours, theirs in (("two-sided", "two-sided"), ("greater", "larger")):
            expected = power_of.power(d, n, alpha, alternative=theirs)
            if np.isnan(expected):  # far out SciPy's noncentral t, which it uses, is
                assert d * math.sqrt(n) > 5
                continue
            assert plan.power(n, d, alpha, ours) == pytest.approx(expected, rel=1e-7, abs=1e-9)
