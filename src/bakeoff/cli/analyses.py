"""Commands of analyses, made from their records."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bakeoff.analyses import of_command
from bakeoff.cli.call import Call, Reply
from bakeoff.cli.folding import Heading, protocol_options
from bakeoff.cli.one_thread import load_numpy
from bakeoff.cli.options import (
    BETTER,
    DETAILS,
    FILE,
    METRIC,
    OUTPUT,
    SELECTED,
    SERIAL,
    TABLE,
    TRUTH,
    Command,
    ListingOption,
    add_options,
    require_better,
    show,
    without_unset,
)
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import FORMAT, LABEL, TARGET, any_files
from bakeoff.cli.terminal import note
from bakeoff.dataclass import dataclass
from bakeoff.places import load

if TYPE_CHECKING:
    from bakeoff.analysis import Analysis
    from bakeoff.parameter import Parameter

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
        attributes |= {"is_flag": True, "default": parameter.default}
    else:
        attributes["type"] = click.STRING if parameter.text_too else _TYPES[parameter.type]
        attributes["metavar"] = parameter.metavar or _METAVARS[parameter.type]
        attributes["multiple"] = parameter.repeatable
    flag = parameter.flag
    if parameter.negative:
        flag, attributes["default"] = f"{flag}/{parameter.negative}", None
    return click.option(flag, parameter.name, **attributes)


def options(*listed: Parameter) -> Callable[[F], F]:
    """Those of the parameters that a command has."""
    return add_options(*(option(parameter) for parameter in listed if parameter.on_command))


def parameters(command: str) -> Callable[[F], F]:
    """Those of the command's analysis, in the order of its record."""
    record = of_command(command)
    return add_options(options(*record.parameters), *(protocol_options() if record.planned else ()))


@dataclass(frozen=True, slots=True)
class Input:
    """The input of a command: its argument, made of what help calls it, and the options of reading."""

    argument: Callable[[str], Any]
    direction: bool = False
    reading: tuple[Callable[..., Any], ...] = ()


def _files(usual: str) -> Callable[[str], Any]:
    return lambda name: click.argument("file", nargs=-1, callback=any_files, metavar=name or usual)


INPUTS = {
    "table": Input(lambda _: FILE, True, (*TABLE, METRIC, TRUTH)),
    "times": Input(lambda _: FILE, False, (*TABLE, METRIC)),
    "battles": Input(lambda _: FILE, True, (*TABLE, METRIC)),
    "files": Input(_files("FILE..."), True),
    "experiment": Input(lambda name: click.argument("file", metavar=name or "EXPERIMENT.toml")),
    "commands": Input(
        lambda name: click.argument("commands", nargs=-1, required=True, metavar=name or "'COMMAND' 'COMMAND' …")
    ),
}
"""By what the record says that it reads."""
SHARED = {
    "details": (DETAILS,),
    "target": (TARGET,),
    "columns": TABLE[:4],  # --problem --algorithm --score --run
    "selection": (*SELECTED, FORMAT, LABEL),
    "table": (*TABLE, METRIC),
}
"""Options of several commands, by the words of the records."""


def _own(listed: Iterable[Parameter | str]) -> Iterator[Callable[[F], F]]:
    """The options that a record lists."""
    for each in listed:
        yield from SHARED[each] if isinstance(each, str) else (option(each),)


def made_command(record: Analysis) -> click.Command:
    """The command of an analysis, as its record describes it."""
    form = INPUTS[record.reads]
    argument: Callable[[F], F] = form.argument(record.argument)

    @click.command(name=record.part or record.command, cls=Command, help=record.about)
    @argument
    @add_options(*((BETTER,) if form.direction else ()), *_own(record.before))
    @parameters(record.command)
    @add_options(*_own(record.after), *form.reading, *((SERIAL,) if "series" in record.respects else ()), *OUTPUT)
    @click.pass_context
    def command(ctx: click.Context, /, as_json: bool, reports: tuple[str, ...], **typed: Any) -> None:
        if record.reads != "experiment":  # its algorithms may run in this process
            load_numpy()
        source = typed.pop("commands" if record.reads == "commands" else "file")
        call = Call(
            ctx=ctx, record=record, source=source, better=typed.pop("better", None), arguments=without_unset(typed)
        )
        if record.reads == "table":
            require_better(source, call.better, ctx)
        kept = [call.store] if call.store else []
        files = kept if record.reads == "commands" else [source, *kept]
        targets = find_targets(reports, *files, parts=record.writes_scores)
        answer = _answered(call)
        show(answer.result, ctx, as_json, targets, answer.last, answer.page)
        if answer.note:
            note(answer.note)
        if answer.exit_code:
            ctx.exit(answer.exit_code)

    if not record.part:
        return command
    group = click.Group(name=record.command, help=record.about)
    group.add_command(command)
    return group


def _answered(call: Call) -> Reply:
    """Load what the analysis needs, which is not collected again, and compute."""
    record = call.record
    answered: Callable[[Call], Any] = load(record.hook) if record.hook else Call.result
    if record.computes:
        load(record.computes)
    import bakeoff as bo

    _ = bo.read_scores
    gc.freeze()
    gc.enable()
    result = answered(call)
    return result if isinstance(result, Reply) else Reply(result=result)
