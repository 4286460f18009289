"""The omnibus tests against transcriptions of the papers' formulas in fractions, and against plain enumeration."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.nulls.column_sums import (
    canonical_rows,
    column_sum_law,
    exact_tail,
    exact_work,
    law_tail,
    observed_sum,
    obstacle,
    sampled_tail,
)
from bakeoff.nulls.sorted_states import distinct_permutations, n_permutations, sort_columns
from bakeoff.nulls.tails import clopper_pearson
from friedman_null import friedman_null

# --- the formulas, one scalar at a time -----------------------------------------------------------------------


def mid_ranks(values):
    """Rank = 1 + how many are lower + half of how many others are equal."""
    return [1 + sum(Fraction(u < v) for u in values) + Fraction(sum(u == v for u in values) - 1, 2) for v in values]


def friedman_twin(ranks, corrected):
    """García et al. (2010), eq. 1; corrected: divided by 1 − Σ(t³ − t)/(n(k³ − k)) (Conover 1999)."""
    n, k = len(ranks), len(ranks[0])
    sums = [sum(row[j] for row in ranks) for j in range(k)]
    chi2 = Fraction(12 * n, k * (k + 1)) * (sum((r / n) ** 2 for r in sums) - Fraction(k * (k + 1) ** 2, 4))
    if corrected:
        ties = sum(t**3 - t for row in ranks for t in Counter(row).values())
        factor = 1 - Fraction(ties, n * (k**3 - k))
        chi2 = chi2 / factor if factor else Fraction(0)
    return chi2


def iman_davenport_twin(ranks, corrected):
    n, k = len(ranks), len(ranks[0])
    chi2 = friedman_twin(ranks, corrected)
    below = n * (k - 1) - chi2
    return (n - 1) * chi2 / below if below else math.inf


def aligned_twin(aligned, corrected):
    """García et al. (2010), eq. 7; corrected: the actual Σ of squared aligned ranks."""
    n, k = len(aligned), len(aligned[0])
    big = k * n
    columns = sum(sum(row[j] for row in aligned) ** 2 for j in range(k))
    rows = sum(sum(row) ** 2 for row in aligned)
    squares = sum(r * r for row in aligned for r in row) if corrected else Fraction(big * (big + 1) * (2 * big + 1), 6)
    top = (k - 1) * (columns - Fraction(k * n * n, 4) * (big + 1) ** 2)
    return top / (squares - rows / k) if top else Fraction(0)


def quade_twin(ranks, importance, corrected):
    """García et al. (2010), eqs. 12–16; corrected: A = Σ S_ij²."""
    n, k = len(ranks), len(ranks[0])
    s = [[q * (r - Fraction(k + 1, 2)) for r in row] for q, row in zip(importance, ranks, strict=True)]
    a = Fraction(n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1), 72)
    if corrected:
        a = sum(x * x for row in s for x in row)
    b = sum(sum(row[j] for row in s) ** 2 for j in range(k)) / n
    if a == b:
        return math.inf if b else Fraction(0)
    return (n - 1) * b / (a - b)


def tables(count, seed, max_n=9, max_k=6):
    """Integers as hundredths, heavily tied or hardly at all."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, k = rng.integers(1, max_n + 1), rng.integers(2, max_k + 1)
        yield rng.integers(0, rng.choice([2, 3, 6, 1000]), size=(n, k))


def all_ranks(hundredths):
    """Ranks, aligned ranks and Q_i from exact fractions."""
    rows = [[Fraction(int(x), 100) for x in row] for row in hundredths]
    flat = mid_ranks([x - sum(row) / len(row) for row in rows for x in row])
    k = len(rows[0])
    aligned = [flat[i : i + k] for i in range(0, len(flat), k)]
    return [mid_ranks(row) for row in rows], aligned, mid_ranks([max(row) - min(row) for row in rows])


def check_means(found, ranks, weights=None):
    n, k = len(ranks), len(ranks[0])
    weights = weights or [Fraction(1)] * n
    total = sum(weights)
    expected = [float(sum(w * row[j] for w, row in zip(weights, ranks, strict=True)) / total) for j in range(k)]
    np.testing.assert_array_max_ulp(found, np.array(expected), 1)


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("count", [60, pytest.param(800, marks=pytest.mark.slow)])
@pytest.mark.parametrize("corrected", [False, True])
def test_statistics_equal_the_formulas(corrected, count):
    ties = "corrected" if corrected else "none"
    for table in tables(count, seed=count + corrected):
        s = bo.Scores(table / 100, better="lower")
        ranks, aligned, importance = all_ranks(table)
        n, k = table.shape
        friedman, iman = bo.friedman(s, ties=ties), bo.iman_davenport(s, ties=ties)
        by_alignment, quade = bo.aligned_friedman(s, ties=ties), bo.quade(s, ties=ties)
        # whole numbers divided once: correctly rounded
        assert friedman.statistic == iman.chi2 == float(friedman_twin(ranks, corrected))
        assert iman.statistic == float(iman_davenport_twin(ranks, corrected))
        assert by_alignment.statistic == float(aligned_twin(aligned, corrected))
        assert quade.statistic == float(quade_twin(ranks, importance, corrected))
        check_means(friedman.mean_ranks, ranks)
        check_means(by_alignment.mean_ranks, aligned)
        check_means(quade.mean_ranks, ranks, importance)
        assert quade.problem_ranks.tolist() == [float(q) for q in importance]
        assert friedman.df == by_alignment.df == (k - 1,)
        assert iman.df == quade.df == (k - 1, (k - 1) * (n - 1))
        tied = sum(len(set(row)) < k for row in ranks)
        assert friedman.n_tied == iman.n_tied == quade.n_tied == tied
        assert by_alignment.n_tied == sum(c > 1 for c in Counter(r for row in aligned for r in row).values())


@pytest.mark.slow
@pytest.mark.parametrize("count", [50, pytest.param(200, marks=pytest.mark.slow)])
def test_quade_with_weights_uses_their_ranks(count):
    rng = np.random.default_rng(5)
    for table in tables(count, seed=2):
        weights = rng.integers(0, 5, size=len(table))
        ranks = all_ranks(table)[0]
        expected = quade_twin(ranks, mid_ranks(weights.tolist()), True)
        found = bo.quade(bo.Scores(table / 100, better="lower"), weights=weights, ties="corrected")
        assert found.statistic == float(expected)


# --- analysis of variance ---------------------------------------------------------------------------------------


def anova_twin(table):
    n, k = table.shape
    x = [[Fraction(int(v), 100) for v in row] for row in table]
    grand = sum(sum(row) for row in x) / (n * k)
    rows = [sum(row) / k for row in x]
    columns = [sum(row[j] for row in x) / n for j in range(k)]
    between = n * sum((c - grand) ** 2 for c in columns)
    residuals = [[x[i][j] - rows[i] - columns[j] + grand for j in range(k)] for i in range(n)]
    error = sum(e * e for row in residuals for e in row)
    products = [[sum(row[a] * row[b] for row in residuals) for b in range(k)] for a in range(k)]
    squares = sum(p * p for row in products for p in row)
    epsilon = error**2 / ((k - 1) * squares) if squares else Fraction(1)
    return between / (k - 1), error / ((k - 1) * (n - 1)), epsilon


@pytest.mark.slow
@pytest.mark.parametrize("count", [120, pytest.param(400, marks=pytest.mark.slow)])
def test_anova_equals_the_formulas(count):
    for table in tables(count, seed=3):
        n, k = table.shape
        r = bo.anova(bo.Scores(table / 100, better="higher"))
        if n == 1:
            assert r.pvalue == 1.0
            continue
        algorithms, error, epsilon = anova_twin(table)
        assert r.df == (k - 1, (k - 1) * (n - 1))
        assert r.mean_square_error == pytest.approx(float(error), rel=1e-12, abs=0)
        assert r.mean_square_algorithms == pytest.approx(float(algorithms), rel=1e-12, abs=0)
        assert r.greenhouse_geisser == pytest.approx(float(epsilon), rel=1e-12)
        if error:
            assert r.statistic == pytest.approx(float(algorithms / error), rel=1e-12, abs=0)
        else:
            assert r.statistic == (math.inf if algorithms else 0.0)
            assert r.pvalue == 1.0


def test_anova_of_two_algorithms_is_the_paired_t_test():
    rng = np.random.default_rng(4)
    for _ in range(50):
        s = bo.Scores(rng.normal(size=(rng.integers(2, 20), 2)), better="lower")
        r, t = bo.anova(s), bo.paired_t(s, 0, 1)
        assert r.statistic == pytest.approx(t.statistic**2, rel=1e-10)
        assert r.log_pvalue == pytest.approx(t.log_pvalue, rel=1e-10)
        assert r.greenhouse_geisser == 1.0


# --- exact laws against enumeration -------------------------------------------------------------------------------


def enumerated_tail(rows):
    """P(Σ T_j² ≥ observed) over all permutations within rows, k! each, equal ones counted as often as they occur."""
    observed = sum(sum(column) ** 2 for column in zip(*rows, strict=True))
    orders = [list(itertools.permutations(row)) for row in rows]
    hits = total = 0
    for chosen in itertools.product(*orders):
        total += 1
        hits += sum(sum(column) ** 2 for column in zip(*chosen, strict=True)) >= observed
    return Fraction(hits, total)


SMALL = [(2, 1), (2, 5), (2, 8), (3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (4, 1), (4, 2), (4, 3), (5, 2)]


@pytest.mark.few(6)
@pytest.mark.parametrize(("k", "n"), SMALL)
@pytest.mark.parametrize("levels", [2, 4, 1000])
def test_exact_pvalues_equal_enumeration(k, n, levels):
    rng = np.random.default_rng(100 * k + n + levels)
    for _ in range(1 if k**n > 200 or math.factorial(k) ** n > 5000 else 4):
        table = rng.integers(0, levels, size=(n, k))
        s = bo.Scores(table / 100, better="lower")
        ranks, aligned, importance = all_ranks(table)
        weighted = [[q * r for r in row] for q, row in zip(importance, ranks, strict=True)]
        # the total of a row is fixed, so centring does not matter; times 4 everything is whole
        for test, rows in ((bo.friedman, ranks), (bo.aligned_friedman, aligned), (bo.quade, weighted)):
            if test is not bo.friedman and math.factorial(k) ** n > 5000:
                continue
            exact = enumerated_tail([[int(4 * x) for x in row] for row in rows])
            r = test(s, method="exact")
            assert r.method == "exact"
            assert r.pvalue == pytest.approx(float(exact), rel=1e-13)
            assert r.log_pvalue == pytest.approx(math.log(exact), rel=1e-12, abs=1e-15)
            assert test(s, method="auto").pvalue == r.pvalue


def slow_law(rows):
    """{Σ T_j²: number of tables}: a dictionary of unsorted rank-sum vectors in Python's whole numbers."""
    states = {(0,) * len(rows[0]): 1}
    for row in rows:
        following = Counter()
        for order in set(itertools.permutations(row)):
            for sums, count in states.items():
                following[tuple(a + b for a, b in zip(sums, order, strict=True))] += count
        states = following
    law = Counter()
    for sums, count in states.items():
        law[sum(t * t for t in sums)] += count
    return law


def check_law(found, law):
    values, probabilities = found
    assert values.tolist() == sorted(law)
    total, exact = sum(law.values()), [law[v] for v in sorted(law)]
    np.testing.assert_allclose(probabilities, [count / total for count in exact], rtol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n"), [(2, 9), (3, 25), (4, 7), (5, 3)])
def test_friedman_null_equals_whole_numbers(k, n):
    check_law(friedman_null(k, n), slow_law([tuple(range(1, k + 1))] * n))


@pytest.mark.parametrize("count", [15, pytest.param(60, marks=pytest.mark.slow)])
def test_laws_of_any_rows_equal_whole_numbers(count):
    """Ties, unequal rows, rows that are not symmetric, constant rows."""
    rng = np.random.default_rng(6)
    for _ in range(count):
        k, n = rng.integers(2, 5), rng.integers(1, 5)
        table = rng.integers(0, rng.choice([2, 3, 9, 40]), size=(n, k))
        rows = canonical_rows(table)
        if not rows:
            assert exact_tail(table) == (1.0, 0.0)
            continue
        law = slow_law(rows)
        check_law(column_sum_law(rows), law)
        upper = Fraction(sum(c for v, c in law.items() if v >= observed_sum(table)), sum(law.values()))
        assert exact_tail(table)[0] == pytest.approx(float(upper), rel=1e-13)


@pytest.mark.parametrize(("k", "n"), [(2, 300), (3, 200), (4, 20), (5, 8), (6, 4), (7, 3), (8, 2)])
def test_friedman_null_has_the_right_ends_and_mean(k, n):
    """Perfect agreement has probability (k!)^(1−n), E χ² = k − 1 and Var χ² = 2(k−1)(n−1)/n (Friedman 1937)."""
    values, p = friedman_null(k, n)
    assert p[-1] == pytest.approx(1 / math.factorial(k) ** (n - 1), rel=1e-12)
    assert values[-1] == n * n * k * (k + 1) * (2 * k + 1) // 6
    chi2 = 12 * values / (n * k * (k + 1)) - 3 * n * (k + 1)
    mean = math.fsum(chi2 * p)
    assert mean == pytest.approx(k - 1, rel=1e-11)
    assert math.fsum((chi2 - mean) ** 2 * p) == pytest.approx(2 * (k - 1) * (n - 1) / n, rel=1e-11)
    assert law_tail((values, p), int(values[0])) == (1.0, 0.0)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n"), [(3, 386), (4, 60), (5, 19), (6, 9), (7, 4)])
def test_friedman_null_at_its_documented_reach(k, n):
    test_friedman_null_has_the_right_ends_and_mean(k, n)


@pytest.mark.slow
def test_two_algorithms_reduce_to_the_sign_test():
    rng = np.random.default_rng(7)
    for _ in range(40):
        n = int(rng.integers(1, 40))
        s = bo.Scores(rng.permuted(np.tile([1.0, 2.0], (n, 1)), axis=1), better="lower")
        r, sign = bo.friedman(s, method="exact"), bo.sign_test(s, 0, 1)
        assert r.statistic == pytest.approx((sign.wins - sign.losses) ** 2 / n, rel=1e-15)
        assert r.pvalue == pytest.approx(sign.pvalue, rel=1e-12)
        assert r.log_pvalue == pytest.approx(sign.log_pvalue, rel=1e-11, abs=1e-15)


@pytest.mark.slow
def test_the_estimate_of_work_is_no_underestimate():
    rng = np.random.default_rng(8)
    for k, n in ((3, 8), (4, 5), (5, 3)):
        for _ in range(4):
            rows = canonical_rows(rng.integers(0, 50, size=(n, k)))
            visited = sum(
                len({tuple(sorted(t)) for t in _reached(rows[:i])}) * n_permutations(rows[i]) for i in range(1, n)
            )
            assert exact_work(rows) >= visited / 2


def _reached(rows):
    states = {rows[0]}
    for row in rows[1:]:
        orders = set(itertools.permutations(row))
        states = {tuple(sorted(a + b for a, b in zip(s, o, strict=True))) for s in states for o in orders}
    return states


def test_sorting_network_and_permutations():
    rng = np.random.default_rng(9)
    for k in range(1, 12):
        columns = list(rng.integers(0, 6, size=(k, 300)))
        expected = np.sort(columns, axis=0)
        sort_columns(columns)
        np.testing.assert_array_equal(columns, expected)
        row = tuple(sorted(rng.integers(0, 4, size=min(k, 7)).tolist()))
        orders = [tuple(order) for order in distinct_permutations(row).tolist()]
        assert len(orders) == len(set(orders)) == n_permutations(row)
        assert set(orders) == set(itertools.permutations(row))


# --- sampled laws -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", [bo.friedman, bo.aligned_friedman, bo.quade])
def test_sampled_pvalue_agrees_with_the_exact_one(test):
    rng = np.random.default_rng(10)
    for levels in (3, 1000):
        s = bo.Scores(rng.integers(0, levels, size=(6, 3)) + np.array([0, 0, levels / 8]), better="lower")
        exact = test(s, method="exact").pvalue
        r = test(s, method="permutation", n_resamples=40_000, rng=1)
        assert r.method == "permutation"
        assert r.n_resamples == 40_000
        assert abs(r.pvalue - exact) < 4 * math.sqrt(exact * (1 - exact) / 40_000) + 1e-4
        low, high = r.confidence_interval
        assert low < exact < high
        assert "sampled" in {c.code for c in r.cautions}


def test_every_sampled_table_is_equally_likely():
    """All 6³ ordered outcomes of three untied rows: the law of Σ T² against enumeration, by counts."""
    table = np.array([[0, 1, 2], [0, 2, 5], [0, 1, 1]])
    law = slow_law([tuple(row) for row in table.tolist()])
    total = sum(law.values())
    for value in sorted(law)[1:]:
        exact = sum(c for v, c in law.items() if v >= value) / total
        arrangement = next(
            np.array(rows)
            for rows in itertools.product(*(itertools.permutations(row) for row in table.tolist()))
            if sum(sum(c) ** 2 for c in zip(*rows, strict=True)) == value
        )
        p, count = sampled_tail(arrangement, 20_000, np.random.default_rng(int(value)))
        assert p == (1 + count) / 20_001
        assert abs(count / 20_000 - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000)


def test_sums_beyond_63_bits_do_not_wrap():
    table = np.array([[0, 2**31, 2**32], [0, 2**31, 2**32], [2**32, 0, 2**31]])
    small = table // 2**31
    p = [sampled_tail(t + np.array([[0], [1], [5]]), 500, np.random.default_rng(0)) for t in (table, small)]
    assert p[0] == p[1]
    huge = np.array([[0, 2**40 + 1, 2**41], [0, 2**40, 2**41], [2**41, 0, 2**40]])
    assert 0 < sampled_tail(huge, 500, np.random.default_rng(0))[0] <= 1


def test_samples_depend_on_neither_order_nor_labels():
    rng = np.random.default_rng(11)
    values = rng.integers(0, 9, size=(30, 6)) + np.arange(6) / 2
    for test in (bo.friedman, bo.aligned_friedman, bo.quade):
        one = test(bo.Scores(values, better="lower"), method="permutation", n_resamples=500)
        turned = values[rng.permutation(30)][:, rng.permutation(6)]
        other = test(bo.Scores(turned, better="lower"), method="permutation", n_resamples=500)
        assert (one.pvalue, one.confidence_interval) == (other.pvalue, other.confidence_interval)
        same = test(bo.Scores(values, better="lower"), method="permutation", n_resamples=500, rng=0)
        fresh = np.random.default_rng(0)
        given = test(bo.Scores(values, better="lower"), method="permutation", n_resamples=500, rng=fresh)
        assert one.pvalue == same.pvalue == given.pvalue


def test_clopper_pearson_equals_its_definition():
    for count, trials in ((0, 50), (3, 50), (25, 50), (50, 50)):
        low, high = clopper_pearson(count, trials)
        for bound, tail in ((low, range(count, trials + 1)), (high, range(count + 1))):
            if 0 < bound < 1:
                p = sum(math.comb(trials, i) * bound**i * (1 - bound) ** (trials - i) for i in tail)
                assert p == pytest.approx(0.005, rel=1e-9)
    assert clopper_pearson(0, 50)[0] == 0.0
    assert clopper_pearson(50, 50)[1] == 1.0


# --- limits and parameters ------------------------------------------------------------------------------------------


def test_exact_beyond_its_limit_is_refused_and_auto_is_not():
    s = bo.Scores(np.random.default_rng(12).normal(size=(40, 7)), better="lower")
    for test in (bo.friedman, bo.aligned_friedman, bo.quade):
        with pytest.raises(bo.BakeoffError, match=r'out of reach.*"permutation".*"auto"'):
            test(s, method="exact")
        assert test(s, method="auto", n_resamples=200).method == "permutation"
        r = test(s, method="auto", n_resamples=10**6)
        assert r.method in ("chi2", "f")
        assert "rough (limit)" in {c.name for c in r.cautions}
        assert r.pvalue == test(s).pvalue


def test_the_documented_reach():
    for k, n in zip(range(2, 10), (996, 386, 100, 27, 11, 5, 3, 2), strict=True):
        pattern = tuple(range(k))
        assert not obstacle((pattern,) * n)
        assert obstacle((pattern,) * (n + 1))
        with pytest.raises(bo.BakeoffError, match="largest n is"):
            friedman_null(k, n + 1)


def test_many_algorithms_with_few_orders():
    """One winner among 45 and the rest tied: five times the same one has probability 45⁻⁴."""
    s = bo.Scores(np.tile(np.arange(45) == 7, (5, 1)).astype(float), better="higher")
    assert bo.friedman(s, method="exact").pvalue == pytest.approx(45.0**-4, rel=1e-13)
    assert bo.friedman(s.select(problems=[0]), method="exact").pvalue == 1.0
    untied = bo.Scores(np.random.default_rng(0).normal(size=(1, 45)), better="higher")
    assert bo.friedman(untied, method="exact").pvalue == 1.0
    wide = bo.Scores(np.random.default_rng(0).normal(size=(20, 300)), better="higher")  # 300! is beyond a float
    assert bo.friedman(wide, method="auto", n_resamples=99).method == "permutation"
    levels = bo.Scores(np.arange(45.0) // 44 * np.arange(1.0, 31)[:, None], better="higher")
    assert bo.quade(levels, method="auto", n_resamples=99).method == "permutation"


@pytest.mark.parametrize("bad", [0, -3, 2.5, "many", True, None])
def test_n_resamples_is_a_positive_whole_number(bad):
    s = bo.Scores([[1, 2, 3], [2, 1, 3]], better="lower")
    for test in (bo.friedman, bo.aligned_friedman, bo.quade):
        with pytest.raises(bo.BakeoffError, match="n_resamples"):
            test(s, method="permutation", n_resamples=bad)


@pytest.mark.parametrize("bad", [-1, 2.5, "seed", True, np.random])
def test_rng_is_a_seed_or_a_generator(bad):
    with pytest.raises(bo.BakeoffError, match="rng"):
        bo.quade(bo.Scores([[1, 2, 3], [2, 1, 3]], better="lower"), method="permutation", rng=bad)


@pytest.mark.parametrize("bad", [(1, 5), (0, 5), (3, 0), (3, 2.0), (True, 5)])
def test_friedman_null_checks_its_sizes(bad):
    with pytest.raises(bo.BakeoffError, match="whole number"):
        friedman_null(*bad)
