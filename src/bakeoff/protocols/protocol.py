"""A protocol: the choices that it fixes, read, completed with the defaults, checked, sealed."""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bakeoff.analyses import all_analyses, of_command
from bakeoff.checks import choice, did_you_mean, number
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ParameterError
from bakeoff.files import loads_strictly
from bakeoff.parameter import Parameter

# What a protocol of a command fixes: the parameters of its analysis, and what the table must be.

DIRECTIONS = ("lower", "higher")
OF_KEPT = ("bounds", "common")
"""What compare does with kept holes."""
MISSING = ("raise", "drop", "drop-unrun", "worst", "available", "keep", *OF_KEPT)
TABLE = {
    "better": 'Which scores are good: lower or higher; of several metrics a table, {seconds = "lower"}.',
    "algorithms": 'Their names, or {at_least = 3}, or "any".',
    "problems": 'Their names, a number, {at_least = 25}, {file = "names.txt"} (a name per line), or "any".',
    "missing": "Missing scores: raise, drop, worst, available, keep, bounds or common.",
}
"""The choices about the table of scores."""
TEXTS = {"question": "What the analysis is to answer.", "stop": "How the number of problems was chosen; when to stop."}
"""The texts that are kept word for word and held against nothing."""
OF_FILES = ("context", "missing")  # parameters that say what the files were


def planned_commands() -> tuple[str, ...]:
    """Those that take a protocol."""
    return tuple(record.command for record in all_analyses() if record.planned)


def planned_parameters(command: str) -> tuple[Parameter, ...]:
    """Those that decide, by the record of the command's analysis."""
    return tuple(each for each in of_command(command).parameters if each.name not in OF_FILES)


def default(parameter: Parameter) -> object:
    """As a protocol writes it: "default" for what a word stands for, "none" for nothing."""
    if isinstance(parameter.default, tuple):
        return list(parameter.default)
    if parameter.default is None or (parameter.usual and parameter.type is bool):
        return "default" if parameter.usual or (parameter.choices and parameter.repeatable) else "none"
    return parameter.default


def is_default(parameter: Parameter, value: object) -> bool:
    """Is nothing chosen by this word? Of a correction, "none" is a choice."""
    return value is None or value == "default" or (value == "none" and "none" not in parameter.choices)


# A protocol: read, completed with the defaults, checked, sealed.

SCHEMA = "bakeoff.protocol/1"
MOST_BYTES = 1 << 24


@dataclass(frozen=True, slots=True)
class Protocol:
    """The plan of an analysis: ``content`` has every choice, those left open as "default" or "none"."""

    content: Mapping[str, Any]

    @property
    def command(self) -> str:
        """The one that it plans."""
        name: str = self.content["command"]
        return name

    @property
    def sha256(self) -> str:
        """The digest of the content as JSON with sorted keys and no spaces, in UTF-8."""
        text = json.dumps(self.content, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def sealed(self) -> str:
        """The file that --protocol reads."""
        content = {"schema": SCHEMA, "sha256": self.sha256, "protocol": dict(self.content)}
        return json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    @classmethod
    def of(cls, fields: Mapping[str, Any], folder: Path | None = None) -> Protocol:
        """Completed and checked. ``folder`` is where it names files.

        Raises
        ------
        ParameterError
            A choice that does not exist, is not one of those there are, or must be made and is not.
        """
        command = choice("command", fields.get("command", "compare"), planned_commands())
        known = planned_parameters(command)
        names = ["command", *TEXTS, *TABLE, *(each.name for each in known)]
        for name in fields:
            if name not in names:
                raise ParameterError(f": a protocol of {command} has no choice {name!r}{did_you_mean(name, names)}")
        content: dict[str, Any] = {"command": command}
        content |= {name: _text(name, fields.get(name, "")) for name in TEXTS}
        content["better"] = _better(fields.get("better"), command)
        content |= {name: _named(name, fields.get(name), folder) for name in ("algorithms", "problems")}
        content["missing"] = choice("missing", fields.get("missing", of_command(command).planned), MISSING)
        content |= {each.name: _value(each, fields.get(each.name)) for each in known}
        return cls(content)


def read_protocol(path: str | os.PathLike[str], sealed: bool = True) -> Protocol:
    """A sealed protocol, whose seal must hold; or one to be sealed (TOML).

    Raises
    ------
    ParameterError
        A file that cannot be read, is not sealed, or was changed since.
    """
    target = Path(path)
    try:
        with target.open("rb") as opened:
            content = opened.read(MOST_BYTES)
    except OSError as error:
        raise ParameterError(
            f": cannot read {str(target)!r} ({error.strerror or error})", parameter="protocol"
        ) from None
    try:
        if not sealed:
            return Protocol.of(tomllib.loads(content.decode("utf-8-sig")), target.parent)
        record = loads_strictly(content)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        kind = "JSON of a sealed protocol; bakeoff protocol seal FILE.toml writes it" if sealed else "TOML"
        if isinstance(error, ParameterError):
            raise error.at(str(target)) from None
        raise ParameterError(f": {str(target)!r} is no {kind} ({error})", parameter="protocol") from None
    if not isinstance(record, dict) or record.get("schema") != SCHEMA or not isinstance(record.get("protocol"), dict):
        raise ParameterError(
            f": {str(target)!r} is no sealed protocol; bakeoff protocol seal FILE.toml writes one", parameter="protocol"
        )
    protocol = Protocol.of(record["protocol"])
    if protocol.sha256 != record.get("sha256"):
        rule = f"was changed since it was sealed: its content has the SHA-256 {protocol.sha256[:12]}…, its seal says"
        raise ParameterError(f": {str(target)!r} {rule} {str(record.get('sha256'))[:12]}…", parameter="protocol")
    return protocol


def template(command: str = "compare", **choices: object) -> str:
    """A protocol to fill in: every choice with its default, and what it is as a comment."""
    choice("command", command, planned_commands())
    direction: object = {"metric": ""} if of_command(command).source is not None else ""
    first = {"command": command, "question": "", "better": direction, "algorithms": "any", "problems": "any"}
    rest = {each.name: default(each) for each in planned_parameters(command)}
    values: dict[str, object] = first | {"missing": of_command(command).planned} | rest | {"stop": ""}
    for name, value in choices.items():
        if name not in values:
            raise ParameterError(f": a protocol of {command} has no choice {name!r}{did_you_mean(name, values)}")
        values[name] = value
    content = {"command": f"One of {', '.join(planned_commands())}", **TEXTS, **TABLE}
    content |= {each.name: each.text for each in planned_parameters(command)}
    return "\n".join(f"# {content[name]}\n{name} = {_toml(value)}\n" for name, value in values.items())


def _toml(value: object) -> str:
    """A value of TOML; those of JSON are, but for tables."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


# --- what is said of the table ----------------------------------------------------------------------------------


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    raise ParameterError(f"must be text; got {value!r}", parameter=name)


def _better(value: object, command: str) -> Any:
    if of_command(command).source is not None:
        if isinstance(value, Mapping) and value and all(each in DIRECTIONS for each in value.values()):
            return {str(name): each for name, each in value.items()}
        rule = 'must be a table of each metric\'s direction, such as {error = "lower", seconds = "lower"}'
        raise ParameterError(f"{rule}; got {value!r}", parameter="better")
    return choice("better", value, DIRECTIONS)


def _named(name: str, value: object, folder: Path | None) -> Any:
    """Names, a number, the least number, or "any"."""
    if value == "any" or (_is_count(value) and name == "problems"):
        return value
    if isinstance(value, Mapping) and len(value) == 1:
        (how, what), *_ = value.items()
        if how == "at_least" and _is_count(what):
            return {"at_least": what}
        if how == "file" and isinstance(what, str) and folder is not None:
            value = _lines(folder / what, name)
    if isinstance(value, list) and value and all(isinstance(each, str) and each for each in value):
        if len(set(value)) == len(value):
            return value
        raise ParameterError("must name each once", parameter=name)
    raise ParameterError(f"must be chosen ({TABLE[name].rstrip('.')}); got {value!r}", parameter=name)


def _lines(path: Path, name: str) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ParameterError(f": cannot read {str(path)!r} ({error})", parameter=name) from None
    return [line.strip() for line in lines if line.strip()]


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


# --- parameters -------------------------------------------------------------------------------------------------


def _value(parameter: Parameter, value: object) -> object:
    """The value of one parameter, as the content has it."""
    name = parameter.name
    if is_default(parameter, value):
        value = default(parameter)
        if isinstance(value, str):
            return value
    if parameter.type is object:
        if isinstance(value, Mapping) and value:
            return {str(key): _one(parameter, each) for key, each in value.items()}
        raise ParameterError(
            f'must be a table, such as {{error = 0.01, seconds = "5%"}}; got {value!r}', parameter=name
        )
    if parameter.several and isinstance(value, list) and value:
        one = replace(parameter, choices={}) if parameter.text_too else parameter
        return [_one(one, each) for each in value]
    return _one(parameter, value)


def _one(parameter: Parameter, value: object) -> object:
    if parameter.type is bool:
        if isinstance(value, bool):
            return value
        raise ParameterError(f"must be true or false; got {value!r}", parameter=parameter.name)
    if isinstance(value, str):
        if parameter.choices:
            return choice(parameter.name, value, tuple(parameter.choices))
        if parameter.type is str or parameter.text_too or parameter.type is object:
            return value
    elif isinstance(value, int | float) and not isinstance(value, bool) and parameter.type is not str:
        result = number(parameter.name, value)
        return int(value) if parameter.type is int and result.is_integer() else result
    rule = "text" if parameter.type is str else "a number"
    raise ParameterError(f"must be {rule}; got {value!r}", parameter=parameter.name)
