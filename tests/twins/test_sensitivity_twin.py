"""Slow twins of ``bo.sensitivity``: ``compare`` of one table at a time, and every set of removals."""

from itertools import combinations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.sensitivity.statistics.analysis import ExaminedAnalysis, examined_table
from bakeoff.analyses.sensitivity.statistics.decisions import adjusted_of_many, critical_pvalues, decide_many
from bakeoff.analyses.sensitivity.statistics.many_tables import ManyTests

pytestmark = pytest.mark.slow

CHOICES = [
    {},
    {"posthoc": "holm"},
    {"posthoc": "shaffer-dynamic"},
    {"pairwise": "sign"},
    {"pairwise": "sign-without-ties"},
    {"pairwise": "t", "posthoc": "shaffer"},
    {"pairwise": "mean-ranks"},
    {"pairwise": "mean-ranks", "standard_error": "papers"},
    {"posthoc": "nemenyi"},
    {"pairwise": "aligned", "posthoc": "holm"},
    {"control": "A1"},
    {"control": "A2", "posthoc": "hommel"},
    {"control": "A2", "recipe": "garcia-2010"},
    {"omnibus": "anova", "posthoc": "tukey"},
]
SAME = [
    ("omnibus", "iman-davenport"),
    ("pairwise", None),
    ("posthoc", None),
    ("recipe", None),
    ("standard_error", None),
    ("control", None),
]


def random_table(rng: np.random.Generator, n: int, k: int, ties: bool) -> bo.Scores:
    values = rng.normal(size=(n, k)) + 0.8 * np.arange(k)
    return bo.Scores(values.round(1) if ties else values, better="lower")


def picked(scores: bo.Scores, places: list[int]) -> bo.Scores:
    return bo.Scores(scores.values[places], scores.algorithms, better=scores.better)


@pytest.mark.few(3)
@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_many_tables_are_decided_as_compare_decides_each(options: dict[str, str]) -> None:
    rng = np.random.default_rng(5)
    for ties in (False, True):
        scores = random_table(rng, 12, 4, ties)
        result = bo.compare(scores, **options)
        rows = np.concatenate([rng.integers(0, 12, (12, 12)), np.tile(np.arange(12), (2, 1))])
        many = decide_many(examined_table(result), ExaminedAnalysis.of(result), rows)
        for places, signs, adjusted in zip(rows.tolist(), many.signs, many.adjusted, strict=True):
            alone = bo.compare(picked(scores, places), **options)
            words = {1: "a better", -1: "b better", 0: ""}
            said = [pair.verdict if "better" in pair.verdict else "" for pair in alone.pairs]
            assert said == [words[sign] for sign in signs.tolist()]
            expected = [pair.adjusted[alone.primary] for pair in alone.pairs]
            assert adjusted.tolist() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("method", ["bergmann-hommel", "shaffer-dynamic"])
def test_corrections_of_many_tables_are_those_of_one_bit_for_bit(method: str) -> None:
    rng = np.random.default_rng(6)
    for k in (3, 5, 7):
        m = k * (k - 1) // 2
        p = rng.random((40, m)) ** 4
        p[::3] = p[::3].round(2) + 1e-9
        p = np.minimum(p, 1.0)
        scores = random_table(rng, 8, k, False)
        result = bo.compare(scores, pairwise="t", posthoc=method)
        zeros = np.zeros_like(p)
        many = ManyTests(statistic=zeros, direction=zeros, pvalue=p, log_pvalue=np.log(p))
        found = adjusted_of_many(examined_table(result), ExaminedAnalysis.of(result), many)
        for row, adjusted in zip(p, found, strict=True):
            matrix = np.zeros((k, k))
            matrix[np.triu_indices(k, 1)] = row
            expected = bo.adjust_pairwise(matrix + matrix.T, method)[np.triu_indices(k, 1)]
            assert adjusted.tolist() == expected.tolist()


@pytest.mark.parametrize("options", [*CHOICES[:7], CHOICES[10], CHOICES[11]], ids=str)
def test_the_critical_pvalue_is_where_the_correction_changes_its_mind(options: dict[str, str]) -> None:
    rng = np.random.default_rng(7)
    for _ in range(3):
        result = bo.compare(random_table(rng, 12, 4, True), **options)
        table, analysis = examined_table(result), ExaminedAnalysis.of(result)
        tests = analysis.tested(table)[0]
        critical = critical_pvalues(table, analysis, tests)
        assert critical is not None
        for i, limit in enumerate(critical.tolist()):
            for factor, rejected in ((1.0 - 1e-9, True), (1.0 + 1e-9, False)):
                p = tests.pvalue.copy()
                p[i] = limit * factor
                zeros = np.zeros((1, len(p)))
                many = ManyTests(statistic=zeros, direction=zeros, pvalue=p[None], log_pvalue=np.log(p)[None])
                assert (adjusted_of_many(table, analysis, many)[0, i] <= result.alpha) == rejected


@pytest.mark.few(6)
@pytest.mark.parametrize("options", [*CHOICES[:9], CHOICES[9], CHOICES[10]], ids=str)
def test_leaving_out_agrees_with_compare_of_what_is_left(options: dict[str, str]) -> None:
    rng = np.random.default_rng(8)
    scores = random_table(rng, 11, 4, True)
    found = bo.sensitivity(scores, **options, n_resamples=0)
    flips: dict[tuple[str, str], list[str]] = {(p.a, p.b): [] for p in found.pairs}
    lows: dict[tuple[str, str], list[float]] = {(p.a, p.b): [] for p in found.pairs}
    for problem in scores.problems:
        rest = bo.compare(scores.select(problems=[p for p in scores.problems if p != problem]), **options)
        for pair, full in zip(rest.pairs, found.pairs, strict=True):
            lows[full.a, full.b].append(pair.adjusted[rest.primary])
            if ("better" in pair.verdict or "better" in full.verdict) and pair.verdict != full.verdict:
                flips[full.a, full.b].append(problem)
    without: dict[tuple[str, str], list[str]] = {(p.a, p.b): [] for p in found.pairs}
    for name in scores.algorithms:
        if name == options.get("control"):
            continue
        rest = bo.compare(scores.select(algorithms=[a for a in scores.algorithms if a != name]), **options)
        for full in found.pairs:
            if name in (full.a, full.b):
                continue
            said = rest.pair(full.a, full.b).verdict
            if ("better" in said or "better" in full.verdict) and said != full.verdict:
                without[full.a, full.b].append(name)
    for pair in found.pairs:
        assert list(pair.flips_without) == flips[pair.a, pair.b]
        assert pair.adjusted_range == pytest.approx((min(lows[pair.a, pair.b]), max(lows[pair.a, pair.b])), rel=1e-9)
        assert list(pair.flips_without_algorithm) == without[pair.a, pair.b]


def least_removal(scores: bo.Scores, pair: object, options: dict[str, str], most: int) -> int | None:
    """By every set of problems, smallest first."""
    test = options.get("pairwise") or ("mean-ranks" if options.get("posthoc") == "nemenyi" else "wilcoxon")
    n = scores.n_problems
    whole = bo.compare(scores, **options)
    error = {"standard_error": whole.standard_error} if whole.standard_error else {}
    for size in range(1, min(most, n - 1) + 1):
        for gone in combinations(range(n), size):
            kept = picked(scores, [i for i in range(n) if i not in gone])
            found = bo.compare(kept, pairwise=test, posthoc="bonferroni", **error).pair(pair.a, pair.b)
            z_wins = found.statistic if test not in ("wilcoxon", "sign", "sign-without-ties") else found.rank_biserial
            direction = found.wins - found.losses if test.startswith("sign") else z_wins
            now = "" if found.pvalue > pair.critical else "a better" if direction > 0 else "b better"
            if now != (pair.verdict if "better" in pair.verdict else ""):
                return size
    return None


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "options", [CHOICES[1], CHOICES[3], CHOICES[4], CHOICES[5], CHOICES[6], CHOICES[8], CHOICES[9]], ids=str
)
def test_fragility_is_the_least_of_all_removals(options: dict[str, str]) -> None:
    rng = np.random.default_rng(9)
    for ties in (False, True):
        scores = random_table(rng, 7, 3, ties)
        for pair in bo.sensitivity(scores, **options, n_resamples=0).pairs:
            found = pair.fragility
            assert found is not None
            least = least_removal(scores, pair, options, 6)
            if found.exact:
                assert found.n == least
            else:
                assert least is None if found.n is None else least is not None and least <= found.n
            assert found.n is None or len(found.problems) == found.n


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
@pytest.mark.few(4)
def test_fragility_among_all_subsets_of_fourteen_problems(test: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.column_stack([np.zeros(14), rng.normal(0.3 * (seed % 4), 1.0, 14)])
    scores = bo.Scores(values, better="lower")
    (pair,) = bo.sensitivity(scores, pairwise=test, n_resamples=0).pairs
    function = bo.wilcoxon if test == "wilcoxon" else bo.sign_test
    shown = "better" in pair.verdict
    least = None
    for size in range(1, 14):
        for gone in combinations(range(14), size):
            kept = picked(scores, [i for i in range(14) if i not in gone])
            if (function(kept, 0, 1).pvalue <= 0.05) != shown:
                least = size
                break
        if least is not None:
            break
    assert pair.fragility is not None
    assert pair.fragility.exact
    assert pair.fragility.n == least
