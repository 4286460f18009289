"""``bakeoff evaluate``: models judged question by question."""

from typing import Any

import click

from bakeoff.cli.analyses import parameters, show_analysis
from bakeoff.cli.options import BETTER, FILE, Command, table_options


@click.command(name="evaluate", cls=Command)
@FILE
@BETTER
@parameters("evaluate")
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """Which model answers better on average, by how much, and what would more questions show?

    FILE has the score of each model on each question, several answers included: the long layout (columns problem,
    algorithm, score, and perhaps run and cluster), the wide one, a store of runs, or what a tool for evaluations wrote
    (bakeoff import --help lists the formats). "-" reads standard input.

    \b
    bakeoff evaluate answers.csv --better higher --cluster passage
    bakeoff evaluate answers.csv --better higher --control ours --report report.html
    bakeoff evaluate --label large=logs/large --label small=logs/small
    """
    import bakeoff as bo

    show_analysis(bo.evaluate, ctx, file, better, as_json, reports, options)
