"""The ``bakeoff`` program: its table of commands, and exit codes.

0 done · 2 bad input or usage · 1 internal error · 130 interrupted
"""

import contextlib
import gc
import os
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

import click

from bakeoff import files
from bakeoff._version import __version__
from bakeoff.analyses import by_command, folder_of, in_core, of_command
from bakeoff.analysis import GROUPS
from bakeoff.checks import did_you_mean
from bakeoff.cli.terminal import note, sign_of_life, silence
from bakeoff.errors import BakeoffError, plain
from bakeoff.packages import below_the_lowest
from bakeoff.places import load
from bakeoff.shipped import shipped
from bakeoff.wing import CommandPlace, wings

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_OF_CORE = {
    "cite": CommandPlace(
        "Check a report", "BibTeX entries for the procedures used.", "cli.commands.lookup:cite_command"
    ),
    "report": CommandPlace(
        "Check a report", "Put several results, saved as .json, into one report.", "cli.commands.report:command"
    ),
    "schema": CommandPlace(
        "Check a report", "The JSON Schema of a report, or of an experiment file.", "cli.commands.lookup:schema_command"
    ),
    "protocol": CommandPlace(
        "Plan and run", "Fix an analysis before you see the scores: write, seal, show.", "cli.commands.protocol:command"
    ),
    "docs": CommandPlace("Learn", "Open the documentation at a page, or search it.", "cli.commands.docs:command"),
    "explain": CommandPlace(
        "Learn", "What does a caution mean, and what should I do?", "cli.commands.lookup:explain_command"
    ),
    "datasets": CommandPlace(
        "Learn", "The papers' tables that come with bakeoff, by name.", "cli.commands.datasets:command"
    ),
    "demo": CommandPlace("Learn", "A tiny table for each caution: data, command, output.", "cli.commands.demo:command"),
}
"""Commands that give no result; those of analyses are in their records, those of a wing in its header."""


@cache
def _others() -> dict[str, CommandPlace]:
    return {name: each for wing in wings().values() for name, each in wing.commands.items()} | _OF_CORE


@cache
def headings() -> dict[str, dict[str, str]]:
    """The commands under each heading of --help that has any, with their lines."""
    by_group: dict[str, dict[str, str]] = {group: {} for group in GROUPS}
    for name, record in by_command().items():
        by_group[record.group][name] = record.help
    for name, other in _others().items():
        by_group[other.group][name] = other.help
    return {group: listed for group, listed in by_group.items() if listed}


@cache
def commands() -> dict[str, str]:
    """The line of each in --help."""
    return {name: text for listed in headings().values() for name, text in listed.items()}


def _is_command(name: str) -> bool:
    """For one of the core no wing is loaded."""
    return in_core(name) or name in commands()


def _command(name: str) -> click.Command:
    """Made from the record of its analysis, or from its file."""
    if not in_core(name) and name in _others():
        place = _others()[name].place
    elif (record := of_command(name)).about:
        from bakeoff.cli.analyses import made_command

        return made_command(record)
    else:
        place = f"{folder_of(name)}.command:command"
    command: click.Command = load(place)
    return command


class CommandGroup(click.Group):
    """Imports a command when it is called, and turns every error into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if not _is_command(cmd_name):
            return None
        command = _command(cmd_name)
        command.epilog = f"At length: bakeoff docs {cmd_name}"
        if "_BAKEOFF_COMPLETE" in os.environ:
            from bakeoff.cli.completion import completing

            return completing(cmd_name, command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete from the table alone: no command is imported."""
        from click.shell_completion import CompletionItem

        items = [CompletionItem(name, help=text) for name, text in commands().items() if name.startswith(incomplete)]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if not name.startswith("-") and not _is_command(name):
            if os.path.exists(name) or shipped(name):
                _say_what_to_type(ctx, name, args[1:])
            raise click.UsageError(f"there is no command {name!r}{did_you_mean(name, commands())}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, commands()))
        for heading, listed in headings().items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), text) for name, text in listed.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            silence(sys.stdout)
            return 0  # the reader has closed the pipe

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and exit with the documented codes (also under click's test runner)."""
        open_closed_streams()
        words = list(sys.argv[1:] if args is None else args)
        extra.setdefault("obj", {"command": shlex.join(["bakeoff", *words])})

        def run() -> Any:
            return super(CommandGroup, self).main(words, prog_name or "bakeoff", complete_var, False, **extra)

        if not standalone_mode:
            return run()
        files.tell = lambda text: note(f"bakeoff: {text}")
        # imports make many objects and no garbage: commands freeze these, then enable it; saves a fifth of start-up
        gc.unfreeze()  # what a call before this one in the same process has frozen
        gc.disable()
        try:
            with sign_of_life(reads_typing="-" in words):
                sys.exit(_guarded(run))
        finally:
            gc.enable()


def _say_what_to_type(ctx: click.Context, file: str, more: list[str]) -> NoReturn:
    """Advise on a file that stands where a command should."""
    from bakeoff.cli.advice import what_to_type
    from bakeoff.cli.options import in_option_words

    try:
        advice = what_to_type(file)
    except BakeoffError as error:
        raise click.ClickException(in_option_words(error, _command("compare"))) from error
    if more:
        typed = shlex.join(("bakeoff", *advice.likeliest[:2], *more))
        raise click.UsageError(f"the command is missing: say {typed}", ctx)
    click.echo(advice)
    ctx.exit()


def open_closed_streams() -> None:
    """Nothing in place of a standard stream that the caller has closed (``2>&-``), where Python has None."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            with contextlib.suppress(OSError):
                os.fstat(number)  # taken by another file meanwhile: left alone
                number = nothing
            if nothing != number:
                os.dup2(nothing, number)
                os.close(nothing)
            stream = open(number, "r" if name == "stdin" else "w", encoding="utf-8", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def _guarded(run: Callable[[], Any]) -> int:
    """The exit code of ``run``; an error becomes one line on stderr."""
    try:
        code = run()
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        note(error.format_message())
        return 2
    except (KeyboardInterrupt, click.Abort):
        return _fail(130, "interrupted")
    except OSError as error:
        if isinstance(error, BakeoffError):
            return _fail(2, message_of(error))
        silence(sys.stdout)
        last = error.__traceback__
        while last and last.tb_next:
            last = last.tb_next
        printing = last and last.tb_frame.f_globals["__name__"].startswith(("click.", __name__))
        return _fail(2, f"cannot write to standard output: {error.strerror}" if printing else message_of(error))
    except (click.ClickException, BakeoffError) as error:
        return _fail(2, message_of(error))
    except Exception as error:
        return internal_error(error)


def message_of(error: Exception) -> str:
    """The line that this program says of an error."""
    if isinstance(error, click.UsageError):
        from bakeoff.cli.advice import explained

        command = error.ctx.command_path if error.ctx else "bakeoff"
        return in_one_line(f"{explained(error)} (see {command} --help)")
    if isinstance(error, click.ClickException):
        return in_one_line(error.format_message())
    if isinstance(error, (BakeoffError, OSError)):
        return in_one_line(str(error))
    return in_one_line(_internal(error))


def in_one_line(text: str) -> str:
    return " ".join(plain(text).split())


_END = re.compile(r"(?<=[\w'\")\]%])\. (?=[A-Z])")
"""The end of a first sentence, which says what is wrong; what to do comes below it."""


def _fail(code: int, message: str) -> int:
    """Print the message on stderr: one line for a program, the error and below it the advice for a person."""
    if os.environ.get("BAKEOFF_DEBUG") and sys.exc_info()[1] is not None:
        import traceback

        note(traceback.format_exc())
    line = f"bakeoff: {in_one_line(message)}"
    note(_END.sub(".\n", line, count=1) if sys.stderr.isatty() else line)
    return code


def internal_error(error: Exception, code: int = 1) -> int:
    """One line about a bug of bakeoff; the exit code."""
    return _fail(code, _internal(error))


def _internal(error: Exception) -> str:
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    if old := below_the_lowest():
        return f"{what}. These packages are older than bakeoff needs: {', '.join(old)}. Install newer ones."
    return f"internal error: {what}. Please report it with the traceback that BAKEOFF_DEBUG=1 shows."


def _print_completion(ctx: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    if shell is not None and not ctx.resilient_parsing:
        from bakeoff.cli.completion import script

        click.echo(script(ctx.command, shell))
        ctx.exit()


@click.group("bakeoff", cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bakeoff", message="%(prog)s %(version)s")
@click.option(
    "--completion",
    type=click.Choice(["bash", "zsh", "fish"]),
    is_eager=True,
    expose_value=False,
    callback=_print_completion,
    help="Print what a shell needs to complete commands, options, files and names.",
)
def main() -> None:
    """Which algorithm is better, by how much, how sure are we?

    \b
    bakeoff compare results.csv --better higher    which algorithm is better?
    bakeoff check old.json new.json --margin 5%    is the new build worse?
    """
