"""A sentence that program and page both write stands in ``report/sentences.json``, and nowhere else."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.report import sentences
from bakeoff.report.script import script_for
from bakeoff.wing import PACKAGE

GOLDEN = Path(__file__).parents[2] / "golden" / "files"
PYTHON = [PACKAGE / "analyses" / "compare" / "reporting" / "sentences.py", PACKAGE / "report" / "sections.py"]
JAVASCRIPT = PACKAGE / "wings" / "page" / "script" / "sentences.js"


def words_of(template: str) -> list[str]:
    return [words for words in re.split(r"\{\w+\}", template) if words]


RARE: tuple[tuple[str | None, list[list[float | None]]], ...] = (
    (None, [[1, 2, 3], [3, 2, 1]]),  # no pair could differ
    ("a", [[1, 2, 3], [3, 2, 1]]),
    (None, [[1, 2, 3, 4]] * 7),  # against one control, a pair could differ
    (None, [[1, 2, 3], [2, 3, 1], [3, 1, 2]] * 4),  # all share the best mean rank
    (None, [[1, 1, i] for i in range(2, 22)]),  # two share it
    (None, [[i, 1.1 * i + 2, 1.5 * i + 3 if i < 4 else None] for i in range(20)]),  # the third has too few problems
)


@cache
def reported() -> str:
    """Verdicts of recorded reports, and rare ones."""
    verdicts = [json.loads(path.read_text())["verdict"] for path in GOLDEN.glob("*/*.json")]
    for control, rows in RARE:
        cells = [(f"P{i}", "abcd"[j], x) for i, row in enumerate(rows) for j, x in enumerate(row) if x is not None]
        columns = dict(zip(("problem", "algorithm", "score"), map(list, zip(*cells, strict=True)), strict=True))
        result = bo.compare(bo.read_scores(columns, "lower", missing="keep"), control=control)
        verdicts.append(result.to_dict()["verdict"])
    return "\n".join(verdicts)


@pytest.mark.parametrize("name", sentences.templates())
def test_reports_and_the_script_have_every_sentence(name: str) -> None:
    template = sentences.templates()[name]
    assert re.search(re.sub(r"\\\{\w+\\\}", ".*", re.escape(template)), reported()), "no report"
    script = script_for('{"schema":"bakeoff.compare/1').text
    assert [words for words in words_of(template) if words not in script] == [], "docs/generate/explore.py is due"


def test_neither_program_nor_page_repeats_a_sentence() -> None:
    sources = ["".join(literals(path)) for path in PYTHON]
    sources.append(re.sub(r"//[^\n]*|/\*.*?\*/", "", JAVASCRIPT.read_text(), flags=re.DOTALL))
    words = [words for template in sentences.templates().values() for words in words_of(template)]
    words = [each for each in words if len(each.split()) > 2]
    assert len(words) > 15
    assert [each for each in words for source in sources if each in source] == []


def literals(path: Path) -> list[str]:
    """The texts of a module, docstrings excluded."""
    tree = ast.parse(path.read_text())
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        f"{node.value}\n"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone
    ]
