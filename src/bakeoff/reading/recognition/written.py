"""What a text uses between its columns and inside its numbers: spaces, decimal commas, thousands separators."""

import contextlib
import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from bakeoff.reading.number_parsing import is_label
from bakeoff.reading.table import lacks_header

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


_TEX = ((r"\\\\.*", ""), (r"\\pm", "±"), (r"\\[A-Za-z]+\{([^{}]*)\}", r"\1"), (r"\\[A-Za-z]+", ""), (r"[${}\\]", ""))
"""What a row of a LaTeX table has beside its cells."""


def uncommented(above: str, first: str) -> str:
    """What is above a first line of numbers, with the names at its end as a line of their own, not as a comment.

    Nothing where no such names are there.
    """
    *others, last = above.rstrip().split("\n")
    mark = next((mark for mark in "\t;," if mark in first), None)
    bare = last.lstrip().lstrip("# ")
    names, cells = bare.split(mark), first.split(mark)
    named = last.lstrip()[:1] == "#" and len(names) == len(cells) > 1 and all(map(is_label, names))
    return "\n".join([*others, bare]) + above[len(above.rstrip()) :] if named and lacks_header(cells) else ""


def with_tabs(text: str, first: str, fewest: int) -> tuple[str, str] | None:
    """A table of Markdown or LaTeX, or of columns between bars or spaces, with tabs; and what it is called.

    None of another text. ``fewest``: columns between spaces. Every line keeps its place.
    """
    start, tex = first.lstrip()[:1], " & " in first or (first.startswith("\\") and " & " in text)
    rows: list[list[str]] = []
    if (tex or "|" in first) and (start in ("|", "\\") or not re.search("[,;\t<]", first)):
        for line in text.splitlines():
            for pattern, plain in _TEX if tex else ():
                line = re.sub(pattern, plain, line)
            bare = line.strip().removeprefix("|").removesuffix("|") if line.strip("-|:=+ ") else ""
            rows.append(re.split(r"&|(?<!\\)\|", bare) if ("&" in line if tex else bare) else [])
        called = "a LaTeX table" if tex else "a table with bars"
    else:
        rows, called = _between_spaces(text, first, fewest), ""
    if not rows:
        return None
    separated = io.StringIO()
    csv.writer(separated, delimiter="\t", lineterminator="\n").writerows([cell.strip() for cell in row] for row in rows)
    return separated.getvalue(), called


def _between_spaces(text: str, first: str, fewest: int) -> list[list[str]]:
    """The rows of a table in columns of spaces; none if it is another one.

    Lines of dashes are no rows, and a header with a name less than the lines below has none for theirs
    (``write.table`` of R).
    """
    if not re.search(r"\S[ ]+\S", first) or re.search(r"[|&<\t;,]", text[:_PEEKED]):
        return []
    lines = (
        line.strip() if line.strip(" -=+") and not line.lstrip().startswith("#") else "" for line in text.splitlines()
    )
    try:
        rows = list(csv.reader(lines, delimiter=" ", skipinitialspace=True, strict=True))
    except csv.Error:
        return []
    width, widths = len(rows[0]), {len(row) for row in rows[1:] if row}
    if len(widths) != 1 or not widths <= {width, width + 1} or max(widths) < fewest:
        return []
    rows[0] = [""] * (max(widths) - width) + rows[0]
    return rows
