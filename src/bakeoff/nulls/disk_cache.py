"""Laws that take long to compute are kept on disk: the next process reads them in well under a millisecond.

A file is a digest and two rows of eight-byte numbers, values and probabilities to the last bit; nothing in it is
executed. It is written beside its place and then moved there in one step, so two processes at once do no harm and a
reader sees a whole file or none. A file that is damaged, or belongs elsewhere, is ignored and written anew; a folder
that cannot be written is no error.

The folder is ``$BAKEOFF_CACHE`` (``off``: none), else where the platform keeps such things: ``$XDG_CACHE_HOME/bakeoff``
or ``~/.cache/bakeoff``, ``~/Library/Caches/bakeoff``, ``%LOCALAPPDATA%\\bakeoff\\Cache``. Deleting it is always safe.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import numpy as np

from bakeoff.nulls.sorted_states import Floats, Ints

Law = tuple[Ints, Floats]  # values, ascending, and their probabilities

VERSION = 1
"""Part of the file names: raise it whenever a law could come out with other bits."""

_DIGEST = 32


def folder() -> Path | None:
    """Where laws are kept; None if nowhere."""
    given = os.environ.get("BAKEOFF_CACHE", "")
    if given == "off":
        return None
    try:
        return Path(given).expanduser() if given else _platform_folder()
    except RuntimeError:  # a user without a home
        return None


def _platform_folder() -> Path:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "bakeoff" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "bakeoff"
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".cache") / "bakeoff"


def read(name: str) -> Law | None:
    """The law kept under this name, as it was computed; None if there is none, or not a sound one."""
    place = folder()
    if place is None:
        return None
    try:
        content = (place / _file(name)).read_bytes()
    except (OSError, ValueError):  # ValueError: a name that no file system takes
        return None
    body = content[_DIGEST:]
    if content[:_DIGEST] != _digest(name, body) or len(body) % 16:
        return None
    half = len(body) // 2
    values = np.frombuffer(body[:half], dtype="<i8").astype(np.int64, copy=False)
    return values, np.frombuffer(body[half:], dtype="<f8").astype(np.float64, copy=False)


def write(name: str, law: Law) -> None:
    """Keep a law, if that is possible."""
    place = folder()
    if place is None:
        return
    body = law[0].astype("<i8").tobytes() + law[1].astype("<f8").tobytes()
    with suppress(OSError, ValueError):
        place.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(prefix=".unfinished-", dir=place)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(name, body) + body)
            os.replace(unfinished, place / _file(name))
        except BaseException:
            with suppress(OSError):
                os.unlink(unfinished)
            raise


def _file(name: str) -> str:
    return f"{name}-v{VERSION}.law"


def _digest(name: str, body: bytes) -> bytes:
    """Of the name too: a file in the wrong place is no sound one."""
    return blake2b(_file(name).encode() + b"\n" + body, digest_size=_DIGEST).digest()
