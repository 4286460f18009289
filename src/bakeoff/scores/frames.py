"""Columns -> a data frame, by whichever library is installed."""

from collections.abc import Mapping
from typing import Any

from bakeoff.errors import MissingPackageError
from bakeoff.packages import optional


def make_frame(columns: Mapping[str, Any]) -> Any:
    """A data frame of these columns: pandas if it is installed, else polars."""
    for package in ("pandas", "polars"):
        try:
            return optional(package).DataFrame(dict(columns))
        except ImportError:
            continue
    raise MissingPackageError("a data frame needs pandas or polars: pip install pandas")
