"""Do these two differ? One file per test of two algorithms, and the family that others walk over."""

from __future__ import annotations

from bakeoff.paired.sign import SignTestResult, sign_test
from bakeoff.paired.signed_rank import WilcoxonResult, wilcoxon
from bakeoff.paired.student import PairedTResult, paired_t

PAIRED = {"wilcoxon": wilcoxon, "sign": sign_test, "t": paired_t}
"""The two-algorithm tests, by the names ``compare(pairwise=...)`` gives them."""

__all__ = ["PAIRED", "PairedTResult", "SignTestResult", "WilcoxonResult", "paired_t", "sign_test", "wilcoxon"]
