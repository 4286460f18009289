"""``bakeoff docs``: the documentation that comes with bakeoff, opened at a page, or searched for some words."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.options import Command
from bakeoff.cli.searching import Hit, Index, folded, index_of, page_texts, page_title, parts
from bakeoff.cli.terminal import hush
from bakeoff.errors import ReadingError, UnknownNameError

PACKAGE = Path(__file__).resolve().parents[2]
CLONE = PACKAGE.parents[1]
PLACES = (PACKAGE / "site", CLONE / "build" / "site")
"""Folders of the site in an installed wheel, and in a clone in which it was built."""
PAGES = (PACKAGE / "pages", CLONE / "docs")
"""The same text in Markdown: every wheel has it."""
WORDS = "_static/words.js"
"""The index of a site."""
MOST = 5
"""Passages that are shown."""
LEAST = 0.15
"""The share of the best page's score that another one needs to be shown."""


@click.command(name="docs", cls=Command)
@click.argument("words", metavar="[PAGE | WORDS]...", nargs=-1)
@click.option("--print", "only_print", is_flag=True, help="Print the addresses or passages; do not open a browser.")
def command(words: tuple[str, ...], only_print: bool) -> None:
    """Open the documentation offline, or search it, in the browser or in the terminal.

    PAGE is the name of a page (guides/compare). WORDS are searched for in titles, headings and text: a caution, a
    procedure, a command, a function, or whatever you are after. If the site was built, the first page found is
    opened, and the addresses of the five best are printed. Otherwise the five best passages are printed; if the words
    are the name of a page, a caution, a procedure or a command, its text. Without WORDS: the list of pages.

    \b
    bakeoff docs
    bakeoff docs holm
    bakeoff docs contrast estimation
    bakeoff docs too-few --print
    """
    text = " ".join(words).strip()
    site = next((place for place in (*PLACES, *_here()) if (place / WORDS).is_file()), None)
    if site is None:
        shown = _in_words(text)
        if only_print:
            click.echo(shown, nl=False)
        else:
            hush()
            click.echo_via_pager(shown.rstrip("\n"))
        return
    addresses = _addresses(site, text)
    for address in addresses:
        click.echo(address)
    if not only_print:
        import webbrowser

        webbrowser.open(addresses[0])


def _here() -> list[Path]:
    """The site built in the current folder, if that is a clone."""
    here = Path.cwd()
    return [here / "build" / "site"] if (here / "src" / "bakeoff" / "_version.py").is_file() else []


def _addresses(site: Path, text: str) -> list[str]:
    """Where the pages on the words are, best first."""
    if not text:
        return [(site / "index.html").as_uri()]
    index = Index.read(site / WORDS)
    marks = [index.sections[hit.section][2] for hit in hits_on(index, text)]
    return [f"{(site / place.partition('#')[0]).as_uri()}{''.join(place.partition('#')[1:])}" for place in marks]


def hits_on(index: Index, text: str) -> list[Hit]:
    """The best pages; for the name of a command that no page has, its section of the reference first."""
    name = text.strip().removesuffix(".md").removesuffix(".html")
    hits = index.found(name)
    if not hits:
        known = [phrase for phrase, kind, _ in index.phrases if kind in ("key", "synonym")]
        raise UnknownNameError(f"no page is about {name!r}{did_you_mean(name, known)}; bakeoff docs lists the pages")
    own = [hit for hit in hits if hit.heading.strip("`") == f"bakeoff {name.removeprefix('bakeoff ')}"]
    if own and hits[0].page.rpartition("/")[2] != name:
        hits = [*own, *(hit for hit in hits if hit not in own)]
    return [hit for hit in hits[:MOST] if hit is hits[0] or hit.score > LEAST * hits[0].score]


def _in_words(text: str) -> str:
    """The passage on the words, or the best ones, or the list of the pages."""
    folder = next((place for place in PAGES if (place / "reference" / "cli.md").is_file()), None)
    if folder is None:
        raise ReadingError(
            "this installation has no copy of the documentation; reinstall it, or read docs/ in a "
            "clone of the repository"
        )
    if not text:
        listed = {page: page_title(page, content) for page, content in page_texts(folder).items()}
        width = max(map(len, listed))
        lines = [f"{page:{width}}  {title}" for page, title in listed.items()]
        return "\n".join([*lines, "", "bakeoff docs PAGE prints one; bakeoff docs WORDS searches them.", ""])
    if documented := _docstring(text):
        return documented
    index = index_of(folder)
    first, *others = hits_on(index, text)
    if not index.is_name(text.removesuffix(".md").removesuffix(".html"), first.section):
        shown = [_excerpt(folder, index, hit, text) for hit in (first, *others)]
        return "\n".join([*shown, "bakeoff docs PAGE prints one.", ""])
    more = "".join(f"\nSee also: bakeoff docs {hit.page}" for hit in others if hit.page != first.page)
    return passage(folder, first.page, first.heading) + (f"{more}\n" if more else "")


def passage(folder: Path, page: str, heading: str) -> str:
    """The text of a page, or of the part below a heading."""
    text = re.sub(r"\A---\n.*?\n---\n+", "", (folder / f"{page}.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    if not heading:
        return text
    every = parts(text)
    start = next(i for i, part in enumerate(every) if part.heading == heading and part.level)
    below = [i for i, part in enumerate(every) if i > start and part.level <= every[start].level]
    inside = every[start : below[0] if below else None]
    return "\n".join(f"{'#' * part.level} {part.heading}\n{part.text}" for part in inside).rstrip() + "\n"


def _excerpt(folder: Path, index: Index, hit: Hit, text: str) -> str:
    """Page, title, heading, and of the passage the paragraph that has most of the words."""
    title = index.pages[index.sections[hit.section][0]][1]
    heading = f" > {hit.heading.replace('`', '')}" if hit.heading else ""
    words = set(folded(text))
    prose = re.sub(r"^(```+|~~~+).*?^\1", "", passage(folder, hit.page, hit.heading), flags=re.DOTALL | re.MULTILINE)
    paragraphs = [_plain(each) for each in re.split(r"\n\s*\n", prose)]
    best = max(paragraphs, key=lambda each: (len(words & set(folded(each))), len(each) > 60), default="")
    lines = textwrap.wrap(best, 76, max_lines=3, placeholder=" …")
    return "\n".join([f"{hit.page}  {title}{heading}", *(f"    {line}" for line in lines), ""])


def _plain(paragraph: str) -> str:
    """A paragraph of Markdown as it is read; of a heading, a table or code nothing."""
    if re.match(r"\s*(#|\||:::|<!--|\$\$|---)", paragraph):
        return ""
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", paragraph)
    return " ".join(re.sub(r"[`*]|^\s*[-\d.]+ ", "", text).split())


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
