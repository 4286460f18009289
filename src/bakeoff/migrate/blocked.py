"""Blocked data as scikit-posthocs takes them: a wide table, or a long one with ``melted=True``."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.checks import flag
from bakeoff.errors import ParameterError, WrongTypeError, listing
from bakeoff.migrate.delivery import PANDAS
from bakeoff.packages import optional
from bakeoff.scores import Array, Scores
from bakeoff.scores.cells import as_floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """Scores of groups (algorithms) on blocks (problems). Differences have no direction: ``better`` is "lower"."""

    scores: Scores
    labels: list[Any]  # of the groups, as given

    def place(self, parameter: str, label: object) -> int:
        """The column of a group."""
        if label not in self.labels:
            raise ParameterError(
                f"must be one of the groups {listing(self.labels)}; got {label!r}", parameter=parameter
            )
        return self.labels.index(label)


def blocked(
    a: Any,
    y_col: str | None = None,
    group_col: str | None = None,
    block_col: str | None = None,
    block_id_col: str | None = None,
    melted: bool = False,
    sort: bool = False,
) -> Blocked:
    """Read ``a``; groups in the order of columns, or of first appearance, or sorted."""
    sort = flag("sort", sort)
    if flag("melted", melted):
        values, labels, blocks = _melted(a, y_col, group_col, block_col if block_id_col is None else block_id_col)
    elif hasattr(a, "columns"):
        values, labels, blocks = as_floats(a.to_numpy()), list(a.columns), list(range(1, len(a) + 1))
    else:
        values = as_floats(a)
        labels, blocks = list(range(values.shape[-1] if values.ndim else 0)), list(range(1, len(values) + 1))
    return _arranged(values, labels, blocks, sort)


def of_blocks(order: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Of a function of ``Blocked``, the one with the arguments of scikit-posthocs: those of ``blocked`` and its own.

    Its own stand before ``melted`` unless ``order`` lists all.
    """

    def public(test: Callable[..., Any]) -> Callable[..., Any]:
        table = inspect.signature(blocked).parameters
        _, *own = inspect.signature(test).parameters.values()
        known = {**table, **{one.name: one for one in own}}
        names = order.split() or [*list(table)[:-2], *(one.name for one in own), *list(table)[-2:]]
        signature = inspect.Signature([known[name] for name in names], return_annotation=Any)

        @functools.wraps(test)
        def answer(*values: Any, **named: Any) -> Any:
            arguments = signature.bind(*values, **named).arguments
            of_table = {name: arguments.pop(name) for name in table if name in arguments}
            return test(blocked(**of_table), **arguments)

        vars(answer)["__signature__"] = signature
        answer.__annotations__ = {name: known[name].annotation for name in names} | {"return": Any}
        return answer

    return public


def paired_lists(a: Any, val_col: str | None, group_col: str | None, sort: bool) -> Blocked:
    """Paired samples: a list of groups, each a list of scores in the same order of problems, or a long data frame."""
    sort = flag("sort", sort)
    if hasattr(a, "columns"):
        _need_columns(a, {"val_col": val_col, "group_col": group_col})
        values, groups = as_floats(a[val_col].to_numpy()), a[group_col].tolist()
        labels = _first_seen(groups)
        lists: list[Array] = [values[[g == label for g in groups]] for label in labels]
    else:
        lists, labels = [as_floats(row) for row in a], list(range(1, len(a) + 1))
    sizes = sorted({len(one) for one in lists})
    if len(sizes) > 1:
        raise ParameterError(
            f"must have one score per problem in every group; there are groups of {listing(sizes)}. Without pairs: "
            "bo.mann_whitney(x, y).",
            parameter="a",
        )
    values = np.column_stack(lists) if lists else np.empty((0, 0))
    return _arranged(values, labels, list(range(1, len(values) + 1)), sort)


def _arranged(values: Array, labels: Sequence[Any], blocks: Sequence[Any], sort: bool) -> Blocked:
    if values.ndim != 2 or values.shape[1] < 2:
        raise ParameterError(
            f"must have one row per block and a column for each of two or more groups; its shape is {values.shape}",
            parameter="a",
        )
    order = _sorted(labels) if sort else list(range(len(labels)))
    names = [str(labels[j]) for j in order]
    scores = Scores(values[:, order], names, [str(block) for block in blocks], better="lower")
    return Blocked(scores=scores, labels=[labels[j] for j in order])


def _sorted(labels: Sequence[Any]) -> list[int]:
    try:
        return sorted(range(len(labels)), key=labels.__getitem__)
    except TypeError:
        rule = f"must be False for labels that cannot be ordered: {listing(map(repr, labels))}"
        raise ParameterError(rule, parameter="sort") from None


def _melted(a: Any, y_col: str | None, group_col: str | None, block: str | None) -> tuple[Array, list[Any], list[Any]]:
    """One row per block and group; a cell given twice, or not at all, is an error."""
    if isinstance(a, list | np.ndarray) and np.ndim(a) == 2:  # columns by number
        a = optional("pandas", PANDAS).DataFrame(a)
    if not hasattr(a, "columns"):
        raise WrongTypeError(
            f"must be a data frame or a table of rows where melted=True; got {type(a).__name__}", parameter="a"
        )
    _need_columns(a, {"y_col": y_col, "group_col": group_col, "block_col": block})
    groups, blocks, y = a[group_col].tolist(), a[block].tolist(), as_floats(a[y_col].to_numpy())
    labels, rows = _first_seen(groups), _first_seen(blocks)
    column, row = {g: j for j, g in enumerate(labels)}, {b: i for i, b in enumerate(rows)}
    values: npt.NDArray[np.float64] = np.full((len(rows), len(labels)), np.nan)
    seen: set[tuple[int, int]] = set()
    for b, g, score in zip(blocks, groups, y.tolist(), strict=True):
        cell = row[b], column[g]
        if cell in seen:
            raise ParameterError(
                f"must hold a score once: block {b!r} has {g!r} twice. Name the column that tells blocks apart as "
                "block_id_col=; several runs of a cell: bo.read_scores(frame, better=..., run=...).",
                parameter="a",
            )
        seen.add(cell)
        values[cell] = score
    return values, labels, rows


def _need_columns(frame: Any, named: dict[str, str | None]) -> None:
    columns = list(frame.columns)
    for parameter, name in named.items():
        if name is None or name not in columns:
            raise ParameterError(
                f"must be one of the columns {listing(map(repr, columns))}; got {name!r}", parameter=parameter
            )


def _first_seen(items: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(items))
