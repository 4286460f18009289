"""The result that a report in JSON describes, computed again from its scores and the arguments of its call.

Every argument in ``request`` is checked as the record of its parameter says.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bakeoff.analyses import by_schema
from bakeoff.errors import SEVERITIES, BakeoffError, Caution, ReportError, by_severity, plain
from bakeoff.parameter import Parameter
from bakeoff.places import load
from bakeoff.protocols import Protocol, Registered, check_against_protocol
from bakeoff.report.reading_back import entry_list, is_number, kind_of_json, rebuilt_scores, refuse

DRAWS = ("n_draws", "n_resamples")
MOST_DRAWS, MOST_OF_USUAL = 100_000, 10
"""More would keep whoever verifies a report busy for hours; a million where the default is a choice."""


_EARLIER = {
    "bakeoff.interquartile-mean/1": "bakeoff.iqm/1",
    "bakeoff.timing/1": "bakeoff.time/1",
    "bakeoff.plackett-luce/1": "bakeoff.bayes-plackett-luce/1",
    "bakeoff.study.power/1": "bakeoff.study-power/1",
    "bakeoff.study.known-truth/1": "bakeoff.study-known-truth/1",
}
"""Schemas by the names that earlier versions wrote."""
_OF_TABLE = ("bakeoff.study-power/1", "bakeoff.study-known-truth/1")


def schema_of(content: Mapping[str, Any], origin: str) -> str:
    """The schema of a report that can be computed again; any other report is refused, with what to do instead."""
    schema = content.get("schema")
    if isinstance(schema, str) and schema in by_schema():
        return schema
    if isinstance(schema, str) and schema.startswith("bakeoff."):
        raise ReportError(f"{origin} is a {plain(schema)[:40]} report, {_not_computed(schema)}")
    got = "there is none" if schema is None else f"it is {kind_of_json(schema)}"
    example = next(iter(by_schema()))
    raise ReportError(
        f"{origin} is no report of bakeoff: its key 'schema' must be that of a report, such as {example!r}; {got}"
    )


def _not_computed(schema: str) -> str:
    """Why a report is not computed again, and what to do instead."""
    if schema in _EARLIER:
        now = f"which an earlier version wrote, and which is {_EARLIER[schema]} now"
        return f"{now}: compute the report again, or verify it with the version that wrote it"
    if schema.startswith("bakeoff.study-"):
        of_table = "on the same table, " if schema in _OF_TABLE else ""
        again = f"repeat the study {of_table}with the arguments and the seed in it"
        return f"and studies are not computed again: {again}; equal seeds give equal numbers (bakeoff study --help)"
    if schema == "bakeoff.check-refused/1":
        return "which says that nothing could be compared"
    if schema in ("bakeoff.run/1", "bakeoff.race/1"):
        return "which is not computed from a table of scores; verify its store: bakeoff verify RUNS.sqlite"
    kinds = ", ".join(record.kind for record in by_schema().values())
    return f"which is not computed again; reports of {kinds} are"


class TooManyDraws(ReportError):
    """A report asks for more random draws than are repeated without a word."""


def computed_again(content: Mapping[str, Any], origin: str, costly: bool = False) -> tuple[Any, Any]:
    """The result that a report describes, and what it is computed from: scores, or curves, battles, several tables.

    ``origin`` is what errors call the report. Without ``costly``, a report of very many random draws is refused.
    """
    schema = schema_of(content, origin)
    key, rebuild = by_schema()[schema].source or ("", "")
    if key not in content and "scores" not in content:
        raise ReportError(f"{origin} holds no scores, from which it would be computed again: they were removed")
    try:
        source = load(rebuild)(content) if key in content else rebuilt_scores(content["scores"])
        return repeated(content, schema, source, costly), source
    except ReportError as error:
        raise type(error)(f"{origin}: {error}") from None
    except BakeoffError as error:
        raise ReportError(f"{origin}: request: {error}") from None


def repeated(content: Mapping[str, Any], schema: str, source: Any, costly: bool) -> Any:
    """The result, computed from ``source`` with the request of the report, beside its protocol if it names one."""
    computed = load(by_schema()[schema].computes)(source, **arguments(content, schema, costly))
    added = added_cautions(content)
    computed = replace(computed, cautions=tuple(by_severity((*added, *computed.cautions))), added=added)
    return _with_protocol(computed, content["protocol"]) if "protocol" in content else computed


def _with_protocol(computed: Any, stated: object) -> Registered:
    """Beside the protocol in the report, whose digest and departures are found again."""
    if not isinstance(stated, dict) or not isinstance(stated.get("content"), dict):
        raise ReportError(f"protocol must be an object with its content; it is {kind_of_json(stated)}")
    reason = stated.get("reason")
    if not isinstance(reason, str):
        raise ReportError(f"protocol.reason must be a string; it is {kind_of_json(reason)}")
    registered = check_against_protocol(computed, Protocol.of(stated["content"]), reason, strict=False)
    if registered.protocol["departures"] and not reason.strip():
        raise ReportError("protocol.reason must say why the report departs from its protocol; it is empty")
    return registered


def added_cautions(content: Mapping[str, Any]) -> tuple[Caution, ...]:
    """Cautions about where the table came from, which it cannot give itself."""
    entries = entry_list(content.get("added_cautions", []), "added_cautions", "a list")
    for i, entry in enumerate(entries):
        if not isinstance(entry, dict) or set(entry) != {"code", "object", "text", "reference", "severity"}:
            refuse(f"added_cautions[{i}]", "an object of code, object, text, reference and severity", entry)
        for key, value in entry.items():
            if not isinstance(value, str):
                refuse(f"added_cautions[{i}].{key}", "a string", value)
        if entry["severity"] not in SEVERITIES:
            refuse(f"added_cautions[{i}].severity", f"one of {', '.join(SEVERITIES)}", entry["severity"])
    return tuple(Caution(**entry) for entry in entries)


# --- the arguments of the call ----------------------------------------------------------------------------------


def arguments(content: Mapping[str, Any], schema: str, costly: bool) -> dict[str, Any]:
    """``request``, checked; ``costly``: however many draws it asks for."""
    return _checked(content.get("request"), by_schema()[schema].parameters, costly)


def _checked(request: object, parameters: Sequence[Parameter], costly: bool) -> dict[str, Any]:
    if not isinstance(request, dict):
        refuse("request", "an object", request)
    known = {parameter.name: parameter for parameter in parameters}
    for name, value in request.items():
        if name not in known:
            raise ReportError(f"request: there is no argument {kind_of_json(name)}; there are {', '.join(known)}")
        _check(f"request.{name}", known[name], value)
        if name in DRAWS and not costly and is_number(value) and value > (most := _most_draws(known[name])):
            raise TooManyDraws(
                f"request.{name} asks for {value:.12g} draws, and at most {most} are repeated, as more may take hours"
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
