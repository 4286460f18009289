"""``bakeoff verify``: compute a report again from its scores, or every decision of a store from its runs."""

from __future__ import annotations

import gc
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from bakeoff.cli.options import SCORES, SERIAL, TABLE, Command, add_options, read_table, without_unset
from bakeoff.cli.sources import store_cautions
from bakeoff.cli.terminal import answer
from bakeoff.errors import ParameterError, StoreError, counted, listing, plain
from bakeoff.inputs import is_store
from bakeoff.wing import provided

_OF_A_REPORT = "of a report; a store of runs has its own scores: leave it out"


@click.command(name="verify", cls=Command)
@click.argument("file", metavar="FILE")
@SCORES
@click.option(
    "--experiment",
    metavar="EXPERIMENT.toml",
    help="Stores: also compare code and problems with those at the first start. Needed for a user-defined statistic.",
)
@click.option(
    "--better",
    metavar="lower|higher",
    help="Reports: which scores are good. The report must agree. Default: as the report says.",
)
@click.option(
    "--other-version",
    is_flag=True,
    help="Accept JSON of another version of bakeoff when its numbers and decisions agree, though its sentences "
    "cannot be compared.",
)
@click.option(
    "--costly",
    is_flag=True,
    help="Also repeat more than ten times the usual number of random draws, which may take hours.",
)
@add_options(*TABLE, SERIAL)
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    scores: str | None,
    experiment: str | None,
    better: str | None,
    other_version: bool,
    costly: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Does a report follow from its scores? Do stored runs reproduce every decision?

    FILE is a report in JSON or HTML (compare, bayes, history, time ..., --report FILE.json or FILE.html), or a store of
    runs (.sqlite). "-" reads a report from standard input.

    A report is computed again from the scores that it holds, and compared to the last digit; the command that it prints
    is compared with what was asked for. An HTML page is written again, and must have the same bytes, up to line ends.
    With SCORES, a table or a store, the scores are compared, too. Exit code 0: all agree; 1: something differs, is
    missing or was not compared, and is named; 2: not readable, or written by an unknown version.

    For a store, every decision (which runs next, when to stop, which estimate) is recomputed from the runs alone, and
    finished problems are compared with their checksums. The last line is a checksum of all runs. Equal results have
    equal checksums, with any executor and number of workers.

    \b
    bakeoff verify result.json
    bakeoff verify result.html results.csv
    bakeoff verify experiment.sqlite
    """
    gc.freeze()
    gc.enable()
    reading = without_unset(options)
    if file == "-" or _looks_like_report(Path(file)):
        if experiment is not None:
            raise ParameterError("--experiment is for a store of runs; a report names none: leave it out")
        accepted = {"other_version": other_version, "costly": costly}
        ctx.exit(_verify_report(file, scores, reading, as_json, better=better, **accepted))
    if scores is not None and not is_store(file) and _looks_like_report(Path(scores)):
        turned = shlex.join(["bakeoff", "verify", scores, file])
        raise ParameterError(
            f": {file!r} is not a report, but {scores!r} may be one; the report comes first: {turned}", parameter="FILE"
        )
    reading |= without_unset({"better": better, "other-version": other_version or None, "costly": costly or None})
    if scores is not None or reading:
        what = repr(scores) if scores is not None else f"--{next(iter(reading))}"
        raise ParameterError(f"{what} is {_OF_A_REPORT}")
    formats = {".md": "Markdown", ".tex": "LaTeX", ".pdf": "PDF"}
    if Path(file).is_file() and (kind := formats.get(Path(file).suffix.lower())):
        raise ParameterError(
            f": {file!r} is a report as {kind}, which holds too little to be recomputed; ask for the JSON written "
            "with it (--report FILE.json), or write one from the scores: bakeoff compare SCORES --report FILE.json, "
            "and compare its headline",
            parameter="FILE",
        )
    if Path(file).is_file() and not is_store(file) and not _is_database(Path(file)):
        from bakeoff.analyses import by_schema

        *names, last = (record.command for record in by_schema().values() if record.command)
        raise ParameterError(
            f": {file!r} is neither a report in JSON or HTML (--report FILE.json or FILE.html of "
            f"{', '.join(names)} or {last}) nor a store of runs. To compare a table with a report, name the report "
            "first: bakeoff verify result.json results.csv",
            parameter="FILE",
        )
    if Path(file).exists() and not Path(file).is_file():
        raise ParameterError(f": {file!r} is no file; name a report (JSON, HTML) or a store of runs", parameter="FILE")
    _verify_store(file, experiment, as_json)


def _is_database(path: Path) -> bool:
    with path.open("rb") as opened:
        return opened.read(16) == b"SQLite format 3\0"


def _looks_like_report(path: Path) -> bool:
    """In JSON by its suffix; else by its first character, as no store begins with a brace; as a page by its start."""
    if is_store(str(path)):
        return False
    if path.suffix.lower() == ".json":
        return True
    if not path.is_file():  # opening a pipe would wait for its writer
        return False
    try:
        with path.open("rb") as opened:
            head = opened.read(64).removeprefix(b"\xef\xbb\xbf").lstrip().lower()
            return head[:1] in (b"{", b"[") or head.startswith((b"<!doctype html", b"<html"))
    except OSError:
        return False


def _verify_report(file: str, scores: str | None, reading: dict[str, Any], as_json: bool, **options: Any) -> int:
    """The exit code."""
    from bakeoff.wings.verify._verify import check, missing_as_in, read_report, refuse_a_table, report_in
    from bakeoff.wings.verify.origin import stated_better
    from bakeoff.wings.verify.parsing import MOST_BYTES

    if scores is None and reading:
        raise ParameterError(f"--{next(iter(reading))} says how SCORES are read: name the table after the report")
    if file == "-":
        file = "the report on standard input"
        content, page = report_in(sys.stdin.buffer.read(MOST_BYTES + 1), file)
    else:
        content, page = read_report(Path(file))
    if scores is None:
        result = check(content, file, page=page, **options)
    else:
        refuse_a_table(content, file)
        cautions = store_cautions(scores) if is_store(scores) else None
        if not is_store(scores):
            reading = {"missing": missing_as_in(content), **reading}
        table = read_table(scores, stated_better(content), reading)
        result = check(content, file, table, scores, cautions, page=page, **options)
    text = str(result).replace("other_version=True", "--other-version")
    answer(json.dumps(result.to_dict(), ensure_ascii=True, indent=1) if as_json else text)
    return 0 if result.ok else 1


def _verify_store(file: str, experiment: str | None, as_json: bool) -> None:
    result = provided("stores").verified(file, experiment)
    if as_json:
        fields = ("n_problems", "n_finished", "n_runs", "n_decisions", "n_conflicts", "digest", "findings")
        content = {name: getattr(result, name) for name in fields}
        answer(json.dumps({"schema": "bakeoff.verify/1", "ok": result.ok, **content}, indent=1))
    if not result.ok:
        raise StoreError(f"{file!r} is inconsistent: {listing(result.findings, 3)}")
    if as_json:
        return
    click.echo(
        f"{plain(file)}: {counted(result.n_runs, 'run')} and {counted(result.n_decisions, 'decision')} on "
        f"{counted(result.n_problems, 'problem')}, {result.n_finished} of them finished. OK: every decision reproduced."
    )
    if result.n_conflicts:
        click.echo(
            f"{counted(result.n_conflicts, 'run')} gave a different score when repeated; the first score counts."
        )
    click.echo(f"sha256 {result.digest}")
