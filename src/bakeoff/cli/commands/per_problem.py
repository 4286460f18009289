"""``bakeoff per-problem``: the table of + and − that papers on optimisers print."""

from typing import Any

import click

from bakeoff.cli.analyses import parameters, show_analysis
from bakeoff.cli.options import BETTER, FILE, Command, table_options
from bakeoff.cli.terminal import counter


@click.command(name="per-problem", cls=Command)
@FILE
@BETTER
@parameters("per-problem")
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """On which problems is one algorithm better, judged by its runs on each?

    FILE has several runs of each algorithm on each problem: the long layout (columns problem, algorithm, run, score),
    or a store of runs (.sqlite), which needs no --better. "-" reads standard input.

    \b
    bakeoff per-problem runs.csv --better lower --control ours
    bakeoff per-problem runs.csv --better lower --report table.tex
    """
    import bakeoff as bo

    show_analysis(bo.per_problem, ctx, file, better, as_json, reports, options, progress=counter("pairs tested"))
