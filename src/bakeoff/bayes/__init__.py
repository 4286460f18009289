"""The probability that one algorithm is better, and joint statements about all of them: ``bo.bayes``."""

from __future__ import annotations

from bakeoff.bayes.joint import JointComparison, compare
from bakeoff.bayes.resampled import CorrelatedTPosterior, correlated_t
from bakeoff.bayes.signs import SignPosterior, sign_test
from bakeoff.bayes.statements import Statement

__all__ = [
    "CorrelatedTPosterior",
    "JointComparison",
    "SignPosterior",
    "Statement",
    "compare",
    "correlated_t",
    "sign_test",
]
