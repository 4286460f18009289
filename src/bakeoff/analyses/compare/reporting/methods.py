"""The methods paragraph, ready to paste: every test, size, correction, level and version that was used."""

from bakeoff import numerals
from bakeoff.analyses.compare.reporting import effects, margins, sentences
from bakeoff.analyses.compare.reporting.citations import ALSO_USED
from bakeoff.analyses.compare.reporting.omnibus import omnibus_outcome, sphericity, untestable
from bakeoff.analyses.compare.statistics import Comparison, catalogue
from bakeoff.analyses.compare.statistics.recipes import RECIPES
from bakeoff.effects import EFFECTS
from bakeoff.omnibus import OMNIBUS
from bakeoff.posthoc import PAIRWISE
from bakeoff.report.document import Text
from bakeoff.report.methods import cited, joined, mark, sample, software, text


def methods(comparison: Comparison) -> Text:
    """The paragraph as text with citations."""
    return joined(
        sample(comparison.scores),
        _units(comparison),
        _missing(comparison),
        _protocol(comparison),
        _omnibus(comparison),
        _agreement(comparison),
        _pairs(comparison),
        _other_corrections(comparison),
        margins.methods(comparison),
        _critical_difference(comparison),
        _effects(comparison),
        _contrasts(comparison),
        software(),
    )


def in_short(comparison: Comparison) -> Text:
    """What was compared, the test that decides, and the verdict: some sixty words."""
    c, test = comparison, PAIRWISE[comparison.pairwise]
    tests = f"two-sided {catalogue.tests_of_pairs(c.pairwise, c.n_rows)}{mark(test)}"
    if c.unit == "cluster":
        tests += " on the means of clusters"
    how = f"Pairs were decided by {tests}"
    if len(c.pairs) == 1:
        rule = text(f"The two were compared by {tests} at α = {c.alpha:g}.")
    else:
        used = catalogue.correction_of(c, c.primary)
        if used.pooled:
            how = "Pairs were tested with the pooled error of the analysis of variance"
        rate = f"{catalogue.rate(c)} α = {c.alpha:g}, {len(c.pairs)} hypotheses"
        rule = text(f"{how}, adjusted by {used.phrase}{mark(used)} ({rate}).")
    first: Text = ()
    if c.some_differ and c.recipe is None:
        outcome = omnibus_outcome(c.omnibus, c.alpha)
        first = (f"Some of them differ by {OMNIBUS[c.omnibus.name].phrase} ({outcome}).",)
    return joined(sample(c.scores), rule, first, (sentences.verdict(c),))


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


def _units(c: Comparison) -> Text:
    """What counts as one observation, and what counts equally."""
    if c.scores.clusters is None:
        return ()
    clusters = numerals.count(len(set(c.scores.clusters)), "cluster")
    if c.unit == "problem":
        return (f"The problems come in {clusters}, but each was treated as independent of the others.",)
    return (
        "Problems of one cluster are not independent, so all tests, effects and intervals are on the means over the "
        f"problems of each of the {clusters}. Clusters therefore count equally, whatever their size. For tests on "
        "ranks these are means of the ranks within problems, ranked again.",
    )


def _protocol(c: Comparison) -> Text:
    if c.recipe is None:
        return ()
    recipe = f"{c.recipe}{mark(RECIPES[c.recipe])}"
    rule = "differences between pairs are declared only if the omnibus test rejects"
    return text(f"The analysis follows the recipe {recipe}: {rule}.")


def _missing(c: Comparison) -> Text:
    """How many scores are missing, and what pairs and mean ranks are then."""
    if not c.missing:
        return ()
    each = sorted(pair.n_problems for pair in c.pairs)
    sentence = (
        f"{numerals.count(int(c.scores.holes.sum()), 'score')} are missing. "
        if c.scores.holes.sum() > 1
        else ("1 score is missing. ")
    )
    problems = f"{each[0]}" if each[0] == each[-1] else f"{each[0]} to {each[-1]}"
    if c.missing == "bounds":
        sentence += (
            "Verdicts on pairs hold for all values that these scores may have: p-values are the largest over all "
            "completions of the table. For signed ranks and mean ranks with many completions they are upper bounds. "
            "A pair that differs only in some completions depends on the missing scores."
        )
    elif c.pairwise != "mean-ranks":
        sentence += f"Each pair was compared on the problems for which both have a score ({problems})."
    sentence += (
        " The omnibus test and the mean ranks (least squares for additive shares of wins) assume that being missing "
        "is unrelated to the score."
    )
    return (sentence,)


def _omnibus(c: Comparison) -> Text:
    test, used = c.omnibus, OMNIBUS[c.omnibus.name]
    ties = {"corrected": ", corrected for ties", "none": ", without correction for ties"}
    tied = ties.get(str(getattr(test, "ties", None)), "") if used.takes_ties else ""
    laws = {"exact": ", with its exact null distribution", "permutation": ", with a permutation null distribution"}
    how = (
        laws.get(str(getattr(test, "method", "")), "") if (used.permuted or c.missing) and not untestable(test) else ""
    )  # else the usual limit distribution
    sentence = f"The hypothesis that all algorithms perform equally was tested by {used.phrase}{tied}{how}{mark(used)}"
    sentence += f": {omnibus_outcome(test, c.alpha)}"
    if c.companion is not None:
        sentence += f" (Friedman's statistic: {omnibus_outcome(c.companion)})" if not untestable(test) else ""
    if (corrected := sphericity(test)) is not None:
        sentence += (
            f"; with degrees of freedom corrected for non-sphericity{mark(ALSO_USED['greenhouse'])}, {corrected}"
        )
    return text(f"{sentence}.")


def _agreement(c: Comparison) -> Text:
    if c.kendall_w is None:
        return ()
    used, w = EFFECTS["kendall-w"], numerals.decimals(c.kendall_w, 3)
    return text(f"Agreement among the {c.unit}s on the ranking, measured by {used.phrase}{mark(used)}, is W = {w}.")


def _pairs(c: Comparison) -> Text:
    test = PAIRWISE[c.pairwise]
    phrase = catalogue.tests_of_pairs(c.pairwise, c.n_rows)
    if c.missing == "common" and c.pairwise == "mean-ranks":
        phrase = "z tests on contrasts of Skillings–Mack scores"
    phrase += _signs_instead(c)
    m, s = len(c.pairs), c.scores
    if c.control is not None:
        who = f"{numerals.plain(c.control)} (the control) was compared with each of the other algorithms"
    elif m == 1:
        who = f"{numerals.name_list([c.pairs[0].a, c.pairs[0].b])} were compared"
    else:
        who = f"All {m} pairs of the {s.n_algorithms} algorithms were compared"
    start = (f"{who} by two-sided {phrase}", *text(mark(test)))
    null = f" {NULLS[c.pairwise]}" if c.pairwise in NULLS else f" {_ranks_null(c)}"
    null = null.replace("problem", c.unit)
    if m == 1:
        return (*start, f" at α = {c.alpha:g}; a single hypothesis needs no correction.", null)
    used = catalogue.correction_of(c, c.primary)
    needs = TRANSITIVE if used.name in LOGICAL else ""
    end = f", at a {catalogue.rate(c)} of α = {c.alpha:g} over {m} hypotheses.{null}{needs}"
    if used.pooled:
        pooled = f"{who} by {used.phrase} on the pooled error of the analysis of variance"
        raw = f" Unadjusted p-values are those of two-sided {phrase}{mark(test)}."
        return (pooled, *text(f"{mark(used)}{end}{raw}"))
    return (*start, *text(f". The p-values were adjusted by {used.phrase}{mark(used)}{end}"))


SIGNS_NULL = "The null hypothesis of each test is that either of the two is equally likely to be better on a problem."
NULLS = {
    "wilcoxon": "The null hypothesis of each test is that the two are exchangeable on each problem, so that "
    "differences are symmetric about 0; the sign test needs no symmetry.",
    "sign": SIGNS_NULL,
    "sign-without-ties": SIGNS_NULL,
    "mcnemar": SIGNS_NULL,
    "t": "The null hypothesis of each test is that the mean difference is 0; it is exact for normal differences.",
}
LOGICAL = ("shaffer", "shaffer-dynamic", "bergmann-hommel")
TRANSITIVE = (
    " The correction assumes that A = B and B = C imply A = C (groups of exchangeable algorithms); Holm's does not."
)


def _ranks_null(c: Comparison) -> str:
    """The hypothesis of z tests on ranks, and their variance."""
    form = (
        "the papers' printed one" if c.standard_error == "papers" else "that of all orders of the ranks, ties included"
    )
    null = "The null hypothesis of each test is that all algorithms are exchangeable within each problem"
    return f"{null}; the variance is {form}."


def _signs_instead(c: Comparison) -> str:
    """Pairs that had to be tested otherwise."""
    others = sum(pair.test == "sign" for pair in c.pairs) if c.pairwise == "wilcoxon" else 0
    scale = " of the logarithms of the scores" if c.transform == "log" else ""
    pairs = numerals.count(others, "pair")
    return scale + (f" (sign tests for {pairs} with undefined differences)" if others else "")


def _other_corrections(c: Comparison) -> Text:
    others = [catalogue.correction_of(c, method) for method in c.posthoc if method != c.primary]
    if not others or len(c.pairs) == 1:
        return ()
    *first, last = [f"{used.short}{mark(used)}" for used in others]
    listed = f"{', '.join(first)} and {last}" if first else last
    return text(f"Adjusted p-values are also given for {listed}; they do not affect the verdicts.")


def with_contrasts(c: Comparison) -> bool:
    """Contrast estimation is a second size of the same difference: the report has it where a recipe asks for it."""
    return any(step.name == "contrast-estimation" for step in c.steps)


def _critical_difference(c: Comparison) -> Text:
    if c.critical_difference is None:
        return ()
    return (
        f"The critical difference of {catalogue.mean_rank(c.ranking)}s is {numerals.as_rank(c.critical_difference)}.",
    )


def _effects(c: Comparison) -> Text:
    return effects.sentence(c) if effects.known(c) else ()


def _contrasts(c: Comparison) -> Text:
    if c.contrasts is None or not with_contrasts(c):
        return ()
    used = EFFECTS["contrast-estimation"]
    phrase = f"{used.short.capitalize()} based on medians{mark(used)}"
    return text(f"{phrase} gives medians of differences, estimated jointly over all algorithms.")
