"""What a word means, from the pages in Markdown: for a terminal, where no site was built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

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
