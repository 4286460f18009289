"""Random signs, resamples and permutations belong to what is in a problem: the order of rows decides nothing.

Nor do names of problems and labels of clusters and suites, nor the order of the algorithms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bakeoff as bo

RNG = np.random.default_rng(20261122)
N, K = 36, 4
RUNS = (RNG.normal(size=(N, K, 5)) + 0.3 * np.arange(K)[:, None]).round(2)
TABLE = RUNS.mean(axis=2)
HOLED = np.where(np.arange(N)[:, None] % 3 == np.arange(K), np.nan, TABLE)
CLUSTERS = np.repeat(np.arange(18), 2)
SUITES = CLUSTERS // 6  # 6 clusters of 2 problems in each
NAMES = ["dd", "aa", "cc", "bb"]


def table(values: np.ndarray, rows: Any, columns: Any, names: Any, clustered: bool) -> bo.Scores:
    """``names`` of the 18 clusters; problems are called suite/number."""
    return bo.Scores(
        values[np.ix_(rows, columns)],
        [NAMES[j] for j in columns],
        [f"{names[SUITES[i]]}/{i}" for i in rows],
        better="higher",
        clusters=[names[CLUSTERS[i]] for i in rows] if clustered else None,
        missing="keep" if np.isnan(values).any() else "raise",
    )


def of_pairs(found: Any, *fields: str) -> dict[frozenset[str], list[Any]]:
    """Of each pair the better one, and what does not change its sign when a and b change places."""
    better = {"a better": "a", "b better": "b"}
    return {
        frozenset((p.a, p.b)): [getattr(p, better.get(p.verdict, "verdict")), *(getattr(p, field) for field in fields)]
        for p in found.pairs
    }


def evaluation(s: bo.Scores, **options: Any) -> Any:
    found = bo.evaluate(s, n_resamples=400, **options)
    means = sorted(tuple(sorted(zip(s.algorithms, row.means, strict=True))) for row in found.suite_means)
    pairs = of_pairs(found, "adjusted", "sign_flip", "standard_error", "omega2")
    return found.critical, pairs, means, {e.algorithm: e for e in found.estimates}, found.exact


def ratings(s: bo.Scores) -> Any:
    found = bo.ratings(s, n_resamples=100)
    rows = zip(found.strengths.tolist(), found.standard_errors.tolist(), found.rank_intervals.tolist(), strict=True)
    each = dict(zip(found.algorithms, rows, strict=True))
    return found.critical, found.deviance, each, of_pairs(found, "adjusted", "standard_error")


def leaderboard(s: bo.Scores, **options: Any) -> Any:
    found = bo.leaderboard(s, n_resamples=400, **options)
    rows = {row.algorithm: row for row in found.standings}
    return found.evaluation.critical, found.winner, rows, of_pairs(found, "adjusted", "standard_error")


def interquartile(s: bo.Scores, **options: Any) -> Any:
    found = bo.interquartile_mean(s, n_resamples=200, **options)
    return {e.algorithm: e for e in found.estimates}, of_pairs(found, "standard_error", "df", "pvalue", "adjusted")


def sensitivity(s: bo.Scores) -> Any:
    return of_pairs(bo.sensitivity(s, n_resamples=50), "adjusted", "replicability", "adjusted_range")


ANSWERS: dict[str, tuple[np.ndarray, Callable[[bo.Scores], Any]]] = {
    "evaluate": (RUNS, evaluation),
    "evaluate, suites": (TABLE, lambda s: evaluation(s, suites="prefix")),
    "evaluate, new tasks": (RUNS, lambda s: evaluation(s, suites="prefix", tasks="new")),
    "leaderboard": (RUNS, leaderboard),
    "leaderboard, mean ranks": (TABLE, lambda s: leaderboard(s, by="mean-rank")),
    "ratings": (TABLE, ratings),
    "ratings, runs": (RUNS, ratings),
    "interquartile_mean": (RUNS, lambda s: interquartile(s, interval="percentile")),
    "interquartile_mean, runs": (RUNS, lambda s: interquartile(s, interval="percentile", over="runs")),
    "interquartile_mean, t": (RUNS, interquartile),
    "sensitivity": (TABLE, sensitivity),
    "skillings_mack": (HOLED, lambda s: bo.skillings_mack(s, method="permutation", n_resamples=500).pvalue),
    "friedman": (TABLE, lambda s: bo.friedman(s, method="permutation", n_resamples=500).pvalue),
    "sign_flip": (TABLE, lambda s: bo.sign_flip(s, "aa", "bb", method="permutation", n_resamples=500).pvalue),
}
NOT_CLUSTERS = ("skillings_mack",)


@pytest.mark.few(3, 18)
@pytest.mark.parametrize(
    ("name", "clustered"),
    [(name, clustered) for name in ANSWERS for clustered in (False, True) if not (clustered and name in NOT_CLUSTERS)],
)
@pytest.mark.slow_cases("ratings, runs-True")
def test_draws_do_not_depend_on_the_order_of_rows_and_columns(name: str, clustered: bool) -> None:
    """Signs and resamples belonged to places: of clusters, suites and algorithms."""
    values, of = ANSWERS[name]
    labels = [f"c{i:02}" for i in range(18)]
    expected = of(table(values, range(N), range(K), labels, clustered))
    rng = np.random.default_rng(1)
    as_given = list(range(K))
    for columns in (as_given, rng.permutation(K).tolist()):
        s = table(values, rng.permutation(N), columns, rng.permutation(labels), clustered)
        same(of(s), expected, exactly=columns == as_given)


def same(found: Any, expected: Any, exactly: bool) -> None:
    """Bit for bit where only rows move; columns move the sums of matrix products."""
    if exactly:
        assert found == expected
    else:
        assert numbers(found) == pytest.approx(numbers(expected), rel=1e-9, abs=1e-12)


def numbers(found: Any) -> Any:
    """A list without records and nesting."""
    if hasattr(found, "__dataclass_fields__"):
        return [x for name in found.__dataclass_fields__ for x in numbers(getattr(found, name))]
    if isinstance(found, dict):
        keyed = {str(sorted(key)) if isinstance(key, frozenset) else key: value for key, value in found.items()}
        return [x for key in sorted(keyed) for x in (key, *numbers(keyed[key]))]
    if isinstance(found, list | tuple):
        return [x for part in found for x in numbers(part)]
    return [found]
