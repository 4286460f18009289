"""``request`` of a report: the arguments of the call, each checked as the record of its parameter says."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bakeoff.analyses import by_kind, by_schema
from bakeoff.errors import ReportError
from bakeoff.parameter import Parameter
from bakeoff.places import load
from bakeoff.verification.contents import refuse
from bakeoff.verification.parsing import kind_of_json

BELOW_A_COMPARISON = {"sensitivity": "examined", "leaderboard": "ranked"}
"""Key of the part in the report of a comparison: the kind of both together, whose parameters are those of the part."""

DRAWS = ("n_draws", "n_resamples", "resamples")
MOST_DRAWS, MOST_OF_USUAL = 100_000, 10
"""More would keep whoever verifies a report busy for hours; a million where the default is a choice."""


def arguments(content: Mapping[str, Any], schema: str, costly: bool) -> dict[str, Any]:
    """Those of the whole report; ``costly``: however many draws they ask for."""
    return _checked("request", content.get("request"), by_schema()[schema].parameters, costly)


def arguments_of_part(content: Mapping[str, Any], name: str, costly: bool) -> dict[str, Any] | None:
    """Those of a sensitivity or a leaderboard below a comparison; None without."""
    part = content.get(name)
    if part is None:
        return None
    request = part.get("request") if isinstance(part, dict) else None
    return _checked(f"{name}.request", request, by_kind()[BELOW_A_COMPARISON[name]].parameters, costly)


def given_numbers(content: Mapping[str, Any], source: str) -> frozenset[str]:
    """Keys of a report below which no number was computed: what it starts from, and arguments that are numbers."""
    below = [(content[name], by_kind()[kind]) for name, kind in BELOW_A_COMPARISON.items() if name in content]
    names = {source, "request", "protocol"}
    for part, record in ((content, by_schema()[content["schema"]]), *below):
        request = part["request"]
        names |= {each.name for each in record.parameters if is_number(request.get(each.name, each.default))}
    return frozenset(names)


def _checked(where: str, request: object, parameters: Sequence[Parameter], costly: bool) -> dict[str, Any]:
    if not isinstance(request, dict):
        refuse(where, "an object", request)
    known = {parameter.name: parameter for parameter in parameters}
    for name, value in request.items():
        if name not in known:
            raise ReportError(f"{where}: there is no argument {kind_of_json(name)}; there are {', '.join(known)}")
        _check(f"{where}.{name}", known[name], value)
        if name in DRAWS and not costly and is_number(value) and value > (most := _most_draws(known[name])):
            raise ReportError(
                f"{where}.{name} asks for {value:.12g} draws, and at most {most} are repeated, as more may take hours; "
                "costly=True (--costly) repeats them all"
            )
    return request


def _most_draws(parameter: Parameter) -> int:
    """Some times the default, which any report of such a table asks for."""
    usual = parameter.default
    return max(MOST_DRAWS, MOST_OF_USUAL * (usual if isinstance(usual, int) else MOST_DRAWS))


def _check(where: str, parameter: Parameter, value: object) -> None:
    if parameter.checked_by:
        load(parameter.checked_by)(where, value)
    elif parameter.several and isinstance(value, list):
        for i, entry in enumerate(value):
            if not _holds(parameter, entry):
                refuse(f"{where}[{i}]", _rule(parameter), entry)
    elif parameter.type is bool:
        if not isinstance(value, bool):
            refuse(where, "true or false", value)
    elif value is not None and not _holds(parameter, value):
        refuse(where, f"{_rule(parameter)} or null", value)


def _holds(parameter: Parameter, value: object) -> bool:
    if isinstance(value, str):
        return parameter.type is str or parameter.text_too
    return parameter.type is not str and is_number(value)


def _rule(parameter: Parameter) -> str:
    return "a string" if parameter.type is str else "a number, or text" if parameter.text_too else "a number"


def is_number(value: object) -> bool:
    """A whole number beyond floating point is none: what computes with it would fail."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


# --- arguments that are objects ---------------------------------------------------------------------------------


def check_margins(where: str, value: object) -> None:
    """Of several metrics: a number or a percentage of each."""
    _check_object(where, value, "a number or a percentage", lambda entry: is_number(entry) or isinstance(entry, str))


def check_own_margins(where: str, value: object) -> None:
    """Of a check: problems with a margin of their own."""
    if value is not None:
        check_margins(where, value)


def check_order(where: str, value: object) -> None:
    """Of a timing: the commands of each round in their order."""
    if value is not None:
        _check_object(where, value, "a list of names", _are_texts)


def check_words(where: str, value: object) -> None:
    """Of a timing: how it was measured."""
    _check_object(where, value, "a string", lambda entry: isinstance(entry, str))


def check_own_words(where: str, value: object) -> None:
    """Of a history: commits, if any."""
    if value is not None:
        check_words(where, value)


def _check_object(where: str, value: object, rule: str, holds: Callable[[object], bool]) -> None:
    if not isinstance(value, dict):
        refuse(where, "an object", value)
    for key, entry in value.items():
        if not holds(entry):
            refuse(f"{where}.{key}", rule, entry)


def check_context(where: str, value: object) -> None:
    """Of a check: what the files said besides scores."""
    if not isinstance(value, dict) or not set(value) <= set(CONTEXT):
        refuse(where, f"an object of {', '.join(CONTEXT)}", value)
    for key, entry in value.items():
        rule, holds = CONTEXT[key]
        if not holds(entry):
            refuse(f"{where}.{key}", rule, entry)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_object_of_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 1


CONTEXT: dict[str, tuple[str, Callable[[object], bool]]] = {
    "failed": ("an object of texts", _is_object_of_texts),
    "failed_before": ("an object of texts", _is_object_of_texts),
    "noted": ("a list of texts", _are_texts),
    "iterations": ("a whole number from 1 on", _is_count),
    "exact": ("a list of texts", _are_texts),
    "about": ("an object of texts", _is_object_of_texts),
    "accepted": ("an object of texts", _is_object_of_texts),
    "today": ("a text", lambda value: isinstance(value, str)),
    "looks": ("a whole number from 1 on", _is_count),
    "together": ("true or false", lambda value: isinstance(value, bool)),
    "always_first": ("a text", lambda value: isinstance(value, str)),
    "unit": ("a text or null", lambda value: value is None or isinstance(value, str)),
}
