"""Write man/: a manual page for the program and one for each command, from what --help says.

python docs/generate/man.py           writes the pages
python docs/generate/man.py --check   exits 1 if they are not current
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import page_command

from bakeoff import __version__
from bakeoff.cli import main
from bakeoff.cli._main import commands

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "man"
EXIT = (("0", "done"), ("2", "bad input or usage"), ("1", "internal error"), ("130", "interrupted"))
EXIT_OF_CHECK = (
    ("0", "ok"), ("1", "regressed"), ("2", "not comparable, or bad input"),
    ("3", "inconclusive (0 with --inconclusive pass)"), ("70", "internal error"),
)  # fmt: skip
EXIT_OF_VERIFY = (
    ("0", "all agree"),
    ("1", "something differs, is missing or was not compared, and is named"),
    ("2", "not readable, or of an unknown version"),
)


def roff(text: str) -> str:
    """Text as it stands: no character is an instruction."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.M)


def page(name: str, command: click.Command, path: tuple[str, ...], one_line: str) -> str:
    """The manual page of a command and of those below it."""
    title = "-".join(path)
    lines = [
        f'.TH "{title.upper()}" "1" "{released()}" "bakeoff {__version__}" "bakeoff"',
        ".SH NAME",
        f"{roff(title)} \\- {roff(one_line)}",
        ".SH SYNOPSIS",
    ]
    usages = list(below(command, path))
    for words, each in usages:
        context = click.Context(each, info_name=" ".join(words))
        lines += [".PP", f".B {roff(' '.join(words))}", roff(" ".join(each.collect_usage_pieces(context)))]
    lines += [".SH DESCRIPTION", *paragraphs(command.help)]
    for words, each in usages:
        if len(usages) > 1 and each is not command:
            lines += [f'.SS "{roff(" ".join(words))}"', *paragraphs(each.help)]
        lines += options(each, words, heading=".SH OPTIONS" if len(usages) == 1 else "")
    if isinstance(command, click.Group) and path == ("bakeoff",):
        lines.append(".SH COMMANDS")
        for inner, text in commands().items():
            lines += [".TP", f"\\fB{roff(f'bakeoff-{inner}')}\\fR(1)", roff(text)]
    codes = {"check": EXIT_OF_CHECK, "verify": EXIT_OF_VERIFY}.get(name, EXIT)
    lines.append(".SH EXIT STATUS")
    for code, meaning in codes:
        lines += [".TP", f".B {code}", roff(meaning)]
    also = "\\fBbakeoff\\fR(1)" if name else roff("bakeoff COMMAND --help")
    lines += [".SH SEE ALSO", also + roff(f", bakeoff docs {name}".rstrip())]
    return "\n".join(lines) + "\n"


def below(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """The command, or what can be called below a group; the commands of the program have pages of their own."""
    if isinstance(command, click.Group) and path != ("bakeoff",):
        for name in command.list_commands(click.Context(command)):
            inner = command.get_command(click.Context(command), name)
            assert inner is not None
            yield from below(inner, (*path, name))
    else:
        yield path, command


def paragraphs(text: str | None) -> Iterator[str]:
    """Of a help text; those after a mark stay as they are."""
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        yield ".PP"
        if paragraph.startswith("\b\n"):
            yield f".nf\n{roff(paragraph[2:])}\n.fi"
        else:
            yield roff(" ".join(paragraph.split()))


def options(command: click.Command, words: tuple[str, ...], heading: str) -> list[str]:
    context = click.Context(command, info_name=" ".join(words))
    parameters = [one for one in command.get_params(context) if isinstance(one, click.Option)]
    records = [record for one in parameters if (record := one.get_help_record(context))]
    lines = [heading] if heading and records else []
    for names, text in records:
        lines += [".TP", f".B {roff(names)}", roff(" ".join(text.split())) or "\\&"]
    return lines


def released() -> str:
    return re.findall(r"^date-released: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)[0]


def files() -> dict[Path, str]:
    context = click.Context(main, info_name="bakeoff")
    pages = {"bakeoff.1": page("", main, ("bakeoff",), "which algorithm is better, by how much, how sure are we?")}
    for name, text in commands().items():
        command = main.get_command(context, name)
        assert command is not None
        pages[f"bakeoff-{name}.1"] = page(name, command, ("bakeoff", name), text.rstrip(".?"))
    return {FOLDER / file: text for file, text in pages.items()}


def check() -> list[str]:
    known = {path.name for path in files()}
    return [f"man/{path.name} is of no command" for path in FOLDER.glob("*") if path.name not in known]


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/man.py", files, check=check))
