"""``bakeoff iqm``: interquartile means over tasks and runs."""

from typing import Any

import click

from bakeoff.cli.analyses import show_analysis
from bakeoff.cli.options import BETTER, FILE, Command, table_options


@click.command(name="iqm", cls=Command)
@FILE
@BETTER
@click.option("--control", metavar="NAME", help="Compare it with each other algorithm. Default: all pairs.")
@click.option(
    "--over", metavar="NAME", help="tasks (default): claims for other tasks and runs; runs: for these tasks alone."
)
@click.option("--interval", metavar="NAME", help="t (default), or percentile: of the bootstrap, as rliable.")
@click.option("--alpha", type=float, metavar="A", help="Level of each interval, and of all pairs. Default: 0.05.")
@click.option("--goal", type=float, metavar="X", help="Of the optimality gap. Default: 1 where higher is better.")
@click.option("--resamples", type=int, metavar="N", help="Of percentile intervals. Default: 2000.")
@click.option("--seed", "rng", type=int, metavar="N", help="Of the resamples. Default: 0.")
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
