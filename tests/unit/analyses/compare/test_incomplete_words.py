"""What a comparison of an incomplete table says and refuses, and its tests of where scores are missing."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.analyses.compare.statistics.incomplete.cautions import algorithms_pvalue, hardness, hardness_pvalue
from bakeoff.analyses.compare.statistics.units import plain_units, shared_rows
from bakeoff.errors import BakeoffError

NAMES = ["A", "B", "C"]


def table(holes: list[tuple[int, int]], n: int = 12, seed: int = 0, **more: Any) -> bo.Scores:
    values = np.random.default_rng(seed).normal(size=(n, 3)).round(3)
    for i, j in holes:
        values[i, j] = math.nan
    return bo.Scores(values, NAMES, better="lower", missing="keep", **more)


def texts(found: Any) -> dict[str, str]:
    return {caution.name: caution.text for caution in found.cautions}


def test_which_scores_are_missing() -> None:
    scores = table([(1, 1), (4, 1), (2, 0)])
    which = "3 scores of 36 missing (A 1, B 2): P2 / B, P3 / A, P5 / B. "
    assert texts(bo.compare(scores))["missing (scores)"] == (
        f"{which}All results assume that being missing is unrelated to the score. If failures are missing, count them "
        "as lost (missing='worst'), or ask which verdicts hold whatever they are (missing='bounds')."
    )
    assert texts(bo.compare(scores, missing="bounds"))["missing (bounds)"] == (
        f"{which}Verdicts on pairs hold whatever these scores are. The omnibus test and mean ranks do not: they assume "
        "that being missing is unrelated to the score."
    )


def test_pairs_on_different_problems() -> None:
    scores = table([(1, 1), (4, 1), (2, 0)])
    assert texts(bo.compare(scores))["different-problems (pairs)"].startswith(
        "Each pair is compared on the problems that both have, from 9 (A – B) to 11 (A – C) of 12. Verdicts and"
    )
    assert texts(bo.compare(scores, pairwise="mean-ranks"))["different-problems (opponents)"].startswith("z tests on")
    assert "different-problems (pairs)" not in texts(bo.compare(scores, missing="bounds"))
    alike = table([(1, 0), (1, 1), (4, 2), (5, 0), (5, 1), (6, 2)])
    assert "different-problems (pairs)" in texts(bo.compare(alike))
    whole = table([(1, 0), (1, 1), (1, 2)])
    assert "different-problems (pairs)" not in texts(bo.compare(whole))


@pytest.mark.parametrize(
    ("options", "parameter", "said"),
    [
        ({"omnibus": "anova"}, "omnibus", None),
        ({"recipe": "demsar-2006"}, "recipe", "needs a complete table, as its paper does"),
        ({"standard_error": "papers"}, "standard_error", "must be left out where scores are missing"),
        ({"missing": "worst"}, "missing", None),
        (
            {"pairwise": "t", "missing": "bounds"},
            "pairwise",
            "without limits on the missing scores, p could be anything",
        ),
        ({"pairwise": "quade"}, "pairwise", "where scores are missing; got 'quade'"),
        ({"pairwise": "quade", "missing": "bounds"}, "pairwise", "with missing='bounds'; got 'quade'"),
        ({"pairwise": "nonsense"}, "pairwise", None),
        ({"posthoc": "nemenyi", "pairwise": "mean-ranks"}, "posthoc", "takes a complete table"),
    ],
)
def test_what_needs_a_complete_table(options: dict[str, Any], parameter: str, said: str | None) -> None:
    with pytest.raises(BakeoffError) as caught:
        bo.compare(table([(1, 1)]), **options)
    assert caught.value.parameter == parameter
    assert said is None or said in str(caught.value)


def test_clusters_and_missing_scores_are_not_taken_together() -> None:
    scores = table([(1, 1)], clusters=[f"c{i // 2}" for i in range(12)])
    with pytest.raises(BakeoffError, match="unit 'cluster' needs a complete table"):
        bo.compare(scores)
    assert bo.compare(scores, unit="problem").missing == "common"


def test_where_the_scores_that_are_there_are_bad() -> None:
    """Holes of C on the problems whose scores are worst, of twelve."""
    values = np.arange(36.0).reshape(12, 3)
    values[[8, 9, 10, 11], 2] = math.nan
    scores = bo.Scores(values, NAMES, better="lower", missing="keep")
    hard = hardness(scores)
    first, second = hard[8:], hard[:8]
    exact = stats.mannwhitneyu(first, second, alternative="greater", method="exact").pvalue
    assert hardness_pvalue(scores) == pytest.approx(exact, rel=1e-9)
    assert "on problems whose other scores are bad" in texts(bo.compare(scores))["missing (gathered)"]
    turned = bo.Scores(values, NAMES, better="higher", missing="keep")
    assert hardness_pvalue(turned) > 0.99


def test_many_problems_are_compared_by_the_normal_law() -> None:
    values = np.random.default_rng(3).normal(size=(900, 3)).round(1)
    values[::4, 2] = math.nan
    values[::4, 0] += 0.2
    scores = bo.Scores(values, NAMES, better="lower", missing="keep")
    hard = np.round(hardness(scores), 12)
    gone = scores.holes.any(axis=1)
    normal = stats.mannwhitneyu(hard[gone], hard[~gone], alternative="greater", method="asymptotic").pvalue
    assert hardness_pvalue(scores) == pytest.approx(normal, rel=1e-6)


def test_how_hard_a_problem_is() -> None:
    values = [[1.0, 5.0], [2.0, math.nan], [2.0, 7.0], [9.0, 6.0]]
    scores = bo.Scores(values, better="lower", missing="keep")
    of_first, of_second = [0.125, 0.5, 0.5, 0.875], [1 / 6, None, 5 / 6, 0.5]
    expected = [a if b is None else (a + b) / 2 for a, b in zip(of_first, of_second, strict=True)]
    assert hardness(scores).tolist() == pytest.approx(expected)


def test_missing_scores_on_one_algorithm() -> None:
    scores = table([(i, 1) for i in range(5)])
    marks = bo.Scores(scores.holes.astype(float), better="lower")
    assert algorithms_pvalue(scores) == bo.friedman(marks, method="auto", ties="corrected", rng=0).pvalue
    said = texts(bo.compare(scores))["missing (gathered)"]
    assert said.startswith(
        "Missing scores are concentrated on 'B' (5 of 5; Cochran's test of the same share for every algorithm: p"
    )
    assert algorithms_pvalue(bo.Scores(np.ones((3, 2)), better="lower")) == 1.0
    assert "missing (gathered)" not in texts(bo.compare(table([(0, 0), (3, 1), (6, 2)])))


@pytest.mark.parametrize(("alpha", "verdict"), [(0.0625, "a better"), (0.06, "cannot tell")])
def test_the_least_p_of_common_problems_decides_what_can_be_told(alpha: float, verdict: str) -> None:
    """A and B meet on five problems, of which A wins all: p = 2/32."""
    values = np.array([[float(i), i + 1.0 + 0.1 * i] for i in range(9)])
    values[5:, 1] = math.nan
    scores = bo.Scores(values, ["A", "B"], better="lower", missing="keep")
    found = bo.compare(scores, alpha=alpha, missing="common")
    assert (found.pairs[0].pvalue, found.pairs[0].verdict) == (0.0625, verdict)
    unreachable = texts(found).get("out-of-reach (common-problems)", "")
    assert unreachable.startswith("1 pair with too few problems in common") == (verdict == "cannot tell")


def test_groups_of_an_incomplete_table_are_those_not_told_apart() -> None:
    values = np.column_stack([np.arange(12.0), np.arange(12.0) + 0.01, np.arange(12.0) + 5])
    values[0, 2] = math.nan
    values[::2, 1] -= 0.02
    scores = bo.Scores(values, NAMES, better="lower", missing="keep")
    found = bo.compare(scores)
    assert [set(group) for group in found.groups] == [{"A", "B"}, {"C"}]
    assert bo.compare(scores, control="A").groups == ()


@pytest.mark.parametrize(
    "rows",
    [
        [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
        [[1.0, None], [None, 4.0], [5.0, None]],
        [[1.0, None], [1.0, 2.0], [1.0, 2.0]],  # all as hard
    ],
)
def test_without_complete_and_incomplete_problems_nothing_is_known_of_their_hardness(rows: Any) -> None:
    scores = bo.Scores(np.array(rows, dtype=float), ["A", "B"], better="lower", missing="keep")
    assert hardness_pvalue(scores) == 1.0


def test_a_pair_without_a_common_problem_has_none() -> None:
    rows = [[1.0, np.nan, 2.0], [np.nan, 3.0, 1.0], [2.0, np.nan, np.nan]]
    scores = bo.Scores(np.array(rows), ["A", "B", "C"], better="lower", missing="keep")
    found = shared_rows(plain_units(scores, scores), [(0, 1), (0, 2), (1, 2)], None, incomplete=True)
    assert [(pair.n, pair.n_missing) for pair in found] == [(0, 3), (1, 2), (1, 2)]
