"""``bakeoff profile``: performance and data profiles with bands."""

import gc
from typing import Any

import click

from bakeoff.cli.options import BETTER, FILE, Command, given, read_table, require_better, show, table_options
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.stores import with_store_cautions


@click.command(name="profile", cls=Command)
@FILE
@BETTER
@click.option(
    "--kind",
    metavar="NAME",
    help="ratio to the best (default), difference from it, or data: the scores are budgets to a target.",
)
@click.option("--band", type=float, metavar="C", help="Confidence of the band of each curve. Default: 0.95.")
@click.option("--resamples", "n_resamples", type=int, metavar="N", help="For bands and swap test. Default: 4999.")
@click.option("--seed", "rng", type=int, metavar="N", help="Of the resamples. Default: 0.")
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """On which share of the problems is each algorithm how near to the best, and how sure is that?

    FILE has the score of each algorithm on each problem: a time, an error, a number of evaluations. Runs that a column
    --status calls failed are infinitely far from the best. "-" reads standard input.

    \b
    bakeoff profile times.csv --better lower --status status
    bakeoff profile errors.csv --better lower --report profile.pdf
    bakeoff profile errors.csv --better lower --kind difference --only ours --only CMA-ES
    """
    require_better(file, better, ctx)
    targets = find_targets(reports, file)
    import bakeoff as bo

    wanted = given(options)
    chosen = {name: wanted.pop(name) for name in ("cell",) if name in wanted}  # failed runs count in it
    wanted.setdefault("missing", "keep")  # failed runs stay; a score missing without a reason is refused
    _, profile = bo.read_scores, bo.profile  # loads everything that is needed
    gc.freeze()
    gc.enable()
    found = profile(read_table(file, better, wanted), **wanted, **chosen)
    show(with_store_cautions(file, found), ctx, as_json, targets)
