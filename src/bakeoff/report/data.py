"""From a result to plain numbers, strings and lists: one walk for every kind of result, a list of keys for each."""

import dataclasses
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, by_severity
from bakeoff.files import HIDDEN
from bakeoff.report.json_rows import JsonRows, Keys as Keys, text_pieces
from bakeoff.report.methods import versions
from bakeoff.scores import Array, Scores
from bakeoff.scores.cells import fingerprint
from bakeoff.scores.read_as import ReadAs

_PLAIN = frozenset({str, int, float, bool, type(None)})
_ENDLESS = frozenset({float, dict, list})  # may hold infinite numbers


def plain_data(value: Any, keys: Keys | None = None) -> Any:
    """``value`` as JSON knows it: records as dictionaries, arrays and tuples as lists, NumPy's numbers as Python's.

    ``keys`` says which attributes of a class are written, and in which order; of other dataclasses, every field is.
    """
    chosen = None if keys is None else keys.get(type(value))
    if chosen is not None:
        return {name: plain_data(getattr(value, name), keys) for name in chosen}
    if dataclasses.is_dataclass(value):
        return {field.name: plain_data(getattr(value, field.name), keys) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {f"{k:g}" if isinstance(k, float) else k: plain_data(item, keys) for k, item in value.items()}
    if isinstance(value, tuple | list):
        if hasattr(value, "_asdict"):
            return plain_data(value._asdict(), keys)
        return [*value] if _PLAIN.issuperset(map(type, value)) else [plain_data(item, keys) for item in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item() if isinstance(value, np.generic) else value


def all_but(record: type, *names: str) -> tuple[str, ...]:
    """The fields of a dataclass without some of them, in their order."""
    return tuple(field.name for field in dataclasses.fields(record) if field.name not in names)


def origin(
    s: Scores | None,
    cautions: Iterable[Caution],
    references: Iterable[str],
    command: str | None,
    checksum: str | None = None,
) -> dict[str, Any]:
    """The end of a report: cautions, what was left out, whom to cite, what computed it from what.

    ``checksum`` is that of the input, where it is not a table of scores.
    """
    content: dict[str, Any] = {"metric": s.metric} if s is not None and s.metric else {}
    content["cautions"] = plain_data(by_severity(cautions))
    if s is not None:
        content |= {"dropped": list(s.dropped), "filled": [list(cell) for cell in s.filled]}
        checksum = s.source_sha256
    content |= {"references": list(references), "versions": versions()}
    return content | ({"input_sha256": checksum} if checksum else {}) | ({"command": command} if command else {})


def scores_data(s: Scores) -> dict[str, Any]:
    """The table itself. JSON has no infinity: ``"inf"`` and ``"-inf"`` stand for it; null for a missing score.

    ``values`` are the scores that were analysed, ``runs`` those they are means of (None where there is one per cell).
    """
    runs = None if s.runs is None else [[_runs(cell) for cell in row] for row in s.runs.tolist()]
    read = s.read_as
    named = {
        "differing": list(s.differing),
        "hosts": list(s.hosts or ()),
        "rows": read.rows,
        "numbered": read.numbered,
        "spreads": read.spreads,
        "left_out": [list(task) for task in read.left_out],
        "n_files": read.n_files,
        "not_taken": list(read.not_taken),
        "columns": dict(read.columns),
        "unused": list(read.unused),
        "reading": _reading(read),
        "source": read.source,
    }
    labels = {"clusters": s.clusters, "tasks": s.tasks, "weights": s.weights, "order": s.order, "folds": s.folds}
    labels |= {"serial": True} if s.serial else {}
    clusters = {name: plain_data(value) for name, value in labels.items() if value is not None} | _run_identity(s)
    return {
        **{key: value for key, value in (("metric", s.metric), ("unit", s.unit)) if value},
        "better": s.better,
        "problems": list(s.problems),
        **clusters,
        "algorithms": list(s.algorithms),
        "values": _numbers(s.values),
        "runs": runs,
        "dropped": list(s.dropped),
        "filled": [list(cell) for cell in s.filled],
        **{key: value for key, value in named.items() if value},
        **({} if s.predicted is None else {"predicted": s.predicted.to_dict()}),
        "sha256": table_sha256(s),
        "file_sha256": None if s.source_sha256 == table_sha256(s) else s.source_sha256,
    }


def _reading(read: ReadAs) -> dict[str, Any]:
    """What the reader did beside naming columns."""
    roles = [role._asdict() for role in read.roles]
    about = {"closest_to": read.closest_to, "averaged": list(read.averaged), "written": read.written}
    about |= {"weighted_as": list(read.weighted_as)}
    return {key: value for key, value in {"roles": roles, **about}.items() if value not in (None, [], "")}


def _run_identity(s: Scores) -> dict[str, Any]:
    """The kind of the runs and their names, one list where all cells have the same; what happened to each."""
    identity: dict[str, Any] = {} if s.run_kind is None else {"run_kind": s.run_kind}
    if s.run_ids is not None:
        alike = bool((s.run_ids == s.run_ids[:1, :1]).all())
        identity["run_ids"] = s.run_ids[0, 0].tolist() if alike else s.run_ids.tolist()
    return identity if s.status is None else identity | {"status": s.status.tolist()}


def table_sha256(s: Scores) -> str:
    """Hash directions, names and every bit of every run: what :attr:`Scores.source_sha256` is without a file."""
    cells = s.values[:, :, None] if s.runs is None else s.runs
    return fingerprint(cells, s.algorithms, s.problems, s.better, s.clusters, s.tasks)


def _numbers(values: Array) -> list[list[float | str | None]]:
    table: list[list[float | str | None]] = values.tolist()
    for i, j in np.argwhere(~np.isfinite(values)).tolist():
        table[i][j] = None if math.isnan(values[i, j]) else str(values[i, j])
    return table


def _runs(padded: list[float]) -> list[float | str]:
    return [str(x) if math.isinf(x) else x for x in padded if x == x]


_UNWRITABLE = re.compile(f"{HIDDEN.pattern[:-1]}\ud800-\udfff<]")  # surrogates are not in UTF-8


def _escaped(text: str) -> str:
    return _UNWRITABLE.sub(lambda character: f"\\u{ord(character.group()):04x}", text)


def dump(content: dict[str, Any], ascii_only: bool = False) -> Iterator[str]:
    """As text in pieces, hidden characters and "<" escaped, so that no reader takes it for a page.

    An infinite number is an error: see :func:`finite`.
    """
    encoder = json.JSONEncoder(ensure_ascii=ascii_only, allow_nan=False).encode

    @cache
    def word(value: str | None) -> str:
        return _escaped(encoder(value))

    def encode(value: Any) -> str:
        return encoder(value) if isinstance(value, list) else word(value)  # a list is one of numbers

    return text_pieces(content, encode, lambda value, line: _escaped(_written(value, encoder, line)))


def characters_at_least(result: Any) -> int:
    """The size of a result as JSON, roughly."""
    scores = getattr(result, "scores", None)
    table = 0 if scores is None else (scores.values if scores.runs is None else scores.runs).size
    return 3 * int(table) + 300 * len(getattr(result, "pairs", ()))


def embedded(content: dict[str, Any], ascii_only: bool = False) -> str:
    """The same for an element of a page, on one line: nothing in it ends the element."""
    text = json.dumps(content, ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":"))
    return _escaped(text)


def _written(value: Any, encode: Callable[[Any], str], line: str) -> str:
    """Indented; a list of plain values, such as a row of scores, is one line."""
    inner = line + " "
    if isinstance(value, dict) and value:
        parts = [f"{encode(key)}: {_written(item, encode, inner)}" for key, item in value.items()]
        return f"{{{inner}{f',{inner}'.join(parts)}{line}}}"
    if isinstance(value, list) and not {dict, list}.isdisjoint(map(type, value)):
        return f"[{inner}{f',{inner}'.join(_written(item, encode, inner) for item in value)}{line}]"
    return encode(value)


def finite(content: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: null in its place, and a caution that says where and what it was."""
    places: list[str] = []
    cleaned: dict[str, Any] = _cleaned(content, "", places)
    cautions = cleaned["cautions"]

    def all_cautions() -> list[Any]:
        if not places:
            return [*cautions]
        shown = ", ".join(places[:5]) + (f" and {len(places) - 5} more" if len(places) > 5 else "")
        return [*cautions, plain_data(caution_of("not-finite", places=shown))]

    later = any(isinstance(value, JsonRows) for value in cleaned.values())
    cleaned["cautions"] = all_cautions if later else all_cautions()
    return cleaned


def null_for_infinity(content: dict[str, Any]) -> dict[str, Any]:
    """The same without a caution: where null is what the contract says of an infinite number."""
    cleaned: dict[str, Any] = _cleaned(content, "", [])
    return cleaned


def _cleaned(value: Any, path: str, places: list[str]) -> Any:
    if isinstance(value, dict):
        return {key: _cleaned(item, f"{path}.{key}" if path else key, places) for key, item in value.items()}
    if isinstance(value, list):
        kinds = set(map(type, value))
        if kinds.isdisjoint(_ENDLESS) or (kinds == {float} and all(map(math.isfinite, value))):
            return value
        return [_cleaned(item, f"{path}[{i}]", places) for i, item in enumerate(value)]
    if isinstance(value, JsonRows):
        return dataclasses.replace(value, cleaned=lambda row, i: _cleaned(row, f"{path}[{i}]", places))
    if isinstance(value, float) and not math.isfinite(value):
        places.append(f"{path} ({value:g})")
        return None
    return value


# A result as columns and cells, for data frames and spreadsheets.


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheets:
    """A result as columns, for data frames and spreadsheets; ``second`` are the rows of another sheet, head first."""

    main: dict[str, list[Any]]
    second: list[tuple[Any, ...]]
    cautions: Sequence[Caution]
    grids: tuple["Grid", ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A cell of a spreadsheet: the number itself, and how it is shown."""

    value: float | str | None
    number_format: str = ""
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A sheet of a workbook, cell by cell; the first row and the first column are headings."""

    title: str
    rows: Sequence[Sequence[Entry]]
