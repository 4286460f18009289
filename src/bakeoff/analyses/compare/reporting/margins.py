"""Equal up to a margin, or not worse: what the second family of tests shows, in words and as a table."""

from bakeoff import numerals
from bakeoff.analyses.compare.reporting.citations import ALSO_USED
from bakeoff.analyses.compare.statistics import Comparison, Pair
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.report.document import DecidedOnly, Text
from bakeoff.report.methods import mark, text
from bakeoff.report.sections import of_others
from bakeoff.report.sentences import filler
from bakeoff.scores.margins import Margin

say = filler(__file__)

CLAIMED = ("practically equal", "a not worse", "b not worse")
MOST_PAIRS = 5  # named in a sentence
BRIEF = DecidedOnly(
    title="Pairs that are equal up to the margin, or one not worse", more="with a claim", rest="without one"
)


def size(margin: Margin) -> str:
    """``0.01``, ``5 %``."""
    return margin.given.replace("%", " %")


def centre(margin: Margin) -> str:
    """The quantity that is claimed to be smaller than the margin, by the test that was used."""
    return " or ".join(say(f"centre.{test}") for test in margin.tests)


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
    untold = c.margin is None and any(pair.verdict == "no difference shown" for pair in c.pairs)
    return say("not-equal") if untold else ""


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
    about = {"centre": centre(margin), "size": size(margin)}
    equal = numerals.p_phrase(pair.p_equal or 0.0, None, c.alpha)
    if within(c, pair):
        return say("one.within", equal=equal, **about)
    if pair.verdict == "practically equal":
        return say("one.equal", equal=equal, **about)
    if pair.verdict in CLAIMED:
        shown = pair if pair.verdict == "a not worse" else pair.turned
        p = numerals.p_phrase(shown.p_a_not_worse or 0.0, None, c.alpha)
        return say("one.not-worse", first=numerals.plain(shown.a), second=numerals.plain(shown.b), p=p, **about)
    return say("one.nothing", equal=equal, **about)


def _against_control(c: Comparison, control: str, margin: Margin) -> str:
    m, name = len(c.pairs), numerals.plain(control)
    equal, better, worse = ([p.b for p in c.pairs if p.verdict == verdict] for verdict in CLAIMED)
    parts = [say("control.equal", others=of_others(equal, m))] if equal else []
    parts += [say("control.not-worse", others=of_others(better, m))] if better else []
    sentence = f"{name} is {' and '.join(parts)}" if parts else ""
    if worse:
        others = f"{of_others(worse, m)} {'is' if len(worse) == 1 else 'are'} not worse than {name}"
        sentence = f"{sentence}; {others}" if sentence else others
    decided = sum(pair.verdict in DECIDED for pair in c.pairs)
    if not sentence and decided == m:
        return _shown_only(c, margin)
    others = say("control.nothing.left" if decided else "control.nothing.any")
    return _up_to(c, margin, sentence or say("control.nothing", control=name, others=others))


def _up_to(c: Comparison, margin: Margin, sentence: str) -> str:
    inside = sum(within(c, pair) for pair in c.pairs)
    be = "is" if inside == 1 else "are"
    small = say("small", differences=numerals.count(inside, "difference"), be=be) if inside else ""
    return say("up-to", centre=centre(margin), size=size(margin), sentence=sentence, small=small)


def _all_pairs(c: Comparison, margin: Margin) -> str:
    """Claims are counted among the pairs without a shown difference: a difference may be smaller than the margin."""
    undecided = [pair for pair in c.pairs if pair.verdict not in DECIDED]
    if not undecided:
        return _shown_only(c, margin)
    m = len(undecided)
    among = f"{m} pairs"
    if m < len(c.pairs):
        among = f"the {m} pairs not shown to differ" if m > 1 else "the one pair not shown to differ"
    equal = [pair for pair in undecided if pair.verdict == "practically equal"]
    one = sum(pair.verdict in CLAIMED[1:] for pair in undecided)
    parts = []
    if not equal and not one:
        subject = "no pair" if m == len(c.pairs) else among if m == 1 else f"none of {among}"
        parts.append(say("all.nothing", subject=subject, shown="is not shown" if subject == among else "is shown"))
    if equal:
        named = ""
        if len(equal) <= MOST_PAIRS:
            named = f" ({', '.join(f'{numerals.plain(p.a)} – {numerals.plain(p.b)}' for p in equal)})"
        subject = among if m == 1 else f"{len(equal)} of {among}"
        parts.append(say("all.equal", subject=subject, be="is" if len(equal) == 1 else "are", named=named))
    if one:
        where = f"{one} more" if equal else among if m == 1 else f"{one} of {among}"
        parts.append(say("all.not-worse", where=where))
    return _up_to(c, margin, " and ".join(parts))


def _shown_only(c: Comparison, margin: Margin) -> str:
    """Where every pair is shown to differ: which of the differences are smaller than the margin."""
    m, inside = len(c.pairs), sum(within(c, pair) for pair in c.pairs)
    if not inside:
        return say("shown.none", centre=centre(margin), size=size(margin))
    sizes = centre(margin).replace("difference", "differences")
    among = f"All {m} {sizes} are" if inside == m else f"{inside} of the {m} {sizes} {'is' if inside == 1 else 'are'}"
    return say("shown", among=among, size=size(margin))


def basis(c: Comparison) -> str:
    """After the correction and the sizes; empty without a margin."""
    if c.margin is None:
        return ""
    over = "" if len(c.pairs) == 1 else f", Holm over {len(c.pairs)} pairs"
    return say("basis", size=size(c.margin), over=over, alpha=c.alpha)


def margin_note(c: Comparison, margin: Margin) -> str:
    """Below the table of the pairs against the margin."""
    over = say("note.over", m=len(c.pairs)) if len(c.pairs) > 1 else ""
    tests = _tests(margin, "t-tests", "signed-rank tests", " of each pair")
    return say("note", tests=tests, over=over, alpha=c.alpha, holds=_holds(c, margin))


def _tests(margin: Margin, t: str, ranks: str, of: str = "") -> str:
    """The tests that were used against the margin, a plural."""
    if "share" in margin.tests:
        return f"score tests of paired shares{of}"
    if "wilcoxon" not in margin.tests:
        return f"{t}{of}"
    mixed = "t" in margin.tests
    return f"{ranks}{of}{' (of the mean, t-tests, where that is the effect)' if mixed else ''}"


def _holds(c: Comparison, margin: Margin) -> str:
    bounds = ("bounds",) if c.missing == "bounds" else ()
    return " ".join(say(f"holds.{name}") for name in (*margin.tests, *bounds))


def methods(c: Comparison) -> Text:
    """A sentence of the methods paragraph."""
    if c.margin is None:
        return ()
    tests = _tests(c.margin, "paired t-tests", "Wilcoxon signed-rank tests") + mark(ALSO_USED["equivalence"])
    unit = " (of the ratio of the scores)" if c.margin.relative else " (in score units)"
    level = say(f"methods.{'several' if len(c.pairs) > 1 else 'one'}", m=len(c.pairs), alpha=c.alpha)
    return text(say("methods", tests=tests, size=size(c.margin), unit=unit, level=level, holds=_holds(c, c.margin)))
