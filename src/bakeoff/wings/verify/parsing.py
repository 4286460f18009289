"""JSON of others, read strictly: UTF-8, no key twice, no NaN or infinity, nothing too large or too deep.

Nor "<", which a report escapes: a browser would take what follows for a page.
"""

import json
import math
import re
from decimal import Decimal
from typing import Any

from bakeoff.errors import ReportError
from bakeoff.files import MOST_DIGITS, repeated_key
from bakeoff.report.reading_back import kind_of_json

MOST_BYTES = 1 << 30
NOTHING = "nothing"  # in a message, where a side has no value

_NO_NUMBER = re.compile(r"(?<![\w\"'])-?(?:NaN|Infinity)(?![\w\"'])")


def parsed_report(content: bytes, origin: str) -> dict[str, Any]:
    """The object in the file, or an error that says where it is no JSON of a report."""
    if len(content) > MOST_BYTES:
        raise ReportError(f"{origin} has more than {MOST_BYTES >> 20} MiB; no report is as large")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ReportError(f"{origin}, line {line}: not UTF-8 (byte 0x{content[error.start]:02X})") from None
    if "<" in text:
        line = text.count("\n", 0, text.index("<")) + 1
        raise ReportError(f"{origin}, line {line}: '<', which a report writes as \\u003c, so that no browser reads it")
    try:
        parsed = json.loads(
            text, parse_float=_float, parse_int=_int, parse_constant=_no_constant, object_pairs_hook=_once
        )
    except json.JSONDecodeError as error:
        raise ReportError(f"{origin}, line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise ReportError(f"{origin}: nested too deeply for a report") from None
    except _NotStrict as error:
        raise ReportError(f"{origin}{_line_of(text, error.pattern)}: {error}") from None
    if not isinstance(parsed, dict):
        raise ReportError(f"{origin} holds no report: an object is expected, not {kind_of_json(parsed)}")
    return parsed


class _NotStrict(ValueError):
    """Carries the reason, and a pattern of the place."""

    def __init__(self, reason: str, pattern: str) -> None:
        super().__init__(reason)
        self.pattern = pattern


def _line_of(text: str, pattern: str) -> str:
    match = re.search(pattern, text)
    return f", line {text.count(chr(10), 0, match.start()) + 1}" if match else ""


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise _NotStrict(f"{digits[:40]} is beyond the largest floating-point number", re.escape(digits))
    if digits != (usual := repr(value)) and Decimal(digits) != Decimal(usual):
        raise _NotStrict(f"{digits[:40]} is not how a report writes {usual}", re.escape(digits))
    return value


def _int(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise _NotStrict(f"a whole number of {len(digits)} digits", re.escape(digits[:MOST_DIGITS]))
    return int(digits)


def _no_constant(word: str) -> float:
    raise _NotStrict(f'{word} is no number in JSON; a report has null or "inf" in its place', _NO_NUMBER.pattern)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        twice = repeated_key(pairs)
        key = re.escape(json.dumps(twice, ensure_ascii=False))
        raise _NotStrict(f"the key {kind_of_json(twice)} occurs twice in one object", f"(?s){key}\\s*:.*?{key}\\s*:")
    return record
