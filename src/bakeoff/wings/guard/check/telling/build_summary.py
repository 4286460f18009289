"""The summary that a build page shows: GitHub-flavoured Markdown, short, regressions first."""

from typing import cast

from bakeoff import numerals
from bakeoff.errors import by_severity
from bakeoff.protocols.registered import Registered
from bakeoff.report.document import Table
from bakeoff.report.formats.markdown import escape
from bakeoff.report.registered import TITLE, departure_lines
from bakeoff.wings.guard.check.statistics import Check, CheckRow
from bakeoff.wings.guard.check.telling.document import basis, health, verdict, verdict_table

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
    items += [
        f"- **{caution.name}**: {escape(numerals.plain(caution.text))}" for caution in by_severity(result.cautions)
    ]
    parts += ["\n".join(items)] if items else []
    return "\n\n".join(parts) + "\n"


def summary_of_refusal(reason: str) -> str:
    """A check that could not be made."""
    return f"### 🚫 NOT COMPARABLE\n\n{escape(numerals.plain(reason))}\n"


def _listed(result: Check, rows: list[CheckRow]) -> str:
    made: Table = verdict_table(result, rows[:MOST] if len(rows) > MOST else rows)
    lines = [
        _line([escape(column.title) for column in made.columns]),
        _line(["---:" if column.numeric else ":---" for column in made.columns]),
        *(_line([escape(cell) for cell in row.cells]) for row in made.rows),
    ]
    left = f"\n\n{len(rows) - MOST} more rows are in the JSON." if len(rows) > MOST else ""
    return "\n".join(lines) + left


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
