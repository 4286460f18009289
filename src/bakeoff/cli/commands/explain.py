"""``bakeoff explain``: what a caution means, and what to do."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

import click

from bakeoff.cli.options import Command

if TYPE_CHECKING:
    from bakeoff.cautions import Explanation

WIDTH = 80


@click.command(name="explain", cls=Command)
@click.argument("code", metavar="CODE", required=False)
def command(code: str | None) -> None:
    """What does a caution mean, and what should I do?

    CODE stands before the colon of a caution, as in "! near-ties: In 1 problem ...". Without CODE: all
    of them, each with the question it raises.

    \b
    bakeoff explain near-ties
    bakeoff explain
    """
    from bakeoff.cautions import explanation, sections

    if code is not None:
        click.echo(entry_text(explanation(code)))
        return
    for section in sections():
        click.echo(f"{section.title}\n")
        for entry in section.entries:
            click.echo(f"  {entry.code:28} {entry.question}")
        click.echo()
    click.echo("bakeoff explain CODE says what one means and what to do; bakeoff demo CODE shows it on a tiny table.")


def entry_text(entry: Explanation) -> str:
    """In the columns of a terminal."""
    lines = [f"{entry.code} ({entry.severity}): {entry.question}", ""]
    lines += [textwrap.fill(plain_words(entry.means), WIDTH), ""]
    lines += [textwrap.fill(plain_words(f"What to do: {entry.do}"), WIDTH)]
    if entry.run:
        lines += ["", f"See it on a tiny table: bakeoff demo {entry.code}"]
    return "\n".join(lines)


def plain_words(markdown: str) -> str:
    """Markdown without its marks."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(markdown.split()))
    return text.replace("**", "").replace("`", "")
