"""From a Check to the format-free Document, to JSON, and to columns."""

from collections.abc import Sequence
from typing import Any

from bakeoff import numerals
from bakeoff.gate import Check, CheckRow
from bakeoff.gate.cautions import signed_effect
from bakeoff.gate.results import SUITE, in_order
from bakeoff.report import methods, sections
from bakeoff.report.data import asked, finite, null_for_infinity, origin, plain_data
from bakeoff.report.document import (
    Document,
    Figure,
    Points,
    Section,
    Sheets,
    Shown,
    Table,
    Text,
    numeric,
    tabulate,
    words,
)
from bakeoff.report.methods import joined, software, text

SCHEMA = "bakeoff.check/1"
NAMED = 3
_DRAWN = "By how much new is worse, with intervals and the margin"
WORDS = {"ok": "OK", "regressed": "REGRESSED", "inconclusive": "INCONCLUSIVE"}
_CORRECTED = {
    "holm": "corrected over problems by Holm's procedure [@holm1979]",
    "bh": "corrected over problems by the Benjamini–Hochberg procedure [@benjaminihochberg1995]",
    "none": "not corrected over problems",
}


def verdict(found: Check) -> str:
    """The answer in capitals, and on which problems it rests."""
    said = {"ok": _ok, "regressed": _regressed, "inconclusive": _inconclusive}[found.decision](found)
    return f"{WORDS[found.decision]}: {said}"


def margin(found: Check) -> str:
    """``5 %``, ``0.01``."""
    return f"{100 * found.margin:.6g} %" if found.scale == "ratio" else f"{found.margin:.6g}"


def _baseline(found: Check) -> str:
    names = found.against
    return "the baseline" if names == ("baseline",) else f"the {numerals.name_list(names)} baseline"


def _tested(found: Check) -> list[CheckRow]:
    return [row for row in found.rows if row.effect is not None]


def _counted(found: Check, rows: Sequence[CheckRow]) -> str:
    """Rows as problems, or as comparisons where there are several baselines."""
    return numerals.count(len(rows), "problem" if len(found.against) == 1 else "comparison")


def _ok(found: Check) -> str:
    bound = f"by less than {margin(found)}, if at all"
    if found.level == SUITE:
        return f"over {_problems(found)}, new is worse than {_baseline(found)} on average {bound}{_mean(found)}."
    rows = _tested(found)
    if len(rows) == 1:
        return f"on {numerals.plain(rows[0].problem)}, new is worse than {_baseline(found)} {bound}."
    if len(found.against) > 1:
        return f"in each of {_counted(found, rows)} with {_baseline(found)}, new is worse {bound}."
    return f"on each of {_counted(found, rows)}, new is worse than {_baseline(found)} {bound}."


def _problems(found: Check) -> str:
    return numerals.count(max(row.runs[1] for row in found.rows if row.problem == SUITE), "problem")


def _mean(found: Check) -> str:
    row = next(row for row in found.rows if row.problem == SUITE)
    return f" ({_effect(found, row)}{_between(found, row)})"


def _between(found: Check, row: CheckRow) -> str:
    if row.interval is None or not all(abs(end) < float("inf") for end in row.interval):
        return ""
    low, high = (signed_effect(end, found.scale == "ratio") for end in row.interval)
    return f", between {low} and {high}"


def _effect(found: Check, row: CheckRow) -> str:
    return "–" if row.effect is None else signed_effect(row.effect, found.scale == "ratio")


def _regressed(found: Check) -> str:
    worse = [row for row in found.rows if row.verdict == "regressed" and row.effect is not None]
    lost = [row for row in found.rows if row.verdict == "regressed" and row.effect is None]
    more = "" if found.strict else f" by more than {margin(found)}"
    parts = []
    if worse and found.level == SUITE:
        parts.append(f"over {_problems(found)}, new is worse than {_baseline(found)} on average{more}{_mean(found)}.")
    elif worse:
        worse = sorted(worse, key=lambda row: -(row.effect or 0.0))
        named = numerals.name_list([f"{row.problem} ({_effect(found, row)})" for row in worse], NAMED)
        verb = "is" if len(worse) == 1 else "are"
        parts.append(
            f"{len(worse)} of {_counted(found, found.rows)} {verb} worse than {_baseline(found)}{more}: {named}."
        )
    if lost:
        named = numerals.name_list([f"{row.problem} ({row.reason})" for row in lost], NAMED)
        parts.append(f"{_counted(found, lost)} failed or missing in new: {named}.")
    return " ".join(parts)


def _inconclusive(found: Check) -> str:
    rows = [row for row in found.rows if row.verdict == "inconclusive"]
    seen = [row.detectable for row in rows if row.detectable is not None and row.detectable < float("inf")]
    found_at = ""
    if seen:
        size = signed_effect(max(seen), found.scale == "ratio").removeprefix("+")
        found_at = f" A worsening of {size} would be found with probability 0.8."
    if found.level == SUITE:
        said = f"over {_problems(found)}, new is neither shown to be worse than {_baseline(found)} on average by more "
        return f"{said}than {margin(found)}, nor by less{_mean(found)}.{found_at}"
    if all(row.pvalue is None for row in rows):
        return f"{_counted(found, rows)} cannot be judged: {rows[0].reason}."
    others = len(found.rows) - len(rows)
    rest = f"; {others} OK" if others else ""
    said = f"{_counted(found, rows)} neither shown to be worse than {_baseline(found)} by more than {margin(found)}"
    return f"{said}, nor by less{rest}.{found_at}"


# --- the page ---------------------------------------------------------------------------------------------------


def document(found: Check, command: str | None = None) -> Document:
    """The rows, regressions first; diagnostics; what was not judged."""
    only_new = _only_new(found)
    return Document(
        title=f"Check against {_baseline(found)}",
        verdict=verdict(found),
        basis=basis(found),
        sections=sections.present(
            sections.figure("Changes", Figure(found, _DRAWN, key="changes") if _tested(found) else None, "changes"),
            Section("rows", "Verdicts", (verdict_table(found, found.rows),)),
            only_new,
            health(found),
            sections.cautions(found.cautions),
            sections.methods(_methods(found)),
            sections.references(methods.cited(_methods(found))),
            sections.provenance(found.scores, command),
        ),
        on_screen=("rows", *(("new",) if only_new else ()), "diagnostics", "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def basis(found: Check) -> str:
    """The test, the level, and what it lets one expect."""
    return f"{_test(found)}, margin {margin(found)}, α = {found.alpha:g}{_over(found)}. {expected(found)}"


def _test(found: Check) -> str:
    what = "log ratios" if found.scale == "ratio" else "differences"
    if found.test == "score":
        return "Tango's score test of the changed answers"
    if found.test == "z":
        return f"Normal distribution of {what} with the standard deviation that was given"
    if found.test == "rank":
        return f"Exact {'signed-rank' if found.paired else 'rank-sum'} test of {what}"
    if found.level == SUITE and found.unit != "run":
        return f"Paired t of {what} over {found.unit}s"
    return f"{'Paired t' if found.paired else 'Welch’s t'} of {what} over independent runs"


def _over(found: Check) -> str:
    if found.level == SUITE:
        return " for one test of the mean"
    return {"holm": ", Holm over problems", "bh": ", Benjamini–Hochberg over problems", "none": " each"}[
        found.correction
    ]


def expected(found: Check) -> str:
    """The false alarms of a hundred checks."""
    number = f"{100 * found.alpha:.3g}"
    alarms = f"{number} false alarm{'' if number == '1' else 's'}"
    if found.correction == "none" and found.level != SUITE:
        return f"Expect up to {alarms} per problem and 100 commits without a regression, if runs are independent."
    return f"Expect at most {alarms} per 100 commits without a regression, if runs are independent."


def verdict_table(found: Check, rows: Sequence[CheckRow]) -> Table:
    """A row per problem and baseline: regressions, what is not decided, the rest; within these by effect."""
    several = len(found.against) > 1
    ratio = found.scale == "ratio"

    def bounds(row: CheckRow) -> str:
        if row.interval is None or row.pvalue is None:
            return numerals.MISSING
        return f"{signed_effect(row.interval[0], ratio)} … {signed_effect(row.interval[1], ratio)}"

    def found_with(row: CheckRow) -> str:
        if row.detectable is None:
            return numerals.MISSING
        return signed_effect(row.detectable, ratio)

    shown: list[Shown[CheckRow]] = [words("problem", "problem", lambda row: numerals.plain(row.problem))]
    if several:
        shown.append(words("against", "against", lambda row: numerals.plain(row.against)))
    shown += [
        words("verdict", "verdict", row_words),
        numeric("effect", "worse by", lambda row: _effect(found, row), strong=True),
        numeric("interval", "between", bounds, rank=2, in_paper=True),
        numeric("detectable", "detectable", found_with, rank=1),
        numeric("runs", "runs", lambda row: f"{row.runs[0]}, {row.runs[1]}", rank=3),
    ]
    if any(row.reason for row in rows):
        shown.append(words("reason", "why", lambda row: numerals.plain(row.reason), wraps=True))
    level = numerals.percent(1 - found.alpha)
    note = (
        f"Worse by: new against the baseline; negative values are better. Between: one-sided bounds of {level} each, "
        "for one problem. Detectable: the worsening that these runs would call a regression with probability 0.8."
    )
    return tabulate(
        "rows",
        f"New against {_baseline(found)}",
        shown,
        in_order(rows),
        strong=lambda row: row.verdict == "regressed",
        muted=lambda row: row.verdict == "ok" and not row.improved,
        note=note,
    )


def row_words(row: CheckRow) -> str:
    """``OK, improved``."""
    return WORDS[row.verdict] + (", improved" if row.improved else "")


def health(found: Check) -> Section:
    """Counts in both directions and the common shift: how a broken gate shows itself."""
    d = found.diagnostics
    items = [
        ("better and worse", f"{d.improved} shown to have improved by more than the margin, {d.regressed} regressed.")
    ]
    if d.median_effect is not None and found.level != SUITE:
        median = signed_effect(d.median_effect, found.scale == "ratio")
        items.append(("median", f"{median} over {numerals.count(d.measured, 'problem')}, {d.worse} of them worse."))
    return Section("diagnostics", "Diagnostics", (Points(tuple((term, words, "") for term, words in items)),))


def _only_new(found: Check) -> Section | None:
    if not found.only_new:
        return None
    named = numerals.name_list(found.only_new, 20)
    return sections.points("new", "Not judged: new problems", [("", f"{named}: the baseline does not have them.")])


def _methods(found: Check) -> Text:
    what = "the ratio" if found.scale == "ratio" else "the difference"
    per = "over all problems" if found.level == SUITE else "of each problem"
    unit = {
        "run": "independent runs (the median of each process)",
        "problem": "problems",
        "cluster": "clusters of problems, with cluster-robust errors",
    }[found.unit]
    test = {
        "t": "a one-sided t-test" if found.paired or found.unit != "run" else "Welch's one-sided t-test [@welch1947]",
        "rank": "an exact one-sided rank test",
        "score": "Tango's score test [@tango1998]",
        "z": "a one-sided normal test with a given standard deviation between runs",
    }[found.test]
    corrected = "" if found.level == SUITE else f", {_CORRECTED[found.correction]}"
    bound = "by any amount" if found.strict else f"by more than the margin of {margin(found)}"
    first = (
        f"For {what} of new and baseline {per}, {test} over {unit} decided whether new is worse {bound} "
        f"(α = {found.alpha:g}{corrected}), and whether it is worse by less than {margin(found)} (α = {found.alpha:g} "
        "for each, as all have to pass [@berger1982])."
    )
    return joined(text(first), software())


def to_dict(found: Check, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    s = found.scores
    rows = null_for_infinity({"rows": plain_data(list(found.rows))})["rows"]
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "decision": found.decision,
        "sentence": verdict(found),
        "better": s.better,
        "margin": found.margin,
        "alpha": found.alpha,
        "correction": found.correction,
        "level": found.level,
        "scale": found.scale,
        "test": found.test,
        "paired": found.paired,
        "unit": found.unit,
        "strict": found.strict,
        "rows": rows,
        "only_new": list(found.only_new),
        "diagnostics": plain_data(found.diagnostics),
    }
    whence = origin(s, found.cautions, methods.cited(_methods(found)), command)
    return finite(content | whence | asked(found))


def sheets(found: Check) -> Sheets:
    """A row per problem and baseline."""
    keys = (
        "problem",
        "against",
        "verdict",
        "improved",
        "effect",
        "detectable",
        "pvalue",
        "adjusted",
        "p_ok",
        "old",
        "new",
    )
    columns: dict[str, list[Any]] = {key: [getattr(row, key) for row in found.rows] for key in keys}
    for place, end in enumerate(("low", "high")):
        columns[end] = [None if row.interval is None else row.interval[place] for row in found.rows]
    columns["reason"] = [row.reason for row in found.rows]
    return Sheets(pairs=columns, ranking=[], cautions=found.cautions)
