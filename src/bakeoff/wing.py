"""A wing: a family of analyses, readers and commands that the core does not know.

The core (every other folder of the package) works without any wing. A wing is a folder below ``wings`` with a header,
``wing.py``, that registers what it adds, by place ("module:name" below ``bakeoff``): to list it loads nothing. A wing
imports the core, and of other wings those that its header names. Its sentences of cautions are in its folder
``cautions``, the JSON Schemas of its reports in ``schemas``.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bakeoff.dataclass import dataclass, field
from bakeoff.places import load

PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class CommandPlace:
    """A command that gives no result of an analysis: its heading in ``bakeoff --help``, its line there, its place."""

    group: str
    help: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wing:
    """The header of a wing.

    Attributes
    ----------
    about : str
        What it is for, in a line.
    imports : tuple of str
        The other wings that its modules may import.
    analyses : tuple of str
        Packages with ``RECORDS``, one per analysis, in the order of ``bakeoff --help``.
    commands : dict of str to CommandPlace
        Commands beside those of its analyses.
    provides : dict of str to str
        By extension point, the place of what the core calls there: ``formats`` (files of other programs) and
        ``stores`` (stores of runs).
    """

    about: str
    imports: tuple[str, ...] = ()
    analyses: tuple[str, ...] = ()
    commands: Mapping[str, CommandPlace] = field(default_factory=dict)
    provides: Mapping[str, str] = field(default_factory=dict)


@cache
def wing_names() -> tuple[str, ...]:
    """The wings that are there; none is loaded."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules([str(PACKAGE / "wings")])))


@cache
def wings() -> dict[str, Wing]:
    """Every wing that is there, by name."""
    return {name: load(f"wings.{name}.wing:WING") for name in wing_names()}


def provided(point: str) -> Any:
    """Load what the wing at hand provides at this extension point; None if there is no such wing."""
    place = next((wing.provides[point] for wing in wings().values() if point in wing.provides), None)
    return None if place is None else load(place)


def data_folders(name: str) -> list[Path]:
    """The folders of this name that the core and the wings have: ``cautions``, ``schemas``."""
    every = [PACKAGE, *(PACKAGE / "wings" / wing for wing in wing_names())]
    return [folder / name for folder in every if (folder / name).is_dir()]
