"""``bakeoff docs``: the documentation that comes with bakeoff, opened at a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.options import Command
from bakeoff.cli.terminal import hush
from bakeoff.errors import ReadingError, UnknownNameError

PACKAGE = Path(__file__).resolve().parents[2]
CLONE = PACKAGE.parents[1]
PLACES = (PACKAGE / "site", CLONE / "build" / "site")
"""Of an installed wheel, and of a clone in which it was built."""
PAGES = (PACKAGE / "pages", CLONE / "docs")
"""The same text in Markdown: every wheel has it."""


@click.command(name="docs", cls=Command)
@click.argument("word", metavar="[PAGE | WORD]", required=False)
@click.option("--print", "only_print", is_flag=True, help="Print the address or the passage; do not open a browser.")
def command(word: str | None, only_print: bool) -> None:
    """Open the documentation offline, in the browser or in the terminal.

    WORD is a page (guides/compare), a caution, a procedure, a command or a function. If the site was built, the
    first page found is opened, and all addresses are printed. Otherwise the passage is printed; without WORD, the list
    of pages.

    \b
    bakeoff docs
    bakeoff docs holm
    bakeoff docs too-few --print
    """
    site = next((place for place in (*PLACES, *_here()) if (place / "words.json").is_file()), None)
    if site is None:
        text = _in_words(word)
        if only_print:
            click.echo(text, nl=False)
        else:
            hush()
            click.echo_via_pager(text.rstrip("\n"))
        return
    pages = ["index.html"] if word is None else _pages(site, word)
    addresses = [f"{(site / page).as_uri()}{'#' + anchor if anchor else ''}" for page, anchor in map(_parts, pages)]
    for address in addresses:
        click.echo(address)
    if not only_print:
        import webbrowser

        webbrowser.open(addresses[0])


def _here() -> list[Path]:
    """The site built in the current folder, if that is a clone."""
    here = Path.cwd()
    return [here / "build" / "site"] if (here / "src" / "bakeoff" / "_version.py").is_file() else []


def _in_words(word: str | None) -> str:
    """The passage on a word, or the list of the pages."""
    from bakeoff.cli.passages import passage, passages_by_word, titles

    folder = next((place for place in PAGES if (place / "reference" / "cli.md").is_file()), None)
    if folder is None:
        raise ReadingError(
            "this installation has no copy of the documentation; reinstall it, or read docs/ in a "
            "clone of the repository"
        )
    if word is None:
        listed = titles(folder)
        width = max(map(len, listed))
        lines = [f"{page:{width}}  {title}" for page, title in listed.items()]
        return "\n".join([*lines, "", "bakeoff docs PAGE prints one.", ""])
    if documented := _docstring(word):
        return documented
    table = passages_by_word(folder)
    first, *others = table[_known(word, table)]
    more = "".join(f"\nSee also: bakeoff docs {page}" for page in dict.fromkeys(page for page, _ in others))
    return passage(folder, first) + (f"{more}\n" if more else "")


def _docstring(word: str) -> str:
    """Of a public function or class, by its whole name (bo.compare)."""
    import inspect

    import bakeoff

    parts = word.strip().split(".")
    if parts[0] not in ("bo", "bakeoff") or len(parts) == 1:
        return ""
    thing: object = bakeoff
    for part in parts[1:]:
        thing = None if part.startswith("_") else getattr(thing, part, None)
    text = inspect.getdoc(thing) if thing is not None else None
    return f"{'.'.join(parts)}\n\n{text}\n" if text else ""


def _parts(place: str) -> tuple[str, str]:
    page, _, anchor = place.partition("#")
    return page, anchor


def _pages(site: Path, word: str) -> list[str]:
    """Where a word is explained, best first."""
    table: dict[str, list[str]] = json.loads((site / "words.json").read_text(encoding="utf-8"))
    return table[_known(word, table)]


def _known(word: str, table: Mapping[str, object]) -> str:
    name = word.strip().lower().removesuffix(".md").removesuffix(".html")
    if name not in table:
        near = [known for known in table if name and name in known][:8]
        hint = f"; there are {', '.join(near)}" if near else did_you_mean(name, table)
        raise UnknownNameError(f"no page is about {word!r}{hint}; bakeoff docs shows what there is")
    return name
