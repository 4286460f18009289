"""docs/understand/cautions.md has every code of a caution, under a heading that can be linked to, and no other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from bakeoff.cautions import explanations, facts

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "understand" / "cautions.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the repository only")


MADE_IN = {"cautions/__init__.py", "report/repeated.py"}
"""``caution_of``, and cautions read from a report."""


def sources() -> dict[str, str]:
    src = ROOT / "src" / "bakeoff"
    return {str(path.relative_to(src)): path.read_text(encoding="utf-8") for path in src.rglob("*.py")}


def test_every_code_is_on_the_page_and_no_other() -> None:
    """U-A26: ``grep -r pool-dependent docs README.md`` found nothing."""
    headings = re.findall(r"^### `([a-z0-9-]+)`$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == list(facts())


@pytest.mark.slow
def test_sentences_are_those_of_the_templates() -> None:
    """A caution made elsewhere would have a sentence, and maybe a code, that neither page nor ``explain`` knows."""
    assert {name for name, text in sources().items() if re.search(r"(?<!class )\bCaution\(", text)} == MADE_IN
    assert [name for name, entry in explanations().items() if not entry.text] == []


@pytest.mark.slow
def test_every_template_is_asked_for() -> None:
    texts = [text for name, text in sources().items() if name not in MADE_IN]
    for entry in explanations().values():
        for word in filter(None, (entry.code, entry.object)):
            assert any(f'"{word}"' in text for text in texts), entry.name


def test_every_entry_says_what_to_do() -> None:
    for entry in re.split(r"^###+ ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, _, rest = entry.partition("\n")
        if "(" not in name and not facts()[name.strip("`")].do:
            continue  # each object says its own
        assert re.search(r"\*\*Do:\*\*\s+\S", rest.split("\n## ")[0]), name
        assert len(rest) > 80, name


def test_links_to_cautions_lead_somewhere() -> None:
    headings = re.findall(r"^##+ (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    anchors = {re.sub(r"[`()]", "", heading).lower().replace(" ", "-") for heading in headings}
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        for anchor in re.findall(r"cautions\.md#([\w-]+)\)", path.read_text(encoding="utf-8")):
            assert anchor in anchors, (path.name, anchor)


ASKED = re.compile(r'caution_of\(\s*"([\w-]+)"(?:,\s*"([\w-]+)")?(?=,\s*(?:\w+=|\*)|,?\s*\))')
"""Code and object, where the source has both as words."""


def asked_in(folder: Path) -> set[tuple[str, str]]:
    return {ask for path in folder.rglob("*.py") for ask in ASKED.findall(path.read_text(encoding="utf-8"))}


def test_every_sentence_that_is_asked_for_exists() -> None:
    """An object that was renamed in the templates alone is a KeyError where a user meets it."""
    asked = {(code, about) for code, about in asked_in(ROOT / "src")}
    assert len(asked) > 200
    assert asked - {(entry.code, entry.object) for entry in explanations().values()} == set()


def test_the_core_has_what_it_asks_for() -> None:
    """Without any wing ``caution_of`` finds each sentence of the core."""
    src = ROOT / "src" / "bakeoff"
    core = set[tuple[str, str]]()
    for path in (src / "cautions").glob("*.toml"):
        for code, entry in tomllib.loads(path.read_text(encoding="utf-8")).items():
            if isinstance(entry, dict):
                core |= {(code, about) for about, values in entry.items() if isinstance(values, dict)}
                core |= {(code, "")} if "text" in entry else set()
    texts = [text for name, text in sources().items() if not name.startswith("wings/")]
    assert {ask for text in texts for ask in ASKED.findall(text)} - core == set()
