"""The command that a report prints: parsed as the program does, and held against what the report was asked for."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bakeoff.analysis import Analysis
from bakeoff.checks import closest_to
from bakeoff.errors import ParameterError, plain
from bakeoff.parameter import Parameter
from bakeoff.places import load
from bakeoff.report.appearance import APPEARANCE, Appearance
from bakeoff.report.reading_back import kind_of_json
from bakeoff.wings.verify.origin import stated_better
from bakeoff.wings.verify.results import Difference

_CHECKED = {"file", "scores", "label", "better", "deviate", "protocol"}
_CHOSEN_BY_THE_TABLE = "unit"  # clusters, if it has some
_NOT_ALWAYS_USED = "rng"


class Typed(NamedTuple):
    """``look`` is what the command asked of the looks of its reports, which are the choice of who wrote them."""

    text: str | None
    differences: list[Difference]
    notes: list[str]
    look: Appearance = APPEARANCE


def command_of(content: Mapping[str, Any], record: Analysis) -> Typed:
    """Where the command is none of bakeoff, or asks for something else than this report, of this ``record``."""
    text = content.get("command")
    if text is None:
        return Typed(None, [], [])
    try:
        if not isinstance(text, str):
            raise ParameterError("is no text", parameter="command")
        printed = load("cli.printed:parse_command")(text)
        look = load("cli.looks:look_of")(printed.values.get("title"), printed.values.get("look", ()))
    except ParameterError as error:
        refused = _differ("command", text, "a command line that bakeoff takes", "expected")
        return Typed(text if isinstance(text, str) else None, [refused], [f"The {str(error).rstrip('.')}."])
    by_method = f"{printed.command}-{printed.values.get('method')}" == record.kind
    of_folds = record.kind == f"{printed.command}-folds" and not printed.values.get("method")
    if printed.command != record.command and not by_method and not of_folds:
        return Typed(text, [_differ("command", text, f"one that gives a {record.kind}", "expected")], [], look)
    request = content.get("request")
    request = request if isinstance(request, dict) else {}
    differences, unlike = [], []
    planned = "protocol" in printed.values  # it chooses what the command does not say
    taken = [parameter for parameter in record.parameters if parameter.on_command and parameter.name in printed.flags]
    for parameter in taken:
        if planned and parameter.name not in printed.values:
            continue
        requested = request.get(parameter.name, parameter.default)
        if isinstance(requested, dict):
            unlike.append(printed.flags[parameter.name])
        elif not _agree(parameter, printed.values.get(parameter.name), requested):
            place = f"command {printed.flags[parameter.name]}"
            differences.append(_differ(place, printed.values.get(parameter.name), _shown(requested), "in the request"))
    if "protocol" in printed.flags and planned != ("protocol" in content):
        differences.append(_differ("command --protocol", "given" if planned else None, "not so", "in the report"))
    differences += _direction(printed.values.get("better"), content)
    known = {parameter.name for parameter in taken} | printed.of_looks | _CHECKED
    known |= {"method"} if by_method else set()
    unlike += [printed.flags[name] for name in printed.values if name in printed.flags and name not in known]
    notes = [f"Not checked, in the command: {', '.join(unlike)}."] if unlike else []
    return Typed(text, differences, notes, look)


def _agree(parameter: Parameter, typed: Any, requested: Any) -> bool:
    """Does the request say what the command does? What is not typed is the default, or what stands for it."""
    if typed is None and parameter.negative:  # the files suggest it
        return True
    typed = parameter.default if typed is None else typed
    if typed == "auto" or (typed is None and parameter.name == _CHOSEN_BY_THE_TABLE):
        return True
    if parameter.name == _NOT_ALWAYS_USED and (requested is None or typed is None):
        return requested in (None, 0)
    return _form(typed) == _form(requested)


def _form(value: Any) -> object:
    """Numbers as such, lists of names without the commas between them."""
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",") if part.strip()]
        if len(parts) != 1:
            return tuple(map(_form, parts))
        try:
            return float(parts[0])
        except ValueError:
            return parts[0]
    if isinstance(value, list | tuple):
        listed = tuple(part for each in map(_form, value) for part in (each if isinstance(each, tuple) else (each,)))
        return listed[0] if len(listed) == 1 else listed
    return float(value) if isinstance(value, int | float) else value


def _direction(better: str | None, content: Mapping[str, Any]) -> list[Difference]:
    stated = stated_better(content)
    target = closest_to(better)
    if better is None or stated in (None, better) or (target is not None and target == closest_to(stated)):
        return []
    return [_differ("command --better", better, _shown(stated), "in the report")]


def _shown(value: Any) -> str:
    return "nothing" if value is None else plain(kind_of_json(list(value) if isinstance(value, tuple) else value))


def _differ(where: str, typed: object, instead: str, source: str) -> Difference:
    return Difference(where=where, said=_shown(typed), found=instead, source=source)
