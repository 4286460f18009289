"""Stores of runs in place of a table of scores, recognised by suffix. The wing *run* reads them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bakeoff.wing import provided

if TYPE_CHECKING:
    from bakeoff.errors import Caution
    from bakeoff.scores import Scores

SUFFIXES = (".sqlite", ".sqlite3", ".db")


def is_store(file: str) -> bool:
    """Is it a store of runs? The storage of another program may have the same suffix."""
    if os.path.splitext(file)[1].lower() not in SUFFIXES or provided("stores") is None:
        return False
    formats = provided("formats")
    return formats is None or not formats.is_own_storage(file)


def store_scores(file: str, better: str | None, reading: Mapping[str, Any]) -> Scores:
    """The scores of a store's finished problems; the store holds their direction and layout."""
    scores: Scores = provided("stores").scores_in(file, better, reading)
    return scores


def store_cautions(file: str) -> tuple[Caution, ...]:
    """What the table of a store's scores does not say: that its experiment stopped early, or is unfinished."""
    cautions: tuple[Caution, ...] = provided("stores").cautions_on(file)
    return cautions


def with_store_cautions(file: str, result: Any) -> Any:
    """A result on a store's scores, with cautions on early stopping and unfinished experiments."""
    return with_source_cautions(result, store_cautions(file)) if is_store(file) else result


def with_source_cautions(result: Any, added: tuple[Caution, ...]) -> Any:
    """A result with cautions on what its table of scores does not say."""
    from bakeoff.errors import by_severity

    return dataclasses.replace(result, cautions=tuple(by_severity((*added, *result.cautions))), added=added)
