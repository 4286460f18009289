"""The null hypothesis that a report states is that of its test."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.compare.reporting.methods import NULLS, say
from bakeoff.report import render


@pytest.mark.parametrize("pairwise", ["sign", "sign-without-ties", "mcnemar"])
def test_signs_compare_how_often_each_is_better(pairwise: str) -> None:
    """Of the last two it was said that all algorithms are exchangeable."""
    right = (np.random.default_rng(1).random((30, 3)) < 0.5).astype(float)
    report = render(bo.compare(bo.Scores(right, better="higher"), pairwise=pairwise), "md")
    assert "either of the two is equally likely to be better on a problem" in report
    assert "all algorithms are exchangeable" not in report


def test_no_null_is_a_median() -> None:
    assert not any("median" in say(f"null.{null}", unit="problem") for null in NULLS.values())
