"""A Timing in words, as the format-free Document, as JSON and as columns."""

import math
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from bakeoff import numerals
from bakeoff.report import methods, sections
from bakeoff.report.document import (
    ColumnSpec,
    Figure,
    Section,
    Table,
    equal_column,
    interval_column,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.methods import joined, software, text
from bakeoff.report.reporting import Reporting, rows_of, sheet_columns
from bakeoff.report.sections import MOST_NAMED
from bakeoff.wings.guard.timing import CommandTimes, TimeRatio, Timing
from bakeoff.wings.guard.timing._time_ratios import Change

DECIDED = ("a better", "b better")


def verdict(result: Timing) -> str:
    """Say which command is how many times as fast as which."""
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
    if pair.verdict in DECIDED:
        return _as_fast(result, pair)
    first = slower_last(pair)
    ratio = numerals.significant(first.ratio or 1.0, 3)
    end = "" if pair.low is None else f", with a {_level(result)} interval of {ratio_interval(first)}"
    seen = f"in these rounds {numerals.plain(first.a)} was {ratio} times as fast{end}"
    if ratio == "1":
        seen = f"in these rounds both took equally long{end and f'{end} for the ratio'}"
    return f"No difference shown between {a} and {b}: {seen}"


def slower_last(pair: TimeRatio) -> TimeRatio:
    """The pair, turned if its second one is faster."""
    turned = (pair.ratio or 1.0) < 1.0 if pair.verdict not in DECIDED else pair.verdict == "b better"
    return pair.turned if turned else pair


def _as_fast(result: Timing, pair: TimeRatio) -> str:
    """``new is 1.23 times as fast as old (95 % 1.2 to 1.3)``"""
    first = slower_last(pair)
    a, b = numerals.plain(first.a), numerals.plain(first.b)
    if pair.low is None:
        return f"{a} is faster than {b}"
    times, interval = _times(result, pair).split(" (", 1)
    return f"{a} is {times} as fast as {b} ({interval}"


def _times(result: Timing, pair: TimeRatio) -> str:
    """``1.23 times (95 % 1.2 to 1.3)``, of the faster one; ``at least 1.2 times …`` if rounds ended when decided.

    There the median is one of those that were far enough from 1 to decide: on average too far.
    """
    first = slower_last(pair)
    sure = pair.known or pair.decided_after is None or pair.rounds >= 2 * pair.decided_after
    times = f"{'' if sure else 'at least '}{numerals.significant((first.ratio if sure else first.low) or 1.0, 3)}"
    return f"{times} times ({_level(result)} {ratio_interval(first)})"


def _level(result: Timing) -> str:
    return numerals.percent(1 - result.alpha)


def ratio_interval(pair: TimeRatio) -> str:
    """``1.2 to 1.3``; empty if there is none."""
    return " to ".join(numerals.significant(end, 3) for end in pair.ends or ())


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
        others = f"any of {len(result.pairs)} commands"
        return f"{numerals.plain(control)} is not shown to be faster or slower than {others}."
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
    nearest = min((p for p in won if p.low is not None), key=lambda p: abs(math.log(p.ratio or 1.0)), default=None)
    which = "every other command" if len(won) == k - 1 else f"{len(won)} of {k - 1} other commands"
    end = ""
    if nearest is not None:
        other = numerals.plain(nearest.b if nearest.a == best else nearest.a)
        end = f"; the closest of these is {other}: {_as_fast(result, nearest)}"
    return f"{numerals.plain(best)} is faster than {which}{end}."


def basis(result: Timing) -> str:
    """Name the evidence behind the verdict."""
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


_CAPTION = (
    "How many times as fast the first of each pair is: the median over rounds, with a confidence sequence for all "
    "pairs at once."
)


def drawable(result: Timing) -> bool:
    """Whether any ratio has an interval."""
    return any(pair.low is not None for pair in result.pairs)


def ratios(result: Timing) -> Table:
    """A row per pair."""
    unit = "pairs of rounds" if result.design == "abba" else "rounds"
    return tabulate(
        "ratios",
        f"Ratios of times; intervals hold together with probability {numerals.percent(1 - result.alpha)}",
        (
            text_column("a", "a", lambda p: numerals.plain(p.a)),
            text_column("b", "b", lambda p: numerals.plain(p.b)),
            equal_column("ratio", "ratio", result.pairs, lambda p: p.ratio, strong=True),
            interval_column("interval", "interval", result.pairs, attrgetter("ends")),
            number_column("rounds", unit, lambda p: str(p.rounds), rank=3),
            number_column("wins", "wins of a", lambda p: str(p.wins), rank=2),
            number_column("evidence", "evidence", lambda p: numerals.significant(p.evidence, 3), rank=1),
            text_column("verdict", "verdict", _verdict),
        ),
        result.pairs,
        strong=lambda p: p.verdict in DECIDED,
        note=(
            "Ratio: how many times as fast as b a is. Evidence: the largest e-value so far against equal times; a "
            f"pair is decided at {numerals.significant(len(result.pairs) / result.alpha, 3)}. Known: to a factor of 1 "
            f"± {numerals.significant(result.precision, 3)}."
        ),
    )


def _verdict(pair: TimeRatio) -> str:
    words = {"a better": "a faster", "b better": "b faster"}.get(pair.verdict, pair.verdict)
    return f"{words}, known" if pair.known else words


def times(result: Timing) -> Table:
    """A row per command, its times in the unit of the table."""
    rows = sorted(result.commands, key=lambda command: command.median)
    unit, size = clock_unit([each.median for each in rows])
    times_of = (each for c in rows for each in (c.median, c.mean, c.minimum, c.maximum))
    known = [x / size for x in times_of if x == x]
    written = dict(zip(known, numerals.aligned(known), strict=True))

    def column(key: str, rank: int) -> ColumnSpec[CommandTimes]:
        def write(c: CommandTimes) -> str:
            return written.get(getattr(c, key) / size, numerals.MISSING)

        return number_column(key, key, write, strong=not rank, rank=rank)

    failed: tuple[ColumnSpec[CommandTimes], ...] = (number_column("failed", "failed", lambda c: str(c.failed)),)
    return tabulate(
        "times",
        f"Times in {unit} of the successful runs; nothing is left out",
        (
            text_column("command", "command", lambda c: numerals.plain(c.name)),
            *(column(key, rank) for rank, key in enumerate(("median", "mean", "minimum", "maximum"))),
            number_column("n", "runs", lambda c: str(c.n)),
            *(failed if any(each.failed for each in result.commands) else ()),
        ),
        rows,
    )


def diagnostics(result: Timing) -> list[tuple[str, str]]:
    """Effects of the order and the hour; intervals of Student's t, for this number of rounds."""
    items = []
    if result.order_effect is not None:
        step = f"from one place in a round to the next, times change by {_changed(result.order_effect)}"
        items.append(("order", step))
    if result.level is not None:
        times_as_long = f"took {numerals.significant(result.level, 4)} times as long as that of the first half"
        halves = f"the median round of the second half {times_as_long}; rounds keep this out of the ratios"
        items.append(("drift of times", halves))
    for pair in result.pairs[: sections.FEW_PAIRS]:
        if pair.drift is not None:
            name = f"{numerals.plain(pair.a)} and {numerals.plain(pair.b)}"
            items.append((f"drift of the ratio of {name}", f"second half against first: {_changed(pair.drift)}"))
    return items or [("order and drift", "too few rounds to tell")]


def _changed(change: Change) -> str:
    low, high = (numerals.significant(x, 4) for x in (change.low, change.high))
    return f"a factor of {numerals.significant(change.factor, 4)} (95 % {low} to {high})"


def _methods(result: Timing) -> Any:
    how = {
        "random": "each command once in an order drawn at random",
        "abba": "each command once, the order of every odd round drawn at random and mirrored in the next",
    }
    divided = f" is divided among {len(result.pairs)} pairs" if len(result.pairs) > 1 else ""
    n, rounds = numerals.count(len(result.commands), "command"), numerals.count(result.n_rounds, "round")
    measured = f"{n} were timed in {rounds} (the order of the runs in a round is not on record)."
    if result.order is not None:
        fresh = " as fresh processes" if result.scores.run_kind == "process" else ""
        measured = f"{n} were timed{fresh}, one run at a time, in {rounds} ({how[result.design]})."
    provided = "" if result.order is not None else "If the order of each round was drawn at random, two "
    paragraph = (
        f"{measured} An e-process judged the sign of the log ratio of two times in a round. Its confidence sequence "
        f"[@howardramdas2022] may be looked at after every round [@ville1939], with α = {result.alpha:g}{divided}. "
        f"{provided or 'Two '}interchangeable commands are called different with at most this probability. This holds "
        "under any drift, distribution of times and effect of the order. The intervals hold if the median ratio of a "
        "round, given the rounds before, stays the same. No time was left out as an outlier."
    )
    return joined(text(paragraph), software())


def _title(result: Timing) -> str:
    rounds = numerals.count(result.n_rounds, "round")
    return f"Times of {numerals.count(len(result.commands), 'command')} in {rounds}"


def _body(result: Timing) -> list[Section | None]:
    return [
        Section("ratios", "How many times as fast", (ratios(result),)),
        sections.figure("Diagram", Figure(result, _CAPTION) if drawable(result) else None),
        Section("times", "Times", (times(result),)),
        sections.points("diagnostics", "Order and drift", diagnostics(result)),
        sections.cautions(result.cautions),
        sections.methods(_methods(result)),
        sections.references(methods.cited(_methods(result))),
        sections.points("measured", "How it was measured", result.about.items()),
    ]


_OF_PAIRS = ("a", "b", "rounds", "ratio", "low", "high", "wins", "losses", "evidence", "verdict", "known")

REPORT = Reporting[Timing](
    schema="bakeoff.time/1",
    title=_title,
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=("ratios", "times", "diagnostics"),
    methods=_methods,
    keys=(
        *("scores.better", ("unit", lambda result: "s"), "control", "alpha", "precision", "design", "n_rounds"),
        *("commands", "pairs", "order_effect", "level"),
    ),
    main=lambda result: sheet_columns(result.pairs, *_OF_PAIRS),
    second=lambda result: rows_of(result.commands, "name", "n", "failed", "median", "mean", "minimum", "maximum"),
)
