"""Which column of a table of predictions holds what: the truth, the items' names, a column per model or one of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff.checks import did_you_mean
from bakeoff.dataclass import dataclass
from bakeoff.errors import ReadingError, WrongTypeError, listing
from bakeoff.predictions.requested import Requested
from bakeoff.reading.columns import frame_table
from bakeoff.reading.files import Digest, no_digest
from bakeoff.reading.lazy_frames import as_lazy, collected
from bakeoff.reading.many_files import source_table
from bakeoff.reading.recognition.column_roles import named_role
from bakeoff.reading.recognition.first_rows import FirstRows
from bakeoff.reading.recognition.orientation import side_of
from bakeoff.reading.table import SourceTable, matching
from bakeoff.reading.wrapped_columns import with_combined
from bakeoff.scores.clusters import PREFIX
from bakeoff.scores.read_as import ColumnRole, ReadAs
from bakeoff.words import is_counter, is_one_of, is_run, plain_name, word_set


def named_columns(
    source: Any, named: Mapping[str, str | None], decimal: str = "auto", sheet: str | None = None
) -> tuple[SourceTable, Digest, dict[str, str | None]]:
    """The columns, what gives the sha256 of the files, and which columns hold what; a lazy frame is collected."""
    lazy = as_lazy(source)
    if lazy is not None:
        return with_combined(frame_table(collected(lazy)), named), no_digest, dict(named)
    table, digest, named, _ = source_table(source, named, decimal, sheet)
    if table is None:
        rule = "must be a table with named columns: a file, a data frame, a dict of columns; got an array"
        raise WrongTypeError(rule, parameter="source")
    return with_combined(table, named), digest, dict(named)


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionColumns:
    """The places of the columns: ``models`` of a wide table; ``model`` and ``prediction`` of a long one."""

    truth: int
    item: int | None
    models: tuple[int, ...] = ()
    model: int | None = None
    prediction: int | None = None
    cluster: int | None = None
    task: int | None = None
    by_prefix: tuple[str, ...] = ()  # of the items' names
    left_out: tuple[ColumnRole, ...] = ()

    @property
    def is_long(self) -> bool:
        return self.model is not None


def prediction_columns(
    table: SourceTable,
    named: Mapping[str, str | None],
    request: Requested,
    chosen: tuple[tuple[str, ...], ...],
    fewest: int,
) -> PredictionColumns:
    """``chosen``: only, drop, keep."""
    only, drop, keep = chosen
    by_prefix = tuple(role for role in ("cluster", "task") if named[role] == PREFIX and PREFIX not in table.names)
    at = {role: _place(table, role, name) for role, name in named.items() if name and role not in by_prefix}
    free = [j for j, name in enumerate(table.names) if name and j not in at.values() and name not in drop]
    for role in {"cluster", "task"} - {*at, *by_prefix}:
        if own := [j for j in free if plain_name(table.names[j]) == role and table.names[j] not in (*keep, *only)]:
            at[role] = own[0]
            free.remove(own[0])
    model = at.get("algorithm", _model_column(table, free, "score" in at, keep))
    prediction = at.get("score", _prediction_column(table, free, model))
    is_long = model is not None and prediction is not None
    if not is_long and ("algorithm" in at or "score" in at):
        other = "score" if "algorithm" in at else "algorithm"
        raise ReadingError(f"{table.origin}: name the column of the {_MEANT[other]}, too: {other}=")
    free = [j for j in free if not is_long or j not in (model, prediction)]
    item = at.get("problem", _item_column(table, free, is_long, (*keep, *only)))
    groups: dict[str, Any] = {"cluster": at.get("cluster"), "task": at.get("task"), "by_prefix": by_prefix}
    if is_long:
        if item is None:
            rule = f"{table.origin}: a row per item and model needs a column that names the items: problem="
            raise ReadingError(rule)
        return PredictionColumns(truth=at["truth"], item=item, model=model, prediction=prediction, **groups)
    models, left = _model_columns(table, [j for j in free if j != item], request, (only, keep), fewest)
    return PredictionColumns(truth=at["truth"], item=item, models=models, left_out=left, **groups)


def _model_columns(
    table: SourceTable,
    free: Sequence[int],
    request: Requested,
    chosen: tuple[Sequence[str], Sequence[str]],
    fewest: int,
) -> tuple[tuple[int, ...], tuple[ColumnRole, ...]]:
    """A column per model, and those that hold no predictions."""
    only, keep = chosen
    if only:
        return tuple(_place(table, "only", name) for name in only), ()
    left = {j: why for j in free if table.names[j] not in keep and (why := _no_model(table, j, request))}
    models = tuple(j for j in free if j not in left)
    if len(models) < fewest:
        listed = listing([f"{table.names[j]!r} ({why})" for j, why in left.items()]) or "no other column"
        there = f"only {table.names[models[0]]!r}" if models else "no column"
        rule = f"{table.origin}: {there} holds predictions, and a comparison needs two models; left out: {listed}. "
        raise ReadingError(f"{rule}Bring a column back with keep=, or name them all with only=")
    return models, tuple(ColumnRole(table.names[j], "other", why) for j, why in left.items())


def _item_column(table: SourceTable, free: Sequence[int], is_long: bool, kept: Sequence[str]) -> int | None:
    """The column of the items' names, by its name; else of a wide table a first one of words that differ."""
    rows = FirstRows(table)
    open_columns = [j for j in free if table.names[j] not in kept]
    called = [j for j in open_columns if _names_items(table, j) and (is_long or rows.are_unique([j]))]
    if called or is_long or not open_columns:
        return called[0] if called else None
    first = open_columns[0]
    return first if table.holds_names(first) and len(rows.texts(first)) > 1 and rows.are_unique([first]) else None


_MEANT = {"algorithm": "model's name", "score": "prediction"}


def _place(table: SourceTable, role: str, name: str) -> int:
    if name.strip() in table.names:
        return table.names.index(name.strip())
    there = listing([x for x in table.names if x], 12)
    rule = f": {table.origin} has no column {name!r}; its columns are {there}{did_you_mean(name, table.names)}"
    raise ReadingError(rule, parameter=role)


def _model_column(table: SourceTable, free: Sequence[int], long: bool, keep: Sequence[str]) -> int | None:
    """A column of the names of models, each on many rows."""
    named = matching([table.names[i] for i in free], "algorithm")
    at = [free[i] for i in named if table.names[free[i]] not in keep and table.holds_names(free[i])]
    rows = FirstRows(table)
    return next((j for j in at if long or not rows.are_unique([j])), None)


def _prediction_column(table: SourceTable, free: Sequence[int], model: int | None) -> int | None:
    called = [j for j in free if j != model and is_one_of(table.names[j], "prediction")]
    return called[0] if model is not None and called else None


def _names_items(table: SourceTable, column: int) -> bool:
    """Is it called like the name of a row?"""
    name = table.names[column]
    plain = plain_name(name)
    known = side_of(name) == "problems" or is_counter(name) or bool(matching([name], "problem"))
    return known or plain in ("index", "row", "item", "sample", "example") or plain.endswith("id")


def _no_model(table: SourceTable, column: int, request: Requested) -> str:
    """Why a column of a wide table holds no predictions; "" of one that may."""
    name = table.names[column]
    if _names_items(table, column) or is_run(name):
        return "names rows"
    role = None if is_one_of(name, "part") or name in word_set("description", "letters") else named_role(name)
    if role is not None:  # lr is a model here
        return {"description": "describes the items", "time": "a time"}.get(role, f"a {role}")
    if request.takes not in ("classes", "anything") and table.holds_names(column):
        return "holds words"
    return ""


def read_as_predictions(table: SourceTable, columns: PredictionColumns) -> ReadAs:
    of = {"problem": columns.item, "algorithm": columns.model, "truth": columns.truth}
    of |= {"cluster": columns.cluster, "task": columns.task}
    named = tuple((role, table.names[j]) for role, j in of.items() if j is not None)
    return ReadAs(rows="scores" if columns.is_long else "problems", columns=named, roles=columns.left_out)
