"""Kendall's W of one problem: what the caution says of it."""

import pytest

import bakeoff as bo


@pytest.mark.parametrize(("row", "ties", "w"), [([1, 2, 3], "none", 1.0), ([1, 1, 2], "none", 0.75)])
def test_the_caution_of_one_problem_agrees_with_its_value(row: list[float], ties: str, w: float) -> None:
    found = bo.kendall_w(bo.Scores([row], better="lower"), ties=ties)  # type: ignore[arg-type]
    assert found.statistic == w
    (caution,) = found.cautions
    assert "always 1" not in caution.text
    assert "With one problem (or cluster) and no ties, Kendall's W is 1" in caution.text


def test_two_problems_have_no_caution() -> None:
    assert bo.kendall_w(bo.Scores([[1, 2, 3], [1, 3, 2]], better="lower")).cautions == ()
