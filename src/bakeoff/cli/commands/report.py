"""``bakeoff report``: results saved as JSON in one report."""

from __future__ import annotations

import gc
import json
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bakeoff._version import __version__
from bakeoff.cli import terminal
from bakeoff.cli.options import Command
from bakeoff.errors import ParameterError, ReportError, plain

if TYPE_CHECKING:
    from bakeoff.report.formats import Report

SUFFIXES = (".html", ".md", ".tex", ".txt")


@click.command(name="report", cls=Command)
@click.argument("files", metavar="REPORT.json...", nargs=-1, required=True)
@click.option("-o", "--output", "path", required=True, metavar="PATH", help="File to write: .html, .md, .tex or .txt.")
@click.option("--title", metavar="TEXT", help="Title of the report.")
@click.pass_context
def command(ctx: click.Context, /, files: tuple[str, ...], path: str, title: str | None) -> None:
    """Put several results into one report, whatever their kinds.

    REPORT.json are reports saved by --report FILE.json. Each is computed again from the scores and the request that it
    holds; one that says anything else is refused. The report has a part for each result; references, versions and
    commands stand once, at the end. Of one result, the usual report is written.

    \b
    bakeoff report compare.json sensitivity.json -o report.html
    bakeoff report compare.json evaluate.json leaderboard.json -o report.md --title "Solvers in 2026"
    """
    gc.freeze()
    gc.enable()
    if Path(path).suffix.lower() not in SUFFIXES:
        known = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise ParameterError(f"must end in {known}; got {path!r}", parameter="path")
    places = [os.path.realpath(name) for name in (path, *files)]
    if (first := next((i for i, place in enumerate(places) if place in places[:i]), 0)) > 0:
        where = "-o names it" if places[first] == places[0] else "it is named twice"
        raise ParameterError(f": {files[first - 1]!r} is a report to read, and {where}", parameter="REPORT.json")
    from bakeoff.report import check_path, save
    from bakeoff.report.appearance import Appearance
    from bakeoff.report.joint import files_read, joint_document, save_joint

    target = check_path(path)
    reports = [_read(file) for file in files]
    terminal.doing(f"writing {path}")
    if len(reports) == 1:
        save(reports[0].result, target, reports[0].command, Appearance(title=title))
    else:
        save_joint(joint_document(reports, files, title, ctx.obj["command"]), target)
    terminal.answer(plain(f"Read and computed again: {files_read(reports, files)}. Written: {path}"))


def _read(file: str) -> Report:
    """The result that the file describes, computed again and held against it."""
    from bakeoff.report.formats import Report
    from bakeoff.report.kinds import kind_of
    from bakeoff.report.methods import versions_here
    from bakeoff.report.repeated import TooManyDraws, computed_again, schema_of

    content = _content(file)
    schema_of(content, file)
    versions, here = content.get("versions"), versions_here()
    if not isinstance(versions, dict) or versions.get("bakeoff") != __version__:
        named = versions.get("bakeoff") if isinstance(versions, dict) else None
        writer = f"bakeoff {plain(named)[:40]}" if isinstance(named, str) else "an unknown version of bakeoff"
        raise ReportError(
            f"{file} was written by {writer}, and this is {__version__}, which may compute "
            "and word it otherwise. Make all reports with one version: save this one again from its scores"
        )
    terminal.doing(f"computing {file} again")
    try:
        result, _ = computed_again(content, file)
    except TooManyDraws as error:
        raise ReportError(f"{error}. Run the analysis itself with --report, to write its report") from None
    command = content.get("command")
    report = Report(kind_of(result), result, command if isinstance(command, str) else None)
    again = json.loads("".join(report.json))
    equal = all(versions.get(name) == here[name] for name in ("numpy", "scipy"))
    compared = {*content, *again} - {"versions"} if equal else {"verdict", "decision"}
    if differing := [key for key in (*again, *content) if key in compared and content.get(key) != again.get(key)]:
        raise ReportError(
            f"{file} is not what its scores give: {differing[0]!r} differs. To see each place: "
            f"{shlex.join(('bakeoff', 'verify', file))}"
        )
    return report


def _content(file: str) -> dict[str, Any]:
    try:
        content = json.loads(Path(file).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ReportError(f"{file!r} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise ReportError(f"{file} is no report in JSON, as --report FILE.json of a command writes it")
    return content
