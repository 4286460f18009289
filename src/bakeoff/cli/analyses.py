"""Commands of analyses: their options, from the records, and those that give one file to one function."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bakeoff.analyses import of_command
from bakeoff.cli.folding import Heading, protocol_options
from bakeoff.cli.options import (
    BETTER,
    FILE,
    Command,
    ListingOption,
    add_options,
    read_table,
    require_better,
    show,
    table_options,
    without_unset,
)
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import with_store_cautions
from bakeoff.cli.terminal import counter
from bakeoff.places import load

if TYPE_CHECKING:
    from bakeoff.analysis import Analysis
    from bakeoff.parameter import Parameter
    from bakeoff.reportable import Reportable

F = TypeVar("F", bound=Callable[..., Any])
_TYPES = {str: click.STRING, int: click.INT, float: click.FLOAT}
_METAVARS = {str: "NAME", int: "N", float: "X"}


class ParameterOption(ListingOption):
    """An option that knows its parameter: what a shell completes, and what the reference page says."""

    def __init__(self, *declarations: Any, parameter: Parameter, **attributes: Any) -> None:
        heading: Heading | None = "Details" if parameter.detail else None
        super().__init__(*declarations, describe=lambda: parameter.text, heading=heading, **attributes)
        self.parameter = parameter


def option(parameter: Parameter) -> Callable[[F], F]:
    """The option that sets the parameter. What is not given is None, so that defaults stay in the library."""
    attributes: dict[str, Any] = {"cls": ParameterOption, "parameter": parameter}
    if parameter.type is bool:
        attributes["is_flag"] = True
    else:
        attributes["type"] = click.STRING if parameter.text_too else _TYPES[parameter.type]
        attributes["metavar"] = parameter.metavar or _METAVARS[parameter.type]
        attributes["multiple"] = parameter.repeatable
    return click.option(parameter.flag, parameter.name, **attributes)


def options(*listed: Parameter) -> Callable[[F], F]:
    """Those of the parameters that a command has."""
    return add_options(*(option(parameter) for parameter in listed if parameter.on_command))


def parameters(command: str) -> Callable[[F], F]:
    """Those of the command's analysis, in the order of its record."""
    record = of_command(command)
    return add_options(options(*record.parameters), *(protocol_options() if record.planned else ()))


def simple_command(record: Analysis) -> click.Command:
    """That gives one table to the function of its analysis."""

    @click.command(name=record.command, cls=Command, help=record.about)
    @FILE
    @BETTER
    @parameters(record.command)
    @table_options
    @click.pass_context
    def command(
        ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
    ) -> None:
        more = {"progress": counter(record.progress)} if record.progress else {}
        show_analysis(load(record.computes), ctx, file, better, as_json, reports, options, **more)

    return command


def show_analysis(
    analyse: Callable[..., Reportable],
    ctx: click.Context,
    file: str,
    better: str | None,
    as_json: bool,
    reports: tuple[str, ...],
    options: dict[str, Any],
    **more: Any,
) -> None:
    """Print what ``analyse`` says of the scores in ``file``, and write the reports; ``more`` are further arguments."""
    require_better(file, better, ctx)
    targets = find_targets(reports, file)
    import bakeoff as bo

    _ = bo.read_scores  # with ``analyse`` everything that is needed is loaded
    gc.freeze()
    gc.enable()
    arguments = without_unset(options)
    scores = read_table(file, better, arguments)
    show(with_store_cautions(file, analyse(scores, **arguments, **more)), ctx, as_json, targets)
