"""Stores of runs where a command expects a table of scores: known by their suffix."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bakeoff.errors import ParameterError

SUFFIXES = (".sqlite", ".sqlite3", ".db")


def is_store(file: str) -> bool:
    return os.path.splitext(file)[1].lower() in SUFFIXES


def store_scores(file: str, better: str | None, reading: Mapping[str, Any]) -> Any:
    """The scores of a store's finished problems; it knows their direction and layout itself."""
    if reading:
        names = ", ".join(f"--{name}" for name in reading)
        raise ParameterError(f"{names}: a store of runs has no columns to choose; leave it out")
    from bakeoff.running.store.contents import read_store
    from bakeoff.running.tables import scores_of

    scores = scores_of(read_store(Path(file)))
    if better is not None and better != scores.better:
        raise ParameterError(
            f"--better {better} contradicts the experiment in {file!r}, where {scores.better} is better; leave it out"
        )
    return scores
