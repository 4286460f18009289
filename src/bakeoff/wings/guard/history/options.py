"""The hook of ``bakeoff history``."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.call import Call, Reply
from bakeoff.cli.terminal import note
from bakeoff.errors import ParameterError, ReadingError, listing, plain
from bakeoff.inputs import foreign, format_of

if TYPE_CHECKING:
    from bakeoff.scores import Scores

_COLUMNS = ("problem", "algorithm", "score", "run")


def call_history(call: Call) -> Reply:
    """Find the changes; with ``--exit-code`` the program's exit code says whether there is one for the worse."""
    import bakeoff as bo

    coded = call.arguments.pop("exit_code")
    scores = _scores(call)
    result = bo.change_points(scores, **call.arguments)
    code = 1 if result.worse_now else 3 if result.decision == "cannot tell" else 0
    return Reply(result=result, exit_code=code if coded else 0)


def _scores(call: Call) -> Scores:
    """Read one table, or a file per version; the options of reading leave the arguments."""
    import bakeoff as bo

    arguments, better, files = call.arguments, call.better, call.source.files
    columns = {name: arguments.pop(name) for name in _COLUMNS if name in arguments}
    label, form = arguments.pop("label", ()), arguments.pop("format", None)
    metric = {"metric": arguments.pop("metric")} if "metric" in arguments else {}
    if len(files) == 1 and not label and not os.path.isdir(files[0]):
        _refuse_one_version(files[0])
        if better is None:
            raise click.UsageError("--better is required for a table: say --better lower or --better higher", call.ctx)
        return bo.read_scores(files[0], better, missing="keep", **metric, **columns)
    if columns:
        raise click.UsageError(f"--{next(iter(columns))} names a column of a table, which is one file", call.ctx)
    reading = {name: value for name, value in (("format", form), ("better", better)) if value is not None} | metric
    files = _files_of(files, form)
    return _of_versions(files[0] if len(files) == 1 and not label else _versions(files, label), files, reading)


def _refuse_one_version(file: str) -> None:
    """Refuse a file of a program, whose algorithms are no versions; long tables of bakeoff import are tables."""
    of = format_of(file) if foreign(file, {}) else None
    if of is not None and of.name != "imported":
        raise _one_version([file])


def _one_version(files: Sequence[str]) -> ReadingError:
    return ReadingError(
        f"a history needs several versions, but there is one in {listing(files)}: give a file per version, oldest "
        "first, or the folder of asv's results for one machine"
    )


def _of_versions(source: Any, files: tuple[str, ...], reading: dict[str, Any]) -> Scores:
    """Read what a program wrote; medians where it kept no samples, as asv does."""
    from bakeoff.wings.formats._read_results import ONE, read_results
    from bakeoff.wings.formats.asv import MEDIAN

    try:
        return read_results(source, missing="keep", **reading)
    except ReadingError as error:
        if MEDIAN in str(error) and "metric" not in reading:
            return _of_versions(source, files, {**reading, "metric": MEDIAN})
        if ONE not in str(error):
            raise
        raise _one_version(files) from None


def _files_of(files: tuple[str, ...], format: str | None) -> tuple[str, ...]:
    """List the files of a folder with one per version; they are then ordered by number as those of a shell are."""
    from bakeoff.wings.formats.formats import ONE_FILE, format_of_files, not_taken
    from bakeoff.wings.formats.sources import source_files

    if len(files) > 1 or not os.path.isdir(files[0]):
        return files
    there = source_files(files[0])
    form, own = format_of_files(there, format or "auto")
    if form.name not in ONE_FILE:
        return files
    if others := not_taken(form, there, own):
        note(f"Not used, because these are not results of {form.title}: {listing(others)}.")
    return tuple(sorted(file.path for file in own))


def _versions(files: tuple[str, ...], label: tuple[str, ...]) -> dict[str, str]:
    """{name of the version: file}, in the order of the files."""
    named = {}
    for text in label:
        name, equals, file = text.partition("=")
        if not equals or not name or file not in files:
            raise ParameterError(f"must be NAME=FILE with one of the files; got {text!r}", parameter="label")
        named[file] = name
    versions: dict[str, str] = {}
    for file in _in_order(files):
        name = named.get(file) or Path(file).stem
        if name in versions:
            raise ReadingError(
                f"two files are called {name!r}: {versions[name]!r} and {file!r}; name them by --label NAME=FILE"
            )
        versions[name] = file
    return versions


def _in_order(files: tuple[str, ...]) -> list[str]:
    """As given; names in the order of text that differ in their numbers alone, in that of their numbers."""
    ordered = sorted(files, key=lambda file: [int(digits) for digits in re.findall("[0-9]+", file)])
    alike = len({re.sub("[0-9]+", "0", file) for file in files}) == 1
    as_text = sorted(files), sorted(files, key=lambda file: re.sub(r"\W|_", "", file).lower())  # of shells' locales
    if not alike or list(files) not in as_text or ordered == list(files):
        return list(files)
    text = f"Files are ordered by their numbers, not as text: {listing([Path(file).stem for file in ordered], 3)}."
    note(plain(text))
    return ordered
