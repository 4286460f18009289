"""read_predictions(): a table of predictions and the truth, judged by a metric -> Scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from bakeoff.checks import choice
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ReadingError, WrongTypeError, listing
from bakeoff.predictions.columns import PredictionColumns, named_columns, prediction_columns, read_as_predictions
from bakeoff.predictions.items import Items, complete, items_of, models_of_both, of_one_model, plain_number
from bakeoff.predictions.metrics import Codes
from bakeoff.predictions.requested import POSITIVE, Classes, Requested, about, classes_of, label_of, requested
from bakeoff.reading.files import Digest
from bakeoff.reading.recognition.first_rows import TRUE
from bakeoff.reading.selection import names_of
from bakeoff.reading.table import Labels, SourceTable
from bakeoff.scores import Array, Better, Scores
from bakeoff.scores.clusters import codes_of
from bakeoff.scores.design import Weights
from bakeoff.scores.predicted import Predicted
from bakeoff.words import positions_in_time

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
        A row per item, with the truth and a column per model. Or a row per item and model, with the model's name, its
        prediction and the truth.
    truth : str
        Column of the truth.
    metric : str or function
        Of classes: accuracy, error, balanced-accuracy, precision, recall, f1, mcc; ``f1:macro`` or ``f1:CLASS``;
        ``f1@0.5`` where a probability above 0.5 is the positive class. Of probabilities: log-loss, brier. Of their
        order: auc, average-precision; ``auc:CLASS``. Of numbers: abs-error, squared-error, ape, pinball:QUANTILE, r2,
        pearson, spearman. A function of truth and prediction, two arrays, gives a number per item.
    better : {"lower", "higher"}, optional
        With a function only: another metric says it.
    problem : str, optional
        Column of the item's name.
    algorithm : str, optional
        Column of the model's name, in a table of a row per item and model.
    score : str, optional
        Column of the prediction, in such a table.
    cluster : str, optional
        Column of a label of the items that share a source, such as a patient.
    task : str, optional
        Column of the data set of an item, where there are several: each has a metric of its own.
    weights : {"tasks", "problems"}, optional
        What counts equally in a mean over tasks, as in ``bo.read_scores``.
    missing : {"raise", "drop"}
        Items without the truth or without a prediction of some model: an error, or left out for all.
    only : list of str, optional
        Compare these models alone.
    drop : list of str, optional
        Columns that are no models.
    keep : list of str, optional
        Columns that are models, although their names are those of descriptions.
    decimal : {"auto", ".", ","}
        As in ``bo.read_scores``.
    sheet : str, optional
        As in ``bo.read_scores``.

    Returns
    -------
    Scores
        (n_items, n_models). A mean over items (accuracy) has the score of each. Another metric has the contribution of
        each, and ``.predicted`` says so: their mean is the metric; ranks of them mean nothing, and are refused.

    Raises
    ------
    ReadingError, MissingScoreError, ParameterError
        A column without predictions; a missing one; a metric that does not fit the truth.

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
    request = requested(metric, better)
    named = {"truth": truth, "problem": problem, "algorithm": algorithm, "score": score}
    named |= {"cluster": cluster, "task": task}
    chosen = names_of(only), names_of(drop), names_of(keep)
    choice("missing", missing, ("raise", "drop"))
    read = _source(source, request, named, chosen, (decimal, sheet))
    return _scores(request, [replace(read, items=complete(read.items, read.table, missing))], weights)


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
    request = requested(metric, better)
    roles = ("problem", "algorithm", "score", "cluster", "task")
    named = {"truth": truth} | {role: columns.get(role) for role in roles}
    sides = []
    for name, table, label in zip(("baseline", "new"), (baseline, new), labels, strict=True):
        side = _source(table, request, named, ((), (), ()), ("auto", None), fewest=1)
        own = of_one_model(side.items, name, label, side.table.origin)
        sides.append(replace(side, items=complete(own, side.table, None)))
    return _scores(request, sides, weights)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A table that was read."""

    table: SourceTable
    digest: Digest
    columns: PredictionColumns
    items: Items


def _source(
    source: Any,
    request: Requested,
    named: Mapping[str, str | None],
    chosen: tuple[tuple[str, ...], ...],
    written: tuple[str, str | None],
    fewest: int = 2,
) -> _Source:
    """``chosen``: only, drop, keep; ``written``: decimal, sheet; ``fewest`` models."""
    for name, text in named.items():
        if not isinstance(text, str) and (text is not None or name == "truth"):
            raise WrongTypeError(f"must be the name of a column; got {text!r}", parameter=name)
    table, digest, named = named_columns(source, named, *written)
    columns = prediction_columns(table, named, request, chosen, fewest)
    return _Source(table=table, digest=digest, columns=columns, items=items_of(table, columns))


def _scores(request: Requested, sources: Sequence[_Source], weights: Weights | None) -> Scores:
    """The table of one source, or of two side by side."""
    first = sources[0]
    items = first.items
    for other in sources[1:]:
        items = models_of_both(items, other.items, first.table.names[first.columns.truth])
    values, predicted = _judged(items, request, first.table, first.columns)
    item = first.columns.item
    return Scores.from_cells(
        values[:, :, None],
        items.models,
        items.names,
        better=request.metric.better,
        metric=predicted.label,
        clusters=items.clusters,
        tasks=items.tasks,
        order=positions_in_time("" if item is None else first.table.names[item], items.names),
        weights=weights,
        source_sha256=first.digest() if len(sources) == 1 else "",
        dropped=items.dropped,
        read_as=read_as_predictions(first.table, first.columns),
        predicted=predicted,
    )


# What a metric takes, and the numbers that it gives.


def _judged(
    items: Items, request: Requested, table: SourceTable, columns: PredictionColumns
) -> tuple[Array, Predicted]:
    truth_name = table.names[columns.truth]
    classes: Classes | None = None
    labels = items.truth
    takes = request.metric.takes
    if takes in ("numbers", "anything"):
        y, p = _numbers_or_texts(items, table, truth_name, takes == "numbers")
        _refuse_unfit(items, request, y, p, truth_name, table.origin)
    else:
        labels, predictions = _as_classes(items, request)
        classes = classes_of(request, labels, table.origin, truth_name)
        if takes == "classes":
            y = classes.codes(labels)
            p = _class_codes(items, request, classes, predictions, table.origin, truth_name)
        else:
            y = (classes.codes(labels) == classes.which).astype(float)
            p = _numbers(items.predictions, items.models, table.origin)
            _refuse_improbable(items, request, p, table.origin)
    values = _by_task(items, request, y, p, None if classes is None else classes.which, table.origin)
    _refuse_infinite(items, request, values, table.origin)
    scale, binary = request.metric.scale, takes in ("ranking", "probabilities")
    return values, Predicted(
        metric=request.text,
        label=label_of(request, classes),
        scale="" if scale is None else scale.name,
        about=about(request, classes, labels),
        classes=tuple(_strata(request, classes, labels)) if request.metric.by_class else None,
        truth=np.asarray(y, dtype=float) if binary else None,
        predictions=np.column_stack(p) if binary else None,
    )


def _strata(request: Requested, classes: Classes | None, labels: Labels) -> Labels:
    """Each class is one; of a single positive class, this one and the others."""
    if classes is None or classes.positive is None:
        return labels
    return [label if label == classes.positive else f"not {classes.positive}" for label in labels]


def _as_classes(items: Items, request: Requested) -> tuple[Labels, list[Labels]]:
    """Truth and predictions as the same words: of numbers 1 and 1.0, of truth values 1 and true."""
    columns = [items.truth, *(items.predictions if request.takes == "classes" else [])]
    every = {text.strip() for column in columns for text in column}
    if {text.lower() for text in every} <= TRUTH_VALUES:
        word = {text: "1" if text.lower() in TRUE else "0" for text in every}
    else:
        word = {text: plain_number(text) for text in every}
    made = [[word[text.strip()] for text in column] for column in columns]
    return made[0], made[1:]


def _class_codes(
    items: Items, request: Requested, classes: Classes, predictions: list[Labels], origin: str, truth: str
) -> list[Codes]:
    if request.cut is not None:
        if len(classes.names) != 2:
            raise ReadingError(f"{origin}: @{request.cut:g} is for two classes, and {truth!r} has {len(classes.names)}")
        assert classes.which is not None
        numbers = _numbers(items.predictions, items.models, origin)
        return [np.where(p > request.cut, classes.which, 1 - classes.which) for p in numbers]
    for model, column in zip(items.models, predictions, strict=True):
        known = set(classes.names)
        strange = [text for text in column if text not in known]
        if len(strange) <= (1.0 - FEWEST_KNOWN) * len(column):
            continue
        if all(_is_share(text) for text in set(column)):
            way = re.sub("@.*|$", "@0.5", request.text, count=1)
            if classes.positive is None and {x.lower() for x in classes.names} not in POSITIVE:
                way = f"{request.text}:{classes.names[0]}@0.5"
            raise ReadingError(
                f"{origin}: {model!r} holds probabilities, and the {request.metric.label} is of classes. Say above "
                f"which one a prediction is the positive class: metric={way!r}; or judge probabilities: auc, brier"
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


def _refuse_unfit(items: Items, request: Requested, y: Any, p: list[Any], truth: str, origin: str) -> None:
    """Percentages of 0, and correlations with a constant."""
    name, metric = request.text.partition(":")[0], request.metric
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


def _refuse_improbable(items: Items, request: Requested, p: list[Array], origin: str) -> None:
    if request.metric.takes != "probabilities":
        return
    for model, column in zip(items.models, p, strict=True):
        outside = np.flatnonzero((column < 0) | (column > 1))
        if outside.size:
            raise ReadingError(
                f"{origin}: {model!r} holds {column[outside[0]]:g}, and the {request.metric.label} is of probabilities "
                f"between 0 and 1. If it is no model, leave it out with drop={model!r}; scores of any size have "
                "metric='auc'"
            )


def _refuse_infinite(items: Items, request: Requested, values: Array, origin: str) -> None:
    wrong = np.argwhere(~np.isfinite(values))
    if wrong.size:
        i, j = wrong[0].tolist()
        instead = f"brier:{request.which}" if request.which else "brier"
        raise ReadingError(
            f"{origin}: {items.models[j]!r} gives probability 0 to what happened for item {items.names[i]!r} "
            f"({len(wrong)} in all), so that its {request.metric.label} is infinite. Use metric={instead!r}, or "
            "probabilities that exclude nothing"
        )


def _by_task(items: Items, request: Requested, y: Any, p: list[Any], which: int | None, origin: str) -> Array:
    """(n, k) numbers whose mean over the items of a task is its metric."""
    which_or_quantile = float(request.which) if request.metric.of == "quantile" else which
    tasks = np.zeros(len(y), dtype=np.int64) if items.tasks is None else codes_of(items.tasks)
    values = np.empty((len(y), len(p)))
    for task in range(int(tasks.max()) + 1):
        rows = np.flatnonzero(tasks == task)
        name = "" if items.tasks is None else items.tasks[rows[0]]
        _refuse_one_class(request, y[rows], which, name, origin)
        for j, column in enumerate(p):
            values[rows, j] = request.metric.values(y[rows], column[rows], which_or_quantile)
    return values


def _refuse_one_class(request: Requested, y: Any, which: int | None, task: str, origin: str) -> None:
    """A task in which there is nothing to tell apart, or nothing to find."""
    metric = request.metric
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
