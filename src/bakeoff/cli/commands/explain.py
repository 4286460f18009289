"""``bakeoff explain``: what a caution means, and what to do."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

import click

from bakeoff.cli.options import Command

if TYPE_CHECKING:
    from bakeoff.cautions import Explanation, Fact

WIDTH = 80


@click.command(name="explain", cls=Command)
@click.argument("code", metavar="CODE", required=False)
@click.argument("about", metavar="OBJECT", required=False)
def command(code: str | None, about: str | None) -> None:
    """What does a caution mean, and what should I do?

    CODE and OBJECT stand before the colon of a caution, as in "! too-few (units): There are ..."; some
    codes have no OBJECT. Without them: all cautions, each with the question it raises.

    \b
    bakeoff explain near-ties
    bakeoff explain too-few units
    bakeoff explain
    """
    from bakeoff.cautions import explanation, fact, sections

    if code is not None:
        code, about = split(code, about)
        known = fact(code)
        alone = len(known.objects) == 1
        click.echo(entry_text(explanation(code, about or "")) if about or alone else fact_text(known))
        return
    for section in sections():
        click.echo(f"{section.title}\n")
        for each in section.facts:
            click.echo("\n".join(lines_of(each)))
        click.echo()
    click.echo("bakeoff explain CODE [OBJECT] says what one means and what to do; bakeoff demo CODE [OBJECT] shows it.")


def split(code: str, about: str | None) -> tuple[str, str | None]:
    """A caution may also be named as it is printed: ``"too-few (units)"``."""
    if about is None and (match := re.fullmatch(r"([\w-]+) \(([\w-]+)\)", code)):
        return match[1], match[2]
    return code, about if about is None else about.strip("()")


def lines_of(known: Fact) -> list[str]:
    """Code and question; below them each object that asks another question."""
    others = [entry for entry in known.objects if not entry.like and entry.question != known.question]
    return [f"  {known.code:30} {known.question}", *(f"    {entry.object:28} {entry.question}" for entry in others)]


def fact_text(known: Fact) -> str:
    """What all objects share, and what they are."""
    names = ", ".join(entry.object for entry in known.objects)
    lines = [f"{known.code}: {known.question}", "", textwrap.fill(plain_words(known.means), WIDTH), ""]
    if known.do:
        lines += [textwrap.fill(plain_words(f"What to do: {known.do}"), WIDTH), ""]
    lines += [textwrap.fill(f"Objects: {names}", WIDTH, break_on_hyphens=False), ""]
    return "\n".join([*lines, f"More about one of them: bakeoff explain {known.code} OBJECT"])


def entry_text(entry: Explanation) -> str:
    """In the columns of a terminal."""
    lines = [f"{entry.name} ({entry.severity}): {entry.question}", ""]
    lines += [textwrap.fill(plain_words(entry.means), WIDTH), ""]
    lines += [textwrap.fill(plain_words(f"What to do: {entry.do}"), WIDTH)]
    if entry.run:
        lines += ["", f"See it on a tiny table: bakeoff demo {entry.code} {entry.object}".rstrip()]
    return "\n".join(lines)


def plain_words(markdown: str) -> str:
    """Markdown without its marks."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", " ".join(markdown.split()))
    return text.replace("**", "").replace("`", "")
