"""A check as JUnit XML, which build servers show as tests: a test case per problem and baseline."""

import re
from xml.sax.saxutils import escape, quoteattr

from bakeoff.wings.guard.check.statistics import Check, CheckRow
from bakeoff.wings.guard.check.statistics.cautions import signed_effect
from bakeoff.wings.guard.check.telling.document import basis, bounds_of, row_words, verdict

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not know, not even escaped."""


def junit(result: Check, inconclusive_fails: bool = True) -> str:
    """Regressions are failures; what is not decided fails or is skipped."""
    cases = [_case(result, row, inconclusive_fails) for row in result.rows]
    failures = sum("<failure" in case for case in cases)
    skipped = sum("<skipped" in case for case in cases)
    name = f'name="bakeoff check" tests="{len(cases)}" failures="{failures}" errors="0" skipped="{skipped}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {name}>",
        f"<testsuite {name}>",
        *cases,
        f"<system-out>{_text(f'{verdict(result)} {basis(result)}')}</system-out>",
        "</testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def junit_of_refusal(reason: str) -> str:
    """A check that could not be made: one test case, which is an error."""
    name = 'name="bakeoff check" tests="1" failures="0" errors="1" skipped="0"'
    case = f'<error type="not comparable" message={_attribute(reason)}/>'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {name}>",
        f"<testsuite {name}>",
        f'<testcase classname="bakeoff" name="check">{case}</testcase>',
        "</testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _case(result: Check, row: CheckRow, inconclusive_fails: bool) -> str:
    head = f"<testcase classname={_attribute(row.against)} name={_attribute(row.problem)}"
    message = _attribute(_message(result, row))
    if row.accepted:
        return f"{head}><skipped message={message}/></testcase>"
    if row.verdict == "regressed":
        return f'{head}><failure type="regressed" message={message}/></testcase>'
    if row.verdict == "inconclusive":
        inside = (
            f'<failure type="inconclusive" message={message}/>'
            if inconclusive_fails
            else f"<skipped message={message}/>"
        )
        return f"{head}>{inside}</testcase>"
    return f"{head}/>"


def _message(result: Check, row: CheckRow) -> str:
    if row.effect is None or row.interval is None:
        return f"{row_words(row)}: {row.reason}"
    effect, low, high = (signed_effect(number, result.scale == "ratio") for number in (row.effect, *row.interval))
    why = f"; {row.reason}" if row.reason else ""
    return f"{row_words(row)}: change for the worse {effect}, {bounds_of(result)} {low} and {high}{why}"


def _text(text: str) -> str:
    return escape(_FORBIDDEN.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(_FORBIDDEN.sub("\ufffd", text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
