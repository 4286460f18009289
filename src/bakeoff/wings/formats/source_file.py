"""A file, or an object in memory, that a reader of a format looks at."""

import codecs
import contextlib
import csv
import gzip
import io
import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import IO, Any

from bakeoff.dataclass import dataclass, field
from bakeoff.errors import ReadingError, plain
from bakeoff.files import NO_FILE, NotStrictError, loads_strictly
from bakeoff.reading.columns import column_values

HEAD = 1 << 16
"""Bytes that a signature is looked for in."""
_ALWAYS = 1 << 28
_MOST_TIMES = 250


def most_unpacked(packed: int) -> int:
    """Bytes that ``packed`` bytes may become: results shrink to a fiftieth, and a bomb to a thousandth."""
    return max(_ALWAYS, _MOST_TIMES * packed)


class _Unpacked(io.RawIOBase):
    """The bytes of a gzip file, which end in an error where there are too many of them."""

    def __init__(self, path: str) -> None:
        self.file = gzip.open(path)  # noqa: SIM115  # closed with this
        self.path = path
        self.left = most_unpacked(os.path.getsize(path))

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.file.read(len(buffer))
        self.left -= len(data)
        if self.left < 0:
            raise ReadingError(
                f"cannot read {self.path!r}: it unpacks to more than {_MOST_TIMES} times its size, as no results do; "
                "if they are results, unpack it (gunzip)"
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self.file.close()
        super().close()


@dataclass(eq=False)
class SourceFile:
    """A file with the label of its user, or (``content``) an object in memory."""

    path: str = ""
    label: str = ""  # as --label NAME=FILE says; else empty
    folder: str = ""  # the folder it was found in, if that was given instead of the file
    content: Any = None
    part: str = ""  # "2." where this is the second file with one label: the process its runs belong to
    about: dict[str, Any] = field(default_factory=dict)  # what a reader wants to keep

    @property
    def name(self) -> str:
        """The name of this file's measurements if it does not say one: its label, else its name."""
        return self.label or self.stem

    @property
    def stem(self) -> str:
        base = os.path.basename(self.path.rstrip("/"))
        return os.path.splitext(base.removesuffix(".gz"))[0] or base

    def beside(self, name: str) -> "SourceFile":
        """A file that this one names: within the folder of the results, and no pipe or device."""
        here = os.path.dirname(self.path)
        path = os.path.normpath(os.path.join(here, name))
        folder = os.path.normpath(self.folder or here)
        if os.path.isabs(name) or os.path.relpath(path, folder).split(os.sep)[0] == os.pardir:
            raise ReadingError(
                f"{self.path} names {plain(name)[:200]!r}, which is outside of {folder!r}: its data lies beside it; "
                "give the folder as its program wrote it"
            )
        if not os.path.isfile(path):
            raise ReadingError(
                f"{plain(path)[:200]} is not there, which {self.path} names; keep the data folders beside such files"
            )
        return SourceFile(path)

    @property
    def in_memory(self) -> bool:
        return self.content is not None

    @cached_property
    def head(self) -> bytes:
        """The beginning, unpacked; of an object in memory, or a damaged archive in a folder, nothing."""
        if self.in_memory or (self.folder and not os.path.isfile(self.path)):
            return b""
        try:
            with self.open() as file:
                return file.read(HEAD)
        except (OSError, EOFError, zlib.error) as error:
            if self.folder and not isinstance(error, PermissionError):
                return b""
            raise ReadingError(f"cannot read {self.path!r}: {error}") from None

    @cached_property
    def text_head(self) -> str:
        return self.head.decode("utf-16" if self.wide else "utf-8", "replace").removeprefix("\ufeff")

    def open(self) -> IO[bytes]:
        """The bytes, unpacked if they are gzip."""
        if self.folder and not os.path.isfile(self.path):  # opening a pipe would wait for its writer
            raise ReadingError(f"cannot read {self.path!r}: it {NO_FILE}, or a link to nothing")
        try:
            file = open(self.path, "rb")  # noqa: SIM115  # closed by whoever reads it
            try:
                packed = file.peek(2)[:2] == b"\x1f\x8b"
            except OSError:
                file.close()
                raise
            if packed:
                file.close()
                return io.BufferedReader(_Unpacked(self.path), HEAD)
        except OSError as error:
            raise ReadingError(f"cannot read {self.path!r}: {error.strerror or error}") from None
        return file

    def text(self) -> IO[str]:
        """The text, decoded; lines one by one."""
        return io.TextIOWrapper(self.open(), encoding="utf-16" if self.wide else "utf-8-sig", newline=None)

    @cached_property
    def wide(self) -> bool:
        """Is it UTF-16, as > of Windows PowerShell writes it?"""
        if self.in_memory or not os.path.isfile(self.path):
            return False
        with contextlib.suppress(OSError, EOFError, zlib.error), self.open() as file:
            return file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        return False

    def blocks(self) -> Iterator[bytes]:
        """The bytes, unpacked."""
        with self._damage_named(), self.open() as file:
            while block := file.read(1 << 20):
                yield block

    def lines(self) -> Iterator[str]:
        """The lines of the text, without their ends."""
        with self._damage_named(), self.text() as lines:
            for line in lines:
                yield line.rstrip("\n")

    def json(self) -> Any:
        """The whole file as JSON; NaN and Infinity as Python's json takes them."""
        if self.in_memory:
            return self.content
        with self._damage_named(), self.text() as file:
            text = file.read()
        try:
            return loads_strictly(text)
        except RecursionError:
            raise ReadingError(f"{self.path}: nested too deeply") from None
        except NotStrictError as error:
            raise ReadingError(f"{self.path}: {error}") from None
        except ValueError as error:
            raise ReadingError(f"{self.path}: not JSON: {error}") from None

    @contextlib.contextmanager
    def _damage_named(self) -> Iterator[None]:
        """Name damage that shows only in reading: bytes that are no text, or an archive that ends too soon."""
        try:
            yield
        except UnicodeDecodeError:
            raise ReadingError(f"{self.path}: not text in UTF-8") from None
        except (OSError, EOFError, zlib.error) as error:
            raise ReadingError(f"cannot read {self.path!r}: {error}") from None

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a CSV file or data frame; none of anything else."""
        if self.in_memory:
            names: Any = getattr(self.content, "column_names", None)  # pyarrow, whose columns are the data
            return tuple(map(str, getattr(self.content, "columns", ()) if names is None else names))
        line = self.text_head.split("\n", 1)[0]
        if "\0" in line or line.lstrip()[:1] in ("{", "["):
            return ()
        try:
            return tuple(next(csv.reader([line]), ())) if line.strip() else ()
        except csv.Error:  # a carriage return in the middle, as in noise
            return ()

    def records(self) -> Iterator[Mapping[str, Any]]:
        """The rows of a CSV file or data frame, by column name."""
        if self.in_memory:
            import narwhals as nw

            frame = nw.from_native(self.content, eager_only=True)
            columns = [column_values(frame[name], "the data frame") for name in frame.columns]
            yield from (dict(zip(frame.columns, row, strict=True)) for row in zip(*columns, strict=True))
            return
        try:
            with self._damage_named(), self.text() as file:
                yield from csv.DictReader(file)
        except csv.Error as error:
            raise ReadingError(f"{self.path}: not a CSV file: {error}") from None


def written_as(beginning: str, *words: str) -> Callable[[SourceFile], bool]:
    """Recognise a text that begins so, by a regular expression, and has all of the words near its beginning."""
    pattern = re.compile(rf"\s*{beginning}", re.DOTALL)

    def recognise(file: SourceFile) -> bool:
        head = file.text_head
        return pattern.match(head) is not None and all(word in head for word in words)

    return recognise


def with_columns(*signatures: frozenset[str]) -> Callable[[SourceFile], bool]:
    """Recognise a table that has all columns of one of the signatures."""
    return lambda file: any(signature <= set(file.columns) for signature in signatures)
