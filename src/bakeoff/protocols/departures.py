"""A result with its protocol, and the departures from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bakeoff.analyses import by_kind, of_command
from bakeoff.dataclass import asdict, dataclass
from bakeoff.errors import ParameterError, counted, listing, plain
from bakeoff.parameter import Parameter
from bakeoff.protocols.protocol import OF_KEPT, Protocol, is_default, planned_parameters
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores

# A result with the protocol that it was planned by.


class Registered(Reportable):
    """A result with its protocol as JSON has it: content, digest, departures and the reason for them."""

    __slots__ = ("protocol", "result")

    def __init__(self, result: Reportable, protocol: dict[str, Any]) -> None:
        self.result = result
        self.protocol = protocol

    @property
    def kind(self) -> str:  # type: ignore[override]
        """That of the result."""
        return self.result.kind

    @property
    def decision(self) -> str | None:
        """That of the result."""
        return self.result.decision

    def __getattr__(self, name: str) -> Any:
        if name in Registered.__slots__:  # not there yet while a copy is made
            raise AttributeError(name)
        return getattr(self.result, name)


# What was planned, beside what was done.

OF_THE_TABLE = ("unit", "paired")
"""Parameters whose default is what the table says."""
MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Departure:
    """One choice: what was planned, and what was done."""

    choice: str
    planned: str
    found: str


def check_against_protocol(
    result: Reportable, protocol: Protocol, reason: str | None = None, *, strict: bool = True
) -> Registered:
    """The result beside its protocol.

    Parameters
    ----------
    result : result of an analysis
        Of the command that the protocol plans.
    protocol : Protocol
        What was planned.
    reason : str, optional
        Why it departs from that.
    strict : bool
        Refuse departures without a reason, and a reason without departures.

    Raises
    ------
    ParameterError
        A result of another command; departures without a reason, each by its name.
    """
    record = by_kind()[getattr(result, "comparison", result).kind]
    if record.schema != of_command(protocol.command).schema:
        rule = f": the protocol plans bakeoff {protocol.command}, and says nothing of {record.command or record.kind}"
        raise ParameterError(rule, parameter="protocol")
    departed = list(departures(result, protocol))
    if strict and departed and not (reason or "").strip():
        named = [f"{_flag(each.choice, protocol)}: planned was {each.planned}, not {each.found}" for each in departed]
        rule = f"does not allow this. {listing(named, 20)}. Leave it out, or say why it departs: --deviate REASON"
        raise ParameterError(rule, parameter="protocol")
    if strict and reason is not None and not departed:
        raise ParameterError("gives a reason, but nothing departs from the protocol: leave it out", parameter="deviate")
    kept: dict[str, Any] = {"sha256": protocol.sha256, "content": dict(protocol.content)}
    kept |= {"departures": [asdict(each) for each in departed], "reason": (reason or "") if departed else ""}
    return Registered(result, kept)


def departures(result: Any, protocol: Protocol) -> Iterator[Departure]:
    """Each choice of the protocol that the result was not made by, in the order of the protocol."""
    plan = protocol.content
    whole = getattr(result, "comparison", result)
    tables = _tables(whole)
    scores = next(iter(tables.values()))
    direction: Any = {name: table.better for name, table in tables.items()}
    direction = direction if isinstance(plan["better"], Mapping) else scores.better
    if direction != plan["better"]:
        yield Departure("better", _words(plan["better"]), _words(direction))
    for noun in ("algorithms", "problems"):
        yield from _of_names(noun, plan[noun], getattr(scores, noun))
    done = _what_became_of_missing(tables, whole.request)
    if done not in ("", plan["missing"]):
        yield Departure("missing", plan["missing"], done)
    for parameter in planned_parameters(protocol.command):
        of_table = parameter.name == "weights"
        planned, actual = plan[parameter.name], scores.weights if of_table else whole.request.get(parameter.name)
        if not _as_planned(parameter, planned, actual, scores, whole.request):
            actual = scores.design.weights if of_table else actual
            yield Departure(parameter.name, _words(planned), "none" if actual is None else _words(actual))


def _tables(result: Any) -> dict[str, Scores]:
    """By metric; of one table, by nothing."""
    several = getattr(result, "metrics", None)
    return {"": result.scores} if several is None else dict(several)


def _of_names(noun: str, planned: Any, actual: tuple[str, ...]) -> Iterator[Departure]:
    if isinstance(planned, list):
        names = {plain(name).strip() for name in actual}
        planned_names = {plain(name).strip() for name in planned}
        parts = [("without", sorted(planned_names - names)), ("with", sorted(names - planned_names))]
        parts_shown = [f"{how} {listing(some, MOST_NAMED)}" for how, some in parts if some]
        if parts_shown:
            yield Departure(noun, f"the {len(planned)} named", "; ".join(parts_shown))
    elif isinstance(planned, Mapping):
        if len(actual) < planned["at_least"]:
            yield Departure(noun, f"at least {planned['at_least']}", str(len(actual)))
    elif planned != "any" and len(actual) != planned:
        yield Departure(noun, str(planned), str(len(actual)))


def _what_became_of_missing(tables: Mapping[str, Scores], request: Mapping[str, Any]) -> str:
    """The policy that shows in the table; empty where nothing shows."""
    if (way := request.get("missing")) in OF_KEPT:
        return str(way)
    ways = {
        "keep": any(bool(s.holes.any()) for s in tables.values()),
        "drop": any(s.dropped for s in tables.values()),
        "worst": any(s.filled for s in tables.values()),
    }
    return next((way for way, shows in ways.items() if shows), "")


def _as_planned(parameter: Parameter, planned: Any, actual: Any, scores: Scores, request: Mapping[str, Any]) -> bool:
    if parameter.name in OF_THE_TABLE:
        if planned == "default" and parameter.name == "paired":
            return True  # the files say whether runs of one name belong together
        if scores.clusters is None and parameter.name == "unit":
            return True  # without clusters both are the same
        if planned == "default":  # clusters that are suites hold problems, not units
            planned = "problem" if _listed(scores.tasks) == _listed(scores.clusters) else "cluster"
    if parameter.name == "suites" and not is_default(parameter, planned):
        by_prefix = [name.split("/", 1)[0] for name in scores.problems]
        planned, actual = {"clusters": scores.clusters, "prefix": by_prefix}.get(str(planned), planned), scores.tasks
    if is_default(parameter, planned):
        usual = parameter.usual.split(" ", 1)[0] if parameter.choices else parameter.usual  # "task where there are …"
        return actual is None or actual == parameter.default or str(actual) == usual
    if isinstance(planned, Mapping):
        return {key: _plain(each) for key, each in planned.items()} == {
            k: _plain(v) for k, v in dict(actual or {}).items()
        }
    if parameter.name == "cap" and isinstance(planned, str) and not isinstance(actual, int | float | str):
        return actual is not None  # a column: a limit for each problem
    return _listed(planned) == _listed(actual)


def _listed(value: Any) -> list[Any]:
    return [_plain(each) for each in (value if isinstance(value, list | tuple) else [value])]


def _plain(value: Any) -> Any:
    """A number by its value: "0.5" of a command line is one."""
    try:
        return value if isinstance(value, bool) or value is None else float(value)
    except (TypeError, ValueError, OverflowError):
        return value


def _flag(name: str, protocol: Protocol) -> str:
    known = {parameter.name: parameter for parameter in planned_parameters(protocol.command)}
    if name in known and known[name].on_command:
        return known[name].flag
    return f"--{name}" if name in ("better", "missing", "weights") else name


def _words(value: Any) -> str:
    """For a sentence."""
    if isinstance(value, Mapping):
        return ", ".join(f"{plain(str(key))} {_words(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return listing([_words(each) for each in value], MOST_NAMED) if value else counted(0, "value")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(f"{value:g}" if isinstance(value, float) else str(value))
