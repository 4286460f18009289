"""The specification of an experiment as canonical JSON: experiments are the same if and only if these are equal.

Workers, executor and store are not part of it: they may change from one start to the next.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import types
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff.processes.command_line import CommandLine
from bakeoff.wings.run.design.references import CodeReference
from bakeoff.wings.run.design.settings import statistic_name
from bakeoff.wings.run.design.structural_digest import module_name

if TYPE_CHECKING:
    from bakeoff.wings.run.design.experiment import Experiment

FORMAT = 3
_BEFORE_NULL_VALUES = 2
"""The format of experiments with simple or percent differences whose H0 is that neither is better."""
_AS_THEY_ARE = ("better", "seed", "score", "runs", "timeout", "memory", "budget", "on_failure", "retries")
LONGEST_PLAIN = 200  # characters of JSON; a longer value has a fingerprint only


def described(e: Experiment) -> dict[str, Any]:
    """Everything a result depends on that has a name or is a plain value; code and data have fingerprints."""
    adaptive = e.repetitions
    description: dict[str, Any] = {name: getattr(e, name) for name in _AS_THEY_ARE}
    description |= {
        "format": FORMAT,
        "repetitions": None
        if adaptive is None
        else dataclasses.asdict(adaptive) | {"statistic": statistic_name(adaptive.statistic)},
        "n_problems": e.n_problems if e.n_problems < len(e.problems) else None,
        "question": dataclasses.asdict(e.question),
        "algorithms": [
            {"name": name} | _algorithm(thing, e.folder)
            for name, thing in zip(e.algorithm_names, e.algorithms, strict=True)
        ],
        "problems": list(e.problem_names),
    }
    if e.question.about_equality:  # a description does not change by what it does not use: stores resume
        del description["question"]["null_value"]
        if not e.question.kind.logs:
            description["format"] = _BEFORE_NULL_VALUES
    if e.cluster_of is not None:
        description["clusters"] = e.cluster_of
    if e.tasks is not None:
        description["tasks"] = dict(zip(e.problem_names, e.tasks, strict=True))
    values = zip(e.problem_names, e.problems, strict=True)
    description["values"] = {name: value for name, value in values if is_plain(value) and not _elsewhere(value)}
    return description


def is_plain(value: object) -> bool:
    """Whether a value is short enough, and of such types, that the description contains it as it is."""
    if isinstance(value, list | tuple | dict):
        inside = (*value, *value.values()) if isinstance(value, dict) else value
        if len(value) > LONGEST_PLAIN or not all(map(is_plain, inside)):
            return False
    elif not (value is None or type(value) in (bool, int, float, str)):
        return False
    try:
        return len(canonical({"value": value}).encode()) <= LONGEST_PLAIN
    except (TypeError, ValueError):  # NaN, a key that is no text, half a surrogate pair
        return False


def named_file(text: str, folder: Path | None) -> str:
    """The path of the file that a text names; empty if there is none."""
    path = os.path.join(folder or os.curdir, text)
    try:
        return path if text and os.path.isfile(path) else ""
    except ValueError:
        return ""


def _elsewhere(value: object) -> bool:
    """Whether a value is the absolute path of a file, known by its content: the folder may move."""
    return isinstance(value, str) and os.path.isabs(value) and bool(named_file(value, None))


def _function(thing: Any) -> dict[str, Any]:
    """The name of a function or class, and its plain arguments."""
    arguments: dict[str, Any] = {}
    while isinstance(thing, partial):
        chosen_options = {str(i): value for i, value in enumerate(thing.args, start=1)} | thing.keywords
        arguments = {name: value for name, value in chosen_options.items() if is_plain(value)} | arguments
        thing = thing.func
    if isinstance(thing, CodeReference):
        name = thing.name
    else:
        named = thing if isinstance(thing, types.MethodType) or hasattr(thing, "__qualname__") else type(thing)
        name = f"{module_name(named)}:{named.__qualname__}"
    return {"kind": "function", "function": name} | ({"arguments": arguments} if arguments else {})


def _algorithm(thing: Any, folder: Path | None) -> dict[str, Any]:
    """A command, without machine-dependent paths and values of environment variables, which may be secret."""
    if not isinstance(thing, CommandLine):
        return _function(thing)
    shown = {f.name: getattr(thing, f.name) for f in dataclasses.fields(thing)}
    shown["environment"] = sorted(thing.environment)
    if thing.folder and folder is not None and Path(thing.folder).is_absolute():
        shown["folder"] = os.path.relpath(thing.folder, folder.resolve())
    if folder is not None and not isinstance(thing.template, str):
        above = f"{folder.resolve()}{os.sep}"
        shown["template"] = [f".{os.sep}{w.removeprefix(above)}" if w.startswith(above) else w for w in thing.template]
    return {"kind": "command"} | {k: list(v) if isinstance(v, tuple) else v for k, v in shown.items()}


def canonical(specification: Mapping[str, Any]) -> str:
    """JSON with sorted keys, without spaces, floats in shortest form."""
    return json.dumps(specification, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def first_difference(old: str, new: str, places: tuple[str, str] = ("in the store", "now")) -> str:
    """Name where two specifications differ: ``seed is 1 in the store and 2 now``."""
    differences = sorted(_differences("", json.loads(old), json.loads(new)), key=lambda one: one[0] == "format")
    if not differences:
        return "the same fields are written differently"
    field, before, after = differences[0]  # a format follows from another difference
    if field.startswith("values."):
        field = f"problem {field.removeprefix('values.')!r}"
    return f"{field} is {_shown(before)} {places[0]} and {_shown(after)} {places[1]}"


_ABSENT = object()


def _differences(path: str, old: Any, new: Any) -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        keys = dict.fromkeys(("name", *old, *new))  # another name explains the other differences
        if path.startswith("algorithms[") and old.get("name") == new.get("name"):
            path = f"algorithm {old.get('name')!r}:"
        for key in keys if "name" in old else [*keys][1:]:
            joined = f"{path} {key}" if path.endswith(":") else f"{path}.{key}".lstrip(".")
            yield from _differences(joined, old.get(key, _ABSENT), new.get(key, _ABSENT))
    elif isinstance(old, list) and isinstance(new, list):
        for i in range(max(len(old), len(new))):
            one, other = (x[i] if i < len(x) else _ABSENT for x in (old, new))
            yield from _differences(f"{path}[{i + 1}]", one, other)
    elif type(old) is not type(new) or old != new:
        yield path, old, new


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return "absent"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "…"
