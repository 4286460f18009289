"""Files that appear whole or not at all, and JSON of other programs."""

import json
import math
import os
import re
import stat
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, ReadingError, plain

_FORMULA = re.compile(r"'*[=+\-@\t\r]")  # a spreadsheet would run a cell that begins so; apostrophes: see csv_line
_QUOTED = re.compile('[",;|\t\r\n]')  # separators of any locale: "x;=cmd" must stay one cell
HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that move a terminal's cursor or reorder a line."""
_LIKE_ESCAPED = re.compile(rf"\\(?=\\*(?:x[0-9a-f]{{2}}|u[0-9a-f]{{4}}|{HIDDEN.pattern}))")


def tell(text: str) -> None:
    """Say what is waited for; commands replace this by what prints it."""


def nearby(path: str) -> str:
    """``; did you mean 'scores.csv'?`` where the folder has a file of nearly that name."""
    folder, name = os.path.split(path)
    try:
        others = sorted(other for other in os.listdir(folder or os.curdir) if other != name)
        hint = did_you_mean(name, others[:10_000])
    except OSError:
        return ""
    return hint.replace("'", f"'{folder}/", 1) if folder and hint else hint


NO_FILE = "is a pipe, socket or device"


def unreadable_folder(error: OSError) -> None:
    """For ``os.walk``, which would leave it out without a word."""
    raise ReadingError(f"cannot read the folder {error.filename!r}: {error.strerror or error}") from None


def write_whole(target: Path, write: Callable[[Path], object]) -> None:
    """Have ``write`` fill a file beside ``target``, then rename it: a reader never sees half a file.

    The file keeps its permissions, or gets those of an ordinary new one; a link stays a link, and what it points to is
    written. An OSError is the caller's to explain.
    """
    if target.is_symlink():
        target = Path(os.path.realpath(target))
    import tempfile  # not at start-up: it brings shutil, random, bz2 and lzma

    mode = stat.S_IMODE(target.stat().st_mode) if target.is_file() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=".bakeoff-", suffix=target.suffix, dir=target.parent)
    os.close(handle)
    draft = Path(name)
    try:
        write(draft)
        draft.chmod(mode)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def write_bytes(target: Path, content: bytes, parameter: str = "") -> None:
    """``content`` as the file ``target``, whole or not at all; a ``parameter`` that named it is in the error."""
    try:
        write_whole(target, lambda draft: draft.write_bytes(content))
    except OSError as error:
        if not parameter:
            raise
        why = f": cannot write {plain(str(target))!r} ({error.strerror or error})"
        raise ParameterError(why, parameter=parameter) from None


def _umask() -> int:
    """The mask of this process; it can be read only by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def csv_line(cells: Iterable[object]) -> str:
    """A line of comma-separated values that is safe to open: floats in full, hidden characters as ``\\x1b``.

    A text that a spreadsheet would take for a formula gets an apostrophe. No two texts are written alike: one that
    looks escaped already is escaped once more.
    """
    return ",".join(map(_csv_cell, cells)) + "\n"


def _csv_cell(cell: object) -> str:
    if isinstance(cell, str):
        return _csv_text(cell)
    return "" if cell is None else repr(cell) if isinstance(cell, float) else str(cell)


@lru_cache(maxsize=4096)  # names recur
def _csv_text(cell: str) -> str:
    text = _LIKE_ESCAPED.sub(r"\\\\", cell) if "\\" in cell else cell
    text = HIDDEN.sub(lambda match: match.group().encode("unicode_escape").decode(), text)
    text = f"'{text}" if _FORMULA.match(text) else text
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


# --- JSON of other programs: no key twice in an object, no number that floating point cannot hold

MOST_DIGITS = 308
"""Digits of a whole number; with more it is beyond floating point."""


class NotStrictError(ValueError):
    """JSON that says two things, or a number that is none; the message says which."""


def loads_strictly(text: str | bytes) -> Any:
    """The value of a whole document; NaN and Infinity are taken, as many programs write them."""
    return json.loads(text, object_pairs_hook=once, parse_float=real_number, parse_int=whole_number)


def strict_decoder() -> json.JSONDecoder:
    """The same for a value within a text."""
    return json.JSONDecoder(object_pairs_hook=once, parse_float=real_number, parse_int=whole_number)


def repeated_key(pairs: Sequence[tuple[str, Any]]) -> str:
    """The first key that an object has again."""
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return key
        seen.add(key)
    raise ValueError("no key is repeated")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object; of a key that is there twice, nobody knows which value counts."""
    record = dict(pairs)
    if len(record) < len(pairs):
        raise NotStrictError(f"the key {plain(repeated_key(pairs))[:60]!r} occurs twice in one object")
    return record


def real_number(digits: str) -> float:
    """A number with a point or an exponent."""
    value = float(digits)
    if math.isinf(value):
        raise NotStrictError(f"{digits[:40]} is beyond the largest floating-point number")
    if value == 0 and vanishes(digits):
        raise NotStrictError(f"{digits[:40]} is nearer to 0 than any floating-point number")
    return value


def whole_number(digits: str) -> int:
    """A whole number; Python itself refuses from 4300 digits on."""
    if len(digits) > MOST_DIGITS:
        raise NotStrictError(f"a whole number of {len(digits)} digits is beyond the largest floating-point number")
    return int(digits)


def vanishes(word: str) -> bool:
    """Whether a number that is read as 0 is written as another one: 1e-400."""
    return any(digit in "123456789" for digit in re.split("[eE]", word, maxsplit=1)[0])
