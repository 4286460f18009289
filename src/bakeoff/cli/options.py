"""What the commands that analyse a table have in common: how it is read, where reports go, how the result is shown."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from bakeoff.cli.stores import is_store, store_scores
from bakeoff.errors import BakeoffError, ParameterError

_WHY_BETTER = (
    "--better is required: say --better lower (errors, costs, times) or --better higher (accuracies, rewards). "
    "The table does not tell, and the wrong guess would turn the result round"
)
READING = ("layout", "problem", "algorithm", "score", "run", "missing")
_SELECT = "scores.select(algorithms=[…])"
_OWN_WORDS = ("as_json", "reports")  # options that no message of the library speaks of

F = TypeVar("F", bound=Callable[..., Any])


class ListingOption(click.Option):
    """An option whose help lists what exists: written each time it is shown, as finding out loads NumPy."""

    def __init__(self, *args: Any, describe: Callable[[], str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._describe = describe

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = self._describe()
        return super().get_help_record(ctx)


def _formats() -> str:
    from bakeoff.report import suffixes

    written = [f"{what} ({' '.join(group)})" for what, group in suffixes().items()]
    return f"Also write {', '.join(written[:-1])} or {written[-1]}. Repeatable."


FILE = click.argument("file")
BETTER = click.option("--better", metavar="lower|higher", help="Which scores are good. Required: no default is safe.")
_TABLE = (
    click.option(
        "--layout", metavar="NAME", help="auto (default); wide: a column per algorithm; long: a row per score."
    ),
    click.option("--problem", metavar="COLUMN", help="Column with the problem's name."),
    click.option("--algorithm", metavar="COLUMN", help="Column with the algorithm's name (long layout)."),
    click.option("--score", metavar="COLUMN", help="Column with the score (long layout)."),
    click.option("--run", metavar="COLUMN", help="Column with the run (long layout)."),
    click.option(
        "--missing",
        metavar="NAME",
        help="A missing score: raise (default) refuses, drop leaves the problem out, worst counts it as lost.",
    ),
)
OUTPUT = (
    click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else."),
    click.option(
        "--report",
        "reports",
        metavar="PATH",
        multiple=True,
        cls=ListingOption,
        describe=_formats,
    ),
)


def table_options(command: F) -> F:
    """How the table is laid out, and where the result goes."""
    for option in reversed((*_TABLE, *OUTPUT)):
        command = option(command)
    return command


def require_better(file: str, better: str | None, ctx: click.Context) -> None:
    """A refusal that says why the direction is asked for; a store of runs knows its own."""
    if better is None and not is_store(file):
        raise click.UsageError(_WHY_BETTER, ctx)


def read_table(file: str, better: str | None, options: dict[str, Any]) -> Any:
    """The scores; takes its own out of ``options``."""
    import bakeoff as bo

    reading = {name: options.pop(name) for name in READING if name in options}
    if is_store(file):
        return store_scores(file, better, reading)
    return bo.read_scores(file, cast(Any, better), **reading)


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Only what was given is passed on, so that the defaults stay in one place."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def find_targets(paths: tuple[str, ...], source: str) -> list[Path]:
    """Where reports go, checked before the work is done; never over the scores."""
    from bakeoff.report import check_path

    try:
        targets = [check_path(path) for path in dict.fromkeys(paths)]
    except BakeoffError as error:
        raise click.ClickException(_as_report(error)) from error
    for target in targets:
        if target.exists() and os.path.exists(source) and os.path.samefile(target, source):
            raise ParameterError(f"--report {str(target)!r} is the table itself and would be overwritten; name another")
    return targets


def as_options(message: str, command: click.Command) -> str:
    """The library's advice in the words of this command: ``missing='drop'`` is typed ``--missing drop`` here."""
    message = re.sub(r"^bo\.[\w.]+: ", "", message).replace(_SELECT, "leave columns out of the table")
    for option in command.params:
        if isinstance(option, click.Option) and option.name and option.name not in _OWN_WORDS:
            name, typed, what = option.name, option.opts[0], option.metavar or "VALUE"
            message = re.sub(rf"^{name}(?=:| must)", typed, message)
            message = re.sub(rf"(?<![\w'\".]){name}=(['\"])(\w[\w-]*)\1", rf"{typed} \2", message)
            message = re.sub(rf"(?<![\w'\".]){name}=(?=[\s,;.)]|$)", f"{typed} {what}", message)
            if "_" in name:  # no word of English: the option is meant wherever it stands
                message = re.sub(rf"(?<![\w'\".]){name}(?![\w=.'\"])", typed, message)
    return message


def _as_report(error: BakeoffError) -> str:
    """The library's ``path`` is what ``--report`` was given."""
    return re.sub(r"^path(?=:| must)", "--report", str(error))


def _in_option_words(document: Any, command: click.Command) -> Any:
    """A document whose cautions advise what can be typed here."""
    section = document.section("cautions")
    if section is None:
        return document
    blocks = tuple(
        replace(b, items=tuple((term, as_options(text, command), tag) for term, text, tag in b.items))
        if hasattr(b, "items")
        else b
        for b in section.blocks
    )
    said = replace(section, blocks=blocks)
    return replace(document, sections=tuple(said if s is section else s for s in document.sections))


def show(result: Any, ctx: click.Context, as_json: bool, targets: list[Path]) -> None:
    """Write the reports, then print JSON or the report for a terminal."""
    from bakeoff import report

    asked = ctx.obj["command"] if isinstance(ctx.obj, dict) else None
    for target in targets:
        try:
            report.save(result, target, asked)
        except BakeoffError as error:
            raise click.ClickException(_as_report(error)) from error
    if as_json:
        content = report.render(result, "json", asked)
        click.echo(content if _can_write(content) else _ascii_json(content), nl=False)
        return
    from bakeoff.report.formats import terminal as text

    page = text.Page(width=_width(), colour=_colour())
    written = text.plain_lines("".join(f"\nWritten: {target}" for target in targets) + ("\n" if targets else ""))
    said = _in_option_words(report.document(result, asked), ctx.command)
    shown = text.render(said, page) + written
    if not _can_write(shown):  # spelt before it is laid out, so that columns stay columns
        shown = text.render(said, replace(page, ascii=True)) + text.to_ascii(written)
    click.echo(shown, nl=False)


def _can_write(text: str) -> bool:
    """Does the encoding of stdout have all characters?"""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _ascii_json(text: str) -> str:
    import json

    return json.dumps(json.loads(text), ensure_ascii=True, indent=1, allow_nan=False) + "\n"


def _width() -> int:
    """The terminal's width; 80 in a pipe."""
    if not sys.stdout.isatty():
        return 80
    return max(40, shutil.get_terminal_size((80, 24)).columns)


def _colour() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
