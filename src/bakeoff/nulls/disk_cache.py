"""A cache on disk for null distributions that take long to compute; reading one takes well under a millisecond.

A file is a digest and two rows of eight-byte numbers, values and probabilities to the last bit; nothing in it is
executed. Writing is atomic, so concurrent processes are safe. A file that is damaged or belongs to another distribution
is ignored and rewritten; a folder that cannot be written is no error.

A law is read only from a folder and a file that belong to this user and that nobody else can write: a digest without a
key would not keep others from putting a forged law there.

The folder is ``$BAKEOFF_CACHE`` (``off``: none), else where the platform keeps such things: ``$XDG_CACHE_HOME/bakeoff``
or ``~/.cache/bakeoff``, ``~/Library/Caches/bakeoff``, ``%LOCALAPPDATA%\\bakeoff\\Cache``. Deleting it is always safe.
"""

import os
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import numpy as np

from bakeoff.files import write_bytes
from bakeoff.nulls.sorted_states import Floats, Ints

NullDistribution = tuple[Ints, Floats]  # values, ascending, and their probabilities

VERSION = 1
"""Part of the file names: raise it whenever a distribution could come out with other bits."""

_DIGEST = 32


def folder() -> Path | None:
    """The cache folder; None if it is switched off or there is no home."""
    chosen = os.environ.get("BAKEOFF_CACHE", "")
    if chosen == "off":
        return None
    try:
        return Path(chosen).expanduser() if chosen else _platform_folder()
    except RuntimeError:  # a user without a home
        return None


def _platform_folder() -> Path:
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "bakeoff" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "bakeoff"
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (chosen if chosen.is_absolute() else Path.home() / ".cache") / "bakeoff"


def read(name: str) -> NullDistribution | None:
    """The distribution stored under this name, bit for bit; None if there is none, or it is damaged."""
    place = folder()
    if place is None:
        return None
    file = place / _file(name)
    try:
        if not (_is_private(place) and _is_private(file)):
            return None
        content = file.read_bytes()
    except (OSError, ValueError):  # ValueError: a name that no file system takes
        return None
    body = content[_DIGEST:]
    if content[:_DIGEST] != _digest(name, body) or len(body) % 16:
        return None
    half = len(body) // 2
    values = np.frombuffer(body[:half], dtype="<i8").astype(np.int64, copy=False)
    return values, np.frombuffer(body[half:], dtype="<f8").astype(np.float64, copy=False)


def write(name: str, law: NullDistribution) -> None:
    """Store a distribution, if that is possible."""
    place = folder()
    if place is None:
        return
    body = law[0].astype("<i8").tobytes() + law[1].astype("<f8").tobytes()
    with suppress(OSError, ValueError):
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.mkdir(mode=0o700, exist_ok=True)
        if _is_private(place):
            write_bytes(place / _file(name), _digest(name, body) + body)
            (place / _file(name)).chmod(0o600)


def _is_private(path: Path) -> bool:
    """Whether it belongs to this user and nobody else can write it."""
    if sys.platform == "win32":  # a profile's folder has an access list of its own
        return True
    facts = path.stat()
    return facts.st_uid == os.geteuid() and not facts.st_mode & 0o022


def _file(name: str) -> str:
    return f"{name}-v{VERSION}.law"


def _digest(name: str, body: bytes) -> bytes:
    """Includes the name, so that a renamed file is not mistaken for another distribution."""
    return blake2b(_file(name).encode() + b"\n" + body, digest_size=_DIGEST).digest()
