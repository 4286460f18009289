"""Options that several commands share; errors and cautions in the words of a command's options; showing a result."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import click

from bakeoff.analyses import of_function
from bakeoff.cli import terminal
from bakeoff.cli.folding import FoldedOption, FoldingCommand, beside_protocol, reading_option, take_choices
from bakeoff.cli.looks import LOOKS, appearance
from bakeoff.cli.report_files import ReportFile, part_of, written_line
from bakeoff.cli.sources import FILE as FILE, FORMAT, LABEL, READ, READ_KEYS, SCORES as SCORES, by_key
from bakeoff.errors import BakeoffError, plain
from bakeoff.inputs import likely_direction, may_hold_direction, scores_from

if TYPE_CHECKING:
    from bakeoff.report.document import Document
    from bakeoff.reportable import Reportable
    from bakeoff.scores import Scores

F = TypeVar("F", bound=Callable[..., Any])

READING = (
    *(
        "layout",
        "rows",
        "problem",
        "algorithm",
        "score",
        "run",
        "cluster",
        "task",
        "weights",
        "folds",
        "repeat",
        "test_fraction",
        "serial",
        "status",
        "ok",
        "missing",
        "truth",
    ),
    *("missing", "cell", "metric", "decimal", "sheet", "no_header", "only", "drop", "keep", "format", "label"),
)


# --- options ----------------------------------------------------------------------------------------------------


class ListingOption(FoldedOption):
    """An option whose help lists what exists: put together when it is shown, because that loads NumPy."""

    def __init__(self, *args: Any, describe: Callable[[], str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._describe = describe

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """With the help as of now."""
        self.help = self._describe()
        return super().get_help_record(ctx)


def _formats() -> str:
    from bakeoff.report import suffixes

    written = [f"{what} ({' '.join(group)})" for what, group in suffixes().items()]
    return (
        f"Also write {', '.join(written[:-1])} or {written[-1]}. Repeatable. A file "
        f"named scores or scores-ranks, or scores:FILE, holds the table of scores (compare, bayes, run)."
    )


BETTER = click.option(
    "--better",
    metavar="lower|higher",
    help="Which scores are good. Required unless the file says. closest-to=0: those nearest to 0 (signed errors).",
)
OUTPUT = (
    click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else."),
    click.option("--report", "reports", metavar="PATH", multiple=True, cls=ListingOption, describe=_formats),
    *LOOKS,
)
DETAILS = click.option(
    "--details",
    is_flag=True,
    expose_value=False,
    callback=lambda ctx, _, details: ctx.meta.update({"bakeoff.details": details}),
    help="The whole page: all pairs, cautions in full.",
)
SELECTED = (
    reading_option("--only", metavar="NAME", multiple=True, help="Compare only these algorithms. Repeatable."),
    reading_option("--drop", metavar="NAME", multiple=True, help="Leave out this algorithm or problem. Repeatable."),
)
SERIAL = reading_option(
    "--serial",
    is_flag=True,
    default=None,
    help="Rows are one series in time (days, weeks): judge means by their independent averages, as neighbours resemble "
    "each other.",
)
TABLE = (
    reading_option("--problem", metavar="COLUMN", help="Column of the problem's name, or several: space,dataset."),
    reading_option("--algorithm", metavar="COLUMN", help="Column of the algorithm's name (long layout)."),
    reading_option("--score", metavar="COLUMN", help="Column of the score (long layout)."),
    reading_option("--run", metavar="COLUMN", help="Column of the run (long layout)."),
    reading_option(
        "--cluster",
        metavar="COLUMN",
        help="Column that groups problems from one source (a function in several dimensions, folds of one data set).",
    ),
    reading_option(
        "--task", metavar="COLUMN", help="Column of the task (suite, benchmark) that a problem is a question of."
    ),
    reading_option(
        "--weights",
        metavar="NAME",
        help="What counts equally in a mean: tasks (default where there are several), problems (else), or clusters.",
    ),
    reading_option(
        "--folds",
        metavar="COLUMN",
        help="Column of the fold of a cross-validation, or of the split: runs that share training data. compare allows "
        "for it on one data set, per-problem on each; several have the means of their folds. columns: a column per "
        "fold. With --repeat COLUMN (of the repeat) and --test-fraction F (of splits).",
    ),
    reading_option(
        "--status",
        metavar="COLUMN",
        help="Column that says ok, or why a run has no score (long layout). May be the score column.",
    ),
    reading_option(
        "--missing",
        metavar="NAME",
        help="Missing scores: raise (default) refuses them, drop leaves the problem out, worst counts them as lost, "
        "available uses the other runs of the cell, keep leaves it empty. Runs that failed by their status stay in "
        "runtimes and profile. With keep, compare tests each pair on the problems that both have; bounds (compare) "
        "shows which verdicts hold whatever the missing scores are. Where they gather, keep withholds the other "
        "verdicts; common (compare) says that they are missing by chance.",
    ),
    *SELECTED,
    reading_option(
        "--keep",
        metavar="NAME",
        multiple=True,
        help="Keep this row or column, although it looks like a summary (Average). Repeatable.",
    ),
    READ,
    FORMAT,
    LABEL,
)

METRIC = reading_option(
    "--metric",
    metavar="NAME",
    help="What the scores are (accuracy, runtime), as reports say it; where a file has several, the one that is "
    "compared: of a long table the column of this name. With --truth: accuracy, error, balanced-accuracy, precision, "
    "recall, f1, mcc, auc, average-precision, log-loss, brier, abs-error, squared-error, ape, pinball:QUANTILE, r2, "
    "pearson or spearman; f1:macro or f1:CLASS; f1@0.5 of probabilities.",
)
TRUTH = reading_option(
    "--truth",
    metavar="COLUMN",
    help="The other columns are predictions of this one, or a long table has a column of them: judge them by --metric.",
)


def add_options(*options: Callable[[F], F]) -> Callable[[F], F]:
    """The options as one decorator, in this order in --help."""

    def add(command: F) -> F:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def without_unset(options: dict[str, Any]) -> dict[str, Any]:
    """Only the options that were given: the defaults stay in the library."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def number_or_text(text: str) -> float | str:
    """A number as one; anything else is a percentage, or refused."""
    try:
        return float(text)
    except ValueError:
        return text


# --- what is read and written -----------------------------------------------------------------------------------


def read_table(file: str, better: str | None, options: dict[str, Any]) -> Scores:
    """The scores of a table, a store or another program's files; takes the options of reading out of ``options``."""
    reading = {name: options.pop(name) for name in READING if name in options}
    known = _handed("tables")
    key = (str(file), better, repr(sorted(reading.items())))
    if known is not None and key in known:
        return cast("Scores", known[key])
    terminal.doing(f"reading {file}")
    scores = scores_from(file, better, reading)
    terminal.doing("computing")
    if known is not None:
        known[key] = scores
    return scores


def require_better(file: str, better: str | None, ctx: click.Context) -> None:
    """A refusal that says why the direction is asked for; stores of runs hold it, and most files of programs do. Of
    predictions the metric says it."""
    if better is not None or ctx.params.get("truth") or may_hold_direction(file, ctx.params):
        return
    if file != "-" and not os.path.exists(file):
        return  # of a file that is not there, the reader says so
    reading = {name: ctx.params[name] for name in READING if ctx.params.get(name)}
    direction, why = likely_direction(file, reading)
    if why:
        typed = f"{_command_line(ctx) or 'bakeoff …'} --better {direction}"
        raise click.ClickException(
            f"--better is required: {why}. A name is no proof, and a wrong guess would reverse the result. Say {typed}"
        )
    raise click.UsageError(
        "--better is required: say --better lower (errors, costs, times) or --better higher (accuracies, rewards). "
        "The table does not say, and a wrong guess would reverse the result",
        ctx,
    )


def _handed(name: str) -> Any:
    """Get what a program that runs commands one after the other (bakeoff serve) keeps between them; else None."""
    ctx = click.get_current_context(silent=True)
    return ctx.obj.get(name) if ctx is not None and isinstance(ctx.obj, dict) else None


# --- the library's parameters as options ------------------------------------------------------------------------

# a parameter of the library -> the option's name in this program, where they differ
_NAMES = {"path": "reports", "method": "methods", "effect_size": "effect", "wanted_se": "se"}
_SELECT = "scores.select(algorithms=[…])"
_QUOTED = r"'[^']*'|\"[^\"]*\""
_NAMES_IN_QUOTES = rf"(?:{_QUOTED})(?:, (?:{_QUOTED}))*"


class Command(FoldingCommand):
    """A command whose errors name its options instead of the library's parameters."""

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Name them for a context without the group, too: click keeps the option that it made first."""
        return ["-h", "--help"]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keys of --read are taken under their own names, too, as scripts have them: ``--layout long``."""
        own = {name for param in self.params for name in param.opts}
        return super().parse_args(ctx, list(by_key(args, own)) if "--read" in own else args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            take_choices(ctx)
            return super().invoke(ctx)
        except BakeoffError as error:
            typed = _command_line(ctx) if "Say serial=True" in str(error) else None  # rows in time are refused
            whole = "" if typed is None else f". The whole command: {typed} --serial"
            raise click.ClickException(f"{in_option_words(error, self)}{whole}") from error


def in_option_words(error: BakeoffError | str, command: click.Command) -> str:
    """An error or a caution as a user of ``command`` types it: ``--missing drop`` for ``missing='drop'``."""
    options = dict(_spellings(command))
    text = str(error)
    if isinstance(error, BakeoffError) and error.parameter in options and not error.place:
        spelling = options[error.parameter]
        text = f"{spelling.typed}{'' if error.rule[:1] in ':(' else ' '}{error.rule}"
        if error.rule.startswith("must be one of") and not spelling.flag:
            text = re.sub(r"(?<=; did you mean )'([^']*)'(?=\?$)", lambda name: spelling.of(name[1]), text)
    text = re.sub(r"^bo\.[\w.]+: ", "", text).replace(_SELECT, "leave columns out of the table")
    for name, spelling in options.items():
        text = _in_words_of(spelling, name, text)
    text = re.sub(r"\bbo(?:\.\w+)+\b(?![(.])", lambda function: _as_command(function[0]), text)
    return re.sub(r"(--[a-z-]+ (?:'[^']*'|[^\s,]+)), (?=--)", r"\1 ", text)  # options one after the other, as typed


def _as_command(function: str) -> str:
    """The command that calls a function, if there is one."""
    record = of_function(function)
    return f"bakeoff {record.command}" if record is not None and record.command else function


class _Spelling(NamedTuple):
    """The way a parameter is typed: before its value; instead of True, if that is all; what stands for its value."""

    typed: str
    flag: str = ""
    value: str = "VALUE"
    sign: str = " "

    def of(self, value: str) -> str:
        return f"{self.typed}{self.sign}{shlex.quote(value)}"


def _in_words_of(spelling: _Spelling, name: str, text: str) -> str:
    """The parameter ``name`` in a text as a user types it."""
    if name not in text:  # few of some fifty are: each has patterns of its own to compile
        return text
    free = rf"(?<![\w'\".-])(?<!--read ){name}"

    def with_each(match: re.Match[str]) -> str:
        return " ".join(spelling.of(name[1:-1]) for name in re.findall(_QUOTED, match[1]))

    if spelling.flag:
        text = re.sub(rf"{free}=True\b", spelling.flag, text)
    if f"{name}=" in text:
        text = re.sub(rf"{free}=\[({_NAMES_IN_QUOTES})\]", with_each, text)
        text = re.sub(
            rf"{free}=(['\"])((?:(?!\1).)*)\1", lambda match: spelling.of(match[2]), text
        )  # it may have spaces
        typed = f"{spelling.typed}{spelling.sign}"
        text = re.sub(rf"{free}=([\w-]+(?:\.[\w-]+)*)", lambda match: f"{typed}{match[1]}", text)
        text = re.sub(rf"{free}=(?=[\s,;.)]|$)", f"{typed}{spelling.value}", text)
    if "_" in name:  # not an English word: the parameter, unless it is one of a list: a length, a column of a table
        text = re.sub(rf"(?<!, )(?<!\(){free}(?![\w=.'\"])(?!(?:, n_runs)?\))", spelling.typed, text)
    return text


def _spellings(command: click.Command) -> Iterator[tuple[str, _Spelling]]:
    """The library's name, and how it is typed."""
    own = {option.name: option for option in command.params if isinstance(option, click.Option)}
    for name, option in own.items():
        if name not in (None, "as_json", "reports", "methods", "read"):
            yield str(name), _spelling(option)
    if "serial" not in own:  # refusals name the commands that have it
        yield "serial", _Spelling("--serial", "--serial")
    for parameter, name in _NAMES.items():
        if parameter not in own and name in own:
            yield parameter, _spelling(own[name])
    if "read" in own:
        for key, parameter in READ_KEYS.items():
            typed = f"--{parameter.replace('_', '-')}"
            yield parameter, _Spelling(typed, typed if key == "header" else "")


def _spelling(option: click.Option) -> _Spelling:
    typed = option.opts[0]
    return _Spelling(typed, typed if option.is_flag else "", option.metavar or "VALUE")


def _with_option_words(document: Document, command: click.Command) -> Document:
    """The advice of doubts and cautions in the words of ``command``."""
    from bakeoff.report.document import Points, Section

    def in_words(section: Section) -> Section:
        blocks = (
            replace(b, items=tuple((term, in_option_words(text, command), tag) for term, text, tag in b.items))
            if isinstance(b, Points)
            else b
            for b in section.blocks
        )
        return replace(section, blocks=tuple(blocks))

    doubts = None if document.doubts is None else in_words(document.doubts)
    sections = tuple(in_words(s) if s.key == "cautions" else s for s in document.sections)
    return replace(document, doubts=doubts, sections=sections)


# --- showing a result -------------------------------------------------------------------------------------------


def show(
    result: Reportable,
    ctx: click.Context,
    as_json: bool,
    targets: list[ReportFile] | None = None,
    last: str = "",
    page: Reportable | None = None,
) -> None:
    """Write the reports, then print JSON, or the report for a terminal with ``last`` below it.

    What is printed comes from ``page`` where the terminal shows something shorter than the reports.
    """
    from bakeoff import report

    targets, look = targets or [], appearance(ctx)
    look.check(result)
    result = beside_protocol(result, ctx)
    written: list[ReportFile] = []
    failed: list[Exception] = []
    for target in targets:
        terminal.doing(f"writing {target.path}")
        try:
            report.save(part_of(result, target.part), target.path, _command_line(ctx), look)
            written.append(target)
        except Exception as error:  # the other reports and the answer itself are still wanted
            failed.append(error)
    if (keep := _handed("keep")) is not None:
        keep(result)
    else:
        _show(result if page is None else page, ctx, as_json, written, last)
    for other in failed[1:]:
        terminal.note(f"bakeoff: {' '.join(plain(str(other)).split())}")
    if failed:
        raise failed[0]


def _show(result: Reportable, ctx: click.Context, as_json: bool, targets: list[ReportFile], last: str) -> None:
    from bakeoff import report

    terminal.doing("writing the answer")
    if as_json:
        if terminal.can_write("\U0001f9ea"):  # whatever names have
            for piece in report.json_pieces(result, _command_line(ctx)):
                terminal.answer(piece, nl=False)
            return
        content = report.render(result, "json", _command_line(ctx))
        terminal.answer(content if terminal.can_write(content) else _ascii_json(content), nl=False)
        return
    from bakeoff.report.formats import glance, terminal as text

    width = appearance(ctx).width or terminal.page_width()
    layout = text.Page(width=width, colour=terminal.has_colour(), wider="--look width=N")
    notes = [*([last] if last else []), *map(written_line, targets)]
    below = text.plain_lines("".join(f"\n{line}" for line in notes) + ("\n" if notes else ""))
    worded = _with_option_words(report.document(result, _command_line(ctx), appearance(ctx)), ctx.command)
    brief = partial(glance.render, more="More: --details, or --report report.html")
    render = text.render if ctx.meta.get("bakeoff.details") else brief
    shown = render(worded, layout) + below
    if not terminal.can_write(shown):  # in ASCII before it is laid out, so that columns stay aligned
        shown = render(worded, replace(layout, ascii=True)) + text.to_ascii(below)
    terminal.answer(shown, nl=False)


def _command_line(ctx: click.Context) -> str | None:
    return ctx.obj["command"] if isinstance(ctx.obj, dict) else None


def _ascii_json(text: str) -> str:
    import json

    return json.dumps(json.loads(text), ensure_ascii=True, indent=1, allow_nan=False).replace("<", "\\u003c") + "\n"
