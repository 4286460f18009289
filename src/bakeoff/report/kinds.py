"""Kinds of results: where each is described and pictured, and what a report says of the protocol behind it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bakeoff.analyses import by_kind, functions_of, of_kind
from bakeoff.analysis import Analysis
from bakeoff.errors import ParameterError, WrongTypeError, plain
from bakeoff.places import load
from bakeoff.protocols.departures import Registered
from bakeoff.report import sections
from bakeoff.report.document import Block, Document, Paragraph, Points, Section
from bakeoff.report.reporting import Reporting

# What describes a result, and what a picture of it shows: places that its record names.


def kind_of(result: object) -> Analysis:
    """The record of what gave ``result``: by its ``kind``."""
    record = of_kind(getattr(result, "kind", ""))
    if record is None:
        raise WrongTypeError(
            f"there is no report of a {type(result).__name__}; give the result of {functions_of(by_kind())}"
        )
    return record


def describing(record: Analysis) -> Reporting[Any]:
    """The description of results of this kind."""
    described: Reporting[Any] = load(record.describes)
    return described if described.schema else replace(described, schema=record.schema)


def pictured(record: Analysis, result: Any) -> Any:
    """The part of the result that a picture shows, or all of it."""
    if record.no_picture:
        raise ParameterError(f"there is no figure of {record.no_picture}")
    inner = result.result if isinstance(result, Registered) else result
    return load(record.pictured)(inner) if record.pictured else inner


# What a report says of the protocol of its result: departures above the verdict, the protocol below.

TITLE = "Departures from the protocol"
SEALED = (
    "The protocol was fixed before the scores were seen if the line with this SHA-256 was published earlier. Only "
    "that date counts, and nothing here shows it."
)


def departure_lines(protocol: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Each departure, and last the reason; nothing where there are none."""
    lines = [(each["choice"], f"planned: {each['planned']}; done: {each['found']}.") for each in protocol["departures"]]
    return [*lines, ("reason", plain(protocol["reason"]) or "none given")] if lines else []


def with_protocol(document: Document, protocol: Mapping[str, Any]) -> Document:
    """The document with both."""
    listed = sections.points(
        "protocol", "Protocol", [("SHA-256", f"{protocol['sha256']}. {SEALED}"), *_choices(protocol)]
    )
    at = next((i for i, s in enumerate(document.sections) if s.key in ("methods", "references", "provenance")), None)
    there = document.sections
    at = len(there) if at is None else at
    made = (*there[:at], *sections.present(listed), *there[at:])
    return replace(document, sections=made, doubts=_above(document.doubts, protocol))


def _above(doubts: Section | None, protocol: Mapping[str, Any]) -> Section | None:
    """Departures, and after them what else stands above the verdict."""
    lines = departure_lines(protocol)
    if not lines:
        return doubts
    items = Points(tuple((term, text, "") for term, text in lines))
    others: tuple[Block, ...] = () if doubts is None else (Paragraph((doubts.title,)), *doubts.blocks)
    return Section("doubts", TITLE, (items, *others), role="doubts")


def _choices(protocol: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(name, _words(value)) for name, value in protocol["content"].items() if value != ""]


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{plain(str(key)).replace('_', ' ')} {_words(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(f"{value:g}" if isinstance(value, float) else str(value))
