"""``bakeoff study``: how often each procedure rejects on draws of problems from a table."""

import gc
from typing import Any

import click

from bakeoff.cli.analyses import options
from bakeoff.cli.options import BETTER, FILE, Command, read_table, require_better, show, table_options, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.terminal import counter
from bakeoff.errors import ParameterError
from bakeoff.wings.study.analysis.parameters import OF_POWER

ABOUT = """On other samples of problems, how often would each procedure find a and b different?

The experiment of Demšar (2006, section 4) and García et al. (2010, section 6) on the scores in FILE. With --shift
the truth is known, and errors are told from power.

\b
bakeoff study power accuracy.csv --better higher --a ours --b baseline
bakeoff study power errors.csv --better lower --a ours --b baseline --scale sd --bias 0,1,2,3
bakeoff study power errors.csv --better lower --a ours --b baseline --shift 0,0.5,1 --null all
"""


@click.group(name="study", help=ABOUT)
def command() -> None:
    """How well do the procedures work?"""


@command.command(name="power", cls=Command, help=ABOUT)
@FILE
@BETTER
@options(*OF_POWER)
@table_options
@click.pass_context
def power(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **chosen_options: Any
) -> None:
    """``bakeoff study power``."""
    require_better(file, better, ctx)
    for name in ("a", "b"):
        if chosen_options[name] is None:
            raise click.UsageError(f"--{name} NAME is required: the pair to study", ctx)
    targets = find_targets(reports, file)
    arguments = _wanted(without_unset(chosen_options))
    import bakeoff as bo

    known = "shift" in arguments
    study = bo.study.known_truth if known else bo.study.power
    gc.enable()
    scores = read_table(file, better, arguments)
    show(study(scores, progress=counter("tables", patience=0.5), **arguments), ctx, as_json, targets)


def _wanted(options: dict[str, Any]) -> dict[str, Any]:
    """The options as the library takes them."""
    known = "shift" in options
    for name in ("bias", "lead") if known else ("null",):
        if name in options:
            beside = (
                "has no meaning with --shift: all problems are equally likely to be drawn" if known else "needs --shift"
            )
            raise ParameterError(beside, parameter=name)
    for name in ("bias", "shift"):
        if name in options:
            options[name] = _numbers(name, options[name])
    if "tests" in options:
        options["tests"] = [part.strip() for text in options["tests"] for part in text.split(",") if part.strip()]
    if "null" in options:
        options["null"] = options["null"][0] if options["null"] in (("pair",), ("all",)) else list(options["null"])
    if "scale" in options and options["scale"] != "sd":
        try:
            options["scale"] = float(options["scale"])
        except ValueError:
            raise ParameterError(f"must be sd or a number; got {options['scale']!r}", parameter="scale") from None
    return options


def _numbers(name: str, text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(f"must be numbers with commas between them; got {text!r}", parameter=name) from None
