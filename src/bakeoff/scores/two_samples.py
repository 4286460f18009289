"""Two plain samples where a function of two algorithms takes a table: the scores of a and of b, problem by problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice
from bakeoff.errors import MissingScoreError, ParameterError, ScoreError, WrongTypeError, listing
from bakeoff.scores._scores import Better, Scores
from bakeoff.scores.cells import Array, as_floats
from bakeoff.scores.clusters import by_cluster
from bakeoff.scores.contents import check_scores

TwoSamples = Scores | npt.ArrayLike


def scores_of_two(
    scores: TwoSamples, a: str | int | npt.ArrayLike, b: str | int | None, better: Better | None
) -> tuple[Scores, int, int]:
    """A table and two of its columns: as given, or made of two samples, of which the first is a and the second b."""
    if isinstance(scores, Scores):
        if better is not None:
            rule = f"must be left out with Scores, which have it already (better={scores.better!r}); got {better!r}"
            raise ParameterError(rule, parameter="better")
        if b is None:
            raise WrongTypeError("must be the second algorithm's name or index; it is missing", parameter="b")
        return check_scores(scores), *scores.pair(a, b)  # type: ignore[arg-type]  # anything else is refused by name
    names = _names(scores, a)
    if b is None and isinstance(a, int | float | np.number) and is_sample(scores):  # a published number
        names, a = ("x", f"{float(a):g}"), np.full(len(scores), float(a))
    if not (_is_sample(scores) and _is_sample(a)):
        check_scores(scores)
    if b is not None:
        rule = f"has no meaning after two samples; got {b!r}. Give options by name: (x, y, better=…, option=…)"
        raise WrongTypeError(rule, parameter="b")
    if better is None:
        rule = 'must be "lower" or "higher" with two samples: which values are good? For example (x, y, better="lower")'
        raise ParameterError(rule, parameter="better")
    return table_of_two(scores, a, better, names), 0, 1


def table_of_two(first: Any, second: Any, better: Better, names: Sequence[str] | None = None) -> Scores:
    """Two samples as a table, by position."""
    choice("better", better, ("lower", "higher"))
    x, y = sample_values("x", first), sample_values("y", second)
    if len(x) != len(y):
        raise ScoreError(
            f"x has {len(x)} values and y has {len(y)}: the i-th of both must belong to the same problem. "
            "Two independent samples (runs of one problem) are no pairs."
        )
    _refuse_other_order(first, second)
    return Scores(np.column_stack([x, y]), names, better=better)


def rows_of_two(
    scores: TwoSamples, a: str | int | npt.ArrayLike, b: str | int | None, better: Better | None
) -> tuple[Scores, int, int]:
    """The same for a test that takes rows as independent: of a table with clusters the cluster means."""
    measured, i, j = scores_of_two(scores, a, b, better)
    return by_cluster(measured), i, j


def refuse_clusters(scores: Scores, what: str, advice: str) -> None:
    """Refuse clusters for a procedure that has no form for them."""
    if scores.clusters is not None:
        rule = f"has clusters, and {what} takes problems as independent: {advice}; or make Scores without clusters"
        raise ParameterError(rule, parameter="scores")


def is_sample(argument: Any) -> TypeGuard[Sequence[float]]:
    """Numbers in one dimension."""
    try:
        return _is_sample(argument) and as_floats(argument).ndim == 1
    except ScoreError:
        return False


def _is_sample(argument: object) -> bool:
    return not isinstance(argument, str | bytes | Mapping | Set) and (
        hasattr(argument, "__len__") or hasattr(argument, "__array__")
    )


def sample_values(parameter: str, sample: Any) -> Array:
    """A plain sample as floats: one-dimensional, not empty, nothing missing; the error names the parameter."""
    try:
        values = as_floats(sample)
    except ScoreError as error:
        raise ScoreError(error.rule, parameter=parameter) from None
    if values.ndim != 1:
        rule = f"must be one-dimensional, a list of scores; got shape {values.shape}"
        raise ScoreError(rule, parameter=parameter)
    if not len(values):
        raise ScoreError("has no values", parameter=parameter)
    missing = np.flatnonzero(np.isnan(values)).tolist()
    if missing:
        where = listing([f"{parameter}[{i}]" for i in missing])
        rule = f"has missing scores (NaN): {where}. Complete them, or leave them out."
        raise MissingScoreError(rule, parameter=parameter)
    return values


def _names(x: object, y: object) -> tuple[str, str]:
    """The names of two series if they differ; else x and y."""
    first, second = (getattr(sample, "name", None) for sample in (x, y))
    if isinstance(first, str) and isinstance(second, str) and "" != first != second != "":
        return first, second
    return "x", "y"


def _refuse_other_order(x: object, y: object) -> None:
    """Two series of pandas whose labels are partly the same, at other places: by position they would be mixed up."""
    first, second = (getattr(sample, "index", None) for sample in (x, y))
    if not (hasattr(first, "equals") and hasattr(second, "equals")) or first.equals(second):  # type: ignore[union-attr]
        return
    if len(first.intersection(second)):  # type: ignore[union-attr]
        raise ScoreError(
            "y has the same labels as x at other places, or only some of them. Align it: y.reindex(x.index); or, if "
            "the order is right, pass x.to_numpy() and y.to_numpy()."
        )
