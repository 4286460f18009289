"""``bakeoff demo``: a tiny table for each caution, the command that makes it appear, and what it prints."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cautions import read_by
from bakeoff.cli.options import Command
from bakeoff.errors import BakeoffError, Caution, ParameterError, caution_name
from bakeoff.files import write_bytes

if TYPE_CHECKING:
    from bakeoff.cautions import Explanation

# Carries out a demonstration of a caution: its files in a folder of their own, its command in this process.

MARKS = {"stop": "!", "warning": "!", "note": "-"}
"""As pages of results print them."""


def copied(run: str, folder: Path) -> list[Path]:
    """Write the files of a demonstration; one that is there is left alone, and an error."""
    contents = read_by(run)
    there = [name for name in contents if (folder / name).exists()]
    if there:
        raise BakeoffError(f"{str(folder / there[0])!r} already exists; name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in contents.items():
        write_bytes(folder / name, text.encode())
    return [folder / name for name in contents]


@contextlib.contextmanager
def inside(run: str) -> Iterator[None]:
    """In a temporary folder with the files of the demonstration."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="bakeoff-demo-", ignore_cleanup_errors=True) as folder:
        copied(run, Path(folder))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def carry_out(line: str) -> None:
    """One command line of bakeoff, in this process; its exit code says nothing here."""
    from bakeoff.cli import main

    with contextlib.suppress(SystemExit):
        main.main(shlex.split(line)[1:])


def python_cautions(code: str) -> list[Caution]:
    """Those of what a few lines of Python call ``result``."""
    import bakeoff

    names: dict[str, Any] = {"bo": bakeoff}
    exec(code, names)  # shipped with bakeoff
    return list(names["result"].cautions)


def fired(run: str) -> list[dict[str, str]]:
    """The cautions that a demonstration gives, each with code, severity and text."""
    with inside(run):
        if not run.startswith("bakeoff "):
            return [_shown(asdict(caution)) for caution in python_cautions(run)]
        *before, last = run.splitlines()
        with contextlib.redirect_stdout(io.StringIO()):
            for line in before:
                carry_out(line)
        with_json = last if "--json" in last.split() else f"{last} --json"
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            carry_out(with_json)
        cautions = json.loads(printed.getvalue())["cautions"]
        # null in place of an infinite number is of the JSON alone
        kept = [c for c in cautions if c["code"] != "not-finite" or with_json == last]
        return [_shown(caution) for caution in kept]


def _shown(caution: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(caution[key]) for key in ("code", "object", "severity", "text")}


def line_of(caution: Mapping[str, str]) -> str:
    """A caution as pages of results print it."""
    return f"{MARKS[caution['severity']]} {caution_name(caution['code'], caution['object'])}: {caution['text']}"


# ``bakeoff demo``: a tiny table for each caution, the command that makes it appear, and what that prints.


@click.command(name="demo", cls=Command)
@click.argument("code", metavar="CODE", required=False)
@click.argument("about", metavar="OBJECT", required=False)
@click.option("--copy", "folder", metavar="DIR", help="Write the files of the demonstration to this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print its cautions as JSON and nothing else.")
def command(code: str | None, about: str | None, folder: str | None, as_json: bool) -> None:
    """Show a caution on a tiny table: the data, the command, and what it prints.

    CODE and OBJECT are those of a caution, as in "! too-few (units): There are ..."; some codes have no OBJECT. "clean"
    is a table without any caution. Without CODE: the list of all.

    \b
    bakeoff demo
    bakeoff demo near-ties
    bakeoff demo too-few units --copy trying
    """
    from bakeoff.cautions import CLEAN
    from bakeoff.cli.commands.lookup import split

    if code is None:
        if folder is not None or as_json:
            raise ParameterError("--copy and --json need the code of a caution; bakeoff demo lists all")
        _list_all()
        return
    entry = None if code == "clean" else _demonstrated(*split(code, about))
    run = CLEAN if entry is None else entry.run
    words = "clean" if entry is None else f"{entry.code} {entry.object}".rstrip()
    if as_json:
        names = {"code": code, "object": ""} if entry is None else {"code": entry.code, "object": entry.object}
        content = {"schema": "bakeoff.demo/1", **names, "run": run, "cautions": fired(run)}
        click.echo(json.dumps(content, ensure_ascii=True, indent=1))
        return
    if folder is not None:
        written = copied(run, Path(folder))
        click.echo(f"Written: {', '.join(str(path) for path in written)}. In that folder:")
        click.echo(_prompted(run))
        return
    click.echo("clean: a table without any caution" if entry is None else f"{entry.name}: {entry.question}")
    _show(run)
    if entry is not None and entry.along:
        click.echo("")
        for other, why in entry.along.items():
            click.echo(f"{other} comes with it: {why}")
    click.echo(
        f"\nTo try more on these files: bakeoff demo {words} --copy DIR"
        + ("" if entry is None else f"\nWhat it means: bakeoff explain {words}")
    )


def _demonstrated(code: str, about: str | None) -> Explanation:
    """Find the object to demonstrate, or the only one of its code that is."""
    from bakeoff.cautions import explanation, fact

    objects = fact(code).objects
    shown = [entry for entry in objects if entry.run]
    if about is None and any(not entry.object for entry in shown):  # the fact by itself
        shown = [entry for entry in shown if not entry.object]
    if about is None and len(objects) > 1 and len(shown) != 1:
        names = ", ".join(entry.object for entry in shown) or "none"
        raise ParameterError(f": name what {code} is about; a demonstration has {names}", parameter="OBJECT")
    entry = explanation(code, about or "") if about or len(objects) == 1 else shown[0]
    if entry.run:
        return entry
    words = f"{entry.code} {entry.object}".rstrip()
    why = f"because it {entry.no_run}" if entry.no_run else f"but {entry.like or 'another object'} of the same code may"
    raise ParameterError(
        f": {words!r} has no demonstration, {why}; bakeoff explain {words} explains it", parameter="CODE"
    )


def _show(run: str) -> None:
    """The files, the command or code, and what comes out."""
    from bakeoff.cautions import read_by

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
            click.echo(line_of(asdict(caution)))


def _prompted(run: str) -> str:
    if run.startswith("bakeoff "):
        return "\n".join(f"$ {line}" for line in run.splitlines())
    shown = ["import bakeoff as bo", *run.splitlines(), "for caution in result.cautions: print(caution)"]
    return "\n".join(f">>> {line}" for line in shown)


def _list_all() -> None:
    from bakeoff.cautions import sections

    for section in sections():
        click.echo(f"{section.title}\n")
        for known in section.facts:
            for entry in known.objects:
                if entry.run or entry.no_run:
                    words = f"{entry.code} {entry.object}".rstrip()
                    click.echo(f"  {words:40} {entry.question}{'' if entry.run else ' (explained only)'}")
        click.echo()
    click.echo("bakeoff demo CODE [OBJECT] shows one on a tiny table; bakeoff demo clean shows none.")
