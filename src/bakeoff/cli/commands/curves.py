"""``bakeoff curves``: whole curves, all budgets at once."""

from typing import Any

import click

from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import BETTER, Command, add_options, given, output_options, show
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import FORMAT, LABEL, Source, require_better
from bakeoff.errors import ParameterError


def _files(ctx: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> Source:
    labels = ctx.params.get("label")
    if not names and not labels:
        raise click.MissingParameter(ctx=ctx, param=parameter)
    return Source.of(names, labels)


@click.command(name="curves", cls=Command)
@click.argument("file", nargs=-1, callback=_files, metavar="FILE...")
@BETTER
@click.option("--problem", metavar="COLUMN", help="Column of the problem; of logs some of function,dimension,instance.")
@click.option("--algorithm", metavar="COLUMN", help="Column of the algorithm.")
@click.option("--run", metavar="COLUMN", help="Column of the run.")
@click.option("--budget", metavar="COLUMN", help="Column of the budget; of logs evaluations or evaluations/dimension.")
@click.option("--score", metavar="COLUMN", help="Column of the score.")
@click.option("--cluster", metavar="COLUMN", help="Column that says which problems share a source.")
@parameters("curves")
@click.option(
    "--grid", type=int, metavar="N", help="At most N budgets are compared. Default: all up to 1000, else 200."
)
@click.option("--target", type=float, metavar="Y", help="Score at which runs stop: whoever reached it keeps it.")
@click.option("--scale", metavar="NAME", help="linear (default), or log: logarithms of the scores.")
@click.option("--spacing", metavar="NAME", help="Of budgets: log (default) or linear.")
@click.option("--cell", metavar="NAME", help="What stands for runs: mean (default) or median.")
@click.option("--latest", is_flag=True, help="The latest score counts at a budget, not the best so far.")
@click.option("--at", "fixed_budget", type=float, metavar="B", help="Also print the mean scores at this budget.")
@click.option("--to", "fixed_target", type=float, metavar="Y", help="Also print the running time to this score.")
@add_options(FORMAT, LABEL)
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
    **options: Any,
) -> None:
    """From which budget to which is one algorithm better than another?

    FILE is a long table (columns problem, algorithm, run, budget, score), or folders of logs of COCO or IOHprofiler.

    \b
    bakeoff curves runs.csv --better lower
    bakeoff curves --label new=logs/new --label old=logs/old --scale log --budget evaluations/dimension
    bakeoff curves runs.csv --better higher --latest --spacing linear --report curves.html
    """
    targets = find_targets(reports, file)
    import bakeoff as bo

    wanted = given(options)
    require_better(file, wanted.get("better"), ctx)
    labels = wanted.pop("label", None)
    source: Any = file.files[0] if len(file.files) == 1 and not labels else list(file.files)
    if labels:
        if file.files:
            raise click.UsageError("give files, or --label NAME=FILE, not both", ctx)
        source = labels
    found = bo.curves(source, better=wanted.pop("better", None), best_so_far=not latest, **wanted)
    last = "\n".join(part for part in (_at(found, fixed_budget), _to(found, fixed_target)) if part)
    show(found, ctx, as_json, targets, last=last)


def _at(found: Any, budget: float | None) -> str:
    if budget is None:
        return ""
    from bakeoff.report.curves.sentences import budget_line

    try:
        return budget_line(found, budget)
    except ParameterError as error:
        raise ParameterError(f"--at {error.rule}") from None


def _to(found: Any, target: float | None) -> str:
    if target is None:
        return ""
    from bakeoff.report.curves.sentences import target_line

    return target_line(found, target)
