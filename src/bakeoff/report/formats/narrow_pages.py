"""Narrow pages: columns in groups that fit, and long names shortened where two stand in a row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bakeoff import numerals
from bakeoff.report.document import Table

# The columns of a wide table in groups that fit beside the names, which stand in each of them.


def column_groups(widths: Sequence[float], names: Sequence[int], room: float) -> list[list[int]]:
    """As few groups as fill ``room`` from left to right, each with the columns ``names``; never an empty one.

    Examples
    --------
    >>> column_groups([8, 5, 5, 5, 5], names=[0], room=18)
    [[0, 1, 2], [0, 3, 4]]
    """
    groups = [list(names)]
    for i in range(len(widths)):
        if i in names:
            continue
        if len(groups[-1]) > len(names) and sum(widths[j] for j in groups[-1]) + widths[i] > room:
            groups.append(list(names))
        groups[-1].append(i)
    return [sorted(group) for group in groups]


def even_groups(widths: Sequence[float], names: Sequence[int], room: float) -> list[list[int]]:
    """As few groups, of about equal width: no single column is left for the last one.

    Examples
    --------
    >>> even_groups([8, 5, 5, 5, 5, 5], names=[0], room=28)
    [[0, 1, 2, 3], [0, 4, 5]]
    """
    groups = column_groups(widths, names, room)
    low, high = 0.0, room
    for _ in range(30):
        middle = (low + high) / 2.0
        wider = column_groups(widths, names, middle)
        if len(wider) == len(groups):
            groups, high = wider, middle
        else:
            low = middle
    return groups


# Long names of algorithms where two stand in a row of a narrow page: without what they share, else as numbers.

SHARES = {"first": 0.25, "second": 0.25, "third": 0.25, "pair": 0.2}
"""Roles of columns where two names stand in a row, and which part of the page is enough for one."""


def short_names(names: Sequence[str], most: int) -> Mapping[str, str]:
    """Without the common head and tail, or the part before the last slash, if they stay different; else numbers.

    Examples
    --------
    >>> short_names(["org/model-7b-it", "org/model-70b-it", "lab/other-it"], 10)
    {'org/model-7b-it': 'model-7b', 'org/model-70b-it': 'model-70b', 'lab/other-it': 'other'}
    >>> short_names(["a very long name of mine", "and another that is as long"], 10)
    {'a very long name of mine': '[1]', 'and another that is as long': '[2]'}
    """
    if max(map(numerals.width, names), default=0) <= most:
        return {}
    last = [name.rpartition("/")[2] for name in names]
    short = _without_common(last if _all_differ(last) else names)
    if max(map(numerals.width, short)) > most:
        short = [f"[{i}]" for i in range(1, len(names) + 1)]
    return dict(zip(names, short, strict=True))


def _all_differ(names: Sequence[str]) -> bool:
    return all(names) and len(set(names)) == len(names)


def _without_common(names: Sequence[str]) -> list[str]:
    """Heads and tails end at a separator, which the point of a number is not."""
    head = re.sub(r"(?:[^/_\-. ]|(?<=\d)\.)*$", "", _common(names))
    tail = re.sub(r"^(?:[^/_\-. ]|\.(?=\d))*", "", _common([name[::-1] for name in names])[::-1])
    bare = [name[len(head) : len(name) - len(tail)] for name in names]
    return bare if len(names) > 1 and _all_differ(bare) else list(names)


def _common(names: Sequence[str]) -> str:
    """The common beginning of all."""
    first, last = min(names), max(names)
    same = (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(same, min(len(first), len(last)))]


def shortened(table: Table, names: Sequence[str], width: int) -> Table:
    """With short names in a table of pairs where they are too long for a page of this width, and a key to numbers."""
    shares = [SHARES[column.role] for column in table.columns if column.role in SHARES]
    most = int(min(shares, default=1.0) * width)
    there = " ".join(
        x for row in table.rows for x, column in zip(row.cells, table.columns, strict=True) if column.role in SHARES
    )
    short = short_names(names, most) if any(numerals.width(name) > most and name in there for name in names) else {}
    if not short:
        return table
    places = [i for i, column in enumerate(table.columns) if column.role in (*SHARES, "verdict")]
    rows = [
        replace(row, cells=tuple(_said(x, short) if i in places else x for i, x in enumerate(row.cells)))
        for row in table.rows
    ]
    text = " ".join(row.cells[i] for row in rows for i in places)
    key = ", ".join(f"{number} {name}" for name, number in short.items() if number[0] == "[" and number in text)
    return with_legend(replace(table, rows=rows), places[0], f"{key}." if key else "")


def short_heads(table: Table, width: int) -> Table:
    """With short names, or numbers and their key, over columns of algorithms if a page of this width then holds all."""
    titles = [column.title for column in table.columns[1:]]
    cells = [max((numerals.width(row.cells[i]) for row in table.rows), default=0) for i in range(len(table.columns))]
    room = width - min(cells[0], width // 3)
    wide = room < sum(2 + max(pair) for pair in zip(map(numerals.width, titles), cells[1:], strict=True))
    short = short_names(titles, max(cells[1:])) if wide and room >= sum(cells[1:]) + 2 * len(titles) else {}
    if not short:
        return table
    columns = [replace(column, title=short.get(column.title, column.title)) for column in table.columns]
    key = ", ".join(f"{number} {name}" for name, number in short.items() if number[0] == "[")
    heads = replace(table, columns=tuple(columns))
    return with_legend(heads, 0, f"{key}.") if key else heads


def _said(cell: str, short: Mapping[str, str]) -> str:
    """Shorten a name, two names, or a verdict that names one."""
    if cell in short:
        return short[cell]
    if cell.endswith(" better") and cell.removesuffix(" better") in short:
        return f"{short[cell.removesuffix(' better')]} better"
    for match in re.finditer(" – ", cell):
        a, b = cell[: match.start()], cell[match.end() :]
        if a in short and b in short:
            return f"{short[a]} – {short[b]}"
    return cell


def with_legend(table: Table, place: int, sentence: str) -> Table:
    """With one sentence more: in the note, or in the legend of a column where those are the note."""
    if table.note:
        return replace(table, note=f"{table.note} {sentence}".rstrip())
    columns = [
        replace(column, legend=f"{column.legend} {sentence}".strip()) if i == place else column
        for i, column in enumerate(table.columns)
    ]
    return replace(table, columns=tuple(columns))
