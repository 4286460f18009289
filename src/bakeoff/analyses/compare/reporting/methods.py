"""The methods paragraph, ready to paste: every test, size, correction, level and version that was used."""

from bakeoff import numerals
from bakeoff.analyses.compare.reporting import effects, margins, sentences
from bakeoff.analyses.compare.reporting.citations import ALSO_USED
from bakeoff.analyses.compare.reporting.omnibus import omnibus_outcome, sphericity, untestable
from bakeoff.analyses.compare.statistics import Comparison, catalogue
from bakeoff.analyses.compare.statistics.recipes import RECIPES
from bakeoff.effects import EFFECTS
from bakeoff.means.folds import CALIBRATED, PUBLISHED, default_test
from bakeoff.means.serial import serial_mean
from bakeoff.omnibus import OMNIBUS
from bakeoff.posthoc import OF_FOLDS, PAIR_TESTS
from bakeoff.report.document import Text
from bakeoff.report.methods import cited, joined, mark, sample, software, text
from bakeoff.report.sentences import filler

say = filler(__file__)


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
    """The paragraph in some sixty words: what was compared, the test that decides, and the verdict."""
    c, test = comparison, PAIR_TESTS[comparison.pairwise]
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
    """The sentence on what counts as one observation, and what counts equally."""
    if c.unit == "fold":
        share = c.scores.folds or 0.0
        ratio = share / (1.0 - share)
        if c.pairwise == CALIBRATED:
            return text(say("units.fold.calibrated", n=c.n_rows))
        if PUBLISHED in (c.pairwise, default_test(c.n_rows, share)):
            return (say("units.fold", n=c.n_rows, ratio=ratio),)
        return text(say("units.fold.repeated", n=c.n_rows, k=1.0 / share, repeats=c.n_rows * share, ratio=ratio))
    if c.unit == "row":
        series = serial_mean(c.scores)
        return text(say("units.row", averages=series.words, cosines=series.averages.n_problems - 1))
    if c.scores.clusters is None:
        return ()
    return (say(f"units.{c.unit}", clusters=numerals.count(len(set(c.scores.clusters)), "cluster")),)


def _protocol(c: Comparison) -> Text:
    return () if c.recipe is None else text(say("protocol", recipe=f"{c.recipe}{mark(RECIPES[c.recipe])}"))


def _missing(c: Comparison) -> Text:
    """The sentences on how many scores are missing, and what pairs and mean ranks are then."""
    if not c.missing:
        return ()
    missing, each = int(c.scores.holes.sum()), sorted(pair.n_problems for pair in c.pairs)
    problems = f"{each[0]}" if each[0] == each[-1] else f"{each[0]} to {each[-1]}"
    together = c.missing == "common" and c.pairwise == "mean-ranks"
    pairs = "" if together else " " + say(f"missing.{c.missing}", problems=problems)
    scores = f"{numerals.count(missing, 'score')} {'are' if missing > 1 else 'is'}"
    return (say("missing", scores=scores, pairs=pairs),)


def _omnibus(c: Comparison) -> Text:
    test, used = c.omnibus, OMNIBUS[c.omnibus.name]
    ties = {"corrected": ", corrected for ties", "none": ", without correction for ties"}
    tied = ties.get(str(getattr(test, "ties", None)), "") if used.takes_ties else ""
    laws = {"exact": ", with its exact null distribution", "permutation": ", with a permutation null distribution"}
    how = (
        laws.get(str(getattr(test, "method", "")), "") if (used.permuted or c.missing) and not untestable(test) else ""
    )  # else the usual limit distribution
    outcome = omnibus_outcome(test, c.alpha)
    if c.companion is not None and not untestable(test):
        outcome += f" (Friedman's statistic: {omnibus_outcome(c.companion)})"
    sentence = say("omnibus", test=f"{used.phrase}{tied}{how}{mark(used)}", outcome=outcome)
    if (corrected := sphericity(test)) is not None:
        sentence = say("omnibus.corrected", omnibus=sentence, mark=mark(ALSO_USED["greenhouse"]), p=corrected)
    return text(f"{sentence}.")


def _agreement(c: Comparison) -> Text:
    if c.kendall_w is None:
        return ()
    used, w = EFFECTS["kendall-w"], numerals.decimals(c.kendall_w, 3)
    return text(say("agreement", unit=c.unit, phrase=f"{used.phrase}{mark(used)}", w=w))


def _pairs(c: Comparison) -> Text:
    test = PAIR_TESTS[c.pairwise]
    phrase = catalogue.tests_of_pairs(c.pairwise, c.n_rows)
    if c.missing == "common" and c.pairwise == "mean-ranks":
        phrase = "z tests on contrasts of Skillings–Mack scores"
    phrase += _signs_instead(c)
    m, alpha = len(c.pairs), c.alpha
    if c.control is not None:
        who = say("pairs.control", control=numerals.plain(c.control))
    elif m == 1:
        who = say("pairs.one", names=numerals.name_list([c.pairs[0].a, c.pairs[0].b]))
    else:
        who = say("pairs.all", m=m, k=c.scores.n_algorithms)
    start = (f"{who} by two-sided {phrase}", *text(mark(test)))
    null = say(f"null.{NULLS.get(c.pairwise) or c.standard_error or 'permutation'}", unit=c.unit)
    if m == 1:
        return (*start, say("pairs.alone", alpha=alpha, null=null))
    used = catalogue.correction_of(c, c.primary)
    end = say("pairs.level", rate=catalogue.rate(c), alpha=alpha, m=m, null=null)
    end += say("transitive") if used.name in LOGICAL else ""
    if used.pooled:
        raw = say("pairs.raw", test=f"{phrase}{mark(test)}")
        pooled = f"{who} by {used.phrase} on the pooled error of the analysis of variance"
        return (pooled, *text(f"{mark(used)}{end}{raw}"))
    return (*start, *text(f". The p-values were adjusted by {used.phrase}{mark(used)}{end}"))


SCALES = {
    "log": " of the logarithms of the scores",
    "minmax": " of the scores, normalised to [0, 1] over the algorithms of each problem",
}
NULLS = {"wilcoxon": "wilcoxon", "sign": "signs", "sign-without-ties": "signs", "mcnemar": "signs", "t": "t"}
NULLS |= dict.fromkeys(OF_FOLDS, "mean")
LOGICAL = ("shaffer", "shaffer-dynamic", "bergmann-hommel")


def _signs_instead(c: Comparison) -> str:
    """Pairs that had to be tested otherwise."""
    others = sum(pair.test == "sign" for pair in c.pairs) if c.pairwise == "wilcoxon" else 0
    scale = SCALES.get(c.transform or "", "")
    pairs = numerals.count(others, "pair")
    return scale + (f" (sign tests for {pairs} with undefined differences)" if others else "")


def _other_corrections(c: Comparison) -> Text:
    others = [catalogue.correction_of(c, method) for method in c.posthoc if method != c.primary]
    if not others or len(c.pairs) == 1:
        return ()
    *first, last = [f"{used.short}{mark(used)}" for used in others]
    listed = f"{', '.join(first)} and {last}" if first else last
    return text(say("also", listed=listed))


def with_contrasts(c: Comparison) -> bool:
    """Contrast estimation is a second size of the same difference: the report has it where a recipe asks for it."""
    return any(step.name == "contrast-estimation" for step in c.steps)


def _critical_difference(c: Comparison) -> Text:
    if c.critical_difference is None:
        return ()
    cd = numerals.as_rank(c.critical_difference)
    return (say("critical-difference", rank=catalogue.mean_rank(c.ranking), cd=cd),)


def _effects(c: Comparison) -> Text:
    return effects.sentence(c) if effects.known(c) else ()


def _contrasts(c: Comparison) -> Text:
    if c.contrasts is None or not with_contrasts(c):
        return ()
    used = EFFECTS["contrast-estimation"]
    return text(say("contrasts", phrase=f"{used.short.capitalize()} based on medians{mark(used)}"))
