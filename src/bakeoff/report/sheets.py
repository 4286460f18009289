"""A result as columns, for data frames and spreadsheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff.errors import Caution


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheets:
    """What a result is as a spreadsheet."""

    pairs: dict[str, list[Any]]
    ranking: list[tuple[Any, ...]]
    cautions: Sequence[Caution]
