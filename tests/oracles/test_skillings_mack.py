"""Skillings and Mack's test against the papers' data, Friedman's test, Durbin's, and every permutation."""

from __future__ import annotations

import io
import itertools
from typing import Any

import numpy as np
import pytest

import bakeoff as bo

NAN = float("nan")
# Skillings & Mack (1981), assembly times: 9 operators, 4 methods
ASSEMBLY = [
    [3.2, 4.1, 3.8, 4.2],
    [3.1, 3.9, 3.4, 4.0],
    [4.3, 3.5, 4.6, 4.8],
    [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9],
    [4.5, 4.7, 3.7, NAN],
    [NAN, 4.2, 3.4, NAN],
    [4.3, 4.6, 4.4, 4.9],
    [3.5, NAN, 3.7, 3.9],
]
# Conover (1999), section 5.9: seven ice creams, seven people, three tastes each
ICE_CREAM = [
    ((1, 2, 4), (2, 3, 1)),
    ((2, 3, 5), (3, 1, 2)),
    ((3, 4, 6), (2, 1, 3)),
    ((4, 5, 7), (1, 2, 3)),
    ((1, 5, 6), (3, 1, 2)),
    ((2, 6, 7), (3, 1, 2)),
    ((1, 3, 7), (3, 1, 2)),
]


def with_holes(table: Any, better: str = "lower") -> bo.Scores:
    return bo.Scores(table, better=better, missing="keep")  # type: ignore[arg-type]


def test_the_assembly_times() -> None:
    found = bo.skillings_mack(with_holes(ASSEMBLY), "chi2")
    assert found.scores == pytest.approx([-14.12559752, 4.28124415, -4.28124415, 14.12559752], abs=1e-8)
    assert np.diag(found.covariance) == pytest.approx([22.0, 21.0, 23.0, 20.0], abs=1e-12)
    assert found.statistic == pytest.approx(15.493048797529275, abs=1e-12)
    assert (found.df, found.n_missing) == ((3.0,), 4)
    assert found.pvalue == pytest.approx(0.00144029630, abs=1e-11)


def test_durbin_s_test_of_a_balanced_design() -> None:
    table = np.full((7, 7), NAN)
    for row, (who, ranks) in zip(table, ICE_CREAM, strict=True):
        row[np.array(who) - 1] = ranks
    found = bo.skillings_mack(with_holes(table), "chi2")
    assert (found.statistic, found.df) == (pytest.approx(12.0, abs=1e-12), (6.0,))
    assert found.pvalue == pytest.approx(0.0619688044, abs=1e-10)


@pytest.mark.slow
def test_without_holes_it_is_friedman_s_corrected_for_ties() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        scores = bo.Scores(rng.integers(0, 4, (6, 4)).astype(float), better="higher")
        ours, theirs = bo.skillings_mack(scores, "chi2"), bo.friedman(scores, ties="corrected")
        assert ours.statistic == pytest.approx(theirs.statistic, abs=1e-11)
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-10)
        assert bo.skillings_mack(scores).pvalue == pytest.approx(bo.friedman(scores, "exact").pvalue, rel=1e-9)


def every_permutation(scores: bo.Scores) -> float:
    """P(T ≥ t), T by the definition for each way to permute the scores within the problems."""
    values = scores.values
    places = [np.flatnonzero(~np.isnan(row)) for row in values]
    observed = bo.skillings_mack(scores, "chi2").statistic
    hits = total = 0
    for orders in itertools.product(*(itertools.permutations(where) for where in places)):
        table = values.copy()
        for row, source, where, order in zip(table, values, places, orders, strict=True):
            row[where] = source[list(order)]
        hits += bo.skillings_mack(with_holes(table), "chi2").statistic >= observed - 1e-9
        total += 1
    return hits / total


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_exact_law_by_every_permutation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 5, (4, 3)).astype(float)
    table[0, seed % 3] = NAN
    table[1, (seed + 1) % 3] = NAN
    scores = with_holes(table)
    found = bo.skillings_mack(scores)
    assert found.method == "exact"
    assert found.pvalue == pytest.approx(every_permutation(scores), abs=1e-12)


def test_random_permutations_agree_with_all_of_them() -> None:
    rng = np.random.default_rng(3)
    table = rng.normal(size=(5, 4)) + np.arange(4) * 0.5
    table[1, 2] = table[3, 0] = NAN
    exact = bo.skillings_mack(with_holes(table))
    big = np.vstack([table] * 12)
    sampled = bo.skillings_mack(with_holes(big), "permutation", rng=1, n_resamples=999)
    assert exact.method == "exact"
    assert sampled.method == "permutation"
    assert sampled.pvalue == bo.skillings_mack(with_holes(big), "permutation", rng=1, n_resamples=999).pvalue
    assert sampled.pvalue == pytest.approx(1 / 1000)


def test_turning_the_direction_turns_the_scores() -> None:
    low, high = (bo.skillings_mack(with_holes(ASSEMBLY, better), "chi2") for better in ("lower", "higher"))
    assert low.scores == pytest.approx(-high.scores)
    assert low.statistic == pytest.approx(high.statistic)


def test_groups_that_never_meet_are_named() -> None:
    table = [[1, 2, NAN, NAN], [2, 1, NAN, NAN], [NAN, NAN, 1, 2]]
    with pytest.raises(bo.BakeoffError, match=r"2 groups .*\('A1', 'A2'\).*\('A3', 'A4'\)"):
        bo.skillings_mack(with_holes(table))


def test_one_score_says_nothing() -> None:
    found = bo.skillings_mack(with_holes([[1, 2, 3], [NAN, 5, NAN], [2, 1, 3]]))
    assert found.n_used == 2
    assert [c.code for c in found.cautions] == ["left-out", "missing"]
    with pytest.raises(bo.BakeoffError, match="no problem with two scores"):
        bo.skillings_mack(with_holes([[1, NAN], [NAN, 2]]))


def test_ties_everywhere() -> None:
    found = bo.skillings_mack(with_holes([[1, 1, NAN], [NAN, 2, 2], [3, 3, 3]]))
    assert (found.statistic, found.pvalue, found.df) == (0.0, 1.0, (0.0,))


# --- tables with holes ------------------------------------------------------------------------------------------


def test_reading_keeps_the_holes() -> None:
    text = "problem,A,B,C\np,1,2,\nq,4,-,6\nr,7,8,9\n"
    scores = bo.read_scores(io.StringIO(text), better="lower", missing="keep")
    assert scores.holes.tolist() == [[False, False, True], [False, True, False], [False, False, False]]
    assert repr(scores) == "Scores(3 problems × 3 algorithms, 2 missing, better='lower')"
    assert bo.skillings_mack(scores).n_missing == 2
    assert scores.select(problems=["r", "p"]).holes.tolist() == [[False] * 3, [False, False, True]]


def test_runs_that_are_there_stand_for_their_cell() -> None:
    runs = [[[1.0, NAN, 3.0], [NAN, NAN, NAN]], [[4.0, 5.0, NAN], [7.0, 8.0, NAN]]]
    scores = with_holes(runs)
    assert scores.n_runs.tolist() == [[2, 0], [2, 2]]
    assert scores.values[0, 0] == 2.0
    for cell in ("mean", "median", "best", "success"):
        assert np.isnan(scores.summarised(cell).values).tolist() == [[False, True], [False, False]]


COMPLETE_ONLY = {
    "friedman": bo.friedman,
    "quade": bo.quade,
    "aligned_friedman": bo.aligned_friedman,
    "anova": bo.anova,
    "iman_davenport": bo.iman_davenport,
    "kendall_w": bo.kendall_w,
    "contrast_estimation": bo.contrast_estimation,
    "rank": bo.rank,
    "rank_aligned": bo.rank_aligned,
    "rank_weighted": bo.rank_weighted,
    "tukey": bo.tukey,
    "wilcoxon": lambda s: bo.wilcoxon(s, 0, 1),
    "sign_test": lambda s: bo.sign_test(s, 0, 1),
    "paired_t": lambda s: bo.paired_t(s, 0, 1),
    "mcnemar": lambda s: bo.mcnemar(s, 0, 1),
    "a12": lambda s: bo.a12(s, 0, 1),
    "hodges_lehmann": lambda s: bo.hodges_lehmann(s, 0, 1),
    "median_difference": lambda s: bo.median_difference(s, 0, 1),
    "rank_biserial": lambda s: bo.rank_biserial(s, 0, 1),
    "dunnett": lambda s: bo.dunnett(s, 0),
    "multiple_sign_test": lambda s: bo.multiple_sign_test(s, 0),
    "bayes.compare": bo.bayes.compare,
    "bayes.overview": bo.bayes.overview,
    "bayes.sign_test": lambda s: bo.bayes.sign_test(s, 0, 1),
    "bayes.signed_rank": lambda s: bo.bayes.signed_rank(s, 0, 1),
    "bayes.friedman": bo.bayes.friedman,
    "bayes.rank_probabilities": bo.bayes.rank_probabilities,
    "race.replay": lambda s: bo.race.replay(s),
}


@pytest.mark.parametrize("name", COMPLETE_ONLY)
def test_what_needs_a_complete_table_names_the_hole(name: str) -> None:
    with pytest.raises(bo.BakeoffError, match=r"missing scores \(problem 'P6', algorithm 'A4'"):
        COMPLETE_ONLY[name](with_holes(ASSEMBLY))


def test_an_algorithm_without_a_score_is_refused() -> None:
    with pytest.raises(bo.BakeoffError, match="no score at all of 'A2'"):
        with_holes([[1.0, NAN], [2.0, NAN]])


@pytest.mark.parametrize("seed", range(3))
def test_the_exact_law_of_a_small_complete_table_is_friedmans(seed: int) -> None:
    table = bo.Scores(np.random.default_rng(seed).integers(0, 4, size=(5, 3)), better="lower")
    found = bo.skillings_mack(table)
    assert found.method == "exact"
    assert found.pvalue == pytest.approx(bo.friedman(table, method="exact").pvalue, rel=1e-12)
