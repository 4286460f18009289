"""``bakeoff per-problem``: the table of + and − that papers on optimisers print."""

from typing import Any

import click

from bakeoff.cli.analyses import show_analysis
from bakeoff.cli.options import BETTER, FILE, Command, table_options
from bakeoff.cli.terminal import counter


@click.command(name="per-problem", cls=Command)
@FILE
@BETTER
@click.option("--control", metavar="NAME", help="Compare it with each other algorithm. Default: all pairs.")
@click.option(
    "--correction",
    metavar="NAME",
    help="Over the problems of each pair: holm (default), fdr-bh (false discovery rate), none.",
)
@click.option(
    "--paired", is_flag=True, help="Run r of one algorithm belongs to run r of the others (one fold or seed)."
)
@click.option("--alpha", type=float, metavar="A", help="Level of each pair's problems. Default: 0.05.")
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
