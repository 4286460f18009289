"""``bakeoff init``: an experiment to begin with, which runs as it is."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path

import click

from bakeoff.cli.options import Command
from bakeoff.errors import ParameterError
from bakeoff.files import write_bytes

_FILES = ("experiment.toml", "solver.py")


@click.command(name="init", cls=Command)
@click.argument("folder", metavar="DIR", default=".")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def command(folder: str, force: bool) -> None:
    """Write an experiment to begin with: a commented experiment.toml and the solver whose parameters it compares.

    DIR is the folder to write to; it is created if necessary. Default: the current one. The experiment runs as it is:

    \b
    bakeoff init
    bakeoff run experiment.toml
    bakeoff compare experiment.sqlite
    """
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise ParameterError(f"must be a folder; {folder!r} is a file", parameter="DIR")
    there = [name for name in _FILES if (place / name).exists()]
    if there and not force:
        raise ParameterError(
            f": {str(place / there[0])!r} already exists; name another folder, or pass --force", parameter="DIR"
        )
    place.mkdir(parents=True, exist_ok=True)
    for name in _FILES:
        write_bytes(place / name, files("bakeoff.datasets").joinpath("starting", name).read_bytes())
    click.echo(f"Written: {', '.join(str(place / name) for name in _FILES)}. Next:")
    experiment = place / _FILES[0]
    click.echo(f"  bakeoff run {shlex.quote(str(experiment))}")
    click.echo(f"  bakeoff compare {shlex.quote(str(experiment.with_suffix('.sqlite')))}")
