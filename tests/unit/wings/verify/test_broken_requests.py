"""A report whose request is broken in one place: it differs, or is refused; it is never OK, nor another exception."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.errors import ReportError

BROKEN = {"?": [None]}


def places(value: object, above: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    yield above
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from places(entry, (*above, key))


def broken(content: dict[str, Any], place: tuple[str | int, ...]) -> dict[str, Any]:
    part = found = json.loads(json.dumps(content))
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = BROKEN
    return dict(found)


def refused_or_differs(content: dict[str, Any]) -> bool:
    try:
        return not bo.verify(content).ok
    except ReportError:
        return True


TABLE = bo.Scores([[1.0, 2.0], [2.0, 3.5], [1.5, 1.0], [4.0, 5.0], [3.0, 3.2]], better="lower")
REPORTS = {
    "check": lambda: bo.check({"P1": [1.0, 1.1, 1.2]}, {"P1": [1.5, 1.6, 1.8]}, "5%", better="lower"),
    "compare": lambda: bo.compare(TABLE),
}


@pytest.mark.parametrize("kind", REPORTS)
def test_no_broken_place_of_a_request_is_accepted(kind: str) -> None:
    content = json.loads(json.dumps(REPORTS[kind]().to_dict()))
    assert bo.verify(content).ok
    accepted = [
        place for place in places(content["request"], ("request",)) if not refused_or_differs(broken(content, place))
    ]
    assert accepted == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("iterations", 0), ("looks", True), ("looks", 1.5), ("failed_before", {"P1": 1}), ("noted", [1]), ("together", 1)],
)
def test_an_impossible_context_of_a_check_is_refused_by_name(key: str, value: object) -> None:
    content = json.loads(json.dumps(REPORTS["check"]().to_dict()))
    content["request"]["context"][key] = value
    with pytest.raises(ReportError, match=f"request.context.{key} must be"):
        bo.verify(content)


@pytest.mark.parametrize(("key", "value"), [("posthoc", ["holm", 1]), ("suites", [None])])
def test_a_list_of_names_holds_names(key: str, value: list[object]) -> None:
    schema = {"posthoc": "compare", "suites": "evaluate"}[key]
    content = json.loads(json.dumps((bo.compare if schema == "compare" else bo.evaluate)(TABLE).to_dict()))
    content["request"][key] = value
    with pytest.raises(ReportError, match=rf"request\.{key}\[{len(value) - 1}\] must be a string"):
        bo.verify(content)
    content["request"][key] = ["holm", "shaffer"] if key == "posthoc" else ["a", "a", "b", "b", "b"]
    bo.verify(content)
