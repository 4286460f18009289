"""From a Timing to the format-free Document, to JSON, and to columns."""

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
from bakeoff.report.telling import Telling, rows_of, sheet_columns
from bakeoff.wings.guard.time.telling.sentences import basis, clock_unit, verdict as verdict
from bakeoff.wings.guard.timing import CommandTimes, TimeRatio, Timing
from bakeoff.wings.guard.timing.results import Change

DECIDED = ("a better", "b better")
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
            interval_column("interval", "interval", result.pairs, _ends),
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


def _ends(pair: TimeRatio) -> tuple[float, float] | None:
    return None if pair.low is None or pair.high is None else (pair.low, pair.high)


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
    """What the order and the hour did; intervals of Student's t, for this number of rounds."""
    items = []
    if result.order_effect is not None:
        items.append(
            ("order", f"from one place in a round to the next, times change by {_changed(result.order_effect)}")
        )
    if result.level is not None:
        items.append(
            (
                "drift of times",
                f"the median round of the second half took {numerals.significant(result.level, 4)} times as long as "
                "that of the first half; rounds keep this out of the ratios",
            )
        )
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

TELLING = Telling[Timing](
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
