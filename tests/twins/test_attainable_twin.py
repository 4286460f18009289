"""The smallest adjusted p of a design against all its outcomes: every table of (tied) rankings of small designs."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.posthoc.attainable import smallest_adjusted_pvalue, smallest_raw_pvalues

DESIGNS = [(3, 1), (3, 2), (3, 3), (4, 2)]


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


@pytest.mark.parametrize(("k", "n"), DESIGNS)
def test_no_outcome_is_below_the_bound_and_some_outcome_is_at_it(k: int, n: int) -> None:
    se = float(np.sqrt(k * (k + 1) / (6 * n)))
    control = [(0, j) for j in range(1, k)]
    families = [(control, CONTROL_METHODS, True), (list(combinations(range(k), 2)), PAIRWISE_METHODS, False)]
    everything = np.array(outcomes(k, n)) / (2 * n)
    for pairs, methods, has_control in families:
        a, b = np.array(pairs).T
        p = np.unique(np.asarray(normal_two_sided((everything[:, b] - everything[:, a]) / se)[0]).round(15), axis=0)
        raw = smallest_raw_pvalues(n, k, has_control, "mean-ranks", se)
        for method in methods:
            bound = smallest_adjusted_pvalue(raw, method, k)
            best = min(_smallest(row, method, k, has_control) for row in p)
            assert bound <= best * (1 + 1e-9), (method, has_control)
            exact = method != "hommel" if has_control else method not in ("hochberg", "hommel")
            if exact:
                assert best == pytest.approx(bound, rel=1e-9), (method, has_control)


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
    result = bo.compare(scores, control=0, posthoc="li")
    assert min(pair.adjusted["li"] for pair in result.pairs) <= 0.05
    assert "a better" in [pair.verdict for pair in result.pairs]


def test_a_large_family_on_two_problems_cannot_tell_by_hochberg() -> None:
    """m = 210 pairs, smallest raw p 0.0008: 210 times that is no evidence, and the step-up has nothing to add."""
    scores = bo.Scores([list(range(21))] * 2, better="lower")
    result = bo.compare(scores, posthoc="hochberg")
    assert {pair.verdict for pair in result.pairs} == {"cannot tell"}
