"""The record of every statistical procedure: its function, its names, and whom to cite for it.

Each family keeps its records in one dict, by name (``omnibus.OMNIBUS``, ``paired.PAIRED``, ``posthoc.PAIRWISE``,
``adjusting.CONTROL_METHODS`` and ``PAIRWISE_METHODS``, ``posthoc.POSTHOC``, ``effects.EFFECTS``). compare(), the
command line, the reports and the citations look there and nowhere else, so a record is all that a new procedure needs.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from bakeoff.dataclass import KW_ONLY, dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A name as users type it, and what a report makes of it."""

    name: str
    short: str  # in tables and headings
    phrase: str  # in a sentence: "… by ‹phrase›"
    _: KW_ONLY
    cite: tuple[str, ...] = ()  # keys of the bibliography

    @property
    def noun(self) -> str:
        """The phrase without its article: ``sign test``."""
        return self.phrase.removeprefix("the ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Term):
    """A procedure that can be called; the families say with what."""

    function: Callable[..., Any]


T = TypeVar("T", bound=Term)


def by_name(*records: T) -> dict[str, T]:
    """The records of a family, in the order in which they are listed everywhere."""
    return {record.name: record for record in records}
