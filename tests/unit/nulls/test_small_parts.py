"""Small parts of the null distributions, beside what they are by definition."""

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bakeoff.nulls import disk_cache
from bakeoff.nulls.column_sums import (
    LOG_OUTCOMES_LIMIT,
    PERMUTATIONS_LIMIT,
    law_tail,
    sampled_tail,
    surely_out_of_reach,
)
from bakeoff.nulls.numerics import log_integral, positive_root


@pytest.mark.parametrize("guess", [1e-9, 0.3, 7.0, 7.01, 1e12])
def test_a_positive_root_is_found_from_either_side(guess: float) -> None:
    assert positive_root(lambda x: x - 7.0, guess) == pytest.approx(7.0, rel=2e-12)
    assert positive_root(lambda x: math.log(x / 7.0), guess, step=10.0) == pytest.approx(7.0, rel=1e-11)


def test_a_root_that_is_never_reached_is_infinite() -> None:
    assert positive_root(lambda x: -1.0 / x, 1.0) == math.inf


@pytest.mark.parametrize("observed", [-1, 0, 1, 3, 4, 9, 10, 11])
def test_the_tail_of_a_law_and_its_logarithm(observed: int) -> None:
    values, probabilities = np.array([0, 3, 4, 10]), np.array([0.25, 0.5, 0.25 - 1e-20, 1e-20])
    p, log_p = law_tail((values, probabilities), observed)
    upper = math.fsum(share for value, share in zip(values, probabilities, strict=True) if value >= observed)
    assert p == pytest.approx(upper, rel=1e-14)
    assert log_p == (pytest.approx(math.log(upper), rel=1e-14, abs=1e-15) if upper else -math.inf)


def test_tables_surely_out_of_reach_by_counting_their_orders() -> None:
    """Orders of a row: k! over the product of factorials of how often each value occurs; the fewest are left out."""
    rng, said = np.random.default_rng(3), Counter[bool]()
    for _ in range(60):
        n, k = int(rng.integers(1, 60)), int(rng.integers(2, 13))
        table = rng.integers(0, rng.integers(1, 13), (n, k))
        orders = [
            math.lgamma(k + 1) - math.fsum(math.lgamma(c + 1) for c in Counter(row).values())
            for row in table.tolist()
            if len(set(row)) > 1
        ]
        most, tables = max(orders, default=0.0), math.fsum(orders) - min(orders, default=0.0)
        beyond = len(orders) > 1 and (most > math.log(PERMUTATIONS_LIMIT) or tables > LOG_OUTCOMES_LIMIT)
        assert surely_out_of_reach(table) == beyond
        said[beyond] += 1
    assert min(said.values()) > 5


def test_the_table_itself_counts_among_the_sampled() -> None:
    table = np.random.default_rng(2).integers(0, 9, (6, 3))
    p, count = sampled_tail(table, 199, np.random.default_rng(1))
    assert 0 < count < 199
    assert p == (1 + count) / 200
    assert sampled_tail(np.ones((4, 3), dtype=np.int64), 199, np.random.default_rng(1)) == (1.0, 199)
    latin = np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2]])  # equal column sums: no table has less
    assert sampled_tail(latin, 199, np.random.default_rng(1)) == (1.0, 199)


def test_integrals_in_one_call_are_each_alone() -> None:
    """Of normal densities in windows of very different widths: ln √(2π) σ."""
    centres, sigmas = np.array([0.0, 3.0, -50.0]), np.array([1.0, 1e-3, 7.0])

    def densities(c: np.ndarray, s: np.ndarray) -> object:
        return lambda x: -0.5 * ((x - c[:, None]) / s[:, None]) ** 2

    low, high = centres - np.array([10.0, 5.0, 4000.0]), centres + np.array([12.0, 9.0, 9000.0])
    known = np.log(np.sqrt(2 * np.pi) * sigmas)
    together = log_integral(densities(centres, sigmas), low, high)  # type: ignore[arg-type]
    assert together == pytest.approx(known, abs=1e-12)
    for i in range(3):
        alone = log_integral(densities(centres[i : i + 1], sigmas[i : i + 1]), low[i : i + 1], high[i : i + 1])  # type: ignore[arg-type]
        assert alone == pytest.approx(known[i : i + 1], abs=1e-12)


@pytest.mark.parametrize(
    ("mode", "mine", "private"), [(0o700, 0, True), (0o770, 0, False), (0o707, 0, False), (0o700, 1, False)]
)
def test_only_a_folder_of_ones_own_is_private(
    mode: int, mine: int, private: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if disk_cache.sys.platform == "win32":
        pytest.skip("no modes")
    tmp_path.chmod(mode)
    owner = tmp_path.stat().st_uid
    monkeypatch.setattr(disk_cache.os, "geteuid", lambda: owner + mine)
    assert disk_cache._is_private(tmp_path) == private
    tmp_path.chmod(0o700)
