"""What an evaluation cannot compare, and what it says of runs that do not belong together."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import OverflowingScoreError, ScoreError
from bakeoff.wings.boards.evaluate.table import evaluation_table


@pytest.mark.parametrize("scores", [[[1e308, -1e308], [1.0, 2.0]], [[1e308, 1e308], [-1e308, -1e308]]])
def test_scores_too_large_to_subtract(scores: list[list[float]]) -> None:
    table = bo.Scores([*scores, [2.0, 3.0], [3.0, 1.0]], better="lower")
    with pytest.raises(OverflowingScoreError, match=r"bo\.evaluate: scores are too large to subtract"):
        bo.evaluate(table)


@pytest.mark.parametrize(
    ("kind", "others", "said"),
    [("split", 2, "same splits of 2 problems (P7, P8)"), ("split", 0, None), ("seed", 2, None)],
)
def test_splits_that_differ_are_named(kind: str, others: int, said: str | None) -> None:
    ids = [[list("abcd"), list("abce" if i >= 8 - others else "abcd")] for i in range(8)]
    values = np.random.default_rng(0).normal(size=(8, 2, 4))
    found = bo.evaluate(bo.Scores(values, better="lower", run_kind=kind, run_ids=ids))
    texts = [caution.text for caution in found.cautions if caution.code == "not-paired"]
    assert [said in text for text in texts] == ([True] if said else [])


@pytest.mark.parametrize("seed", range(4))
def test_a_variance_below_0_is_shown_as_0(seed: int) -> None:
    answers = (np.random.default_rng(seed).random((30, 2, 6)) < 0.5).astype(float)
    found = bo.evaluate(bo.Scores(answers, better="higher", run_kind="answer"))
    texts = [caution.text for caution in found.cautions if caution.code == "negative-variance"]
    said = (
        "The estimated variance between questions is below 0 for 1 pair: it is small compared with that of the "
        "answers, and shown as 0. The JSON has the raw estimates."
    )
    assert texts == [said] * (found.pairs[0].omega2 < 0)


def test_any_cluster_may_be_the_one_in_several_suites() -> None:
    scores = bo.Scores(np.random.default_rng(0).normal(size=(6, 2)), better="lower", clusters=list("uuvvww"))
    for suites, name in (("aaabbb", "v"), ("aaaabc", "w"), ("abbbbb", "u")):
        with pytest.raises(bo.BakeoffError, match=f"hold problems of several tasks, the first '{name}'"):
            bo.evaluate(scores, suites=list(suites))


def test_a_mapping_names_the_suite_of_every_problem() -> None:
    scores = bo.Scores(np.random.default_rng(0).normal(size=(4, 2)), better="lower", problems=list("pqrs"))
    with pytest.raises(ScoreError, match=r"must name the suite of every problem; none for q, s"):
        bo.evaluate(scores, suites={"p": "u", "r": "u"})


def test_effective_clusters_enough_in_one_suite_are_enough() -> None:
    labels = ("u",) * 4 + ("v",) * 8
    for clusters, decides in (("aabbcdefghij", True), ("aabbccccdddd", False), ("abcdeeeeffff", True)):
        scores = bo.Scores(
            np.random.default_rng(0).normal(size=(12, 2)), better="lower", clusters=list(clusters), tasks=labels
        )
        assert evaluation_table(scores, "fixed", None).decides == decides


def test_the_critical_value_is_that_of_the_intervals() -> None:
    found = bo.evaluate(bo.Scores(np.random.default_rng(0).normal(size=(30, 3)), better="lower"))
    assert found.critical is not None
    for pair in found.pairs:
        reach = found.critical * pair.standard_error
        assert pair.simultaneous == pytest.approx((pair.difference - reach, pair.difference + reach))
