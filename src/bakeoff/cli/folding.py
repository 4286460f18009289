"""Options that most users never need, folded in ``-h``; ``--protocol`` and ``--deviate``, which most commands have."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import click

from bakeoff.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bakeoff.parameter import Parameter
    from bakeoff.protocols import Protocol
    from bakeoff.reportable import Reportable

# Options that most users never need: ``-h`` names them, ``--help-all`` explains them.

F = TypeVar("F", bound=Callable[..., Any])
Heading = Literal["Details", "Reading", "Output"]
FEWEST = 4
"""Fewer are explained at once."""


class FoldedOption(click.Option):
    """An option that ``-h`` names without its text, under its heading if it has one."""

    def __init__(self, *args: Any, heading: Heading | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.heading = heading


def reading_option(*declarations: str, **attributes: Any) -> Callable[[F], F]:
    return click.option(*declarations, cls=FoldedOption, heading="Reading", **attributes)


def output_option(*declarations: str, **attributes: Any) -> Callable[[F], F]:
    return click.option(*declarations, cls=FoldedOption, heading="Output", **attributes)


class FoldingCommand(click.Command):
    """A command whose ``-h`` explains what changes the answer, and names the other options."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        params = super().get_params(ctx)
        if not self._folded() or "--help-all" in {name for param in params for name in param.opts}:
            return params
        everything = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Explain every option.",
        )
        return [*params[:-1], everything, *params[-1:]]

    def _folded(self) -> list[FoldedOption]:
        folded = [param for param in self.params if isinstance(param, FoldedOption) and param.heading]
        return folded if len(folded) >= FEWEST else []

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        folded = [] if ctx.meta.get("bakeoff.help_all") else self._folded()
        shown = [param for param in self.get_params(ctx) if isinstance(param, click.Option) and param not in folded]
        with formatter.section("Options"):
            formatter.write_dl([record for param in shown if (record := param.get_help_record(ctx))])
        if folded:
            with formatter.section("More options (--help-all explains them)"):
                for heading in get_args(Heading):
                    names = [option.opts[0] for option in folded if option.heading == heading]
                    indent = f"{'':{formatter.current_indent}}{heading:<9}" if names else ""
                    for line in textwrap.wrap(" ".join(names), formatter.width - len(indent), break_on_hyphens=False):
                        formatter.write(f"{indent}{line}\n")
                        indent = " " * len(indent)


def _show_all(ctx: click.Context, _: click.Parameter, show: bool) -> None:
    if show and not ctx.resilient_parsing:
        ctx.meta["bakeoff.help_all"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


# ``--protocol`` and ``--deviate``: a command whose choices were fixed before.

_KEY = "bakeoff.protocol"


def protocol_options() -> tuple[Callable[[Any], Any], ...]:
    """The two options, kept in the context: what computes knows nothing of them."""

    def keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
        ctx.meta[f"{_KEY}.{parameter.name}"] = value

    kept = partial(reading_option, expose_value=False, callback=keep)
    return (
        kept(
            "--protocol",
            metavar="FILE",
            help="Take every choice from this protocol (bakeoff protocol seal); refuse what contradicts it.",
        ),
        kept(
            "--deviate",
            metavar="REASON",
            help="Allow departures from the protocol; the report lists each, and the reason, above its verdict.",
        ),
    )


def take_choices(ctx: click.Context) -> None:
    """Every choice of the protocol that the command line does not make."""
    path = ctx.meta.get(f"{_KEY}.protocol")
    if path is None:
        if ctx.meta.get(f"{_KEY}.deviate") is not None:
            raise ParameterError("says why a protocol is not kept: give it with --protocol FILE", parameter="deviate")
        return
    from bakeoff.analyses import of_command
    from bakeoff.protocols import read_protocol
    from bakeoff.protocols.protocol import default, planned_parameters

    protocol = read_protocol(path)
    ctx.meta[_KEY] = protocol
    if protocol.command != ctx.command.name:
        rule = f": {path!r} plans bakeoff {protocol.command}, not {ctx.command.name}"
        raise ParameterError(rule, parameter="protocol")
    known = {parameter.name: parameter for parameter in planned_parameters(protocol.command)}
    for option in ctx.command.params:
        name = str(option.name)
        if option.expose_value and ctx.params.get(name) in (None, (), False):
            if name in known and protocol.content[name] != default(known[name]):
                ctx.params[name] = _as_typed(known[name], protocol.content[name])
            elif name == "better" and isinstance(protocol.content["better"], str):
                ctx.params[name] = protocol.content["better"]
            elif name == "missing" and protocol.content["missing"] != of_command(protocol.command).planned:
                ctx.params[name] = protocol.content["missing"]


def beside_protocol(result: Reportable, ctx: click.Context) -> Reportable:
    """The result with the protocol that the command was given; what departs without a reason is refused."""
    protocol: Protocol | None = ctx.meta.get(_KEY)
    if protocol is None or hasattr(result, "protocol"):
        return result
    from bakeoff.protocols import check_against_protocol

    return check_against_protocol(result, protocol, ctx.meta.get(f"{_KEY}.deviate"))


def _as_typed(parameter: Parameter, value: Any) -> Any:
    """As the option would have it."""
    if parameter.repeatable:
        return tuple(value) if isinstance(value, list) else (value,)
    return str(value) if parameter.text_too else value
