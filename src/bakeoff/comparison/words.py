"""What tests, rankings and corrections are called in a sentence; their keys are for code."""

from __future__ import annotations

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
    "bonferroni": "Bonferroni–Dunn",
    "sidak": "Šidák",
    "rom-printed": "Rom as printed",
    "fdr-bh": "Benjamini–Hochberg",
    "fdr-by": "Benjamini–Yekutieli",
    "nemenyi-range": "Nemenyi by the studentized range",
    "shaffer-dynamic": "Shaffer (dynamic)",
    "bergmann-hommel": "Bergmann–Hommel",
}


def in_words(key: str) -> str:
    """``Bergmann–Hommel`` for ``bergmann-hommel``; a key that is a plain name (``holm``) gets its capital.

    Examples
    --------
    >>> in_words("mean-ranks"), in_words("holm")
    ('mean ranks', 'Holm')
    """
    return _WORDS.get(key) or key[:1].upper() + key[1:]
