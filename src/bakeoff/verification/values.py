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

    def compare(self, said: Any, found: Any, where: str = "") -> None:
        """All values of both."""
        if isinstance(said, dict) and isinstance(found, dict):
            self._objects(said, found, where)
        elif isinstance(said, list) and isinstance(found, list):
            self._lists(said, found, where)
        else:
            self.checked += 1
            if not self._alike(said, found):
                self._differ(where, kind_of_json(said), kind_of_json(found), _are_prose(where, said, found))

    def _objects(self, said: dict[str, Any], found: dict[str, Any], where: str) -> None:
        for key in (*found, *(key for key in said if key not in found)):
            place = _member(where, key)
            if key in said and key in found:
                self.compare(said[key], found[key], place)
                continue
            self.checked += 1
            mine, other = (kind_of_json(side[key]) if key in side else NOTHING for side in (said, found))
            self._differ(place, mine, other, forgiven=False)

    def _lists(self, said: list[Any], found: list[Any], where: str) -> None:
        if len(said) != len(found):
            self.checked += 1
            mine, other = _codes(said), _codes(found)
            more = [f"without {', '.join(other - mine)}"] if other - mine else []
            more += [f"with {', '.join(mine - other)}"] if mine - other else []
            self._differ(
                where, " ".join([kind_of_json(said), *more]), kind_of_json(found), _are_prose(where, said, found)
            )
            return
        for i, (mine, other) in enumerate(zip(said, found, strict=True)):
            self.compare(mine, other, f"{where}[{i}]")

    def _alike(self, said: Any, found: Any) -> bool:
        if isinstance(said, bool) or isinstance(found, bool) or not (_is_number(said) and _is_number(found)):
            return type(said) is type(found) and bool(said == found)
        if isinstance(said, int) and isinstance(found, int):
            return said == found
        try:
            return bool(said == found) or abs(said - found) <= self.tolerance * max(abs(said), abs(found))
        except OverflowError:  # a whole number beyond floating point
            return False

    def _differ(self, where: str, said: str, found: str, forgiven: bool) -> None:
        if forgiven and self.other_version:
            self.reworded.append(where)
        else:
            self.differences.append(Difference(where=where, said=said, found=found))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def _are_prose(where: str, said: object, found: object) -> bool:
    """Sentences, or lists of them, that are no headline."""
    last = where.rsplit(".", 1)[-1].split("[", 1)[0]
    return last in PROSE and where not in HEADLINES and type(said) is type(found)


def _codes(entries: list[Any]) -> set[str]:
    """Of cautions."""
    found = (entry.get("code") for entry in entries if isinstance(entry, dict))
    return {code for code in found if isinstance(code, str)}


def _member(where: str, key: str) -> str:
    if not key.replace("_", "a").isalnum():
        return f"{where}[{kind_of_json(key)}]"
    return f"{where}.{key}" if where else key
