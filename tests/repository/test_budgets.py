"""The sizes that CONTRIBUTING.md allows, beside today's, which these tests print; how far a table travels."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest

import bakeoff as bo
from bakeoff.cautions import facts
from bakeoff.cli import main
from bakeoff.cli._main import commands
from sources import FILES, SRC
from walks import walk

ROOT = Path(__file__).parents[2]
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
MOST_LINES, SMALL, MOST_SMALL, MOST_OPTIONS, MOST_CODES = 81_640, 60, 208, 678, 120


def code_lines(text: str) -> int:
    """Lines that are neither blank nor a comment nor part of a docstring."""
    documented: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            documented |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(1 for i, line in lines if line.strip() and not line.strip().startswith("#") and i not in documented)


@cache
def sizes() -> dict[Path, int]:
    """Of every file of Python."""
    return {path: code_lines(path.read_text(encoding="utf-8")) for path in FILES}


def part_of(path: Path) -> str:
    """The wing of a file, or "core"."""
    parts = path.relative_to(SRC).parts
    return parts[1] if parts[0] == "wings" and len(parts) > 2 else "core"


def today() -> Counter[str]:
    """Lines of code of the core and of each wing, JavaScript included."""
    total = Counter[str]()
    for path, lines in sizes().items():
        total[part_of(path)] += lines
    for path in SRC.rglob("*.js"):
        if not path.name.endswith(".min.js"):
            lines = path.read_text(encoding="utf-8").splitlines()
            total[part_of(path)] += sum(1 for line in lines if line.strip() and not line.strip().startswith("//"))
    return total


def budgets() -> dict[str, int]:
    """The table of CONTRIBUTING.md."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names, _, numbers = re.search(r"^\| \| core .*\n.*\n.*", text, re.MULTILINE)[0].splitlines()  # type: ignore[index]
    cells = [[cell.strip() for cell in row.strip("|").split("|")][1:] for row in (names, numbers)]
    return {name: int(number.replace(" ", "")) for name, number in zip(*cells, strict=True)}


@pytest.mark.parametrize("part", sorted(budgets()))
def test_a_part_is_within_its_budget(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines, most = today()[part], budgets()[part]
    with capsys.disabled():
        print(f"\n{part}: {lines} lines of code, at most {most}", end=" ")
    assert lines <= most


def test_every_part_has_a_budget() -> None:
    assert set(budgets()) == set(today())


def test_the_package_is_within_its_budget() -> None:
    assert sum(sizes().values()) <= MOST_LINES


def test_small_files_that_are_opened_together_are_one() -> None:
    small = [path for path, lines in sizes().items() if lines < SMALL]
    assert len(small) <= MOST_SMALL, len(small)


def every_command() -> Iterator[click.Command]:
    """The commands, and what is below the groups among them."""
    context = click.Context(main)
    waiting = [main.get_command(context, name) for name in commands()]
    while waiting:
        command = waiting.pop()
        assert command is not None
        waiting += command.commands.values() if isinstance(command, click.Group) else []
        yield command


def options_over_all_commands() -> int:
    """Options of all commands, --help aside."""
    return sum(isinstance(parameter, click.Option) for command in every_command() for parameter in command.params)


def test_commands_have_few_options() -> None:
    assert options_over_all_commands() <= MOST_OPTIONS, options_over_all_commands()


def test_cautions_have_few_codes() -> None:
    assert len(facts()) <= MOST_CODES, len(facts())


@pytest.mark.parametrize(
    ("options", "steps", "back_up"), [({}, 28, 10), ({"control": "SaDE"}, 28, 10), ({"margin": 1.0}, 29, 11)]
)
def test_a_table_travels_straight_through_compare(options: dict[str, Any], steps: int, back_up: int) -> None:
    """What a lower room needs is computed once, and passed on as an array."""
    table = bo.datasets.load("derrac_cec2005")
    way = walk(lambda: bo.compare(table, **options))
    assert way.steps <= steps, way.files
    assert way.back_up <= back_up, way.files
