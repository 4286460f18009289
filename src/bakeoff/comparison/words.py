"""What tests, rankings and corrections are called in a sentence; their keys are for code."""

from __future__ import annotations

from bakeoff.comparison.vocabulary import POSTHOC, entry

_WORDS = {
    "mean-ranks": "mean ranks",
    "aligned": "aligned ranks",
    "quade": "Quade's weighted ranks",
    "wilcoxon": "Wilcoxon",
    "sign": "sign test",
    "t": "paired t",
    "iman-davenport": "Iman–Davenport",
    "friedman": "Friedman",
    "anova": "analysis of variance",
}


def in_words(key: str) -> str:
    """``Bergmann–Hommel`` for ``bergmann-hommel``, ``mean ranks`` for ``mean-ranks``.

    Examples
    --------
    >>> in_words("mean-ranks"), in_words("holm")
    ('mean ranks', 'Holm')
    """
    return _WORDS.get(key) or entry(POSTHOC, key).short


def beside(pvalue: float, alpha: float, digits: int = 4) -> str:
    """``pvalue`` with as many digits as it takes to see on which side of ``alpha`` it lies.

    Examples
    --------
    >>> beside(0.123456, 0.05), beside(0.05000049, 0.05)
    ('0.1235', '0.0500005')
    """
    while digits < 17 and (float(f"{pvalue:.{digits}g}") <= alpha) != (pvalue <= alpha):
        digits += 1
    return f"{pvalue:.{digits}g}"
