"""Every path and module that a docstring, a comment, CONTRIBUTING or a page names is there."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bakeoff.cli._main import commands
from sources import FILES, SRC, source_file

ROOT = Path(__file__).parents[2]
ROOTED = re.compile(r"(?<![\w./<*-])((?:src|tests|docs|benchmarks|examples|man|conda|paper)/[\w./-]*\w/?)(?![\w*<{])")
"""A path from the root of the repository."""
QUOTED = re.compile(r"``?([\w./-]+?)``?(?!`)")
FILE = re.compile(r"[\w/-]*\w\.(?:py|pyi|toml|sql|bib|js)")
FOLDER = re.compile(r"\w+(?:/\w+)*/")
PAGES = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
ELSEWHERE = {
    "analyses/spread/__init__.py",  # the analysis that the recipe of CONTRIBUTING adds
    "analyses/spread/statistics.py",
    "analyses/spread/reporting.py",
    "analyses/reach/options.py",
    "statistics.py",
    "benchmarks/fev_bench/results",  # in a repository whose numbers are analysed
    "nonparametric_tests.py",  # of Orange
    "module.py",  # of a user
}
OF_USERS = re.compile(r"(?:experiment|solver|pyproject|protocol|run|plan|race|train|bench\w*|unfinished)\.\w+")
"""Files that a user writes, in examples."""


@cache
def places() -> frozenset[str]:
    """Each file and folder of the repository by every end of its path."""
    kept = [
        *SRC.rglob("*"),
        *(ROOT / "tests").rglob("*"),
        *(ROOT / "docs").rglob("*"),
        *(ROOT / "benchmarks").rglob("*"),
    ]
    ends = set()
    for path in [*kept, *ROOT.iterdir(), *(ROOT / "examples").rglob("*"), *(ROOT / "paper").rglob("*")]:
        parts = path.relative_to(ROOT).parts
        ends |= {"/".join(parts[i:]) for i in range(len(parts))}
    return frozenset(ends)


def is_there(name: str) -> bool:
    """A path by any end of it; without a suffix also a module."""
    name = name.rstrip("/.").removeprefix("./")
    return name in places() or f"{name}.py" in places() or (ROOT / name).exists()


def stale(text: str) -> Iterator[str]:
    """The paths of a text that are nowhere."""
    for match in ROOTED.finditer(text):
        if match[1] not in ELSEWHERE and not is_there(match[1]):
            yield match[1]
    for match in QUOTED.finditer(text):
        name = match[1]
        named = FILE.fullmatch(name) or FOLDER.fullmatch(name)
        if named and name not in ELSEWHERE and not OF_USERS.fullmatch(name) and not is_there(name):
            yield name


def own_words(path: Path) -> str:
    """Docstrings and comments of a source file."""
    text = path.read_text(encoding="utf-8")
    nodes = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    words = [ast.get_docstring(node) or "" for node in nodes]
    with tokenize.open(path) as opened:
        words += [token.string for token in tokenize.generate_tokens(opened.readline) if token.type == tokenize.COMMENT]
    return "\n".join(words)


def test_what_docstrings_and_comments_name_is_there() -> None:
    stale_names = {f"{path.relative_to(SRC)}: {name}" for path in FILES for name in stale(own_words(path))}
    assert stale_names == set()


def test_what_a_package_says_of_its_modules_is_there() -> None:
    """ "``routing`` is the list of addresses": a module beside it, a command, or a name of the package."""
    names = {name for path in FILES for name in source_file(path).defined} | set(commands()) | {"like"}  # a key of TOML
    stale_names = set()
    for path in (each for each in FILES if each.name == "__init__.py"):
        beside = {each.stem for each in path.parent.iterdir()}
        words = re.findall(r"``([a-z_]+)``", ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")
        stale_names |= {f"{path.relative_to(SRC)}: {word}" for word in words if word not in names | beside}
    assert stale_names == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_a_page_names_is_there(page: Path) -> None:
    assert set(stale(page.read_text(encoding="utf-8"))) == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("see ``cli/commands/nothing.py``", ["cli/commands/nothing.py"]),
        ("see ``rooms/of_nothing/``", ["rooms/of_nothing/"]),
        ("see docs/guides/nothing.md", ["docs/guides/nothing.md"]),
        ("see docs/guides/compare.md, ``cli/options.py`` and ``means/``", []),
    ],
)
def test_a_stale_name_would_be_seen(text: str, names: list[str]) -> None:
    assert list(stale(text)) == names
