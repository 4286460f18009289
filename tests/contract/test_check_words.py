"""What a check prints: the level of every bound, what the sample shows, and nothing that says nothing."""

import re

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.guard.check.reporting import health, junit, summary, verdict_table
from bakeoff.wings.guard.check.statistics import Check


def gate(factor: float, test: str = "t", alpha: float = 0.01, problems: int = 2, n: int = 30) -> Check:
    rng = np.random.default_rng(4)
    old, new = (
        {f"p{i}": np.exp(rng.normal(np.log(f), 0.02, n)) for i in range(problems)} for f in (1.0, factor)
    )  # fmt: skip
    return bo.check(old, new, "5%", alpha, better="lower", level="problem", test=test, paired=test == "anytime")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("test", "alpha", "level"), [("t", 0.01, "99 %"), ("rank", 0.05, "95 %"), ("anytime", 0.05, "95 %")]
)
def test_bounds_have_a_level(test: str, alpha: float, level: str) -> None:
    found = gate(1.05, test, alpha)
    (head,) = (c.title for c in verdict_table(found, found.rows).columns if c.key == "interval")
    assert head.startswith(f"{level} bounds")
    assert ("whenever you stop" in head) == (test == "anytime")
    assert all(f"{level} bounds" in text for text in (str(found), summary(found), junit(found)))


def test_a_mean_that_is_better_in_the_sample_is_not_called_worse() -> None:
    """It read "worse by less than 0.1, if at all (−0.0167)"."""
    x = (np.random.default_rng(1).random((60, 2)) < [0.70, 0.70]).astype(float)
    x[:, 1] = x[:, 0]
    x[[*np.flatnonzero(x[:, 0] == 0)[:2], np.flatnonzero(x[:, 0] == 1)[0]], 1] = (1.0, 1.0, 0.0)
    scores = bo.Scores(x, ["old", "new"], better="higher")
    found = bo.check(scores, scores, 0.1, label=("old", "new"))
    (row,) = found.rows
    assert (found.decision, round(row.effect or 0.0, 4)) == ("ok", -0.0167)
    assert row.interval is not None
    assert row.interval[1] > 0
    assert "worse" not in found.verdict
    assert re.search(r"better .* in this sample \(\+0\.0167.*loss of 0\.1 is ruled out", found.verdict)
    assert "in these runs" in gate(0.995, problems=1).verdict
    assert "in these runs" not in gate(0.9, problems=1).verdict


def test_counts_of_nothing_and_medians_of_one_are_left_out() -> None:
    assert [term for term, _ in health(gate(1.0))] == ["median"]
    assert health(gate(1.0, problems=1)) == []
    assert [term for term, _ in health(gate(1.3, problems=1))] == ["better and worse"]
    assert "\n\n\n" not in summary(gate(1.0, problems=1))


def test_a_single_problem_without_a_verdict_is_named() -> None:
    assert "whether p0 is worse" in gate(1.05, problems=1).verdict


@pytest.mark.parametrize("margin", [0.5, 0])
def test_a_number_decides_for_differences_where_there_are_no_ratios(margin: float) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 3, 8))
    assert bo.check(x, y, margin, better="higher").scale == "difference"
    with pytest.raises(bo.BakeoffError, match="no ratio; give scale='difference'"):
        bo.check(x, y, "5%", better="higher")
