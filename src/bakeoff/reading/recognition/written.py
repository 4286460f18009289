"""What a text uses between its columns and inside its numbers: spaces, decimal commas, thousands separators."""

import contextlib
import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

_PEEKED = 100_000  # characters in which another delimiter is looked for
_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_POINT = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?|[+-]?\d+\.")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


def has_thousands(fields: Iterable[str], mark: str) -> bool:
    """Are numbers in groups of three (``1,234.5``; ``1.234,5``), some of which can mean nothing else?"""
    point = "." if mark == "," else ","
    group, end = re.escape(mark), re.escape(point)
    grouped = re.compile(rf"[+-]?[1-9]\d{{0,2}}((?:{group}\d{{3}})*)({end}\d+)?|0{end}\d+")
    certain = False
    for field in fields:
        word = field.strip()
        if mark in word and re.fullmatch(r"[+-]?[\d.,]+", word):  # v2.1 is a name
            match = grouped.fullmatch(word)
            if match is None:
                return False
            certain = certain or bool(match[2]) or len(match[1]) > 4
    return certain


def in_threes(text: str, mark: str) -> str:
    """Between semicolons, a number of a table all of whose points may be of thousands (``27.112``); else nothing.

    Where thousands are separated, numbers below 1000 have no point. Without one in such a column all its numbers are a
    thousand times as large or none, and no order depends on it.
    """
    example, grouped, whole = "", set(), set()
    if mark != ";" or not re.search(r";\s*\"?[+-]?[1-9]\d{0,2}\.\d{3}\s*\"?\s*[;\r\n]", text):
        return ""
    for fields in islice(csv.reader(io.StringIO(text, newline=""), delimiter=mark), 1, None):
        for column, word in enumerate(map(str.strip, fields)):
            if re.fullmatch(r"[+-]?[1-9]\d{0,2}(\.\d{3})+", word):
                example = example or word
                grouped.add(column)
            elif re.fullmatch(r"[+-]?\d{1,3}", word):
                whole.add(column)
            elif _POINT.fullmatch(word) or _COMMA.fullmatch(word):
                return ""
    return example if grouped & whole else ""


def has_decimal_commas(fields: Iterable[str]) -> bool:
    """Numbers with commas and none with a point, and not all of them may be thousands (``1,234``)."""
    certain = False
    for field in fields:
        word = re.split(r"\s*(?:±|\+/?-)", field.strip())[0]  # of a mean and its spread the mean
        if _COMMA.fullmatch(word):
            certain = certain or not _THOUSANDS.fullmatch(word)
        elif _POINT.fullmatch(word):
            return False
    return certain


def fields_below(text: str, mark: str) -> Iterator[str]:
    """Fields of the lines below the header, if any of them has a comma between digits."""
    if re.search(r"\d,\d" if mark != "," else r'"[+-]?[\d.]*,\d[\d,.]*"', text):
        with contextlib.suppress(csv.Error):
            yield from chain.from_iterable(islice(csv.reader(io.StringIO(text, newline=""), delimiter=mark), 1, None))


def separated_by_spaces(text: str, first: str) -> str:
    """A table in columns of spaces, with tabs between them; nothing if it is another one.

    Lines of dashes go, and a header with a name less than the lines below has none for theirs (``write.table`` of R).
    """
    if not re.search(r"\S[ ]+\S", first) or re.search(r"[|&<\t;,]", text[:_PEEKED]):
        return ""
    lines = [line for line in text.splitlines() if line.strip(" -=+") and not line.lstrip().startswith("#")]
    try:
        rows = list(csv.reader((line.strip() for line in lines), delimiter=" ", skipinitialspace=True, strict=True))
    except csv.Error:
        return ""
    widths = {len(row) for row in rows[1:]}
    width = len(rows[0])
    if len(widths) != 1 or not widths <= {width, width + 1} or max(widths) < 3:
        return ""
    separated = io.StringIO()
    rows[0] = [""] * (max(widths) - width) + rows[0]
    csv.writer(separated, delimiter="\t", lineterminator="\n").writerows(rows)
    return separated.getvalue()
