"""Write the tables of options in docs/reference/cli.md from the commands and the records of their parameters.

    python docs/generate/options.py             writes them
    python docs/generate/options.py --check     exits 1 if they are not current

The table of a command is the first of its section. What every command shares has a section of its own.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
import page_command

from bakeoff.cli import main
from bakeoff.cli._main import commands
from bakeoff.cli.analyses import ParameterOption

PAGE = Path(__file__).resolve().parents[1] / "reference" / "cli.md"
HEAD = "| option | what it does | default |\n|---|---|---|\n"
_SECTION = re.compile(r"^## `bakeoff ([\w-]+)`\n.*?(?=^## |\Z)", re.M | re.S)
_TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")
_DEFAULT = re.compile(r" Default: (.*?)\.(?= |$)")
_MARKED = re.compile(r"([\w-]+) \(default(?:; ([^)]*))?\)|([\w-]+) \(the default\)")


def described(option: click.Option, context: click.Context) -> tuple[str, str]:
    """What the option does, and its default."""
    record = option.get_help_record(context)
    assert record is not None
    text = " ".join(record[1].split())
    default = _DEFAULT.search(text)
    if default:
        return _DEFAULT.sub("", text), default[1]
    marked = _MARKED.search(text)
    if marked and text.count("default") == 1:
        name, words = marked[1] or marked[3], marked[2]
        return text.replace(marked[0], f"{name} ({words})" if words else name), f"`{name}`"
    return text, "no" if option.is_flag else ""


def row(option: click.Option, context: click.Context) -> str:
    """Of the table; names that can be chosen are in the font of code."""
    does, default = described(option, context)
    if isinstance(option, ParameterOption):
        for name in option.parameter.choices:
            does = re.sub(rf"(?<![\w`-]){re.escape(name)}(?![\w`-])(?=,|\.$| \()", f"`{name}`", does, count=1)
    metavar = "" if option.is_flag else f" {option.make_metavar(context)}"
    cells = (", ".join(f"`{name}{metavar}`" for name in (*option.opts, *option.secondary_opts)), does, default)
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |\n"


def with_tables(page: str) -> str:
    """The page with the table of each command that has one."""
    context = click.Context(main)
    plainest = main.get_command(context, "iqm")
    assert plainest is not None
    common = {p.help for p in plainest.params if isinstance(p, click.Option) and not isinstance(p, ParameterOption)}

    def is_common(option: click.Option) -> bool:
        return option.opts == ["--report"] or (option.help is not None and option.help in common)

    def replaced(section: re.Match[str]) -> str:
        command = main.get_command(context, section[1])
        assert command is not None
        if isinstance(command, click.Group):
            return section[0]
        inner = click.Context(command)
        own = [p for p in command.params if isinstance(p, click.Option) and not is_common(p)]
        table = HEAD + "".join(row(option, inner) for option in own)
        return _TABLE.sub(lambda _: table, section[0], count=1)

    return _SECTION.sub(replaced, page)


def files() -> dict[Path, str]:
    """The page."""
    page = PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"^## `bakeoff ([\w-]+)`$", page, re.M)) == set(commands())
    return {PAGE: with_tables(page)}


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/options.py", files))
