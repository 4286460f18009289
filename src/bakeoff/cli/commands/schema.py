"""``bakeoff schema``: the JSON Schemas of what bakeoff writes and reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from bakeoff.checks import nearest_or_all
from bakeoff.cli.options import Command
from bakeoff.errors import ReadingError, UnknownNameError
from bakeoff.wing import data_folders


def schemas() -> dict[str, Path]:
    """The file of each schema, by its name."""
    by_name = {path.stem: path for folder in data_folders("schemas") for path in folder.glob("*.json")}
    return dict(sorted(by_name.items()))


@click.command(name="schema", cls=Command)
@click.argument("name", metavar="[KIND | REPORT.json]", required=False)
def command(name: str | None) -> None:
    """The JSON Schema of a kind of report, or of an experiment file.

    KIND is a report's key "schema" without bakeoff. and /1; a report saved as .json names its own kind. Without it:
    the list of all.

    \b
    bakeoff schema
    bakeoff schema compare > compare.schema.json
    """
    known = schemas()
    if name is None:
        width = max(map(len, known))
        for kind, path in known.items():
            title = json.loads(path.read_text(encoding="utf-8"))["title"]
            click.echo(f"{kind:{width}}  {title}")
        return
    kind = _kind_of(Path(name)) if name.lower().endswith(".json") and name not in known else _kind(name)
    if kind not in known:
        raise UnknownNameError(f"there is no schema of {kind!r}{nearest_or_all(kind, known)}")
    click.echo(known[kind].read_text(encoding="utf-8"), nl=False)


def _kind(name: str) -> str:
    """``bakeoff.compare/1`` is the schema compare."""
    return name.removeprefix("bakeoff.").removesuffix("/1")


def _kind_of(report: Path) -> str:
    """What a saved report says it is."""
    try:
        content = json.loads(report.read_text(encoding="utf-8"))
    except OSError as error:
        raise ReadingError(f"cannot read {str(report)!r}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        content = None
    schema = content.get("schema") if isinstance(content, Mapping) else None
    if not isinstance(schema, str):
        raise ReadingError(
            f"{str(report)!r} is not a report of bakeoff; make one with bakeoff compare FILE --report report.json"
        )
    return _kind(schema)
