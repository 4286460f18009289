"""``bakeoff evaluate``: models judged question by question."""

from typing import Any

import click

from bakeoff.cli.analyses import show_analysis
from bakeoff.cli.options import BETTER, FILE, Command, table_options


@click.command(name="evaluate", cls=Command)
@FILE
@BETTER
@click.option("--control", metavar="NAME", help="Compare it with each other model. Default: all pairs.")
@click.option(
    "--correction",
    metavar="NAME",
    help="Over pairs: max-t (default: law of the largest |t| from signs of clusters), holm, bonferroni.",
)
@click.option("--alpha", type=float, metavar="A", help="Error rate of the family. Default: 0.05.")
@click.option("--seed", "rng", type=int, metavar="N", help="Seed of the signs. Default: 0.")
@click.option(
    "--resamples", "n_resamples", type=int, metavar="N", help="Choices of signs drawn for max-t. Default: 9999."
)
@click.option(
    "--suites",
    metavar="NAME",
    help="Macro average over suites: clusters (each cluster is one), or prefix (of a problem called suite/question).",
)
@click.option(
    "--tasks", metavar="NAME", help="fixed (default: a claim about these suites) or new (about others like them)."
)
@click.option("--unit", metavar="NAME", help="What is independent: cluster (default where there are some) or problem.")
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
