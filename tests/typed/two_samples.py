"""mypy checks this file: tests of two samples take a table or two samples, and nothing between. Nothing runs it.

A call that must be refused has a comment that ignores its error: where there is no error, mypy says that the comment is
not needed.
"""

from typing import assert_type

import bakeoff as bo
from bakeoff.paired import WilcoxonResult
from bakeoff.wings.bayes import SignedRankPosterior


def accepted(scores: bo.Scores) -> None:
    assert_type(bo.wilcoxon(scores, "a", "b", zeros="drop"), WilcoxonResult)
    assert_type(bo.wilcoxon([1.0], (2.0,), better="lower", zeros="drop"), WilcoxonResult)
    assert_type(bo.bayes.signed_rank([1.0], [2.0], better="lower", rng=1), SignedRankPosterior)


def refused() -> None:
    bo.wilcoxon([1.0], [2.0])  # type: ignore[call-overload]
    bo.sign_test([1.0], [2.0], better="up")  # type: ignore[call-overload]
