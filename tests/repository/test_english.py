"""English as a native engineer writes it, wherever a user looks: the glossary of CONTRIBUTING.md, held."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import click
import pytest

from bakeoff.cli import main
from repository.printed import (
    ROOT,
    pages,
    sentences_of_docstrings,
    sentences_of_page,
    sentences_of_source,
    sentences_of_templates,
)
from sources import FILES, SRC

BANNED = {
    "law": r"(?<![\w.`-])laws?\b(?![-\w`=(.]*[=`(])",
    "alike": r"(?<![\w-])alike\b",
    "is said by": r"\b(?:is|are|was) said by\b",
    "for want of": r"\bfor want of\b",
    "t test": r"(?<!['’])\bt tests?\b",
    "where these are given": r"\bwhere (?:these|they|there) are (?:given|some)\b",
}
"""What nobody says; CONTRIBUTING.md has what to say instead."""


_CODE = r"``.*?``|`[^`]*`|\{[^{}]*\}|\]\([^)]*\)"


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("run", "reference", "like"):
                yield from _texts(inner)


def _helps(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    context = click.Context(command)
    help = re.sub(r"^\x08\n.*?(?=\n\n|\Z)", "", inspect.cleandoc(command.help or ""), flags=re.MULTILINE | re.DOTALL)
    texts = [help, *(record[1] for p in command.params if (record := p.get_help_record(context)))]
    yield from ((" ".join(words) or "bakeoff", sentence) for text in texts for sentence in sentences_of_page(text))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _helps(inner, (*words, name))


@cache
def prose() -> tuple[tuple[str, str], ...]:
    """(file, sentence) of pages, help, cautions, sentences of reports, errors and public docstrings, without code."""
    found: list[tuple[str, str]] = []
    written = {*pages(), *(ROOT / "docs").rglob("*.md"), ROOT / "CHANGELOG.md"}
    for path in written - {ROOT / "docs" / "methods" / "bibliography.md"}:  # titles of papers
        where = path.relative_to(ROOT).as_posix()
        text = re.sub(r"\A---\n.*?\n---\n", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)  # fields
        found += [(where, sentence) for sentence in sentences_of_page(text)]
    for path in (ROOT / "src" / "bakeoff").rglob("*.py"):
        where = path.relative_to(ROOT).as_posix()
        found += [(where, sentence) for sentence in sentences_of_source(where)]
        found += [(f"docstrings of {where}", sentence) for sentence in sentences_of_docstrings(where)]
    for path in (ROOT / "src" / "bakeoff").rglob("reporting/**/*.json"):
        where = path.relative_to(ROOT).as_posix()
        found += [(where, sentence) for sentence in sentences_of_templates(where)]
    for path in (ROOT / "src" / "bakeoff").rglob("cautions/*.toml"):
        where = path.relative_to(ROOT).as_posix()
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        found += [(where, sentence) for text in _texts(content) for sentence in sentences_of_page(text)]
    found += [(f"help of {where}", sentence) for where, sentence in _helps(main)]
    return tuple((where, re.sub(_CODE, "…", sentence)) for where, sentence in found)


@pytest.mark.parametrize("habit", BANNED)
def test_nobody_says(habit: str) -> None:
    found = [f"{where}: {sentence}" for where, sentence in prose() if re.search(BANNED[habit], sentence, re.IGNORECASE)]
    assert not found, "see the glossary in CONTRIBUTING.md:\n" + "\n".join(found)


def begun_with_of() -> Counter[str]:
    """Docstrings that begin so, those below constants and fields among them, by the folder of their file."""
    found = Counter[str]()
    for path in FILES:
        folder = path.relative_to(SRC).parent.as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                found[folder] += str(node.value.value).lstrip().startswith("Of ")
    return found


def test_docstrings_begin_with_a_verb_or_with_the_thing() -> None:
    found = {folder: n for folder, n in begun_with_of().items() if n}
    assert not found, found


LONGEST = 30
LISTS = ("FORMAT is auto", "at the same error:", "Specialists, 30 problems and 10 algorithms:")
"""Which are no sentences."""
ENDS = r"(?<=[.!?])[…*\")]*\s+|(?<=[.!?])…*(?=[A-Z…])|\s\|\s"
WORD = re.compile(
    r"(?<![^\s(\"“*_\[/—–])(?:[A-Za-zÀ-ɏ]{2,}(?:['’\-/][A-Za-zÀ-ɏ]+)*|[aAI]|\d[\d.,]*)(?![^\s.,;:!?)\"”*_\]%/—–|])"
)
"""A word or a number; no symbol or part of an equation."""
READ = [
    "README.md",
    "help of ",
    "src/bakeoff/(analyses|wings)/.*reporting",
    r"src/bakeoff/.*cautions/.*\.toml",
    "docstrings of ",
    "docs/(index|questions|reviewers)",
    "docs/(start|how-to|guides|understand)/",
    "docs/trust/(?!performance|reproduction)",
    "docs/methods/",
    "docs/reference/",
]
"""What is written by hand, but the changes; docs/atlas.md and two pages of measurements are generated."""


@pytest.mark.parametrize("where", READ)
def test_no_sentence_is_longer_than_thirty_words(where: str) -> None:
    """A cell of a table, and a field after a full stop, are taken for sentences of their own."""
    found = [
        f"{len(words)} words, {place}: {part}"
        for place, sentence in prose()
        if re.match(where, place)
        for part in re.split(ENDS, sentence)
        if len(words := WORD.findall(part)) > LONGEST
    ]
    assert [one for one in found if not any(each in one for each in LISTS)] == []


def test_words_are_counted_without_equations() -> None:
    assert len(WORD.findall("With G clusters t = d̄/√(s²/G), where s² is the variance of 2,000 (real) draws.")) == 10
    assert len(re.split(ENDS, 'One. Two ("three.") Four: e | cell | 3.5 is a number.')) == 5


def test_what_is_looked_for_is_found() -> None:
    """The patterns see prose, and leave names in code alone."""
    said = {
        "law": ("the law of the statistic", "a gamma law", "`law=`", "law='exact'", "lawful"),
        "alike": ("All are alike.", "two alike ones", "assumes-all-alike", "`alike`", "no-variation"),
        "t test": ("a paired t test", "t tests of means", "t-tests", "don't test", "least tests"),
    }
    for habit, (first, second, *others) in said.items():
        assert re.search(BANNED[habit], first)
        assert re.search(BANNED[habit], second)
        assert not any(re.search(BANNED[habit], re.sub(_CODE, "…", other)) for other in others)
    assert len(prose()) > 5_000
    assert {"README.md", "help of compare", "src/bakeoff/cautions/table.toml"} <= {where for where, _ in prose()}


def test_the_marks_of_computed_numbers_stand_in_one_line() -> None:
    """A page that is wrapped again may break one, and its generator no longer finds the number."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert not [
        str(page) for page in pages if re.search(r"<!--\s*\n\s*[\w-]+ -->|<!-- [\w-]+\s*\n\s*-->", page.read_text())
    ]
