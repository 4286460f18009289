"""``bakeoff docs``: the documentation that comes with bakeoff, opened at a page."""

from __future__ import annotations

import json
from pathlib import Path

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.options import Command
from bakeoff.errors import ReadingError, UnknownNameError

PACKAGE = Path(__file__).resolve().parents[2]
PLACES = (PACKAGE / "site", PACKAGE.parents[1] / "build" / "site")
"""Of an installed wheel, and of a clone in which it was built."""


@click.command(name="docs", cls=Command)
@click.argument("word", metavar="[PAGE | WORD]", required=False)
@click.option("--print", "only_print", is_flag=True, help="Print the address; open nothing.")
def command(word: str | None, only_print: bool) -> None:
    """The documentation, in the browser, without a network.

    WORD is a page (guides/compare), or what one explains: the code of a caution, a procedure, a command, a function.
    The addresses of all pages on it are printed, and the first is opened.

    \b
    bakeoff docs
    bakeoff docs holm
    bakeoff docs unequal-clusters --print
    """
    site = next((place for place in PLACES if (place / "words.json").is_file()), None)
    if site is None:
        raise ReadingError(
            "this installation has no copy of the documentation; in a clone of the repository `make site` builds it "
            "into build/site, from which bakeoff docs then reads, and its pages can be read in docs/"
        )
    found = ["index.html"] if word is None else _pages(site, word)
    addresses = [f"{(site / page).as_uri()}{'#' + anchor if anchor else ''}" for page, anchor in map(_parts, found)]
    for address in addresses:
        click.echo(address)
    if not only_print:
        import webbrowser

        webbrowser.open(addresses[0])


def _parts(place: str) -> tuple[str, str]:
    page, _, anchor = place.partition("#")
    return page, anchor


def _pages(site: Path, word: str) -> list[str]:
    """Where a word is explained, best first."""
    words: dict[str, list[str]] = json.loads((site / "words.json").read_text(encoding="utf-8"))
    name = word.strip().lower().removesuffix(".md").removesuffix(".html")
    if name not in words:
        near = [known for known in words if name and name in known][:8]
        hint = f"; there are {', '.join(near)}" if near else did_you_mean(name, words)
        raise UnknownNameError(
            f"no page is about {word!r}{hint}; bakeoff docs opens the first page, which has a search"
        )
    return words[name]
