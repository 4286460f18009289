"""``--read KEY=VALUE``: what few tables need in order to be read."""

from __future__ import annotations

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.help.folding import reading_option

KEYS = {name: name for name in ("layout", "decimal", "sheet", "cell", "ok")} | {"header": "no_header"}
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
            example = "no" if key == "header" else "VALUE"
            raise click.UsageError(f"--read must be KEY=VALUE: --read {key}={example}", ctx)
        if key == "ok":
            ctx.params["ok"] = (*ctx.params.get("ok", ()), value)
        elif key != "header":
            ctx.params[key] = value
        elif value in ("yes", "no"):
            ctx.params["no_header"] = True if value == "no" else None
        else:
            raise click.UsageError(f"--read header must be yes or no; got {value!r}", ctx)


READ = reading_option(
    "--read",
    metavar="KEY=VALUE",
    multiple=True,
    expose_value=False,
    callback=_keep,
    help="How a table is written, if that is not recognised. layout=wide: a column per algorithm; long: a row per "
    "score. header=no: a matrix of scores, perhaps after names. decimal=. or decimal=, is the sign in text. sheet=NAME: "
    "of an .xlsx workbook that has several with scores. cell=median, best or success: what stands for the runs of a "
    "cell (default: mean). ok=WORD: a status that means ok, as solved, optimal and sat do. Repeatable.",
)
