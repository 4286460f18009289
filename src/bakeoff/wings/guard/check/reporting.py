"""A Check as the format-free Document, JSON and columns; as the summary of a build page, and as JUnit XML."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import inf, isfinite
from typing import Any, cast
from xml.sax.saxutils import escape as xml_escape, quoteattr

from bakeoff import numerals
from bakeoff.errors import by_severity
from bakeoff.protocols.departures import Registered
from bakeoff.report import sections
from bakeoff.report.data import null_for_infinity, plain_data
from bakeoff.report.document import ColumnSpec, Figure, Section, Table, Text, number_column, tabulate, text_column
from bakeoff.report.formats.markdown import escape, grid
from bakeoff.report.kinds import TITLE, departure_lines
from bakeoff.report.methods import is_contributed, joined, mean_word, software, text
from bakeoff.report.reporting import Reporting, ends, sheet_columns
from bakeoff.wings.guard.check.statistics import Check, CheckRow
from bakeoff.wings.guard.check.statistics.cautions import signed_effect, signed_effects
from bakeoff.wings.guard.check.statistics.judgement import ONE_RUN
from bakeoff.wings.guard.check.statistics.results import SUITE, in_order, margin_words

NAMED = 3
_DRAWN = "By how much new is worse, with intervals and the margin"
_CORRECTED = {
    "holm": "corrected over problems by Holm's procedure [@holm1979]",
    "bh": "corrected over problems by the Benjamini–Hochberg procedure [@benjaminihochberg1995]",
    "none": "not corrected over problems",
}


def verdict(result: Check) -> str:
    """The answer in capitals, and on which problems it rests."""
    sentence = {"ok": _ok, "regressed": _regressed, "inconclusive": _inconclusive}[result.decision](result)
    return f"{result.decision.upper()}: {sentence}{_accepted(result)}"


def _accepted(result: Check) -> str:
    """Known regressions that did not fail the check."""
    rows = [row for row in result.rows if row.accepted]
    if not rows:
        return ""
    named = numerals.name_list([f"{row.problem} ({_effect(result, row)}, until {row.accepted})" for row in rows], NAMED)
    return f" {numerals.count(len(rows), 'known regression')} accepted: {named}."


def _limit(result: Check) -> str:
    """The margin of all rows, or that each has its own."""
    return "its margin" if rows_apart(result) else margin_words(result)


def rows_apart(result: Check) -> int:
    """Rows whose margin is not that of the others."""
    return sum(row.margin != result.margin for row in result.rows)


def _baseline(result: Check) -> str:
    names = result.against
    return "the baseline" if names == ("baseline",) else f"the {numerals.name_list(names)} baseline"


def _tested(result: Check) -> list[CheckRow]:
    return [row for row in result.rows if row.effect is not None]


def _counted(result: Check, rows: Sequence[CheckRow]) -> str:
    """Rows as problems, or as comparisons where there are several baselines."""
    return numerals.count(len(rows), "problem" if len(result.against) == 1 else "comparison")


def _ok(result: Check) -> str:
    bound = f"by less than {_limit(result)}, if at all"
    rows = [row for row in _tested(result) if not row.accepted]
    if not rows:
        return "nothing but known regressions."
    suite = result.level == SUITE
    if suite or len(rows) == 1:
        row = next(row for row in result.rows if row.problem == SUITE) if suite else rows[0]
        start = f"over {_problems(result)}, new is" if suite else f"on {numerals.plain(row.problem)}, new is"
        average = on_average(result) if suite else ""
        if (effect := row.effect or 0.0) >= 0:
            return f"{start} worse than {_baseline(result)}{average} {bound}{_mean(result, row) if suite else ''}."
        end = ""
        if row.interval is None or row.interval[1] >= 0:
            average = " in this sample" if suite else " in these runs"
            end = f"; a loss of {margin_words(result, row.margin)} is ruled out"
        gain = f"({signed_effect(-effect, result.scale == 'ratio')}{_between(result, row, -1)})"
        return f"{start} better than {_baseline(result)}{average} {gain}{end}."
    if len(result.against) > 1:
        return f"in each of {_counted(result, rows)} with {_baseline(result)}, new is worse {bound}."
    return f"on each of {_counted(result, rows)}, new is worse than {_baseline(result)} {bound}."


def on_average(result: Check) -> str:
    """``on average``; ``in AUC`` of contributions to it."""
    return f" in {mean_word(result.scores)}" if is_contributed(result.scores) else " on average"


def _problems(result: Check) -> str:
    problems = numerals.count(max(row.runs[1] for row in result.rows if row.problem == SUITE), "problem")
    tasks = len(result.scores.design.task_names)
    return f"{problems} of {tasks} tasks" if tasks else problems


def _mean(result: Check, row: CheckRow) -> str:
    return f" ({_effect(result, row)}{_between(result, row)})"


def _between(result: Check, row: CheckRow, sign: int = 1) -> str:
    """``sign`` −1: of the gain."""
    if row.interval is None or not all(abs(end) < float("inf") for end in row.interval):
        return ""
    low, high = (signed_effect(sign * end, result.scale == "ratio") for end in row.interval[::sign])
    return f", {bounds_of(result)} {low} and {high}"


def bounds_of(result: Check) -> str:
    """``99 % bounds``: one-sided, each of that level."""
    return f"{numerals.percent(1 - result.alpha)} bounds"


def _effect(result: Check, row: CheckRow) -> str:
    return "–" if row.effect is None else signed_effect(row.effect, result.scale == "ratio")


def _regressed(result: Check) -> str:
    worse = [row for row in _tested(result) if row.verdict == "regressed" and not row.accepted]
    lost = [row for row in result.rows if row.verdict == "regressed" and row.effect is None]
    more = "" if result.strict else f" by more than {_limit(result)}"
    parts = []
    if worse and result.level == SUITE:
        start = f"over {_problems(result)}, new is worse than {_baseline(result)}{on_average(result)}"
        parts.append(f"{start}{more}{_mean(result, worse[0])}.")
    elif worse:
        worse = sorted(worse, key=lambda row: -(row.effect or 0.0))
        named = numerals.name_list([f"{row.problem} ({_effect(result, row)})" for row in worse], NAMED)
        verb = "is" if len(worse) == 1 else "are"
        parts.append(
            f"{len(worse)} of {_counted(result, result.rows)} {verb} worse than {_baseline(result)}{more}: {named}."
        )
    if lost:
        named = numerals.name_list([f"{row.problem} ({row.reason})" for row in lost], NAMED)
        parts.append(f"{_counted(result, lost)} failed or missing in new: {named}.")
    return " ".join(parts)


def _inconclusive(result: Check) -> str:
    rows = [row for row in result.rows if row.verdict == "inconclusive"]
    seen = [row.detectable for row in rows if row.detectable is not None and row.detectable < float("inf")]
    found_at = ""
    if seen:
        size = signed_effect(max(seen), result.scale == "ratio").removeprefix("+")
        found_at = f" A worsening of {size} is detected 80 % of the time."
    if result.level == SUITE:
        whether = f"whether new is worse than {_baseline(result)}{on_average(result)}"
        size = f"{margin_words(result)}{_mean(result, rows[0])}"
        return f"over {_problems(result)}, this cannot tell {whether} by more than {size}.{found_at}"
    needed = result.diagnostics.runs_needed
    if needed is not None:
        twice = "twice its margin" if rows_apart(result) else margin_words(result, 2 * result.margin)
        found_at += f" With this noise, {needed} runs per side detect {twice}."
    if all(row.pvalue is None for row in rows):
        more = ""
        if rows[0].reason == ONE_RUN:
            more = " Measure each side at least five times, in turn: the check then reports how many runs are enough."
        reason = rows[0].reason.replace(": ", ", so that ")
        return f"{_counted(result, rows)} cannot be judged: {reason}.{more}"
    others = sum(row.verdict == "ok" for row in result.rows)
    rest = f"; {others} OK" if others else ""
    which = f"{_counted(result, rows)} are" if len(rows) > 1 else f"{numerals.plain(rows[0].problem)} is"
    whether = f"{which} worse than {_baseline(result)}"
    return f"cannot tell whether {whether} by more than {_limit(result)}{rest}.{found_at}"


# --- the page ---------------------------------------------------------------------------------------------------


def basis(result: Check) -> str:
    """The test, the level, and what it lets one expect."""
    own = f" ({rows_apart(result)} with their own)" if rows_apart(result) else ""
    return (
        f"{_test(result)}, margin {margin_words(result)}{own}, α = {result.alpha:g}{_over(result)}. {expected(result)}"
    )


def _test(result: Check) -> str:
    what = "log ratios" if result.scale == "ratio" else "differences"
    if result.test == "score":
        return "Tango's score test of the changed answers"
    if result.test == "anytime":
        return f"Bets on the {what} of pairs, tested after each"
    if result.test == "z":
        return f"Normal distribution of {what} with the given standard deviation"
    if result.test == "rank":
        return f"Exact {'signed-rank' if result.paired else 'rank-sum'} test of {what}"
    if result.unit == "row":
        return f"t of {what} over independent averages of rows in time"
    if result.level == SUITE and result.unit != "run":
        return f"Paired t of {what} over {result.unit}s"
    return f"{'Paired t' if result.paired else 'Welch’s t'} of {what} over independent runs"


def _over(result: Check) -> str:
    if result.level == SUITE:
        return " for one test of the mean"
    over = {"holm": ", Holm over problems", "bh": ", Benjamini–Hochberg over problems", "none": " each"}
    return over[result.correction]


def expected(result: Check) -> str:
    """The false alarms of a hundred checks."""
    number = f"{100 * result.alpha:.3g}"
    alarms = f"{number} false alarm{'' if number == '1' else 's'}"
    if result.test == "anytime":
        each = " per problem" if result.correction == "none" else ""
        return f"Expect at most {alarms}{each} per 100 commits, whenever you stop, if the order of pairs was random."
    if result.correction == "none" and result.level != SUITE:
        return f"Expect up to {alarms} per problem and 100 commits without a regression, if runs are independent."
    return f"Expect at most {alarms} per 100 commits without a regression, if runs are independent."


def verdict_table(result: Check, rows: Sequence[CheckRow]) -> Table:
    """A row per problem and baseline: regressions, what is not decided, the rest; within these by effect."""
    several = len(result.against) > 1
    ratio = result.scale == "ratio"

    def column(values: Callable[[CheckRow], Sequence[float | None] | None]) -> Callable[[CheckRow], str]:
        """Numbers of one style; infinite ones are words."""
        cells = [[x for x in values(row) or () if x is not None] for row in rows]
        texts = iter(signed_effects([x for cell in cells for x in cell if isfinite(x)], ratio))
        words = [[next(texts) if isfinite(x) else signed_effect(x, ratio) for x in cell] for cell in cells]
        written = {id(row): " … ".join(each) or numerals.MISSING for row, each in zip(rows, words, strict=True)}
        return lambda row: written[id(row)]

    def found_with(row: CheckRow) -> str:
        return "none" if row.detectable == inf else detectable(row)

    whenever = ", whenever you stop" if result.test == "anytime" else ""
    effect = column(lambda row: (row.effect,))
    bounds = column(lambda row: None if row.pvalue is None else row.interval)
    detectable = column(lambda row: (row.detectable,))
    shown: list[ColumnSpec[CheckRow]] = [text_column("problem", "problem", lambda row: numerals.plain(row.problem))]
    if several:
        shown.append(text_column("against", "against", lambda row: numerals.plain(row.against)))
    shown += [
        text_column("verdict", "verdict", row_words),
        number_column("effect", "worse by", effect, strong=True),
        number_column("interval", bounds_of(result) + whenever, bounds, rank=2, in_paper=True),
    ]
    if rows_apart(result):
        shown.append(number_column("margin", "margin", lambda row: margin_words(result, row.margin)))
    if result.test != "anytime":
        shown.append(number_column("detectable", "detectable", found_with, rank=1))
    shown += [number_column("runs", "runs", lambda row: f"{row.runs[0]}, {row.runs[1]}", rank=3)]
    if any(row.reason for row in rows):
        shown.append(text_column("reason", "why", lambda row: numerals.plain(row.reason), wraps=True))
    note = (
        f"Worse by: new against the baseline; negative values are better. {bounds_of(result)}: one-sided, each of that "
        "level for one problem."
    )
    if result.test != "anytime":
        note += " Detectable: the worsening that these runs would call a regression with probability 0.8."
    return tabulate(
        "rows",
        f"New against {_baseline(result)}",
        shown,
        in_order(rows),
        strong=lambda row: row.verdict == "regressed",
        muted=lambda row: row.verdict == "ok" and not row.improved,
        note=note,
    )


def row_words(row: CheckRow) -> str:
    """``OK, improved``."""
    return row.verdict.upper() + (", improved" if row.improved else ", accepted" if row.accepted else "")


def _methods(result: Check) -> Text:
    what = "The ratio" if result.scale == "ratio" else "The difference"
    per = "over all problems" if result.level == SUITE else "of each problem"
    unit = {
        "run": "independent runs (the median of each process)",
        "problem": "problems",
        "cluster": "clusters of problems, with cluster-robust errors",
        "row": "independent averages of the rows in time, prewhitened cosines [@lazarus2018; @andrews1992]",
    }[result.unit]
    test = {
        "t": "a one-sided t-test" if result.paired or result.unit != "run" else "Welch's one-sided t-test [@welch1947]",
        "rank": "an exact one-sided rank test",
        "anytime": "a test martingale of pairs in random order [@delapena1999], valid at any time [@ville1939],",
        "score": "Tango's score test [@tango1998]",
        "z": "a one-sided normal test with a given standard deviation between runs",
    }[result.test]
    corrected = "" if result.level == SUITE else f", {_CORRECTED[result.correction]}"
    own = "its own margin" if rows_apart(result) else f"the margin of {margin_words(result)}"
    bound = "by any amount" if result.strict else f"by more than {own}"
    first = (
        f"{what} of new and baseline {per} was judged by {test} over {unit}. It decided whether new is worse {bound} "
        f"(α = {result.alpha:g}{corrected}), and whether it is worse by less than {_limit(result)} (α = "
        f"{result.alpha:g} for each, because all must pass [@berger1982])."
    )
    return joined(text(first), software())


def _body(result: Check) -> list[Section | None]:
    drawn = Figure(result, _DRAWN, key="changes") if _tested(result) else None
    names = numerals.name_list(result.only_new, 20) if result.only_new else ""
    new = [("", f"{names}: the baseline does not have them.")] if names else []
    return [
        sections.figure("Changes", drawn, "changes"),
        Section("rows", "Verdicts", (verdict_table(result, result.rows),)),
        sections.points("new", "Not judged: new problems", new),
        sections.points("diagnostics", "Diagnostics", health(result)),
        sections.points("measured", "How it was measured", list(_about(result).items())),
    ]


def _about(result: Check) -> Mapping[str, str]:
    context = cast(Mapping[str, Any], result.request["context"])
    return cast(Mapping[str, str], context.get("about", {}))


def health(result: Check) -> list[tuple[str, str]]:
    """Counts in both directions and the common shift: how a broken gate shows itself."""
    d = result.diagnostics
    items = []
    if d.improved or d.regressed:
        counts = f"{d.improved} shown to have improved by more than the margin, {d.regressed} regressed."
        items.append(("better and worse", counts))
    if d.median_effect is not None and d.measured > 1 and result.level != SUITE:
        median = signed_effect(d.median_effect, result.scale == "ratio")
        items.append(("median", f"{median} over {numerals.count(d.measured, 'problem')}, {d.worse} of them worse."))
    return items


REPORT = Reporting[Check](
    schema="bakeoff.check/1",
    title=lambda result: f"Check against {_baseline(result)}",
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=("rows", "new", "diagnostics"),
    methods=_methods,
    keys=(
        *("decision", ("sentence", verdict), "scores.better", "margin", "alpha", "correction", "level", "scale"),
        *("test", "paired", "unit", "strict"),
        ("rows", lambda result: null_for_infinity({"rows": plain_data(list(result.rows))})["rows"]),
        *("only_new", "diagnostics"),
    ),
    main=lambda result: sheet_columns(
        result.rows,
        *("problem", "against", "verdict", "improved", "effect", "detectable", "pvalue", "adjusted", "p_ok"),
        *("old", "new", *ends("interval"), "reason"),
    ),
)


SIGNS = {"ok": "✅", "regressed": "❌", "inconclusive": "⚠️"}
MOST = 100  # rows of a table; a summary may have 1 MiB


def summary(result: Check | Registered) -> str:
    """Departures from a protocol, heading, the rows that matter, the rest folded, cautions."""
    lines: list[tuple[str, str]] = []
    if isinstance(result, Registered):
        lines, result = departure_lines(result.protocol), cast(Check, result.result)
    decided = [row for row in result.rows if row.verdict != "ok" or row.improved]
    rest = [row for row in result.rows if row.verdict == "ok" and not row.improved]
    departed = [f"- **{term}**: {escape(text)}" for term, text in lines]
    parts = ["\n".join([f"**{TITLE}**", "", *departed])] if departed else []
    parts += [f"### {SIGNS[result.decision]} {escape(verdict(result))}", escape(basis(result))]
    parts += [_listed(result, decided)] if decided else []
    if rest:
        title = f"{numerals.count(len(rest), 'row')} without a regression"
        parts.append(f"<details><summary>{title}</summary>\n\n{_listed(result, rest)}\n\n</details>")
    if result.only_new:
        parts.append(escape(f"New, not judged: {numerals.name_list(result.only_new, 20)}."))
    items = [f"- {escape(f'{term}: {words}')}" for term, words in health(result)]
    items += [f"- **{each.name}**: {escape(numerals.plain(each.text))}" for each in by_severity(result.cautions)]
    parts += ["\n".join(items)] if items else []
    return "\n\n".join(parts) + "\n"


def summary_of_refusal(reason: str) -> str:
    """A check that could not be made."""
    return f"### 🚫 NOT COMPARABLE\n\n{escape(numerals.plain(reason))}\n"


def _listed(result: Check, rows: list[CheckRow]) -> str:
    made: Table = verdict_table(result, rows[:MOST] if len(rows) > MOST else rows)
    left = f"\n\n{len(rows) - MOST} more rows are in the JSON." if len(rows) > MOST else ""
    return grid(made, bold=False) + left


_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not know, not even escaped."""


def junit(result: Check, inconclusive_fails: bool = True) -> str:
    """Regressions are failures; what is not decided fails or is skipped."""
    cases = [_case(result, row, inconclusive_fails) for row in result.rows]
    failures = sum("<failure" in case for case in cases)
    skipped = sum("<skipped" in case for case in cases)
    out = f"<system-out>{_text(f'{verdict(result)} {basis(result)}')}</system-out>"
    return _suite(cases, out, failures=failures, errors=0, skipped=skipped)


def junit_of_refusal(reason: str) -> str:
    """A check that could not be made: one test case, which is an error."""
    error = f'<error type="not comparable" message={_attribute(reason)}/>'
    return _suite([f'<testcase classname="bakeoff" name="check">{error}</testcase>'], failures=0, errors=1, skipped=0)


def _suite(cases: Sequence[str], *after: str, **counts: int) -> str:
    numbers = " ".join(f'{name}="{count}"' for name, count in {"tests": len(cases), **counts}.items())
    suites, suite = (f'<{kind} name="bakeoff check" {numbers}>' for kind in ("testsuites", "testsuite"))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', suites, suite, *cases, *after, "</testsuite>", "</testsuites>"]
    return "\n".join(lines) + "\n"


def _case(result: Check, row: CheckRow, inconclusive_fails: bool) -> str:
    head = f"<testcase classname={_attribute(row.against)} name={_attribute(row.problem)}"
    if row.verdict == "ok":
        return f"{head}/>"
    passes = row.accepted or (row.verdict == "inconclusive" and not inconclusive_fails)
    inside = "skipped" if passes else f'failure type="{row.verdict}"'
    return f"{head}><{inside} message={_attribute(_message(result, row))}/></testcase>"


def _message(result: Check, row: CheckRow) -> str:
    if row.effect is None or row.interval is None:
        return f"{row_words(row)}: {row.reason}"
    effect, low, high = (signed_effect(number, result.scale == "ratio") for number in (row.effect, *row.interval))
    why = f"; {row.reason}" if row.reason else ""
    return f"{row_words(row)}: change for the worse {effect}, {bounds_of(result)} {low} and {high}{why}"


def _text(text: str) -> str:
    return xml_escape(_FORBIDDEN.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(_FORBIDDEN.sub("\ufffd", text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
