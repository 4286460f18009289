"""``bakeoff sensitivity``: what would change the verdicts of ``bakeoff compare``."""

from typing import Any

import click

from bakeoff.analyses.compare.command import compared
from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import BETTER, FILE, Command, require_better, show, table_options, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.terminal import counter


@click.command(name="sensitivity", cls=Command)
@FILE
@BETTER
@parameters("sensitivity")
@table_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    better: str | None,
    as_json: bool,
    reports: tuple[str, ...],
    n_resamples: int | None,
    rng: int | None,
    **options: Any,
) -> None:
    """Would another reasonable analysis, or slightly other problems, have given another verdict?

    FILE is a table of scores, as of bakeoff compare, whose verdicts are examined: the same options give the same
    verdicts. "-" reads standard input.

    \b
    bakeoff sensitivity results.csv --better lower
    bakeoff sensitivity results.csv --better lower --control ours --report solid.html
    """
    require_better(file, better, ctx)
    targets = find_targets(reports, file)
    import bakeoff as bo

    comparison = compared(file, better, options)
    examined = bo.sensitivity(
        comparison, **without_unset({"n_resamples": n_resamples, "rng": rng}), progress=counter("tables examined")
    )
    show(examined, ctx, as_json, targets)
