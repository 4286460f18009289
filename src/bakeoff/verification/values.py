"""Two reports, value by value."""

from typing import Any

from bakeoff.verification.parsing import kind_of_json
from bakeoff.verification.results import Difference

NOTHING = "nothing"
PROSE = frozenset({"text", "reason", "title", "outcome", "reference", "references", "sentence", "phrase"})
"""Keys of sentences, which another version may word otherwise."""
HEADLINES = frozenset({"verdict", "sentence"})
"""Places of the headline, which is always compared."""


class Walk:
    """Compares what a report says with what was found, and counts.

    ``tolerance`` is relative, of numbers. ``other_version``: sentences but the headline are no differences then; they
    are collected in ``reworded``.
    """

    def __init__(self, tolerance: float, other_version: bool) -> None:
        self.tolerance = tolerance
        self.other_version = other_version
        self.checked = 0
        self.differences: list[Difference] = []
        self.reworded: list[str] = []

    def compare(self, stated: Any, computed: Any, where: str = "") -> None:
        """All values of both."""
        if isinstance(stated, dict) and isinstance(computed, dict):
            self._objects(stated, computed, where)
        elif isinstance(stated, list) and isinstance(computed, list):
            self._lists(stated, computed, where)
        else:
            self.checked += 1
            if not self._alike(stated, computed):
                self._differ(where, kind_of_json(stated), kind_of_json(computed), _are_prose(where, stated, computed))

    def _objects(self, stated: dict[str, Any], computed: dict[str, Any], where: str) -> None:
        for key in (*computed, *(key for key in stated if key not in computed)):
            place = _member(where, key)
            if key in stated and key in computed:
                self.compare(stated[key], computed[key], place)
                continue
            self.checked += 1
            mine, other = (kind_of_json(side[key]) if key in side else NOTHING for side in (stated, computed))
            self._differ(place, mine, other, forgiven=False)

    def _lists(self, stated: list[Any], computed: list[Any], where: str) -> None:
        if len(stated) != len(computed):
            self.checked += 1
            mine, other = _codes(stated), _codes(computed)
            more = [f"without {', '.join(other - mine)}"] if other - mine else []
            more += [f"with {', '.join(mine - other)}"] if mine - other else []
            self._differ(
                where,
                " ".join([kind_of_json(stated), *more]),
                kind_of_json(computed),
                _are_prose(where, stated, computed),
            )
            return
        for i, (mine, other) in enumerate(zip(stated, computed, strict=True)):
            self.compare(mine, other, f"{where}[{i}]")

    def _alike(self, stated: Any, computed: Any) -> bool:
        if isinstance(stated, bool) or isinstance(computed, bool) or not (_is_number(stated) and _is_number(computed)):
            return type(stated) is type(computed) and bool(stated == computed)
        if isinstance(stated, int) and isinstance(computed, int):
            return stated == computed
        try:
            return bool(stated == computed) or abs(stated - computed) <= self.tolerance * max(
                abs(stated), abs(computed)
            )
        except OverflowError:  # a whole number beyond floating point
            return False

    def _differ(self, where: str, stated: str, computed: str, forgiven: bool) -> None:
        if forgiven and self.other_version:
            self.reworded.append(where)
        else:
            self.differences.append(Difference(where=where, said=stated, found=computed))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _are_prose(where: str, stated: object, computed: object) -> bool:
    """Sentences, or lists of them, that are no headline."""
    last = where.rsplit(".", 1)[-1].split("[", 1)[0]
    return last in PROSE and where not in HEADLINES and type(stated) is type(computed)


def _codes(entries: list[Any]) -> set[str]:
    """Of cautions."""
    codes = (entry.get("code") for entry in entries if isinstance(entry, dict))
    return {code for code in codes if isinstance(code, str)}


def _member(where: str, key: str) -> str:
    if not key.replace("_", "a").isalnum():
        return f"{where}[{kind_of_json(key)}]"
    return f"{where}.{key}" if where else key
