"""Evaluations of data that t, McNemar's test or the clusters say little about: what is printed stays true."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

import bakeoff as bo
from bakeoff import report
from bakeoff.wings.boards.evaluate.statistics import least_detectable


def scored(columns: object, clusters: object = None) -> bo.Scores:
    x = np.asarray(columns, dtype=float)
    return bo.Scores(x, [chr(65 + j) for j in range(x.shape[1])], better="higher", clusters=clusters)  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "shown"), [(2, False), (3, False), (6, True)])
def test_equal_differences_are_decided_by_signs(n: int, shown: bool) -> None:
    """t is infinite: two questions with the same difference gave p = 0 by Holm, and an interval 'from 0.4 to 0.4'."""
    first = np.arange(n) / 8
    found = bo.evaluate(scored(np.column_stack([first, first + 0.5])), correction="holm")
    assert found.pairs[0].pvalue == found.pairs[0].adjusted == 2.0 ** (1 - n)
    assert (found.pairs[0].verdict == "b better") == shown
    assert "interval" not in found.verdict
    assert "by sign flips" in found.verdict
    assert "0.5 to 0.5" not in report.render(found, "txt")


def test_equal_scores_have_no_interval() -> None:
    found = bo.evaluate(scored(np.full((20, 2), 0.3)))
    assert found.verdict == "No difference shown between A and B: their scores are equal on each problem."
    assert "0.3 to 0.3" not in report.render(found, "txt")


def test_where_the_score_interval_leaves_out_0_and_mcnemar_shows_nothing() -> None:
    answers = np.zeros((100, 2))
    answers[:5, 0] = 1
    found = bo.evaluate(scored(answers))
    assert found.pairs[0].interval[0] > 0
    assert found.verdict == (
        "No difference shown between A and B: 0.05 (95 % interval 0.0112 to 0.1118 by Tango's score; McNemar's exact "
        "test decides, p = 0.0625)."
    )
    assert "may exceed α although the interval excludes 0" in " ".join(report.render(found, "txt").split())


@pytest.mark.parametrize("correction", ["max-t", "holm", "bonferroni"])
def test_simultaneous_intervals_of_shares_contain_their_own(correction: str) -> None:
    """Of 20 questions t's critical value is a smaller score than the normal one."""
    rng = np.random.default_rng(2)
    for answers in (np.ones((20, 3)), rng.integers(0, 2, (20, 3)), rng.integers(0, 2, (7, 3))):
        for pair in bo.evaluate(scored(answers), correction=correction).pairs:  # type: ignore[arg-type]
            assert pair.simultaneous is not None
            assert pair.simultaneous[0] <= pair.interval[0]
            assert pair.simultaneous[1] >= pair.interval[1]


def test_the_detectable_difference_is_one_that_mcnemar_can_detect() -> None:
    """1 to 0 of 12 questions: by t a difference of 0.26, three questions, of which McNemar's p is 0.25."""
    answers = np.zeros((12, 2))
    answers[0, 0] = 1
    found = bo.evaluate(scored(answers))
    assert found.detectable is not None
    assert binom.sf(5, 12, found.detectable) == pytest.approx(0.8)  # six or more, 2·2^(−6) < 0.05
    assert least_detectable(5, 0.05) is None
    assert binom.sf(7, 50, least_detectable(50, 0.01) or 0) == pytest.approx(0.8)  # 2·2^(−8) < 0.01 < 2·2^(−7)


def test_a_copy_of_a_model_does_not_hide_what_is_detectable() -> None:
    x = np.random.default_rng(0).random((30, 2))
    found = bo.evaluate(scored(np.column_stack([x, x[:, 0]])))
    assert found.pair("A", "C").standard_error == 0
    assert found.detectable == found.pair("A", "B").detectable


def test_equal_means_are_equal_in_any_order_of_the_questions() -> None:
    values = [0.1, 0.2, 0.3, 0.7, 0.15] * 6
    rng = np.random.default_rng(1)
    found = bo.evaluate(scored(np.column_stack([values, *(rng.permutation(values) for _ in range(3))])))
    assert {pair.difference for pair in found.pairs} == {0.0}
    assert found.verdict.startswith("A, B, C and D have the highest mean")


def test_clusters_of_very_unequal_sizes() -> None:
    """One of 50 clusters with 60 % of the problems: they tell no more than 2.8 of equal size, which is nothing."""
    sizes = [735] + [10] * 49
    clusters = np.repeat(np.arange(50), sizes).tolist()
    rng = np.random.default_rng(4)
    values = rng.normal(size=(len(clusters), 2)) + rng.normal(size=(50, 2))[clusters]
    found = bo.evaluate(scored(values, clusters))
    assert {pair.verdict for pair in found.pairs} == {"cannot tell"}
    assert {frozenset(group) for group in found.groups} == {frozenset("AB")}
    (told,) = [c for c in found.cautions if c.code == "unequal"]
    assert told.severity == "stop"
    assert "worth only 2.8 of equal size" in told.text
    even = [i // 25 for i in range(len(clusters))]
    assert "unequal" not in {c.code for c in bo.evaluate(scored(values, even)).cautions}


@pytest.mark.slow
def test_unequal_clusters_keep_the_level() -> None:
    """10 clusters of sizes that vary by 0.8, at 0.05: the flips and the deciding p; G/(G − 1) and t(9) gave 9 %."""
    sizes = [2, 4, 5, 6, 8, 10, 12, 15, 20, 31]
    clusters = np.repeat(np.arange(10), sizes)
    rng = np.random.default_rng(6)
    flips, decided, tables = 0, 0, 300
    for _ in range(tables):
        noise = math.sqrt(0.3) * rng.normal(size=(10, 2))[clusters] + math.sqrt(0.7) * rng.normal(size=(113, 2))
        pair = bo.evaluate(scored(noise, clusters.tolist()), n_resamples=511).pairs[0]
        flips, decided = flips + (pair.sign_flip <= 0.05), decided + (pair.pvalue <= 0.05)
    assert flips / tables <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / tables)
    assert decided / tables <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / tables)
