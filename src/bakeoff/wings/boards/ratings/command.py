"""``bakeoff ratings``: strengths from who beat whom."""

import gc
from typing import Any

import click

from bakeoff.checks import choice
from bakeoff.cli.analyses import parameters, show_analysis
from bakeoff.cli.options import BETTER, DETAILS, FILE, Command, read_table, show, table_options, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import may_hold_direction
from bakeoff.cli.stores import with_store_cautions

BATTLES = ("a", "b", "winner", "cluster", "covariates", "category")
RATED = ("ties", "penalty", "reference", "alpha", "n_resamples")
METHODS = ("bradley-terry", "elo", "plackett-luce")


@click.command(name="ratings", cls=Command)
@FILE
@BETTER
@click.option(
    "--method",
    metavar="NAME",
    help="bradley-terry (default): who beats whom. elo: the same fit in Elo points, not updated battle by battle. "
    "plackett-luce: rankings of a table of scores, as in bakeoff bayes.",
)
@click.option("--a", metavar="COLUMN", help="Battles: column of the first algorithm.")
@click.option("--b", metavar="COLUMN", help="Battles: column of the second algorithm.")
@click.option("--winner", metavar="COLUMN", help="Battles: column of the winner: a name, a, b or tie.")
@click.option(
    "--covariate",
    "covariates",
    metavar="COLUMN",
    multiple=True,
    help="Battles: adjust for this: columns length_a and length_b for length, or one of differences. Repeatable.",
)
@click.option(
    "--category", metavar="COLUMN", help="Battles: a board for each value of this column, beside all battles."
)
@parameters("ratings")
@DETAILS
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """How strong is each algorithm, by who beat whom?

    Without --better, FILE is a table of battles: two algorithms and who won (columns a, b, winner and perhaps cluster).
    With it, or as a store of runs or another program's results, it holds scores, and on each problem every pair meets
    once. "-" reads standard input.

    \b
    bakeoff ratings battles.csv --a model_a --b model_b --winner winner --cluster question_id
    bakeoff ratings battles.csv --covariate length --covariate style
    bakeoff ratings battles.csv --category topic
    bakeoff ratings results.csv --better higher
    bakeoff ratings results.csv --better higher --method plackett-luce
    """
    method = choice("method", options.pop("method") or METHODS[0], METHODS)
    targets = find_targets(reports, file)
    import bakeoff as bo

    if method == "plackett-luce":
        if better is None and not may_hold_direction(file, ctx.params):
            raise click.UsageError(
                "--method plackett-luce ranks scores, and needs --better; battles have no ranking", ctx
            )
        named = {name: options.pop(name) for name in (*RATED, "a", "b", "winner", "covariates", "category")}
        _refuse(without_unset(named), (), "belongs to --method bradley-terry", ctx)
        show_analysis(bo.bayes.plackett_luce, ctx, file, better, as_json, reports, options)
        return
    arguments = without_unset(options)
    _, _ = bo.ratings, bo.read_battles  # loads everything that is needed
    gc.freeze()
    gc.enable()
    if better is None and not may_hold_direction(file, ctx.params):
        columns = {name: arguments.pop(name) for name in BATTLES if name in arguments}
        _refuse(arguments, (*RATED, "rng"), "needs --better", ctx)
        if len(getattr(file, "paths", (file,))) > 1:
            raise click.UsageError("several files are scores, and need --better; battles are one file", ctx)
        result = bo.ratings(bo.read_battles(file, **columns), **arguments)
    else:
        _refuse(
            {name: arguments[name] for name in ("a", "b", "winner", "covariates", "category") if name in arguments},
            (),
            "is for battles, without --better",
            ctx,
        )
        scores = read_table(file, better, arguments)
        result = with_store_cautions(file, bo.ratings(scores, **arguments))
    show(result, ctx, as_json, targets)


def _refuse(arguments: dict[str, Any], known: tuple[str, ...], why: str, ctx: click.Context) -> None:
    if stray := [name for name in arguments if name not in known]:
        name = {"covariates": "covariate"}.get(stray[0], stray[0].replace("_", "-"))
        raise click.UsageError(f"--{name} {why}", ctx)
