"""Tables whose columns have known roles, read from every source: relations that hold whatever a reader thinks.

known      what is read is what the table says, and a table is read whose names say what its columns are
sources    all sources give the same scores, or the same refusal
added      a column beside the scores changes nothing and is named as left out; or a refusal names it
permuted   the order of rows, or of columns, changes the order of names alone
renamed    a synonym of a column's name changes nothing
advised    a call that a refusal offers reads what the table says

``python tests/reading/metamorphic.py --tables 3000 --seed 0`` counts the tables, and prints of each kind of failure the
smallest table that has it.
"""

from __future__ import annotations

import argparse
import ast
import csv
import io
import json
import math
import re
import sys
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import bakeoff as bo
from bakeoff.errors import BakeoffError
from bakeoff.report.sections import read_line
from bakeoff.scores.source_cautions import source_cautions
from reading.added_columns import holds_failures, with_added
from reading.known_roles import KEYS as NAMES, UNSURE, Column, Rng, Table, known_table, one

# A table as each source.


def _text(delimiter: str) -> Callable[[Table, Path], Any]:
    def write(table: Table, folder: Path) -> Path:
        path = folder / ("table.tsv" if delimiter == "\t" else "table.csv")
        path.write_text(as_text(table, delimiter), encoding="utf-8")
        return path

    return write


def as_text(table: Table, delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(table.names)
    writer.writerows(zip(*(column.values for column in table.columns), strict=True))
    return out.getvalue()


def _columns(table: Table) -> dict[str, list[Any]]:
    return {column.name: list(column.values) for column in table.columns}


def _records(table: Table) -> list[dict[str, Any]]:
    return [dict(zip(table.names, row, strict=True)) for row in zip(*_columns(table).values(), strict=True)]


def _pandas(table: Table, folder: Path) -> Any:
    """Of every third wide table the names of rows are the index."""
    import pandas

    frame = pandas.DataFrame(_columns(table))
    first = table.columns[0]
    if table.seed % 3 or table.layout == "long" or first.role not in ("problem", "algorithm"):
        return frame
    return frame.set_index(first.name).rename_axis(first.name or None)


def _polars(table: Table, folder: Path) -> Any:
    import polars

    return polars.DataFrame(_columns(table))


@cache
def _workbook() -> dict[str, bytes]:
    """The parts of an empty workbook, as openpyxl writes it."""
    import openpyxl

    file = io.BytesIO()
    openpyxl.Workbook().save(file)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _xlsx(table: Table, folder: Path) -> Path:
    """openpyxl's own way to write cells takes longer than to read all ten sources."""
    rows = [table.names, *zip(*_columns(table).values(), strict=True)]
    cells = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows).encode()
    path = folder / "table.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in _workbook().items():
            archive.writestr(name, content.replace(b"<sheetData></sheetData>", b"<sheetData>%s</sheetData>" % cells))
    return path


def _cell(value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c t="b"><v>{int(value)}</v></c>' if isinstance(value, bool) else f"<c><v>{value!r}</v></c>"


def _parquet(table: Table, folder: Path) -> Path:
    import pyarrow
    import pyarrow.parquet

    path = folder / "table.parquet"
    pyarrow.parquet.write_table(pyarrow.table(_columns(table)), path)
    return path


def _json(table: Table, folder: Path) -> Path:
    path = folder / "table.json"
    path.write_text(json.dumps(_records(table)), encoding="utf-8")
    return path


def _json_lines(table: Table, folder: Path) -> Path:
    path = folder / "table.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in _records(table)), encoding="utf-8")
    return path


def _dict(table: Table, folder: Path) -> Any:
    return _columns(table)


def _list_of_records(table: Table, folder: Path) -> Any:
    """Every other table as a structured array, where no name and no value is empty."""
    columns = _columns(table)
    if table.seed % 2 or table.missing or "" in columns:
        return _records(table)
    arrays = {name: np.array(values) for name, values in columns.items()}
    array = np.empty(len(table.keys), dtype=[(name, own.dtype) for name, own in arrays.items()])
    for name, own in arrays.items():
        array[name] = own
    return array


SOURCES: dict[str, Callable[[Table, Path], Any]] = {
    "csv": _text(","),
    "tsv": _text("\t"),
    "xlsx": _xlsx,
    "parquet": _parquet,
    "json": _json,
    "jsonl": _json_lines,
    "pandas": _pandas,
    "polars": _polars,
    "dict": _dict,
    "records": _list_of_records,
}

# What a reader made of it.

Cells = Mapping[tuple[str, str], Mapping[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Scores as plain values: two readings are the same if these are."""

    problems: tuple[str, ...]
    algorithms: tuple[str, ...]
    cells: Cells
    metric: str | None
    better: str
    clusters: tuple[tuple[str, str], ...] | None  # sorted by problem
    line: str  # line 2 of a command, and the cautions of the source
    left_out: frozenset[str]

    def unordered(self) -> Read:
        """Without the order of names, and what the columns are called."""
        problems, algorithms = tuple(sorted(self.problems)), tuple(sorted(self.algorithms))
        return replace(self, problems=problems, algorithms=algorithms, metric=None, line="", left_out=frozenset())

    def beside(self, column: Column) -> Read:
        """Without what is said of it; a column of groups may have become that of the clusters."""
        return replace(self.same(), clusters=None) if column.kind == "group" else self.same()

    def same(self) -> Read:
        """Without what is said of it."""
        return replace(self, line="", left_out=frozenset())

    def __str__(self) -> str:
        first = [f"{p}, {a}: {own}" for (p, a), own in list(self.cells.items())[:2]]
        return f"read as {self.line}: {', '.join(self.algorithms)}; {'; '.join(first)}"


@dataclass(frozen=True, slots=True)
class Refusal:
    kind: str
    message: str
    whole: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


Outcome = Read | Refusal
KEYS = ("problem", "algorithm", "run", "score", "metric", "cluster", "task")


def left_out(scores: bo.Scores, names: Sequence[str]) -> frozenset[str]:
    """Columns of which the reading says that they are neither names nor scores.

    By the record of roles, where there is one: (column, role, reason); else by the line that a report prints.
    """
    for holder in (getattr(scores, "reading", None), getattr(scores, "read_as", None)):
        if (roles := getattr(holder, "roles", None)) is not None:
            return frozenset(_field(role, "column", 0) for role in roles if _field(role, "role", 1) not in KEYS)
    line = read_line(scores)
    said = frozenset(name for name in names if f"“{name}”" in line)
    used = {name for role, name in scores.read_as.columns if role in KEYS}
    return (said | frozenset(scores.read_as.unused)) - used


def _field(record: Any, name: str, at: int) -> str:
    return str(record[at] if isinstance(record, tuple) and not hasattr(record, name) else getattr(record, name))


def reading(source: Any, table: Table, **named: Any) -> Outcome:
    try:
        scores = bo.read_scores(source, better=table.better, **named)
    except BakeoffError as error:
        return Refusal(type(error).__name__, without_source(str(error)), str(error))
    except Exception as error:  # a crash is told, not raised: it is one of the failures
        return Refusal(f"crash, {type(error).__name__}", str(error), str(error))
    cells: dict[tuple[str, str], dict[str, float]] = {}
    for i, problem in enumerate(scores.problems):
        for j, algorithm in enumerate(scores.algorithms):
            values = [scores.values[i, j]] if scores.runs is None else scores.runs[i, j, : scores.n_runs[i, j]]
            ids = scores.run_ids[i, j] if scores.run_ids is not None else range(len(values))
            named = zip(ids, map(float, values), strict=False)
            cells[problem, algorithm] = {"" if scores.runs is None else str(run): x for run, x in named}
    clusters = scores.clusters
    cautions = "".join(f"; {caution.code} {caution.object}" for caution in source_cautions(scores))
    used = {"status"} if scores.status is not None else set()
    return Read(
        problems=scores.problems,
        algorithms=scores.algorithms,
        cells=cells,
        metric=scores.metric,
        better=scores.better,
        clusters=None if clusters is None else tuple(sorted(zip(scores.problems, clusters, strict=True))),
        line=read_line(scores) + cautions,
        left_out=left_out(scores, table.names) | used,
    )


_SUFFIX = "(csv|tsv|xlsx|parquet|jsonl|json)"
_ORIGIN = re.compile(rf"'?\S*table\.{_SUFFIX}'?(, sheet 'Sheet')?|the (data frame|dict|records|array)|\bold\.csv\b")
_PLACE = re.compile(r"\b(line|row|record) \d+\b")
_OUTPUT = re.compile(rf"\bnew\.{_SUFFIX}\b")


def without_source(message: str) -> str:
    """Without the name of the source (old.csv in a command, where it has none), and the number of a line or record."""
    return _OUTPUT.sub("NEW", _PLACE.sub("ROW", _ORIGIN.sub("SOURCE", message)))


# The relations.


@dataclass(frozen=True, slots=True)
class Failure:
    relation: str
    group: str
    table: Table
    outcomes: Mapping[str, Outcome]

    def reproduction(self) -> str:
        """The table, and what its sources give, those together that give the same."""
        lines = [f"better={self.table.better!r}", as_text(self.table).rstrip("\n")]
        by_text: dict[str, list[str]] = defaultdict(list)
        for source, outcome in self.outcomes.items():
            by_text[str(outcome)[:600]].append(source)
        return "\n".join([*lines, *(f"--> {' '.join(own)}: {text}" for text, own in by_text.items())])


def outcomes(table: Table, folder: Path, sources: Sequence[str] = tuple(SOURCES)) -> dict[str, Outcome]:
    return {name: reading(SOURCES[name](table, folder), table) for name in sources}


def known(table: Table, every: Mapping[str, Outcome]) -> Iterator[Failure]:
    """What is read is what the table says."""
    label = table.kind if table.kind in ("percent signs", "truth values") else f"{table.layout}, names {table.naming}"
    for source, outcome in every.items():
        group = ""
        if isinstance(outcome, Refusal):
            if outcome.kind.startswith("crash"):
                group = f"{outcome.kind}: {masked(outcome.message)}"
            elif table.sure:
                group = f"needless refusal: {label}: {masked(outcome.message)}"
        elif table.missing or (wrong := difference(outcome, table)):
            group = f"wrong reading: {label}: {'a missing score is read' if table.missing else wrong}"
        if group:
            yield Failure("known", group, table, {source: outcome})


def joined(found: Iterable[Failure]) -> Iterator[Failure]:
    """Failures of one group as one, with all their sources."""
    by_group: dict[tuple[str, str], list[Failure]] = defaultdict(list)
    for failure in found:
        by_group[failure.relation, failure.group].append(failure)
    for own in by_group.values():
        every = {source: outcome for failure in own for source, outcome in failure.outcomes.items()}
        yield replace(own[0], outcomes=every)


def difference(outcome: Read, table: Table) -> str:
    """What differs from the table's own meaning; percentages may be read as shares."""
    problems, algorithms = ({key[side] for key in table.cells} for side in (0, 1))
    if set(outcome.algorithms) != algorithms:
        other = set(outcome.algorithms) - algorithms
        return f"algorithms: {_roles(other, table) if other else 'some are lacking'}"
    if set(outcome.problems) != problems:
        other = set(outcome.problems) - problems
        return f"problems: {_roles(other, table) if other else 'some are lacking'}"
    size = 0.01 if table.kind == "percent signs" and max(map(_most, outcome.cells.values())) <= 1 else 1.0
    for cell, runs in table.cells.items():
        if len(runs) > 1 and runs.keys() != outcome.cells[cell].keys():
            return "runs"
        of = (
            list(zip(runs.values(), outcome.cells[cell].values(), strict=False))
            if len(runs) == 1
            else [(x, outcome.cells[cell][run]) for run, x in runs.items()]
        )
        if len(outcome.cells[cell]) != len(runs) or not all(math.isclose(x * size, y, rel_tol=1e-12) for x, y in of):
            return "values"
    return ""


def _most(runs: Mapping[str, float]) -> float:
    return max(runs.values())


def _roles(names: set[str], table: Table) -> str:
    """What columns of these names are; "values" if they are none."""
    roles = {column.role for column in table.columns if column.name in names}
    return f"a column of the role {', '.join(sorted(roles))}" if roles else "other names"


def masked(message: str) -> str:
    """A message by its words alone, to group it with others."""
    return re.sub(r"\d+", "0", re.sub(r"'[^']*'|\"[^\"]*\"|“[^”]*”", "…", without_source(message)))[:110]


def sources_agree(table: Table, every: Mapping[str, Outcome]) -> Iterator[Failure]:
    by_same: dict[str, list[str]] = defaultdict(list)
    for source, outcome in every.items():
        by_same[repr(outcome.same() if isinstance(outcome, Read) else (outcome.kind, outcome.message))].append(source)
    label = f"with {table.added.kind}" if table.added else f"names {table.naming}"
    if len(by_same) > 1:
        each = [every[own[0]] for own in by_same.values()]
        what = {(Refusal,): "reasons", (Read,): "scores"}.get(tuple({type(x) for x in each}), "verdicts")
        where = "" if what == "reasons" else f" {table.layout}, {label}:"
        group = f"other {what}:{where} {' | '.join(sorted({_shortly(x, table) for x in each}))}"
        yield Failure("sources", group, table, every)
        return
    said = {(o.line, o.left_out) for o in every.values() if isinstance(o, Read)}
    if len(said) > 1:
        yield Failure("sources", f"other words: {table.layout}, {label}", table, every)


def _shortly(outcome: Outcome, table: Table) -> str:
    if isinstance(outcome, Refusal):
        return f"refused ({masked(outcome.message)[:60]})"
    return difference(outcome, table) or "right"


def added(table: Table, base: Mapping[str, Outcome], every: Mapping[str, Outcome]) -> Iterator[Failure]:
    """Of a table with an added column, against the same one without it, from each source that read this."""
    column = table.added
    assert column is not None
    label = f"{column.kind}, {table.layout}"
    for source, outcome in every.items():
        before, group = base[source], ""
        if isinstance(outcome, Refusal):
            if isinstance(before, Read) and not names_column(outcome, column):
                group = f"refused by another reason: {label}: {masked(outcome.message)}"
        elif wrong := difference(outcome, table):
            group = f"wrong reading: {label}: {wrong}"
        elif isinstance(before, Read) and outcome.beside(column) != before.beside(column):
            group = f"changes what is read: {label}: {_changed(outcome, before)}"
        elif holds_failures(column) and table.kind == "times":
            group = f"times of failed runs count: {label}"
        elif column.name and column.name not in outcome.left_out and f"“{column.name}”" not in outcome.line:
            group = f"left out without a word: {label}"
        if group:
            yield Failure("added", group, table, {source: outcome})


def _changed(outcome: Read, before: Read) -> str:
    fields = ("problems", "algorithms", "metric", "clusters")
    return ", ".join(f"other {field}" for field in fields if getattr(outcome, field) != getattr(before, field))


def names_column(refusal: Refusal, column: Column) -> bool:
    """Does a refusal name the column, or the words of failure in it?"""
    if not column.name or (holds_failures(column) and re.search(r"timeout|'?(True|False)'?", refusal.whole)):
        return True
    quoted = rf"""['"“]{re.escape(column.name)}['"”]"""
    return re.search(quoted, refusal.whole) is not None


def permuted(table: Table, rng: Rng) -> Iterator[tuple[str, Table]]:
    """The table in another order, and with synonyms; only where its meaning stays."""
    if not table.nameless:
        yield "rows", table.with_rows(rng.permutation(len(table.keys)).tolist())
    if "" not in table.names:
        yield "columns", table.with_columns(rng.permutation(len(table.columns)).tolist())
    synonyms = {role: [name for name in names if name not in UNSURE] for role, names in NAMES["words"].items()}
    keys = [column for column in table.columns if column.name in synonyms.get(column.role, ())]
    other = {column.name.lower() for column in table.columns if column not in keys}
    renamed = {key.role: one(rng, [name for name in synonyms[key.role] if name.lower() not in other]) for key in keys}
    if renamed:
        yield "synonyms", table.renamed(renamed)


def order_is_free(
    table: Table, before: Outcome, what: str, changed: Table, source: str, after: Outcome
) -> list[Failure]:
    relation = "renamed" if what == "synonyms" else "permuted"
    label = f"{what}: {table.layout}, names {table.naming}"
    if isinstance(before, Refusal) and isinstance(after, Refusal):
        return []
    if isinstance(before, Read) and isinstance(after, Read):
        if before.unordered() == after.unordered():
            return []
        return [Failure(relation, f"other scores: {label}: {difference(after, table)}", changed, {source: after})]
    refusal = before if isinstance(before, Refusal) else after
    when = "before" if isinstance(before, Refusal) else "after"
    both = {f"{source} before": before, f"{source} after": after}
    return [Failure(relation, f"refused {when}: {label}: {masked(str(refusal))}", changed, both)]


_ARGUMENT = r"(?:problem|algorithm|score|run|cluster|drop|layout)=(?:'[^']*'|\[[^\]]*\])"
_CALL = re.compile(rf"{_ARGUMENT}(?:, {_ARGUMENT})*")


def advised(table: Table, source: str, refusal: Refusal, folder: Path) -> Iterator[Failure]:
    """The calls in a refusal, each followed; only of a table whose names say what its columns are."""
    for call in _CALL.findall(refusal.whole):
        named = {key: ast.literal_eval(value) for key, value in re.findall(r"(\w+)=('[^']*'|\[[^\]]*\])", call)}
        beside = table.added is not None and table.added.kind in ("time", "status")
        if named.keys() == {"layout"} or (beside and named.get("score") == table.added.name):
            continue  # one of two that are offered, of which the user knows the right one
        outcome = reading(SOURCES[source](table, folder), table, **named)
        both = {f"{source}": refusal, f"{source}, {call}": outcome}
        label = f"{', '.join(named)}: {table.layout}{f' with {table.added.kind}' if table.added else ''}"
        if isinstance(outcome, Refusal):
            yield Failure("advised", f"refused again: {label}: {masked(outcome.message)}", table, both)
        elif wrong := difference(outcome, table):
            yield Failure("advised", f"wrong reading: {label}: {wrong}", table, both)


def check(table: Table, folder: Path, counts: Counter[str] | None = None) -> Iterator[Failure]:
    """All relations of one table; ``counts``: how many tables each one was asked of."""
    counts = Counter() if counts is None else counts
    rng = np.random.default_rng([table.seed, 1])
    base = outcomes(table, folder)
    counts.update(known=1, sources=1, read=isinstance(base["csv"], Read))
    yield from of_sources(table, base)
    if more := with_added(table, rng):
        counts.update(("added", f"added {more.added.kind if more.added else ''}"))
        every = outcomes(more, folder)
        yield from of_sources(more, every, base)
    source = one(rng, tuple(SOURCES))
    for asked, own in ((table, base), *([(more, every)] if more else [])):
        refusal = own[source]
        if table.sure and isinstance(refusal, Refusal):
            counts["advised"] += 1
            yield from advised(asked, source, refusal, folder)
    for what, changed in permuted(table, rng):
        counts["renamed" if what == "synonyms" else f"permuted {what}"] += 1
        after = outcomes(changed, folder, [source])[source]
        yield from order_is_free(table, base[source], what, changed, source, after)


def of_sources(table: Table, every: Mapping[str, Outcome], base: Mapping[str, Outcome] = {}) -> Iterator[Failure]:
    """The relations of a table as it stands; ``base``: without the column that was added."""
    yield from joined(added(table, base, every) if table.added else known(table, every))
    yield from sources_agree(table, every)


def failures(seeds: Sequence[int], counts: Counter[str] | None = None) -> list[Failure]:
    with tempfile.TemporaryDirectory() as name:
        return [failure for seed in seeds for failure in check(known_table(seed), Path(name), counts)]


def smaller(failure: Failure) -> Failure:
    """The same failure of as few problems, algorithms and runs as show it; as it is where an order was changed."""
    if failure.relation in ("permuted", "renamed") or failure.table.nameless:
        return failure
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def fails(table: Table) -> Failure | None:
            if failure.relation == "advised":
                source = next(iter(failure.outcomes))
                refusal = outcomes(table, folder, [source])[source]
                every = advised(table, source, refusal, folder) if isinstance(refusal, Refusal) else iter(())
                return next((each for each in every if each.group == failure.group), None)
            base = outcomes(table.without_added(), folder) if table.added else {}
            own = (
                each for each in of_sources(table, outcomes(table, folder), base) if each.relation == failure.relation
            )
            return next((each for each in own if each.group == failure.group), None)

        names = [list(dict.fromkeys(x for key in failure.table.cells for x in [key[side]])) for side in (0, 1)]
        names.append(list(dict.fromkeys(run for own in failure.table.cells.values() for run in own)))
        for side, least in ((0, 3), (1, 2), (2, 1)):
            at = len(names[side]) - 1
            while at >= 0 and len(names[side]) > least:
                fewer = [own[:at] + own[at + 1 :] if i == side else own for i, own in enumerate(names)]
                if again := fails(failure.table.restricted(*fewer)):
                    names, failure = fewer, again
                at -= 1
        return failure


# The script.


def report(found: Sequence[Failure], counts: Mapping[str, int]) -> str:
    """Tables by relation; failures by kind, most frequent first, each with the smallest table that shows it."""
    lines = ["tables: " + ", ".join(f"{name} {count}" for name, count in counts.items())]
    groups: dict[tuple[str, str], list[Failure]] = defaultdict(list)
    for failure in found:
        groups[failure.relation, failure.group].append(failure)
    tables = {relation: {f.table.seed for f in found if f.relation == relation} for relation in RELATIONS}
    lines += [f"{relation}: {len(seeds)} tables fail" for relation, seeds in tables.items()]
    for (relation, group), own in sorted(groups.items(), key=lambda each: (RELATIONS.index(each[0][0]), -len(each[1]))):
        seeds = {failure.table.seed for failure in own}
        smallest = smaller(min(own, key=lambda failure: len(as_text(failure.table))))
        lines += ["", f"## {relation}: {group}", f"{len(seeds)} tables, seed {smallest.table.seed}"]
        lines += [smallest.reproduction()]
    return "\n".join(lines)


RELATIONS = ("known", "sources", "added", "permuted", "renamed", "advised")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    print(report(failures(range(options.seed, options.seed + options.tables), counts), counts))


if __name__ == "__main__":
    main()
