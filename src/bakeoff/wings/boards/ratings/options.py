"""What ``bakeoff ratings`` makes of its options."""

from typing import Any

import click

from bakeoff.checks import choice
from bakeoff.cli.call import Call
from bakeoff.inputs import may_hold_direction

BATTLES = ("a", "b", "winner", "cluster", "covariates", "category")
RATED = ("ties", "penalty", "reference", "alpha", "n_resamples")
METHODS = ("bradley-terry", "elo", "plackett-luce")


def call_ratings(call: Call) -> Any:
    """Rate by battles, or by scores whose direction is known."""
    import bakeoff as bo

    ctx, arguments = call.ctx, call.arguments
    of_battles = {name: arguments[name] for name in BATTLES if name in arguments and name != "cluster"}
    scored = call.better is not None or may_hold_direction(call.source, ctx.params)
    if choice("method", arguments.pop("method", METHODS[0]), METHODS) == "plackett-luce":
        if not scored:
            raise click.UsageError(
                "--method plackett-luce ranks scores, and needs --better; battles have no ranking", ctx
            )
        rated = {name: arguments[name] for name in RATED if name in arguments}
        _refuse(rated | of_battles, (), "belongs to --method bradley-terry", ctx)
        return call.result(analyse=bo.bayes.plackett_luce)
    if scored:
        _refuse(of_battles, (), "is for battles, without --better", ctx)
        return call.result()
    columns = {name: arguments.pop(name) for name in BATTLES if name in arguments}
    _refuse(arguments, (*RATED, "rng"), "needs --better", ctx)
    if len(call.source.paths) > 1:
        raise click.UsageError("several files are scores, and need --better; battles are one file", ctx)
    return bo.ratings(bo.read_battles(call.source, **columns), **arguments)


def _refuse(arguments: dict[str, Any], known: tuple[str, ...], why: str, ctx: click.Context) -> None:
    if stray := [name for name in arguments if name not in known]:
        name = {"covariates": "covariate"}.get(stray[0], stray[0].replace("_", "-"))
        raise click.UsageError(f"--{name} {why}", ctx)
