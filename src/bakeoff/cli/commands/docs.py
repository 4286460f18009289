"""``bakeoff docs``: the documentation that comes with bakeoff, opened at a page, or searched for a word."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.options import Command
from bakeoff.cli.terminal import hush
from bakeoff.errors import ReadingError, UnknownNameError

# What a word means, from the pages in Markdown: for a terminal, where no site was built.

Passage = tuple[str, str]
"""A page, and the heading of the part of it; "" is all of it."""


def titles(folder: Path) -> dict[str, str]:
    """Every page, and its title."""
    by_page = {}
    for path in sorted(folder.rglob("*.md")):
        first = next((text for level, text in _headings(path) if level == 1), path.stem)
        by_page[path.relative_to(folder).with_suffix("").as_posix()] = first.replace("`", "")
    return by_page


def passages_by_word(folder: Path) -> dict[str, list[Passage]]:
    """Pages, then cautions, procedures and commands: where each is explained, best first."""
    pages = list(titles(folder))
    passages: list[tuple[str, Passage]] = []
    for page in pages:
        passages += [(page, (page, "")), (page.removesuffix("/index").rpartition("/")[2], (page, ""))]
    codes = (text for level, text in _headings(folder / "understand" / "cautions.md") if level == 3)
    passages += [(text.strip("`"), ("understand/cautions", text)) for text in codes if re.fullmatch(r"`[\w-]+`", text)]
    for page in (page for page in pages if page.startswith("methods/")):
        head = re.match(r"---\n.*?^records: \[(.*?)\]", _text(folder / f"{page}.md"), re.DOTALL | re.MULTILINE)
        names = re.split(r",\s*", head[1]) if head else []
        passages += [(name.partition("/")[2] or name, (page, "")) for name in names]
    for _, text in _headings(folder / "reference" / "cli.md"):
        if text.startswith("`bakeoff "):
            name = text.strip("`")
            passages += [(each, ("reference/cli", text)) for each in (name.removeprefix("bakeoff "), name)]
    table: dict[str, list[Passage]] = {}
    for word, passage in passages:
        places = table.setdefault(word.lower(), [])
        if passage not in places:
            places.append(passage)
    return table


def passage(folder: Path, place: Passage) -> str:
    """The text of a page, or of the part below a heading."""
    page, heading = place
    text = re.sub(r"\A---\n.*?\n---\n+", "", _text(folder / f"{page}.md"), flags=re.DOTALL)
    if not heading:
        return text
    lines = text.splitlines(keepends=True)
    marks = list(_marks(lines))
    start, depth = next((line, level) for line, level, title in marks if title == heading)
    end = next((line for line, level, _ in marks if line > start and level <= depth), len(lines))
    return "".join(lines[start:end]).rstrip() + "\n"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _headings(path: Path) -> list[tuple[int, str]]:
    return [(level, title) for _, level, title in _marks(_text(path).splitlines())]


def _marks(lines: list[str]) -> Iterator[tuple[int, int, str]]:
    """Line, level and text of every heading; a comment in a block of code is none."""
    fence = ""
    for number, line in enumerate(lines):
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and (match := re.match(r"(#{1,6}) +(.+?)\s*$", line)):
            yield number, len(match[1]), match[2]


# ``bakeoff docs``: the documentation that comes with bakeoff, opened at a page.

PACKAGE = Path(__file__).resolve().parents[2]
CLONE = PACKAGE.parents[1]
PLACES = (PACKAGE / "site", CLONE / "build" / "site")
"""Folders of the site in an installed wheel, and in a clone in which it was built."""
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
    parts = (place.partition("#") for place in pages)
    addresses = [f"{(site / page).as_uri()}{mark}{anchor}" for page, mark, anchor in parts]
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
    """The text of a public function or class, by its whole name (bo.compare)."""
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
