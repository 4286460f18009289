"""``bakeoff datasets``: the papers' tables that come with bakeoff, and a copy of one as CSV."""

from __future__ import annotations

import os
import textwrap
from pathlib import Path

import click

from bakeoff.cli.options import Command
from bakeoff.errors import ParameterError
from bakeoff.files import write_bytes
from bakeoff.shipped import ShippedTable, table_named, tables


@click.command(name="datasets", cls=Command)
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--write", metavar="NAME", help="Copy this table to NAME.csv in the current folder.")
def command(name: str | None, write: str | None) -> None:
    """Tables of the papers that come with bakeoff: source, size, and which scores are good.

    Every command that reads a table takes NAME in place of FILE, and knows its --better. A file of that name wins.

    \b
    bakeoff datasets
    bakeoff compare derrac_cec2005 --better lower
    bakeoff datasets --write derrac_cec2005
    """
    if write is not None:
        click.echo(_copy(table_named(write)))
        return
    shown = tables().values() if name is None else (table_named(name),)
    click.echo("\n\n".join(map(_entry, shown)))


def _entry(table: ShippedTable) -> str:
    from bakeoff.reading import read_scores

    scores = read_scores(table.path, table.better)
    size = f"{scores.n_problems} problems × {scores.n_algorithms} algorithms, {table.scores}"
    head = f"{table.name}  {size}, {table.better} is better"
    return f"{head}\n{textwrap.fill(table.source, 80, initial_indent='  ', subsequent_indent='  ')}"


def _copy(table: ShippedTable) -> str:
    target = f"{table.name}.csv"
    if os.path.lexists(target):
        raise ParameterError(f"{target!r} is there already; delete it, or go to another folder", parameter="write")
    write_bytes(Path(target), Path(table.path).read_bytes())
    return f"wrote {target} (--better {table.better})"
