"""Paths, standard input and open files -> SourceTable, by suffix and content."""

import gzip
import hashlib
import io
import json
import math
import os
import stat
import sys
import threading
import zlib
from collections.abc import Callable
from functools import partial
from typing import IO, Any

from bakeoff import files
from bakeoff.errors import MissingPackageError, ParameterError, ReadingError, first_line
from bakeoff.files import repeated_key
from bakeoff.packages import installed, optional
from bakeoff.reading.columns import dict_table, frame_table, records_table
from bakeoff.reading.large_csv import LARGE, text_table
from bakeoff.reading.number_parsing import NotANumber, parsed_number
from bakeoff.reading.table import EMPTY, SourceTable
from bakeoff.reading.text import as_utf8, decoded
from bakeoff.reading.workbooks import workbook_table
from bakeoff.shipped import nearby_names, shipped

Digest = Callable[[], str]
# other kinds of files, known by their first bytes
_FOREIGN = {
    b"BZh": "compressed (bzip2); unpack it first",
    b"\xfd7zXZ": "compressed (xz); unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed (zstd); unpack it first",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook (.xls); save it as .xlsx or CSV",
    b"%PDF": "a PDF; give the table as CSV",
    b"\x89PNG": "a picture; give its numbers as CSV",
    b"\xff\xd8\xff": "a picture; give its numbers as CSV",
    b"GIF8": "a picture; give its numbers as CSV",
    b"7z\xbc\xaf": "compressed (7z); unpack it first",
    b"SQLite format 3": "an SQLite database; export the table as CSV",
}


NUMBERS_AS_THEY_ARE = "is for text and workbooks; the numbers of this source are read as they are"
_GZIP = b"\x1f\x8b"
LARGEST_UNPACKED, SMALL_UNPACKED, MOST_TIMES = 1 << 30, 1 << 27, 50
"""Bytes of a compressed file once it is unpacked; and of one that holds many times its size, as ten kilobytes may be
ten megabytes, and ten megabytes ten gigabytes. Tables are packed to a tenth, very regular ones to a thirtieth."""
LARGEST_PIPED = 1 << 30
"""Bytes, or characters, of what is no regular file: standard input and other open files."""
_PIECE = 1 << 20
PATIENCE = 5.0
"""Seconds without a word while a pipe has no writer."""


def file_table(
    source: Any, decimal: str = "auto", sheet: str | None = None, no_header: bool = False
) -> tuple[SourceTable, Digest]:
    """The table in a file, and what gives the sha256 of the file's bytes."""
    packed, origin, suffix = _content(source)
    content = packed
    if packed.startswith(_GZIP):
        content, suffix = _unpacked(packed, origin), os.path.splitext(origin.lower().removesuffix(".gz"))[1]
    if not content:
        raise ReadingError(f"{origin} {EMPTY}")
    content = as_utf8(content, origin)
    reader = _reader(content, origin, suffix, decimal, sheet, no_header)
    if reader in (_parquet, _json, _json_lines):
        refuse_for_typed(decimal, None, no_header)
    return reader(content, origin), _digest(packed)


def refuse_for_typed(decimal: str, sheet: str | None, no_header: bool) -> None:
    """What is said of text and workbooks, about a source whose columns have names and types."""
    if decimal == ",":
        raise ParameterError(NUMBERS_AS_THEY_ARE, parameter="decimal")
    if no_header:
        raise ParameterError("is for text and workbooks; the columns of this source have names", parameter="no_header")
    if sheet is not None:
        raise ParameterError("is for .xlsx workbooks; leave it out", parameter="sheet")


def no_digest() -> str:
    """Give no digest, for a source that is no file."""
    return ""


def _digest(content: bytes) -> Digest:
    """Form the digest; for a large file, while it is read."""
    if len(content) < LARGE:
        digest = hashlib.sha256(content).hexdigest()
        return lambda: digest
    from concurrent.futures import ThreadPoolExecutor  # loads logging and queues

    pool = ThreadPoolExecutor(1)
    future = pool.submit(lambda: hashlib.sha256(content).hexdigest())
    pool.shutdown(wait=False)
    return future.result


def unpacked_limit(packed: int) -> int:
    """Bytes that so many may become, as a file or as one member of an archive."""
    return min(LARGEST_UNPACKED, max(SMALL_UNPACKED, MOST_TIMES * packed))


def _unpacked(packed: bytes, origin: str) -> bytes:
    most = unpacked_limit(len(packed))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            pieces, length = [], 0
            while length <= most and (piece := file.read(_PIECE)):  # read(n) sets aside n bytes at once
                pieces.append(piece)
                length += len(piece)
    except (OSError, EOFError, zlib.error) as error:
        raise ReadingError(f"{origin}: cannot be unpacked (gzip): {error}") from None
    if length > most:
        size = f"{most >> 30} GiB" if most == LARGEST_UNPACKED else f"{MOST_TIMES} times its size"
        raise ReadingError(f"{origin} holds more than {size} once unpacked; unpack it first")
    return b"".join(pieces)


def _content(source: Any) -> tuple[bytes, str, str]:
    if callable(getattr(source, "read", None)):  # a data frame may have a column of that name
        return _from_open(source)
    table = shipped(source)
    path = os.fsdecode(os.fspath(source)) if table is None else table.path
    if path == "-":
        return _from_open(getattr(sys.stdin, "buffer", sys.stdin), "standard input")
    if not path:
        raise ReadingError("source is an empty path; give a file, or '-' for standard input")
    if "\n" in path or "\0" in path:
        raise ReadingError("must be a path, not the text itself; wrap text in io.StringIO", parameter="source")
    try:
        with _opened(path) as file:
            kind = os.fstat(file.fileno()).st_mode
            if stat.S_ISCHR(kind) or stat.S_ISBLK(kind):
                raise ReadingError(f"cannot read {path!r}: it is a device; write what it gives to a file")
            content = file.read() if stat.S_ISREG(kind) else _of_a_pipe(file, path)
            return content, path, os.path.splitext(path)[1].lower()
    except OSError as error:
        raise ReadingError(f"cannot read {path!r}: {_reason(path, error)}") from None


def _opened(path: str) -> IO[bytes]:
    """The file; opening a pipe waits for a writer, and where none comes, a command says so."""
    timer = threading.Timer(PATIENCE, files.tell, (f"waiting for {path!r}, a pipe that no program writes to yet",))
    if os.path.exists(path) and stat.S_ISFIFO(os.stat(path).st_mode):
        timer.daemon = True
        timer.start()
    try:
        return open(path, "rb")
    finally:
        timer.cancel()


def _of_a_pipe(file: Any, origin: str) -> Any:
    """All of it, text or bytes, unless it does not end."""
    pieces = []
    left = LARGEST_PIPED
    while left > 0 and (piece := file.read(min(left, _PIECE))):
        pieces.append(piece)
        left -= len(piece)
    if left <= 0:
        raise ReadingError(f"{origin} gives more than {LARGEST_PIPED >> 30} GiB; write it to a file, and name that")
    return type(pieces[0])().join(pieces) if pieces else b""


def _reason(path: str, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        if "://" in path:
            return "there is no such file; give a file on this machine"
        looked = "" if os.path.isabs(path) else f" (looked in {os.getcwd()})"
        return f"there is no such file{looked}{nearby_names(path)}"
    if isinstance(error, IsADirectoryError):
        return "it is a directory; give a file"
    return (error.strerror or str(error)).lower()


def _from_open(file: Any, origin: str = "") -> tuple[bytes, str, str]:
    name = getattr(file, "name", None)
    origin = origin or (name if isinstance(name, str) else "the open file")
    try:
        content = _of_a_pipe(file, origin)
    except UnicodeDecodeError as error:
        raise ReadingError(f"{origin}: {error}; open it in binary mode, or convert it to UTF-8") from None
    except ReadingError:
        raise
    except (OSError, ValueError) as error:
        raise ReadingError(f"cannot read {origin}: {error}") from None
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else bytes(content or b"")
    return data, origin, os.path.splitext(origin)[1].lower()


def _reader(
    content: bytes, origin: str, suffix: str, decimal: str, sheet: str | None, no_header: bool
) -> Callable[[bytes, str], SourceTable]:
    """By content where that is certain, else by suffix, else by the first character."""
    for mark, what in _FOREIGN.items():
        if content.startswith(mark):
            raise ReadingError(f"{origin} is {what}")
    if content.startswith(b"PAR1") and sheet is None:
        return _parquet
    if content.startswith(b"PK\x03\x04") or suffix == ".xlsx":
        return partial(workbook_table, sheet=sheet, decimal=decimal, no_header=no_header)
    if sheet is not None:
        raise ParameterError(f"is for .xlsx workbooks, which {origin} is not; leave it out", parameter="sheet")
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    if suffix not in _TEXT and content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{"):
        return _json
    return partial(text_table, prefer=_TEXT.get(suffix, ""), decimal=decimal, no_header=no_header)


def _json(content: bytes, origin: str) -> SourceTable:
    """A list of records, a dict of columns, or one record per line."""
    text = decoded(content, origin)
    try:
        value = _parsed(text, origin, 1)
    except ReadingError as error:
        if text.lstrip().startswith("{") and str(error).endswith("Extra data"):
            return _json_lines(content, origin)
        raise
    if isinstance(value, dict):
        if value and not any(isinstance(column, list | dict) for column in value.values()):
            return records_table(origin, [value])  # JSON lines with a single line
        return dict_table(origin, value)
    if isinstance(value, list) and value:
        return records_table(origin, value)
    raise ReadingError(f"{origin}: expected a list of records [{{...}}, ...], got {type(value).__name__} {text[:20]!r}")


def _json_lines(content: bytes, origin: str) -> SourceTable:
    text = decoded(content, origin).replace("\r\n", "\n").replace("\r", "\n")
    records, rows = [], []
    for line, entry in enumerate(text.split("\n"), start=1):
        if not entry.strip():
            continue
        records.append(_parsed(entry, origin, line))
        rows.append(f"line {line}")
    return records_table(origin, records, rows)


def _parsed(text: str, origin: str, line: int) -> Any:
    try:
        return json.loads(text, parse_float=_json_float, parse_int=_json_int, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        place = f"{origin}, line {line - 1 + error.lineno}, column {error.colno}"
        raise ReadingError(f"{place}: not JSON: {error.msg}") from None
    except RecursionError:
        raise ReadingError(f"{origin}: the JSON is nested too deeply to be a table") from None
    except ValueError as error:
        raise ReadingError(f"{origin}{f', line {line}' if line > 1 else ''}: {error}") from None


def _json_int(text: str) -> float:
    return int(text) if len(text) < 400 else parsed_number(text)  # beyond floating point: parsed_number() raises


def _json_float(text: str) -> float:
    value = float(text)
    return parsed_number(text) if math.isinf(value) or not value else value  # which says what is wrong with 1e999


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise NotANumber(f"the key {repeated_key(pairs)!r} occurs twice in one record")
    return record


def _parquet(content: bytes, origin: str) -> SourceTable:
    readers: dict[str, Callable[[Any], Any]] = {
        "pyarrow.parquet": lambda module: _with_pandas_index(module.read_table(io.BytesIO(content))),
        "polars": lambda module: module.read_parquet(io.BytesIO(content)),
        "pandas": lambda module: module.read_parquet(io.BytesIO(content)),
    }
    for name, read in readers.items():
        try:
            module = optional(name)
        except ImportError:
            continue
        try:
            frame = read(module)
        except ImportError:
            continue
        except Exception as error:
            raise ReadingError(f"{origin}: cannot be read as Parquet: {first_line(error)}") from None
        return frame_table(frame, origin)
    raise MissingPackageError("reading Parquet needs pyarrow, polars or pandas with pyarrow: pip install pyarrow")


def _with_pandas_index(table: Any) -> Any:
    """pandas stores an index as columns at the end; pandas itself puts it back."""
    stored = (table.schema.pandas_metadata or {}).get("index_columns", [])
    if any(isinstance(name, str) for name in stored) and installed("pandas"):
        return table.to_pandas()
    return table


_TEXT = {".csv": "", ".txt": "", ".tsv": "\t"}  # suffixes of delimited text, and the delimiter they prefer
_BY_SUFFIX: dict[str, Callable[[bytes, str], SourceTable]] = {
    ".json": _json,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".parquet": _parquet,
}
