"""Do these two differ? One file per test of two algorithms, and the family that others walk over."""

from __future__ import annotations

from bakeoff.paired._paired_t import PairedTResult, paired_t
from bakeoff.paired._sign_test import SignTestResult, sign_test
from bakeoff.paired._wilcoxon import WilcoxonResult, wilcoxon

PAIRED = {"wilcoxon": wilcoxon, "sign": sign_test, "t": paired_t}
"""The two-algorithm tests, by the names ``compare(pairwise=...)`` gives them."""

__all__ = ["PAIRED", "PairedTResult", "SignTestResult", "WilcoxonResult", "paired_t", "sign_test", "wilcoxon"]
