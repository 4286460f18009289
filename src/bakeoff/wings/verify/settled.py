"""A result with the numbers that a report has in place of those computed here, by other versions of NumPy or SciPy.

What is written of it is then what the report was written of, although a rounding may go the other way.
"""

import copy
import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np


def with_numbers(result: Any, of_report: Mapping[float, set[float]], source: Any) -> Any:
    """``of_report`` has what the report says of each number; ``source``, and all of its kind, stays as it is."""
    changed = {
        mine: other for mine, others in of_report.items() if len(others) == 1 for other in others if other != mine
    }
    return _Settling(changed, type(source)).settled(result) if changed else result


class _Settling:
    def __init__(self, changed: Mapping[float, float], kept: type) -> None:
        self.changed = changed
        self.kept = () if kept is dict else (kept,)

    def settled(self, value: Any) -> Any:
        if isinstance(value, float):
            return type(value)(self.changed.get(float(value), value))
        if isinstance(value, np.ndarray):
            if value.dtype != np.float64:
                return value
            return np.array([self.changed.get(x, x) for x in value.ravel().tolist()]).reshape(value.shape)
        if isinstance(value, tuple):
            parts = [self.settled(part) for part in value]
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        if isinstance(value, list):
            return [self.settled(part) for part in value]
        if isinstance(value, dict):
            return {key: self.settled(part) for key, part in value.items()}
        if not dataclasses.is_dataclass(value) or isinstance(value, (type, *self.kept)):
            return value
        made = copy.copy(value)
        names = {field.name for field in dataclasses.fields(value)}
        for name in names:
            object.__setattr__(made, name, self.settled(getattr(value, name)))
        for name in set(getattr(made, "__dict__", ())) - names:
            object.__delattr__(made, name)  # computed of the numbers before
        return made
