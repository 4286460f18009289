"""Two reports, value by value; a result with the numbers that a report has in place of those computed here.

Other versions of NumPy or SciPy may have computed those.
"""

import copy
import dataclasses
from collections.abc import Container, Mapping
from typing import Any

import numpy as np

from bakeoff.errors import caution_name
from bakeoff.report.reading_back import kind_of_json
from bakeoff.wings.verify.parsing import NOTHING
from bakeoff.wings.verify.results import Difference

PROSE = frozenset({"text", "reason", "title", "outcome", "reference", "references", "sentence", "phrase"})
"""Keys of sentences, which another version may word otherwise."""
HEADLINES = frozenset({"verdict", "sentence"})
"""Places of the headline, which is always compared."""


class Walk:
    """Compares what a report says with what was found, and counts.

    ``tolerance`` is relative, of numbers that were computed: not below ``uncomputed``, the keys of what a report starts
    from, of which ``source`` is that of its scores.
    ``other_version``: sentences but the headline are no differences then; they are collected in ``reworded``.
    """

    def __init__(
        self, tolerance: float, other_version: bool, uncomputed: Container[str] = (), source: str = ""
    ) -> None:
        self.tolerance = tolerance
        self.other_version = other_version
        self.uncomputed = uncomputed
        self.source = source
        self.checked = 0
        self.differences: list[Difference] = []
        self.reworded: list[str] = []
        self.told: dict[float, set[float]] = {}  # computed: what the report has in its place, within the tolerance

    def compare(self, stated: Any, computed: Any, where: str = "", exact: bool = False) -> Any:
        """All values of both; returns the computed ones, with the numbers of the report where they are near enough."""
        if isinstance(stated, dict) and isinstance(computed, dict):
            return self._objects(stated, computed, where, exact)
        if isinstance(stated, list) and isinstance(computed, list):
            return self._lists(stated, computed, where, exact)
        self.checked += 1
        if not self._alike(stated, computed, exact or not self.tolerance):
            prose, number = _are_prose(where, stated, computed), _is_number(stated) and _is_number(computed)
            self._differ(where, kind_of_json(stated), kind_of_json(computed), prose, number)
            return computed
        if type(computed) is not float or not self.tolerance or where.startswith(f"{self.source}."):
            return computed
        self.told.setdefault(computed, set()).add(float(stated))
        return float(stated)

    def _objects(self, stated: dict[str, Any], computed: dict[str, Any], where: str, exact: bool) -> dict[str, Any]:
        merged = dict(computed)
        for key in (*computed, *(key for key in stated if key not in computed)):
            place = _member(where, key)
            if key in stated and key in computed:
                merged[key] = self.compare(stated[key], computed[key], place, exact or key in self.uncomputed)
                continue
            self.checked += 1
            mine, other = (kind_of_json(side[key]) if key in side else NOTHING for side in (stated, computed))
            self._differ(place, mine, other, forgiven=False)
        return merged

    def _lists(self, stated: list[Any], computed: list[Any], where: str, exact: bool) -> list[Any]:
        if len(stated) != len(computed):
            self.checked += 1
            mine, other = _names(stated), _names(computed)
            more = [f"without {', '.join(other - mine)}"] if other - mine else []
            more += [f"with {', '.join(mine - other)}"] if mine - other else []
            printed = " ".join([kind_of_json(stated), *more])
            self._differ(where, printed, kind_of_json(computed), _are_prose(where, stated, computed))
            return computed
        pairs = enumerate(zip(stated, computed, strict=True))
        return [self.compare(mine, other, f"{where}[{i}]", exact) for i, (mine, other) in pairs]

    def _alike(self, stated: Any, computed: Any, exact: bool) -> Any:
        if isinstance(stated, bool) or isinstance(computed, bool) or not (_is_number(stated) and _is_number(computed)):
            return type(stated) is type(computed) and bool(stated == computed)
        if exact or isinstance(computed, int):
            return stated == computed
        try:
            return abs(stated - computed) <= self.tolerance * max(abs(stated), abs(computed))
        except OverflowError:  # a whole number beyond floating point
            return False

    def _differ(self, where: str, stated: str, computed: str, forgiven: bool, number: bool = False) -> None:
        if forgiven and self.other_version:
            self.reworded.append(where)
        else:
            self.differences.append(Difference(where=where, said=stated, found=computed, number=number))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _are_prose(where: str, stated: object, computed: object) -> bool:
    """Sentences, or lists of them, that are no headline."""
    last = where.rsplit(".", 1)[-1].split("[", 1)[0]
    return last in PROSE and where not in HEADLINES and type(stated) is type(computed)


def _names(entries: list[Any]) -> set[str]:
    """Names of cautions."""
    cautions = (entry for entry in entries if isinstance(entry, dict) and isinstance(entry.get("code"), str))
    return {caution_name(entry["code"], entry.get("object", "")) for entry in cautions}


def _member(where: str, key: str) -> str:
    if not key.replace("_", "a").isalnum():
        return f"{where}[{kind_of_json(key)}]"
    return f"{where}.{key}" if where else key


def with_numbers(result: Any, of_report: Mapping[float, set[float]], source: Any) -> Any:
    """``of_report`` has what the report says of each number; ``source``, and all of its kind, stays as it is."""
    single = {mine: other for mine, others in of_report.items() if len(others) == 1 for other in others}
    changed = {mine: other for mine, other in single.items() if other != mine}
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
