"""The specification of an experiment as canonical JSON: experiments are the same if and only if these are equal.

Workers, executor and store are not part of it: they may change from one start to the next.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff.running.commands.command_line import CommandLine
from bakeoff.running.design.settings import statistic_name

if TYPE_CHECKING:
    from bakeoff.running.design.experiment import Experiment

FORMAT = 1


def described(e: Experiment) -> dict[str, Any]:
    """Everything a result depends on, except code and problems, which have fingerprints."""
    adaptive = e.repetitions
    return {
        "format": FORMAT,
        "better": e.better,
        "seed": e.seed,
        "score": e.score,
        "runs": e.runs,
        "repetitions": None
        if adaptive is None
        else dataclasses.asdict(adaptive) | {"statistic": statistic_name(adaptive.statistic)},
        "timeout": e.timeout,
        "memory": e.memory,
        "budget": e.budget,
        "on_failure": e.on_failure,
        "retries": e.retries,
        "n_problems": e.n_problems if e.n_problems < len(e.problems) else None,
        "question": dataclasses.asdict(e.question),
        "algorithms": [
            {"name": name} | _algorithm(thing, e.folder)
            for name, thing in zip(e.algorithm_names, e.algorithms, strict=True)
        ],
        "problems": list(e.problem_names),
    }


def _algorithm(thing: Any, folder: Path | None) -> dict[str, Any]:
    """A command, without machine-dependent paths, and with digests of environment variables, which may be secret."""
    if not isinstance(thing, CommandLine):
        return {"kind": "function"}
    shown = {f.name: getattr(thing, f.name) for f in dataclasses.fields(thing)}
    shown["environment"] = {k: hashlib.sha256(v.encode()).hexdigest()[:16] for k, v in thing.environment.items()}
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


def first_difference(old: str, new: str) -> str:
    """Where two specifications differ: ``seed is 1 in the store and 2 now``."""
    try:
        field, before, after = next(_differences("", json.loads(old), json.loads(new)))
    except StopIteration:
        return "the same fields are written differently"
    return f"{field} is {_shown(before)} in the store and {_shown(after)} now"


_ABSENT = object()


def _differences(path: str, old: Any, new: Any) -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(k for k in new if k not in old)]:
            yield from _differences(f"{path}.{key}".lstrip("."), old.get(key, _ABSENT), new.get(key, _ABSENT))
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
