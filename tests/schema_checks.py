"""Reports held against their published JSON Schemas, and broken on purpose."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Iterator
from typing import Any

import jsonschema

from bakeoff.cli.commands.lookup import schemas

SCHEMAS = schemas()


@functools.cache
def validator(kind: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(SCHEMAS[kind].read_text(encoding="utf-8")))


def of(content: dict[str, Any]) -> jsonschema.Draft202012Validator:
    return validator(content["schema"].removeprefix("bakeoff.").removesuffix("/1"))


def faults(content: dict[str, Any]) -> list[str]:
    return [f"{list(error.absolute_path)}: {error.message[:300]}" for error in of(content).iter_errors(content)]


def broken_and_valid(content: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Changes that the schema lets pass: one number that is none, one key less, one more.

    At the top, and in the first record of every list.
    """
    content, passed = short(content), []
    assert faults(content) == []
    for place, key in records(content):
        for change in ("number", "less", "more"):
            broken = copy.deepcopy(content)
            record = functools.reduce(lambda value, step: value[step], place, broken)
            if change == "less":
                del record[key]
            elif change == "more":
                record["surplus"] = 1
            elif isinstance(record[key], int | float) and not isinstance(record[key], bool):
                record[key] = "NaN"
            else:
                continue
            if of(content).is_valid(broken):
                passed.append((place, key, change))
    return passed


def short(value: Any) -> Any:
    """The same with few entries in each list: also a report, of the same keys."""
    if isinstance(value, list):
        return [short(one) for one in (value[:1] if value and isinstance(value[0], dict) else value[:3])]
    return {key: short(one) for key, one in value.items()} if isinstance(value, dict) else value


OPEN = {"request", "command", "metric", "versions", "added_cautions", "options", "question"}


def records(content: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The top, and of each list of records the first one; with their required keys."""
    required = of(content).schema["required"]
    yield from (((), key) for key in content if key in required and key not in OPEN)
    for name, value in content.items():
        if isinstance(value, list) and value and isinstance(value[0], dict) and name not in OPEN:
            optional = {"bounds", "n_problems", "reference"}
            yield from (((name, 0), key) for key in value[0] if key not in optional)
