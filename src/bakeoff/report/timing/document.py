"""From a Timing to the format-free Document, to JSON, and to columns."""

from typing import Any

from bakeoff import numerals
from bakeoff.report import methods, sections
from bakeoff.report.data import asked, finite, origin, plain_data
from bakeoff.report.document import Document, Figure, Section, Sheets, Shown, Table, numeric, tabulate, words
from bakeoff.report.methods import joined, software, text
from bakeoff.report.timing.sentences import basis, ratio_interval, seconds, verdict as verdict
from bakeoff.timing import CommandTimes, TimeRatio, Timing
from bakeoff.timing.results import Change

SCHEMA = "bakeoff.timing/1"
DECIDED = ("a better", "b better")
_CAPTION = (
    "How many times as fast the first of each pair is: the median over rounds, with a confidence sequence for all "
    "pairs at once."
)


def document(found: Timing, command: str | None = None) -> Document:
    """Ratios, times, what the order and the hour did, and how it was measured."""
    said = _methods(found)
    return Document(
        title=f"Times of {numerals.count(len(found.commands), 'command')} in {numerals.count(found.n_rounds, 'round')}",
        verdict=verdict(found),
        basis=basis(found),
        sections=sections.present(
            Section("ratios", "How many times as fast", (ratios(found),)),
            sections.figure("Diagram", Figure(found, _CAPTION) if drawable(found) else None),
            Section("times", "Times", (times(found),)),
            sections.points("diagnostics", "Order and drift", diagnostics(found)),
            sections.cautions(found.cautions),
            sections.methods(said),
            sections.references(methods.cited(said)),
            sections.points("measured", "How it was measured", found.about.items()) if found.about else None,
            sections.provenance(found.scores, command),
        ),
        on_screen=("ratios", "times", "diagnostics", "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def drawable(found: Timing) -> bool:
    """Whether any ratio has an interval."""
    return any(pair.low is not None for pair in found.pairs)


def ratios(found: Timing) -> Table:
    """A row per pair."""
    unit = "pairs of rounds" if found.design == "abba" else "rounds"
    return tabulate(
        "ratios",
        f"Ratios of times; intervals hold together with probability {numerals.percent(1 - found.alpha)}",
        (
            words("a", "a", lambda p: numerals.plain(p.a)),
            words("b", "b", lambda p: numerals.plain(p.b)),
            numeric("ratio", "ratio", _factor, strong=True),
            numeric("interval", "interval", lambda p: ratio_interval(p) or numerals.MISSING),
            numeric("rounds", unit, lambda p: str(p.rounds), rank=3),
            numeric("wins", "wins of a", lambda p: str(p.wins), rank=2),
            numeric("evidence", "evidence", lambda p: numerals.significant(p.evidence, 3), rank=1),
            words("verdict", "verdict", _verdict),
        ),
        found.pairs,
        strong=lambda p: p.verdict in DECIDED,
        note=(
            "Ratio: a is so many times as fast as b. Evidence: the largest e-value so far against equal times; a "
            f"pair is decided at {numerals.significant(len(found.pairs) / found.alpha, 3)}. Known: to a factor of 1 ± "
            f"{numerals.significant(found.precision, 3)}."
        ),
    )


def _factor(pair: TimeRatio) -> str:
    return numerals.MISSING if pair.ratio is None else numerals.significant(pair.ratio, 4)


def _verdict(pair: TimeRatio) -> str:
    said = {"a better": "a faster", "b better": "b faster"}.get(pair.verdict, pair.verdict)
    return f"{said}, known" if pair.known else said


def times(found: Timing) -> Table:
    """A row per command."""
    failed: tuple[Shown[CommandTimes], ...] = (numeric("failed", "failed", lambda c: str(c.failed)),)
    return tabulate(
        "times",
        "Times of the runs that ended well; nothing is left out",
        (
            words("command", "command", lambda c: numerals.plain(c.name)),
            numeric("median", "median", lambda c: seconds(c.median), strong=True),
            numeric("mean", "mean", lambda c: seconds(c.mean), rank=1),
            numeric("minimum", "minimum", lambda c: seconds(c.minimum), rank=2),
            numeric("maximum", "maximum", lambda c: seconds(c.maximum), rank=3),
            numeric("n", "runs", lambda c: str(c.n)),
            *(failed if any(each.failed for each in found.commands) else ()),
        ),
        sorted(found.commands, key=_median),
    )


def _median(command: CommandTimes) -> float:
    return command.median


def diagnostics(found: Timing) -> list[tuple[str, str]]:
    """What the order and the hour did; intervals of Student's t, for this number of rounds."""
    items = []
    if found.order_effect is not None:
        items.append(
            ("order", f"from one place in a round to the next, times change by {_changed(found.order_effect)}")
        )
    if found.level is not None:
        items.append(
            (
                "drift of times",
                f"the median round of the second half took {numerals.significant(found.level, 4)} times as long as "
                "that of the first half; rounds keep this out of the ratios",
            )
        )
    for pair in found.pairs[: sections.FEW_PAIRS]:
        if pair.drift is not None:
            name = f"{numerals.plain(pair.a)} and {numerals.plain(pair.b)}"
            items.append((f"drift of the ratio of {name}", f"second half against first: {_changed(pair.drift)}"))
    return items or [("order and drift", "too few rounds to tell")]


def _changed(change: Change) -> str:
    low, high = (numerals.significant(x, 4) for x in (change.low, change.high))
    return f"a factor of {numerals.significant(change.factor, 4)} (95 % {low} to {high})"


def _methods(found: Timing) -> Any:
    how = {
        "random": "each command once in an order drawn at random",
        "abba": "each command once, the order of every odd round drawn at random and mirrored in the next",
    }
    divided = f" is divided among {len(found.pairs)} pairs" if len(found.pairs) > 1 else ""
    n, rounds = numerals.count(len(found.commands), "command"), numerals.count(found.n_rounds, "round")
    measured = f"{n} were timed in {rounds} (the order of the runs in a round is not on record)."
    if found.order is not None:
        fresh = " as fresh processes" if found.scores.run_kind == "process" else ""
        measured = f"{n} were timed{fresh}, one run at a time, in {rounds} ({how[found.design]})."
    provided = "" if found.order is not None else "If the order of each round was drawn at random, two "
    said = (
        f"{measured} The logarithm of the ratio of two times of a round was judged by its sign with an e-process, "
        f"whose confidence sequence [@howardramdas2022] may be looked at after every round [@ville1939]; "
        f"α = {found.alpha:g}{divided}. {provided or 'Two '}interchangeable commands are called "
        "different with at most this probability whatever the drift, the distribution of times and the effect of the "
        "order; the intervals hold if the median ratio of a round, given the rounds before, stays the same. No time "
        "was left out as an outlier."
    )
    return joined(text(said), software())


def to_dict(found: Timing, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "better": found.scores.better,
        "unit": "s",
        "control": found.control,
        "alpha": found.alpha,
        "precision": found.precision,
        "design": found.design,
        "n_rounds": found.n_rounds,
        "commands": plain_data(list(found.commands)),
        "pairs": plain_data(list(found.pairs)),
        "order_effect": plain_data(found.order_effect),
        "level": found.level,
    }
    whence = origin(found.scores, found.cautions, methods.cited(_methods(found)), command)
    return finite(content | whence | asked(found))


def sheets(found: Timing) -> Sheets:
    """A row per pair; the times of the commands."""
    keys = ("a", "b", "rounds", "ratio", "low", "high", "wins", "losses", "evidence", "verdict", "known")
    shown = ("name", "n", "failed", "median", "mean", "minimum", "maximum")
    return Sheets(
        pairs={key: [getattr(pair, key) for pair in found.pairs] for key in keys},
        ranking=[shown, *(tuple(getattr(each, key) for key in shown) for each in found.commands)],
        cautions=found.cautions,
    )
