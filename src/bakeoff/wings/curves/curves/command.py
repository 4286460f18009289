"""``bakeoff curves``: whole curves, all budgets at once."""

from typing import Any

import click

from bakeoff.cli.analyses import options, parameters
from bakeoff.cli.options import BETTER, SELECTED, Command, add_options, output_options, show, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import FORMAT, LABEL, Source, require_better
from bakeoff.errors import ParameterError
from bakeoff.wings.curves.curves.parameters import ALONG, COLUMNS


def _files(ctx: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> Source:
    labels = ctx.params.get("label")
    if not names and not labels:
        raise click.MissingParameter(ctx=ctx, param=parameter)
    return Source.of(names, labels)


@click.command(name="curves", cls=Command)
@click.argument("file", nargs=-1, callback=_files, metavar="FILE...")
@BETTER
@options(*COLUMNS)
@parameters("curves")
@options(*ALONG)
@add_options(*SELECTED, FORMAT, LABEL)
@output_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: Source,
    as_json: bool,
    reports: tuple[str, ...],
    latest: bool,
    fixed_budget: float | None,
    fixed_target: float | None,
    **chosen_options: Any,
) -> None:
    """From which budget to which is one algorithm better than another?

    FILE is a long table (columns problem, algorithm, run, budget, score), or folders of logs of COCO or IOHprofiler.
    The share of several targets that runs reach (an ECDF) is drawn by: bakeoff profile FILE --kind data --targets coco.

    \b
    bakeoff curves runs.csv --better lower
    bakeoff curves --label new=logs/new --label old=logs/old --scale log --budget evaluations/dimension
    bakeoff curves runs.csv --better higher --latest --spacing linear --report curves.html
    """
    targets = find_targets(reports, file)
    import bakeoff as bo

    arguments = without_unset(chosen_options)
    require_better(file, arguments.get("better"), ctx)
    labels = arguments.pop("label", None)
    source: Any = file.files[0] if len(file.files) == 1 and not labels else list(file.files)
    if labels:
        if file.files:
            raise click.UsageError("give files, or --label NAME=FILE, not both", ctx)
        source = labels
    result = bo.curves(source, better=arguments.pop("better", None), best_so_far=not latest, **arguments)
    last = "\n".join(part for part in (_at(result, fixed_budget), _to(result, fixed_target)) if part)
    show(result, ctx, as_json, targets, last=last)


def _at(result: Any, budget: float | None) -> str:
    if budget is None:
        return ""
    from bakeoff.wings.curves.curves.telling import budget_line

    try:
        return budget_line(result, budget)
    except ParameterError as error:
        raise ParameterError(f"--at {error.rule}") from None


def _to(result: Any, target: float | None) -> str:
    if target is None:
        return ""
    from bakeoff.wings.curves.curves.telling import target_line

    return target_line(result, target)
