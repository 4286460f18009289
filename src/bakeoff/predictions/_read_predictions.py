"""read_predictions(): a table of predictions and the truth, judged by a metric -> Scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from bakeoff.checks import choice, did_you_mean
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError, ScoreError, WrongTypeError, listing
from bakeoff.predictions.metrics import Codes
from bakeoff.predictions.requested import POSITIVE, Classes, Requested, about, classes_of, label_of, requested
from bakeoff.reading.files import Digest
from bakeoff.reading.first_tables import table_of
from bakeoff.reading.number_parsing import MISSING
from bakeoff.reading.recognition.column_roles import named_role
from bakeoff.reading.recognition.first_rows import TRUE, FirstRows
from bakeoff.reading.recognition.orientation import side_of
from bakeoff.reading.selection import names_of
from bakeoff.reading.table import Coded, Labels, SourceTable, matching
from bakeoff.scores import Array, Better, Scores
from bakeoff.scores.cells import position
from bakeoff.scores.clusters import PREFIX, codes_of, prefix, tasks_by_name
from bakeoff.scores.design import Weights
from bakeoff.scores.predicted import Predicted
from bakeoff.scores.read_as import ColumnRole, ReadAs
from bakeoff.words import is_counter, is_one_of, is_run, plain_name, word_set

Metric = str | Callable[[Any, Any], Any]
TRUTH_VALUES = frozenset(("true", "false", "1", "0", "1.0", "0.0"))
FEWEST_KNOWN = 0.5
"""Share of the values of a column that are classes of the truth, from which it may hold predictions."""


def read_predictions(
    source: Any,
    truth: str,
    metric: Metric,
    better: Better | None = None,
    *,
    problem: str | None = None,
    algorithm: str | None = None,
    score: str | None = None,
    cluster: str | None = None,
    task: str | None = None,
    weights: Weights | None = None,
    missing: Literal["raise", "drop"] = "raise",
    only: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    keep: Sequence[str] | None = None,
    decimal: Literal["auto", ".", ","] = "auto",
    sheet: str | None = None,
) -> Scores:
    """Read predictions and what was to be predicted, and judge each item by a metric.

    Use it where models were run on the same items and the metric is not computed yet. ``bo.evaluate``,
    ``bo.leaderboard``, ``bo.check`` and others take ``truth=`` and ``metric=`` themselves.

    Parameters
    ----------
    source : path, data frame, list of records, dict of columns, or several paths
        A row per item, with the truth and a column per model; or a row per item and model, with a column of the
        model's name and one of its prediction.
    truth : str
        Column of the truth.
    metric : str or function
        Of classes: accuracy, error, balanced-accuracy, precision, recall, f1, mcc; ``f1:macro`` or ``f1:CLASS``;
        ``f1@0.5`` where a probability above 0.5 is the positive class. Of probabilities: log-loss, brier. Of their
        order: auc, average-precision; ``auc:CLASS``. Of numbers: abs-error, squared-error, ape, pinball:QUANTILE, r2,
        pearson, spearman. A function of two arrays, truth and prediction, gives a number per item.
    better : {"lower", "higher"}, optional
        With a function only: another metric says it.
    problem, algorithm, score : str, optional
        Columns of the item's name, and in a table of a row per item and model of the model and the prediction.
    cluster, task : str, optional
        Column of a label of the items that share a source (a patient); of the data set that an item belongs to.
    weights : {"tasks", "problems"}, optional
        What counts equally in a mean of several tasks, as in ``bo.read_scores``.
    missing : {"raise", "drop"}
        Items without the truth or without a prediction of some model: an error, or left out for all.
    only, drop, keep : list of str, optional
        Models that are compared alone; columns that are none; and columns that are, although their names are those of
        descriptions.
    decimal, sheet : str, optional
        As in ``bo.read_scores``.

    Returns
    -------
    Scores
        (n_items, n_models). A mean over items (accuracy) has the score of each. Another metric has the contribution of
        each, and ``.predicted`` says so: their mean is the metric; ranks of them mean nothing, and are refused.

    Raises
    ------
    ReadingError, MissingScoreError, ParameterError
        A column that holds no predictions; a missing one; a metric that does not fit the truth.

    Notes
    -----
    A contribution is θ + ψ, with ψ the influence of the item: of the AUC its placement value (DeLong et al. 1988). Of
    several tasks, each has its own θ. The formulas are in ``bakeoff.predictions.metrics``.

    Examples
    --------
    >>> import bakeoff as bo
    >>> table = {"y": [1, 1, 1, 0, 0, 0], "a": [0.9, 0.8, 0.4, 0.5, 0.2, 0.1], "b": [0.3, 0.9, 0.6, 0.7, 0.2, 0.4]}
    >>> scores = bo.read_predictions(table, truth="y", metric="auc")
    >>> scores.values.mean(axis=0).round(4)
    array([0.8889, 0.6667])
    """
    asked = requested(metric, better)
    named = {"truth": truth, "problem": problem, "algorithm": algorithm, "score": score}
    named |= {"cluster": cluster, "task": task}
    chosen = names_of(only), names_of(drop), names_of(keep)
    return _scores(asked, [_source(source, asked, named, chosen, (missing, decimal, sheet))], weights)


def read_sides(
    baseline: Any,
    new: Any,
    truth: str,
    metric: Metric,
    better: Better | None = None,
    *,
    labels: tuple[str | int | None, str | int | None] = (None, None),
    weights: Weights | None = None,
    **columns: str | None,
) -> Scores:
    """Two models on the same items, each in a table of its own (or the same one): the first column is the baseline.

    ``labels``: which column (or model) of each table it is, where there are several.
    """
    asked = requested(metric, better)
    roles = ("problem", "algorithm", "score", "cluster", "task")
    named = {"truth": truth} | {role: columns.get(role) for role in roles}
    sides = []
    for name, table, label in zip(("baseline", "new"), (baseline, new), labels, strict=True):
        side = _source(table, asked, named, ((), (), ()), ("raise", "auto", None), fewest=1)
        sides.append(replace(side, items=_of_one(side.items, name, label, side.table.origin)))
    return _scores(asked, sides, weights)


def _of_one(items: Items, name: str, label: str | int | None, origin: str) -> Items:
    """The items with the predictions of one model."""
    models = items.models
    if label is None and len(models) > 1:
        rule = f"{origin} holds predictions of {listing(map(repr, models))}; say which one: label={models[0]!r}"
        raise ParameterError(f"is needed: {rule}", parameter="label")
    at = 0 if label is None else position(label, tuple(models), "model", "label")
    return replace(items, models=[name], predictions=[items.predictions[at]])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A table that was read."""

    table: SourceTable
    digest: Digest
    columns: Columns
    items: Items


def _source(
    source: Any,
    asked: Requested,
    named: Mapping[str, str | None],
    chosen: tuple[tuple[str, ...], ...],
    written: tuple[str, str, str | None],
    fewest: int = 2,
) -> _Source:
    """``chosen``: only, drop, keep; ``written``: missing, decimal, sheet; ``fewest`` models."""
    missing, decimal, sheet = written
    choice("missing", missing, ("raise", "drop"))
    for name, text in named.items():
        if not isinstance(text, str) and (text is not None or name == "truth"):
            raise WrongTypeError(f"must be the name of a column; got {text!r}", parameter=name)
    table, digest, named = table_of(source, named, decimal, sheet)
    columns = _columns(table, named, asked, chosen, fewest)
    items = _complete(_items(table, columns), table, missing)
    return _Source(table=table, digest=digest, columns=columns, items=items)


def _scores(asked: Requested, sources: Sequence[_Source], weights: Weights | None) -> Scores:
    """The table of one source, or of two side by side."""
    first = sources[0]
    items = first.items
    for other in sources[1:]:
        items = _beside(items, other.items, first.table.names[first.columns.truth])
    values, predicted = _judged(items, asked, first.table, first.columns)
    return Scores.from_cells(
        values[:, :, None],
        items.models,
        items.names,
        better=asked.metric.better,
        metric=predicted.label,
        clusters=items.clusters,
        tasks=items.tasks,
        weights=weights,
        source_sha256=first.digest() if len(sources) == 1 else "",
        dropped=items.dropped,
        read_as=_read_as(first.table, first.columns),
        predicted=predicted,
    )


def _beside(items: Items, other: Items, truth: str) -> Items:
    """The same items, with the models of both."""
    at = {name: i for i, name in enumerate(other.names)}
    lacking = [name for name in items.names if name not in at]
    more = len(other.names) - len(items.names) + len(lacking)
    if lacking or more:
        of = f"new lacks {listing(map(repr, lacking), 3)}" if lacking else f"the baseline lacks {more} of them"
        raise ScoreError(f"must be of the items of the baseline; {of}. Leave them out on both sides", parameter="new")
    other = replace(other.part([at[name] for name in items.names]), dropped=())
    for name, own, theirs in zip(items.names, items.truth, other.truth, strict=True):
        if _plain_number(own) != _plain_number(theirs):
            rule = f"must have the same truth; of item {name!r} the baseline has {truth!r} {own!r}, and new {theirs!r}"
            raise ScoreError(rule, parameter="new")
    return replace(items, models=[*items.models, *other.models], predictions=[*items.predictions, *other.predictions])


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
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


def _columns(
    table: SourceTable,
    named: Mapping[str, str | None],
    asked: Requested,
    chosen: tuple[tuple[str, ...], ...],
    fewest: int,
) -> Columns:
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
        return Columns(truth=at["truth"], item=item, model=model, prediction=prediction, **groups)
    models, left = _model_columns(table, [j for j in free if j != item], asked, (only, keep), fewest)
    return Columns(truth=at["truth"], item=item, models=models, left_out=left, **groups)


def _model_columns(
    table: SourceTable, free: Sequence[int], asked: Requested, chosen: tuple[Sequence[str], Sequence[str]], fewest: int
) -> tuple[tuple[int, ...], tuple[ColumnRole, ...]]:
    """A column per model, and those that hold no predictions."""
    only, keep = chosen
    if only:
        return tuple(_place(table, "only", name) for name in only), ()
    left = {j: why for j in free if table.names[j] not in keep and (why := _no_model(table, j, asked))}
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


def _no_model(table: SourceTable, column: int, asked: Requested) -> str:
    """Why a column of a wide table holds no predictions; "" of one that may."""
    name = table.names[column]
    if _names_items(table, column) or is_run(name):
        return "names rows"
    role = None if is_one_of(name, "part") or name in word_set("description", "letters") else named_role(name)
    if role is not None:  # lr is a model here
        return {"description": "describes the items", "time": "a time"}.get(role, f"a {role}")
    if asked.takes not in ("classes", "anything") and table.holds_names(column):
        return "holds words"
    return ""


# The items, and what each model says of them.


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


def _items(table: SourceTable, columns: Columns) -> Items:
    if columns.is_long:
        return _long_items(table, columns)
    wanted = [columns.truth, *columns.models]
    groups = [j for j in (columns.item, columns.cluster, columns.task) if j is not None]
    texts, _ = table.take([*wanted, *groups], [])
    truth, predictions = texts[0], texts[1 : len(wanted)]
    of = dict(zip(groups, texts[len(wanted) :], strict=True))
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


def _refuse_repeated(table: SourceTable, columns: Columns, names: Labels) -> None:
    if columns.item is None or len(set(names)) == len(names):
        return
    name = table.names[columns.item]
    twice = next(x for x in names if names.count(x) > 1)
    raise ReadingError(
        f"{table.origin}: {name!r} has {twice!r} more than once, so it names no items. If it is their source (several "
        f"items of one patient), say cluster={name!r}; if the table has a row per item and model, name the columns of "
        "the model and of the prediction: algorithm=, score="
    )


def _long_items(table: SourceTable, columns: Columns) -> Items:
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


def _complete(items: Items, table: SourceTable, missing: str) -> Items:
    """Without items that lack the truth or a prediction, if they may be left out."""
    columns = {"the truth": items.truth, **dict(zip(map(repr, items.models), items.predictions, strict=True))}
    lacking = [
        (i, who) for who, texts in columns.items() for i, text in enumerate(texts) if text.strip().lower() in MISSING
    ]
    if not lacking:
        return items
    rows = {i for i, _ in lacking}
    kept = [i for i in range(len(items.names)) if i not in rows]
    if missing == "raise" or not kept:
        i, who = min(lacking)
        what = who if who == "the truth" else f"the prediction of {who}"
        raise MissingScoreError(
            f"{table.origin}, {table.row(items.rows[i])}: {what} is missing ({len(rows)} of {len(items.names)} items "
            "lack something). Complete the table, or leave these items out for all models: missing='drop'"
        )
    return items.part(kept)


# What a metric takes, and the numbers that it gives.


def _judged(items: Items, asked: Requested, table: SourceTable, columns: Columns) -> tuple[Array, Predicted]:
    truth_name = table.names[columns.truth]
    classes: Classes | None = None
    labels = items.truth
    takes = asked.metric.takes
    if takes in ("numbers", "anything"):
        y, p = _numbers_or_texts(items, table, truth_name, takes == "numbers")
        _refuse_unfit(items, asked, y, p, truth_name, table.origin)
    else:
        labels, predictions = _as_classes(items, asked)
        classes = classes_of(asked, labels, table.origin, truth_name)
        if takes == "classes":
            y = classes.codes(labels)
            p = _class_codes(items, asked, classes, predictions, table.origin, truth_name)
        else:
            y = (classes.codes(labels) == classes.which).astype(float)
            p = _numbers(items.predictions, items.models, table.origin)
            _refuse_improbable(items, asked, p, table.origin)
    values = _by_task(items, asked, y, p, None if classes is None else classes.which, table.origin)
    _refuse_infinite(items, asked, values, table.origin)
    scale, binary = asked.metric.scale, takes in ("ranking", "probabilities")
    return values, Predicted(
        metric=asked.text,
        label=label_of(asked, classes),
        scale="" if scale is None else scale.name,
        about=about(asked, classes, labels),
        classes=tuple(_strata(asked, classes, labels)) if asked.metric.by_class else None,
        truth=np.asarray(y, dtype=float) if binary else None,
        predictions=np.column_stack(p) if binary else None,
    )


def _strata(asked: Requested, classes: Classes | None, labels: Labels) -> Labels:
    """Each class is one; of a single positive class, this one and the others."""
    if classes is None or classes.positive is None:
        return labels
    return [label if label == classes.positive else f"not {classes.positive}" for label in labels]


def _as_classes(items: Items, asked: Requested) -> tuple[Labels, list[Labels]]:
    """Truth and predictions as the same words: of numbers 1 and 1.0, of truth values 1 and true."""
    columns = [items.truth, *(items.predictions if asked.takes == "classes" else [])]
    every = {text.strip() for column in columns for text in column}
    if {text.lower() for text in every} <= TRUTH_VALUES:
        word = {text: "1" if text.lower() in TRUE else "0" for text in every}
    else:
        word = {text: _plain_number(text) for text in every}
    made = [[word[text.strip()] for text in column] for column in columns]
    return made[0], made[1:]


def _plain_number(text: str) -> str:
    try:
        return f"{float(text):.17g}"
    except ValueError:
        return text


def _class_codes(
    items: Items, asked: Requested, classes: Classes, predictions: list[Labels], origin: str, truth: str
) -> list[Codes]:
    if asked.cut is not None:
        if len(classes.names) != 2:
            raise ReadingError(f"{origin}: @{asked.cut:g} is for two classes, and {truth!r} has {len(classes.names)}")
        assert classes.which is not None
        numbers = _numbers(items.predictions, items.models, origin)
        return [np.where(p > asked.cut, classes.which, 1 - classes.which) for p in numbers]
    for model, column in zip(items.models, predictions, strict=True):
        known = set(classes.names)
        strange = [text for text in column if text not in known]
        if len(strange) <= (1.0 - FEWEST_KNOWN) * len(column):
            continue
        if all(_is_share(text) for text in set(column)):
            way = re.sub("@.*|$", "@0.5", asked.text, count=1)
            if classes.positive is None and {x.lower() for x in classes.names} not in POSITIVE:
                way = f"{asked.text}:{classes.names[0]}@0.5"
            raise ReadingError(
                f"{origin}: {model!r} holds probabilities, and the {asked.metric.label} is of classes. Say above which "
                f"one a prediction is the positive class: metric={way!r}; or judge probabilities: auc, brier"
            )
        raise ReadingError(
            f"{origin}: {model!r} holds {strange[0]!r}, which is no class of {truth!r} "
            f"({listing(map(repr, classes.names), 4)}). If it is no model, leave it out with drop={model!r}"
        )
    return [classes.codes(column) for column in predictions]


def _is_share(text: str) -> bool:
    try:
        return 0.0 <= float(text) <= 1.0
    except ValueError:
        return False


def _numbers(columns: Sequence[Labels], names: Sequence[str], origin: str) -> list[Array]:
    made = []
    for name, column in zip(names, columns, strict=True):
        try:
            made.append(np.array([float(text) for text in column]))
        except ValueError:
            word = next(text for text in column if not _is_float(text))
            rule = f"{origin}: {name!r} holds {word!r}, and this metric needs numbers. If it is no model, leave it out"
            raise ReadingError(f"{rule} with drop={name!r}") from None
        if not np.isfinite(made[-1]).all():
            raise ReadingError(f"{origin}: {name!r} has a prediction that is infinite; leave it out with drop={name!r}")
    return made


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _numbers_or_texts(items: Items, table: SourceTable, truth: str, required: bool) -> tuple[Any, list[Any]]:
    """Truth and predictions as arrays of numbers; for a function, columns of words as they are."""
    columns, names = [items.truth, *items.predictions], [truth, *items.models]
    if required:
        y, *p = _numbers(columns, names, table.origin)
    else:
        y, *p = [np.array([float(x) for x in c] if all(map(_is_float, c)) else c) for c in columns]
    return y, p


def _refuse_unfit(items: Items, asked: Requested, y: Any, p: list[Any], truth: str, origin: str) -> None:
    """Percentages of 0, and correlations with a constant."""
    name, metric = asked.text.partition(":")[0], asked.metric
    if metric.label.startswith("absolute percentage") and (zero := np.flatnonzero(y == 0)).size:
        raise ReadingError(
            f"{origin}: {truth!r} is 0 for item {items.names[zero[0]]!r} ({zero.size} in all), and a percentage of 0 "
            "says nothing. Use metric='abs-error'"
        )
    if metric.scale is None:
        return
    flat = [model for model, column in zip([truth, *items.models], [y, *p], strict=True) if np.ptp(column) == 0]
    if flat and (flat[0] == truth or name.lower() != "r2"):
        rule = f"{origin}: {flat[0]!r} is the same number for all items, and a {metric.label} needs variation"
        raise ReadingError(rule if flat[0] == truth else f"{rule}. Leave it out with drop={flat[0]!r}")


def _refuse_improbable(items: Items, asked: Requested, p: list[Array], origin: str) -> None:
    if asked.metric.takes != "probabilities":
        return
    for model, column in zip(items.models, p, strict=True):
        outside = np.flatnonzero((column < 0) | (column > 1))
        if outside.size:
            raise ReadingError(
                f"{origin}: {model!r} holds {column[outside[0]]:g}, and the {asked.metric.label} is of probabilities "
                f"between 0 and 1. If it is no model, leave it out with drop={model!r}; scores of any size have "
                "metric='auc'"
            )


def _refuse_infinite(items: Items, asked: Requested, values: Array, origin: str) -> None:
    wrong = np.argwhere(~np.isfinite(values))
    if wrong.size:
        i, j = wrong[0].tolist()
        instead = f"brier:{asked.which}" if asked.which else "brier"
        raise ReadingError(
            f"{origin}: {items.models[j]!r} gives probability 0 to what happened for item {items.names[i]!r} "
            f"({len(wrong)} in all), so that its {asked.metric.label} is infinite. Use metric={instead!r}, or "
            "probabilities that exclude nothing"
        )


def _by_task(items: Items, asked: Requested, y: Any, p: list[Any], which: int | None, origin: str) -> Array:
    """(n, k) numbers whose mean over the items of a task is its metric."""
    which_or_quantile = float(asked.which) if asked.metric.of == "quantile" else which
    tasks = np.zeros(len(y), dtype=np.int64) if items.tasks is None else codes_of(items.tasks)
    values = np.empty((len(y), len(p)))
    for task in range(int(tasks.max()) + 1):
        rows = np.flatnonzero(tasks == task)
        name = "" if items.tasks is None else items.tasks[rows[0]]
        _refuse_one_class(asked, y[rows], which, name, origin)
        for j, column in enumerate(p):
            values[rows, j] = asked.metric.values(y[rows], column[rows], which_or_quantile)
    return values


def _refuse_one_class(asked: Requested, y: Any, which: int | None, task: str, origin: str) -> None:
    """A task in which there is nothing to tell apart, or nothing to find."""
    metric = asked.metric
    if metric.is_mean or metric.takes not in ("classes", "ranking"):
        return
    positives = int((y == which).sum()) if metric.takes == "classes" else int(y.sum())
    single = metric.takes == "ranking" and positives in (0, len(y))
    if single or (which is not None and metric.of == "class" and positives == 0) or len(np.unique(y)) < 2:
        where = f"task {task!r} has" if task else "the items have"
        raise ReadingError(
            f"{origin}: {where} one class only, and the {metric.label} needs two. Leave such tasks out, or name no "
            "column of tasks"
        )


def _read_as(table: SourceTable, columns: Columns) -> ReadAs:
    of = {"problem": columns.item, "algorithm": columns.model, "truth": columns.truth}
    of |= {"cluster": columns.cluster, "task": columns.task}
    named = tuple((role, table.names[j]) for role, j in of.items() if j is not None)
    return ReadAs(rows="scores" if columns.is_long else "problems", columns=named, roles=columns.left_out)
