"""The analyses, each a folder with its record: those of the core here, those of the wings by their headers.

The order is that of ``bakeoff --help``.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache

from bakeoff.analysis import Analysis
from bakeoff.places import load
from bakeoff.wing import wings

FOLDERS = ("analyses.compare", "analyses.per_problem", "analyses.sensitivity", "analyses.plan")


@cache
def _records(folder: str) -> tuple[Analysis, ...]:
    records: tuple[Analysis, ...] = load(f"{folder}:RECORDS")
    return records


@cache
def folders() -> dict[str, tuple[Analysis, ...]]:
    """The records by folder; a folder has one or more, that of its command first."""
    named = (*FOLDERS, *(folder for wing in wings().values() for folder in wing.analyses))
    return {folder: _records(folder) for folder in named}


@cache
def all_analyses() -> tuple[Analysis, ...]:
    """Every record, one for each kind of result."""
    return tuple(record for records in folders().values() for record in records)


@cache
def by_kind() -> dict[str, Analysis]:
    return {record.kind: record for record in all_analyses()}


@cache
def by_function() -> dict[str, Analysis]:
    """Those that compute something from a table, by what a user calls."""
    return {record.function: record for record in all_analyses() if record.function and record.computes}


@cache
def by_schema() -> dict[str, Analysis]:
    """Those whose reports ``bakeoff verify`` computes again."""
    return {record.schema: record for record in all_analyses() if record.schema}


@cache
def by_command() -> dict[str, Analysis]:
    return {record.command: record for record in all_analyses() if record.command}


def in_core(name: str) -> bool:
    """Is this the command of an analysis of the core?"""
    return bool(_of_core(name))


def of_command(name: str) -> Analysis:
    """The record of a command."""
    return next((r for r in _of_core(name) if r.command == name), None) or by_command()[name]


def of_kind(name: str) -> Analysis | None:
    """The record of a kind of result; None if there is none."""
    return next((r for r in _of_core(name) if r.kind == name), None) or by_kind().get(name)


def of_function(name: str, in_wings: bool = True) -> Analysis | None:
    """The record of a function that computes something from a table; None if it has none.

    ``in_wings``: False of a function of the core, so that no wing is loaded to know.
    """
    core = _of_core(name.removeprefix("bo."))
    own = next((record for record in core if record.function == name and record.computes), None)
    return by_function().get(name) if own is None and in_wings else own


def folder_of(name: str) -> str:
    """The folder of the analysis of a command."""
    return next(folder for folder, records in folders().items() if of_command(name) in records)


def _of_core(name: str) -> tuple[Analysis, ...]:
    """The records of the folder with this name, if the core has it: for them no other folder is loaded."""
    folder = f"analyses.{name.replace('-', '_')}"
    return _records(folder) if folder in FOLDERS else ()


def functions_of(kinds: Container[str]) -> str:
    """``bo.compare, bo.sensitivity or bo.run``: for errors that say what to give instead."""
    *names, last = (record.function for record in all_analyses() if record.kind in kinds and record.function)
    return f"{', '.join(names)} or {last}" if names else last
