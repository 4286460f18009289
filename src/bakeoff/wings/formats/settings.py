"""Settings that a file records: two of them under one name are two algorithms."""

import json
from collections.abc import Mapping
from typing import Any

from bakeoff.errors import ParameterError, ReadingError, listing


def setting(record: Mapping[str, Any], keys: str, parameter: str = "algorithm") -> str:
    """The value at ``config.model_args``; several keys by commas, joined by a slash."""
    parts = []
    for key in keys.split(","):
        value: Any = record
        for step in key.strip().split("."):
            if not isinstance(value, Mapping) or step not in value:
                known = listing(list(value) if isinstance(value, Mapping) else list(record), 20)
                raise ParameterError(f"must be a key of the file ({known}); got {key.strip()!r}", parameter=parameter)
            value = value[step]
        parts.append(text_of(value))
    return "/".join(parts)


def text_of(value: object) -> str:
    """``a=1,b=2`` of a mapping."""
    if isinstance(value, Mapping):
        return ",".join(f"{name}={text_of(each)}" for name, each in sorted(value.items()))
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def refuse_two_settings(
    name: str, first: tuple[str, Mapping[str, Any]], second: tuple[str, Mapping[str, Any]], example: str
) -> None:
    """Two files of one algorithm are repetitions only if their settings agree, where both have them."""
    (path, a), (other, b) = first, second
    for key in a:
        if key in b and text_of(a[key]) != text_of(b[key]):
            raise ReadingError(
                f"{path} and {other} are both of {name!r}, but differ in {key}: {text_of(a[key])!r:.80} and "
                f"{text_of(b[key])!r:.80}. Name them: label={{'NAME': PATH}} (--label NAME=PATH), or take the name "
                f"from the files: algorithm={example!r}"
            )
