"""Sizes of differences in words: what the estimate is, on which scale, and what its interval promises."""

import math
from collections import Counter
from collections.abc import Sequence

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import Comparison, Pair
from bakeoff.analyses.compare.statistics.limits import read_later
from bakeoff.analyses.compare.statistics.results import EffectKind, Interval
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.effects import EFFECTS
from bakeoff.nulls.signed_rank import EXACT_LIMIT
from bakeoff.report.document import ColumnSpec, Text, number_column
from bakeoff.report.methods import mark, measured, text
from bakeoff.report.sentences import filler
from bakeoff.scores import Scores

say = filler(__file__)
MARK = "*"
DIGITS = 3  # of an effect and its interval
WORDS: dict[EffectKind, str] = {
    "hodges-lehmann": "Hodges–Lehmann",
    "mean": "mean",
    "median": "median",
    "share": "shares",
}
CITED: dict[EffectKind, str] = {"hodges-lehmann": "hodges-lehmann", "median": "median-difference"}


def shown_interval(interval: Interval) -> str:
    """``[0.05, 0.31]``; ``(0.00, 0.31]`` where it ends at no difference, which lies outside."""
    return _bracketed(interval, numerals.equal_decimals(_ends(interval), DIGITS))


def _ends(interval: Interval) -> list[float]:
    """As they are shown: no difference where an end is as near to it as can be."""
    return [_null(interval) if _near_null(interval, end) else end for end in (interval.low, interval.high)]


def _bracketed(interval: Interval, ends: Sequence[str]) -> str:
    """Round brackets where the end itself is excluded."""
    low, high = _open_ends(interval)
    first = "(" if low or math.isinf(interval.low) else "["
    last = ")" if high or math.isinf(interval.high) else "]"
    return f"{first}{ends[0]}, {ends[1]}{last}"


def from_to(interval: Interval) -> str:
    """``0.05 to 0.31``."""
    return shown_interval(interval)[1:-1].replace(", ", " to ")


def _null(interval: Interval) -> float:
    return 0.5 if interval.scale == "a12" else 0.0


def holds_null(pair: Pair) -> bool:
    """Is a difference declared that the interval does not exclude?"""
    interval = pair.interval
    if interval is None or pair.verdict not in DECIDED:
        return False
    return interval.low <= _null(interval) <= interval.high


def _near_null(interval: Interval, end: float) -> bool:
    """Is this end as near to no difference as can be, on either side?"""
    width = interval.high - interval.low
    return abs(end - _null(interval)) <= (0.0 if math.isinf(width) else 1e-9 * width)


def _open_ends(interval: Interval) -> tuple[bool, bool]:
    """Does an end stand for no difference, which itself lies outside? The number tells, not its printed digits."""
    low, high = (_near_null(interval, end) for end in (interval.low, interval.high))
    return low and interval.low > _null(interval), high and interval.high < _null(interval)


def known(c: Comparison) -> bool:
    """Is there any effect to speak of? Of large families a page lists none."""
    return not read_later(len(c.pairs)) and any(
        pair.effect is not None and pair.interval is not None for pair in c.pairs
    )


def kinds(c: Comparison) -> list[EffectKind]:
    """That occur, in the order of the family."""
    return list(dict.fromkeys(pair.effect.kind for pair in c.pairs if pair.effect is not None))


def column_title(c: Comparison) -> str:
    """The title of the column."""
    return {"percent": "percent", "log-ratio": "log ratio", "a12": "A12"}.get(c.effect, "difference") + " [interval]"


def unit(s: Scores) -> str:
    """The unit of a difference of scores."""
    return say("in.metric", metric=measured(s)) if s.metric else say("in.difference")


def estimates(c: Comparison) -> str:
    """``Hodges–Lehmann estimate in score units``; several kinds with the rule that chose among them."""
    occurring, of = kinds(c), unit(c.scores) if c.effect == "difference" else say(f"in.{c.effect}")
    if c.transform == "minmax" and c.effect == "difference":
        of = " of scores normalised to [0, 1]"
    if "hodges-lehmann" in occurring and c.n_rows > EXACT_LIMIT:
        of += say("normal")
    of_ties = c.pairwise != "t" and c.omnibus.name != "anova"
    first, *others = [say("mean.ties" if kind == "mean" and of_ties else kind) for kind in occurring]
    phrase = f"{first}{of}; where marked, {', '.join(others)}" if others else first + of
    return say("percent", phrase=phrase) if c.effect == "percent" else phrase


def usual(c: Comparison) -> EffectKind | None:
    """The kind of the first pair that has an effect."""
    return next((pair.effect.kind for pair in c.pairs if pair.effect is not None), None)


def places_of(pairs: Sequence[Pair]) -> int | None:
    """Decimals of all rows of a column: ``DIGITS`` digits of most rows, two of each; None if sizes differ too much."""
    largest = [max((abs(x) for x in _numbers(pair) if math.isfinite(x)), default=0.0) for pair in pairs]
    sizes = [math.floor(math.log10(size)) for size in largest if size]
    if not sizes or max(sizes) > 5:
        return None
    most = max(0, DIGITS - 1 - Counter(sorted(sizes)).most_common(1)[0][0])
    places = max(most, 1 - min(sizes))
    if places > most + 2:
        return None
    numbers = [numerals.decimals(x, places) for pair in pairs for x in _numbers(pair) if x and math.isfinite(x)]
    spare = min(len(text) - len(text.rstrip("0")) for text in numbers)
    return max(0, places - spare)


def _numbers(pair: Pair) -> list[float]:
    if pair.effect is None:
        return []
    return [pair.effect.estimate, *([] if pair.interval is None else _ends(pair.interval))]


def written(pair: Pair, usual: EffectKind | None, places: int | None = None) -> str:
    """``0.12 [0.05, 0.31]``, with the kind of the estimate where it is not the usual one.

    With the decimals of the column, unless one of its numbers would then be 0 and is not.
    """
    effect, interval, numbers = pair.effect, pair.interval, _numbers(pair)
    if effect is None:
        return numerals.MISSING
    if places is None or any(0 < abs(x) < 0.5 * 10.0**-places for x in numbers):
        words, *ends = numerals.equal_decimals(numbers, DIGITS if interval else 4)
    else:
        words, *ends = [numerals.decimals(x, places) if x else "0" for x in numbers]
    if interval is not None:
        words += f" {_bracketed(interval, ends)}{MARK if holds_null(pair) else ''}"
    return words if effect.kind == usual else f"{words} {WORDS.get(effect.kind, '')}".rstrip()


def column(c: Comparison, pairs: Sequence[Pair], legend: str) -> ColumnSpec[Pair]:
    """The column of effects with their intervals; ``pairs`` are those of its rows."""
    first, places = usual(c), places_of(pairs)
    return number_column("effect", column_title(c), lambda pair: written(pair, first, places), rank=1, legend=legend)


def interval_promise(c: Comparison) -> str:
    """The promise of the intervals: what they cover."""
    first = next(pair.interval for pair in c.pairs if pair.interval is not None)
    of_test = c.primary in ("tukey", "dunnett") and c.effect == "difference"
    which = "one" if len(c.pairs) == 1 else "single" if c.intervals == "single" else "test" if of_test else "bonferroni"
    level = f"{numerals.percent(first.confidence_level)} confidence"
    return say(f"promise.{which}", level=level, m=len(c.pairs), each=_precise(first.each_level))


def _precise(level: float) -> str:
    """``99.86 %``: levels near 1 with two digits of what is missing."""
    if 1.0 - level < 1e-12:
        return "more than 99.9999999999 %"
    places = max(0, 1 - math.floor(math.log10(100.0 * (1.0 - level))))
    return f"{100.0 * level:.{places}f} %"


def beside_verdicts(c: Comparison) -> str:
    """A sentence where interval and verdict are not two ways to say one thing, or an end lies at no difference."""
    intervals = [pair.interval for pair in c.pairs if pair.interval is not None]
    marked = sum(map(holds_null, c.pairs))
    parts = [say("open")] if any(any(_open_ends(one)) for one in intervals) else []
    if marked:
        parts.append(say("marked", held="the interval includes" if marked == 1 else f"{marked} intervals include"))
    parts += [say("widened")] if any(one.at_verdict for one in intervals) else []
    return " ".join(parts)


def short_legend(c: Comparison, pairs: Sequence[Pair]) -> str:
    """The legend of the estimates and intervals of these pairs, in one line or two."""
    what = column_title(c).removesuffix(" [interval]").capitalize()
    name = say(kinds(c)[0]).partition(",")[0].partition(" (")[0]
    level = next(pair.interval.confidence_level for pair in pairs if pair.interval is not None)
    over = "" if len(c.pairs) == 1 or c.intervals == "single" else say("short.over", m=len(c.pairs))
    text = say("short", what=what, name=name, level=numerals.percent(level), over=over)
    return text + (say("short.marked") if any(map(holds_null, pairs)) else "")


def legend(c: Comparison, first: str) -> str:
    """Below the table of pairs."""
    better = "above 0.5" if c.effect == "a12" else "positive"
    what = column_title(c).removesuffix(" [interval]").capitalize()
    phrase = say("legend", what=what, estimates=estimates(c), promise=interval_promise(c), better=better, first=first)
    return f"{phrase} {beside_verdicts(c)}".rstrip().replace("A12: A12, the", "A12: the")


def sentence(c: Comparison) -> Text:
    """In the methods paragraph."""
    marks = "".join(mark(EFFECTS[CITED[kind]]) for kind in kinds(c) if kind in CITED)
    biserial = EFFECTS["rank-biserial"]
    phrase = f"{marks} with {interval_promise(c)}"
    if any(pair.rank_biserial is not None for pair in c.pairs):
        phrase += f", and {biserial.phrase}{mark(biserial)}"
    better = "values above 0.5" if c.effect == "a12" else "positive values"
    phrase = f"{phrase}; {better} favour the algorithm named first."
    return (f"Effects are given as {estimates(c)}", *text(phrase))  # a metric's name could look like a citation
