"""The methods paragraph, ready to paste: every test, size, correction, level and version that was used."""

from typing import Any

from bakeoff import numerals
from bakeoff.comparison import Comparison, catalogue
from bakeoff.comparison.recipes import RECIPES
from bakeoff.effects import EFFECTS
from bakeoff.omnibus import OMNIBUS
from bakeoff.posthoc import PAIRWISE
from bakeoff.procedures import Term
from bakeoff.report.comparison.citations import ALSO_USED
from bakeoff.report.document import Cite, Text
from bakeoff.report.methods import cited, joined, sample, software


def methods(comparison: Comparison) -> Text:
    """The paragraph as text with citations."""
    return joined(
        sample(comparison.scores),
        _protocol(comparison),
        _omnibus(comparison),
        _agreement(comparison),
        _pairs(comparison),
        _other_corrections(comparison),
        _critical_difference(comparison),
        _effects(comparison),
        _contrasts(comparison),
        software(),
    )


def cited_keys(comparison: Comparison) -> tuple[str, ...]:
    """Keys of the bibliography for everything that was used, in the order of the paragraph."""
    used = [
        key
        for step in comparison.steps
        for family in (EFFECTS, ALSO_USED, OMNIBUS)
        if step.name in family
        for key in family[step.name].cite
    ]
    return cited(methods(comparison), *used)


def omnibus_outcome(test: Any, alpha: float | None = None) -> str:
    """``F = 5.3351 with 8 and 192 degrees of freedom, p = 4.47e-6``."""
    unit = "degree of freedom" if tuple(test.df) == (1,) else "degrees of freedom"
    law = f" with {numerals.degrees(test.df)} {unit}" if test.df else ""
    p = numerals.p_phrase(test.pvalue, test.log_pvalue, alpha)
    return f"{symbol(test)} = {numerals.statistic(test.statistic)}{law}, {p}"


def symbol(test: Any) -> str:
    """What the statistic of an omnibus test is called."""
    return OMNIBUS[test.name].symbol


def sphericity(test: Any) -> str | None:
    """The p-value of an analysis of variance with Greenhouse and Geisser's correction; None for other tests."""
    p = getattr(test, "greenhouse_geisser_pvalue", None)
    return None if p is None else numerals.p_phrase(p, test.greenhouse_geisser_log_pvalue)


def _protocol(c: Comparison) -> Text:
    if c.recipe is None:
        return ()
    start = f"The analysis follows the recipe {c.recipe}"
    return (
        start,
        *_cite(RECIPES[c.recipe]),
        ": differences between pairs are declared only if the omnibus test rejects.",
    )


def _omnibus(c: Comparison) -> Text:
    test, used = c.omnibus, OMNIBUS[c.omnibus.name]
    ties = {"corrected": ", corrected for ties", "none": ", without correction for ties"}
    tied = ties.get(str(getattr(test, "ties", None)), "") if used.takes_ties else ""
    laws = {"exact": ", with its exact null distribution", "permutation": ", with a permutation null distribution"}
    how = laws.get(str(getattr(test, "method", "")), "")  # else the usual limit law
    text = [f"The hypothesis that all algorithms perform alike was tested by {used.phrase}{tied}{how}", *_cite(used)]
    text.append(f": {omnibus_outcome(test, c.alpha)}")
    if c.companion is not None:
        text.append(f" (Friedman's statistic: {omnibus_outcome(c.companion)})")
    if (corrected := sphericity(test)) is not None:
        text += [
            "; with degrees of freedom corrected for non-sphericity",
            *_cite(ALSO_USED["greenhouse"]),
            f", {corrected}",
        ]
    return (*text, ".")


def _agreement(c: Comparison) -> Text:
    if c.kendall_w is None:
        return ()
    used, w = EFFECTS["kendall-w"], numerals.decimals(c.kendall_w, 3)
    return (
        f"Agreement among the problems on the ranking, measured by {used.phrase} ",
        Cite(used.cite),
        f", is W = {w}.",
    )


def _pairs(c: Comparison) -> Text:
    test = PAIRWISE[c.pairwise]
    phrase = catalogue.tests_of_pairs(c.pairwise, c.scores.n_problems)
    m, s = len(c.pairs), c.scores
    if c.control is not None:
        who = f"{numerals.plain(c.control)} (the control) was compared with each of the other algorithms"
    elif m == 1:
        who = f"{numerals.name_list([c.pairs[0].a, c.pairs[0].b])} were compared"
    else:
        who = f"All {m} pairs of the {s.n_algorithms} algorithms were compared"
    start = (f"{who} by two-sided {phrase}", *_cite(test))
    if m == 1:
        return (*start, f" at α = {c.alpha:g}; a single hypothesis needs no correction.")
    used = catalogue.correction(c.primary)
    end = f", at a {used.rate} of α = {c.alpha:g} over {m} hypotheses."
    if used.pooled:
        pooled = f"{who} by {used.phrase} on the pooled error of the analysis of variance"
        raw = (" Unadjusted p-values are those of two-sided ", phrase, *_cite(test), ".")
        return (pooled, *_cite(used), end, *raw)
    return (*start, f", and the p-values adjusted by {used.phrase}", *_cite(used), end)


def _other_corrections(c: Comparison) -> Text:
    others = [catalogue.correction(method) for method in c.posthoc if method != c.primary]
    if not others or len(c.pairs) == 1:
        return ()
    text: list[str | Cite] = ["Adjusted p-values are also given for "]
    for i, used in enumerate(others):
        text.append("" if i == 0 else " and " if i == len(others) - 1 else ", ")
        text += [used.short, *_cite(used)]
    return (*text, "; they do not affect the verdicts.")


def _critical_difference(c: Comparison) -> Text:
    if c.critical_difference is None:
        return ()
    return (
        f"The critical difference of {catalogue.mean_rank(c.ranking)}s is {numerals.as_rank(c.critical_difference)}.",
    )


def _effects(c: Comparison) -> Text:
    levels = [pair.effect.confidence_level for pair in c.pairs if pair.effect is not None]
    if not levels:
        return ()
    shift, biserial = EFFECTS["hodges-lehmann"], EFFECTS["rank-biserial"]
    text: list[str | Cite] = [
        f"Differences are Hodges–Lehmann estimates with {numerals.percent(levels[0])} confidence "
    ]
    text += ["intervals from the signed-rank distribution, not adjusted for multiplicity ", Cite(shift.cite)]
    if any(pair.rank_biserial is not None for pair in c.pairs):
        text += [f", and {biserial.phrase} ", Cite(biserial.cite)]
    return (*text, "; positive values favour the algorithm named first.")


def _contrasts(c: Comparison) -> Text:
    if c.contrasts is None:
        return ()
    used = EFFECTS["contrast-estimation"]
    return (
        f"Differences of medians, estimated jointly over all algorithms, are given by {used.phrase} ",
        Cite(used.cite),
        ".",
    )


def _cite(used: Term) -> Text:
    return (" ", Cite(used.cite)) if used.cite else ()
