"""Each promise that a page or a report prints is shown by a theorem, an enumeration, or a row of the record."""

from __future__ import annotations

import re

import pytest

from repository.printed import METHODS
from repository.shown import complaint

PAGES = [path for path in sorted(METHODS.glob("*.md")) if path.read_text(encoding="utf-8").startswith("---")]


@pytest.mark.parametrize("page", [path.stem for path in PAGES])
def test_what_a_procedure_controls_is_shown(page: str) -> None:
    """The field ``shown`` at the top of its page."""
    found = re.search(r'^shown: "(.+)"$', (METHODS / f"{page}.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"{page}.md does not say what shows that it controls what it says"
    assert not [text for text in map(complaint, found[1].split("; ")) if text]
