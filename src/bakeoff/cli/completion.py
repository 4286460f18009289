"""Completion in a shell: commands, options, files, and the names that options take. click does the rest.

Imported only while a shell asks. Names that parameters of analyses take are in their records. The others are written
out, since the tables they come from load NumPy and SciPy; a test compares them with what the commands accept.
"""

import copy
import re

import click

from bakeoff.cli.analyses import ParameterOption
from bakeoff.wing import provided

VARIABLE = "_BAKEOFF_COMPLETE"
"""The environment variable by which the shell's function asks; click's name for it."""

_A_FILE = re.compile(r"FILE|PATH|SCORES|BATTLES|\.toml|\.sqlite|\.json|^STORE")
_FORMATS = ("auto", *(formats.FORMATS if (formats := provided("formats")) else ()))
CHOICES = {
    "--better": ("lower", "higher"),
    "--format": _FORMATS,
    "--look": ("caption=no", "script=no"),
    "--missing": ("raise", "drop", "drop-unrun", "worst", "available", "keep"),
    "compare --missing": ("raise", "drop", "drop-unrun", "worst", "available", "keep", "bounds", "common"),
    "--read": (
        *("layout=wide", "layout=long", "header=no", "decimal=.", "decimal=,"),
        *("cell=median", "cell=best", "cell=success"),
    ),
    "import FORMAT|auto": _FORMATS,
}
"""By option, or by command and option."""


def completing(name: str, command: click.Command) -> click.Command:
    """A copy whose parameters have types that click knows how to complete."""
    copied = copy.copy(command)
    if isinstance(copied, click.Group):
        copied.commands = {inner: completing(name, each) for inner, each in copied.commands.items()}
    copied.params = [copy.copy(parameter) for parameter in command.params]
    for parameter in copied.params:
        known = _choices(name, parameter)
        if known is not None:
            parameter.type = click.Choice(known)
        elif _is_file(parameter):
            parameter.type = click.Path()
    return copied


def _choices(name: str, parameter: click.Parameter) -> tuple[str, ...] | None:
    if not isinstance(parameter, click.Option):
        return CHOICES.get(f"{name} {parameter.metavar}")
    if isinstance(parameter, ParameterOption) and parameter.parameter.choices:
        return tuple(parameter.parameter.choices)
    listed = (CHOICES.get(f"{name} {option}") or CHOICES.get(option) for option in parameter.opts)
    return next((names for names in listed if names is not None), None)


def _is_file(parameter: click.Parameter) -> bool:
    """By what the help calls it; an argument without a word of its own is a file."""
    if parameter.metavar is None:
        return isinstance(parameter, click.Argument) and parameter.type is click.STRING
    return _A_FILE.search(parameter.metavar) is not None and "=" not in parameter.metavar


def script(program: click.Command, shell: str) -> str:
    """The script that the shell has to read."""
    from click.shell_completion import get_completion_class

    shell_class = get_completion_class(shell)
    assert shell_class is not None
    return shell_class(program, {}, "bakeoff", VARIABLE).source()
