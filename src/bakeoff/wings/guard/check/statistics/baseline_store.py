"""A small file with two baselines: the previous commit, and a pinned release.

A comparison with the previous commit alone lets many small steps pass: ten of 1 % never exceed a margin of 5 %. The
pinned baseline stays until it is pinned again.
"""

import contextlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from bakeoff.errors import ParameterError, ReadingError
from bakeoff.files import loads_strictly, write_bytes
from bakeoff.scores.design import WEIGHTS
from bakeoff.wings.guard.check.statistics.run_set import RunSet, Series

SCHEMA = "bakeoff.baseline/1"
OF_THE_FILES = ("made", "n_files", "not_taken")
LATER = ("tasks", "weights", "weighted_as")  # which older stores lack
PREVIOUS, PINNED = "previous", "pinned"
_MARK = b'"bakeoff.baseline/'


def is_baseline_store(path: str | Path) -> bool:
    """Whether the file is a store of baselines, by its first bytes."""
    if Path(path).is_file():  # what is read of a pipe is gone
        with contextlib.suppress(OSError), Path(path).open("rb") as file:
            return _MARK in file.read(200)
    return False


def read_baselines(path: str | Path) -> dict[str, RunSet]:
    """The baselines of a store, the pinned one first; the same one twice is one."""
    kept_baselines = {name: kept for name, (kept, _) in stored_baselines(path).items()}
    if not kept_baselines:
        raise ReadingError(f"{str(path)!r} holds no baseline yet: bakeoff baseline update FILE")
    if len(kept_baselines) == 2 and kept_baselines[PINNED] == kept_baselines[PREVIOUS]:
        del kept_baselines[PREVIOUS]
    return kept_baselines


def stored_baselines(path: str | Path) -> dict[str, tuple[RunSet, str]]:
    """{"pinned" and "previous": the measurements, the note they were kept with}."""
    content = _content(Path(path))
    names = [name for name in (PINNED, PREVIOUS) if content.get(name)]
    return {name: (_restored(content[name], f"{path}: {name}"), str(content[name].get("note", ""))) for name in names}


def update_baseline(path: str | Path, new: RunSet, note: str = "") -> None:
    """``new`` becomes the previous baseline; the first one of a store is pinned, too."""
    broken = [problem for problem, series in new.series.items() if series.failure]
    if broken:
        rule = f"has failed problems ({', '.join(broken[:5])}), which are no baseline; repair them first"
        raise ParameterError(rule, parameter="files")
    target = Path(path)
    content: dict[str, Any] = _content(target) if target.exists() else {"schema": SCHEMA}
    content[PREVIOUS] = _kept(new, note)
    content.setdefault(PINNED, content[PREVIOUS])
    _write(target, content)


def pin_baseline(path: str | Path, note: str | None = None) -> None:
    """The previous baseline becomes the pinned one."""
    content = _content(Path(path))
    if not content.get(PREVIOUS):
        raise ReadingError(f"{str(path)!r} holds no baseline yet: bakeoff baseline update FILE")
    content[PINNED] = content[PREVIOUS] | ({} if note is None else {"note": note})
    _write(Path(path), content)


def _write(target: Path, content: Mapping[str, Any]) -> None:
    ordered = {"schema": SCHEMA, **{name: content[name] for name in (PINNED, PREVIOUS) if name in content}}
    text = json.dumps(ordered, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    write_bytes(target, text.encode() + b"\n", "store")


def _content(path: Path) -> dict[str, Any]:
    if path.exists() and not path.is_file():
        raise ReadingError(f"cannot read the store of baselines {str(path)!r}: it is no file")
    try:
        content = loads_strictly(path.read_bytes())
    except OSError as error:
        advice = "; bakeoff baseline update FILE... makes one" if isinstance(error, FileNotFoundError) else ""
        reason = f"{error.strerror or error}{advice}"
        raise ReadingError(f"cannot read the store of baselines {str(path)!r}: {reason}") from None
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"{str(path)!r} is no store of baselines: {error}") from None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        raise ReadingError(f"{str(path)!r} is no store of baselines: its key 'schema' must be {SCHEMA!r}")
    return content


def _kept(new: RunSet, note: str) -> dict[str, Any]:
    kept = asdict(new)
    for name in OF_THE_FILES:  # beside files of another job they say nothing
        del kept[name]
    if not kept["weighted_as"]:
        del kept["weighted_as"]
    return {"note": note, **kept}


def _restored(data: Any, place: str) -> RunSet:
    try:
        series = {
            str(problem): Series(
                ids=tuple(map(str, each["ids"])),
                values=tuple(map(float, each["values"])),
                iterations=int(each["iterations"]),
                failure=str(each["failure"]),
            )
            for problem, each in data["series"].items()
        }
        names = [field.name for field in fields(RunSet) if field.name not in ("series", *OF_THE_FILES)]
        rest = {name: data[name] for name in names if name in data or name not in LATER}
        wrong = [name for name, value in rest.items() if not _FIELDS[name](value)]
        if wrong or not all(map(math.isfinite, (value for each in series.values() for value in each.values))):
            raise ValueError(f"{wrong[0] if wrong else 'values'} cannot be so")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ReadingError(f"{place}: damaged ({type(error).__name__}: {str(error)[:200]}); make it again") from None
    return RunSet(series=series, **(rest | {"weighted_as": tuple(rest.get("weighted_as", ()))}))


HOLDS: dict[str, Callable[[Any], bool]] = {
    "an object of texts": lambda value: isinstance(value, dict) and all(isinstance(x, str) for x in value.values()),
    "a list of texts": lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
    "a text or null": lambda value: value is None or isinstance(value, str),
    "a text": lambda value: isinstance(value, str),
    "true or false": lambda value: isinstance(value, bool),
    "a whole number from 1 on": lambda value: type(value) is int and value >= 1,
}
"""Values of JSON, by what an error says of them."""
_FIELDS = {
    "better": lambda value: value in ("lower", "higher"),
    "left_out": lambda value: isinstance(value, dict) and all(type(each) is int for each in value.values()),
    "weights": lambda value: value in (None, *WEIGHTS),
    "named": HOLDS["true or false"],
    "weighted_as": HOLDS["a list of texts"],
    **dict.fromkeys(("metric", "unit", "run_kind"), HOLDS["a text or null"]),
    **dict.fromkeys(("clusters", "tasks", "versions", "facts"), HOLDS["an object of texts"]),
}
