"""``--read KEY=VALUE``: what few tables need in order to be read."""

from __future__ import annotations

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.help.folding import reading_option

KEYS = {"layout": "layout", "header": "no_header", "decimal": "decimal", "sheet": "sheet"}
"""The library's parameter for each key."""


def typed(parameter: str) -> str:
    """The option of a parameter of reading, as it is typed: ``--read layout`` or ``--rows``."""
    by_parameter = {name: f"--read {key}" for key, name in KEYS.items()}
    return by_parameter.get(parameter, f"--{parameter.replace('_', '-')}")


def _keep(ctx: click.Context, _: click.Parameter, words: tuple[str, ...]) -> None:
    """What the keys say, as if each were an option of its own."""
    for word in words:
        key, sign, value = word.partition("=")
        if key not in KEYS:
            near = did_you_mean(key, KEYS) or "."
            raise click.UsageError(f"--read has no key {key!r}{near} The keys are {', '.join(KEYS)}", ctx)
        if not sign or not value:
            raise click.UsageError(
                f"--read must be KEY=VALUE: --read {key}={'no' if key == 'header' else 'VALUE'}", ctx
            )
        if key != "header":
            ctx.params[KEYS[key]] = value
        elif value in ("yes", "no"):
            ctx.params[KEYS[key]] = True if value == "no" else None
        else:
            raise click.UsageError(f"--read header must be yes or no; got {value!r}", ctx)


READ = reading_option(
    "--read",
    metavar="KEY=VALUE",
    multiple=True,
    expose_value=False,
    callback=_keep,
    help="How the table is written: layout=wide (a column per algorithm) or layout=long (a row per score); header=no "
    "(a matrix of scores, perhaps after names); decimal=. or decimal=, (the sign in text); sheet=NAME (of an .xlsx "
    "workbook that has several with scores). Default: recognised. Repeatable.",
)
