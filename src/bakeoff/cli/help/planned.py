"""``--protocol`` and ``--deviate``: a command whose choices were fixed before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.help.folding import FoldedOption
from bakeoff.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bakeoff.parameter import Parameter
    from bakeoff.protocols import Protocol
    from bakeoff.reportable import Reportable

_KEY = "bakeoff.protocol"


def protocol_options() -> tuple[Callable[[Any], Any], ...]:
    """The two options, kept in the context: what computes knows nothing of them."""

    def keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
        ctx.meta[f"{_KEY}.{parameter.name}"] = value

    return (
        click.option(
            "--protocol",
            cls=FoldedOption,
            heading="Reading",
            metavar="FILE",
            expose_value=False,
            callback=keep,
            help="Take every choice from this protocol (bakeoff protocol seal); refuse what contradicts it.",
        ),
        click.option(
            "--deviate",
            cls=FoldedOption,
            heading="Reading",
            metavar="REASON",
            expose_value=False,
            callback=keep,
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
    from bakeoff.protocols.choices import default, planned_parameters

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
    from bakeoff.protocols import held

    return held(result, protocol, ctx.meta.get(f"{_KEY}.deviate"))


def _as_typed(parameter: Parameter, value: Any) -> Any:
    """As the option would have it."""
    if parameter.repeatable:
        return tuple(value) if isinstance(value, list) else (value,)
    return str(value) if parameter.text_too else value
