"""docs/reference/cli.md names every command and every option of every command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from bakeoff.cli import main
from bakeoff.cli.sources import READ_KEYS

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
SHARED = SECTIONS["Tables, JSON and reports"]


def commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that can be run, with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))
        else:
            yield (*words, name), command


OPTIONS = {
    words: {option for param in command.params if isinstance(param, click.Option) for option in param.opts}
    for words, command in commands(main)
}


def described(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))


@pytest.mark.parametrize("words", OPTIONS, ids=" ".join)
def test_every_option_is_described(words: tuple[str, ...]) -> None:
    """In the section of the command; options of reading and writing in the section that all share."""
    assert OPTIONS[words] <= described(SECTIONS[f"`bakeoff {words[0]}`"]) | described(SHARED)


def test_every_command_has_a_section_and_nothing_else_has() -> None:
    documented = re.findall(r"^## `bakeoff ([\w-]+)`$", PAGE, re.MULTILINE)
    assert sorted(documented) == sorted({words[0] for words, _ in commands(main)})


def test_every_command_is_in_the_summary() -> None:
    summary = PAGE.split("```")[1]
    for words, _ in commands(main):
        line = re.search(rf"^bakeoff {words[0]}\b.*", summary, re.MULTILINE)
        assert line is not None, words
        assert set(words) <= set(re.findall(r"[\w-]+", line[0]))


def test_no_option_is_described_that_does_not_exist() -> None:
    other = {option for _, command in commands(main) for param in command.params for option in param.secondary_opts}
    keys = {f"--{name.replace('_', '-')}" for name in READ_KEYS.values()}  # of --read, taken as options
    exist = set().union(other, keys, *OPTIONS.values())
    exist |= {"--version", "--completion", "--help", "--help-all", "-m"}  # python -m
    assert described(re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)) <= exist
