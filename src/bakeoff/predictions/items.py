"""The items of a table of predictions, and what each model says of them, as texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError, ScoreError, listing
from bakeoff.predictions.columns import PredictionColumns
from bakeoff.predictions.metrics import Codes
from bakeoff.reading.number_parsing import MISSING
from bakeoff.reading.table import Coded, Labels, SourceTable
from bakeoff.scores.cells import position
from bakeoff.scores.clusters import prefix, tasks_by_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """A row per item. Predictions and truth are texts, as they stand in the source; ``rows``: where each item does."""

    names: Labels
    models: Labels
    truth: Labels
    predictions: list[Labels]  # of each model
    rows: list[int]
    clusters: Labels | None
    tasks: Labels | None
    dropped: tuple[str, ...] = ()

    def part(self, kept: Sequence[int]) -> Items:
        def of(listed: list[Any] | None) -> Any:
            return listed and [listed[i] for i in kept]

        lost = set(range(len(self.names))) - set(kept)
        return replace(
            self,
            names=of(self.names),
            truth=of(self.truth),
            predictions=[of(column) for column in self.predictions],
            rows=of(self.rows),
            clusters=of(self.clusters),
            tasks=of(self.tasks),
            dropped=tuple(self.names[i] for i in sorted(lost)),
        )


def items_of(table: SourceTable, columns: PredictionColumns) -> Items:
    if columns.is_long:
        return _long_items(table, columns)
    columns_read = [columns.truth, *columns.models]
    groups = [j for j in (columns.item, columns.cluster, columns.task) if j is not None]
    texts, _ = table.take([*columns_read, *groups], [])
    truth, predictions = texts[0], texts[1 : len(columns_read)]
    of = dict(zip(groups, texts[len(columns_read) :], strict=True))
    names = of[columns.item] if columns.item is not None else [f"P{i + 1}" for i in range(len(truth))]
    _refuse_repeated(table, columns, names)
    return _grouped(
        Items(
            names=names,
            models=[table.names[j] for j in columns.models],
            truth=truth,
            predictions=predictions,
            rows=list(range(len(truth))),
            clusters=None if columns.cluster is None else of[columns.cluster],
            tasks=None if columns.task is None else of[columns.task],
        ),
        columns.by_prefix,
    )


def _grouped(items: Items, by_prefix: Sequence[str]) -> Items:
    """With clusters and tasks that the names of the items begin with."""
    if "cluster" in by_prefix:
        items = replace(items, clusters=list(map(prefix, items.names)))
    return replace(items, tasks=tasks_by_name(items.names)) if "task" in by_prefix else items


def _refuse_repeated(table: SourceTable, columns: PredictionColumns, names: Labels) -> None:
    if columns.item is None or len(set(names)) == len(names):
        return
    name = table.names[columns.item]
    twice = next(x for x in names if names.count(x) > 1)
    raise ReadingError(
        f"{table.origin}: {name!r} has {twice!r} more than once, so it names no items. If it is their source (several "
        f"items of one patient), say cluster={name!r}; if the table has a row per item and model, name the columns of "
        "the model and of the prediction: algorithm=, score="
    )


def _long_items(table: SourceTable, columns: PredictionColumns) -> Items:
    """A row per item from rows per item and model; "" where one is missing."""
    groups = [j for j in (columns.cluster, columns.task) if j is not None]
    keys = [columns.item, columns.model, columns.prediction, columns.truth, *groups]
    texts, _ = table.take([j for j in keys if j is not None], [])
    item, model = (Coded.of(column) for column in texts[:2])
    n, k = len(item.names), len(model.names)
    places = item.codes * k + model.codes
    if len(np.unique(places)) < len(places):
        row = int(np.flatnonzero(np.diff(np.sort(places)) == 0)[0])
        again = int(np.sort(places)[row])
        raise ReadingError(
            f"{table.origin}: item {item.names[again // k]!r} has several predictions of {model.names[again % k]!r}; "
            "each model needs one for each item. Leave the others out, or name the items by two columns: problem='a,b'"
        )
    cells = np.full(n * k, "", dtype=object)
    cells[places] = texts[2]
    first = np.full(n, len(places), dtype=np.int64)
    np.minimum.at(first, item.codes, np.arange(len(places)))
    constant = [_constant(table, item, column, first, keys[3 + i]) for i, column in enumerate(texts[3:])]
    of = dict(zip(groups, constant[1:], strict=True))
    return _grouped(
        Items(
            names=item.names,
            models=model.names,
            truth=constant[0],
            predictions=[cells.reshape(n, k)[:, j].tolist() for j in range(k)],
            rows=first.tolist(),
            clusters=None if columns.cluster is None else of[columns.cluster],
            tasks=None if columns.task is None else of[columns.task],
        ),
        columns.by_prefix,
    )


def _constant(table: SourceTable, item: Coded, column: Labels, first: Codes, place: int | None) -> Labels:
    """The one text of each item."""
    own = [column[i] for i in first.tolist()]
    for row, code in enumerate(item.codes.tolist()):
        if column[row] != own[code]:
            name = "" if place is None else table.names[place]
            raise ReadingError(
                f"{table.origin}, {table.row(row)}: item {item.names[code]!r} has {column[row]!r} in column {name!r} "
                f"here, and {own[code]!r} above; an item has one"
            )
    return own


def complete(items: Items, table: SourceTable, missing: str | None) -> Items:
    """Without items that lack the truth or a prediction, if they may be left out; None: there is no such choice."""
    columns = {"the truth": items.truth, **dict(zip(map(repr, items.models), items.predictions, strict=True))}
    lacking = [
        (i, who) for who, texts in columns.items() for i, text in enumerate(texts) if text.strip().lower() in MISSING
    ]
    if not lacking:
        return items
    rows = {i for i, _ in lacking}
    kept = [i for i in range(len(items.names)) if i not in rows]
    if missing != "drop" or not kept:
        i, who = min(lacking)
        what = who if who == "the truth" else f"the prediction of {who}"
        out = "leave these items out for all models: missing='drop'"
        raise MissingScoreError(
            f"{table.origin}, {table.row(items.rows[i])}: {what} is missing ({len(rows)} of {len(items.names)} items "
            f"lack something). Complete the table, or {'leave these items out' if missing is None else out}"
        )
    return items.part(kept)


def of_one_model(items: Items, name: str, label: str | int | None, origin: str) -> Items:
    """The items with the predictions of one model."""
    models = items.models
    if label is None and len(models) > 1:
        rule = f"{origin} holds predictions of {listing(map(repr, models))}; say which one: label={models[0]!r}"
        raise ParameterError(f"is needed: {rule}", parameter="label")
    at = 0 if label is None else position(label, tuple(models), "model", "label")
    return replace(items, models=[name], predictions=[items.predictions[at]])


def models_of_both(items: Items, other: Items, truth: str) -> Items:
    """The same items, with the models of both."""
    at = {name: i for i, name in enumerate(other.names)}
    lacking = [name for name in items.names if name not in at]
    more = len(other.names) - len(items.names) + len(lacking)
    if lacking or more:
        of = f"new lacks {listing(map(repr, lacking), 3)}" if lacking else f"the baseline lacks {more} of them"
        raise ScoreError(f"must be of the items of the baseline; {of}. Leave them out on both sides", parameter="new")
    other = replace(other.part([at[name] for name in items.names]), dropped=())
    for name, own, theirs in zip(items.names, items.truth, other.truth, strict=True):
        if plain_number(own) != plain_number(theirs):
            rule = f"must have the same truth; of item {name!r} the baseline has {truth!r} {own!r}, and new {theirs!r}"
            raise ScoreError(rule, parameter="new")
    return replace(items, models=[*items.models, *other.models], predictions=[*items.predictions, *other.predictions])


def plain_number(text: str) -> str:
    try:
        return f"{float(text):.17g}"
    except ValueError:
        return text
