"""What must hold for every table: invariances, mirror images, and the order of the corrections.

``HYPOTHESIS_PROFILE=deep`` tries 500 tables instead of 10 wherever no number is given; the tests marked slow always do.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings, strategies as st

import bakeoff as bo
from strategies import (
    OMNIBUS,
    PAIRWISE,
    analyses,
    by_name,
    check_comparison,
    comparison_by_name,
    directions,
    numbers_in,
    options_of,
    scores,
    tables,
)

ANALYSES = {name: function for name, function in analyses().items() if name != "compare"}
QUICK = [n for n in ANALYSES if n not in ("tukey", "dunnett")]
QUADRATURE = ["tukey", "dunnett"]  # 20 ms a call: fewer examples
ON_RANKS = ["sign_test", "friedman", "iman_davenport", "multiple_sign_test", "kendall_w", "rank"]
deep = settings(max_examples=400, deadline=None, derandomize=True)
Table = np.ndarray[Any, Any]


def relative_allowed(s: bo.Scores, options: dict[str, Any]) -> bool:
    """A relative difference needs a mean that is not zero."""
    return not options.get("relative") or bool(s.values.min() > 0)


def shuffled(draw: st.DataObject, size: int) -> list[int]:
    return draw.draw(st.permutations(range(size)))


# --- relabelling and reordering ---------------------------------------------------------------------------------


@pytest.mark.few(3)
@pytest.mark.parametrize("name", QUICK)
@given(s=scores(min_n=3, max_n=8, taller=True), data=st.data())
@pytest.mark.slow_cases("wilcoxon")
def test_relabelling_algorithms_permutes_results_bitwise(name: str, s: bo.Scores, data: st.DataObject) -> None:
    same_by_name(name, s, s.select(algorithms=shuffled(data, s.n_algorithms)))


@pytest.mark.few(3)
@pytest.mark.parametrize("name", QUICK)
@given(s=scores(min_n=3, max_n=8, taller=True), data=st.data())
@pytest.mark.slow_cases("wilcoxon")
def test_permuting_problems_changes_nothing_bitwise(name: str, s: bo.Scores, data: st.DataObject) -> None:
    same_by_name(name, s, s.select(problems=shuffled(data, s.n_problems)))


@pytest.mark.slow
@pytest.mark.parametrize("name", QUADRATURE)
@settings(max_examples=3)
@given(s=scores(min_n=3, max_n=8, taller=True), data=st.data())
def test_no_order_matters_to_tests_with_a_pooled_error(name: str, s: bo.Scores, data: st.DataObject) -> None:
    turned = s.select(algorithms=shuffled(data, s.n_algorithms), problems=shuffled(data, s.n_problems))
    same_by_name(name, s, turned)


def same_by_name(name: str, s: bo.Scores, turned: bo.Scores) -> None:
    fixed = fixed_arguments(name, s)
    for options in options_of(name):
        if relative_allowed(s, options) and deterministic_and_quick(name, s, options):
            one, other = (by_name(ANALYSES[name](t, **fixed, **options), t, fixed.get("control")) for t in (s, turned))
            assert one == other


def deterministic_and_quick(name: str, s: bo.Scores, options: dict[str, Any]) -> bool:
    """Random permutations are drawn per column; all of them are enumerated here only for small tables."""
    heavy = options.get("method") == "auto" and name != "friedman" and s.values.size > 16
    return "n_resamples" not in options and not heavy


def fixed_arguments(name: str, s: bo.Scores) -> dict[str, str]:
    """The same algorithms by name, whatever column they are in."""
    names = s.algorithms
    if name in ("multiple_sign_test", "dunnett"):
        return {"control": names[0]}
    pairs = ("sign_test", "wilcoxon", "paired_t", "hodges_lehmann", "rank_biserial", "a12")
    pairs += ("mcnemar", "median_difference", "sign_flip", "cluster_t")
    return {"a": names[0], "b": names[1]} if name in pairs else {}


COMPARISONS = [
    (omnibus, pairwise, control)
    for omnibus, pairwise in [*((o, None) for o in OMNIBUS), *(("friedman", p) for p in PAIRWISE)]
    for control in (False, True)
]


@pytest.mark.few(17)
@pytest.mark.slow
@pytest.mark.parametrize(("omnibus", "pairwise", "control"), COMPARISONS)
@settings(max_examples=6)
@given(s=scores(max_n=8), data=st.data())
def test_relabelling_permutes_a_comparison_bitwise(
    omnibus: str, pairwise: str | None, control: bool, s: bo.Scores, data: st.DataObject
) -> None:
    same_when_turned(s, s.select(algorithms=shuffled(data, s.n_algorithms)), omnibus, pairwise, control)


@pytest.mark.few(2)
@pytest.mark.parametrize(("omnibus", "pairwise", "control"), COMPARISONS)
@settings(max_examples=6)
@given(s=scores(max_n=8), data=st.data())
@pytest.mark.slow_cases("iman-davenport-None-False")
def test_permuting_problems_leaves_a_comparison_as_it_is(
    omnibus: str, pairwise: str | None, control: bool, s: bo.Scores, data: st.DataObject
) -> None:
    same_when_turned(s, s.select(problems=shuffled(data, s.n_problems)), omnibus, pairwise, control)


def everything(omnibus: str) -> str | None:
    """Tukey's and Dunnett's tests take a tenth of a second each and are tried above."""
    return None if omnibus == "anova" else "all"


def same_when_turned(s: bo.Scores, turned: bo.Scores, omnibus: str, pairwise: str | None, control: bool) -> None:
    options = {"control": s.algorithms[0] if control else None, "pairwise": pairwise, "posthoc": everything(omnibus)}
    one, other = (bo.compare(t, omnibus=omnibus, **options) for t in (s, turned))
    check_comparison(one)
    assert comparison_by_name(one) == comparison_by_name(other)


@pytest.mark.few(1)
@pytest.mark.parametrize("recipe", ["demsar-2006", "garcia-2010", "derrac-2011"])
@settings(max_examples=6)
@given(s=scores(max_n=8), data=st.data())
def test_recipes_do_not_depend_on_any_order(recipe: str, s: bo.Scores, data: st.DataObject) -> None:
    turned = s.select(algorithms=shuffled(data, s.n_algorithms), problems=shuffled(data, s.n_problems))
    one, other = (bo.compare(t, control=s.algorithms[0], recipe=recipe) for t in (s, turned))
    assert comparison_by_name(one) == comparison_by_name(other)


@pytest.mark.slow
@given(tables(min_n=1, max_n=6, max_k=4), directions, st.data())
def test_the_order_of_runs_changes_nothing(table: Table, better: Any, data: st.DataObject) -> None:
    runs = table[:, :, None] + np.array([0.1, 0.2, 0.7])
    turned = runs[:, :, shuffled(data, 3)]
    one, other = (bo.compare(bo.Scores(x, better=better)) for x in (runs, turned))
    assert one.pairs == other.pairs


# --- transformations of the scores ------------------------------------------------------------------------------


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ON_RANKS)
@given(tables(max_n=7), directions, st.data())
def test_increasing_transforms_of_single_problems_change_nothing_on_ranks(
    name: str, table: Table, better: Any, data: st.DataObject
) -> None:
    """Each problem's scores are replaced by other numbers in the same order."""
    other = table.copy()
    for i in range(len(table)):
        levels, place = np.unique(table[i], return_inverse=True)
        steps = data.draw(st.lists(st.floats(1e-3, 1e3), min_size=len(levels), max_size=len(levels)))
        other[i] = np.cumsum(steps)[place] - data.draw(st.sampled_from([0.0, 1e4, -3.0]))
    same(ANALYSES[name](bo.Scores(table, better=better)), ANALYSES[name](bo.Scores(other, better=better)))


@pytest.mark.few(3)
@pytest.mark.parametrize("name", QUICK)
@given(tables(max_n=7))
def test_lower_is_better_on_x_equals_higher_is_better_on_minus_x(name: str, table: Table) -> None:
    one, other = bo.Scores(table, better="lower"), bo.Scores(-table, better="higher")
    for options in options_of(name):
        if not relative_allowed(one, options):
            continue
        r, t = ANALYSES[name](one, **options), ANALYSES[name](other, **options)
        if name == "contrast_estimation":  # in raw score units: m_u − m_v
            assert np.array_equal(r.estimates, -t.estimates)
        elif name == "anova":
            assert np.array_equal(r.means, -t.means)
            assert (r.statistic, r.pvalue, r.log_pvalue) == (t.statistic, t.pvalue, t.log_pvalue)
        else:
            same(r, t)


@pytest.mark.slow
@given(tables(max_n=7), st.sampled_from([None, 0]), st.sampled_from(OMNIBUS))
def test_the_direction_turns_a_comparison_with_the_scores(table: Table, control: int | None, omnibus: str) -> None:
    one = bo.compare(bo.Scores(table, better="lower"), control=control, omnibus=omnibus, posthoc=everything(omnibus))
    turned = bo.Scores(-table, better="higher")
    other = bo.compare(turned, control=control, omnibus=omnibus, posthoc=everything(omnibus))
    assert one.pairs == other.pairs
    assert one.groups == other.groups
    assert np.array_equal(one.mean_ranks, other.mean_ranks)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUADRATURE)
@settings(max_examples=2)
@given(table=tables(max_n=7), power=st.sampled_from([-60, 40]))
def test_direction_and_units_do_not_matter_to_tests_with_a_pooled_error(name: str, table: Table, power: int) -> None:
    assume(not np.any((table != 0) & (np.abs(table) < 1e-100)))
    one = ANALYSES[name](bo.Scores(table, better="lower"))
    for other in (bo.Scores(-table, better="higher"), bo.Scores(np.ldexp(table, power), better="lower")):
        assert np.array_equal(one.pvalue, ANALYSES[name](other).pvalue)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", QUICK)
@given(tables(max_n=7), directions, st.sampled_from([-60, -3, 1, 40]))
def test_a_power_of_two_changes_nothing_but_units(name: str, table: Table, better: Any, power: int) -> None:
    assume(not np.any((table != 0) & (np.abs(table) < 1e-100)))  # denormals lose digits, and squares underflow
    one, other = bo.Scores(table, better=better), bo.Scores(np.ldexp(table, power), better=better)
    for options in options_of(name):
        if not relative_allowed(one, options) or "n_resamples" in options:
            continue
        for (path, x), (_, y) in zip(
            numbers_in(ANALYSES[name](one, **options)), numbers_in(ANALYSES[name](other, **options)), strict=True
        ):
            if x != y:
                assert not any(word in path for word in ("pvalue", "rank", "counts", "rejected", "df"))
                assert math.ldexp(x, power) == y or math.ldexp(x, 2 * power) == y


@pytest.mark.slow
@given(tables(max_n=7), directions, st.sampled_from([-60, 1, 40]), st.sampled_from(OMNIBUS))
def test_a_power_of_two_leaves_a_comparison_as_it_is(table: Table, better: Any, power: int, omnibus: str) -> None:
    assume(not np.any((table != 0) & (np.abs(table) < 1e-100)))
    one, other = (
        bo.compare(bo.Scores(x, better=better), omnibus=omnibus, posthoc=everything(omnibus))
        for x in (table, np.ldexp(table, power))
    )
    for p, q in zip(one.pairs, other.pairs, strict=True):
        assert (p.statistic, p.pvalue, p.adjusted, p.verdict) == (q.statistic, q.pvalue, q.adjusted, q.verdict)
        assert p.effect is not None
        assert q.effect is not None
        assert math.ldexp(p.effect.estimate, power) == q.effect.estimate
    assert one.groups == other.groups


# --- alternatives -----------------------------------------------------------------------------------------------

PAIRED = [
    ("sign_test", {}),
    ("sign_test", {"method": "normal"}),
    *(("wilcoxon", {"zeros": z, "method": m}) for z in ("split", "pratt", "drop") for m in ("exact", "normal")),
    ("paired_t", {}),
    ("sign_flip", {}),
    ("cluster_t", {}),
]


@pytest.mark.few(2)
@pytest.mark.parametrize(("name", "options"), PAIRED, ids=str)
@given(s=scores(max_n=9, max_k=3))
def test_alternatives_mirror(name: str, options: dict[str, Any], s: bo.Scores) -> None:
    """greater for (a, b) is less for (b, a); the null is symmetric, so two-sided is twice the smaller, capped."""
    test = getattr(bo, name)
    two, greater, less = (test(s, 0, 1, alternative=x, **options).pvalue for x in ("two-sided", "greater", "less"))
    back = [test(s, 1, 0, alternative=x, **options).pvalue for x in ("two-sided", "less", "greater")]
    assert [two, greater, less] == back
    # nothing differs: 1 in every direction; else the tails meet at the observed value
    assert greater == less == 1.0 or greater + less >= 1.0 - 1e-12
    assert math.isclose(two, min(1.0, 2 * min(greater, less)), rel_tol=1e-13)


@given(scores(max_n=9, max_k=3))
def test_signed_quantities_are_positive_where_a_is_better(s: bo.Scores) -> None:
    cost = s.values[:, 0] - s.values[:, 1] if s.better == "lower" else s.values[:, 1] - s.values[:, 0]
    if (cost <= 0).all() and (cost < 0).any():
        assert bo.hodges_lehmann(s, 0, 1).estimate >= 0
        assert bo.rank_biserial(s, 0, 1).statistic > 0
        assert bo.a12(s, 0, 1).estimate > 0.5
        assert bo.paired_t(s, 0, 1).statistic >= 0
        assert bo.sign_test(s, 0, 1, alternative="greater").pvalue <= bo.sign_test(s, 0, 1, alternative="less").pvalue
        r = bo.wilcoxon(s, 0, 1, alternative="greater")
        assert r.r_plus > r.r_minus
    for name in ("hodges_lehmann", "rank_biserial"):
        x, y = (numbers(getattr(bo, name)(s, *pair)) for pair in ((0, 1), (1, 0)))
        key = "estimate" if name == "hodges_lehmann" else "statistic"
        assert x[f"result.{key}"] == -y[f"result.{key}"]


# --- p-values: the order of the corrections ---------------------------------------------------------------------

pvalues = st.lists(
    st.one_of(st.floats(0, 1), st.sampled_from([0.0, 1e-320, 1e-200, 0.001, 0.01, 0.02, 0.05, 0.5, 1.0])),
    min_size=1,
    max_size=9,
)
LE = 1.0 + 1e-12


def at_most(*chain: Table) -> None:
    for lower, upper in itertools.pairwise(chain):
        assert np.all(lower <= upper * LE)


@pytest.mark.slow
@settings(max_examples=100)
@given(pvalues)
def test_corrections_of_a_list_are_ordered(p: list[float]) -> None:
    raw = np.array(p)
    a = {m: bo.adjust(p, m) for m in METHODS}
    at_most(raw, a["hommel"], a["hochberg"], a["holm"], a["bonferroni"])
    at_most(raw, a["rom"], a["hochberg"])
    at_most(raw, a["finner"], a["holland"], a["holm"])
    at_most(a["holland"], a["sidak"], a["bonferroni"])
    at_most(raw, a["fdr-bh"], a["hommel"])
    at_most(a["fdr-bh"], a["fdr-by"])
    at_most(raw, a["li"])


METHODS = ["bonferroni", "sidak", "holm", "holland", "finner", "hochberg", "hommel", "rom", "rom-printed", "li"]
METHODS += ["fdr-bh", "fdr-by"]


@pytest.mark.few(5)
@pytest.mark.parametrize("method", METHODS)
@given(p=pvalues, data=st.data())
def test_corrections_are_monotone_probabilities_in_any_order(method: str, p: list[float], data: st.DataObject) -> None:
    out = bo.adjust(p, method)
    order = shuffled(data, len(p))
    assert np.array_equal(bo.adjust(np.array(p)[order], method), out[order])
    assert np.all((out >= 0) & (out <= 1))
    by_p = np.argsort(p, kind="stable")
    assert np.all(np.diff(out[by_p]) >= 0)
    for i, j in itertools.pairwise(by_p):
        assert p[i] != p[j] or out[i] == out[j]


@pytest.mark.few(2)
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=25)
@given(p=pvalues)
def test_corrections_from_logarithms_agree(method: str, p: list[float]) -> None:
    with np.errstate(divide="ignore"):
        logs = np.log(p)
    back = np.exp(bo.adjust(logs, method, log=True))
    assert np.allclose(back, bo.adjust(p, method), rtol=1e-9, atol=1e-300)
    far = bo.adjust(logs - 5000.0, method, log=True)
    assert np.all(far >= logs - 5000.0 - 1e-9)
    assert np.all(far <= 0)


@st.composite
def families(draw: st.DrawFn) -> tuple[Table, Table | None]:
    """Symmetric p-values of all pairs: free ones, or z tests on rank sums with their positions."""
    k = draw(st.integers(2, 6))
    if draw(st.booleans()):
        x = np.array(draw(st.lists(st.integers(0, 60), min_size=k, max_size=k)), dtype=float)
        z = np.abs(x[:, None] - x) / draw(st.sampled_from([4.0, 11.0, 1.5]))
        return np.vectorize(lambda v: math.erfc(v / math.sqrt(2)))(z), x
    p = np.zeros((k, k))
    p[np.triu_indices(k, 1)] = draw(st.lists(pvalues.map(lambda v: v[0]), min_size=(m := k * (k - 1) // 2), max_size=m))
    return p + p.T, None


@pytest.mark.slow
@settings(max_examples=60)
@given(families(), st.data())
def test_corrections_of_all_pairs_are_ordered(family: tuple[Table, Table | None], data: st.DataObject) -> None:
    p, x = family
    off = ~np.eye(len(p), dtype=bool)
    a = {m: bo.adjust_pairwise(p, m, positions=x)[off] for m in PAIRWISE_METHODS}
    at_most(p[off], a["bergmann-hommel"], a["shaffer-dynamic"], a["shaffer"], a["holm"], a["nemenyi"])
    at_most(p[off], a["hommel"], a["hochberg"], a["holm"])
    monotone = bo.adjust_pairwise(p, "bergmann-hommel", positions=x, monotone=True)[off]
    at_most(a["bergmann-hommel"], monotone, a["shaffer"])
    order = shuffled(data, len(p))
    for method in PAIRWISE_METHODS:
        out = bo.adjust_pairwise(p, method, positions=x)
        assert np.array_equal(out, out.T)
        turned = bo.adjust_pairwise(p[np.ix_(order, order)], method, positions=None if x is None else x[order])
        assert np.array_equal(turned, out[np.ix_(order, order)])
        if x is not None:
            assert np.array_equal(out, bo.adjust_pairwise(p, method)), "positions only make it faster"


PAIRWISE_METHODS = ["nemenyi", "holm", "hochberg", "hommel", "shaffer", "shaffer-dynamic", "bergmann-hommel"]


# --- two algorithms ---------------------------------------------------------------------------------------------


@given(tables(max_n=9, min_k=2, max_k=2), directions)
@example(np.array([[1.0, 2.0]]), "lower")
def test_with_two_algorithms_friedman_is_the_sign_test(table: Table, better: Any) -> None:
    s = bo.Scores(table[table[:, 0] != table[:, 1]] if (table[:, 0] != table[:, 1]).any() else table, better=better)
    sign = bo.sign_test(s, 0, 1, method="normal")
    chi2 = bo.friedman(s)
    if sign.ties == 0:
        assert sign.zstatistic is not None
        assert math.isclose(chi2.statistic, sign.zstatistic**2, rel_tol=1e-13, abs_tol=1e-13)
        least = 0.5 ** (s.n_problems - 1)  # ranks give no smaller p, whatever their limit law says
        assert math.isclose(chi2.pvalue, max(sign.pvalue, least), rel_tol=1e-11)
        ranks = bo.compare(s, pairwise="mean-ranks").pairs[0]
        assert math.isclose(ranks.statistic, sign.zstatistic, rel_tol=1e-13, abs_tol=1e-13)
        assert math.isclose(bo.friedman(s, method="exact").pvalue, bo.sign_test(s, 0, 1).pvalue, rel_tol=1e-12)
    # the correction for ties removes tied problems altogether
    full = bo.Scores(table, better=better)
    assert math.isclose(bo.friedman(full, ties="corrected").statistic, chi2.statistic, rel_tol=1e-12, abs_tol=1e-13)


@given(tables(max_n=9, min_k=2, max_k=2), directions)
def test_with_two_algorithms_anova_is_the_paired_t_test(table: Table, better: Any) -> None:
    s = bo.Scores(table, better=better)
    t, f = bo.paired_t(s, 0, 1), bo.anova(s)
    if math.isfinite(t.statistic) and math.isfinite(f.statistic):
        assert math.isclose(t.statistic**2, f.statistic, rel_tol=1e-8, abs_tol=1e-12)
        assert math.isclose(t.pvalue, f.pvalue, rel_tol=1e-7)


# --- deeper -----------------------------------------------------------------------------------------------------


@pytest.mark.exhaustive
@deep
@given(s=scores(max_n=14, max_k=7), data=st.data())
def test_no_order_matters_on_many_tables(s: bo.Scores, data: st.DataObject) -> None:
    turned = s.select(algorithms=shuffled(data, s.n_algorithms), problems=shuffled(data, s.n_problems))
    pairwise = data.draw(st.sampled_from([None, *PAIRWISE]))
    same_when_turned(s, turned, data.draw(st.sampled_from(OMNIBUS)), pairwise, data.draw(st.booleans()))


@pytest.mark.exhaustive
@settings(max_examples=800, deadline=None)
@given(families(), st.data())
def test_corrections_are_ordered_on_many_families(family: tuple[Table, Table | None], data: st.DataObject) -> None:
    test_corrections_of_all_pairs_are_ordered.hypothesis.inner_test(family, data)  # type: ignore[attr-defined]


def numbers(result: Any) -> dict[str, float]:
    return dict(numbers_in(result))


def same(one: Any, other: Any) -> None:
    assert numbers(one) == numbers(other)
