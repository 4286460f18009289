"""The analyses, each a folder with its record: one line here makes the rest of the package know it.

The order is that of ``bakeoff --help``.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache

from bakeoff.analysis import Analysis
from bakeoff.places import load

FOLDERS = (
    "compare",
    "bayes",
    "per_problem",
    "evaluate",
    "profile",
    "runtimes",
    "leaderboard",
    "tradeoff",
    "curves",
    "check",
    "sensitivity",
    "iqm",
    "ratings",
    "time",
    "history",
    "plan",
    "run",
    "race",
    "study",
)


@cache
def all_analyses() -> tuple[Analysis, ...]:
    """Of every kind of result; a folder has one or more, that of its command first."""
    return tuple(record for folder in FOLDERS for record in load(f"analyses.{folder}:RECORDS"))


@cache
def by_kind() -> dict[str, Analysis]:
    return {record.kind: record for record in all_analyses()}


@cache
def by_schema() -> dict[str, Analysis]:
    """Those whose reports ``bakeoff verify`` computes again."""
    return {record.schema: record for record in all_analyses() if record.schema}


def of_command(name: str) -> Analysis:
    """The record of a command."""
    return next(record for record in all_analyses() if record.command == name)


def functions_of(kinds: Container[str]) -> str:
    """``bo.compare, bo.sensitivity or bo.run``: for errors that say what to give instead."""
    *names, last = (record.function for record in all_analyses() if record.kind in kinds and record.function)
    return f"{', '.join(names)} or {last}"
