"""``bakeoff per-problem``: the table of + and − that papers on optimisers print."""

import gc
from typing import Any

import click

from bakeoff.cli.options import BETTER, FILE, Command, given, read_table, require_better, show, table_options
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.stores import with_store_cautions
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
    require_better(file, better, ctx)
    targets = find_targets(reports, file)
    import bakeoff as bo

    wanted = {name: value for name, value in given(options).items() if value is not False}
    _, per_problem = bo.read_scores, bo.per_problem  # loads everything that is needed
    gc.freeze()
    gc.enable()
    found = per_problem(read_table(file, better, wanted), **wanted, progress=counter("pairs tested"))
    show(with_store_cautions(file, found), ctx, as_json, targets)
