"""Bytes of a file -> text: UTF-8, what a byte order mark says, Windows-1252; and how to convert whatever else."""

import codecs
import re
import shlex

from bakeoff.errors import ReadingError

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
    """The text of a file in UTF-8, or plainly in Windows-1252; else an error that says how to convert it."""
    return in_utf8(content, origin)[1]


def in_utf8(content: bytes, origin: str) -> tuple[bytes, str]:
    """The text as ``decoded`` gives it, and its bytes in UTF-8."""
    if (nul := content.find(b"\0")) >= 0:
        line = _line_of(content, nul)
        if 3 * content[:64].count(0) > len(content[:64]):
            place = f"NUL byte at offset {nul}, line {line}"
            raise ReadingError(f"{origin} seems to be UTF-16, not UTF-8 ({place}); {_convert('UTF-16', origin)}")
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
            f"it may be Latin-1 or Windows-1252: {_convert('WINDOWS-1252', origin)}"
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


def _convert(encoding: str, origin: str) -> str:
    return f"convert it: iconv -f {encoding} -t UTF-8 {in_a_command(origin)} > new.csv"


def in_a_command(origin: str) -> str:
    """The file in a command; of a source without a name, any."""
    return shlex.quote(origin) if re.search(r"\.\w{1,4}$", origin) else "old.csv"


def _line_of(content: bytes, offset: int) -> int:
    before = content[:offset]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
