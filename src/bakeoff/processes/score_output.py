"""The score in the output of a foreign program: a number, a JSON object, or a regular expression."""

import json
import math
import re
from collections import deque
from collections.abc import Callable
from typing import Any, Literal

from bakeoff.checks import of_type
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, plain
from bakeoff.reading.number_parsing import NotANumber, parsed_number

SHOWN = 120  # at most this many characters of a program's output are quoted


SECONDS = "seconds"
"""The score that is the wall-clock time of the program."""


class NoScoreError(Exception):
    """There is no score in what a run returned or wrote; the message says why."""


class UnreadableScoreError(NoScoreError):
    """A program that succeeded wrote something else than a score: perhaps it was told to, or is read, wrongly."""


class NaNScoreError(NoScoreError):
    """A program wrote NaN, or a number that no float can hold, in the place of its score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReader:
    """Where a program writes its score, and in which form."""

    form: Literal["number", "json", "regex", "seconds"]
    detail: str  # the key or the pattern
    stream: Literal["stdout", "stderr", "file", "clock"]
    path: str  # of the file, placeholders included

    def scores(self, text: str) -> dict[str, float]:
        """All metrics, the score first; a NoScoreError quotes the line that should have been one."""
        try:
            return _FORMS[self.form](text, self.detail)
        except NoScoreError as error:
            place = self.path if self.stream == "file" else self.stream
            kind = NoScoreError if isinstance(error, NaNScoreError) else UnreadableScoreError
            raise kind(f"{place}: {error}") from None


def reader_of(score: object, read: object) -> ScoreReader:
    """The reader for the parameters ``score`` and ``read`` of a command."""
    form, _, detail = of_type("score", score, str, 'text such as "stdout" or "json:cost"').partition(":")
    place = of_type("read", read or None, str, '"stdout", "stderr" or the path of a file')
    if score == SECONDS:
        if place != "stdout":
            raise ParameterError(f"score={score!r} is read from the clock; leave out read={read!r}")
        return ScoreReader(form="seconds", detail="", stream="clock", path="")
    if form == "file" and place != "stdout":
        raise ParameterError(f"score={score!r} names a file, and so does read={read!r}; give one of them")
    if form == "file":
        place = detail
    if score != "stdout" and not (form in ("json", "regex", "file") and detail):
        raise ParameterError(
            f'must be "stdout", "seconds", "json:KEY", "file:PATH" or "regex:PATTERN", with something after the colon; '
            f"got {score!r}",
            parameter="score",
        )
    if form == "regex":
        _check_pattern(detail)
    is_file = form == "file" or place not in ("stdout", "stderr")
    return ScoreReader(
        form=form if form in ("json", "regex") else "number",
        detail=detail if form in ("json", "regex") else "",
        stream="file" if is_file else place,
        path=place if is_file else "",
    )


def _check_pattern(pattern: str) -> None:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ParameterError(f": {pattern!r} is no regular expression: {error}", parameter="score") from None
    if not compiled.groups:
        raise ParameterError(
            f": the regular expression needs a group (…) around the number; got {pattern!r}", parameter="score"
        )


def _last_line(text: str, _detail: str = "") -> dict[str, float]:
    """The last non-empty line, which must be a number."""
    line = _last_lines(text)[-1]
    try:
        return {"score": _number(line, line)}
    except NoScoreError as error:
        raise type(error)(f"{error}; {_advice(line)}") from None


def _advice(line: str) -> str:
    """Advice for a line such as ``cost: 471``, without backslashes, which TOML would interpret."""
    match = re.fullmatch(r"\s*([\w :=-]*?[ :=])([-+.\deE]+)\s*", line)
    if match is not None:
        return f'say score = "regex:{match.group(1)}([-+.0-9eE]+)"'
    return 'say where the number is: score = "regex:PATTERN" with a group around it, "json:KEY" or "file:PATH"'


def _json(text: str, key: str) -> dict[str, float]:
    """``key`` in a JSON object that is the whole text or its last line; numbers beside it are metrics."""
    record = _object(text)
    value: Any = record
    for step in [key] if isinstance(record, dict) and key in record else key.split("."):
        if not isinstance(value, dict) or step not in value:
            there = ", ".join(map(repr, value)) if isinstance(value, dict) else repr(value)
            raise NoScoreError(f"the JSON object has no {key!r}; at {step!r} there is {excerpt(there) or 'nothing'}")
        value = value[step]
    if not _is_number(value):
        raise NoScoreError(f"{key!r} in the JSON object is {excerpt(json.dumps(value))}, not a number")
    beside = {name: float(one) for name, one in record.items() if _is_number(one)} if isinstance(record, dict) else {}
    return {key: _float(value)} | {name: one for name, one in beside.items() if math.isfinite(one) and name != key}


def _object(text: str) -> Any:
    for candidate in (text, _last_lines(text)[-1]):
        try:
            return json.loads(candidate)
        except ValueError:
            continue
        except RecursionError:
            raise NoScoreError("the JSON is nested too deeply") from None
    raise NoScoreError(f"neither all of it nor its last line is JSON: {excerpt(_last_lines(text)[-1])!r}")


def _regex(text: str, pattern: str) -> dict[str, float]:
    """The last match: group "score" or the first group; other named groups are metrics."""
    newest = deque(re.finditer(pattern, text, flags=re.MULTILINE), maxlen=1)
    if not newest:
        raise NoScoreError(f"nothing matches {pattern!r}; the last line is {excerpt(_last_lines(text)[-1])!r}")
    last = newest.pop()
    named = last.groupdict()
    main = last.group("score") if "score" in named else last.group(1)
    if main is None:
        raise NoScoreError(f"the group of {pattern!r} took no part in its last match {excerpt(last.group())!r}")
    metrics = {"score": _number(main, last.group())}
    for name, word in named.items():
        if name != "score" and word is not None:
            metrics[name] = _number(word, last.group())
    return metrics


_FORMS: dict[str, Callable[[str, str], dict[str, float]]] = {"number": _last_line, "json": _json, "regex": _regex}


def _last_lines(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise NoScoreError("it is empty; the program must write its score there")
    return lines


def _number(word: str, line: str) -> float:
    try:
        value = parsed_number(word)
    except NotANumber as error:
        kind = NaNScoreError if _out_of_range(word) else NoScoreError
        raise kind(f"{excerpt(plain(str(error)))}, in the line {excerpt(line)!r}") from None
    if math.isnan(value):
        raise NaNScoreError(f"the line {excerpt(line)!r} stands for no number")
    return value


def _out_of_range(word: str) -> bool:
    """``1e999``, which Python reads as infinity, or ``1e-999``: the pattern is right, and this run went wrong."""
    try:
        return float(word) in (0.0, math.inf, -math.inf)
    except ValueError:
        return False


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _float(value: int | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def excerpt(text: str) -> str:
    """On one line of bounded length."""
    line = plain(text.strip())
    return line if len(line) <= SHOWN else f"{line[: SHOWN // 2]} … {line[-SHOWN // 2 :]}"
