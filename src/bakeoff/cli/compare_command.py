"""``bakeoff compare``: a table of scores in, a verdict out."""

from __future__ import annotations

import gc
import os
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import click

from bakeoff.cli.stores import is_store, store_scores
from bakeoff.errors import BakeoffError, ParameterError

_WHY_BETTER = (
    "--better is required: say --better lower (errors, costs, times) or --better higher (accuracies, rewards). "
    "The table does not tell, and the wrong guess would turn the result round"
)


@click.command(name="compare")
@click.argument("file")
@click.option("--better", metavar="lower|higher", help="Which scores are good. Required: no default is safe.")
@click.option("--control", metavar="NAME", help="Compare every algorithm with this one; otherwise all pairs.")
@click.option(
    "--omnibus",
    metavar="NAME",
    help="Does any differ? iman-davenport (default), friedman, aligned, quade, anova.",
)
@click.option(
    "--pairwise",
    metavar="NAME",
    help="The raw test of a pair: mean-ranks, aligned, quade, wilcoxon, sign, t. Default: as the omnibus ranks.",
)
@click.option(
    "--posthoc",
    metavar="NAME",
    multiple=True,
    help="Correction, repeatable or comma-separated; the first decides. 'all' computes every one of the family. "
    "With a control: holm (default), bonferroni, sidak, holland, finner, hochberg, hommel, rom, li, fdr-bh, "
    "fdr-by, rom-printed; dunnett (after anova). All pairs: bergmann-hommel (default), shaffer, shaffer-dynamic, "
    "holm, hochberg, hommel, nemenyi, nemenyi-range; tukey (after anova).",
)
@click.option("--recipe", metavar="NAME", help="A paper's protocol: demsar-2006, garcia-2010, derrac-2011.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Family-wise level.")
@click.option("--layout", metavar="NAME", help="auto (default); wide: a column per algorithm; long: a row per score.")
@click.option("--problem", metavar="COLUMN", help="Column with the problem's name.")
@click.option("--algorithm", metavar="COLUMN", help="Column with the algorithm's name (long layout).")
@click.option("--score", metavar="COLUMN", help="Column with the score (long layout).")
@click.option("--run", metavar="COLUMN", help="Column with the run (long layout).")
@click.option(
    "--missing",
    metavar="NAME",
    help="A missing score: raise (default) refuses, drop leaves the problem out, worst counts it as lost.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
@click.option(
    "--report",
    "reports",
    metavar="PATH",
    multiple=True,
    help="Also write a report (.html .md .tex .json), the diagram (.svg .png .pdf) or the pairs (.csv .xlsx). "
    "Repeatable.",
)
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """Which algorithms differ, which is better, and how sure are we?

    FILE holds the scores: wide (problem names first, then a column per algorithm) or long (columns problem,
    algorithm, score and perhaps run), or is a store of runs (.sqlite), which knows which scores are good. "-" reads
    standard input.

    \b
    bakeoff compare results.csv --better lower
    bakeoff compare results.csv --better higher --control ours --report report.html
    """
    if better is None and not is_store(file):
        raise click.UsageError(_WHY_BETTER, ctx)
    from bakeoff import report

    targets = _targets(reports, file)
    try:
        comparison = _compare(file, better, options)
    except BakeoffError as error:
        raise click.ClickException(_as_options(str(error), ctx.command)) from error
    asked = ctx.obj["command"] if isinstance(ctx.obj, dict) else None
    for target in targets:
        report.save(comparison, target, asked)
    if as_json:
        content = report.render(comparison, "json", asked)
        click.echo(content if _can_write(content) else _ascii_json(content), nl=False)
        return
    from bakeoff.report import text
    from bakeoff.report.contents import document

    page = text.Page(width=_width(), colour=_colour())
    written = text.plain_lines("".join(f"\nWritten: {target}" for target in targets) + ("\n" if targets else ""))
    said = document(comparison, asked)
    shown = text.render(said, page) + written
    if not _can_write(shown):  # spelt before it is laid out, so that columns stay columns
        shown = text.render(said, replace(page, ascii=True)) + text.to_ascii(written)
    click.echo(shown, nl=False)


def _compare(file: str, better: str | None, options: dict[str, Any]) -> Any:
    """Read and compare; only what was given is passed on, so the defaults stay in one place."""
    import bakeoff as bo
    from bakeoff.cli.counter import counter

    given = {name: value for name, value in options.items() if value not in (None, ())}
    reading = {name: given.pop(name) for name in _READING if name in given}
    if posthoc := [name.strip() for names in given.pop("posthoc", ()) for name in names.split(",") if name.strip()]:
        given["posthoc"] = _corrections(posthoc)
    read_scores, compare = bo.read_scores, bo.compare  # all that is needed is loaded now
    gc.enable()
    read = store_scores if is_store(file) else lambda *found: read_scores(found[0], cast(Any, better), **reading)
    return compare(read(file, better, reading), **given, progress=counter("pairs tested"))


_READING = ("layout", "problem", "algorithm", "score", "run", "missing")
_TYPED = ("better", "control", "omnibus", "pairwise", "posthoc", "recipe", "alpha", *_READING)


def _corrections(names: list[str]) -> str | list[str]:
    if "all" not in names:
        return names
    if len(names) > 1:
        raise ParameterError("--posthoc all already computes every correction; give either 'all' or names")
    return "all"


def _targets(paths: tuple[str, ...], source: str) -> list[Path]:
    """Where reports go, checked before the work is done; never over the scores."""
    from bakeoff.report import check_path

    targets = [check_path(path) for path in dict.fromkeys(paths)]
    for target in targets:
        if target.exists() and os.path.exists(source) and os.path.samefile(target, source):
            raise ParameterError(f"--report {str(target)!r} is the table itself and would be overwritten; name another")
    return targets


def _as_options(message: str, command: click.Command) -> str:
    """The library's advice in the words of this command: ``missing='drop'`` is typed ``--missing drop`` here."""
    for option in command.params:
        if option.name in _TYPED:
            typed, what = f"--{option.name}", option.metavar or "VALUE"
            message = re.sub(rf"^{option.name}(?=:| must)", typed, message)
            message = re.sub(rf"(?<![\w'\".]){option.name}=(['\"])(\w[\w-]*)\1", rf"{typed} \2", message)
            message = re.sub(rf"(?<![\w'\".]){option.name}=(?=[\s,;.)]|$)", f"{typed} {what}", message)
    return message


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
