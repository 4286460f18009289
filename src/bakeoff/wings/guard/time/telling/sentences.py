"""What a comparison of times says, in words."""

import math
from collections.abc import Sequence

from bakeoff import numerals
from bakeoff.report.sections import MOST_NAMED
from bakeoff.wings.guard.timing import TimeRatio, Timing


def verdict(result: Timing) -> str:
    """Who is how many times as fast as whom."""
    if len(result.pairs) == 1:
        return f"{_of_pair(result, result.pairs[0])}."
    if all(pair.verdict == "cannot tell" for pair in result.pairs):
        return f"There is no verdict on {numerals.count(len(result.commands), 'command')}: too few rounds."
    if result.control is not None:
        return _of_control(result, result.control)
    return _of_all(result)


def _of_pair(result: Timing, pair: TimeRatio) -> str:
    a, b = numerals.plain(pair.a), numerals.plain(pair.b)
    if pair.verdict == "cannot tell":
        return f"There is no verdict on {a} and {b}: too few rounds"
    if pair.verdict == "no difference shown":
        assert pair.ratio is not None
        turned = pair.ratio < 1.0
        ratio = numerals.significant(1.0 / pair.ratio if turned else pair.ratio, 3)
        end = "" if pair.low is None else f", with a {_level(result)} interval of {ratio_interval(pair, turned)}"
        seen = f"in these rounds {b if turned else a} was {ratio} times as fast{end}"
        if ratio == "1":
            seen = f"in these rounds both took equally long{end and f'{end} for the ratio'}"
        return f"No difference shown between {a} and {b}: {seen}"
    if pair.verdict == "b better":
        a, b = b, a
    return f"{a} is faster than {b}" if pair.low is None else _as_fast(result, pair, a, b)


def _as_fast(result: Timing, pair: TimeRatio, a: str, b: str) -> str:
    """``new is 1.23 times as fast as old (95 % 1.2 to 1.3)``"""
    times, interval = _times(result, pair).split(" (", 1)
    return f"{a} is {times} as fast as {b} ({interval}"


def _times(result: Timing, pair: TimeRatio) -> str:
    """``1.23 times (95 % 1.2 to 1.3)``, of the faster one; ``at least 1.2 times …`` if rounds ended when decided.

    There the median is one of those that were far enough from 1 to decide: on average too far.
    """
    turned = pair.verdict == "b better"
    assert pair.ratio is not None
    assert pair.low is not None
    assert pair.high is not None
    sure = pair.known or pair.decided_after is None or pair.rounds >= 2 * pair.decided_after
    own, least = (1.0 / pair.ratio, 1.0 / pair.high) if turned else (pair.ratio, pair.low)
    times = numerals.significant(own, 3) if sure else f"at least {numerals.significant(least, 3)}"
    return f"{times} times ({_level(result)} {ratio_interval(pair, turned)})"


def _level(result: Timing) -> str:
    return numerals.percent(1 - result.alpha)


def ratio_interval(pair: TimeRatio, turned: bool = False) -> str:
    """``1.2 to 1.3``; empty if there is none."""
    if pair.low is None or pair.high is None:
        return ""
    low, high = (1.0 / pair.high, 1.0 / pair.low) if turned else (pair.low, pair.high)
    return f"{numerals.significant(low, 3)} to {numerals.significant(high, 3)}"


def _of_control(result: Timing, control: str) -> str:
    groups: dict[str, list[str]] = {"faster": [], "slower": [], "open": []}
    for pair in result.pairs:
        key = {"a better": "faster", "b better": "slower"}.get(pair.verdict, "open")
        groups[key].append(_other(result, pair))
    parts = []
    if groups["faster"]:
        parts.append(f"faster than {_named(groups['faster'])}")
    if groups["slower"]:
        parts.append(f"slower than {_named(groups['slower'])}")
    if not parts:
        return (
            f"{numerals.plain(control)} is not shown to be faster or slower than any of {len(result.pairs)} commands."
        )
    rest = f"; no difference shown to {_named(groups['open'])}" if groups["open"] else ""
    return f"{numerals.plain(control)} is {' and '.join(parts)}{rest}."


def _other(result: Timing, pair: TimeRatio) -> str:
    name = numerals.plain(pair.b)
    if pair.low is None or pair.verdict not in ("a better", "b better"):
        return name
    return f"{name} ({_times(result, pair)})"


def _named(names: Sequence[str]) -> str:
    return numerals.name_list(list(names), MOST_NAMED)


def _of_all(result: Timing) -> str:
    beaten = {pair.b for pair in result.pairs if pair.verdict == "a better"}
    beaten |= {pair.a for pair in result.pairs if pair.verdict == "b better"}
    leading = [each.name for each in sorted(result.commands, key=lambda c: c.median) if each.name not in beaten]
    k = len(result.commands)
    if len(leading) == k:
        return f"No difference shown between any of {k} commands."
    if len(leading) != 1:
        return f"Not shown to be slower than another: {_named(leading)} (of {k} commands)."
    best = leading[0]
    own = [pair for pair in result.pairs if best in (pair.a, pair.b)]
    won = [p for p in own if p.verdict == ("a better" if p.a == best else "b better")]
    nearest = min((p for p in won if p.low is not None), key=lambda p: abs(_log(p)), default=None)
    which = "every other command" if len(won) == k - 1 else f"{len(won)} of {k - 1} other commands"
    end = ""
    if nearest is not None:
        other = numerals.plain(nearest.b if nearest.a == best else nearest.a)
        end = f"; the closest of these is {other}: {_as_fast(result, nearest, numerals.plain(best), other)}"
    return f"{numerals.plain(best)} is faster than {which}{end}."


def _log(pair: TimeRatio) -> float:
    return math.log(pair.ratio or 1.0)


def basis(result: Timing) -> str:
    """What the verdict rests on."""
    how = "" if result.order is None else ", the order mirrored" if result.design == "abba" else " in random order"
    divided = f", divided among {len(result.pairs)} pairs" if len(result.pairs) > 1 else ""
    return (
        f"Signs of log ratios over {numerals.count(result.n_rounds, 'round')}{how}, confidence sequence at α = "
        f"{result.alpha:g}{divided}: valid whenever you stop."
    )


def clock_unit(times: Sequence[float]) -> tuple[str, float]:
    """The largest unit in which some time is 1 or more, and its seconds; seconds where none is known."""
    known = [value for value in times if value == value]
    units = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
    return next((each for each in units if max(known) >= each[1]), units[-1]) if known else units[0]
