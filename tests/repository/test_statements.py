"""Strings that do nothing, or that run into the next one, because a bracket, a comma or a space is missing."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [path for folder in ("src", "tests", "docs", "benchmarks", "paper") for path in (ROOT / folder).rglob("*.py")]
# a line that begins with a string after one that is as far in, is no string, and has no comma or bracket at its end
SUSPECT = re.compile(r"""^( +)(?! |[fr]{0,2}["']).*[^,([{\n]\n\1[fr]{0,2}["']""", re.M)
# "one string" or element, and without comma or space "another" on the next line
RUN_TOGETHER = re.compile(r"""(?<!\\n)(?<=[\w.,:!?])["']\n +[fr]{0,2}["']\w""")


def without_effect(text: str) -> list[int]:
    """Lines of strings that are statements, and document neither function, class, attribute nor constant."""
    nodes = list(ast.walk(ast.parse(text))) if SUSPECT.search(text) else []
    documented = {id(node.body[0]) for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    documented |= {id(each) for node in nodes if isinstance(node, ast.Module | ast.ClassDef) for each in node.body}
    values = [node.value for node in nodes if isinstance(node, ast.Expr) and id(node) not in documented]
    return [
        each.lineno for each in values if isinstance(each, ast.JoinedStr) or isinstance(getattr(each, "value", 0), str)
    ]


def run_together(text: str) -> list[int]:
    return [text.count("\n", 0, match.start()) + 1 for match in RUN_TOGETHER.finditer(text)]


@pytest.mark.parametrize("lines_of", [without_effect, run_together])
def test_no_string_does_nothing_or_runs_into_the_next(lines_of: Callable[[str], list[int]]) -> None:
    wrong = {str(path.relative_to(ROOT)): lines_of(path.read_text("utf-8")) for path in FILES}
    assert {path: lines for path, lines in wrong.items() if lines} == {}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('def f(n):\n    """What."""\n    s = f"{n} of, "\n    f"{n}"\n    return s\n', [4]),
        ('def f():\n    """What."""\n    return 1\n', []),
        ('def f():\n    if 1:\n        n = 1\n        "nothing"\n', [4]),
        ('A = 1\n"""About A."""\n', []),
    ],
)
def test_statements_are_seen(text: str, lines: list[int]) -> None:
    assert without_effect(text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('(\n    "one"\n    "two",\n)', [2]),
        ('(\n    "one",\n    "two",\n)', []),
        ('f(\n    "a sentence."\n    f"Another {x}"\n)', [2]),
        ('f(\n    "a sentence. "\n    "Another"\n)', []),
        ('f(\n    "a line\\n"\n    "another"\n)', []),
    ],
)
def test_seams_are_seen(text: str, lines: list[int]) -> None:
    assert run_together(text) == lines
