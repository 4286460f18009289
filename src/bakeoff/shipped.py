"""The tables that come with bakeoff, by name, as in ``bo.compare("derrac_cec2005")``. A file of that name wins."""

import os
from functools import cache
from typing import Any, Literal

from bakeoff.checks import did_you_mean
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, UnknownNameError
from bakeoff.files import nearby

_FOLDER = os.path.join(os.path.dirname(__file__), "datasets")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedTable:
    """``source``: whom to cite, ``cited`` in short; ``scores``: what they are."""

    name: str
    better: Literal["lower", "higher"]
    scores: str
    cited: str
    source: str

    @property
    def path(self) -> str:
        return os.path.join(_FOLDER, f"{self.name}.csv")

    @property
    def said(self) -> str:
        """As the second line of a report names it."""
        return f"{self.name}: {self.cited}"

    def refuse_direction(self, better: object) -> None:
        """Its direction is known, so that another one is an error."""
        if better != self.better:
            raise ParameterError(
                f"must be {self.better!r} for {self.name}, whose scores are {self.scores}; got {better!r}",
                parameter="better",
            )


@cache
def tables() -> dict[str, ShippedTable]:
    import tomllib  # start-up is part of the interface, and only names that are no files are looked up

    with open(os.path.join(_FOLDER, "tables.toml"), "rb") as file:
        return {name: ShippedTable(name=name, **about) for name, about in tomllib.load(file).items()}


def table_named(name: object) -> ShippedTable:
    if isinstance(name, str) and name in tables():
        return tables()[name]
    raise UnknownNameError(
        f": there is no data set {name!r}{did_you_mean(name, tables())}; there are {', '.join(tables())}",
        parameter="name",
    )


def shipped(source: Any) -> ShippedTable | None:
    """The table that a path names where no such file exists."""
    if not isinstance(source, str | os.PathLike):
        return None
    path = os.fsdecode(os.fspath(source))
    return None if not path.isidentifier() or os.path.lexists(path) else tables().get(path)


def nearby_names(path: str) -> str:
    """``; did you mean 'scores.csv'?``, or a table that comes with bakeoff."""
    if hint := nearby(path):
        return hint
    stem = os.path.splitext(path)[0]
    return did_you_mean(stem, tables()) if os.path.basename(path) == path else ""
