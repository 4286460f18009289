"""Archives (.zip, .tar, .tar.gz) unpacked as the folders they hold: of bounded size, and nothing outside of them."""

from __future__ import annotations

import atexit
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from bakeoff.errors import UNPACKED, ReadingError, first_line
from bakeoff.reading.files import LARGEST_UNPACKED, unpacked_limit

if TYPE_CHECKING:  # not at start-up: they bring shutil, bz2 and lzma
    from tempfile import TemporaryDirectory

SUFFIXES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
MOST_MEMBERS = 20_000
_KEPT = 4  # archives that stay unpacked; what a program is reading is among the last ones
_PIECE = 1 << 20
_FOLDERS: dict[tuple[str, int, int], TemporaryDirectory[str]] = {}
"""(path, time of change, size) -> where it is unpacked."""


class _Member(NamedTuple):
    name: str
    size: int  # as the archive says
    kind: str  # "file", "folder", or what it is instead
    open: Callable[[], IO[bytes]]


def is_packed(path: str) -> bool:
    """By its name: .xlsx and .eval are zip files, too, and are read as what they are."""
    return path.lower().endswith(SUFFIXES) and os.path.isfile(path)


def unpacked(path: str) -> str:
    """The folder that holds what the archive holds; it is removed at the end."""
    about = os.stat(path)
    key = (os.path.abspath(path), about.st_mtime_ns, about.st_size)
    if key not in _FOLDERS:
        while len(_FOLDERS) >= _KEPT:
            _FOLDERS.pop(next(iter(_FOLDERS))).cleanup()
        _FOLDERS[key] = _filled(path)
    folder = os.path.join(_FOLDERS[key].name, os.path.basename(path))
    UNPACKED[folder] = path
    return folder


@atexit.register
def _remove() -> None:
    while _FOLDERS:
        _FOLDERS.popitem()[1].cleanup()


def _filled(path: str) -> TemporaryDirectory[str]:
    from lzma import LZMAError
    from tarfile import TarError
    from tempfile import TemporaryDirectory
    from zipfile import BadZipFile

    where = TemporaryDirectory(prefix="bakeoff-")
    folder = os.path.join(where.name, os.path.basename(path))
    os.mkdir(folder)
    try:
        _unpack(path, folder)
    except (TarError, BadZipFile, LZMAError, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        where.cleanup()
        if isinstance(error, ReadingError):
            raise
        raise ReadingError(f"{path}: cannot be unpacked: {first_line(error).rstrip(':')}") from None
    return where


def _unpack(path: str, folder: str) -> None:
    left, most = LARGEST_UNPACKED, unpacked_limit(os.path.getsize(path))
    for count, member in enumerate(_members(path), 1):
        left -= member.size
        if count > MOST_MEMBERS or left < 0:
            raise ReadingError(
                f"{path} holds more than {MOST_MEMBERS} files or {LARGEST_UNPACKED >> 30} GiB once unpacked; unpack "
                "it, and give the folder of the results"
            )
        if member.size > most:  # and no more than it says is unpacked
            raise ReadingError(
                f"{path}: {member.name!r} has {member.size >> 20} MiB unpacked, and of an archive of this size at most "
                f"{most >> 20} are read; unpack it, and give the folder of the results"
            )
        at = os.path.join(folder, *_parts(path, member))
        if member.kind == "folder":
            os.makedirs(at, exist_ok=True)
            continue
        os.makedirs(os.path.dirname(at), exist_ok=True)
        if os.path.exists(at):
            raise ReadingError(f"{path}: {member.name!r} is in the archive twice; leave one out")
        with member.open() as packed, open(at, "xb") as file:
            _copy(packed, file, member, path)


def _copy(packed: IO[bytes], file: IO[bytes], member: _Member, path: str) -> None:
    """No more bytes than the archive says, of which the sum is bounded."""
    left = member.size
    while piece := packed.read(_PIECE):
        left -= len(piece)
        if left < 0:
            raise ReadingError(f"{path}: {member.name!r} is larger than the archive says; it is damaged")
        file.write(piece)


def _parts(path: str, member: _Member) -> list[str]:
    """The names of the folders and of the file; refused where they would lead out of the archive's own folder."""
    name = member.name.replace("\\", "/")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if member.kind not in ("file", "folder"):
        raise ReadingError(f"{path}: {member.name!r} is {member.kind}; an archive of results holds files and folders")
    if name.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", name) or "\0" in name or not name:
        raise ReadingError(
            f"{path}: {member.name!r} lies outside of the archive's own folder, and nothing is unpacked there"
        )
    return parts or ["."]


def _members(path: str) -> Iterator[_Member]:
    import tarfile
    from zipfile import ZipFile

    if path.lower().endswith(".zip"):
        with ZipFile(path) as archive:
            for entry in archive.infolist():
                kind = "folder" if entry.is_dir() else "file"
                if stat.S_ISLNK(entry.external_attr >> 16):
                    kind = "a link"
                elif entry.flag_bits & 1:
                    kind = "encrypted"
                yield _Member(entry.filename, entry.file_size, kind, partial(archive.open, entry))
        return
    with tarfile.open(path) as tar:
        for info in tar:
            kind = "file" if info.isreg() else "folder" if info.isdir() else "a link or a device"
            yield _Member(info.name, info.size, kind, cast("Callable[[], IO[bytes]]", partial(tar.extractfile, info)))
