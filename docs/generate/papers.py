"""Write docs/papers: the five papers section by section, each item with its command, the printed and our value.

    python docs/generate/papers.py            runs every command and writes the pages
    python docs/generate/papers.py --check    exits 1 if a page is not current, or a printed value does not agree

The items are in docs/generate/papers/*.toml. ``code`` is Python, its expressions are printed as a console would;
``printed`` are the paper's values in their order, which must agree to half a unit in the last digit; those with a *
must not, and ``errata`` says why. ``command`` is run, and must print ``shows``. ``table`` is a table of
docs/trust/reproduction.md.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import shlex
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import page_command  # noqa: E402
import reproduce  # noqa: E402
from click.testing import CliRunner  # noqa: E402

from bakeoff.cli import main  # noqa: E402
from oracles import all_tables  # noqa: E402
from oracles.reproduction import same  # noqa: E402

DATA = Path(__file__).with_name("papers")
PAGES = ROOT / "docs" / "papers"
SHIPPED = ROOT / "src" / "bakeoff" / "datasets"
ORDER = ("demsar-2006", "garcia-2010", "derrac-2011", "benavoli-2015", "campelo-2019")
Item = dict[str, Any]


def files() -> dict[Path, str]:
    """All pages."""
    papers = {name: tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8")) for name in ORDER}
    pages = {PAGES / f"{name}.md": page(name, paper) for name, paper in papers.items()}
    return {**pages, PAGES / "index.md": index(papers)}


def index(papers: dict[str, Item]) -> str:
    rows = [
        [f"[{paper['title'].split(',')[0]}]({name}.md)", str(sum(len(s.get("item", ())) for s in paper["section"])),
         f"[list](../trust/errata.md#{paper['errata']})"]
        for name, paper in papers.items()
    ]  # fmt: skip
    return (
        "# The papers\n\nBakeoff follows five papers. Each page goes through one of them: every table, figure and "
        "worked example with the lines that\ncompute it, and every recommendation with what bakeoff does by default. "
        "The numbers themselves, all of them, are in\n[what reproduces](../trust/reproduction.md); what is misprinted, "
        "in the "
        f"[errata](../trust/errata.md).\n\n{page_command.table(['paper', 'items', 'misprints'], rows, None)}"
    )


def page(name: str, paper: Item) -> str:
    space: dict[str, Any] = {}
    lines = [
        f"<!-- Written by docs/generate/papers.py from papers/{name}.toml. -->\n",
        f"# {paper['title']}\n",
        f"{paper['cite']} [In the bibliography](../methods/bibliography.md#{paper['key']}); its "
        f"[misprints](../trust/errata.md#{paper['errata']}).\n",
        linked(paper["summary"].strip()) + "\n",
        block(paper["setup"], space)[0],
    ]
    with working_folder():
        for section in paper["section"]:
            lines.append(f"## {section['title']}\n")
            lines += [section["text"].strip() + "\n"] if "text" in section else []
            for item in section.get("item", ()):
                lines += rendered(name, item, space)
    rows = [[advice["place"], advice["says"], advice["here"], linked(advice["why"])] for advice in paper["advice"]]
    lines.append("## What the paper recommends\n")
    lines.append(page_command.table(["section", "the paper says", "by default here", "why"], rows, None))
    return "\n".join(lines)


def rendered(name: str, item: Item, space: dict[str, Any]) -> list[str]:
    """An item: what it is, how it is computed, printed and computed values."""
    place = f"{name}, {item['place']}"
    lines = [f"**{item['place']}.** {linked(item['what'])}\n"]
    if "code" in item:
        text, values = block(item["code"], space)
        lines.append(text)
        if "printed" in item:
            compare(place, item, values)
    if "command" in item:
        lines.append(ran(place, item))
    said = []
    if "printed" in item:
        said.append("Printed: " + re.sub(r"([^ ,;]+)\*", r"**\1**", item["printed"]) + ".")
    if "table" in item:
        said.append(of_table(item["table"]))
    if item.get("errata"):
        said.append(f"Errata: {', '.join(map(erratum, item['errata']))}.")
    if "why" in item:
        said.append(linked(item["why"]))
    return [*lines, " ".join(said) + "\n"] if said else lines


def block(code: str, space: dict[str, Any]) -> tuple[str, list[Any]]:
    """The code as in a console, with what its expressions give."""
    shown, values = [], []
    for node in ast.parse(code).body:
        source = ast.get_source_segment(code, node) or ""
        first, *rest = source.splitlines()
        shown += [f">>> {first}", *(f"... {line}" for line in rest)]
        if isinstance(node, ast.Expr):
            value = eval(compile(ast.Expression(node.value), "<page>", "eval"), space)
            shown.append(repr(value))
            values.append(value)
        else:
            exec(compile(ast.Module([node], []), "<page>", "exec"), space)
    return "```pycon\n" + "\n".join(shown) + "\n```\n", values


def compare(place: str, item: Item, values: list[Any]) -> None:
    """Every printed value against the computed one, in order; those marked by * must differ, all others agree."""
    printed = [cell.strip() for group in item["printed"].split(";") for cell in group.split(",")]
    computed = [number for value in values for number in flat(value)]
    assert len(printed) == len(computed), f"{place}: {len(printed)} printed, {len(computed)} computed"
    for cell, number in zip(printed, computed, strict=True):
        marked = cell.endswith("*")
        assert agrees(cell.rstrip("*"), number) is not marked, f"{place}: printed {cell}, computed {number!r}"
    assert "*" not in item["printed"] or item.get("errata"), f"{place}: no erratum is named"


def agrees(cell: str, number: Any) -> bool:
    if not isinstance(number, int | float):
        return cell == str(number)
    return same(cell, float(number))


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for part in value:
            yield from flat(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from flat(part)
    else:
        yield value


def ran(place: str, item: Item) -> str:
    """A command, and what it prints of it."""
    arguments = shlex.split(item["command"])
    done = CliRunner().invoke(main, arguments[1:], env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert done.exit_code == 0, f"{place}: {done.output}"
    output = " ".join(done.output.split())
    for words in item["shows"]:
        assert words in output, f"{place}: {words!r} is not in what {item['command']!r} prints: {done.output}"
    shown = ", ".join(f"`{words}`" for words in item["shows"])
    return f"```console\n$ {item['command']}\n```\n\nIt prints {shown}.\n"


def of_table(label: str) -> str:
    """How many numbers of a table agree, with a link to all of them."""
    table = all_tables.table(label)
    counted = reproduce.count(table.records)
    words = ", ".join(
        f"{number} {word}{'' if status == 'agrees' or number == 1 else 's'}"
        for status, word in reproduce.WORDS.items()
        if (number := counted[status])
    )
    heading = slug(f"{label}: {table.title}")
    return f"[All {len(table.records)} numbers](../trust/reproduction.md#{heading}): {words}."


@cache
def headings() -> dict[str, str]:
    """{erratum: its heading}."""
    page = (ROOT / "docs" / "trust" / "errata.md").read_text(encoding="utf-8")
    return {title.split(".")[0]: title for title in re.findall(r"^### (.+)$", page, re.MULTILINE)}


def erratum(name: str) -> str:
    return f"[{name}](../trust/errata.md#{slug(headings()[name])})"


def linked(text: str) -> str:
    """``[F19](F19)`` is a link to the erratum."""
    return re.sub(r"\[([BCDFGMRS]\d+)\]\(\1\)", lambda match: erratum(match[1]), text.strip())


def slug(heading: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@contextlib.contextmanager
def working_folder() -> Iterator[None]:
    """A folder in which the shipped tables have their names."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        for table in SHIPPED.glob("*_*.csv"):
            shutil.copy(table, Path(folder) / table.stem)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/papers.py", files))
