"""``bakeoff bayes``: a table of scores in, probabilities out."""

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
from bakeoff.errors import BakeoffError, ParameterError


@click.command(name="bayes")
@FILE
@BETTER
@click.option("--control", metavar="NAME", help="Show the pairs of this algorithm only; otherwise all pairs.")
@click.option("--a", metavar="NAME", help="With --b: compare these two and leave all others out of the table.")
@click.option("--b", metavar="NAME", help="See --a.")
@click.option("--rope", type=float, metavar="R", help="Differences up to R score units are practically none.")
@click.option(
    "--prior", metavar="NAME", help="equal (default): all algorithms equal. ignorance: any ranking; gives bounds."
)
@click.option("--prior-strength", type=float, metavar="S", help="As many problems as the prior counts for. Default: 1.")
@click.option("--gamma", type=float, metavar="G", help="Accepted is what has a probability above 1 - G. Default: 0.05.")
@click.option("--draws", "n_draws", type=int, metavar="N", help="Draws of what is drawn. Default: enough to decide.")
@click.option("--seed", "rng", type=int, metavar="N", help="Of the draws. Default: 0, the same draws every time.")
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """How probable is it that one algorithm is better, and who is best?

    FILE holds the scores: wide (problem names first, then a column per algorithm) or long (columns problem,
    algorithm, score and perhaps run), or is a store of runs (.sqlite), which knows which scores are good. "-" reads
    standard input.

    \b
    bakeoff bayes results.csv --better lower
    bakeoff bayes results.csv --better higher --rope 0.01 --report report.html
    """
    require_better(file, better, ctx)
    targets = find_targets(reports, file)
    try:
        overview = _overview(file, better, options)
    except BakeoffError as error:
        raise click.ClickException(as_options(str(error), ctx.command)) from error
    show(overview, ctx, as_json, targets)


def _overview(file: str, better: str | None, options: dict[str, Any]) -> Any:
    """Read, choose the two asked for, and look at everything."""
    import bakeoff as bo
    from bakeoff.cli.counter import counter

    wanted = given(options)
    two = [wanted.pop(name) for name in ("a", "b") if name in wanted]
    if len(two) == 1:
        raise ParameterError("--a and --b name the two algorithms to compare; give both, or --control NAME")
    if two and two[0] == two[1]:
        raise ParameterError(f"--a and --b must name two different algorithms; both are {two[0]!r}")
    if two and "control" in wanted:
        raise ParameterError("--control shows pairs of a whole table and --a with --b one pair alone; give one of them")
    _, overview = bo.read_scores, bo.bayes.overview  # all that is needed is loaded now
    gc.enable()
    scores = read_table(file, better, wanted)
    if two:
        for name, parameter in zip(two, ("a", "b"), strict=True):
            scores.index(name, parameter)  # an unknown name is said in the option's words
        scores = scores.select(algorithms=two)
    return overview(scores, **wanted, progress=counter("parts computed", patience=0.0))
