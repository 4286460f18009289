"""A command line that somebody printed: parsed as this program does, but never run.

A report prints the command that made it. ``verification`` holds it against what the report was asked for.
"""

from __future__ import annotations

import shlex
from typing import Any

import click

from bakeoff.cli.folding import FoldedOption
from bakeoff.cli.sources import by_key
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError


@dataclass(frozen=True, slots=True)
class CommandWords:
    """``values`` are those of the arguments and options that were given, by the name of the parameter."""

    command: str
    values: dict[str, Any]
    flags: dict[str, str]  # how each option is typed
    of_looks: frozenset[str]  # names of options that change no result


def parse_command(text: str) -> CommandWords:
    """The words of the command line and what they say.

    No callback runs and no file is opened. Anything that this program would refuse, or a shell would read as more than
    words, is an error.
    """
    from bakeoff.cli import main

    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ParameterError(f"is no line of words ({error})", parameter="command") from None
    if shlex.join(words) != text or words[:1] != ["bakeoff"]:
        raise ParameterError("must be bakeoff and its words, quoted as for a shell", parameter="command")
    command: click.Command = main
    ctx = click.Context(main, info_name=words.pop(0))
    try:
        while isinstance(command, click.Group):
            below = command.get_command(ctx, words[0]) if words else None
            if below is None:
                raise click.UsageError(f"there is no command {words[0]!r}" if words else "the command is missing")
            command, ctx = below, click.Context(below, ctx, words.pop(0))
        own = {name for param in command.params for name in param.opts}
        by_name, rest, _ = command.make_parser(ctx).parse_args(list(by_key(words, own)))
        if rest:
            raise click.UsageError(f"unexpected {rest[0]!r}")
        return _typed(command, ctx, by_name)
    except click.ClickException as error:
        raise ParameterError(f"is refused: {error.format_message()}", parameter="command") from None


def _typed(command: click.Command, ctx: click.Context, by_name: dict[str, Any]) -> CommandWords:
    values, flags, of_looks = {}, {}, {"as_json", "reports", "details"}
    for parameter in command.get_params(ctx):
        name = str(parameter.name)
        value = parameter.type_cast_value(ctx, by_name[name]) if _is_there(by_name.get(name)) else None
        if value not in (None, (), False) or (value is False and parameter.secondary_opts):
            values[name] = value
        if not isinstance(parameter, click.Option):
            if name not in values and (parameter.required or (name == "file" and "label" not in by_name)):
                raise click.MissingParameter(ctx=ctx, param=parameter)
            continue
        if value and parameter.is_flag and parameter.is_eager:
            raise click.UsageError(f"with {parameter.opts[0]} there is no report")
        flags[name] = parameter.opts[0]
        if isinstance(parameter, FoldedOption) and parameter.heading == "Output":
            of_looks.add(name)
    return CommandWords(str(command.name), values, flags, frozenset(of_looks))


def _is_there(value: Any) -> bool:
    """Click has None, or a mark of its own, for what was not given."""
    return value is not None and not repr(value).startswith("Sentinel")
