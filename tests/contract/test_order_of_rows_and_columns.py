"""Neither the order of the rows nor that of the columns may change one bit: 4000 random tables with ties."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bakeoff as bo

pytestmark = pytest.mark.slow


def numbers(s: bo.Scores) -> dict[str, Any]:
    """Everything that tests on ranks and signs say about a table, keyed so that labels, not places, matter."""
    names = s.algorithms
    found: dict[str, Any] = {}
    omnibus = (bo.friedman(s), bo.iman_davenport(s, ties="corrected"), bo.aligned_friedman(s), bo.quade(s))
    for test in omnibus:
        found[test.name] = (test.statistic, test.pvalue, test.log_pvalue)
        found |= {f"{test.name} {name}": mean for name, mean in zip(names, test.mean_ranks.tolist(), strict=True)}
    for test in (bo.wilcoxon(s, "A1", "A2"), bo.wilcoxon(s, "A1", "A2", zeros="pratt"), bo.sign_test(s, "A1", "A2")):
        found[f"{type(test).__name__} {len(found)}"] = (test.statistic, test.pvalue, test.log_pvalue)
    found["t"] = (bo.paired_t(s, "A1", "A2").statistic, bo.hodges_lehmann(s, "A1", "A2").estimate)
    return found


def verdicts(s: bo.Scores) -> dict[Any, Any]:
    result = bo.compare(s, posthoc=["bergmann-hommel", "shaffer", "holm"])
    found: dict[Any, Any] = {
        frozenset((p.a, p.b)): (p.pvalue, p.log_pvalue, tuple(p.adjusted.values())) for p in result.pairs
    }
    found["groups"] = {frozenset(group) for group in result.groups}
    return found


@pytest.mark.few(1)
@pytest.mark.parametrize("part", range(10))
def test_no_order_matters(part: int) -> None:
    rng = np.random.default_rng([20261121, part])
    for trial in range(400):
        n, k = int(rng.integers(2, 13)), int(rng.integers(2, 7))
        table = rng.integers(0, int(rng.integers(2, 12)), (n, k)) / 10
        s = bo.Scores(table, better="lower" if trial % 2 else "higher")
        moved = s.select(rng.permutation(k).tolist(), rng.permutation(n).tolist())
        assert numbers(moved) == numbers(s)
        if trial % 10 == 0:
            assert verdicts(moved) == verdicts(s)
