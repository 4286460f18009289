"""The smallest adjusted p of a design against all its outcomes: every table of (tied) rankings of small designs."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.posthoc.attainable import smallest_adjusted_pvalue, smallest_raw_pvalues

DESIGNS = [(3, 1), (3, 2), (3, 3), (4, 2)]
OF_PAIRS = [name for name in PAIRWISE_METHODS if name != "nemenyi"]  # in compare() that is the studentized range
TIED_DESIGNS = [
    *((2, n) for n in (1, 2, 3, 4, 5)),
    *((3, n) for n in (1, 2, 3, 4)),
    *((4, n) for n in (1, 2)),
    pytest.param(3, 5, marks=pytest.mark.slow),
    pytest.param(4, 3, marks=pytest.mark.slow),
    pytest.param(4, 4, marks=pytest.mark.slow),
    pytest.param(4, 5, marks=pytest.mark.exhaustive),
]


def outcomes(k: int, n: int) -> list[tuple[int, ...]]:
    """Every vector of doubled rank sums that n problems, ties allowed, can give; algorithms in order of rank sum
    except for the first, which may stand anywhere (it is the control)."""
    rows = {
        tuple(k + 1 + sum((x > y) - (x < y) for y in row) for x in row)  # doubled mid-ranks of any weak order
        for row in product(range(k), repeat=k)
    }
    sums = {(0,) * k}
    for _ in range(n):
        sums = {(s[0] + r[0], *sorted(a + b for a, b in zip(s[1:], r[1:], strict=True))) for s in sums for r in rows}
    return sorted(sums)


@pytest.mark.few(1, 1)
@pytest.mark.parametrize(("k", "n"), DESIGNS)
def test_printed_errors_no_outcome_is_below_the_bound_and_some_is_at_it(k: int, n: int) -> None:
    se = float(np.sqrt(k * (k + 1) / (6 * n)))
    control = [(0, j) for j in range(1, k)]
    families = [(control, CONTROL_METHODS, True), (list(combinations(range(k), 2)), OF_PAIRS, False)]
    everything = np.array(outcomes(k, n)) / (2 * n)
    for pairs, methods, has_control in families:
        a, b = np.array(pairs).T
        p = np.unique(np.asarray(normal_two_sided((everything[:, b] - everything[:, a]) / se)[0]).round(15), axis=0)
        raw = smallest_raw_pvalues(n, k, has_control, "mean-ranks", se)
        for method in methods:
            bound = smallest_adjusted_pvalue(raw, method, k, printed=True)
            best = min(_smallest(row, method, k, has_control) for row in p)
            assert bound <= best * (1 + 1e-9), (method, has_control)
            exact = method != "hommel" if has_control else method not in ("hochberg", "hommel")
            if exact:
                assert best == pytest.approx(bound, rel=1e-9), (method, has_control)


def tied_outcomes(k: int, n: int) -> np.ndarray:
    """Every (doubled rank sums, Σ of squared centred doubled ranks) of n problems; the first algorithm stands anywhere,
    the others in order."""
    rows = {
        tuple(sum((x > y) - (x < y) for y in row) for x in row)  # doubled mid-ranks of any weak order, centred
        for row in product(range(k), repeat=k)
    }
    found = {((0,) * k, 0)}
    for _ in range(n):
        found = {
            ((s[0] + r[0], *sorted(a + b for a, b in zip(s[1:], r[1:], strict=True))), spread + sum(x * x for x in r))
            for s, spread in found
            for r in rows
        }
    return np.array([(*s, spread) for s, spread in found if spread], dtype=np.float64)


def not_dominated(ordered: np.ndarray) -> list[int]:
    """Rows of sorted p-values none of which is, throughout, at least another: a correction is least at one of them."""
    kept: list[int] = []
    for i in np.lexsort(ordered.T[::-1]).tolist():
        if not any((ordered[j] <= ordered[i]).all() for j in kept):
            kept.append(i)
    return kept


@pytest.mark.parametrize(("k", "n"), TIED_DESIGNS)
def test_permutation_variance_no_outcome_is_below_the_bound(k: int, n: int) -> None:
    """The variance follows the ranks, so ties make the largest z of all: √(n(k−1)), one best, one worst, others tied
    between them. Single-step and step-down corrections reach their bound, the others stay above it."""
    table = tied_outcomes(k, n)
    z_all = table[:, :k] / np.sqrt(2 / (k - 1) * table[:, k:])
    control = [(0, j) for j in range(1, k)]
    families = [(control, CONTROL_METHODS, True), (list(combinations(range(k), 2)), OF_PAIRS, False)]
    for pairs, methods, has_control in families:
        a, b = np.array(pairs).T
        p = np.unique(np.asarray(normal_two_sided(z_all[:, b] - z_all[:, a])[0]).round(15), axis=0)
        ordered = np.sort(p, axis=1)
        raw = smallest_raw_pvalues(n, k, has_control, "mean-ranks")
        assert ordered.min() == pytest.approx(2 * stats.norm.sf(np.sqrt(n * (k - 1))), rel=1e-9)
        assert (ordered.min(axis=0) >= raw * (1 - 1e-9)).all(), "the i-th smallest p of every outcome"
        kept = not_dominated(ordered)
        for method in methods:
            bound = smallest_adjusted_pvalue(raw, method, k)
            best = min(_smallest(row, method, k, has_control) for row in p[kept])
            assert bound <= best * (1 + 1e-9), (method, has_control)
            if len(pairs) == 1 or method not in STEP_UP:
                assert best == pytest.approx(bound, rel=1e-9), (method, has_control)


STEP_UP = ("hochberg", "hommel", "rom", "rom-printed", "li", "fdr-bh", "fdr-by")


@pytest.mark.parametrize("pairwise", ["mean-ranks", "aligned", "quade"])
def test_the_bound_is_reached_by_every_ranking(pairwise: str) -> None:
    """The same differences on every problem: one best, one worst, the others tied between them."""
    for k, n in ((2, 3), (3, 4), (5, 3), (10, 2)):
        row = [0.0, *[1.0] * (k - 2), 2.0]
        scores = bo.Scores([[x + 10 * i for x in row] for i in range(n)], better="lower")
        for control in (None, 0):
            result = bo.compare(scores, control=control, pairwise=pairwise, posthoc="bonferroni")
            raw = smallest_raw_pvalues(n, k, control is not None, pairwise)
            assert min(pair.pvalue for pair in result.pairs) == pytest.approx(float(raw[0]), rel=1e-10)


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("pairwise", ["mean-ranks", "aligned", "quade"])
def test_no_random_table_with_ties_beats_the_bound(pairwise: str) -> None:
    rng = np.random.default_rng(8)
    for _ in range(30):
        n, k = int(rng.integers(1, 6)), int(rng.integers(2, 5))
        scores = bo.Scores(rng.integers(0, rng.integers(2, 5), size=(n, k)), better="lower")
        for control in (None, 0):
            result = bo.compare(scores, control=control, pairwise=pairwise, posthoc="all")
            raw = smallest_raw_pvalues(n, k, control is not None, pairwise)
            for method in result.posthoc:
                if method != "nemenyi":  # with its own standard error
                    least = min(pair.adjusted[method] for pair in result.pairs)
                    assert least >= smallest_adjusted_pvalue(raw, method, k) * (1 - 1e-9), method


def _smallest(p: np.ndarray, method: str, k: int, has_control: bool) -> float:
    if has_control:
        return float(bo.adjust(p, method).min())
    table = np.zeros((k, k))
    table[np.triu_indices(k, 1)] = p
    return float(bo.adjust_pairwise(table + table.T, method)[np.triu_indices(k, 1)].min())


@pytest.mark.parametrize(("n", "k"), [(3, 3), (2, 4), (2, 8), (3, 5)])
def test_li_can_tell_by_one_algorithm_far_away(n: int, k: int) -> None:
    """It was thought that Li's best case were equal p-values; then such a table said "cannot tell" beside p = 0.018."""
    scores = bo.Scores([list(range(k))] * n, better="lower")
    result = bo.compare(scores, control=0, pairwise="mean-ranks", standard_error="papers", posthoc="li")
    assert min(pair.adjusted["li"] for pair in result.pairs) <= 0.05
    assert "a better" in [pair.verdict for pair in result.pairs]


def test_a_large_family_on_two_problems_cannot_tell_by_hochberg() -> None:
    """m = 210 pairs, smallest raw p 0.0008: 210 times that is no evidence, and the step-up has nothing to add."""
    scores = bo.Scores([list(range(21))] * 2, better="lower")
    result = bo.compare(scores, pairwise="mean-ranks", standard_error="papers", posthoc="hochberg")
    assert {pair.verdict for pair in result.pairs} == {"cannot tell"}
