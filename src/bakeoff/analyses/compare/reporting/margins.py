"""Equal up to a margin, or not worse: what the second family of tests shows, in words and as a table."""

from bakeoff import numerals
from bakeoff.analyses.compare.reporting.citations import ALSO_USED
from bakeoff.analyses.compare.statistics import Comparison, Pair
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.report.document import DecidedOnly, Text
from bakeoff.report.methods import mark, text
from bakeoff.report.sections import of_others
from bakeoff.scores.margins import Margin

CLAIMED = ("practically equal", "a not worse", "b not worse")
NOT_EQUAL = (
    "“No difference shown” does not mean “equal”: to show that, set a margin, the smallest difference that matters."
)
CENTRES = {"wilcoxon": "typical difference (Hodges–Lehmann)", "t": "mean difference", "share": "difference of shares"}
MOST_PAIRS = 5  # named in a sentence
BRIEF = DecidedOnly(
    title="Pairs that are equal up to the margin, or one not worse", more="with a claim", rest="without one"
)


def size(margin: Margin) -> str:
    """``0.01``, ``5 %``."""
    return margin.given.replace("%", " %")


def centre(margin: Margin) -> str:
    """What is claimed to be smaller than the margin, by the test that was used."""
    return " or ".join(CENTRES[test] for test in margin.tests)


def within(c: Comparison, pair: Pair) -> bool:
    """Is a difference shown, and shown to be smaller than the margin?"""
    return pair.verdict in DECIDED and pair.adjusted_equal is not None and pair.adjusted_equal <= c.alpha


def shown_verdict(c: Comparison, pair: Pair) -> str:
    """In a table whose columns are called first and second, or that has a control."""
    first, second = ("first", "second") if c.control is None else ("control", "algorithm")
    words = {
        "a better": f"{first} better",
        "b better": f"{first} worse",
        "a not worse": f"{first} not worse",
        "b not worse": f"{second} not worse",
    }.get(pair.verdict, pair.verdict)
    return f"{words}, by less than the margin" if within(c, pair) else words


def not_equal(c: Comparison) -> str:
    """Beside pairs without a shown difference, where no margin says more."""
    return NOT_EQUAL if c.margin is None and any(pair.verdict == "no difference shown" for pair in c.pairs) else ""


def after_verdict(c: Comparison) -> str:
    """After the verdict; empty without a margin."""
    if c.margin is None:
        return ""
    if len(c.pairs) == 1:
        return f" {_one(c, c.pairs[0], c.margin)}"
    if c.control is not None:
        return f" {_against_control(c, c.control, c.margin)}"
    return f" {_all_pairs(c, c.margin)}"


def _one(c: Comparison, pair: Pair, margin: Margin) -> str:
    of = f"{centre(margin)} of {size(margin)} or more"
    equal = numerals.p_phrase(pair.p_equal or 0.0, None, c.alpha)
    if within(c, pair):
        return f"The {centre(margin)} is smaller than the margin of {size(margin)} ({equal})."
    if pair.verdict == "practically equal":
        return f"They are practically equal: a {of} is excluded ({equal})."
    if pair.verdict in CLAIMED:
        shown = pair if pair.verdict == "a not worse" else pair.turned
        p = numerals.p_phrase(shown.p_a_not_worse or 0.0, None, c.alpha)
        return f"{numerals.plain(shown.a)} is not worse than {numerals.plain(shown.b)} by a {of} ({p})."
    return f"They are not shown to be equal up to a margin of {size(margin)} ({equal})."


def _against_control(c: Comparison, control: str, margin: Margin) -> str:
    m, name = len(c.pairs), numerals.plain(control)
    equal, better, worse = ([p.b for p in c.pairs if p.verdict == verdict] for verdict in CLAIMED)
    parts = [f"practically equal to {of_others(equal, m)}"] if equal else []
    parts += [f"not worse than {of_others(better, m)}"] if better else []
    sentence = f"{name} is {' and '.join(parts)}" if parts else ""
    if worse:
        others = f"{of_others(worse, m)} {'is' if len(worse) == 1 else 'are'} not worse than {name}"
        sentence = f"{sentence}; {others}" if sentence else others
    decided = sum(pair.verdict in DECIDED for pair in c.pairs)
    if not sentence and decided == m:
        return _shown_only(c, margin)
    if not sentence:
        others = "any algorithm from which it is not shown to differ" if decided else "any other algorithm"
        sentence = f"{name} is not shown to be equal to {others}, or not worse"
    return f"Up to a {centre(margin)} of {size(margin)}, {sentence}.{_small(c)}"


def _all_pairs(c: Comparison, margin: Margin) -> str:
    """Claims are counted among the pairs without a shown difference: a difference may be smaller than the margin."""
    undecided = [pair for pair in c.pairs if pair.verdict not in DECIDED]
    if not undecided:
        return _shown_only(c, margin)
    m = len(undecided)
    among = f"{m} pairs"
    if m < len(c.pairs):
        among = f"the {m} pairs not shown to differ" if m > 1 else "the one pair not shown to differ"
    up_to = f"Up to a {centre(margin)} of {size(margin)}, "
    equal = [pair for pair in undecided if pair.verdict == "practically equal"]
    one = sum(pair.verdict in CLAIMED[1:] for pair in undecided)
    if not equal and not one:
        subject = "no pair" if m == len(c.pairs) else among if m == 1 else f"none of {among}"
        shown = "is not shown" if subject == among else "is shown"
        return f"{up_to}{subject} {shown} to be equal, or one of it not worse.{_small(c)}"
    parts = []
    if equal:
        named = ""
        if len(equal) <= MOST_PAIRS:
            named = f" ({', '.join(f'{numerals.plain(p.a)} – {numerals.plain(p.b)}' for p in equal)})"
        subject = among if m == 1 else f"{len(equal)} of {among}"
        parts.append(f"{subject} {'is' if len(equal) == 1 else 'are'} practically equal{named}")
    if one:
        where = f"{one} more" if equal else among if m == 1 else f"{one} of {among}"
        parts.append(f"in {where} one is not worse")
    return f"{up_to}{' and '.join(parts)}.{_small(c)}"


def _shown_only(c: Comparison, margin: Margin) -> str:
    """Where every pair is shown to differ: which of the differences are smaller than the margin."""
    m, inside = len(c.pairs), sum(within(c, pair) for pair in c.pairs)
    if not inside:
        return f"No {centre(margin)} is shown to be smaller than the margin of {size(margin)}."
    sizes = centre(margin).replace("difference", "differences")
    among = f"All {m} {sizes} are" if inside == m else f"{inside} of the {m} {sizes} {'is' if inside == 1 else 'are'}"
    return f"{among} shown to be smaller than the margin of {size(margin)}."


def _small(c: Comparison) -> str:
    inside = sum(within(c, pair) for pair in c.pairs)
    if not inside:
        return ""
    be = "is" if inside == 1 else "are"
    return f" {numerals.count(inside, 'difference')} that {be} shown {be} smaller than that."


def basis(c: Comparison) -> str:
    """After the correction and the sizes; empty without a margin."""
    if c.margin is None:
        return ""
    over = "" if len(c.pairs) == 1 else f", Holm over {len(c.pairs)} pairs"
    return f"; margin {size(c.margin)}{over}, an α = {c.alpha:g} of its own"


def margin_note(c: Comparison) -> str:
    """Below the table of the pairs against the margin."""
    tests = _tests(c.margin, "t-tests", "signed-rank tests", " of each pair") if c.margin else ""
    over = f", adjusted by Holm's procedure over {len(c.pairs)} pairs" if len(c.pairs) > 1 else ""
    return (
        f"Two one-sided {tests} against the margin{over}: a family at α = {c.alpha:g}, separate from that of the "
        f"differences. {_holds(c.margin)}"
    )


def _tests(margin: Margin, t: str, ranks: str, of: str = "") -> str:
    """What was used against the margin, a plural."""
    if "share" in margin.tests:
        return f"score tests of paired shares{of}"
    if "wilcoxon" not in margin.tests:
        return f"{t}{of}"
    mixed = "t" in margin.tests
    return f"{ranks}{of}{' (of the mean, t-tests, where that is the effect)' if mixed else ''}"


def _holds(margin: Margin | None) -> str:
    return " ".join(HOLDS[test] for test in (margin.tests if margin else ()))


HOLDS = {
    "wilcoxon": "Exact for differences that are symmetric about their median; the claim is about the typical "
    "difference (Hodges–Lehmann).",
    "t": "t is exact for normal differences; the claim is about the mean. If more than a fifth of the problems show "
    "no difference, two more are added beyond the margin, as large as the largest difference.",
    "share": "Tango's score, by its exact distribution up to 200 problems, otherwise by the normal distribution; the "
    "claim is about the difference between the shares.",
}


def methods(c: Comparison) -> Text:
    """A sentence of the methods paragraph."""
    if c.margin is None:
        return ()
    tests = _tests(c.margin, "paired t-tests", "Wilcoxon signed-rank tests")
    unit = " (of the ratio of the scores)" if c.margin.relative else " (in score units)"
    paragraph = (
        f"Two one-sided {tests}{mark(ALSO_USED['equivalence'])} tested whether a pair is equal up to a margin of "
        f"{size(c.margin)}{unit}, or whether one of the two is not worse by that much"
    )
    if len(c.pairs) > 1:
        paragraph += (
            f". Their p-values were adjusted by Holm's procedure over {len(c.pairs)} pairs, each with at most one "
            f"true hypothesis. This second family has a family-wise error rate of α = {c.alpha:g} of its own."
        )
    else:
        paragraph += f", at α = {c.alpha:g}, separate from the level of the test of a difference."
    return text(f"{paragraph} {_holds(c.margin)}")
