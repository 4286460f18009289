"""docs/understand/cautions.md has every code of a caution, under a heading that can be linked to, and no other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bakeoff.cautions import explanations

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "understand" / "cautions.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the repository only")


MADE_IN = {"cautions/__init__.py", "wings/verify/origin.py"}
"""``caution_of``, and cautions read from a report."""


def sources() -> dict[str, str]:
    src = ROOT / "src" / "bakeoff"
    return {str(path.relative_to(src)): path.read_text(encoding="utf-8") for path in src.rglob("*.py")}


def test_every_code_is_on_the_page_and_no_other() -> None:
    """U-A26: ``grep -r pool-dependent docs README.md`` found nothing."""
    headings = re.findall(r"^### `([a-z0-9-]+)`$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == list(explanations())


@pytest.mark.slow
def test_sentences_are_those_of_the_templates() -> None:
    """A caution made elsewhere would have a sentence, and maybe a code, that neither page nor ``explain`` knows."""
    assert {name for name, text in sources().items() if re.search(r"(?<!class )\bCaution\(", text)} == MADE_IN
    assert [code for code, entry in explanations().items() if not entry.text and not entry.texts] == []


@pytest.mark.slow
def test_every_template_is_asked_for() -> None:
    texts = [text for name, text in sources().items() if name not in MADE_IN]
    for code, entry in explanations().items():
        for name in (code, *entry.texts):
            assert any(f'"{name}"' in text for text in texts), (code, name)


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


def test_every_sentence_that_is_asked_for_exists() -> None:
    """A variant that was renamed in the templates alone is a KeyError where a user meets it."""
    entries: dict[str, dict[str, Any]] = {}
    for path in (ROOT / "src" / "bakeoff" / "cautions").glob("*.toml"):
        entries |= tomllib.loads(path.read_text(encoding="utf-8"))
    asked = re.compile(r'caution_of\(\s*"([\w-]+)"(?:,\s*"([\w-]+)")?(?=,\s*\w+=|,?\s*\))')
    found = [ask for path in (ROOT / "src").rglob("*.py") for ask in asked.findall(path.read_text(encoding="utf-8"))]
    assert len(found) > 200
    assert [(c, w) for c, w in found if (w not in entries[c].get("texts", {}) if w else "text" not in entries[c])] == []
