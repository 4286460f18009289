"""Writers of formats know sections and columns by what they are for, not by their names or those of kinds."""

from __future__ import annotations

import ast
import typing
from pathlib import Path

import pytest

import bakeoff.report.formats as formats
from bakeoff import report
from bakeoff.analyses import by_kind
from bakeoff.report.document import ROLES, SectionRole, Table
from every_kind import RESULTS

FOLDER = Path(formats.__file__).parent
SHEETS = {"pairs", "ranking", "cautions"}  # names of the sheets of a workbook, which users open by name


def words_of(path: Path) -> set[str]:
    return {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}


@pytest.mark.slow
def test_no_writer_names_a_kind_a_section_or_a_column() -> None:
    documents = [report.document(RESULTS[kind]()) for kind in ("compare", "experiment", "race", "history", "iqm")]
    sections = {section.key for document in documents for section in document.sections}
    tables = [b for document in documents for s in document.sections for b in s.blocks if isinstance(b, Table)]
    named = (
        set(by_kind())
        | sections
        | {table.key for table in tables}
        | {c.key for t in tables for c in t.columns if not c.key.isdigit()}
    )
    roles = {*typing.get_args(SectionRole), *ROLES.values()}
    found = {path.name: words_of(path) & (named - roles - SHEETS) for path in FOLDER.glob("*.py")}
    found["terminal.py"] -= {"power"}  # a curve drawn in characters
    assert {name: words for name, words in found.items() if words} == {}
