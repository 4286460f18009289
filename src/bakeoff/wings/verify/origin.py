"""Author and direction of a report."""

import re
from collections.abc import Mapping
from typing import Any

from bakeoff._version import RELEASED, __version__
from bakeoff.checks import choice, closest_to
from bakeoff.errors import ParameterError, ReportError, listing, plain
from bakeoff.report.methods import versions
from bakeoff.report.reading_back import kind_of_json
from bakeoff.wings.verify.results import Difference

_NUMBERS = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", re.ASCII)
_VERSION = re.compile(  # of PEP 440; Python itself adds a plus between releases
    r"\d{1,9}(?:\.\d{1,9}){1,5}(?:(?:a|b|rc)\d{1,9})?(?:\.post\d{1,9})?(?:\.dev\d{1,9})?"
    r"(?:\+(?:[a-z0-9]{1,12}(?:\.[a-z0-9]{1,12}){0,3})?)?",
    re.ASCII,
)


def writing_version(content: Mapping[str, Any], origin: str) -> str:
    """The version of bakeoff that wrote the report; one that is unknown here is refused."""
    stated, names = content.get("versions"), list(versions())
    if not isinstance(stated, dict) or set(stated) != set(names) or {type(v) for v in stated.values()} != {str}:
        got = "there is none" if "versions" not in content else f"it is {kind_of_json(stated)}"
        rule = f"its key 'versions' must be an object of the versions of {listing(names)}; {got}"
        raise ReportError(f"{origin} is no whole report of bakeoff: {rule}")
    for program, version in stated.items():
        if program != "bakeoff" and not _VERSION.fullmatch(version):
            raise ReportError(
                f"{origin}: versions.{program} must be a version, such as {versions()[program]!r}; it is "
                f"{kind_of_json(version)}"
            )
    name: str = stated["bakeoff"]
    if name in (__version__, *RELEASED):
        return name
    shown = plain(name)[:40]
    if _parts(name) > _parts(__version__):
        raise ReportError(
            f"{origin} was written by bakeoff {shown}, which is newer than this one ({__version__}): verify it with "
            f"bakeoff {shown}"
        )
    raise ReportError(
        f"{origin} names bakeoff {shown} as its writer, which was never released: reports of bakeoff "
        f"{' or '.join((*RELEASED, __version__))} are verified here. Compute the report again from its scores"
    )


def _parts(version: str) -> tuple[int, ...]:
    match = _NUMBERS.match(version)
    return () if match is None else tuple(map(int, match.groups()))


def stated_better(content: Mapping[str, Any]) -> Any:
    """Which scores are good, as the report has it, in the words of ``read_scores``: ``lower``, ``closest-to=0``."""
    table = content.get("scores")
    if not isinstance(table, dict):
        return content.get("better")
    reading = table.get("reading")
    target = reading.get("closest_to") if isinstance(reading, dict) else None
    return table.get("better") if target is None else f"closest-to={str(target).removesuffix('.0')}"


def stated_directions(source: Any, key: str) -> dict[str, str]:
    """Which scores are good, by the place in the report; of several metrics each has its own.

    ``key`` is that of what the report is about. Battles have no direction.
    """
    if isinstance(source, Mapping):
        return {f"{key}[{kind_of_json(name)}].better": table.better for name, table in source.items()}
    return {f"{key}.better": source.better} if hasattr(source, "better") else {}


def direction_in_words(source: object) -> str:
    """``lower scores are better``; empty for battles, which have no direction."""
    if isinstance(source, Mapping):
        return ", ".join(f"{table.better} {plain(name)} is better" for name, table in source.items())
    return "".join(f"{better} scores are better" for better in stated_directions(source, "").values())


def direction_differences(source: object, key: str, better: object) -> list[Difference]:
    """Where the report is in another direction than the one asked for."""
    if better is None:
        return []
    requested = "lower" if closest_to(better) is not None else choice("better", better, ("lower", "higher"))
    directions = stated_directions(source, key)
    if not directions:
        raise ParameterError("is for scores; the report is about battles: leave it out", parameter="better")
    return [
        Difference(where=place, said=direction, found=requested, source="asked for")
        for place, direction in directions.items()
        if direction != requested
    ]
