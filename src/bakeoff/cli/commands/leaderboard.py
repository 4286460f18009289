"""``bakeoff leaderboard``: what a ranking may say."""

from typing import Any

import click

from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import BETTER, FILE, Command, given, read_table, require_better, show, table_options
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.stores import with_store_cautions


@click.command(name="leaderboard", cls=Command)
@FILE
@BETTER
@parameters("leaderboard")
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """Who may be the best, which ranks are possible, and what is the winner's score worth?

    FILE is a table of scores, as of bakeoff compare. "-" reads standard input.

    \b
    bakeoff leaderboard results.csv --better higher
    bakeoff leaderboard results.csv --better lower --by mean-rank --report board.html
    """
    require_better(file, better, ctx)
    targets = find_targets(reports, file)
    import bakeoff as bo

    wanted = given(options)
    found = bo.leaderboard(read_table(file, better, wanted), **wanted)
    show(with_store_cautions(file, found), ctx, as_json, targets)
