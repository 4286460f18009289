"""docs/understand/cautions.md has every code of a caution, under a heading that can be linked to, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bakeoff.cautions import explanations

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "understand" / "cautions.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the repository only")


def text_of(value: ast.expr) -> list[str]:
    """The texts that an expression can be; a field of an f-string is one of the words it stands for."""
    if isinstance(value, ast.Constant):
        return [str(value.value)]
    if isinstance(value, ast.IfExp):
        return text_of(value.body) + text_of(value.orelse)
    if isinstance(value, ast.JoinedStr) and ast.unparse(value) == "f'few-{unit}s'":
        return ["few-problems", "few-differences"]  # paired.alternatives.power_cautions
    raise AssertionError(f"a code that this test cannot read: {ast.unparse(value)}")


def assigned(target: ast.expr, value: ast.expr) -> Iterator[ast.expr]:
    """What an assignment gives to the name ``code``."""
    if isinstance(target, ast.Name) and target.id == "code":
        yield value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, given in zip(target.elts, value.elts, strict=True):
            yield from assigned(one, given)


def codes() -> set[str]:
    """Of every ``caution_of(...)`` and ``Caution(code=...)``; of a variable, what the same file assigns to it."""
    found: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        given: list[ast.expr] = []
        variable = False
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "caution_of":
                if isinstance(node.args[0], ast.Constant):
                    given.append(node.args[0])
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Caution":
                if node.keywords and node.keywords[0].arg is None:
                    continue  # as read from a report
                (code,) = [word.value for word in node.keywords if word.arg == "code"] or node.args[:1]
                if isinstance(code, ast.Name):
                    variable = path.parent.name != "cautions"
                elif not isinstance(code, ast.Attribute) and path.parent.name != "cautions":  # of another caution
                    given.append(code)
            elif isinstance(node, ast.Dict) and "caution_of(code," in ast.unparse(tree):
                given += [key for key in node.keys if isinstance(key, ast.Constant) and key.value in explanations()]
            elif isinstance(node, ast.Dict):
                keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
                if {"code", "text", "reference"} <= {*keys}:
                    given.append(node.values[keys.index("code")])
        if variable:
            given += [
                value
                for node in ast.walk(tree)
                if isinstance(node, ast.Assign)
                for value in assigned(node.targets[0], node.value)
            ]
        found.update(text for value in given if not isinstance(value, ast.Attribute) for text in text_of(value))
    return found


@pytest.mark.slow
def test_every_code_is_on_the_page_and_no_other() -> None:
    """U-A26: ``grep -r pool-dependent docs README.md`` found nothing."""
    headings = re.findall(r"^### `([a-z0-9-]+)`$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(headings) == len(set(headings))
    assert set(headings) == codes()


def test_every_entry_says_what_to_do() -> None:
    for entry in re.split(r"^### ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, _, rest = entry.partition("\n")
        assert re.search(r"\*\*Do:\*\*\s+\S", rest.split("\n## ")[0]), name
        assert len(rest) > 80, name


def test_links_to_cautions_lead_somewhere() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for anchor in re.findall(r"cautions\.md#([\w-]+)\)", path.read_text(encoding="utf-8")):
            assert f"### `{anchor}`" in page or f"## {anchor}" in page.lower().replace(" ", "-"), (path.name, anchor)
