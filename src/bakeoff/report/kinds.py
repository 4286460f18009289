"""What describes a result, and what a picture of it shows: places that its record names."""

from typing import Any, Protocol, cast

from bakeoff.analyses import by_kind, functions_of
from bakeoff.analysis import Analysis
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.places import load
from bakeoff.protocols.registered import Registered
from bakeoff.report.document import Document
from bakeoff.report.sheets import Sheets


class Describing(Protocol):
    """What a module says of one kind of result."""

    def verdict(self, result: Any, /) -> str:
        """The sentence to remember."""

    def document(self, result: Any, /, command: str | None = None) -> Document:
        """The report without a format; ``command`` is the command line that asked for it, if one did."""

    def to_dict(self, result: Any, /, command: str | None = None) -> dict[str, Any]:
        """The content of ``--json``."""

    def sheets(self, result: Any, /) -> Sheets:
        """The result as columns."""


def kind_of(result: object) -> Analysis:
    """The record of what gave ``result``: by its ``kind``."""
    record = by_kind().get(getattr(result, "kind", ""))
    if record is None:
        raise WrongTypeError(
            f"there is no report of a {type(result).__name__}; give the result of {functions_of(by_kind())}"
        )
    return record


def describing(record: Analysis) -> Describing:
    """The module that describes a result of this kind."""
    return cast(Describing, load(record.describes))


def pictured(record: Analysis, result: Any) -> Any:
    """What a picture of the result shows: itself, or a part."""
    if record.no_picture:
        raise ParameterError(f"there is no figure of {record.no_picture}")
    inner = result.result if isinstance(result, Registered) else result
    return load(record.pictured)(inner) if record.pictured else inner
