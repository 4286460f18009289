"""``bakeoff demo``: a tiny table for each caution, the command that makes it appear, and what that prints."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bakeoff.cli.options import Command
from bakeoff.errors import ParameterError


@click.command(name="demo", cls=Command)
@click.argument("code", metavar="CODE", required=False)
@click.option("--copy", "folder", metavar="DIR", help="Write the files of the demonstration to this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print its cautions as JSON and nothing else.")
def command(code: str | None, folder: str | None, as_json: bool) -> None:
    """Show a caution on a tiny table: the data, the command, and what it prints.

    CODE is that of a caution, as in "! near-ties: In 1 problem ...", or "clean" for a table without any. Without CODE:
    the list of all.

    \b
    bakeoff demo
    bakeoff demo near-ties
    bakeoff demo near-ties --copy trying
    """
    from bakeoff.cautions import CLEAN, explanation
    from bakeoff.cli.demonstrations import copied, fired

    if code is None:
        if folder is not None or as_json:
            raise ParameterError("--copy and --json need the code of a caution; bakeoff demo lists all")
        _list_all()
        return
    entry = None if code == "clean" else explanation(code)
    run = CLEAN if entry is None else entry.run
    if entry is not None and not run:
        raise ParameterError(
            f": {code!r} has no demonstration, because it {entry.no_run}; bakeoff explain {code} explains it",
            parameter="CODE",
        )
    if as_json:
        content = {"schema": "bakeoff.demo/1", "code": code, "run": run, "cautions": fired(run)}
        click.echo(json.dumps(content, ensure_ascii=True, indent=1))
        return
    if folder is not None:
        written = copied(run, Path(folder))
        click.echo(f"Written: {', '.join(str(path) for path in written)}. In that folder:")
        click.echo(_prompted(run))
        return
    click.echo("clean: a table without any caution" if entry is None else f"{code}: {entry.question}")
    _show(run)
    if entry is not None and entry.along:
        click.echo("")
        for other, why in entry.along.items():
            click.echo(f"{other} comes with it: {why}")
    click.echo(
        f"\nTo try more on these files: bakeoff demo {code} --copy DIR"
        + ("" if entry is None else f"\nWhat it means: bakeoff explain {code}")
    )


def _show(run: str) -> None:
    """The files, the command or code, and what comes out."""
    from bakeoff.cautions import read_by
    from bakeoff.cli.demonstrations import MARKS, carry_out, inside, python_cautions

    for name, text in read_by(run).items():
        click.echo(f"\n{name}\n" + "".join(f"  {line}\n" for line in text.splitlines()), nl=False)
    click.echo("")
    with inside(run):
        if run.startswith("bakeoff "):
            for line in run.splitlines():
                line += " --details" if line.startswith("bakeoff compare ") else ""
                click.echo(_prompted(line))
                carry_out(line)
            return
        click.echo(_prompted(run))
        for caution in python_cautions(run):
            click.echo(f"{MARKS[caution.severity]} {caution.code}: {caution.text}")


def _prompted(run: str) -> str:
    if run.startswith("bakeoff "):
        return "\n".join(f"$ {line}" for line in run.splitlines())
    shown = ["import bakeoff as bo", *run.splitlines(), "for caution in result.cautions: print(caution)"]
    return "\n".join(f">>> {line}" for line in shown)


def _list_all() -> None:
    from bakeoff.cautions import sections

    for section in sections():
        click.echo(f"{section.title}\n")
        for entry in section.entries:
            click.echo(f"  {entry.code:28} {entry.question}{'' if entry.run else ' (explained only)'}")
        click.echo()
    click.echo("bakeoff demo CODE shows one on a tiny table; bakeoff demo clean shows none.")
