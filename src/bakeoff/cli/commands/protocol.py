"""``bakeoff protocol``: an analysis fixed before the scores are seen."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import click

from bakeoff.cli.options import Command
from bakeoff.cli.terminal import note
from bakeoff.errors import ParameterError, plain

_ASKED = {
    "question": "Question",
    "better": "Better scores (lower or higher)",
    "stop": "How the number of problems was chosen",
}


@click.group(name="protocol")
def command() -> None:
    """Fix an analysis before the scores are seen: write its protocol, seal it, publish the seal.

    Every choice that the verdict depends on is in the file. With --protocol, a command takes all of them from it,
    refuses what contradicts it, and reports each departure that --deviate lets through above the verdict.

    \b
    bakeoff protocol new compare > protocol.toml
    bakeoff protocol seal protocol.toml
    bakeoff compare scores.csv --protocol protocol.sealed.json --report report.html
    """


@command.command(name="new", cls=Command)
@click.argument("name", metavar="[COMMAND]", default="compare")
@click.option(
    "--set", "chosen", metavar="CHOICE=VALUE", multiple=True, help="A choice, written as in TOML. Repeatable."
)
def new(name: str, chosen: tuple[str, ...]) -> None:
    """Print a protocol to fill in: every choice of COMMAND with its default (compare, if none is named).

    On a terminal, without --set, it asks for what has no default.

    \b
    bakeoff protocol new > protocol.toml
    bakeoff protocol new evaluate --set better=higher --set 'algorithms=["ours", "theirs"]'
    """
    from bakeoff.protocols import template

    choices = dict(_choice(text) for text in chosen)
    if not chosen and sys.stdin.isatty():
        choices = {key: click.prompt(text, default="", err=True, show_default=False) for key, text in _ASKED.items()}
        choices = {key: value for key, value in choices.items() if value}
    click.echo(template(name, **choices), nl=False)


@command.command(name="seal", cls=Command)
@click.argument("file", metavar="PROTOCOL.toml|EXPERIMENT.toml")
def seal(file: str) -> None:
    """Print the line to publish, and write PROTOCOL.sealed.json.

    An experiment file of bakeoff run is a protocol as it is: its line is printed, nothing is written, and the reports
    of the run have the same SHA-256.

    Publish the line where its date can be seen: a preregistration, a commit that was pushed, a supplementary file. No
    clock and no server of bakeoff take part.

    \b
    bakeoff protocol seal protocol.toml
    """
    from bakeoff.files import write_bytes
    from bakeoff.protocols import read_protocol

    if _is_experiment(file):
        import bakeoff as bo

        click.echo(f"bakeoff protocol run sha256 {bo.Experiment.from_toml(file).spec_hash}")
        return
    protocol = read_protocol(file, sealed=False)
    target = Path(file).with_suffix(".sealed.json")
    write_bytes(target, protocol.sealed().encode(), "file")
    click.echo(f"bakeoff protocol {protocol.command} sha256 {protocol.sha256}")
    note(f"Written: {plain(str(target))}")


@command.command(name="show", cls=Command)
@click.argument("file", metavar="PROTOCOL.sealed.json")
def print_content(file: str) -> None:
    """Print a sealed protocol, after checking its seal.

    \b
    bakeoff protocol show protocol.sealed.json
    """
    from bakeoff.protocols import read_protocol

    protocol = read_protocol(file)
    click.echo(f"bakeoff protocol {protocol.command} sha256 {protocol.sha256}")
    for name, value in protocol.content.items():
        click.echo(f"  {name}: {plain(str(value))}")


def _is_experiment(file: str) -> bool:
    """A seed is what every experiment has, and no protocol."""
    try:
        return "seed" in tomllib.loads(Path(file).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return False


def _choice(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ParameterError(f"--set must be CHOICE=VALUE; got {text!r}")
    try:
        return name.strip(), tomllib.loads(f"x = {value}")["x"]
    except tomllib.TOMLDecodeError:
        return name.strip(), value  # a word without quotation marks
