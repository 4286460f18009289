"""``request`` of a report: the arguments of the call, each checked as the record of its parameter says."""

from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff.analyses import by_kind, by_schema
from bakeoff.errors import ReportError
from bakeoff.parameter import Parameter
from bakeoff.places import load
from bakeoff.report.reading_back import is_number, kind_of_json, refuse

BELOW_A_COMPARISON = {"sensitivity": "examined", "leaderboard": "ranked"}
"""Key of the part in the report of a comparison: the kind of both together, whose parameters are those of the part."""

DRAWS = ("n_draws", "n_resamples")
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
