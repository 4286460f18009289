"""``bakeoff runtimes``: times of which some were stopped at a cap."""

import gc
from typing import Any

import click

from bakeoff.cli.options import FILE, Command, given, read_table, show, table_options
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.stores import with_store_cautions


@click.command(name="runtimes", cls=Command)
@FILE
@click.option(
    "--cap",
    type=float,
    metavar="T",
    help="Time limit of every run. Without --status, a time of at least T is a timeout; with it, a longer time is.",
)
@click.option(
    "--k", type=float, multiple=True, metavar="K", help="Penalty: a timeout counts K caps. Default: 1, 2, 10."
)
@click.option("--shift", type=float, metavar="S", help="Of the shifted geometric mean. Default: 10.")
@click.option("--control", metavar="NAME", help="Compare it with each other algorithm. Default: all pairs.")
@click.option("--alpha", type=float, metavar="A", help="Error rate of each family of tests. Default: 0.05.")
@click.option("--seed", "rng", type=int, metavar="N", help="Seed of the bootstrap. Default: 0.")
@click.option("--resamples", type=int, metavar="N", help="Bootstrap samples of the problems. Default: 2000.")
@table_options
@click.pass_context
def command(ctx: click.Context, /, file: str, as_json: bool, reports: tuple[str, ...], **options: Any) -> None:
    """Which algorithm is faster where some runs were stopped, and does what a timeout counts decide?

    FILE has the time of each algorithm on each problem: the long layout (columns problem, algorithm, score, and perhaps
    run, cluster and status), the wide one, or what another program wrote. Less is better. A run whose status is not ok
    has no time; it counts as unsolved. "-" reads standard input.

    \b
    bakeoff runtimes times.csv --cap 5000
    bakeoff runtimes runs.csv --score seconds --status status --cap 5000 --cluster family --report report.html
    """
    targets = find_targets(reports, file)
    import bakeoff as bo

    wanted = given(options)
    wanted.setdefault("missing", "keep")
    _, runtimes = bo.read_scores, bo.runtimes  # loads everything that is needed
    gc.freeze()
    gc.enable()
    found = runtimes(read_table(file, "lower", wanted), **wanted)
    show(with_store_cautions(file, found), ctx, as_json, targets)
