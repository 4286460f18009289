"""Delimited text (CSV, TSV) -> SourceTable, with line numbers: bytes to text, headers, rows."""

import codecs
import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from operator import itemgetter

import numpy as np

from bakeoff.errors import ReadingError
from bakeoff.reading.number_parsing import (
    LARGEST_INTEGER,
    MISSING,
    NotANumber,
    has_spread,
    is_name,
    may_vanish,
    parsed_number,
    parsed_numbers,
)
from bakeoff.reading.recognition.written import (
    fields_below,
    has_decimal_commas,
    has_thousands,
    in_threes,
    uncommented,
    with_tabs,
)
from bakeoff.reading.table import EMPTY, MOST_LOOKED_AT, CellError, Labels, clean_names, place, refuse_headerless
from bakeoff.scores import Array
from bakeoff.scores.runs import is_known_end

# Bytes of a file -> text: UTF-8, what a byte order mark says, Windows-1252.

_LETTER = "[À-ÖØ-öø-ÿŠšŽžŒœ]"
_WESTERN = re.compile(
    rf"(?:[\t\n\r -~€°±²³µ·–—‘’“”…§×]|(?<=[A-Za-z]){_LETTER}{{1,2}}(?!{_LETTER})|{_LETTER}{{1,2}}(?=[a-z])|\bà\b)+"
)
"""A text in Windows-1252: one accented letter or two beside a plain one."""
_UTF = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def decoded(content: bytes, origin: str) -> str:
    """The text of a file in UTF-8, or plainly in Windows-1252; else an error that says so."""
    return in_utf8(content, origin)[1]


def in_utf8(content: bytes, origin: str) -> tuple[bytes, str]:
    """The text as ``decoded`` gives it, and its bytes in UTF-8."""
    if (nul := content.find(b"\0")) >= 0:
        line = _line_of(content, nul)
        if 3 * content[:64].count(0) > len(content[:64]):
            place = f"NUL byte at offset {nul}, line {line}"
            raise ReadingError(f"{origin} seems to be UTF-16, not UTF-8 ({place}). Save it as UTF-8 first")
        raise ReadingError(
            f"{origin}, line {line}: a NUL byte at offset {nul}; this is not a text file, or a damaged one"
        )
    try:
        return content, content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if (western := _western(content)) is not None:
            return western.encode(), western
        at = error.start + (3 if content.startswith(codecs.BOM_UTF8) else 0)
        raise ReadingError(
            f"{origin}, line {_line_of(content, at)}: not UTF-8: byte 0x{content[at]:02X} at offset {at}; "
            "it may be Latin-1 or Windows-1252. Save it as UTF-8 first"
        ) from None


def as_utf8(content: bytes, origin: str) -> bytes:
    """What a byte order mark says is UTF-16 or UTF-32, in UTF-8; whatever else as it is."""
    encoding = next((encoding for mark, encoding in _UTF.items() if content.startswith(mark)), None)
    if encoding is None:
        return content
    try:
        return content.decode(encoding).encode()
    except UnicodeError as error:
        raise ReadingError(f"{origin} begins as {encoding} and is none, or damaged: {error}") from None


def _western(content: bytes) -> str | None:
    """Text in Windows-1252, which Excel writes in Western Europe, if its accented letters stand among plain ones.

    Bytes of other encodings rarely do.
    """
    text = content.decode("cp1252", "replace")
    return text if _WESTERN.fullmatch(text) else None


def _line_of(content: bytes, offset: int) -> int:
    before = content[:offset]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


# Headers of several lines.


def joined_names(header: Sequence[str], below: Sequence[Sequence[str]]) -> tuple[list[str], int]:
    """The names of the columns, and how many lines more hold them, where the first has a name twice, or not at all.

    pandas writes columns of two levels as two lines, and the name of the rows on a third; in workbooks the names of
    the first are merged, and stand once.
    """
    names = [name.strip() for name in header]
    rows = [[field.strip() for field in row] for row in below if len(row) == len(names)]
    third = len(rows) > 2 and bool(rows[1][0]) and not any(rows[1][1:])
    named = len(rows) > 1 and all(map(is_name, rows[0][1:])) and not all(map(is_name, rows[1][1:]))
    if (len(set(names[1:])) == len(names) - 1 and "" not in names[1:]) or not (third or named):
        return names, 0
    if not third and any(map(is_known_end, rows[0][1:])):  # of a first problem that nobody solved
        return names, 0
    above = names[1:]
    for j, name in enumerate(above):
        above[j] = name or (above[j - 1] if j else "")
    first = rows[1][0] if third else rows[0][0] or names[0] or "problem"
    pairs = zip(above, rows[0][1:], strict=True)
    return [first, *("_".join(filter(None, pair)) for pair in pairs)], 1 + third


# Delimited text (CSV, TSV) -> SourceTable, with line numbers.

DELIMITERS = {"\t": "tab", ";": "semicolon", ",": "comma"}

LARGE = 100_000
"""Characters from which it is worth trying to read the whole file at once."""

_PEEKED = 100_000  # characters in which the first record is looked for
_CHUNK = 128  # records converted together; few enough to stay in the processor's cache
# a header line, its quoted names kept whole; and a quoted name alone
_QUOTED = r'(?<![^,;\t]) *"(?:[^"]|"")*"'
_HEADER = re.compile(rf"(?:{_QUOTED}|[^\r\n])*+")  # possessive: a header of megabytes is not tried again
_COMMENT = re.compile(r"(?! *\t[^\t]*\t)\s*#(?!\s*[,;\t])")  # a column may be called #, or #instances after a tab
_RULE = re.compile(r"\s*[-=+_][-=+_ ]{2,}\s*")  # a line that is drawn above a header


class TextTable:
    """A delimited file: the header read, the records still to come."""

    def __init__(
        self, content: bytes, origin: str, prefer: str = "", decimal: str = "auto", no_header: bool = False
    ) -> None:
        self.origin = origin
        self.spreads = 0  # cells with a mean and its spread, of which the mean is read
        self._lines: list[int] = []
        self._first: list[list[str]] = []
        self._again = content, origin, prefer, decimal, no_header  # a second pass begins anew
        self._taken = False
        content, text = in_utf8(content, origin)
        first, _, offset = _first_line(iter(io.StringIO(text[:_PEEKED], newline="")))
        plain, self.written = text, ""  # what the text is called where it is changed into a plain one
        if not no_header and (named := uncommented(text[:offset], first)):
            text, self.written = named + text[offset:], "a table with its names in a comment"
            first, _, offset = _first_line(iter(io.StringIO(text[:_PEEKED], newline="")))
        if tabs := with_tabs(text[offset:], first, 2 if no_header else 3):
            text, self.written = text[:offset] + tabs[0], tabs[1] or self.written
        if no_header:
            text = with_header(text, origin, prefer, decimal)
        content = content if text is plain else text.encode()
        lines = iter(io.TextIOWrapper(io.BytesIO(content), "utf-8-sig", newline=""))
        first, self._skipped, offset = _first_line(lines)
        while _is_title(text[offset:], first):
            following, skipped, more = _first_line(lines)
            first, self._skipped, offset = following, self._skipped + 1 + skipped, offset + len(first) + more
        self._skipped -= no_header  # the line that was put before the others
        if not first:
            raise ReadingError(f"{origin} {EMPTY}")
        sign = "." if decimal == "auto" else decimal
        self.delimiter = _delimiter(text[offset:], origin, self._skipped + 1, prefer, sign)
        fields = list(fields_below(text[offset:], self.delimiter)) if decimal == "auto" else []
        self._thousands = next((mark for mark in ",." if has_thousands(fields, mark)), "")
        if self._thousands == "." or (not self._thousands and has_decimal_commas(fields)):
            sign = ","
        if decimal != "." and (word := in_threes(text[offset:], self.delimiter)):
            if decimal == "auto":
                raise ReadingError(
                    f"{origin}: every number with a point ends in three digits, {word} for one, and columns are "
                    "separated by semicolons, as where points separate thousands. Say decimal='.' if they are decimal "
                    "points, decimal=',' if they separate thousands"
                )
            self._thousands = "."
        self.decimal = sign
        self._reader = csv.reader(chain([first], lines), delimiter=self.delimiter, skipinitialspace=True, strict=True)
        at, header = next(self._records(), (0, []))
        if not header:  # a line of nothing but separators and quotes
            raise ReadingError(f"{origin} {EMPTY}")
        self.header = first
        self._start = text[offset : offset + _PEEKED]
        names, self._more = joined_names(header, list(islice(self._beginning(), 1, 4)))
        if self._more:
            self.written = f"a table under {1 + self._more} lines of names"
            _ = [next(self._records()) for _ in range(self._more)]
        self.header_is_first_line = self._skipped == 0 and self._reader.line_num == 1 and text is plain
        self.names = clean_names(f"{origin}, line {at}", names)
        if not no_header:
            refuse_headerless(origin, f"line {at}", self.names)
        self._body = text[offset + len(first) :] if len(text) >= LARGE and '"' not in text and sign == "." else ""

    def is_text(self, column: int) -> bool:
        return any(text.lower() not in MISSING and is_name(text) for text in self.texts(column))

    def holds_names(self, column: int) -> bool:
        return any(map(is_name, self.texts(column)[:1]))

    def _beginning(self) -> Iterator[list[str]]:
        records = csv.reader(io.StringIO(self._start, newline=""), delimiter=self.delimiter, skipinitialspace=True)
        return (fields for fields in records if any(fields))

    def texts(self, column: int) -> Labels:
        if not self._first:
            self._first = list(islice(self._beginning(), 1 + self._more, MOST_LOOKED_AT + 1))
            if len(self._start) == _PEEKED and len(self._first) > 1:
                self._first.pop()  # it may be cut off
        return [fields[column].strip() if column < len(fields) else "" for fields in self._first]

    def row(self, index: int) -> str:
        return f"line {self._lines[index]}"

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        """One pass over the file, in chunks: fast if all are plain numbers, else cell by cell."""
        if self._taken:
            again = TextTable(*self._again)
            self._lines, codes = again._lines, again.take(labels, scores)
            self.spreads = again.spreads
            return codes
        self._taken = True
        if self._body and list(labels) == [0] and list(scores) == list(range(1, len(self.names))):
            names, block = self._at_once()
            if block is not None:
                return [names], block
        named: list[Labels] = [[] for _ in labels]
        blocks: list[Array] = []
        records = self._checked()
        pick = _picker(scores)
        while chunk := list(islice(records, _CHUNK)):
            for column, names in zip(labels, named, strict=True):
                names.extend([fields[column].strip() for fields in chunk])
            texts = list(chain.from_iterable(map(pick, chunk)))
            if self._thousands:
                texts = [text.replace(self._thousands, "") for text in texts]
            block = parsed_numbers(texts if self.decimal == "." else _with_points(texts))
            if block is None:
                block = self._one_by_one(texts, scores, sum(map(len, blocks)))
            blocks.append(block.reshape(len(chunk), len(scores)))
        if not blocks:
            raise ReadingError(f"{self.origin} has a header but no scores below it")
        return named, np.concatenate(blocks)

    def _at_once(self) -> tuple[Labels, Array | None]:
        """A large file without quotes, names first and plain numbers after; None if anything is unusual."""
        text = self._body.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
        self._body = ""
        if text.count(self.delimiter) != (text.count("\n") + 1) * (len(self.names) - 1):
            return [], None  # known before a hundred million empty lines are taken apart
        lines = text.split("\n")
        parts = [line.partition(self.delimiter) for line in lines]
        texts = [rest for _, _, rest in parts]
        if not all(texts):
            return [], None
        try:
            block = np.loadtxt(texts, dtype=np.float64, comments=None, delimiter=self.delimiter, ndmin=2)
        except ValueError:
            return [], None
        if block.shape != (len(lines), len(self.names) - 1) or (np.abs(block) >= LARGEST_INTEGER).any():
            return [], None
        if (block == 0).any() and may_vanish(text.encode()):
            return [], None
        self._lines = list(range(self._skipped + 2, self._skipped + 2 + len(lines)))
        return [name.strip() for name, _, _ in parts], block

    def _one_by_one(self, texts: list[str], scores: Sequence[int], before: int) -> Array:
        block = np.empty(len(texts))
        for i, text in enumerate(texts):
            try:
                block[i] = parsed_number(text) if self.decimal == "." else _number_with_comma(text)
                self.spreads += has_spread(text)
            except NotANumber as error:
                row, j = divmod(i, len(scores))
                if text.strip() == self.names[scores[j]]:
                    line = self._lines[before + row]
                    raise ReadingError(
                        f"{self.origin}, line {line}: the header comes again. These are two tables: keep one of them "
                        "in a file of its own"
                    ) from None
                raise CellError(f"{place(self, before + row, scores[j])}: {error}") from None
        return block

    def _checked(self) -> Iterator[list[str]]:
        """Records of the header's length; their lines are kept for messages."""
        width = len(self.names)
        for line, fields in self._records():
            if len(fields) != width:
                self._refuse_ragged(line, fields)
            self._lines.append(line)
            yield fields

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """(line on which it begins, fields) of every record with anything in it."""
        line = self._skipped + self._reader.line_num + 1
        try:
            for fields in self._reader:
                if fields and (fields[0] or any(field.strip() for field in fields)):
                    yield line, fields
                line = self._skipped + self._reader.line_num + 1
        except csv.Error as error:
            raise ReadingError(f"{self.origin}, line {line}: {_explained(str(error))}") from None

    def _refuse_ragged(self, line: int, fields: list[str]) -> None:
        width, n_fields = len(self.names), len(fields)
        hint = ""
        if n_fields == width + 1 and not fields[-1].strip():
            hint = "; remove the delimiter at the end of the line"
        elif n_fields == width + 1 and len(self._lines) == 0:
            hint = "; a first column without a name may be called problem"
        if n_fields > width and self.delimiter == ",":
            hint += (
                "; names with commas need quotes, and numbers with decimal commas (1,5) need points (1.5), or "
                "semicolons between columns and decimal=','"
            )
        if n_fields == 1:
            hint = "; text below a table is a comment if its line begins with #"
        raise ReadingError(
            f"{self.origin}, line {line}: expected {width} fields as in the header, found {n_fields}{hint}"
        )


def with_header(text: str, origin: str, prefer: str, decimal: str) -> str:
    """The text of a matrix with a line of names before it."""
    first, _, offset = _first_line(iter(io.StringIO(text, newline="")))
    mark = _delimiter(text[offset:], origin, 1, prefer, "." if decimal == "auto" else decimal)
    width = len(next(csv.reader([first], delimiter=mark, skipinitialspace=True), []))
    named = is_name(first.split(mark, 1)[0].strip().strip('"'))
    names = [*(["problem"] if named else []), *(f"A{j + 1}" for j in range(width - named))]
    return f"{text[:offset]}{mark.join(names)}\n{text[offset:]}"


def _is_title(text: str, first: str) -> bool:
    """Is the first line a title: one field, above lines of several?"""
    if not first or any(mark in first.strip(" \t\r\n,;") for mark in DELIMITERS):
        return False
    below = (line for line in text[len(first) : len(first) + _PEEKED].split("\n", 20)[:20] if line.strip(" \t\r,;"))
    header, row = next(below, ""), next(below, "")
    return any(mark in header.strip(" \t\r,;") and mark in row for mark in DELIMITERS)


def _first_line(lines: Iterator[str]) -> tuple[str, int, int]:
    """The header's first line, how many lines precede it (comments, blank), and how many characters."""
    skipped = offset = 0
    for line in lines:
        if line.strip(" \t\r\n,;") and not _COMMENT.match(line) and not _RULE.fullmatch(line):
            return line, skipped, offset
        skipped += 1
        offset += len(line)
    return "", skipped, offset


def _delimiter(text: str, origin: str, line: int, prefer: str, decimal: str) -> str:
    """The delimiter of the header, outside quotes.

    Where several occur (names with commas in them), the one of the file's suffix, else the only one that
    splits the first record below into as many fields, else the most frequent.
    """
    header = _HEADER.match(text)
    bare = re.sub(_QUOTED, "", header.group() if header else "")
    counts = {mark: bare.count(mark) for mark in DELIMITERS if mark in bare and mark != decimal}
    if not counts and decimal in bare and decimal != ".":
        return decimal  # numbers with decimal commas stand in quotes, or the rows will not fit the header
    if bare.lstrip().startswith("<"):
        raise ReadingError(f"{origin} is XML or HTML, and no table; write problem, algorithm and score as CSV")
    if not counts:
        raise ReadingError(
            f"{origin}, line {line}: the header has a single column {bare.strip()[:60]!r}; columns are separated by "
            f"{'comma, ' if decimal == '.' else ''}semicolon or tab; by bars or spaces if there are as many in each row"
        )
    if prefer in counts:
        return prefer
    fitting = [mark for mark in counts if len(counts) > 1 and _fits(text, mark)]
    return fitting[0] if len(fitting) == 1 else max(counts, key=lambda mark: counts[mark])


def _with_points(texts: list[str]) -> list[str]:
    """Decimal commas as points; a number that has a point already becomes none."""
    return [text.replace(".", "_").replace(",", ".") for text in texts]


def _number_with_comma(text: str) -> float:
    if "." in text and re.search(r"\d", text):
        raise NotANumber(f"{text!r} has a point, where the decimal sign is a comma: 1,5, and no thousands separators")
    return parsed_number(text.replace(",", "."))


def _fits(text: str, mark: str) -> bool:
    sample = io.StringIO(text[:1_000_000], newline="")
    try:
        reader = csv.reader(sample, delimiter=mark, skipinitialspace=True)
        header, first = islice((fields for fields in reader if fields), 2)
    except (csv.Error, ValueError):
        return False
    return len(header) == len(first)


def _explained(error: str) -> str:
    if "unexpected end of data" in error:
        return 'a quote (") opened in the record that begins here is never closed'
    if "expected after" in error:
        return 'text after a closing quote ("); a quote inside a quoted name is written twice ("")'
    if "field larger" in error:
        return 'a field is longer than 128 KiB: probably a quote (") that is never closed'
    return error


def _picker(columns: Sequence[int]) -> Callable[[list[str]], Sequence[str]]:
    """fields -> the fields of some columns, always as a sequence."""
    first, last = (columns[0], columns[-1] + 1) if columns else (0, 0)
    return itemgetter(slice(first, last)) if list(columns) == list(range(first, last)) else itemgetter(*columns)
