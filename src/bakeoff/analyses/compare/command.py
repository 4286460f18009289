"""``bakeoff compare``: a table of scores in, a verdict out."""

import gc
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import (
    BETTER,
    DETAILS,
    FILE,
    Command,
    number_or_text,
    read_table,
    require_better,
    show,
    table_options,
    without_unset,
)
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import with_store_cautions
from bakeoff.cli.terminal import counter
from bakeoff.errors import ParameterError

if TYPE_CHECKING:
    from bakeoff.analyses.compare.statistics import Comparison


@click.command(name="compare", cls=Command)
@FILE
@BETTER
@parameters("compare")
@DETAILS
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """Which algorithms differ, which is better, and how sure are we?

    FILE is a table of scores: wide (problem names, then a column per algorithm) or long (columns problem, algorithm,
    score, perhaps run). A store of runs (.sqlite) needs no --better. "-" reads standard input.

    \b
    bakeoff compare results.csv --better lower
    bakeoff compare results.csv --better higher --control ours --report report.html
    """
    require_better(file, better, ctx)
    targets = find_targets(reports, file, parts=True)
    show(compared(file, better, options), ctx, as_json, targets)


def compared(file: str, better: str | None, options: dict[str, Any]) -> "Comparison":
    """Read and compare."""
    import bakeoff as bo

    arguments = without_unset(options)
    if posthoc := [name.strip() for names in arguments.pop("posthoc", ()) for name in names.split(",") if name.strip()]:
        arguments["posthoc"] = _corrections(posthoc)
    if "margin" in arguments:
        arguments["margin"] = number_or_text(arguments["margin"])
    _, compare = bo.read_scores, bo.compare  # loads everything that is needed
    gc.freeze()
    gc.enable()
    if bounds := arguments.get("missing") == "bounds":
        arguments["missing"] = "keep"  # of reading; the bounds are over what these cells may be
    scores = read_table(file, better, arguments)
    if arguments.get("unit") == "cluster" and scores.clusters is None:
        raise ParameterError("--unit cluster: this table has no clusters; name their column with --cluster COLUMN")
    comparison = compare(scores, **arguments, missing="bounds" if bounds else None, progress=counter("pairs tested"))
    result: Comparison = with_store_cautions(file, comparison)
    return result


def _corrections(names: list[str]) -> str | list[str]:
    if "all" not in names:
        return names
    if len(names) > 1:
        raise ParameterError("--posthoc all computes every correction: give either 'all' or names")
    return "all"
