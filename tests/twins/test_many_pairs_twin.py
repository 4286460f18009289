"""Many pairs together beside one pair at a time: the same bits, whatever the chunks, the threads and the order."""

from __future__ import annotations

import itertools
from dataclasses import asdict

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.effects._hodges_lehmann import shift_with_interval, untied_shift
from bakeoff.effects.hodges_lehmann_pairs import computable_shifts, row_shifts
from bakeoff.errors import InfiniteScoreError, OverflowingScoreError
from bakeoff.nulls.signed_rank import COUNTED, signed_rank_null, signed_rank_tail
from bakeoff.paired import many_pairs
from bakeoff.paired._wilcoxon import SignedRankSums, signed_rank_sums
from bakeoff.paired.differences import paired_differences
from bakeoff.posthoc.pairs import pair_tests
from bakeoff.ranks import tie_groups, tie_tolerance


def random_scores(rng: np.random.Generator, largest_n: int = 30, largest_k: int = 6) -> bo.Scores:
    """Rounded or not, of one scale or of many, with rounding errors of a few units in the last place, with runs."""
    n, k = int(rng.integers(1, largest_n + 1)), int(rng.integers(2, largest_k + 1))
    values = rng.integers(-9, 10, size=(n, k)) / 10 if rng.random() < 0.5 else rng.normal(size=(n, k))
    if rng.random() < 0.3:
        values = np.round(values, 1)
    if rng.random() < 0.5:
        values = values * 10.0 ** rng.integers(-8, 9, size=(n, 1))
    if rng.random() < 0.5:
        values = values * (1 + rng.integers(-20, 21, size=(n, k)) * 2.0**-52)
    if rng.random() < 0.2:
        values = values[:, :, None] + rng.integers(0, 3, size=(n, k, 2)) / 10
    return bo.Scores(values, better=str(rng.choice(["lower", "higher"])))  # type: ignore[arg-type]


def all_pairs(scores: bo.Scores) -> list[tuple[int, int]]:
    return list(itertools.permutations(range(scores.n_algorithms), 2))


def as_values(sums: SignedRankSums) -> dict[str, object]:
    return asdict(sums) | {"ranks": np.sort(sums.ranks).tolist(), "biserial": sums.rank_biserial}


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "tables"), [*((seed, 10) for seed in range(4)), pytest.param(4, 160, marks=pytest.mark.slow)]
)
def test_signed_ranks_and_shifts_are_those_of_one_pair(seed: int, tables: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(tables):
        scores = random_scores(rng)
        pairs = all_pairs(scores)
        together = many_pairs.for_signed_ranks(scores, pairs, as_values, "A test")
        shifts = computable_shifts(scores, pairs, [0.95, 0.999])
        for (a, b), sums, shift in zip(pairs, together, shifts, strict=True):
            found = paired_differences(scores, a, b, "A test")
            assert sums == as_values(signed_rank_sums(found))
            assert shift.tolist() == [[*shift_with_interval(found, level)] for level in (0.95, 0.999)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_wilcoxon_of_all_pairs_is_wilcoxon_of_each(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    for _ in range(25):
        scores = random_scores(rng)
        pairs = all_pairs(scores)
        got = pair_tests(scores, pairs, "wilcoxon")
        for i, (a, b) in enumerate(pairs):
            one = bo.wilcoxon(scores, a, b)
            assert (got.statistic[i], got.pvalue[i], got.log_pvalue[i]) == (one.statistic, one.pvalue, one.log_pvalue)
            assert got.direction[i] == np.sign(one.r_plus - one.r_minus)


def test_many_problems_are_normal_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    plain = rng.normal(size=(3000, 4))
    scores = bo.Scores(np.column_stack([plain, np.round(plain[:, :2], 3)]), better="higher")
    pairs = all_pairs(scores)
    expected = [bo.wilcoxon(scores, a, b) for a, b in pairs]
    done: list[tuple[int, int]] = []
    monkeypatch.setattr(many_pairs, "THREADED", 1)
    monkeypatch.setattr(many_pairs, "chunks_of", lambda pairs, n, each=many_pairs.chunks_of: each(pairs, n, 4 * n))
    for cpus in (1, 3):
        monkeypatch.setattr("os.cpu_count", lambda cpus=cpus: cpus)
        got = pair_tests(scores, pairs, "wilcoxon", lambda *step: done.append(step))
        assert got.log_pvalue.tolist() == [r.log_pvalue for r in expected]
        assert got.statistic.tolist() == [r.statistic for r in expected]
    assert done[-1] == (30, 30)


def test_long_rows_list_walsh_averages_one_pair_at_a_time() -> None:
    values = np.random.default_rng(6).normal(size=(3, 150))
    assert row_shifts(values, [3, 9]).tolist() == [[[*untied_shift(row, cut)] for cut in (3, 9)] for row in values]


def test_what_cannot_be_subtracted_is_refused_or_left_out() -> None:
    infinite = bo.Scores([[1.0, np.inf, 2.0], [2.0, 1.0, 5.0]], better="lower")
    shifts = computable_shifts(infinite, [(0, 1), (0, 2), (1, 2)], [0.95])
    assert np.isnan(shifts[:, 0, 0]).tolist() == [True, False, True]
    with pytest.raises(InfiniteScoreError, match=r"Wilcoxon.*'P1', algorithm 'A2'"):
        pair_tests(infinite, [(0, 1), (0, 2)], "wilcoxon")
    assert len(pair_tests(infinite, [(0, 2)], "wilcoxon").pvalue) == 1
    with pytest.raises(OverflowingScoreError, match="Wilcoxon"):
        pair_tests(bo.Scores([[1e308, -1e308]], better="lower"), [(0, 1)], "wilcoxon")


def twin_groups(values: list[float], tolerances: list[float]) -> list[int]:
    """Sort; a value joins a group while tied with its first member; equal values have the smallest tolerance."""
    smallest = {v: min(t for w, t in zip(values, tolerances, strict=True) if w == v) for v in values}
    group, first, labels = -1, 0.0, {}
    for v in sorted(smallest):
        if group < 0 or v - first > max(smallest[first], smallest[v]):
            group, first = group + 1, v
        labels[v] = group
    return [labels[v] for v in values]


@pytest.mark.slow
def test_tie_groups_value_by_value() -> None:
    rng = np.random.default_rng(7)
    for _ in range(1500):
        n = int(rng.integers(1, 25))
        scales = 10.0 ** rng.integers(-2, 3, size=n)
        values = rng.integers(0, 4, size=n) + rng.integers(-40, 41, size=n) * 2.0**-52 * float(rng.choice([1, 10]))
        expected = twin_groups(values.tolist(), tie_tolerance(scales).tolist())
        assert tie_groups(values, scales).tolist() == expected


@pytest.mark.slow
def test_a_tail_counted_by_itself_is_that_of_the_whole_law() -> None:
    rng = np.random.default_rng(8)
    for _ in range(300):
        m = int(rng.integers(0, COUNTED + 1))
        ranks = np.sort(rng.integers(1, int(rng.integers(2, 2 * m + 4)), size=m)) * int(rng.integers(1, 3))
        law = signed_rank_null(ranks)
        for w in rng.integers(-2, int(ranks.sum()) + 3, size=4).tolist():
            assert signed_rank_tail(ranks, w) == law.tail(w)
