"""``bakeoff compare``: a table of scores in, a verdict out."""

from __future__ import annotations

import gc
from typing import Any

import click

from bakeoff.cli.options import (
    BETTER,
    FILE,
    as_options,
    find_targets,
    given,
    read_table,
    require_better,
    show,
    table_options,
)
from bakeoff.cli.stores import with_store_cautions
from bakeoff.errors import BakeoffError, ParameterError


@click.command(name="compare")
@FILE
@BETTER
@click.option("--control", metavar="NAME", help="Compare every algorithm with this one; otherwise all pairs.")
@click.option(
    "--omnibus",
    metavar="NAME",
    help="Does any differ? iman-davenport (default), friedman, aligned, quade, anova.",
)
@click.option(
    "--pairwise",
    metavar="NAME",
    help="The raw test of a pair: mean-ranks, aligned, quade, wilcoxon, sign, t. Default: as the omnibus ranks.",
)
@click.option(
    "--posthoc",
    metavar="NAME",
    multiple=True,
    help="Correction, repeatable or comma-separated; the first decides. 'all' computes every one of the family. "
    "With a control: holm (default), bonferroni, sidak, holland, finner, hochberg, hommel, rom, li, fdr-bh, "
    "fdr-by, rom-printed; dunnett (after anova). All pairs: bergmann-hommel (default), shaffer, shaffer-dynamic, "
    "holm, hochberg, hommel, nemenyi, nemenyi-range; tukey (after anova).",
)
@click.option("--recipe", metavar="NAME", help="A paper's protocol: demsar-2006, garcia-2010, derrac-2011.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Family-wise level.")
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """Which algorithms differ, which is better, and how sure are we?

    FILE holds the scores: wide (problem names first, then a column per algorithm) or long (columns problem,
    algorithm, score and perhaps run), or is a store of runs (.sqlite), which knows which scores are good. "-" reads
    standard input.

    \b
    bakeoff compare results.csv --better lower
    bakeoff compare results.csv --better higher --control ours --report report.html
    """
    require_better(file, better, ctx)
    targets = find_targets(reports, file)
    try:
        comparison = _compare(file, better, options)
    except BakeoffError as error:
        raise click.ClickException(as_options(str(error), ctx.command)) from error
    show(comparison, ctx, as_json, targets)


def _compare(file: str, better: str | None, options: dict[str, Any]) -> Any:
    """Read and compare."""
    import bakeoff as bo
    from bakeoff.cli.counter import counter

    wanted = given(options)
    if posthoc := [name.strip() for names in wanted.pop("posthoc", ()) for name in names.split(",") if name.strip()]:
        wanted["posthoc"] = _corrections(posthoc)
    _, compare = bo.read_scores, bo.compare  # all that is needed is loaded now
    gc.enable()
    found = compare(read_table(file, better, wanted), **wanted, progress=counter("pairs tested"))
    return with_store_cautions(file, found)


def _corrections(names: list[str]) -> str | list[str]:
    if "all" not in names:
        return names
    if len(names) > 1:
        raise ParameterError("--posthoc all already computes every correction; give either 'all' or names")
    return "all"
