"""``bakeoff iqm``: interquartile means over tasks and runs."""

from typing import Any

import click

from bakeoff.cli.analyses import parameters, show_analysis
from bakeoff.cli.options import BETTER, FILE, Command, table_options


@click.command(name="iqm", cls=Command)
@FILE
@BETTER
@parameters("iqm")
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """How good is each algorithm over all tasks and runs, without the worst and the best quarter of runs?

    FILE has scores on one scale, such as human-normalised ones, with several runs of each algorithm on each task: the
    long layout (columns problem, algorithm, run, score), or a store of runs. "-" reads standard input.

    \b
    bakeoff iqm runs.csv --better higher
    bakeoff iqm runs.csv --better higher --over runs --control ours --report iqm.html
    """
    import bakeoff as bo

    show_analysis(bo.interquartile_mean, ctx, file, better, as_json, reports, options)
