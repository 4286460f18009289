"""A grid of parameters of one algorithm: one named algorithm for each combination of values."""

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

from bakeoff.errors import ParameterError, listing

MOST_COMBINATIONS = 1000

Parameters = dict[str, Any]


def expanded(name: str, grid: object, where: str) -> dict[str, Parameters]:
    """The combinations by name, ``"sgd step=0.1 momentum=0"``, in the order written; the last parameter varies fastest.

    ``where`` is the place of the grid in the experiment's file, for messages.
    """
    if not isinstance(grid, Mapping) or not grid:
        raise ParameterError(
            f"must be a table of lists, grid = {{ step = [0.1, 0.5] }} for example; got {grid!r}", parameter=where
        )
    for parameter, values in grid.items():
        _check_values(f"{where}.{parameter}", parameter, values)
    many = math.prod(len(values) for values in grid.values())
    if many > MOST_COMBINATIONS:
        sizes = " × ".join(str(len(values)) for values in grid.values())
        raise ParameterError(
            f"must have at most {MOST_COMBINATIONS} combinations; got {sizes} = {many}. Each is an algorithm of its "
            "own: leave values out",
            parameter=where,
        )
    by_name: dict[str, Parameters] = {}
    for values in product(*grid.values()):
        parameters = dict(zip(grid, values, strict=True))
        named = " ".join([name, *(f"{key}={parameter_text(value)}" for key, value in parameters.items())])
        if named in by_name:
            raise ParameterError(f"has two combinations with the name {named!r}; change a value", parameter=where)
        by_name[named] = parameters
    return by_name


def parameter_text(value: Any) -> str:
    """A value as names and commands show it: ``true`` as in TOML, numbers in shortest form."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _check_values(where: str, parameter: str, values: object) -> None:
    if not parameter.isidentifier():
        raise ParameterError(
            f": a parameter's name has letters, digits and _ only, and no digit first; got {parameter!r}",
            parameter=where,
        )
    if not isinstance(values, list):
        raise ParameterError(f"must be a list of values, [{parameter_text(values)}] for example; got {values!r}",
                             parameter=where)  # fmt: skip
    if not values:
        raise ParameterError("must have at least one value; got an empty list", parameter=where)
    for value in values:
        if not isinstance(value, bool | int | float | str) or value != value:
            raise ParameterError(f"must have numbers, texts, true or false as values; got {value!r}", parameter=where)
    seen: set[tuple[bool, Any]] = set()
    repeated = []
    for value in values:
        keys = {(isinstance(value, bool), value), (False, parameter_text(value))}  # 1, 1.0 and "1" are the same
        if not keys.isdisjoint(seen):
            repeated.append(parameter_text(value))
        seen |= keys
    if repeated:
        raise ParameterError(f"must have different values; repeated: {listing(dict.fromkeys(repeated))}",
                             parameter=where)  # fmt: skip
