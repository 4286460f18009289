"""The test of all algorithms at once, in words."""

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import Comparison
from bakeoff.omnibus import OMNIBUS
from bakeoff.omnibus._anova import AnovaResult
from bakeoff.omnibus.result import OmnibusResult


def omnibus_line(c: Comparison) -> str:
    """``Test of all 9: F = 5.3351, p = 4.47e-6.``; empty where there is one pair."""
    k, test = c.scores.n_algorithms, c.omnibus
    if k == 2 or untestable(test):
        return ""
    p = numerals.p_phrase(test.pvalue, test.log_pvalue, c.alpha)
    return f"Test of all {k}: {symbol(test)} = {numerals.statistic(test.statistic)}, {p}."


def omnibus_outcome(test: OmnibusResult, alpha: float | None = None) -> str:
    """``F = 5.3351 with 8 and 192 degrees of freedom, p = 4.47e-6``."""
    if untestable(test):
        return "no test is possible with one problem, and p is set to 1"
    unit = "degree of freedom" if tuple(test.df) == (1,) else "degrees of freedom"
    law = f" with {numerals.degrees(test.df)} {unit}" if test.df else ""
    p = numerals.p_phrase(test.pvalue, test.log_pvalue, alpha)
    return f"{symbol(test)} = {numerals.statistic(test.statistic)}{law}, {p}"


def untestable(test: OmnibusResult) -> bool:
    """Whether there is one problem only, which leaves no degree of freedom for the error."""
    return test.n_problems == 1


def symbol(test: OmnibusResult) -> str:
    """The symbol of the statistic of an omnibus test."""
    return OMNIBUS[test.name].symbol


def sphericity(test: OmnibusResult) -> str | None:
    """The p-value of an analysis of variance with Greenhouse and Geisser's correction; None for other tests."""
    if not isinstance(test, AnovaResult):
        return None
    return numerals.p_phrase(test.greenhouse_geisser_pvalue, test.greenhouse_geisser_log_pvalue)
