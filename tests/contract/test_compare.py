"""What compare() does, sentence by sentence of the contract, against formulas transcribed here in plain Python."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import figures, report
from strategies import CONTROL_METHODS, OMNIBUS, PAIRWISE, PAIRWISE_METHODS, check_comparison

RNG = np.random.default_rng(20240)
PLAIN = bo.Scores(RNG.normal(size=(12, 5)) + 0.6 * np.arange(5), list("edcba"), better="lower")
TIED = bo.Scores(RNG.integers(0, 4, size=(14, 4)) + np.arange(4), better="higher")
CEC = bo.datasets.load("derrac_cec2005")


def normal_two_sided(z: float) -> float:
    return math.erfc(abs(z) / math.sqrt(2.0))


# --- pairs and their raw tests ----------------------------------------------------------------------------------


@pytest.mark.few(9)
@pytest.mark.parametrize("s", [PLAIN, TIED, CEC], ids=["plain", "tied", "cec"])
@pytest.mark.parametrize("pairwise", PAIRWISE)
@pytest.mark.parametrize("control", [None, 2, -1])
def test_pairs_come_in_the_order_of_the_contract(s: bo.Scores, pairwise: str, control: int | None) -> None:
    c = bo.compare(s, control=control, pairwise=pairwise)
    check_comparison(c)  # the order of pairs, the parts' agreement, groups
    assert c.control == (None if control is None else s.algorithms[control])
    assert c.pairwise == pairwise


def mean_rank_reference(s: bo.Scores, ranking: str, standard_error: str) -> tuple[np.ndarray, float]:
    """Mean ranks and the standard error of a difference: Derrac et al. (2011), (12)-(14), ERRATA F2; or from the
    permutations of the ranks within problems, ERRATA F17, F18."""
    if standard_error == "permutation":
        ranks, n, k = {"mean-ranks": bo.rank, "aligned": bo.rank_aligned, "quade": bo.rank_weighted}, *s.values.shape
        table = ranks[ranking](s)
        spread = float(((table - table.mean(axis=1, keepdims=True)) ** 2).sum())
        divisor = n * (n + 1) / 2 if ranking == "quade" else n
        return table.sum(axis=0) / divisor, math.sqrt(2 / (k - 1) * spread) / divisor
    n, k = s.values.shape
    if ranking == "mean-ranks":
        return bo.rank(s).mean(axis=0), math.sqrt(k * (k + 1) / (6 * n))
    if ranking == "aligned":
        return bo.rank_aligned(s).mean(axis=0), math.sqrt(k * (k * n + 1) / 6)
    weighted = bo.rank_weighted(s).sum(axis=0) / (n * (n + 1) / 2)
    return weighted, math.sqrt(k * (k + 1) * (2 * n + 1) * (k - 1) / (18 * n * (n + 1)))


@pytest.mark.few(9)
@pytest.mark.parametrize("s", [PLAIN, TIED, CEC], ids=["plain", "tied", "cec"])
@pytest.mark.parametrize("ranking", ["mean-ranks", "aligned", "quade"])
@pytest.mark.parametrize("standard_error", [None, "permutation", "papers"])
def test_rankings_by_either_standard_error(s: bo.Scores, ranking: str, standard_error: str | None) -> None:
    means, se = mean_rank_reference(s, ranking, standard_error or "permutation")
    c = bo.compare(s, pairwise=ranking, standard_error=standard_error)
    assert (c.pairwise, c.standard_error) == (ranking, standard_error or "permutation")
    assert np.allclose(c.mean_ranks, means, rtol=1e-14)
    for p in c.pairs:
        a, b = s.algorithms.index(p.a), s.algorithms.index(p.b)
        z = (means[b] - means[a]) / se
        assert math.isclose(p.statistic, z, rel_tol=1e-12, abs_tol=1e-13)
        assert math.isclose(p.pvalue, normal_two_sided(z), rel_tol=1e-11)


@pytest.mark.parametrize("omnibus", OMNIBUS)
def test_the_test_of_pairs_does_not_follow_the_omnibus(omnibus: str) -> None:
    """The default looks at the two algorithms alone; the axis of the diagram is the omnibus test's."""
    c = bo.compare(CEC, omnibus=omnibus)
    assert (c.pairwise, c.standard_error, {p.test for p in c.pairs}) == ("wilcoxon", None, {"wilcoxon"})
    for p in c.pairs:
        assert (p.statistic, p.pvalue) == (bo.wilcoxon(CEC, p.a, p.b).statistic, bo.wilcoxon(CEC, p.a, p.b).pvalue)
    assert c.ranking == {"aligned": "aligned", "quade": "quade"}.get(omnibus, "friedman")


@pytest.mark.parametrize(
    ("options", "pairwise"),
    [
        ({"posthoc": "nemenyi"}, "mean-ranks"),
        ({"posthoc": ["holm", "nemenyi-range"], "omnibus": "quade"}, "mean-ranks"),
        ({"posthoc": "tukey", "omnibus": "anova"}, "t"),
        ({"posthoc": "dunnett", "omnibus": "anova", "control": 0}, "t"),
        ({"recipe": "demsar-2006"}, "mean-ranks"),
        ({"recipe": "derrac-2011", "control": 1}, "mean-ranks"),
    ],
    ids=str,
)
def test_what_a_correction_or_recipe_implies(options: dict, pairwise: str) -> None:
    c = bo.compare(PLAIN, **options)
    assert c.pairwise == pairwise
    assert {p.test for p in c.pairs} == {pairwise}


def test_nemenyis_range_keeps_demsars_standard_error_unless_told() -> None:
    """The bar of the diagram is his; ties make ranks less variable, which the permutation form allows for."""
    n, k = TIED.values.shape
    printed = bo.compare(TIED, posthoc="nemenyi")
    assert printed.standard_error == "papers"
    assert printed.critical_difference == pytest.approx(bo.critical_difference(k, n), rel=1e-13)
    corrected = bo.compare(TIED, posthoc="nemenyi", standard_error="permutation")
    _, se = mean_rank_reference(TIED, "mean-ranks", "permutation")
    narrower = se / math.sqrt(k * (k + 1) / (6 * n))
    assert corrected.critical_difference == pytest.approx(narrower * bo.critical_difference(k, n), rel=1e-12)
    beside = bo.compare(TIED, posthoc=["holm", "nemenyi"])
    assert beside.standard_error == "permutation"
    for p, q, r in zip(printed.pairs, beside.pairs, corrected.pairs, strict=True):
        assert q.adjusted["nemenyi"] == pytest.approx(p.adjusted["nemenyi"], rel=1e-12)
        assert q.pvalue == r.pvalue


def test_standard_errors_are_of_rankings() -> None:
    with pytest.raises(bo.BakeoffError, match=r"standard_error is for tests on ranks.*'wilcoxon'"):
        bo.compare(PLAIN, standard_error="papers")
    with pytest.raises(bo.BakeoffError, match="standard_error is fixed by recipe"):
        bo.compare(PLAIN, recipe="demsar-2006", standard_error="permutation")
    with pytest.raises(bo.BakeoffError, match="standard_error must be one of"):
        bo.compare(PLAIN, pairwise="quade", standard_error="paper")


def test_the_logarithm_makes_differences_ratios() -> None:
    rng = np.random.default_rng(12)
    values = rng.lognormal(size=(14, 3)) * 10.0 ** np.arange(-6, 8)[:, None] * np.array([1.0, 1.5, 2.5])
    s, logs = bo.Scores(values, better="lower"), bo.Scores(np.log(values), better="lower")
    plain = bo.compare(s)
    assert "scales-differ" in {x.code for x in plain.cautions}
    for pairwise in (None, "t", "aligned", "sign"):
        c, expected = bo.compare(s, transform="log", pairwise=pairwise), bo.compare(logs, pairwise=pairwise)
        assert c.transform == "log"
        assert "scales-differ" not in {x.code for x in c.cautions}
        for p, q in zip(c.pairs, expected.pairs, strict=True):
            assert p.pvalue == pytest.approx(q.pvalue, rel=1e-9)
            assert p.effect.estimate == pytest.approx(q.effect.estimate, rel=1e-9)
            assert (p.wins, p.ties, p.losses) == (q.wins, q.ties, q.losses)
    with pytest.raises(
        bo.BakeoffError, match=r"transform 'log' needs scores above 0; problem 'P2', algorithm 'A2' is 0 "
    ):
        bo.compare(bo.Scores([[1.0, 2.0], [3.0, 0.0]], better="lower"), transform="log")
    with pytest.raises(bo.BakeoffError, match="transform must be one of"):
        bo.compare(s, transform="sqrt")


def test_equal_ratios_tie_on_the_logarithmic_scale() -> None:
    """1 : 1.1 and 10 : 11 are the same ratio, though their logarithms differ in the last bits."""
    values = [[1.0, 1.1], [10.0, 11.0], [0.3, 0.33], [7e-9, 7.7e-9], [1.1, 1.0], [3e8, 3.3e8], [2.0, 2.2]]
    c = bo.compare(bo.Scores(values, better="lower"), transform="log")
    assert c.pairs[0].statistic == 4.0  # all seven tie at rank 4


@pytest.mark.parametrize("s", [PLAIN, TIED, CEC], ids=["plain", "tied", "cec"])
@pytest.mark.parametrize("pairwise", ["wilcoxon", "sign", "t"])
def test_paired_tests_of_pairs_are_the_public_ones(s: bo.Scores, pairwise: str) -> None:
    test = {"wilcoxon": bo.wilcoxon, "sign": bo.sign_test, "t": bo.paired_t}[pairwise]
    for p in bo.compare(s, pairwise=pairwise, omnibus="anova").pairs:
        r = test(s, p.a, p.b)
        assert (p.statistic, p.pvalue, p.log_pvalue) == (r.statistic, r.pvalue, r.log_pvalue)


def test_anova_with_paired_t_tests_knows_tukey_and_dunnett() -> None:
    c = bo.compare(PLAIN, omnibus="anova", pairwise="t", posthoc="all")
    assert (c.omnibus.name, c.pairwise) == ("anova", "t")
    assert "tukey" in c.posthoc
    assert "dunnett" in bo.compare(PLAIN, control=0, omnibus="anova", pairwise="t", posthoc="all").posthoc
    tukey = bo.tukey(PLAIN).pvalue
    for p in c.pairs:
        i, j = PLAIN.index(p.a), PLAIN.index(p.b)
        assert p.adjusted["tukey"] == tukey[i, j]


@pytest.mark.parametrize("omnibus", OMNIBUS)
def test_the_omnibus_is_tie_corrected(omnibus: str) -> None:
    tests = (bo.iman_davenport, bo.friedman, bo.aligned_friedman, bo.quade, bo.anova)
    functions = dict(zip(OMNIBUS, tests, strict=True))
    c = bo.compare(TIED, omnibus=omnibus)
    expected = bo.anova(TIED) if omnibus == "anova" else functions[omnibus](TIED, ties="corrected")
    assert c.omnibus.statistic == expected.statistic
    if omnibus == "anova":
        assert c.omnibus.pvalue == expected.pvalue
    else:
        assert c.omnibus.ties == "corrected"
        assert ("ties", "tie-corrected") in {(x.parameter, x.value) for x in c.choices}


EXACT = {"iman-davenport": bo.friedman, "friedman": bo.friedman, "aligned": bo.aligned_friedman, "quade": bo.quade}


@pytest.mark.slow
@pytest.mark.parametrize("omnibus", EXACT)
def test_the_omnibus_takes_the_exact_law_where_that_is_quick(omnibus: str) -> None:
    """F-A5, F-A6: by size, not by clock; sampled only if asked; a recipe has its paper's law."""
    small, large = (
        bo.Scores(PLAIN.values[:5, :4], better="lower"),
        bo.Scores(np.tile(PLAIN.values, (3, 1)), better="lower"),
    )
    c = bo.compare(small, omnibus=omnibus)
    assert c.omnibus.method == "exact"
    assert c.omnibus.pvalue == pytest.approx(EXACT[omnibus](small, method="exact").pvalue, rel=1e-12)
    assert c.companion is None or c.companion.pvalue == c.omnibus.pvalue
    assert ("distribution", "exact") in {(x.parameter, x.value) for x in c.choices}
    limit = bo.compare(large, omnibus=omnibus)
    assert limit.omnibus.method in ("f", "chi2")
    sampled = bo.compare(large, omnibus=omnibus, rng=1)
    assert sampled.omnibus.method == "permutation"
    assert "sampled" in {x.code for x in sampled.cautions}
    assert sampled.omnibus.pvalue == bo.compare(large, omnibus=omnibus, rng=1).omnibus.pvalue
    assert bo.compare(large, recipe="derrac-2011").omnibus.method == "f"


def test_a_small_table_has_the_p_it_has() -> None:
    """F-A5: three problems, three algorithms, F has .049 where the exact p is .194."""
    s = bo.Scores([[1, 2, 3], [1, 2, 3], [1, 3, 2]], better="lower")
    assert bo.compare(s).omnibus.pvalue == pytest.approx(7 / 36, rel=1e-12)


@pytest.mark.parametrize("test", [bo.friedman, bo.iman_davenport, bo.aligned_friedman, bo.quade])
def test_no_p_is_below_that_of_perfect_agreement(test: object) -> None:
    """F-A6: F's p of the second table was 3.9e-10, below the 9.9e-8 of perfect agreement."""
    agreeing = np.tile([1.0, 2.0, 3.0], (10, 1))
    swapped = agreeing.copy()
    swapped[0] = [2.0, 1.0, 3.0]
    for values in (agreeing, swapped, agreeing[:1], np.tile(np.arange(6.0), (4, 1))):
        n, k = values.shape
        result = test(bo.Scores(values, better="lower"))  # type: ignore[operator]
        assert result.pvalue >= math.factorial(k) ** (1.0 - n) * (1 - 1e-12)
        assert result.log_pvalue >= -(n - 1) * math.lgamma(k + 1) - 1e-9


def test_one_problem_is_said_to_leave_no_test() -> None:
    """U-B12: not "F = inf (7 and 0 degrees of freedom), p = 1"."""
    c = bo.compare(bo.Scores([np.arange(8.0)], better="lower"))
    for name in ("txt", "md"):
        text = " ".join(report.render(c, name).split())
        assert "no test possible" in text
        assert "inf" not in text.replace("infinite", "")
    assert "no test is possible with one problem" in report.render(c, "md")


def test_no_law_is_named_where_there_is_none() -> None:
    """F-B5: analysis of variance without error variance."""
    s = bo.Scores(np.tile([1.0, 2.0, 4.0], (6, 1)), better="lower")
    text = report.render(bo.compare(s, omnibus="anova"), "md")
    assert "repeated-measures analysis of variance (" in text
    assert "exact law" not in text


def test_runs_are_averaged_and_said_to_be() -> None:
    runs = RNG.integers(0, 9, size=(10, 3, 4)).astype(float)
    c = bo.compare(bo.Scores(runs, better="lower"))
    means = bo.compare(bo.Scores(runs.mean(axis=2), better="lower"))
    assert c.pairs == means.pairs
    assert "runs" in {x.parameter for x in c.choices}


# --- corrections ------------------------------------------------------------------------------------------------


def upper(s: bo.Scores, c: bo.Comparison) -> np.ndarray:
    p = np.ones((s.n_algorithms, s.n_algorithms))
    for pair in c.pairs:
        i, j = s.index(pair.a), s.index(pair.b)
        p[i, j] = p[j, i] = pair.pvalue
    return p


@pytest.mark.few(12)
@pytest.mark.parametrize("method", CONTROL_METHODS)
@pytest.mark.parametrize("pairwise", PAIRWISE)
def test_every_correction_with_a_control_is_adjust(method: str, pairwise: str) -> None:
    c = bo.compare(PLAIN, control="c", posthoc=method, pairwise=pairwise)
    assert (c.primary, c.posthoc) == (method, (method,))
    expected = bo.adjust([p.pvalue for p in c.pairs], method)
    assert [p.adjusted[method] for p in c.pairs] == expected.tolist()


@pytest.mark.few(14)
@pytest.mark.parametrize("method", PAIRWISE_METHODS)
@pytest.mark.parametrize("pairwise", PAIRWISE)
def test_every_correction_of_all_pairs_is_adjust_pairwise(method: str, pairwise: str) -> None:
    c = bo.compare(PLAIN, posthoc=method, pairwise=pairwise)
    assert (c.primary, c.posthoc) == (method, (method,))
    expected = bo.adjust_pairwise(upper(PLAIN, c), method)  # without positions: the general algorithm
    for p in c.pairs:
        assert math.isclose(p.adjusted[method], expected[PLAIN.index(p.a), PLAIN.index(p.b)], rel_tol=1e-13)


@pytest.mark.parametrize(("control", "primary"), [("b", "holm"), (None, "bergmann-hommel")])
def test_the_default_correction_decides_also_among_all(control: str | None, primary: str) -> None:
    assert bo.compare(PLAIN, control=control).posthoc == (primary,)
    c = bo.compare(PLAIN, control=control, posthoc="all")
    assert c.primary == primary
    family = CONTROL_METHODS if control else PAIRWISE_METHODS
    assert control or "nemenyi" in bo.compare(PLAIN, pairwise="mean-ranks", posthoc="all").posthoc
    missing = set(family) - set(c.posthoc)
    assert missing <= {"rom-printed", "fdr-bh", "fdr-by"}  # liberal, or control another error rate


def test_nemenyi_and_bergmann_hommel_can_each_reject_what_the_other_does_not() -> None:
    """F-B1: neither dominates, so no text may say that the default rejects everything that Nemenyi's test does."""
    s = bo.Scores([[1, 2, 3]] * 10 + [[3, 2, 1]] * 4 + [[1, 3, 2]], better="lower")
    c = bo.compare(s, posthoc=["nemenyi", "bergmann-hommel"])
    first = c.pairs[1]
    assert first.adjusted["nemenyi"] == pytest.approx(0.0464, abs=5e-5)
    assert first.adjusted["bergmann-hommel"] == pytest.approx(0.0529, abs=5e-5)
    assert c.critical_difference == pytest.approx(0.856, abs=5e-4)
    better = [p.adjusted for p in bo.compare(CEC, posthoc=["nemenyi", "bergmann-hommel"]).pairs]
    assert any(p["bergmann-hommel"] < p["nemenyi"] for p in better)


def test_two_algorithms_by_dunnett_are_compared_by_t() -> None:
    """F-A11: refused with the advice to give what had been given."""
    s = bo.Scores(PLAIN.values[:, :2], better="lower")
    for posthoc, control in (("dunnett", 0), ("tukey", None)):
        c = bo.compare(s, omnibus="anova", posthoc=posthoc, control=control)
        assert (c.pairwise, c.pairs[0].pvalue) == ("t", bo.paired_t(s, 0, 1).pvalue)


def test_the_first_of_a_list_decides() -> None:
    c = bo.compare(PLAIN, posthoc=["nemenyi", "holm", "nemenyi-range"])
    assert (c.primary, c.posthoc) == ("nemenyi", ("nemenyi", "holm"))
    assert bo.compare(PLAIN, posthoc=("holm", "nemenyi")).primary == "holm"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"posthoc": "shaffer", "control": 0}, "control"),
        ({"posthoc": "nemenyi-range", "control": 0}, "control"),
        ({"posthoc": "rom"}, "control"),
        ({"posthoc": ["holm", "finner"]}, "finner"),
        ({"posthoc": "nemenyi-range", "pairwise": "wilcoxon"}, "mean-ranks"),
        ({"posthoc": "nemenyi", "pairwise": "quade"}, "mean-ranks"),
        ({"posthoc": "dunnett", "omnibus": "anova", "control": 0, "pairwise": "wilcoxon"}, 'pairwise="t"'),
        ({"posthoc": "tukey"}, "anova"),
        ({"posthoc": "dunnett", "control": 0}, "anova"),
        ({"posthoc": "dunnett", "omnibus": "anova"}, "dunnett"),
        ({"posthoc": "tukey", "omnibus": "anova", "control": 0}, "tukey"),
        ({"posthoc": "bergman"}, "did you mean 'bergmann-hommel'"),
        ({"posthoc": []}, "empty"),
        ({"posthoc": ()}, "empty"),
        ({"posthoc": ""}, "got ''"),
        ({"posthoc": 5}, "got 5"),
        ({"posthoc": ["holm", 5]}, "got 5"),
        ({"posthoc": ["holm", ["shaffer"]]}, "got"),
        ({"posthoc": ["holm", "all"]}, "alone"),
        ({"posthoc": {"holm": 1, 2: 3}}, "got 2"),
    ],
    ids=str,
)
def test_a_wrong_family_or_name_is_an_error(options: dict, says: str) -> None:
    with pytest.raises(bo.BakeoffError, match=f"posthoc.*{says}"):
        bo.compare(PLAIN, **options)


@pytest.mark.parametrize("pairwise", ["wilcoxon", "mean-ranks"])
@pytest.mark.slow_cases("mean-ranks")
def test_no_correction_is_replaced_silently(pairwise: str) -> None:
    """Beyond 12 algorithms Shaffer decides, as the choices say; what "all" leaves out is named, what is asked for by
    name and is beyond its limit raises."""
    s = bo.Scores(np.random.default_rng(3).normal(size=(9, 26)) + np.arange(26) / 9, better="lower")
    default, every = bo.compare(s, pairwise=pairwise), bo.compare(s, pairwise=pairwise, posthoc="all")
    for c in (default, every):
        check_comparison(c)
        assert c.primary == "shaffer"
    assert "more than 12 algorithms" in next(x.reason for x in default.choices if x.parameter == "posthoc")
    assert "not-computed (correction)" not in {x.name for x in default.cautions}
    beyond = [x for x in every.cautions if x.name == "not-computed (correction)" and "bergmann-hommel was" in x.text]
    assert ("bergmann-hommel" in every.posthoc) == (not beyond) == (pairwise == "mean-ranks")
    if pairwise == "wilcoxon":
        with pytest.raises(bo.BakeoffError, match=r"[Ss]haffer"):
            bo.compare(s, pairwise=pairwise, posthoc="bergmann-hommel")
        with pytest.raises(bo.BakeoffError, match=r"[Ss]haffer"):
            bo.compare(s, pairwise=pairwise, posthoc=["holm", "bergmann-hommel"])


@pytest.mark.slow
def test_a_long_family_with_a_control_has_all_that_can_be_computed() -> None:
    s = bo.Scores(np.random.default_rng(3).normal(size=(6, 400)), better="lower")
    for options in ({"posthoc": "all"}, {"recipe": "derrac-2011"}):
        c = bo.compare(s, control=0, **options)
        assert c.primary == "holm"
        assert {"holm", "hommel", "finner"} <= set(c.posthoc)
        assert set(c.posthoc) <= set(CONTROL_METHODS)
        left_out = [x.text for x in c.cautions if x.name == "not-computed (correction)"]
        assert ("rom" in c.posthoc) != any(text.startswith("rom ") for text in left_out)
        assert not any("Shaffer" in text for text in left_out)


# --- verdicts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("control", [None, "e"])
def test_verdicts_follow_the_primary_correction_at_alpha(control: str | None) -> None:
    c = bo.compare(PLAIN, control=control)
    values = sorted({p.adjusted[c.primary] for p in c.pairs} - {1.0})
    for alpha in (values[0], values[len(values) // 2], float(np.nextafter(values[1], 0))):
        at = bo.compare(PLAIN, control=control, alpha=alpha)
        for p in at.pairs:
            mean = dict(zip(PLAIN.algorithms, at.mean_ranks, strict=True))
            better = "a better" if mean[p.a] < mean[p.b] else "b better"
            assert p.verdict == (better if p.adjusted[at.primary] <= alpha else "no difference shown")


def outcomes(n: int, k: int) -> list[np.ndarray]:
    """One table for each set of rank sums that n problems without ties can give k algorithms."""
    rows = [np.array(p) for p in itertools.permutations(range(1, k + 1))]
    found = {tuple(rows[0]): rows[0][None, :]}
    for _ in range(n - 1):
        step: dict[tuple[int, ...], np.ndarray] = {}
        for table in found.values():
            for row in rows:
                new = np.vstack([table, row])
                new = new[:, np.argsort(new.sum(axis=0), kind="stable")]
                step.setdefault(tuple(new.sum(axis=0)), new)
        found = step
    return list(found.values())


@pytest.mark.few(2)
@pytest.mark.slow
@pytest.mark.parametrize(("n", "k"), [(2, 3), (3, 3), (4, 3), (5, 3), (2, 4)])
@pytest.mark.parametrize("control", [None, 0])
def test_cannot_tell_means_that_no_outcome_could_have(n: int, k: int, control: int | None) -> None:
    methods = ["holm", "hommel", "bonferroni", "finner"] if control == 0 else ["holm", "hommel", "bergmann-hommel"]
    tables = outcomes(n, k)
    for method in methods:
        found = [bo.compare(bo.Scores(t, better="lower"), control=control, posthoc=method) for t in tables]
        best = min(p.adjusted[method] for c in found for p in c.pairs)
        for alpha in (0.05, 0.2):
            verdicts = {
                p.verdict
                for t in tables[:: max(1, len(tables) // 8)]
                for p in bo.compare(bo.Scores(t, better="lower"), control=control, posthoc=method, alpha=alpha).pairs
            }
            if verdicts == {"cannot tell"}:
                assert best > alpha
            else:
                assert "cannot tell" not in verdicts, "it depends on the design alone"
                if method != "hommel":
                    assert best <= alpha


@pytest.mark.parametrize(("n", "k", "possible"), [(5, 2, False), (6, 2, True), (7, 3, True), (6, 3, False)])
def test_signed_ranks_need_enough_problems(n: int, k: int, possible: bool) -> None:
    """The least p of n problems is 2^(1−n); over m pairs m·2^(1−n): 3/64 with 7 problems, 3/32 with 6."""
    values = np.arange(n)[:, None] * 3.0 + np.arange(k) * (1 + np.arange(n)[:, None] / 10)
    c = bo.compare(bo.Scores(values, better="lower"), pairwise="wilcoxon")
    assert ({p.verdict for p in c.pairs} == {"cannot tell"}) == (not possible)
    if possible:
        assert {p.verdict for p in c.pairs} == {"a better"}


def test_a_verdict_does_not_depend_on_the_omnibus() -> None:
    """A non-rejecting omnibus is a caution, not a gate."""
    rng = np.random.default_rng(1)
    for _ in range(400):
        s = bo.Scores(rng.normal(size=(8, 4)) + np.array([0, 0.5, 0.5, 1.0]), better="lower")
        c = bo.compare(s, omnibus="friedman", posthoc="bergmann-hommel")
        if c.omnibus.pvalue > 0.05 and any("better" in p.verdict for p in c.pairs):
            break
    else:
        pytest.fail("no such table found")
    assert "omnibus-not-rejected" in {x.code for x in c.cautions}


# --- two algorithms ---------------------------------------------------------------------------------------------


@pytest.mark.few(15)
@pytest.mark.parametrize("omnibus", OMNIBUS)
@pytest.mark.parametrize("control", [None, 0, 1])
@pytest.mark.parametrize("posthoc", [None, "holm", "all"])
def test_two_algorithms_are_compared_by_the_exact_wilcoxon_test(omnibus: str, control: int, posthoc: str) -> None:
    s = bo.Scores(RNG.integers(0, 9, size=(14, 2)), better="higher")
    c = bo.compare(s, control=control, omnibus=omnibus, posthoc=posthoc)
    check_comparison(c)
    (pair,) = c.pairs
    raw = bo.wilcoxon(s, pair.a, pair.b, method="exact")
    assert (c.pairwise, pair.pvalue) == ("wilcoxon", raw.pvalue)
    assert set(pair.adjusted.values()) == {raw.pvalue}
    assert any(x.parameter == "pairwise" and "Wilcoxon" in x.reason for x in c.choices)


def test_an_infinite_difference_is_larger_than_all_others() -> None:
    """Only inf − inf is undefined: then the sign is all there is."""
    finite = [[float(i), i + 1.0 + i % 3] for i in range(9)]
    (pair,) = bo.compare(bo.Scores([[1.0, math.inf], *finite], better="lower")).pairs
    assert (pair.test, pair.pvalue, pair.statistic) == ("wilcoxon", 2 * 0.5**10, 0.0)
    (pair,) = bo.compare(bo.Scores([[math.inf, 1.0], [math.inf, 5.0], *finite], better="lower")).pairs
    large = bo.Scores([[1e6, 1.0], [1e6 + 4, 5.0], *finite], better="lower")
    assert (pair.statistic, pair.pvalue) == (21.0, bo.wilcoxon(large, 0, 1).pvalue)
    (pair,) = (c := bo.compare(bo.Scores([[math.inf, math.inf], *finite], better="lower"))).pairs
    assert (c.pairwise, pair.test, pair.pvalue) == ("sign", "sign", 2 * 0.5**9)
    with pytest.raises(bo.BakeoffError, match="cannot use infinite scores"):
        bo.compare(bo.Scores([[1.0, math.inf], *finite], better="lower"), pairwise="wilcoxon")


def test_a_pair_with_an_undefined_difference_is_tested_by_signs_and_named() -> None:
    values = np.random.default_rng(4).normal(size=(12, 4)) + np.arange(4) * 2
    values[3, :2] = math.inf
    values[5, 3] = -math.inf
    c = bo.compare(s := bo.Scores(values, list("wxyz"), better="lower"))
    check_comparison(c)
    assert [p.test for p in c.pairs] == ["sign", *["wilcoxon"] * 5]
    assert c.pairs[0].pvalue == bo.sign_test(s, 0, 1).pvalue
    (text,) = (x.text for x in c.cautions if x.name == "infinite (undefined-differences)")
    assert text.startswith("1 pair with an undefined difference")
    assert text.endswith("w – x.")
    yz = values[:, 2:].copy()
    yz[5, 1] = -1e9
    assert c.pairs[5].pvalue == bo.wilcoxon(bo.Scores(yz, better="lower"), 0, 1).pvalue


def test_two_algorithms_by_another_test_asked_for() -> None:
    s = bo.Scores(RNG.normal(size=(14, 2)), better="higher")
    for pairwise in PAIRWISE:
        c = bo.compare(s, pairwise=pairwise)
        assert c.pairwise == pairwise
        assert set(c.pairs[0].adjusted.values()) == {c.pairs[0].pvalue}


# --- agreement, groups ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "k"), [(5, 3), (25, 9), (3, 4)])
@pytest.mark.parametrize("omnibus", ["iman-davenport", "quade"])
def test_perfect_agreement(n: int, k: int, omnibus: str) -> None:
    """Quade's test agrees perfectly only where all problems weigh the same (A = B)."""
    s = bo.Scores(np.arange(1.0, n + 1)[:, None] + np.arange(k), better="higher")
    c = bo.compare(s, omnibus=omnibus)
    assert c.omnibus.statistic == math.inf
    assert math.isclose(c.omnibus.log_pvalue, -(n - 1) * math.lgamma(k + 1), rel_tol=1e-12)
    assert "perfect-agreement" in {x.code for x in c.cautions}
    json.dumps(c.to_dict(), allow_nan=False)


@pytest.mark.few(8)
@pytest.mark.slow
@pytest.mark.parametrize("pairwise", PAIRWISE)
@pytest.mark.parametrize("posthoc", ["bonferroni", "bergmann-hommel"])
def test_groups_are_the_maximal_cliques_best_first(pairwise: str, posthoc: str) -> None:
    rng = np.random.default_rng(11)
    for _ in range(12):
        k = int(rng.integers(2, 7))
        s = bo.Scores(rng.integers(0, 12, size=(12, k)) + rng.integers(0, 5) * np.arange(k), better="lower")
        c = bo.compare(s, pairwise=pairwise, posthoc=posthoc)
        differ = {frozenset((p.a, p.b)) for p in c.pairs if "better" in p.verdict}
        cliques = [
            set(g)
            for size in range(1, k + 1)
            for g in itertools.combinations(s.algorithms, size)
            if not any(frozenset(x) in differ for x in itertools.combinations(g, 2))
        ]
        maximal = [g for g in cliques if not any(g < other for other in cliques)]
        assert sorted(map(sorted, c.groups)) == sorted(map(sorted, maximal))
        rank = dict(zip(s.algorithms, c.mean_ranks, strict=True))
        keys = [[rank[a] for a in g] for g in c.groups]
        assert all(key == sorted(key) for key in keys)
        assert keys == sorted(keys)
    assert bo.compare(s, control=0, pairwise=pairwise).groups == ()


@pytest.mark.parametrize("n", [5, 14, 60])
def test_only_a_single_step_correction_has_a_critical_difference(n: int) -> None:
    s = bo.Scores(RNG.normal(size=(n, 4)) + np.arange(4), better="lower")
    assert bo.compare(s, posthoc="holm", pairwise="mean-ranks").critical_difference is None
    assert bo.compare(s, posthoc=["holm", "nemenyi"]).critical_difference is None
    assert bo.compare(s, posthoc="bonferroni").critical_difference is None, "Wilcoxon's test is none of mean ranks"
    all_pairs = bo.compare(s, posthoc="nemenyi")
    assert all_pairs.critical_difference == bo.critical_difference(4, n)
    with_control = bo.compare(s, control=1, posthoc="bonferroni", pairwise="mean-ranks")
    assert with_control.critical_difference == pytest.approx(
        bo.critical_difference(4, n, method="bonferroni-dunn"), rel=1e-13
    )
    six = bo.compare(s, posthoc="bonferroni", pairwise="mean-ranks")
    assert six.critical_difference == pytest.approx(
        bo.critical_difference(7, n, method="bonferroni-dunn") / math.sqrt(2.8)
    )
    for c in (all_pairs, with_control, six):
        rank = dict(zip(s.algorithms, c.mean_ranks, strict=True))
        for p in c.pairs:
            assert ("better" in p.verdict) == (abs(rank[p.a] - rank[p.b]) >= c.critical_difference)


# --- recipes ----------------------------------------------------------------------------------------------------

FLAT = bo.Scores(np.random.default_rng(5).normal(size=(15, 5)), better="lower")  # nothing to find


@pytest.mark.few(3)
@pytest.mark.parametrize("recipe", ["demsar-2006", "garcia-2010", "derrac-2011"])
@pytest.mark.parametrize("control", [None, "SaDE"])
def test_recipes_use_the_papers_forms_and_gate(recipe: str, control: str | None) -> None:
    if recipe == "garcia-2010" and control is None:
        with pytest.raises(bo.BakeoffError, match="control"):
            bo.compare(CEC, recipe=recipe)
        return
    c = bo.compare(CEC, control=control, recipe=recipe)
    check_comparison(c)
    assert c.recipe == recipe
    assert c.omnibus.name == "iman-davenport"
    assert c.omnibus.statistic == bo.iman_davenport(CEC, ties="none").statistic
    assert c.companion.statistic == bo.friedman(CEC, ties="none").statistic
    assert c.primary == ("holm" if control else {"demsar-2006": "nemenyi"}.get(recipe, "bergmann-hommel"))
    assert c.steps
    assert [s.passed for s in c.steps if s.passed is not None] == [True]
    assert all(s.title and s.outcome.endswith(".") for s in c.steps)
    closed = bo.compare(FLAT, control=None if control is None else 0, recipe=recipe, alpha=0.01)
    assert closed.omnibus.pvalue > 0.01
    assert {p.verdict for p in closed.pairs} == {"no difference shown"}
    assert "gate-closed" in {x.code for x in closed.cautions}
    assert [s.passed for s in closed.steps if s.passed is not None] == [False]


@pytest.mark.parametrize(
    "options", [{"posthoc": "holm"}, {"pairwise": "wilcoxon"}, {"omnibus": "quade"}, {"posthoc": "all"}], ids=str
)
def test_a_recipe_fixes_what_it_fixes(options: dict) -> None:
    with pytest.raises(bo.BakeoffError, match=f"{next(iter(options))} is fixed by recipe"):
        bo.compare(CEC, recipe="demsar-2006", **options)


def test_derracs_table_17_and_the_multiple_sign_test_are_steps() -> None:
    c = bo.compare(CEC, control="SaDE", recipe="derrac-2011")
    steps = {s.name: s for s in c.steps}
    assert {"multiple-sign", "iman-davenport", "aligned", "quade", "post-hoc", "contrast-estimation"} <= set(steps)
    assert steps["contrast-estimation"].result.estimates.shape == (9, 9)


# --- cautions ---------------------------------------------------------------------------------------------------


def codes(s: bo.Scores, **options: object) -> set[str]:
    c = bo.compare(s, **options)  # type: ignore[arg-type]
    check_comparison(c)
    return {x.code for x in c.cautions}


@pytest.mark.slow
def test_each_caution_appears_when_it_must_and_only_then() -> None:
    normal = RNG.normal(size=(300, 4))
    good = bo.Scores(normal[:15] + 2 * np.arange(4), better="lower")
    assert codes(good) == set()
    assert codes(good, pairwise="mean-ranks") - {"pool-dependent"} == {"assumes-all-alike"}
    assert "papers-formula" in codes(good, pairwise="aligned", standard_error="papers")
    assert "papers-formula" in codes(good, pairwise="quade", standard_error="papers")
    assert "papers-formula" not in codes(good, pairwise="mean-ranks", standard_error="papers")
    assert "papers-formula" in codes(TIED, pairwise="mean-ranks", standard_error="papers")
    assert "scales-differ" in codes(CEC)
    said = next(x.text for x in bo.compare(CEC).cautions if x.code == "scales-differ")
    assert "differ by a factor of about 1300" in said  # not of 10^3.1
    assert "scales-differ" not in codes(CEC, pairwise="sign")
    assert "doubtful-reading" in codes(bo.Scores(normal[:3], better="lower"))
    assert "doubtful-reading" not in codes(bo.Scores(normal[:4], better="lower"))
    assert "too-few" in codes(bo.Scores(normal[:7], better="lower"), control=0)
    assert "too-few" not in codes(bo.Scores(normal[:8], better="lower"), control=0)
    assert "too-few" not in codes(bo.Scores(normal[:7], better="lower"))  # unreachable-alpha says more
    assert "many-problems" not in codes(bo.Scores(normal, better="lower"))
    assert "many-problems" in codes(bo.Scores(RNG.normal(size=(1300, 4)), better="lower"))
    assert "omnibus-not-rejected" in codes(bo.Scores(normal[:15], better="lower"), alpha=1e-6)
    assert "ties" in codes(TIED)  # seven values: grades, which are not rounded
    assert "ties" in codes(bo.Scores(np.round(normal[:60], 1), better="lower"))
    assert "near-ties" in codes(bo.Scores([*good.values[:14].tolist(), [0.3, 0.1 + 0.2, 5, 6]], better="lower"))
    assert "quade-sensitive" in codes(good, omnibus="quade")
    assert "pool-dependent" in codes(good, control=0, posthoc=["holm", "li"])
    assert "papers-formula" in codes(good, control=0, posthoc="rom-printed")
    assert "error-rate" in codes(good, control=0, posthoc="fdr-bh")
    assert "out-of-reach" in codes(bo.Scores(normal[:2], better="lower"))


def test_the_pool_is_never_skipped_silently() -> None:
    """F-A4: where signed ranks cannot reach alpha, or have no differences, the reader is told that nobody looked."""
    rows = ["1 10 7 4 3 6 2 8 5 9", "1 10 3 9 8 4 7 2 5 6", "1 10 8 6 2 5 9 3 7 4", "2 1 6 8 9 10 7 5 3 4"]
    rows += ["2 1 6 4 5 3 7 9 8 10", "2 1 10 7 5 9 3 6 8 4", "2 1 3 4 10 6 8 9 7 5"]
    s = bo.Scores([list(map(float, row.split())) for row in rows], algorithms=list("ABCDEFGHIJ"), better="lower")
    cautions = bo.compare(s, control="A", pairwise="mean-ranks").cautions
    (text,) = (x.text for x in cautions if x.code in ("pool-dependent", "not-checked"))
    assert "in the table: with 7 problems Wilcoxon tests cannot reach alpha" in text
    infinite = PLAIN.values.copy()
    infinite[0, 0] = math.inf
    assert "not-checked" in codes(bo.Scores(infinite, better="lower"), pairwise="mean-ranks")


def test_a_recipe_whose_gate_cannot_open_cannot_tell() -> None:
    """F-A10: two problems and three algorithms; no p of the omnibus test is below 1/6."""
    c = bo.compare(bo.Scores([[1, 2, 3]] * 2, better="lower"), control=0, recipe="demsar-2006", alpha=0.1)
    assert {p.verdict for p in c.pairs} == {"cannot tell"}
    assert any(x.code == "out-of-reach" and "the omnibus test can have is 0.167" in x.text for x in c.cautions)


def test_what_corrections_promise_is_said_as_it_is() -> None:
    """F-B8: nominal where some tables break it: z on ranks (F19), Hochberg and Hommel of all pairs; not the default."""
    for options, nominal in (
        ({}, False),
        ({"control": 0}, False),
        ({"posthoc": "hommel", "control": 0}, False),
        ({"posthoc": "hommel"}, True),
        ({"posthoc": "hochberg"}, True),
        ({"pairwise": "mean-ranks"}, True),
        ({"pairwise": "aligned"}, True),
        ({"posthoc": "nemenyi"}, True),
    ):
        text = report.render(bo.compare(PLAIN, **options), "md")
        assert ("nominal family-wise error rate" in text) == nominal, options
        assert ("A = B and B = C imply A = C" in text) == (
            options in ({}, {"pairwise": "mean-ranks"}, {"pairwise": "aligned"})
        )
    default = report.render(bo.compare(PLAIN), "md")
    assert "differences are symmetric about 0" in default
    assert "the sign test needs no symmetry" in default


@pytest.mark.slow
def test_intervals_of_long_tables_are_said_to_be_approximate() -> None:
    """F-B11."""
    for n, approximate in ((1000, False), (1001, True)):
        s = bo.Scores(np.random.default_rng(n).normal(size=(n, 2)), better="lower")
        text = report.render(bo.compare(s), "md")
        assert ("intervals from the normal approximation of the signed-rank distribution" in text) == approximate


def test_a_bound_is_called_one() -> None:
    """F-B10: the smallest p that Hommel's procedure can give is known as a bound only; Holm's is reached."""
    one = bo.Scores([[1.0, 2.0, 3.0]] * 2, better="lower")
    for method, bound in (("hommel", True), ("holm", False)):
        c = bo.compare(one, posthoc=method, pairwise="mean-ranks", standard_error="papers")
        (text,) = (x.text for x in c.cautions if x.code == "out-of-reach")
        assert (" or more, above alpha" in text) == bound


def test_the_diagram_says_which_test_decides() -> None:
    words = [bo.compare(CEC, **options) for options in ({}, {"posthoc": "nemenyi"})]
    captions = [figures.diagram(c).description for c in words]
    assert "pairs are decided by Wilcoxon signed-rank tests; Bergmann–Hommel" in captions[0]
    assert "Mean rank, best first" in captions[0]
    assert "decided by" not in captions[1]


def test_what_the_reader_dropped_is_on_the_result() -> None:
    rows = [{"problem": f"p{i}", "x": 1.0 + i, "y": 2.0 + 2 * i, "z": 9.0 - i} for i in range(9)]
    rows[4]["y"] = math.nan
    dropped = bo.compare(bo.read_scores(rows, better="lower", missing="drop"))
    assert dropped.scores.dropped == ("p4",)
    assert any(x.code == "left-out" and "p4" in x.text for x in dropped.cautions)
    filled = bo.compare(bo.read_scores(rows, better="lower", missing="worst"))
    assert filled.scores.filled == (("p4", "y"),)
    assert {"counted-as-worst (missing-scores)", "infinite (scores)"} <= {x.name for x in filled.cautions}


def test_a_verdict_that_depends_on_the_pool_is_named() -> None:
    """Benavoli et al. (2016): adding irrelevant algorithms between two others changes their mean-rank test."""
    rng = np.random.default_rng(2)
    base = rng.normal(size=(20, 2)) + np.array([0.0, 0.45])
    clones = base[:, :1] + np.linspace(0.0, 0.9, 14) + 1e-3 * rng.normal(size=(20, 14))
    s = bo.Scores(np.hstack([base, clones]), better="lower")
    assert "pool-dependent" not in codes(s), "the default does not depend on the pool"
    c = bo.compare(s, pairwise="mean-ranks")
    assert any(x.code == "pool-dependent" and "Benavoli" in x.reference for x in c.cautions)
    clear = bo.Scores(0.1 * rng.normal(size=(20, 3)) + np.arange(3), better="lower")
    assert "pool-dependent" not in codes(clear, pairwise="mean-ranks"), "signed ranks say the same"


# --- what leaves the result -------------------------------------------------------------------------------------

SCHEMA = {
    "schema", "better", "n_problems", "n_algorithms", "alpha", "control", "recipe", "primary", "omnibus",
    "mean_ranks", "pairs", "groups", "cautions", "versions", "input_sha256",
}  # fmt: skip
AWKWARD = [
    {"scores": bo.Scores([[1.0, 2.0]], better="lower")},
    {"scores": bo.Scores([[1.0, math.inf, 2.0], [2.0, 3.0, -math.inf]], better="higher")},
    {"scores": bo.Scores(np.outer(np.arange(1.0, 9), np.arange(3.0)), better="lower"), "omnibus": "quade"},
    {"scores": bo.Scores(np.tile([1.0, 2.0, 3.0], (6, 1)), better="lower"), "omnibus": "anova", "pairwise": "t"},
    {"scores": CEC, "control": "SaDE", "recipe": "derrac-2011"},
    {"scores": TIED, "posthoc": "all"},
]


@pytest.mark.parametrize("options", AWKWARD, ids=range(len(AWKWARD)))
def test_to_dict_is_plain_json_without_nan_or_infinity(options: dict) -> None:
    c = bo.compare(**options)
    d = c.to_dict()
    assert json.loads(json.dumps(d, allow_nan=False)) == d
    assert set(d) >= SCHEMA
    assert set(d["omnibus"]) >= {"name", "statistic", "df", "pvalue", "log_pvalue"}
    assert isinstance(d["omnibus"]["df"], list)
    assert list(d["mean_ranks"]) == list(c.scores.algorithms)
    assert [(p["a"], p["b"], p["verdict"]) for p in d["pairs"]] == [(p.a, p.b, p.verdict) for p in c.pairs]
    for p, pair in zip(d["pairs"], c.pairs, strict=True):
        assert set(p) >= {"a", "b", "statistic", "pvalue", "log_pvalue", "adjusted", "verdict", "effect"}
        assert p["adjusted"] == dict(pair.adjusted)
        assert (p["effect"] is None) == (pair.effect is None)
    assert d["groups"] == [list(g) for g in c.groups]
    assert all(set(x) == {"code", "text", "reference", "severity", "object"} for x in d["cautions"])
    nulls = math.isinf(c.omnibus.statistic) or any(math.isinf(p.statistic) for p in c.pairs)
    assert ("not-finite" in {x["code"] for x in d["cautions"]}) >= nulls
    assert d["input_sha256"] == c.scores.source_sha256
    assert len(d["input_sha256"]) == 64
    assert d["versions"]["bakeoff"] == bo.__version__


@pytest.mark.few(2)
@pytest.mark.parametrize("suffix", [".html", ".md", ".tex", ".json", ".svg", ".png", ".pdf"])
@pytest.mark.parametrize("control", [None, "SaDE"])
@pytest.mark.slow_cases("SaDE-.pdf")
def test_save_picks_the_format_by_the_suffix(suffix: str, control: str | None, tmp_path: Path) -> None:
    c = bo.compare(CEC, control=control, posthoc="all")
    path = tmp_path / f"a result{suffix}"
    c.save(path)
    data = path.read_bytes()
    starts = {".html": b"<!doctype html", ".json": b"{", ".svg": b"<", ".png": b"\x89PNG", ".pdf": b"%PDF"}
    assert data.lower().startswith(starts.get(suffix, b"").lower())
    if suffix in (".html", ".md", ".tex", ".svg"):
        text = data.decode()
        assert "SaDE" in text
        assert "nan" not in text.lower().replace("dominan", "").replace("finan", "").replace("prenan", "").split()
    if suffix == ".json":
        assert json.loads(data) == c.to_dict()
    c.save(str(path))
    assert path.read_bytes() == data, "the same result gives the same bytes"


def test_save_explains_what_it_cannot_do(tmp_path: Path) -> None:
    c = bo.compare(PLAIN)
    with pytest.raises(bo.BakeoffError, match=r"\.html.*\.svg"):
        c.save(tmp_path / "result.docx")
    with pytest.raises(bo.BakeoffError):
        c.save(tmp_path / "result")
    with pytest.raises((bo.BakeoffError, OSError), match="nowhere"):
        c.save(tmp_path / "nowhere" / "result.html")


@pytest.mark.few(3)
@pytest.mark.parametrize("options", AWKWARD, ids=range(len(AWKWARD)))
def test_every_report_of_an_awkward_result_can_be_written(options: dict, tmp_path: Path) -> None:
    c = bo.compare(**options)
    for suffix in (".html", ".md", ".tex", ".json", ".svg"):
        c.save(tmp_path / f"r{suffix}")
        assert (tmp_path / f"r{suffix}").stat().st_size > 200


def test_to_frame_has_one_row_per_pair() -> None:
    c = bo.compare(PLAIN, posthoc=["holm", "bonferroni"])
    frame = c.to_frame()
    assert len(frame) == len(c.pairs)
    assert {"a", "b", "statistic", "pvalue", "verdict"} <= set(frame.columns)
    assert list(frame["a"]) == [p.a for p in c.pairs]


def test_a_result_leaves_its_input_alone() -> None:
    before = PLAIN.values.copy()
    c = bo.compare(PLAIN, posthoc="all")
    assert c.scores is PLAIN
    assert np.array_equal(PLAIN.values, before)


def test_algorithms_that_differ_together_are_not_said_to_be_alike() -> None:
    """T16: "cannot tell the 253 algorithms apart" stood beside p < 10⁻³⁰⁰ of all of them together."""
    rng = np.random.default_rng(2)
    values = rng.normal(size=(10, 40)) + np.arange(40) / 3
    said = bo.compare(bo.Scores(values, better="higher")).verdict
    assert said.startswith("Some of the 40 algorithms differ. This experiment cannot tell which: with 10 problems")
    assert "Against one control" not in said  # 39 · 2⁻⁹ is above 0.05, too
    more = rng.normal(size=(11, 40)) + np.arange(40) / 3
    found = bo.Scores(more, better="higher")
    assert bo.compare(found).verdict.endswith("Against one control, 39 pairs could.")
    assert "no outcome could have reached" not in bo.compare(found, control="A40").verdict


def test_the_two_intervals_of_the_frame_are_explained() -> None:
    """N12: ``to_frame()`` has ``effect_low`` and ``interval_low``, and nothing said which is which."""
    result = bo.compare(CEC)
    frame = result.to_frame()
    text = " ".join((type(result).__doc__ or "").split())
    assert "``effect_low`` and ``effect_high`` end the interval of that pair by itself" in text
    assert "``interval_low`` and ``interval_high`` the interval that holds for all pairs at once" in text
    widths = [frame[f"{name}_high"] - frame[f"{name}_low"] for name in ("effect", "interval")]
    assert (widths[0] <= widths[1] + 1e-12).all()
    assert (widths[0] < widths[1]).any()
