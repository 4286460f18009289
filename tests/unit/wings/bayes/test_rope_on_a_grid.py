"""A rope narrower than the step of the scores is refused: it would hold ties and nothing else."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError
from bakeoff.wings.bayes.statements.verdicts import grid_step

ROPES: dict[str, Callable[[bo.Scores, float], Any]] = {
    "sign_test": lambda s, rope: bo.bayes.sign_test(s, 0, 1, rope=rope),
    "signed_rank": lambda s, rope: bo.bayes.signed_rank(s, 0, 1, rope=rope, n_draws=100),
    "overview": lambda s, rope: bo.bayes.overview(s, rope=rope, n_draws=100),
}


def right_or_wrong(n: int = 300) -> bo.Scores:
    """12 points apart, and yet "practically equivalent with probability 1" by signs: 80 % of the questions tie."""
    rng = np.random.default_rng(0)
    hard = rng.random(n) < 0.5
    values = [(hard & (rng.random(n) < p)) | (~hard & (rng.random(n) < 0.95)) for p in (0.5, 0.26)]
    return bo.Scores(np.column_stack(values).astype(float), ["gpt-x", "mistral-z"], better="higher")


@pytest.mark.parametrize("name", ROPES)
def test_right_or_wrong(name: str) -> None:
    s = right_or_wrong()
    with pytest.raises(ParameterError) as caught:
        ROPES[name](s, 0.02)
    assert caught.value.parameter == "rope"
    said = str(caught.value)
    assert said.startswith("rope must be 0 or at least 1, the grid step of the scores of 'gpt-x' and 'mist")
    assert "got 0.02" in said
    assert "Average the scores over problems or clusters" in said
    ROPES[name](s, 0.0)
    ROPES[name](s, 1.0)


def test_the_grid_is_that_of_the_two_compared() -> None:
    counts = np.random.default_rng(3).integers(1, 6, size=(40, 2)).astype(float)
    s = bo.Scores(np.column_stack([counts, np.random.default_rng(4).normal(size=40)]), better="higher")
    with pytest.raises(ParameterError, match="at least 1, the grid step of the scores of 'A1' and 'A2'"):
        bo.bayes.sign_test(s, "A1", "A2", rope=0.5)
    assert bo.bayes.sign_test(s, "A1", "A3", rope=0.5).rope == 0.5


@pytest.mark.parametrize("name", ROPES)
def test_counts_and_likert(name: str) -> None:
    """A fifth of ties."""
    values = np.random.default_rng(3).integers(1, 6, size=(40, 2))
    with pytest.raises(ParameterError, match="at least 1"):
        ROPES[name](bo.Scores(values, better="higher"), 0.5)
    with pytest.raises(ParameterError, match=r"at least 0\.25"):
        ROPES[name](bo.Scores(values / 4, better="higher"), 0.2)
    ROPES[name](bo.Scores(values / 10, better="higher"), 0.1)  # 0.3 − 0.2 is 0.09999999999999998


@pytest.mark.parametrize("name", ROPES)
@pytest.mark.parametrize("n", [3, 5, 20, 100])
def test_ordinary_tables_are_not_refused(name: str, n: int) -> None:
    """Continuous scores, also rounded to 4 digits, also with a quarter of ties at the top."""
    rng = np.random.default_rng(n)
    values = np.round(np.clip(rng.normal(0.9, 0.15, size=(n, 1)) + rng.normal(0, 0.02, size=(n, 2)), 0, 1), 4)
    ROPES[name](bo.Scores(values, better="higher"), 0.01)


def test_scores_that_are_the_same_everywhere_are_equivalent() -> None:
    s = bo.Scores([[0, 0], [1, 1]] * 3, better="higher")
    assert bo.bayes.sign_test(s, 0, 1, rope=0.5).p_equivalent == 1


def test_the_tables_of_the_papers_take_a_rope_of_one_point() -> None:
    s = bo.datasets.load("demsar_2006")
    for name in ROPES:
        ROPES[name](s, 0.01)


def test_the_step_of_the_grid() -> None:
    def step(values: list[list[float]]) -> float:
        return grid_step(bo.Scores(values, better="lower"), 0, 1)

    assert step([[0, 1], [1, 1]]) == 1
    assert step([[0, 0.5], [3, 10]]) == 0.5
    assert step([[1520, 1630], [33411, 1520]]) == 1
    assert step([[1 / 3, 2 / 3], [1, 1 / 7]]) == pytest.approx(1 / 21)
    assert step([[0.8127, 0.94], [0.91, 0.7333]]) == pytest.approx(0.0001)
    assert step(np.random.default_rng(0).normal(size=(5, 2)).tolist()) < 1e-6
    assert step([[0.1 + 0.2, 0.3], [0.3, 0.4]]) == pytest.approx(0.1)  # a difference in the last place is none
    assert step([[2, 2], [2, 2]]) == np.inf
    assert step([[0, np.inf], [np.inf, 2]]) == 2


@pytest.mark.slow
def test_the_mean_difference_of_several_runs_has_no_grid() -> None:
    """The rope of ``correlated_t`` and ``hierarchical`` is about a mean, which may lie between the steps."""
    runs = np.random.default_rng(2).integers(0, 2, size=(4, 2, 12)).astype(float)
    s = bo.Scores(runs, better="higher")
    assert bo.bayes.hierarchical(s, 0, 1, rope=0.02, correlation=0, n_draws=320).rope == 0.02
    assert bo.bayes.correlated_t(s, 0, 1, rope=0.02, correlation=0, problem=0).rope == 0.02


# --- many differences at the edge of a rope ----------------------------------------------------------------------


def piled(at: float, n: int = 40, share: float = 0.45) -> bo.Scores:
    """Differences of about 0.9, of which many are ``at``."""
    differences = 0.9 + 0.15 * np.random.default_rng(1).normal(size=n)
    differences[: round(share * n)] = at
    return bo.Scores(np.column_stack([1 + differences, np.ones(n)]), ["a", "b"], better="higher")


@pytest.mark.parametrize("test", [bo.bayes.sign_test, bo.bayes.signed_rank])
@pytest.mark.parametrize(("rope", "decided"), [(0.6, False), (0.965, True), (0.97, True), (0.98, True), (1.2, False)])
def test_a_verdict_that_the_width_of_the_rope_decides_is_cautioned(test: Any, rope: float, decided: bool) -> None:
    """P(better) .73, .15, .03 at ropes of .965, .97, .98, without a word."""
    result = test(piled(0.97), "a", "b", rope=rope)
    others = {test(piled(0.97), "a", "b", rope=rope * times).verdict for times in (0.98, 1.02)}
    assert (others != {result.verdict}) == decided
    assert ("rope-decides" in [caution.code for caution in result.cautions]) == decided


def test_few_differences_at_the_edge_or_no_rope_are_none_of_it() -> None:
    for scores, rope in ((piled(0.97, n=400, share=0.01), 0.97), (piled(0.97), 0.0)):
        assert "rope-decides" not in [caution.code for caution in bo.bayes.sign_test(scores, 0, 1, rope=rope).cautions]


def test_clusters_and_the_overview_have_the_same_caution() -> None:
    scores = piled(0.97)
    clustered = bo.Scores(scores.values, ["a", "b"], better="higher", clusters=[f"g{i // 2}" for i in range(40)])
    for table in (scores, clustered):
        assert [c.code for c in bo.bayes.sign_test(table, 0, 1, rope=0.97).cautions].count("rope-decides") == 1
        overview = bo.bayes.overview(table, rope=0.97, n_draws=1000)
        assert [caution.code for caution in overview.cautions].count("rope-decides") == 1
