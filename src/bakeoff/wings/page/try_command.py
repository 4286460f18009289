"""``bakeoff try``: the page that compares a table in a browser, without an installation."""

from __future__ import annotations

from pathlib import Path

import click

from bakeoff.cli.options import Command
from bakeoff.errors import ParameterError
from bakeoff.files import write_bytes

PAGE = Path(__file__).parent / "script" / "try.html"


@click.command(name="try", cls=Command)
@click.option("--write", metavar="FILE", help="Copy the page to FILE instead: to keep, to send, to serve.")
def command(write: str | None) -> None:
    """Compare a table in any browser: one page, without a server, an installation or a network.

    The page answers a plain table, a column of problems and one for each algorithm, as bakeoff compare does. It
    leaves every other table to the command, and gives it. Nothing is uploaded.

    \b
    bakeoff try
    bakeoff try --write try.html
    """
    if write is not None:
        if Path(write).suffix.lower() not in (".html", ".htm"):
            raise ParameterError(f"must end in .html; got {write!r}", parameter="write")
        write_bytes(Path(write), PAGE.read_bytes())
        click.echo(f"Written: {write}")
        return
    import webbrowser

    click.echo(f"bakeoff try: {PAGE.as_uri()}")
    if not webbrowser.open(PAGE.as_uri()):
        click.echo("No browser was found. Open this address in one, or copy the page: bakeoff try --write try.html")
