"""``bakeoff history``: when did a benchmark change its level?"""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import BETTER, TABLE, Command, add_options, output_options, show, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import foreign, format_of
from bakeoff.cli.terminal import note
from bakeoff.errors import ParameterError, ReadingError, listing, plain

if TYPE_CHECKING:
    from bakeoff.scores import Scores


@click.command(name="history", cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@BETTER
@click.option(
    "--label", metavar="NAME=FILE", multiple=True, help="Name of the version in a file. Default: the file's name."
)
@click.option("--format", metavar="NAME", help="Format of the files. Default: detected.")
@click.option("--metric", metavar="NAME", help="Metric to take, if the files have several.")
@add_options(*TABLE[1:5])  # --problem --algorithm --score --run
@parameters("history")
@click.option(
    "--exit-code",
    is_flag=True,
    help="Exit with 1 if the latest change of some benchmark is for the worse, or with 3 if no history is long enough.",
)
@output_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    better: str | None,
    label: tuple[str, ...],
    format: str | None,
    metric: str | None,
    problem: str | None,
    algorithm: str | None,
    score: str | None,
    run: str | None,
    as_json: bool,
    reports: tuple[str, ...],
    exit_code: bool,
    **options: Any,
) -> None:
    """Did a benchmark change over the history of a program, at which version, and by how much?

    FILE… are result files of hyperfine, go test -bench and others, one per version, oldest first; or one machine's
    folder of asv. Files that a shell sorted as text (bench-1, bench-10, bench-2) are ordered by number. A single file
    is a table: a row per benchmark and a column per version, or a row per run (--algorithm names the version's
    column). It needs --better.

    \b
    bakeoff history bench-*.json
    bakeoff history nightly.csv --better lower --report history.html
    bakeoff history runs.csv --better lower --algorithm version
    """
    gc.freeze()
    gc.enable()
    targets = find_targets(reports, *files)
    import bakeoff as bo

    columns = without_unset({"problem": problem, "algorithm": algorithm, "score": score, "run": run})
    if len(files) == 1 and not label and not os.path.isdir(files[0]):
        _refuse_one_version(files[0])
        reading = without_unset({"metric": metric, **columns})
        if better is None:
            raise click.UsageError("--better is required for a table: say --better lower or --better higher", ctx)
        scores = bo.read_scores(files[0], better, missing="keep", **reading)  # type: ignore[arg-type]
    else:
        if columns:
            raise click.UsageError(f"--{next(iter(columns))} names a column of a table, which is one file", ctx)
        reading = without_unset({"format": format, "metric": metric, "better": better})
        files = _files_of(files, format)
        scores = _of_versions(files[0] if len(files) == 1 and not label else _versions(files, label), files, reading)
    result = bo.change_points(scores, **without_unset(options))
    show(result, ctx, as_json, targets)
    if exit_code:
        ctx.exit(1 if result.worse_now else 3 if result.decision == "cannot tell" else 0)


def _refuse_one_version(file: str) -> None:
    """Of a program, whose algorithms are no versions; long tables of bakeoff import are tables."""
    of = format_of(file) if foreign(file, {}) else None
    if of is not None and of.name != "imported":
        raise _one_version([file])


def _one_version(files: Sequence[str]) -> ReadingError:
    return ReadingError(
        f"a history needs several versions, but there is one in {listing(files)}: give a file per version, oldest "
        "first, or the folder of asv's results for one machine"
    )


def _of_versions(source: Any, files: tuple[str, ...], reading: dict[str, Any]) -> Scores:
    """What a program wrote; medians where it kept no samples, as asv does."""
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
    """Of a folder with a file per version, its files, which are then ordered by number as those of a shell are."""
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
