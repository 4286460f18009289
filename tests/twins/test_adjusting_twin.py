"""adjust() against slow transcriptions: closed testing over every intersection, the papers' rules, Rom's definition."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb, exp, log

import mpmath
import numpy as np
import pytest

from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS, adjust, adjust_pairwise, step_up
from bakeoff.adjusting.arithmetic import ORDINARY
from bakeoff.errors import ParameterError, TooLargeError


def random_p(rng: np.random.Generator, m: int) -> np.ndarray:
    """With ties in half of the cases, sometimes with 0, 1 and denormal numbers."""
    p = rng.random(m) ** rng.integers(1, 8)
    if rng.random() < 0.5:
        p = rng.choice(np.concatenate((rng.random(3), [0.0, 1.0, 5e-324, 1e-300])), m)
    return p


# --- the rules, one hypothesis at a time (Derrac et al. 2011, table 2) ------------------------------------------


def slow(method: str, p: list[float]) -> list[float]:
    m = len(p)
    order = sorted(range(m), key=lambda i: p[i])
    s = [p[i] for i in order]

    def down(f):  # max over j ≤ i
        return [max(f(j) for j in range(1, i + 1)) for i in range(1, m + 1)]

    def up(f):  # min over j ≥ i
        return [min(f(j) for j in range(i, m + 1)) for i in range(1, m + 1)]

    mp = mpmath.mpf
    value = {
        "bonferroni": lambda: [m * x for x in s],
        "sidak": lambda: [1 - (1 - mp(x)) ** m for x in s],
        "holm": lambda: down(lambda j: (m - j + 1) * s[j - 1]),
        "holland": lambda: down(lambda j: 1 - (1 - mp(s[j - 1])) ** (m - j + 1)),
        "finner": lambda: down(lambda j: 1 - (1 - mp(s[j - 1])) ** (mp(m) / j)),
        "hochberg": lambda: up(lambda j: (m - j + 1) * s[j - 1]),
        "li": lambda: [s[-1] if x == s[-1] else (x and mp(x) / (mp(x) + 1 - mp(s[-1]))) for x in s],
        "fdr-bh": lambda: up(lambda j: mp(m) / j * s[j - 1]),
        "fdr-by": lambda: up(lambda j: sum(mp(1) / r for r in range(1, m + 1)) * mp(m) / j * s[j - 1]),
    }[method]()
    out = [0.0] * m
    for place, i in enumerate(order):
        out[i] = float(min(1, value[place]))
    return out


@pytest.mark.few(2)
@pytest.mark.parametrize("method", [m for m in CONTROL_METHODS if m not in ("hommel", "rom", "rom-printed")])
@pytest.mark.slow_cases("fdr-by")
def test_simple_rules(method):
    rng = np.random.default_rng(1)
    with mpmath.workdps(400):
        for _ in range(120):
            p = random_p(rng, int(rng.integers(1, 9)))
            np.testing.assert_allclose(adjust(p, method), slow(method, p.tolist()), rtol=1e-13, atol=0)


# --- Hommel ----------------------------------------------------------------------------------------------------


def closed_testing_with_simes(p: list[float]) -> list[float]:
    """The largest Simes p-value of all intersections that contain the hypothesis."""
    m, adjusted = len(p), [0.0] * len(p)
    for size in range(1, m + 1):
        for chosen in combinations(range(m), size):
            s = sorted(p[i] for i in chosen)
            simes = min(size * x / (r + 1) for r, x in enumerate(s))
            for i in chosen:
                adjusted[i] = max(adjusted[i], simes)
    return [min(1.0, a) for a in adjusted]


def papers_hommel(p: list[float]) -> list[float]:
    """Derrac et al. (2011), figure 1: the algorithm of Wright (1992), in his order of steps."""
    m = len(p)
    order = sorted(range(m), key=lambda i: p[i])
    s = [p[i] for i in order]
    a = list(s)
    for j in range(m, 1, -1):
        c = [j * s[i - 1] / (j + i - m) for i in range(m - j + 1, m + 1)]
        c_min = min(c)
        for i in range(m - j + 1, m + 1):
            a[i - 1] = max(a[i - 1], c_min)
        for i in range(1, m - j + 1):
            a[i - 1] = max(a[i - 1], min(c_min, j * s[i - 1]))
    out = [0.0] * m
    for place, i in enumerate(order):
        out[i] = min(1.0, a[place])
    return out


@pytest.mark.slow
def test_hommel_is_closed_testing():
    rng = np.random.default_rng(2)
    for _ in range(300):
        p = random_p(rng, int(rng.integers(1, 8)))
        np.testing.assert_allclose(adjust(p, "hommel"), closed_testing_with_simes(p.tolist()), rtol=1e-14, atol=0)


@pytest.mark.slow
def test_hommel_is_the_papers_algorithm():
    rng = np.random.default_rng(3)
    for _ in range(300):
        p = random_p(rng, int(rng.integers(1, 40)))
        np.testing.assert_allclose(adjust(p, "hommel"), papers_hommel(p.tolist()), rtol=1e-14, atol=0)
    for p in (np.linspace(0, 1, 150), np.linspace(0, 1, 150) ** 2, np.geomspace(1e-300, 1, 150), np.full(60, 0.02)):
        np.testing.assert_allclose(adjust(p, "hommel"), papers_hommel(p.tolist()), rtol=1e-14, atol=0)


@pytest.mark.slow
def test_hull_by_passes_is_the_chain():
    rng = np.random.default_rng(4)
    for _ in range(200):
        p = np.unique(random_p(rng, 60))
        passes = step_up._lower_hull(p, ORDINARY)
        np.testing.assert_array_equal(passes, step_up._chain(p, np.arange(len(p)), ORDINARY))


# --- Rom -------------------------------------------------------------------------------------------------------


def step_up_level(c: list[mpmath.mpf]) -> mpmath.mpf:
    """P(some p_(m−i+1) ≤ c_i) for m independent uniform p: Steck's determinant through Bolshev's recursion.

    With lower bounds b_1 ≤ … ≤ b_m for the order statistics, P_m = P(U_(i) > b_i for all i) satisfies
    1 = Σ_{j=0}^{m} C(m,j)·b_{j+1}^{m−j}·P… read from above: P(m) = 1 − Σ_{j<m} C(m,j)·b_{m−j}^{m−j}·Q(j), where Q(j) is
    the same for the j largest bounds.
    """
    m = len(c)
    bounds = list(reversed(c))  # of U_(1) … U_(m)
    # V_i = 1 − U_(m−i+1): V_(1) ≤ …, V_(i) < 1 − b_{m−i+1} =: h_i, increasing in i is not needed
    upper = [1 - b for b in reversed(bounds)]  # of V_(1) … V_(m)
    # Bolshev: P(n) = 1 − Σ_{j=0}^{n−1} C(n,j)·(1 − h_{j+1})^{n−j}·P(j)
    prob = [mpmath.mpf(1)]
    for n in range(1, m + 1):
        prob.append(1 - sum(comb(n, j) * (1 - upper[j]) ** (n - j) * prob[j] for j in range(n)))
    return 1 - prob[m]


@pytest.mark.parametrize("alpha", ["0.001", "0.05", "0.3", "0.9"])
def test_rom_critical_values_use_the_level_up(alpha):
    with mpmath.workdps(60):
        c = [mpmath.mpf(float(x)) for x in step_up.critical_values(np.array([float(alpha)]), 12)[0]]
        for m in range(1, 13):
            assert abs(step_up_level(c[:m]) / mpmath.mpf(alpha) - 1) < 1e-12


def test_printed_rom_is_liberal():
    """ERRATA R1: the level of the papers' critical values at 0.05, exactly."""
    with mpmath.workdps(30):
        c = [mpmath.mpf(float(x)) for x in step_up.critical_values(np.array([0.05]), 9, early=1)[0]]
        levels = [float(step_up_level(c[:m])) for m in range(1, 10)]
    assert levels[:3] == pytest.approx([0.05, 0.05, 0.04940625], rel=1e-13)  # c_3 = α/3 falls short
    assert levels[3:] == pytest.approx([0.0515] * 6, abs=1e-4)


def slow_rom_values(alpha: float, m: int) -> list[mpmath.mpf]:
    a = mpmath.mpf(alpha)
    c = [mpmath.mpf(0), a, a / 2]
    for i in range(3, m + 1):
        total = sum(a**j for j in range(1, i)) - sum(comb(i, j) * c[j + 1] ** (i - j) for j in range(1, i - 1))
        c.append(total / i)
    return c[1 : m + 1]


@pytest.mark.slow
def test_rom_critical_values_in_long_arithmetic():
    with mpmath.workdps(60):
        for alpha in (1e-30, 1e-3, 0.05, 0.5, 0.99, 1.0):
            slow_values = np.array([float(x) for x in slow_rom_values(alpha, 60)])
            fast = step_up.critical_values(np.array([alpha]), 60)[0]
            np.testing.assert_allclose(fast, slow_values, rtol=1e-12)


@pytest.mark.slow
def test_rom_is_the_smallest_level_that_rejects():
    """At a level just above the adjusted p the step-up procedure rejects, just below it does not."""
    rng = np.random.default_rng(5)
    for _ in range(60):
        m = int(rng.integers(1, 12))
        p = random_p(rng, m)
        adjusted = adjust(p, "rom")
        for i in range(m):
            for level, expected in ((adjusted[i] * (1 + 1e-9), True), (adjusted[i] * (1 - 1e-9), False)):
                if 1e-290 < level < 1:
                    assert rejected_by_rom(p, level)[i] is expected


def rejected_by_rom(p: np.ndarray, level: float) -> list[bool]:
    m = len(p)
    c = step_up.critical_values(np.array([level]), m)[0]
    s = np.sort(p)
    cut = max((s[j] for j in range(m) if s[j] <= c[m - j - 1]), default=-1.0)
    return [bool(x <= cut) for x in p]


# --- laws that hold for all ------------------------------------------------------------------------------------


@pytest.mark.few(2)
@pytest.mark.parametrize("method", CONTROL_METHODS)
def test_adjusted_p_is_at_least_p_in_order_and_the_same_for_ties(method):
    rng = np.random.default_rng(6)
    for _ in range(30 if method == "rom" else 150):
        p = random_p(rng, int(rng.integers(1, 30)))
        adjusted = adjust(p, method)
        assert ((adjusted >= p) & (adjusted <= 1)).all()
        order = np.argsort(p, kind="stable")
        assert (np.diff(adjusted[order]) >= 0).all()
        assert (np.diff(adjusted[order])[np.diff(p[order]) == 0] == 0).all()
        perm = rng.permutation(len(p))
        np.testing.assert_array_equal(adjust(p[perm], method), adjusted[perm])


@pytest.mark.slow
def test_order_of_power():
    rng = np.random.default_rng(7)
    chains = [("hommel", "hochberg", "holm", "bonferroni"), ("rom", "hochberg"), ("finner", "sidak")]
    chains += [("holland", "holm"), ("sidak", "bonferroni"), ("fdr-bh", "hommel")]
    for _ in range(80):
        p = random_p(rng, int(rng.integers(1, 20)))
        for chain in chains:
            for stronger, weaker in pairwise(chain):
                assert (adjust(p, stronger) <= adjust(p, weaker) * (1 + 1e-14)).all()


# --- logarithms ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", CONTROL_METHODS)
def test_logarithms_where_both_can_be_written(method):
    rng = np.random.default_rng(8)
    for _ in range(20):
        p = random_p(rng, int(rng.integers(1, 12)))
        p[p == 5e-324] = 0.0  # a logarithm of a denormal number loses digits on the way back
        with np.errstate(divide="ignore"):
            written = adjust(np.log(p), method, log=True)
        np.testing.assert_allclose(np.exp(written), adjust(p, method), rtol=1e-12, atol=0)


@pytest.mark.parametrize("method", CONTROL_METHODS)
def test_logarithms_far_below_the_smallest_float(method):
    """Every method is homogeneous for tiny p up to terms of second order: adj(p·10^-4000) = adj(p·10^-20)·10^-3980."""
    p = np.array([3e-20, 1e-20, 2.5e-20, 1e-20, 9e-20])
    shift = 3980 * log(10)
    near, far = adjust(np.log(p), method, log=True), adjust(np.log(p) - shift, method, log=True)
    np.testing.assert_allclose(far + shift, near, atol=1e-11)
    np.testing.assert_allclose(np.exp(near), adjust(p, method), rtol=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize("method", PAIRWISE_METHODS)
def test_logarithms_of_pairs(method):
    rng = np.random.default_rng(9)
    for k in [2, 3, 5, 6] * 5:
        x = rng.integers(0, 40, k)
        distance = np.abs(x[:, None] - x[None, :]).astype(float)
        for scale in (0.01, 0.2):
            logs = -scale * distance
            plain = adjust_pairwise(np.exp(logs), method, positions=x)
            np.testing.assert_allclose(np.exp(adjust_pairwise(logs, method, positions=x, log=True)), plain, rtol=1e-12)
            np.testing.assert_allclose(np.exp(adjust_pairwise(logs, method, log=True)), plain, rtol=1e-12)
        deep = adjust_pairwise(-1e4 * (distance + 1), method, log=True)
        assert (deep[np.triu_indices(k, 1)] < -9e3).all()
        assert (deep.diagonal() == 0).all()


def test_one_number_of_the_logarithms():
    # Sidak: ln(1 − (1 − e^-50)^4) = ln 4 − 50 − 1.5·e^-50
    np.testing.assert_allclose(adjust([-50.0] * 4, "sidak", log=True), log(4) - 50, rtol=1e-15)
    assert adjust([0.0, log(0.5)], "holm", log=True).tolist() == [0.0, 0.0]
    assert exp(adjust([log(0.01)], "holm", log=True)[0]) == pytest.approx(0.01, rel=1e-15)


@pytest.mark.slow
def test_hommel_in_logarithms_far_apart():
    """Quotients of p-values near and beyond 1e308: no warning, and the values of closed testing line by line."""

    def simes(logs, i):
        return min(log(i) - log(r) + logs[len(logs) - i + r - 1] for r in range(1, i + 1))

    rng = np.random.default_rng(0)
    for _ in range(20):
        logs = -np.cumsum(rng.choice([0.0, 1e-3, 1.0, 300.0, 708.0, 709.0], 40))[::-1]
        m = len(logs)
        worst = [max((simes(logs, j) for j in range(i + 1, m + 1)), default=-np.inf) for i in range(m + 1)]
        slow = [min(0.0, min(max(log(i) + x, worst[i]) for i in range(1, m + 1))) for x in logs]
        order = rng.permutation(m)
        np.testing.assert_allclose(
            adjust(logs[order], "hommel", log=True), np.array(slow)[order], rtol=1e-12, atol=1e-12
        )


# --- what is refused -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", CONTROL_METHODS)
def test_empty_and_single(method):
    assert adjust([], method).shape == (0,)
    assert adjust([0.3], method).tolist() == [0.3]
    assert adjust([0.0, 0.0], method).tolist() == [0.0, 0.0]
    assert adjust([1, 1, 1], method).tolist() == [1.0, 1.0, 1.0]
    assert adjust([-np.inf, -np.inf, 0.0], method, log=True).tolist() == [-np.inf, -np.inf, 0.0]


@pytest.mark.parametrize(
    ("pvalues", "message"),
    [
        ([0.1, np.nan], "number 2 is nan"),
        ([0.1, -0.1, 2.0], r"numbers between 0 and 1; number 2 is -0\.1 \(2 such values\)"),
        ([[0.1, 0.2]], r"one dimension.*shape \(1, 2\)"),
        (0.05, r"one dimension"),
        (["a", "b"], "must be numbers"),
        (["0.1", "0.2"], "must be numbers: got str"),
        ([True, False], "must be numbers: got bool"),
        (np.ma.masked_array([0.1, 0.2], [False, True]), "number 2 is nan"),
    ],
)
def test_adjust_refuses(pvalues, message):
    with pytest.raises(ParameterError, match=message):
        adjust(pvalues, "holm")


def test_methods_are_listed():
    with pytest.raises(ParameterError, match=r"'bonferroni', 'sidak'.*'fdr-by'; got 'gibbs'$"):
        adjust([0.1], "gibbs")
    with pytest.raises(ParameterError, match=r"'bonferroni', .*12 in all.*; got 'hochburg'; did you mean 'hochberg'"):
        adjust([0.1], "hochburg")
    with pytest.raises(ParameterError, match=r"'nemenyi'.*got 'bergman-hommel'; did you mean 'bergmann-hommel'"):
        adjust_pairwise(np.ones((2, 2)), "bergman-hommel")
    for method in ("rom", "rom-printed"):
        with pytest.raises(TooLargeError, match=f"method '{method}' .* at most 1000 p-values; got 1001"):
            adjust(np.full(1001, 0.5), method)
    with pytest.raises(ParameterError, match="natural logarithms"):
        adjust([0.1], "holm", log=True)


def test_adjust_pairwise_refuses():
    p = np.array([[np.nan, 0.01, 0.04], [0.01, np.nan, 0.5], [0.04, 0.5, np.nan]])
    adjust_pairwise(p, "shaffer")  # the diagonal is not looked at
    for wrong, message in [
        (p[:2], r"square table.*shape \(2, 3\)"),
        (np.where(np.eye(3)[::-1] == 1, np.nan, p), "row 1, column 3 is nan"),
        (p + np.triu(np.full((3, 3), 0.1)), r"symmetric; row 1, column 2 is 0\.11, but row 2, column 1 is 0\.01"),
        (p * 3, r"numbers between 0 and 1; row 2, column 3 is 1\.5"),
    ]:
        with pytest.raises(ParameterError, match=message):
            adjust_pairwise(wrong, "shaffer")
    for x, message in [
        ([0.0, 1.0], r"shape \(3,\)"),
        ([0.0, 1.0, np.nan], "finite"),
        ([0.0, 1.0, 5.0], r"algorithms 1 and 2, at distance 1, have p = 0\.01, but a pair at this or a larger"),
        ([0.0, 1.0, 1.0], "positions contradict pvalues"),
    ]:
        with pytest.raises(ParameterError, match=message):
            adjust_pairwise(p, "holm", positions=x)
    np.testing.assert_array_equal(adjust_pairwise(p, "holm", monotone=True), adjust_pairwise(p, "holm"))
    nearly = p * np.where(np.tri(3), 1 + 1e-15, 1.0)  # two computations of the same p
    np.testing.assert_array_equal(adjust_pairwise(nearly, "nemenyi"), adjust_pairwise(nearly, "nemenyi").T)
    with pytest.raises(TooLargeError, match=r"at most (18|20) algorithms.*got 21.*'shaffer'.*positions"):
        adjust_pairwise(np.full((21, 21), 0.1), "bergmann-hommel")
    assert adjust_pairwise(np.zeros((0, 0)), "holm").shape == (0, 0)
    assert adjust_pairwise([[0.2]], "bergmann-hommel").tolist() == [[1.0]]
    assert adjust_pairwise([[1, 0.2], [0.2, 1]], "shaffer", positions=[3, 1]).tolist() == [[1.0, 0.2], [0.2, 1.0]]
