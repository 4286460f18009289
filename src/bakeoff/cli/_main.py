"""The ``bakeoff`` program: its table of commands, and exit codes.

0 done · 2 bad input or usage · 1 internal error · 130 interrupted
"""

import contextlib
import gc
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from bakeoff._version import __version__
from bakeoff.analyses import all_analyses, of_command
from bakeoff.checks import did_you_mean
from bakeoff.errors import BakeoffError, plain
from bakeoff.places import load

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

# commands that give no result, and their lines in --help; those of analyses are in their records
_OTHERS = {
    "baseline": "Keep baselines for check: the previous commit, a pinned release.",
    "serve": "Compare in the browser: a local page with all of this.",
    "status": "How far is an experiment, what failed, is anything working on it?",
    "verify": "Reproduce a report from its scores, or a store from its runs.",
    "protocol": "Fix an analysis before the scores are seen: write, seal and show.",
    "rerun": "Make one run of a store again, and compare.",
    "import": "Results of other programs as one table, a row per score.",
    "export": "Export the runs of a store as CSV or Parquet.",
    "schema": "The JSON Schema of a report, or of an experiment file.",
    "cite": "BibTeX of the procedures that were used.",
    "docs": "Open the documentation, at a page or at a word.",
    "explain": "What does a caution mean, and what is to be done?",
    "demo": "A tiny table for each caution: data, command, output.",
    "init": "Write an experiment to begin with, which runs as it is.",
}
_MODULES = {"import": "import_results"}  # where Python has the name for itself


@cache
def commands() -> dict[str, str]:
    """The line of each in --help."""
    return {record.command: record.help for record in all_analyses() if record.command} | _OTHERS


def _command(name: str) -> click.Command:
    """From its file, or of the usual form from the record of its analysis."""
    if name in _OTHERS:
        place = f"cli.commands.{_MODULES.get(name, name)}:command"
    elif (record := of_command(name)).about:
        from bakeoff.cli.analyses import simple_command

        return simple_command(record)
    else:
        place = f"analyses.{name.replace('-', '_')}.command:command"
    command: click.Command = load(place)
    return command


class CommandGroup(click.Group):
    """Imports a command when it is called, and turns every error into one line and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in commands():
            return None
        command = _command(cmd_name)
        command.epilog = f"At length: bakeoff docs {cmd_name}"
        if "_BAKEOFF_COMPLETE" in os.environ:
            from bakeoff.cli.completion import completing

            return completing(cmd_name, command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Of the table alone: no command is imported."""
        from click.shell_completion import CompletionItem

        found = [CompletionItem(name, help=text) for name, text in commands().items() if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0] if args else ""
        if name not in commands() and not name.startswith("-"):
            hint = did_you_mean(name, commands())
            if os.path.isfile(name):
                suffix = os.path.splitext(name)[1].lower()
                what, direction = ("run", "") if suffix == ".toml" else ("compare", " --better lower|higher")
                if name.endswith((".sqlite", ".sqlite3", ".db")):
                    direction = ""  # a store knows it
                hint = f"; for this file say bakeoff {what} {shlex.quote(name)}{direction}"
            raise click.UsageError(f"there is no command {name!r}{hint}; there are {', '.join(commands())}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, text in commands().items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _silence()
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
        given = list(sys.argv[1:] if args is None else args)
        extra.setdefault("obj", {"command": shlex.join(["bakeoff", *given])})

        def run() -> Any:
            return super(CommandGroup, self).main(given, prog_name or "bakeoff", complete_var, False, **extra)

        if not standalone_mode:
            return run()
        # imports make many objects and no garbage: commands freeze these, then enable it; saves a fifth of start-up
        gc.unfreeze()  # what a call before this one in the same process has frozen
        gc.disable()
        try:
            sys.exit(_guarded(run))
        finally:
            gc.enable()


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
        click.echo(error.format_message(), err=True)
        return 2
    except (KeyboardInterrupt, click.Abort):
        return _fail(130, "interrupted")
    except OSError as error:
        if not isinstance(error, BakeoffError):
            _silence()
        return _fail(2, message_of(error))
    except (click.ClickException, BakeoffError) as error:
        return _fail(2, message_of(error))
    except Exception as error:
        return internal_error(error)


def message_of(error: Exception) -> str:
    """The line that this program says of an error."""
    if isinstance(error, click.UsageError):
        from bakeoff.cli.usage import explained

        asked = error.ctx.command_path if error.ctx else "bakeoff"
        return in_one_line(f"{explained(error)} (see {asked} --help)")
    if isinstance(error, click.ClickException):
        return in_one_line(error.format_message())
    if isinstance(error, (BakeoffError, OSError)):
        return in_one_line(str(error))
    return in_one_line(_internal(error))


def in_one_line(text: str) -> str:
    return " ".join(plain(text).split())


def _fail(code: int, message: str) -> int:
    """Print the message as one line on stderr."""
    if os.environ.get("BAKEOFF_DEBUG") and sys.exc_info()[1] is not None:
        import traceback

        traceback.print_exc()
    click.echo(f"bakeoff: {in_one_line(message)}", err=True)
    return code


def internal_error(error: Exception, code: int = 1) -> int:
    """One line about a bug of bakeoff; the exit code."""
    return _fail(code, _internal(error))


def _internal(error: Exception) -> str:
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"internal error: {what}. Please report it with the traceback that BAKEOFF_DEBUG=1 shows."


def _silence() -> None:
    """stdout is closed: redirect it to devnull, or flushing it at exit fails."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
    """Which algorithm is better, by how much, how sure are we?"""
