"""Optional third-party packages: the only place that imports a module by its name on a user's behalf."""

import importlib
import importlib.util
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bakeoff.errors import MissingPackageError


def optional(name: str, advice: str = "") -> Any:
    """The module ``name``. Absent: a :class:`MissingPackageError` with ``advice``, or ImportError without any."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if not advice:
            raise
        raise MissingPackageError(advice) from None


def installed(name: str) -> bool:
    """Whether a top-level package could be imported, without importing it."""
    return importlib.util.find_spec(name) is not None


@cache
def version(name: str) -> str:
    """The version of an installed package, without importing it: as one of its files says, else as its metadata do."""
    spec = importlib.util.find_spec(name)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        file = Path(folder, "version.py")
        written = re.search(r'^(?:full_)?version = "(.+)"$', file.read_text("utf-8"), re.M) if file.is_file() else None
        if written:
            return written[1]
    from importlib import metadata  # loads the reader of e-mail

    return metadata.version(name)


def make_frame(columns: Mapping[str, Any]) -> Any:
    """A data frame of these columns: pandas if it is installed, else polars."""
    for package in ("pandas", "polars"):
        try:
            return optional(package).DataFrame(dict(columns))
        except ImportError:
            continue
    raise MissingPackageError("a data frame needs pandas or polars: pip install pandas")


def below_the_lowest() -> list[str]:
    """Packages that bakeoff needs and that are older than it declares: ``click 8.1.8 (8.2.1 is needed)``."""
    from importlib import metadata  # not at every start

    try:
        needed = metadata.requires("bakeoff") or []
    except metadata.PackageNotFoundError:  # imported from a folder that was never installed
        return []
    outdated = []
    for match in filter(None, (re.fullmatch(r"([\w-]+)\s*>=\s*([\d.]+)", each) for each in needed)):
        have = metadata.version(match[1])
        if _release(have) < _release(match[2]):
            outdated.append(f"{match[1]} {have} ({match[2]} is needed)")
    return outdated


def _release(version: str) -> tuple[int, ...]:
    """8.2.1rc1 as (8, 2, 1)."""
    digits = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, digits[0].split("."))) if digits else ()
